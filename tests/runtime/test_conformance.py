"""The data that every runtime must answer (tests/conformance), against both implementations in Python."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulesdata_runtime.errors import RulesError
from rulesdata_runtime.formulas.code import prepare
from rulesdata_runtime.formulas.dice import Dice, GivenDice, SeededDice
from rulesdata_runtime.formulas.notation import roll
from rulesdata_runtime.formulas.pools import Pool, roll_digits, roll_pool

DATA = Path(__file__).parent.parent / "conformance"


def read(name: str) -> Any:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def value(told: Any) -> Any:
    match told:
        case {"frac": [int(numerator), int(denominator)]}:
            return Fraction(numerator, denominator)
    return told


class Table(dict[str, Any]):
    def __init__(self, values: Mapping[str, Any], dice: Dice) -> None:
        super().__init__({name: value(told) for name, told in values.items()})
        self.dice = dice

    def roll(self, count: Any, sides: int, mods: Mapping[str, Any]) -> Pool:
        return roll_pool(self.dice, count, sides, mods)

    def digits(self, sides: Sequence[int]) -> Pool:
        return roll_digits(self.dice, sides)


def answer(case: Mapping[str, Any], style: str) -> dict[str, Any]:
    values = case["values"]
    dice = GivenDice(case.get("dice", ()))
    # A plain mapping where no dice are asked for: that is what callers in a hurry give.
    table = Table(values, dice) if "dice" in case else {name: value(told) for name, told in values.items()}
    try:
        found = prepare(case["code"], style)(table)
        dice.finish()
    except RulesError as problem:
        return {"error": problem.code}
    return {"result": {"frac": [found.numerator, found.denominator]} if isinstance(found, Fraction) else found}


@pytest.mark.parametrize("style", ["generate", "closures"])
@pytest.mark.parametrize("name", ["formulas.json", "rolls.json"])
def test_formulas(name: str, style: str) -> None:
    cases = read(name)
    assert len(cases) > 50
    for case in cases:
        wanted = {key: case[key] for key in ("result", "error") if key in case}
        found = answer(case, style)
        assert (found, type(found.get("result"))) == (wanted, type(wanted.get("result"))), case


def test_seeds() -> None:
    data = read("seeds.json")
    sides: list[int] = data["sides"]
    assert len(data["seeds"]) == 5
    for text, wanted in data["seeds"].items():
        seed = int(text)
        words = random.Random(seed)
        assert [words.getrandbits(32) for _ in range(16)] == wanted["words"]
        for number, faces in wanted["faces"].items():
            assert SeededDice(seed).draw_many(100, int(number)) == faces
        dice = SeededDice(seed)
        assert [dice.draw(sides[place % len(sides)]) for place in range(1_000)] == wanted["mixed"]


def rows() -> list[dict[str, str]]:
    with (DATA / "notation.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['notation']} {row['dice']}")
def test_notation(row: dict[str, str]) -> None:
    dice = GivenDice(row["dice"].split())
    if row["error"]:
        with pytest.raises(RulesError) as caught:
            roll(row["notation"], dice)
        assert row["error"] in caught.value.message
    else:
        assert roll(row["notation"], dice).total == int(row["total"])
