"""The one spelling of a formula."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulesdata_compiler.formulas.parse import Problem, parse
from rulesdata_compiler.formulas.show import show, show_number
from rulesdata_compiler.formulas.syntax import Dice, Name, Negate, Number, Product, Sum

SPELLINGS = [
    ("8+ceil( x÷2 )", "8 + ceil(x / 2)"),
    ("0.50", "0.5"),
    ("2.0", "2"),
    ("+3", "3"),
    ("−x × 2", "-x * 2"),
    ("(x)", "x"),
    ("((x + 1)) * 2", "(x + 1) * 2"),
    ("(a * b) + c", "a * b + c"),
    ("a * (b / c)", "a * (b / c)"),
    ("(a - b) - c", "(a - b) - c"),
    ("--x", "-(-x)"),
    ("-(x)", "-x"),
    ("-(2d6)", "-(2d6)"),
    ("-d6", "-d6"),
    ("-(a * b)", "-(a * b)"),
    ("x≤y", "x <= y"),
    ("(1 < x) == y", "(1 < x) == y"),
    ("x is  not a", "x is not a"),
    ("not(a)", "not a"),
    ("not (a and b)", "not (a and b)"),
    ("(not a) and b", "not a and b"),
    ("(a and b) or c", "a and b or c"),
    ("a and (b or c)", "a and (b or c)"),
    ("(a or b) or c", "(a or b) or c"),
    ("(not a) == b", "(not a) == b"),
    ("if (a) then (b) else (if c then 1 else 2)", "if a then b else if c then 1 else 2"),
    ("if (if a then b else c) then 1 else 2", "if (if a then b else c) then 1 else 2"),
    ("if a then if b then 1 else 2 else 3", "if a then (if b then 1 else 2) else 3"),
    ("(if a then b else c) + 1", "(if a then b else c) + 1"),
    ("f( a;b ,x :c)", "f(a, b, x: c)"),
    ("f( )", "f()"),
    ("owner . alarm[ a ]", "owner.alarm[a]"),
    ("f(a).x", "f(a).x"),
    ("'left arm'", '"left arm"'),
    ("'say \"ah\"'", "'say \"ah\"'"),
    ("d%", "d100"),
    ("d66", "d66"),
    ("(4)d6kh", "4d6kh1"),
    ("4d6kh3!min2r1", "4d6r1min2!kh3"),
    ("( a+1 )d6", "(a + 1)d6"),
    ("(a)d[ green ]", "(a)d[green]"),
    ("(d6)d6", "(d6)d6"),
]


@pytest.mark.parametrize(("written", "shown"), SPELLINGS, ids=[written for written, _ in SPELLINGS])
def test_a_formula_is_shown_like_this(written: str, shown: str) -> None:
    expr = parse(written)
    assert not isinstance(expr, Problem), expr
    assert show(expr) == shown
    assert parse(shown) == expr


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (-3, "-3"),
        (Fraction(6, 2), "3"),
        (Fraction(1, 2), "0.5"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(1001, 1000), "1.001"),
        (Fraction(1, 10**15), "0.000000000000001"),
        (Fraction(1, 3), "1 / 3"),
        (Fraction(-7, 3), "-7 / 3"),
    ],
)
def test_numbers_are_shown_exactly(value: int | Fraction, shown: str) -> None:
    assert show_number(value) == shown


def test_what_no_formula_says_is_still_shown_readably() -> None:
    """Trees that later stages make, by folding say."""
    assert show(Sum((Name("x"), Number(-3)), ("+",))) == "x + -3"
    assert show(Product((Name("x"), Number(Fraction(1, 3))), ("*",))) == "x * (1 / 3)"
    assert show(Negate(Number(-3))) == "-(-3)"
    assert show(Dice(Number(-3), 6)) == "(-3)d6"
