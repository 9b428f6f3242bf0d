"""One slip of an author, one finding: at what was slipped on, with the cure, and nothing that only follows from it.

Every case of one_slip.txt is a system that goes through the whole compiler. The lines that begin with `>` are what
must be found and nothing else; `RULESDATA_UPDATE=1` writes what is found now, for a person to read.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulesdata_compiler import compile_layers
from rulesdata_compiler.layers import Layer

from .systems import HEADER, blocks, told

PLACE = Path(__file__).parent / "one_slip.txt"
CASES = list(blocks(PLACE.read_text(encoding="utf-8")))


def found(text: str) -> list[str]:
    """All findings of a system, in one line each; it has the usual header where it has none of its own."""
    files = [("rules.yaml", text.encode())]
    if not any(line.startswith("system:") for line in text.splitlines()):
        files.append(("system.yaml", HEADER.encode()))
    return [told(item) for item in compile_layers([Layer("demo", tuple(files))]).findings]


@pytest.mark.skipif("RULESDATA_UPDATE" not in os.environ, reason="writes the file anew")
def test_update() -> None:
    parts = ["\n".join([text.rstrip("\n"), *(f"> {line}" for line in found(text))]) for text, _ in CASES]
    PLACE.write_text("\n---\n".join(parts) + "\n", encoding="utf-8")


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text.partition("\n")[0].strip("# ") for text, _ in CASES])
def test_a_slip_is_told_once(text: str, expected: list[str]) -> None:
    assert found(text) == expected
