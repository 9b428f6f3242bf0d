"""Every outcome of a play, with exact probabilities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import TypeVar

import pytest

from rulesdata_runtime.errors import LimitReached
from rulesdata_runtime.formulas.dice import Dice
from rulesdata_runtime.formulas.fork import outcomes
from rulesdata_runtime.formulas.pools import DiceRules, roll_digits, roll_pool, throw_all

T = TypeVar("T")


def odds(play: Callable[[Dice], T]) -> dict[T, Fraction]:
    found: dict[T, Fraction] = defaultdict(Fraction)
    for chance, result in outcomes(play):
        found[result] += chance
    assert sum(found.values()) == 1
    return dict(found)


def test_no_dice_have_one_outcome() -> None:
    assert list(outcomes(lambda dice: "done")) == [(Fraction(1), "done")]


def test_a_pool_is_enumerated() -> None:
    found = odds(lambda dice: roll_pool(dice, 3, 6, {"keep": ["kh", 2]}).total)
    wanted: dict[int, Fraction] = defaultdict(Fraction)
    for faces in product(range(1, 7), repeat=3):
        wanted[sum(sorted(faces)[1:])] += Fraction(1, 216)
    assert found == wanted


def test_paths_of_different_length() -> None:
    def play(dice: Dice) -> str:
        if dice.draw(4) < 4:
            return "miss"
        return "twice" if dice.draw(2) == 2 and dice.draw(3) == 3 else "once"

    assert odds(play) == {"miss": Fraction(3, 4), "once": Fraction(5, 24), "twice": Fraction(1, 24)}


def test_rerolls_and_digits() -> None:
    assert odds(lambda dice: roll_pool(dice, 1, 2, {"r": [1]}).total) == {1: Fraction(1, 4), 2: Fraction(3, 4)}
    digits = odds(lambda dice: roll_digits(dice, (6, 6)).total)
    assert len(digits) == 36
    assert digits[24] == Fraction(1, 36)


def test_equal_faces_are_one_branch() -> None:
    rules = DiceRules({"boost": {"faces": [[], [], [], ["star"], ["star"], ["star", "star"]]}}, {"star": {}})
    paths = list(outcomes(lambda dice: throw_all(dice, {"boost": 2}, rules).net("star")))
    assert len(paths) == 9
    assert odds(lambda dice: throw_all(dice, {"boost": 1}, rules).net("star")) == {
        0: Fraction(1, 2),
        1: Fraction(1, 3),
        2: Fraction(1, 6),
    }


def test_a_tree_too_large_is_refused() -> None:
    paths = outcomes(lambda dice: dice.draw_many(3, 6), limit=216)
    assert sum(chance for chance, _ in paths) == 1
    with pytest.raises(LimitReached, match=r"^there are more than 215 ways for the dice to fall$"):
        list(outcomes(lambda dice: dice.draw_many(3, 6), limit=215))
