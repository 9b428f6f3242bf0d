"""The compiler: a folder of YAML in, findings and one checked artifact out.

>>> from rulesdata_compiler import compile_system, report
>>> compiled = compile_system("my-game")
>>> compiled.artifact is not None
True
"""

from __future__ import annotations

from collections.abc import Sequence

from .diagnostics import Finding, Findings
from .layers import NotFound, find_layers
from .pipeline import Compiled, compile_layers
from .render import render_text

__all__ = ["Compiled", "Finding", "Findings", "NotFound", "compile_layers", "compile_system", "report"]


def compile_system(name: str, house: Sequence[str] = (), *, texts: bool = True, prove: bool = True) -> Compiled:
    """Compile a bundled system, a folder or a YAML file, with house-rules files over it. Raises NotFound."""
    early = Findings()
    layers = find_layers(name, house, early)
    return compile_layers(layers, early, texts=texts, prove=prove)


def report(compiled: Compiled, *, colour: bool = False) -> str:
    """The findings as text for people, with the closing line that counts what was read."""
    return render_text(compiled.findings, shown=compiled.shown, colour=colour)
