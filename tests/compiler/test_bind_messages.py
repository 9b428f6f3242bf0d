"""What binding says of mistakes: every case of bind_cases.txt, whole messages, in order.

A case is YAML and, in lines that begin with `>`, what must be found and nothing else: code, message, the text pointed
at behind `@`, notes, and the hint behind an arrow.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdata_compiler.binding.bind import bind
from rulesdata_compiler.decoding.decode import decode
from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.reading.gather import gather
from rulesdata_compiler.shaping import families, shape

from .systems import HEADER, blocks, complaints, told

CASES = list(blocks((Path(__file__).parent / "bind_cases.txt").read_text(encoding="utf-8")))
SHEETS = "  sheets: {person: [Force, charge], cover: [rust]}\n"


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text.partition("\n")[0].strip("# ") for text, _ in CASES])
def test_every_case_says_what_it_should(text: str, expected: list[str]) -> None:
    header = HEADER + (SHEETS if "kinds of sheet" in text else "")
    assert complaints(text, header) == expected


def test_what_was_refused_before_is_not_missed() -> None:
    """A rule that an earlier stage refused is there for whoever names it: no finding follows from another."""
    text = b"""
derived:
  x: {formula: y + 1}
  y: {formula: '1', colour: red}
  z: {formula: x + 1}
conditions:
  lit: {stacking: ignore, ends: never, colour: red}
procedures:
  p: {steps: [{apply: lit}, {say: '{x}'}, {add: {charge: y}}]}
tracks: {charge: {max: y}}
"""
    findings = Findings()
    collected = gather([("rules.yaml", text), ("system.yaml", HEADER.encode())], findings)
    collected = families.expand(collected, findings)
    broken = shape.check(collected, findings)
    system = decode(collected, broken, findings)
    assert system is not None
    before = len(findings)
    bindings = bind(system, findings, broken)
    assert [told(finding) for finding in findings][before:] == []
    assert bindings.broken >= {"x", "z", "p", "charge"}
    assert not any(formula.text in ("y + 1", "x + 1") for formula in bindings.of)


def test_many_mistakes_are_told_in_good_time() -> None:
    """A suggestion compares a word with every name; of a flood only the first findings have one."""
    stats = "\n".join(f"  Name{number}: {{type: int}}" for number in range(1_000))
    derived = "\n".join(f"  x{number}: {{formula: Nam{number} + 1}}" for number in range(1_000))
    found = complaints(f"stats:\n{stats}\nderived:\n{derived}\n")
    assert len(found) == 1_000
    assert sum("did you mean" in line for line in found) == 200
