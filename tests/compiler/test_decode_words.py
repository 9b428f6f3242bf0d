"""Small spellings: row keys, references, prose with formulas, ids."""

from __future__ import annotations

import pytest

from rulesdata_compiler.decoding.reading import Reading
from rulesdata_compiler.decoding.words import normal_key, parse_intervals, parse_ref, parse_template, snake_case
from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.model import Interval
from rulesdata_compiler.source import Source, Span
from rulesdata_compiler.tree import Scalar


def scalar(text: str, style: str = "plain") -> Scalar:
    return Scalar(Span(Source("a.yaml", text), 0, len(text)), text, style)


@pytest.mark.parametrize(
    ("text", "low", "high", "key"),
    [
        ("7", 7, 7, "7"),
        ("-7", -7, -7, "-7"),
        ("1-5", 1, 5, "1-5"),
        ("01–05", 1, 5, "1-5"),
        ("1 - 5", 1, 5, "1-5"),
        ("1..5", 1, 5, "1-5"),
        ("151+", 151, None, "151+"),
        ("..0", None, 0, "..0"),
        ("-7..-1", -7, -1, "-7..-1"),
        ("−7..−1", -7, -1, "-7..-1"),
        ("-3-2", -3, 2, "-3..2"),
        ("00", 100, 100, "100"),
        ("91-00", 91, 100, "91-100"),
    ],
)
def test_row_keys_are_read_in_any_spelling(text: str, low: int | None, high: int | None, key: str) -> None:
    reading = Reading(Findings())
    assert parse_intervals(scalar(text), reading, hundred=True) == (Interval(low, high),)
    assert normal_key((Interval(low, high),)) == key


@pytest.mark.parametrize("text", ["5-1", "a", "1-", "--1", "1.5", "", "1-2-3"])
def test_row_keys_that_mean_nothing(text: str) -> None:
    reading = Reading(Findings())
    assert parse_intervals(scalar(text), reading) is None
    assert [item.code for item in reading.findings] == ["S219"]


def test_double_zero_is_a_hundred_only_on_a_hundred() -> None:
    assert parse_intervals(scalar("00"), Reading(Findings())) == (Interval(0, 0),)


@pytest.mark.parametrize(
    ("text", "name", "of", "chosen", "index"),
    [
        ("alarm", "alarm", None, False, None),
        ("alarm[kind]", "alarm", None, False, "kind"),
        ("owner.charge", "charge", "owner", False, None),
        ("owner.alarm[ kind ]", "alarm", "owner", False, "kind"),
        ("(found)", "found", None, True, None),
        ("Größe", "Größe", None, False, None),
    ],
)
def test_references(text: str, name: str, of: str | None, chosen: bool, index: str | None) -> None:
    ref = parse_ref(scalar(text), Reading(Findings()))
    assert ref is not None
    assert (ref.name, ref.of, ref.chosen, ref.index and ref.index.text) == (name, of, chosen, index)
    if ref.index:
        assert ref.index.span().text == index


@pytest.mark.parametrize("text", ["a b", "a.b.c", "", "a[", "1a", "a-b"])
def test_references_that_are_none(text: str) -> None:
    reading = Reading(Findings())
    assert parse_ref(scalar(text), reading) is None
    assert [item.code for item in reading.findings] == ["S226"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain", ["plain"]),
        ("{a} left", ["{a}", " left"]),
        ("{{a}} {b + 1}", ["{a} ", "{b + 1}"]),
        ('{if x is "}" then 1 else 2}!', ['{if x is "}" then 1 else 2}', "!"]),
        ("a } b", ["a } b"]),
        ("", []),
    ],
)
def test_prose_with_formulas(text: str, parts: list[str]) -> None:
    reading = Reading(Findings())
    template = parse_template(scalar(text), reading)
    assert [p if isinstance(p, str) else "{" + p.span().text + "}" for p in template.parts] == parts
    assert len(reading.findings) == 0


@pytest.mark.parametrize(("text", "at"), [("a {b", "{"), ("{}", "{}"), ("{ } x", "{ }"), ("{a {b}}", "{")])
def test_prose_with_broken_braces(text: str, at: str) -> None:
    reading = Reading(Findings())
    parse_template(scalar(text), reading)
    (finding,) = reading.findings
    assert finding.code == "S222"
    assert finding.span is not None
    assert finding.span.text == at


def test_ids_are_suggested() -> None:
    assert snake_case("Broken Arm") == "broken_arm"
    assert snake_case("brokenArm") == "broken_arm"
    assert snake_case("Körper-Größe") == "korper_grosse"
