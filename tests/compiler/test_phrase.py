"""Formulas as people say them."""

from __future__ import annotations

import pytest

from rulesdata_compiler.formulas.parse import Problem, parse
from rulesdata_compiler.formulas.phrase import phrase

TITLES = {
    "strength": "Strength",
    "lit": "Lit",
    "asleep": "Asleep",
    "green": "Green",
    "reach": "Reach table",
    "alarm[north]": "North alarm",
    "alarm": "Alarm",
    "owner": "Owner",
}

SAID = [
    ("8", "8"),
    ("0.5", "0.5"),
    ("-4", "−4"),
    ("true", "yes"),
    ("'left arm'", "“left arm”"),
    ("strength", "Strength"),
    ("lamp_light", "lamp light"),
    ("alarm[north]", "North alarm"),
    ("alarm[kind]", "Alarm (kind)"),
    ("owner.strength", "Owner’s Strength"),
    ("alarms.hits", "alarms’ hits"),
    ("owner.alarm[north]", "Owner’s North alarm"),
    ("lookup(reach, lamp).width", "the width of Reach table for lamp"),
    ("8 + ceil(strength / 2)", "8 + half of Strength, rounded up"),
    ("ceil(strength / 2) + 8", "(half of Strength, rounded up) + 8"),
    ("8 - ceil(strength / 2)", "8 − (half of Strength, rounded up)"),
    ("a / 3 + ceil(b / 2)", "(a third of a) + (half of b, rounded up)"),
    ("ceil(a + b / 2)", "(a + half of b), rounded up"),
    ("10 + 5 * ceil((a + b) / 2)", "10 + 5 × (half of (a + b), rounded up)"),
    ("floor(strength / 3)", "a third of Strength, rounded down"),
    ("round(x / 7)", "x ÷ 7, rounded to the nearest whole number"),
    ("strength * 3 / 4", "three quarters of Strength"),
    ("3 / 4 * strength", "three quarters of Strength"),
    ("2 * strength", "2 × Strength"),
    ("a * (b + c) / d", "a × (b + c) ÷ d"),
    ("-(a + b)", "−(a + b)"),
    ("max(0, x)", "x, at least 0"),
    ("max(a - b, 0)", "a − b, at least 0"),
    ("min(x, 4)", "x, at most 4"),
    ("max(0, min(x, 4))", "x, at most 4, at least 0"),
    ("max(a, b)", "the higher of a and b"),
    ("min(a, b, c)", "the lowest of a, b and c"),
    ("max(a, b) + 2", "(the higher of a and b) + 2"),
    ("clamp(x, 1, y)", "x, at least 1 and at most y"),
    ("abs(a - b)", "(a − b) without its sign"),
    ("mod(a, 2) == 0", "what is left of a divided by 2 is 0"),
    ("if lamp then min(a, b) else 0", "the lower of a and b if lamp, otherwise 0"),
    ("if a > 3 then 1 else if b then 2 else 3", "1 if a is more than 3, otherwise 2 if b, otherwise 3"),
    ("(if a then 1 else 2) + 3", "(1 if a, otherwise 2) + 3"),
    ("x >= 5", "x is at least 5"),
    ("x != 5", "x is not 5"),
    ("5 < x", "x is more than 5"),
    ("x is none", "x is none"),
    ("1 <= x <= 5", "x is from 1 to 5"),
    ("1 <= x < y", "x is at least 1 and less than y"),
    ("a or b and c", "a or (b and c)"),
    ("a and b and c", "a, b and c"),
    ("not a >= b", "a is less than b"),
    ("not (a and b)", "not (a and b)"),
    ("has(lit)", "Lit"),
    ("has(lit) and not has(asleep)", "Lit and not Asleep"),
    ("has(owner.lit)", "Lit (Owner)"),
    ("has(lit, colour: x)", "Lit (colour x)"),
    ("level(asleep) * 10", "(the level of Asleep) × 10"),
    ("remaining(lit) <= 2", "what remains of Lit is at most 2"),
    ("option(quiet)", "the option quiet"),
    ("lookup(reach, lamp, x) is none", "Reach table for lamp and x is none"),
    ("band(reach, x)", "the band of Reach table at x"),
    ("moves(reach, a, b)", "the moves from a to b"),
    ("overflow(strength) > 0", "what no longer fits into Strength is more than 0"),
    ("2d6 - 1", "2d6 − 1"),
    ("4d6kh3", "4d6kh3"),
    ("d66", "d66"),
    ("(strength + lamp)d6", "(Strength + lamp)d6"),
    ("d[green]", "1 Green die"),
    ("(strength)d[green]", "Strength Green dice"),
    ("count((a)d6 >= 5)", "how many of (a)d6 are at least 5"),
    ("count(thrown == 1)", "how many of thrown are 1"),
    ("count(1 <= thrown <= 2)", "how many of thrown are from 1 to 2"),
    ("size(thrown) / 2", "half of (the number of dice in thrown)"),
    ("unheard_of(a, x: b)", "unheard_of(a, x: b)"),
]


@pytest.mark.parametrize(("text", "said"), SAID, ids=[text for text, _ in SAID])
def test_a_formula_is_said_like_this(text: str, said: str) -> None:
    expr = parse(text)
    assert not isinstance(expr, Problem), expr
    assert phrase(expr, TITLES) == said
