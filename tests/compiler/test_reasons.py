"""`x-edges`: why an edge is left, on its way from the YAML to the artifact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulesdata_compiler import compile_system

HEADER = """\
system: {id: demo, title: Demo, version: 1.0.0, about: A demo., sources: {book: The book}, clock: {turn: 1}}
"""


def compiled(folder: Path, rules: str) -> Any:
    (folder / "system.yaml").write_text(HEADER, encoding="utf-8")
    (folder / "rules.yaml").write_text(rules, encoding="utf-8")
    return compile_system(str(folder))


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("Nobody has so many.", [["", "Nobody has so many."]]),
        ("{max: Nobody has so many.}", [["max", "Nobody has so many."]]),
    ],
)
def test_a_reason_reaches_the_artifact(tmp_path: Path, written: str, held: list[list[str]]) -> None:
    found = compiled(
        tmp_path, f"tracks:\n  lamps: {{title: Lamps, text: Lamps left., source: book, max: 90, x-edges: {written}}}\n"
    )
    assert [one.message for one in found.findings] == []
    assert json.loads(found.artifact)["rules"]["lamps"]["unpinned"] == held


def test_a_reason_is_no_part_of_the_rules(tmp_path: Path) -> None:
    plain = "tracks:\n  lamps: {title: Lamps, text: Lamps left., source: book, max: 90}\n"
    marks = [
        json.loads(compiled(tmp_path, rules).artifact)["fingerprint"]
        for rules in (plain, plain.replace("max: 90", "max: 90, x-edges: Nobody has so many."))
    ]
    assert marks[0] == marks[1]


def test_a_list_is_no_reason(tmp_path: Path) -> None:
    found = compiled(
        tmp_path, "tracks:\n  lamps: {title: Lamps, text: Lamps left., source: book, max: 90, x-edges: [a, b]}\n"
    )
    assert [one.code for one in found.findings] == ["S203"]


def test_cases_and_options_of_an_example(tmp_path: Path) -> None:
    rules = """\
stats:
  Might: {title: Might, text: How strong., type: int, min: 1, max: 6, source: book}
options:
  hard: {title: Hard, text: Harder., type: bool, default: no, source: book}
derived:
  health:
    title: Health
    text: How much one can take.
    formula: 8 + (if option(hard) then 0 else Might)
    source: book
    examples:
      - {title: Two cases, given: {Might: [1, 6]}, expect: {health: [9, 14]}}
      - {title: Switched on, given: {Might: 1, options: {hard: yes}}, expect: {health: 8}}
      - {title: Wrong, given: {Might: [1, 2]}, expect: {health: [9, 11]}}
"""
    found = compiled(tmp_path, rules)
    assert [one.message for one in found.findings] == [
        "the example 'Wrong' of health does not come out: health is 10, not 11"
    ]
