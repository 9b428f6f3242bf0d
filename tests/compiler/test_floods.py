"""Many mistakes in one file: all are counted, a hundred are shown, and nobody waits for it."""

from __future__ import annotations

import pytest

from rulesdata_compiler import compile_layers
from rulesdata_compiler.layers import Layer
from rulesdata_compiler.render import render_text

from .systems import HEADER

MANY = 20_000


def lines(head: str, line: str) -> str:
    return head + "".join(line.format(n=number) for number in range(MANY))


FLOODS = {
    "one unknown name": (lines("derived:\n", "  x{n}: {{title: a, formula: Nope + 1}}\n"), MANY),
    "fields": (lines("derived:\n", "  x{n}: {{title: a, frmula: 1}}\n"), MANY),
    "steps": (lines("procedures:\n  p:\n    title: a\n    steps:\n", "      - {{sya: a}}\n"), MANY),
    "cut formulas": (lines("derived:\n", "  x{n}: {{title: a, formula: max(1, 2)}}\n"), MANY),
    "keys written twice": (lines("derived:\n", "  x: {{title: a, formula: 1}}\n"), MANY - 1),
    "tabs": (lines("derived:\n", "\tx{n}: {{title: a, formula: 1}}\n"), 1),
    "formulas in a text": ("derived:\n  x: {title: a, formula: 1, text: '" + "{Nope} " * MANY + "'}\n", MANY),
}


@pytest.mark.parametrize(("text", "count"), FLOODS.values(), ids=list(FLOODS))
def test_a_flood_is_counted_in_good_time(text: str, count: int) -> None:
    files = (("rules.yaml", text.encode()), ("system.yaml", HEADER.encode()))
    compiled = compile_layers([Layer("demo", files)])
    told = render_text(compiled.findings)
    assert len(compiled.findings) == count
    assert told.count("error[") == min(count, 100)
