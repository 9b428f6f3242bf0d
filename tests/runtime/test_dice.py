"""Sources of dice, pools with their modifiers, custom dice, and notation by chance."""

from __future__ import annotations

import os
import random
import statistics
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdata_runtime.errors import BadInput, LimitReached, NoValue, RulesError, UnknownName
from rulesdata_runtime.formulas import quick
from rulesdata_runtime.formulas.dice import (
    Dice,
    GeneratorDice,
    GivenDice,
    RecordingDice,
    SeededDice,
    SystemDice,
    as_dice,
)
from rulesdata_runtime.formulas.notation import parse, roll
from rulesdata_runtime.formulas.notation import quick as quick_roll
from rulesdata_runtime.formulas.pools import (
    DiceRules,
    Pool,
    SymbolPool,
    build,
    letters,
    roll_digits,
    roll_pool,
    throw_all,
)

SYMBOLS: dict[str, dict[str, Any]] = {
    "win": {"cancels": "loss", "letter": "w"},
    "loss": {"letter": "l"},
    "luck": {"cancels": "woe", "letter": "u"},
    "woe": {"letter": "o"},
    "crown": {"counts_as": ["win"], "letter": "c"},
    "skull": {"counts_as": ["loss"], "letter": "s"},
}
DICE: dict[str, dict[str, Any]] = {
    "good": {"faces": [[], ["win"], ["win", "win"], ["luck"], ["win", "luck"], ["crown"]], "upgrades_to": "great"},
    "great": {"faces": [["win"], ["crown"]]},
    "bad": {"faces": [[], ["loss"], ["woe"], ["skull"]]},
}
RULES = DiceRules(DICE, SYMBOLS)


def thrown(**given_faces: list[int | str]) -> SymbolPool:
    values = [face for faces in given_faces.values() for face in faces]
    dice = GivenDice(values)
    pool = throw_all(dice, {die: len(faces) for die, faces in given_faces.items()}, RULES)
    dice.finish()
    return pool


# --- sources ---------------------------------------------------------------------------------------------------


def test_seeds_are_pythons_own() -> None:
    for seed in (0, 7, 2**80):
        ours, python = SeededDice(seed), random.Random(seed)
        assert [ours.bits(k) for k in range(1, 40)] == [python.getrandbits(k) for k in range(1, 40)]
        assert SeededDice(seed).draw_many(50, 6) == GeneratorDice(random.Random(seed)).draw_many(50, 6)
    assert SeededDice(3).draw(1) == 1


@pytest.mark.parametrize("sides", [2, 3, 6, 8, 10, 20, 100])
def test_no_face_is_likelier(sides: int) -> None:
    count = 100_000
    seen = Counter(SeededDice(sides).draw_many(count, sides))
    assert set(seen) == set(range(1, sides + 1))
    expected = count / sides
    chi = sum((number - expected) ** 2 / expected for number in seen.values())
    assert chi < sides - 1 + 5 * (2 * (sides - 1)) ** 0.5


def test_what_dice_can_be_made_of() -> None:
    assert isinstance(as_dice(), SystemDice)
    assert isinstance(as_dice(7), SeededDice)
    assert isinstance(as_dice(random.Random(7)), GeneratorDice)
    assert as_dice([1, 2]).draw_many(2, 6) == [1, 2]
    assert as_dice("4, 6").draw_many(2, 6) == [4, 6]
    source = SeededDice(1)
    assert as_dice(source) is source
    wrong: object
    for wrong in (True, 1.5, {}):
        with pytest.raises(BadInput, match="dice are a seed"):
            as_dice(wrong)
    with pytest.raises(BadInput, match="a seed is a whole number from 0, not -1"):
        as_dice(-1)


def test_given_numbers_are_all_needed() -> None:
    with pytest.raises(BadInput, match=r"^2 numbers more are needed for the dice: 2 given, 4d6 next$"):
        roll_pool(GivenDice([1, 2]), 4, 6)
    with pytest.raises(BadInput, match=r"^1 number more is needed for the dice: a d20 next$"):
        roll_pool(GivenDice([]), 1, 20)
    dice = GivenDice([1, 2, 3, 4])
    roll_pool(dice, 2, 6)
    with pytest.raises(BadInput, match=r"^2 numbers of those given are left over: 3, 4$"):
        dice.finish()


@pytest.mark.parametrize("value", [0, 7, -1, "x", "1.5", "", "٣"])
def test_given_numbers_must_fit(value: int | str) -> None:
    with pytest.raises(BadInput, match=r"^die 1 of those given is .*, but a d6 (shows 1 to 6|wants a number)$"):
        GivenDice([value]).draw(6)


def test_two_zeros_are_a_hundred_only_where_one_d100_is_rolled() -> None:
    assert roll_pool(GivenDice(["00"]), 1, 100).total == 100
    assert roll_pool(GivenDice([0]), 1, 100).total == 100
    for count, sides in ((2, 100), (1, 10)):
        with pytest.raises(BadInput):
            roll_pool(GivenDice(["00"] * count), count, sides)


@given(st.integers(0, 2**64), st.integers(0, 6), st.booleans(), st.integers(1, 4))
def test_what_was_recorded_can_be_given_again(seed: int, count: int, explode: bool, keep: int) -> None:
    def play(dice: Dice) -> list[object]:
        mods = {"r": [1], "min": 2, "explode": explode, "keep": ["kh", keep]}
        found: list[object] = [roll_pool(dice, count, 6, mods), roll_digits(dice, (6, 6)), roll_pool(dice, 1, 100)]
        return [*found, throw_all(dice, {"good": 2, "bad": 1}, RULES)]

    recording = RecordingDice(SeededDice(seed))
    first = play(recording)
    again = GivenDice(list(recording.given))
    assert play(again) == first
    again.finish()


# --- pools -----------------------------------------------------------------------------------------------------


def test_a_pool_tells_what_became_of_each_die() -> None:
    pool = roll_pool(GivenDice([1, 2, 6, 1, 6, 5]), 2, 6, {"r": [1], "min": 3, "explode": True, "keep": ["kl", 2]})
    assert pool.faces == (3, 6, 6, 5)
    assert pool.rerolled == ((0, 1), (2, 1))
    assert pool.raised == ((0, 2),)
    assert pool.exploded == {2, 3}
    assert pool.kept == (3, 5)
    assert str(pool) == "1→2→3 (6) (!1→6) !5"
    assert [die.kept for die in pool.dice()] == [True, False, False, True]


def test_explosions_stop_at_a_limit_and_say_so() -> None:
    pool = roll_pool(GivenDice([2] * 101), 1, 2, {"explode": True})
    assert pool.size == 101
    assert pool.stopped
    assert str(pool).endswith("… and 1 more (stopped at the limit)")
    assert not roll_pool(GivenDice([2] * 100 + [1]), 1, 2, {"explode": True}).stopped


def test_limits_of_dice() -> None:
    assert roll_pool(SystemDice(), 1_000, 6).size == 1_000
    with pytest.raises(LimitReached, match=r"at most 1,000 dice are rolled at once, not 1,001"):
        roll_pool(SystemDice(), 1_001, 6)
    with pytest.raises(LimitReached, match="a roll has at most 10,000 dice"):
        roll_pool(GivenDice([2] * 20_000), 1_000, 2, {"explode": True})
    with pytest.raises(BadInput, match="the number of dice is a whole number from 0, not -1"):
        roll_pool(SystemDice(), -1, 6)


def test_pools_do_not_change() -> None:
    pool = roll_pool(GivenDice([3]), 1, 6)
    with pytest.raises(AttributeError):
        pool.sides = 8
    assert pool == Pool(6, (3,))
    assert hash(pool) == hash(Pool(6, (3,)))
    assert pool != Pool(8, (3,))
    assert "sides=6" in repr(pool)


def test_no_dice_are_counted_but_not_compared() -> None:
    pool = roll_pool(GivenDice([]), 0, 6)
    assert (pool.total, pool.size, pool.count([">="], [1])) == (0, 0, 0)
    with pytest.raises(NoValue, match="none is the highest"):
        pool.highest()


# --- custom dice -----------------------------------------------------------------------------------------------


def test_symbols_cancel() -> None:
    pool = thrown(good=["win+win", "luck", "-"], bad=["loss", "woe"])
    assert (pool.rolled("win"), pool.net("win"), pool.net("loss")) == (2, 1, 0)
    assert (pool.net("luck"), pool.net("woe")) == (0, 0)
    assert (pool.size, pool.count_kind("good"), pool.count_kind("great")) == (5, 3, 0)


def test_what_counts_as_another_loses_only_that_half() -> None:
    pool = thrown(good=["crown"], bad=["loss", "loss"])
    assert (pool.rolled("win"), pool.net("win"), pool.net("loss")) == (1, 0, 1)
    assert (pool.rolled("crown"), pool.net("crown")) == (1, 1)
    both = thrown(great=["crown"], bad=["skull"])
    assert [both.net(symbol) for symbol in ("win", "loss", "crown", "skull")] == [0, 0, 1, 1]


def test_faces_by_number_symbols_or_letters() -> None:
    for told in (5, "5", "win+luck", "luck + win", "wu", "u+w", "Luck+Win"):
        assert thrown(good=[told]).shown == (("win", "luck"),)
    for blank in (1, "-", "–", "blank"):
        assert thrown(good=[blank]).shown == ((),)
    assert str(thrown(good=["wu", "-"])) == "good[win+luck] good[-]"
    assert letters(("win", "luck"), RULES) == "wu"
    assert letters((), RULES) == "-"


@pytest.mark.parametrize("told", [0, 7, "loss", "win+win+win", "x", "w-", "w+", ""])
def test_faces_that_a_die_does_not_have(told: int | str) -> None:
    with pytest.raises(
        BadInput, match=r"^die 1 of those given is .*, but a good die (has faces 1 to 6|shows -, win, )"
    ):
        thrown(good=[told])


def test_unknown_dice_and_symbols() -> None:
    with pytest.raises(UnknownName, match="there is no die ugly; there are bad, good, great"):
        throw_all(SystemDice(), {"ugly": 1}, RULES)
    with pytest.raises(UnknownName, match="no die shows ace; there are win, "):
        thrown(good=[1]).net("ace")


def test_a_pool_is_built_in_order() -> None:
    assert build(DICE, {"good": 2}, add={"bad": 1}, upgrade={"good": 1}) == {"good": 1, "bad": 1, "great": 1}
    assert build(DICE, {"good": 1}, upgrade={"good": 2}) == {"good": 1, "great": 1}
    assert build(DICE, {"good": 1}, upgrade={"good": 3}) == {"good": 0, "great": 2}
    assert build(DICE, {"good": 1}, add={"good": 1}, upgrade={"good": 2}) == {"good": 0, "great": 2}
    assert build(DICE, {"great": 2}, downgrade={"good": 1}) == {"great": 1, "good": 1}
    assert build(DICE, {"great": 2}, downgrade={"great": 1}) == {"great": 1, "good": 1}
    assert build(DICE, {"good": 2}, upgrade={"good": 2}, put={"good": 3, "great": 0}) == {"good": 3, "great": 0}


def test_what_a_pool_cannot_give_is_told() -> None:
    notes: list[str] = []
    assert build(DICE, {"good": 1}, add={"bad": -2}, downgrade={"good": 2}, notes=notes) == {"good": 1, "bad": 0}
    assert notes == [
        "2 bad less than there are: none left",
        "2 downgrades of good without effect: nothing to downgrade",
    ]
    with pytest.raises(BadInput, match="a bad die cannot be upgraded"):
        build(DICE, {"bad": 1}, upgrade={"bad": 1})
    with pytest.raises(BadInput, match="a bad die cannot be downgraded"):
        build(DICE, {"bad": 1}, downgrade={"bad": 1})
    with pytest.raises(BadInput, match="a pool cannot hold -1 good dice"):
        build(DICE, {"good": -1})


# --- notation --------------------------------------------------------------------------------------------------


def test_custom_dice_in_notation() -> None:
    found = roll("2d[good] + d[bad]", GivenDice(["w", "c", "l"]), RULES)
    assert found.total is None
    assert found.symbols is not None
    assert found.symbols.net("win") == 1
    for text, why in (("d[good]+1", "have no total"), ("-d[good]", "not taken away"), ("d[ugly]", "no die ugly")):
        with pytest.raises(RulesError, match=why):
            parse(text, RULES)


def test_details_of_a_roll() -> None:
    found = roll("4d6kh3-d4+2", GivenDice([3, 6, 1, 5, 2]))
    assert found.total == 14
    assert [str(pool) for pool in found.pools] == ["3 6 (1) 5", "2"]


TEXTS = {
    "1d20+5": (6, 25),
    "3d6": (3, 18),
    "10d6": (10, 60),
    "20d6": (20, 120),
    "4d6kh3": (3, 18),
    "4d6kl2": (2, 12),
    "4d6dh1": (3, 18),
    "3d6kl1": (1, 6),
    "2d20kl1-7": (-6, 13),
    "5d10!": (5, None),
    "2d6r1": (2, 12),
    "d66": (11, 66),
    "d666": (111, 666),
    "2d6-1d4": (-2, 11),
    "-2d6": (-12, -2),
    "0d6+3": (3, 3),
    "7": (7, 7),
    "3d1": (3, 3),
    "2d6kh1+3d4kl2-d%": (-97, 13),
}


@pytest.mark.parametrize("text", list(TEXTS))
def test_quick_rolls_agree_with_their_faces(text: str) -> None:
    """Before and after a roll is looked up whole."""
    low, high = TEXTS[text]
    for _ in range(quick.A_WHILE * 2):
        total, faces = quick_roll(text)
        assert low <= total
        assert high is None or total <= high
        if "!" not in text and "r" not in text:
            assert roll(text, GivenDice(list(faces))).total == total


def test_quick_rolls_are_fair() -> None:
    for text, mean in (("3d6", 10.5), ("4d6kh3", 12.2446), ("5d10!", 5 * 5.5 * 10 / 9), ("d20", 10.5), ("12d6", 42.0)):
        assert abs(statistics.fmean(quick_roll(text)[0] for _ in range(20_000)) - mean) < 0.3
    exploded = [faces for faces in (quick_roll("5d10!")[1] for _ in range(2_000)) if len(faces) > 5]
    assert exploded
    assert all(faces.count(10) == len(faces) - 5 and faces[-1] != 10 for faces in exploded)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_a_forked_process_rolls_its_own_dice() -> None:
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(send, repr(quick_roll("30d100")[1]).encode())
        os._exit(0)
    os.waitpid(child, 0)
    told = os.read(receive, 10_000).decode()
    os.close(receive)
    os.close(send)
    assert told != repr(quick_roll("30d100")[1])


def test_absurd_notation_is_refused_at_once() -> None:
    for text in ("999999999d6", "1d999999999999", "9" * 30, "1d6" + "+1000d6" * 11, "d6" * 3_000, "1" * 5_000):
        with pytest.raises(RulesError):
            parse(text)
