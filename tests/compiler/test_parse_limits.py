"""Formulas of absurd size: refused with the limit in the message, at once, and never with a RecursionError."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction

import pytest

from rulesdata_compiler.formulas.parse import Problem, parse
from rulesdata_compiler.formulas.phrase import phrase
from rulesdata_compiler.formulas.show import show
from rulesdata_compiler.formulas.syntax import Expr, Number, Sum

SMALLER = "give a part of it a name of its own, as a derived value or a `let`, and use that name here"
DEEP = "parts are nested more than 64 deep here; 64 is the limit"

REFUSED = [
    ("(" * 200_000, "F302", "the formula has 200,000 characters; the limit is 4,000"),
    (" " * 1_000_000, "F302", "the formula has 1,000,000 characters; the limit is 4,000"),
    ("1+" * 10_000 + "1", "F302", "the formula has 20,001 characters; the limit is 4,000"),
    ("9" * 5_000, "F302", "the formula has 5,000 characters; the limit is 4,000"),
    ("(" * 1_000, "F303", DEEP),
    ("(" * 65 + "x" + ")" * 65, "F303", DEEP),
    ("f(" * 65 + "x" + ")" * 65, "F303", DEEP),
    ("a[" * 65 + "x" + "]" * 65, "F303", DEEP),
    ("-" * 3_999 + "x", "F303", DEEP),
    ("-" * 65 + "x", "F303", DEEP),
    ("not " * 900 + "x", "F303", DEEP),
    ("if a then b else " * 65 + "c", "F303", DEEP),
    ("a." * 1_999 + "b", "F303", DEEP),
    ("1+" * 1_999 + "1", "F304", "the formula has 2,001 numbers, names and operations; the limit is 2,000"),
    ("9007199254740992", "F305", "the number `9007199254740992` is too large"),
    ("9" * 4_000, "F305", "the number `99999999999999999999…` is too large"),
    ("999999999d6", "F332", "more than 1,000 dice"),
    ("999d999d999", "F334", "`d999` behind a die is unknown"),
    ("(9999)d6", "F332", "more than 1,000 dice"),
    ("1d999999999999", "F333", "a die of more than 1,000,000 sides"),
    ("9" * 3_000 + "d6", "F332", "more than 1,000 dice"),
    ("d" + "6" * 3_000, "F333", "a die of more than 1,000,000 sides"),
    ("1d1!", "F335", "`1d1!` always shows its highest face, so it would explode for ever"),
]


@pytest.mark.parametrize(("text", "code", "message"), REFUSED, ids=[text[:24] for text, _, _ in REFUSED])
def test_too_much_is_refused(text: str, code: str, message: str) -> None:
    problem = parse(text)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.message) == (code, message)
    assert 0 <= problem.start < problem.end <= len(text)
    if code in ("F302", "F303", "F304"):
        assert problem.hint is not None
        assert problem.hint.startswith(SMALLER)


def test_two_hundred_thousand_brackets_cost_no_time() -> None:
    parse("1 + 1")
    assert isinstance(parse("(" * 200_001), Problem)


ACCEPTED = [
    "1+" * 1_998 + "1",
    "(" * 64 + "x" + ")" * 64,
    "f(" * 64 + "x" + ")" * 64,
    "-" * 64 + "x",
    "not " * 64 + "x",
    "if a then b else " * 64 + "c",
    "a." * 64 + "b",
    "(1+" * 64 + "x" + ")" * 64,
    "(x)+" * 999 + "x",
    "f(" + "x," * 1_990 + "x)",
    "a and " * 600 + "a",
    "1<" * 1_900 + "1",
    "1000d1000000",
    "9007199254740991",
    "x" * 4_000,
    " " * 3_999 + "x",
]


@pytest.mark.parametrize("text", ACCEPTED, ids=[text[:24] for text in ACCEPTED])
def test_what_fits_works_everywhere(text: str) -> None:
    """Parsed, walked by code that recurses, compared, hashed and pickled."""
    expr = parse(text)
    assert not isinstance(expr, Problem), expr
    assert parse(show(expr)) == expr or len(show(expr)) > 4_000
    uses: list[Callable[[Expr], object]] = [show, hash, repr, pickle.dumps, lambda expr: phrase(expr, {})]
    for use in uses:
        use(expr)
    again = parse(text + " ") if len(text) < 4_000 else expr
    assert again == expr
    assert hash(again) == hash(expr)


def test_a_flat_sum_is_one_node() -> None:
    assert parse("1+" * 1_998 + "1") == Sum((Number(1),) * 1_999, ("+",) * 1_998)


def test_decimals_are_exact_up_to_the_limit() -> None:
    assert parse("0.1 + 0.2") == Sum((Number(Fraction(1, 10)), Number(Fraction(1, 5))), ("+",))
    assert parse("0.000000000000001") == Number(Fraction(1, 10**15))
    for text in ("0.0000000000000001", "12345678901234567.5", "1." + "1" * 3_000):
        problem = parse(text)
        assert isinstance(problem, Problem)
        assert problem.code == "F305"


def test_no_pattern_runs_away() -> None:
    for text in ("a" * 4_000, "1" * 3_999 + "x", "1d6" + "r" * 3_990, "1d6" + "!" * 3_990, "'" * 3_999, " " * 4_000):
        parse(text)
