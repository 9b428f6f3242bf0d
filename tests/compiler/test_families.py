"""Families: `for_each` written out, with every character's place kept."""

# ruff: noqa: E501 - cases read best on a line each

from __future__ import annotations

from rulesdata_compiler.decoding.decode import decode
from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.model import Change, Procedure, System, Track
from rulesdata_compiler.reading.gather import Collected, gather
from rulesdata_compiler.shaping import families, shape
from rulesdata_compiler.tree import Mapping, Scalar

HEADER = b"system: {id: demo, title: Demo, version: 1.0.0}\n"


def expanded(text: str) -> tuple[Collected, Findings]:
    findings = Findings()
    collected = gather([("rules.yaml", text.encode()), ("system.yaml", HEADER)], findings)
    return families.expand(collected, findings), findings


def decoded(text: str) -> tuple[System, Findings]:
    collected, findings = expanded(text)
    system = decode(collected, shape.check(collected, findings), findings)
    assert system is not None
    return system, findings


def test_a_family_becomes_a_rule_for_each_member() -> None:
    system, findings = decoded("""
tracks:
  alarm: {for_each: [North, South], title: "Alarm (each)", max: (each)_Limit + 1}
procedures:
  ring:
    for_each: [North, South]
    steps: [{add: {"alarm[(each)]": 1}}]
    examples: [{title: Rings, given: {(each)_Limit: 3}, expect: {"alarm[(each)]": 1}}]
""")
    assert list(findings) == []
    assert set(system.rules) == {"alarm[North]", "alarm[South]", "ring[North]", "ring[South]"}
    track = system.rules["alarm[South]"]
    assert isinstance(track, Track)
    assert track.family == ("alarm", "South")
    assert track.title == "Alarm South"
    assert track.max is not None
    assert track.max.text == "South_Limit + 1"
    ring = system.rules["ring[North]"]
    assert isinstance(ring, Procedure)
    assert ring.examples[0].given[0][0] == "North_Limit"
    (step,) = ring.steps
    assert isinstance(step, Change)
    assert str(step.tracks[0][0]) == "alarm[North]"


def test_places_point_into_the_family() -> None:
    system, _ = decoded("tracks:\n  alarm: {for_each: [North], max: 2 * (each)_Limit + Bell}\n")
    track = system.rules["alarm[North]"]
    assert isinstance(track, Track)
    assert track.max is not None
    text = track.max.text
    start = text.index("North_Limit")
    assert track.max.span(start, start + len("North_Limit")).text == "(each)_Limit"
    assert track.max.span(start, start + len("North")).text == "(each)"
    start = text.index("Bell")
    assert track.max.span(start, start + 4).text == "Bell"
    assert track.span.text == "alarm"


def test_places_in_quotes_and_blocks() -> None:
    text = 'derived:\n  a: {for_each: [X], formula: "1 + (each)y"}\n  b:\n    for_each: [X]\n    formula: >-\n      1 +\n      (each)y + z\n'
    collected, _ = expanded(text)
    for name in ("a[X]", "b[X]"):
        value = collected.kinds["derived"][name].value
        assert isinstance(value, Mapping)
        formula = value.get("formula")
        assert isinstance(formula, Scalar)
        at = formula.text.index("Xy")
        assert formula.part(at, at + 2).text == "(each)y"


def test_a_list_that_is_none_is_told_once() -> None:
    for listed in ("[]", "[A, A]", "[A, 'b c']", "{a: 1}", "3"):
        collected, findings = expanded(f"stats:\n  s: {{for_each: {listed}, type: int}}\n")
        broken = shape.check(collected, findings)
        assert broken == {("stats", "s")}
        assert len(findings) == 1, listed
        assert decode(collected, broken, findings) is not None
        assert len(findings) == 1, listed


def test_the_id_of_a_family_stands_without_the_mark() -> None:
    collected, findings = expanded("stats:\n  s_(each): {for_each: [A], type: int}\n")
    broken = shape.check(collected, findings)
    decode(collected, broken, findings)
    assert [item.code for item in findings] == ["S211"]
    assert broken == {("stats", "s_(each)")}


def test_what_has_no_family_is_shared() -> None:
    findings = Findings()
    collected = gather([("rules.yaml", b"stats: {S: {type: int}}")], findings)
    assert families.expand(collected, findings) is collected


def test_a_mistake_is_told_once_with_the_member() -> None:
    _, findings = decoded("conditions:\n  lit: {for_each: [A, B], stacking: ignore}\n")
    (finding,) = findings
    assert finding.code == "S241"
    assert [note.message for note in finding.notes] == ["in lit[A], a member of this family"]
