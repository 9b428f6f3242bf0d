"""The `py` target: artifact and runtime in one file that runs and imports with nothing installed.

In: a sealed artifact. Out: the text of a Python file, the same bytes for the same artifact on the same Python. The
rules travel as the artifact's JSON, packed: read as data and never evaluated. The runtime's modules travel as their
source and also as Python compiled them, for Pythons of the kind that made the file: any other compiles the source.
Without that, a cold start is mostly the compiling of these modules.
"""

from __future__ import annotations

import marshal
import sys
import zlib
from binascii import b2a_base64
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import MAGIC_NUMBER
from types import CodeType

HEAD = '''\
#!/usr/bin/env python3
"""Rules of a tabletop game, ready to use: `python {name} --help`, or `import` this file and use `RULES`.

Made by rulesdata. It needs Python 3.11 or newer and nothing else. _ARTIFACT holds the rules, _SOURCES the modules that
read them, and _COMPILED the same as compiled by Python {python}, which any other Python leaves aside, and so does this
one in its development mode (`python -X dev`). All are packed with zlib and base64; `source("rulesdata_runtime.rules")`
and `artifact()` show them.
"""
import sys
from binascii import a2b_base64
from zlib import decompress

try:
    from _frozen_importlib import ModuleSpec
    from _frozen_importlib_external import MAGIC_NUMBER
except ImportError:
    from importlib.machinery import ModuleSpec
    from importlib.util import MAGIC_NUMBER

_MAGIC = {magic}
_ARTIFACT = {artifact}
_SOURCES = {sources}
_COMPILED = {{
{compiled}}}
_PACKAGES = {packages}
_USE_COMPILED = MAGIC_NUMBER == _MAGIC and not sys.flags.dev_mode
_texts = {{}}


def artifact():
    """The rules: the bytes of the JSON file that `rulesdata build` writes."""
    return decompress(a2b_base64(_ARTIFACT))


def source(module):
    """The source of a module that is carried here."""
    if not _texts:
        parts = decompress(a2b_base64(_SOURCES)).decode("utf-8").split("\\0")
        _texts.update(zip(parts[::2], parts[1::2]))
    if module not in _texts:
        raise ModuleNotFoundError("No module named " + repr(module), name=module)
    return _texts[module]


class _Carried:
    """Imports the runtime from the texts above."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "rulesdata_runtime" or fullname.startswith("rulesdata_runtime."):
            return ModuleSpec(fullname, self, origin="<" + fullname + ">", is_package=self.is_package(fullname))
        return None

    def is_package(self, fullname):
        return fullname in _PACKAGES

    def get_source(self, fullname):
        return source(fullname)

    def get_code(self, fullname):
        if _USE_COMPILED and fullname in _COMPILED:
            import marshal

            return marshal.loads(decompress(a2b_base64(_COMPILED[fullname])))
        return compile(source(fullname), "<" + fullname + ">", "exec", dont_inherit=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.get_code(module.__name__), module.__dict__)


if "rulesdata_runtime" not in sys.modules:
    sys.meta_path.insert(0, _Carried())


def _rules(system="", house=(), cache=True):
    from rulesdata_runtime.rules import Rules

    return Rules.open(artifact())


def __getattr__(name):
    if name == "RULES":
        globals()["RULES"] = _rules()
        return globals()["RULES"]
    raise AttributeError(name)


if __name__ == "__main__":
    from rulesdata_runtime import cli

    cli.leave(cli.main(sys.argv[1:], load=_rules, carried=True))
'''

SLOW = "rulesdata_runtime.proving."
"""Modules that nobody waits for: they are not carried compiled."""


def program(artifact: bytes, name: str = "rules.py") -> bytes:
    """The whole Python file around an artifact."""
    sources: list[bytes] = []
    compiled: list[str] = []
    modules = dict(_modules(resources.files("rulesdata_runtime"), "rulesdata_runtime"))
    for full, source in sorted(modules.items()):
        sources += [full.encode("utf-8"), source]
        if not full.startswith(SLOW):
            code = compile(source, f"<{full}>", "exec", dont_inherit=True, optimize=0)
            # Version 2 of the format: later ones write down how often an object happens to be referred to.
            compiled.append(f"    {full!r}: {_packed(marshal.dumps(_bare(code), 2))!r},\n")
    packages = tuple(sorted({full for full in modules if any(name.startswith(f"{full}.") for name in modules)}))
    told = HEAD.format(
        name=name,
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        magic=repr(MAGIC_NUMBER),
        artifact=repr(_packed(artifact)),
        sources=repr(_packed(b"\0".join(sources))),
        packages=repr(packages),
        compiled="".join(compiled),
    )
    return told.encode("utf-8")


def _modules(folder: Traversable, full: str) -> Iterator[tuple[str, bytes]]:
    """A package's modules by their full names, with `\\n` at line ends wherever they were installed."""
    for entry in folder.iterdir():
        stem = entry.name.removesuffix(".py")
        if entry.is_dir() and (entry / "__init__.py").is_file():
            yield from _modules(entry, f"{full}.{entry.name}")
        elif entry.name.endswith(".py"):
            name = full if stem == "__init__" else f"{full}.{stem}"
            yield name, entry.read_text(encoding="utf-8").encode("utf-8")


def _bare(code: CodeType) -> CodeType:
    """Code without its table of line numbers, which is a third of it."""
    parts = tuple(_bare(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    return code.replace(co_consts=parts, co_linetable=b"")


def _packed(data: bytes) -> str:
    return b2a_base64(zlib.compress(data, 9), newline=False).decode("ascii")
