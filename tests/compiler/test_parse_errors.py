"""Broken formulas: the whole message, the characters at fault, the cure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesdata_compiler.codes import CODES
from rulesdata_compiler.formulas.parse import Problem, parse

CASES = Path(__file__).with_name("broken_formulas.txt").read_text(encoding="utf-8")


def cases() -> list[tuple[str, Problem]]:
    """Blocks of two or three lines, after the heading."""
    found = []
    for block in CASES.rstrip("\n").split("\n\n")[1:]:
        text, told, *hint = block.split("\n")
        text = re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), text)
        told = re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), told)
        start, end = text.index("⟦"), text.index("⟧") - 1
        code, message = told.strip().split(" ", 1)
        problem = Problem(code, message, start, end, hint[0].strip() if hint else None)
        found.append((text.replace("⟦", "").replace("⟧", ""), problem))
    return found


@pytest.mark.parametrize(("text", "problem"), cases(), ids=[text for text, _ in cases()])
def test_a_broken_formula_says_what_to_write(text: str, problem: Problem) -> None:
    assert parse(text) == problem


def test_every_code_of_formulas_has_a_case() -> None:
    seen = {problem.code for _, problem in cases()}
    limits = {"F302", "F303", "F304"}  # test_parse_limits.py
    assert seen | limits == {code for code in CODES if code.startswith("F")}


def test_there_are_enough() -> None:
    assert len(cases()) > 200


@pytest.mark.parametrize(
    "text",
    ["a and not b", "x is not none", "not (a or b)", "1d6! >= 5", "(if a then 1 else 2) + 1", "-(1d6)", "a - 1d6"],
)
def test_what_comes_close_to_a_mistake_is_fine(text: str) -> None:
    assert not isinstance(parse(text), Problem)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("2(x)", "2 * (x)"),
        ("2Torch", "2 * Torch"),
        ("(a)(b)", "(a) * (b)"),
        ("lamp d6", "(lamp)d6"),
        ("f(x)d6", "(f(x))d6"),
        ("2d66", "d66"),
        ("5 d6", "5d6"),
        ("2D6", "2d6"),
        (".5", "0.5"),
        ("1,000", "1000"),
        ("1_000", "1000"),
        ("1,5", "1.5"),
        ("-1d6", "-(1d6)"),
        ("wound threshold", "wound_threshold"),
    ],
)
def test_a_cure_can_be_pasted(wrong: str, right: str) -> None:
    problem = parse(wrong)
    assert isinstance(problem, Problem)
    assert problem.hint is not None
    assert f"`{right}`" in problem.hint
    assert not isinstance(parse(right), Problem)


def test_a_word_as_long_as_the_limit_does_not_fill_the_message() -> None:
    for text in (
        "a" * 1500 + " " + "b" * 1500,
        "2d6" + "x" * 3000,
        "d" + "6" * 3000,
        "9" * 3000,
        "(a)d6" + "r1" * 1500,
    ):
        problem = parse(text)
        assert isinstance(problem, Problem)
        assert len(problem.message) + len(problem.hint or "") < 250
