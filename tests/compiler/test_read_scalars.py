"""Scalars by the slot that reads them: YAML 1.2 core, exact, and yes and no where a truth value is wanted."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.reading import scalars
from rulesdata_compiler.reading.read import read
from rulesdata_compiler.tree import Node, Scalar


def value(written: str) -> Node:
    tree = read("a.yaml", f"a: {written}\n".encode(), Findings())
    assert tree is not None
    node = tree.get("a")
    assert node is not None
    return node


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("yes", "yes"),
        ("NO", "NO"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("tRUE", "tRUE"),
        ("~", None),
        ("null", None),
        ("", None),
        ("'null'", "null"),
        ("'true'", "true"),
        ("'1'", "1"),
        ("7", 7),
        ("-7", -7),
        ("+7", 7),
        ("010", 10),
        ("08", 8),
        ("0o10", 8),
        ("0x1F", 31),
        ("0b11", "0b11"),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("2024-01-01", "2024-01-01"),
        ("1e3", 1000),
        (".5", Fraction(1, 2)),
        ("0.1", Fraction(1, 10)),
        ("1.0", 1),
        ("1.", 1),
        (".", "."),
        ("-", "-"),
        ("=", "="),
        (".inf", ".inf"),
        ("1e999999999", "1e999999999"),
        ("3/4", "3/4"),
        ("1d6", "1d6"),
        ("[1, x, {y: no}]", [1, "x", {"y": "no"}]),
    ],
)
def test_plain_data(written: str, plain: object) -> None:
    found = scalars.plain(value(written))
    assert found == plain
    assert type(found) is type(plain)


def test_keys_are_text() -> None:
    assert scalars.plain(value("{1: a, on: b, ~: c}")) == {"1": "a", "on": "b", "~": "c"}


@pytest.mark.parametrize(
    ("written", "truth"),
    [
        *((word, True) for word in ("yes", "Yes", "YES", "on", "ON", "true", "True", "'yes'")),
        *((word, False) for word in ("no", "off", "Off", "false", "FALSE", "No")),
        *((word, None) for word in ("y", "n", "yEs", "1", "0", "", "[yes]", "~")),
    ],
)
def test_truth(written: str, truth: bool | None) -> None:
    assert scalars.truth(value(written)) is truth


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("7", 7),
        ("'7'", 7),
        ("−7", -7),
        ("–7", -7),
        (".5", Fraction(1, 2)),
        ("1e3", 1000),
        ("1e-2", Fraction(1, 100)),
        ("1_000", None),
        ("1,000", None),
        ("seven", None),
        ("", None),
        ("[7]", None),
        ("9" * 401, None),
        ("3/4", None),
    ],
)
def test_number(written: str, number: int | Fraction | None) -> None:
    assert scalars.number(value(written)) == number
    assert scalars.whole(value(written)) == (number if isinstance(number, int) else None)


@pytest.mark.parametrize(
    ("written", "message", "hint"),
    [
        ("010", "010 is read as 10", "leave out the zeros in front: 10"),
        ("-08", "-08 is read as -8", "leave out the zeros in front: -8"),
        ("00", "00 is read as 0", "leave out the zeros in front: 0"),
        ("00.5", "00.5 is read as 1/2", "leave out the zeros in front: 0.5"),
    ],
)
def test_zeros_in_front_are_warned_about(written: str, message: str, hint: str) -> None:
    findings = Findings()
    scalars.number(value(written), findings)
    (finding,) = findings
    assert (finding.code, finding.severity, finding.message, finding.hint) == ("Y131", "warning", message, hint)


@pytest.mark.parametrize("written", ["0", "0.5", "10", "'010'", "0o10"])
def test_other_zeros_are_not(written: str) -> None:
    findings = Findings()
    scalars.number(value(written), findings)
    assert not list(findings)


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("1_000", "1000"),
        ("1,000", "1000"),
        ("-12'345", "-12345"),
        ("1 000 000", "1000000"),
        ("10_0", "100"),
        ("10", None),
        ("1,5", None),
        ("1:30", None),
        ("many", None),
    ],
)
def test_a_number_set_out_for_people(text: str, suggestion: str | None) -> None:
    assert scalars.suggest_number(text) == suggestion


def test_null() -> None:
    assert [scalars.null(value(written)) for written in ("", "~", "null", "'null'", "0", "none")] == [
        *(True, True, True),
        *(False, False, False),
    ]


def test_text_of_a_block_is_no_number() -> None:
    node = value("|\n  7")
    assert isinstance(node, Scalar)
    assert scalars.number(node) is None
