"""Rolls: parameters, modifiers, pools, lets drawn when they are read, results."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from rulesdata_runtime.errors import BadInput, NotAllowed, RulesError, UnknownName
from rulesdata_runtime.formulas.dice import RecordingDice, SeededDice
from rulesdata_runtime.formulas.fork import outcomes

from .artifacts import f, mod
from .play_artifacts import rules, whole

R = rules()


def test_a_roll_keeps_every_die_and_its_results_in_order() -> None:
    rolled = R.roll("test", pool=5, dice=[1, 5, 6, 5, 2])
    assert rolled.to_json() == {
        "total": None,
        "dice": [1, 5, 6, 5, 2],
        "results": {"hits": 3, "good": True},
        "row": None,
    }


def test_a_let_is_drawn_only_where_it_is_read() -> None:
    assert R.roll("check", skill=3, dice=[9]).total == 12
    assert R.roll("check", skill=3, dice=[10, 4]).total == 17
    assert R.roll("check", skill=3, dv=20, dice=[10, 4]).results == {"success": False}


def test_like_takes_all_but_what_is_stated() -> None:
    rolled = R.roll("loud_test", pool=2, dice=[5, 5])
    assert (rolled.results["hits"], rolled.rule) == (2, "loud_test")


def test_parameters_are_checked_and_named() -> None:
    with pytest.raises(BadInput, match="pool of Test is from 0 to 20, not 21"):
        R.roll("test", pool=21)
    with pytest.raises(BadInput, match=r"Test needs pool \(a whole number\)"):
        R.roll("test")
    with pytest.raises(UnknownName, match=r"Test has no pol; it takes pool. Did you mean pool"):
        R.roll("test", pol=3)


def test_modifiers_of_the_roller_change_parameters_and_are_told() -> None:
    hero = R.character(Strength=3, conditions=[{"aimed": 2}, {"dazed": 3}])
    rolled = R.roll("test", hero, pool=1, dice=[6])
    assert rolled.params == {"pool": 1}
    assert [str(one) for one in rolled.counted] == ["Aimed: +2 pool", "Dazed: -2 pool"]
    assert [one.id for one in rolled.character.conditions] == ["dazed"]


def test_parameters_stay_in_their_range_after_modifiers() -> None:
    hero = R.character(Strength=3, conditions=[{"dazed": 3}])
    assert R.roll("test", hero, pool=1, dice=[]).params == {"pool": 0}


def test_modifiers_against_come_from_the_one_aimed_at() -> None:
    hidden = R.character(Strength=3, conditions="hidden")
    rolled = R.roll("test", R.character(Strength=3), pool=3, against=hidden, dice=[1, 2])
    assert rolled.params == {"pool": 2}


def test_a_forbidden_roll_is_refused_with_the_reason() -> None:
    hero = R.character(Strength=3, conditions="gagged")
    with pytest.raises(NotAllowed, match="Loud test: Gagged forbids it"):
        R.roll("loud_test", hero, pool=2)
    assert R.roll("test", hero, pool=1, dice=[5]).results["hits"] == 1


def test_except_exempts_a_tag() -> None:
    made = rules(
        conditions={
            "dazed": {
                "stacking": "ignore",
                "never": True,
                "title": "Dazed",
                "modifiers": [mod("roll", tags=["test"], except_=["loud"], add={"pool": -2})],
            }
        }
    )
    made.rules["dazed"]["modifiers"][0]["except"] = ["loud"]
    hero = made.character(Strength=3, conditions="dazed")
    assert made.roll("loud_test", hero, pool=3, dice=[1, 1, 1]).params == {"pool": 3}
    assert made.roll("test", hero, pool=3, dice=[1]).params == {"pool": 1}


def test_a_modifier_of_the_value_and_limits_beside_it() -> None:
    made = rules(
        conditions={
            "worn": {
                "title": "Worn",
                "stacking": "ignore",
                "never": True,
                "modifiers": [{**mod("roll", tags=["check"], add={"value": -6}), "at_least": 2}],
            }
        }
    )
    hero = made.character(Strength=3, conditions="worn")
    assert made.roll("check", hero, skill=9, dice=[3]).total == 6
    assert made.roll("check", hero, skill=1, dice=[3]).total == 2


def test_a_pool_is_built_upgraded_and_read_net() -> None:
    rolled = R.roll("strike", skill=2, hard=1, dice=["h", "hit+hit", "m"])
    assert [str(face) for face in rolled.dice] == ["good[hit]", "great[hit+hit]", "bad[miss]"]
    assert rolled.results == {"hits": 2, "edge": 0, "lands": True}
    assert rolled.symbols["rolled"]["hit"] == 3
    assert rolled.symbols["net"] == {"hit": 2, "miss": 0, "edge": 0, "harm": 0, "star": 0}
    shape = rolled.to_json()
    assert shape["dice"][0] == {"die": "good", "symbols": ["hit"]}


def test_dice_are_added_before_they_are_upgraded() -> None:
    made = rules(
        traits={
            "keen": {"title": "Keen", "modifiers": [mod("roll", tags=["fight"], add={"good": 1}, upgrade={"good": 2})]}
        }
    )
    hero = made.character(Strength=3, traits="keen")
    rolled = made.roll("strike", hero, skill=1, hard=0, dice=SeededDice(1))
    # one good and one more, then three upgrades: two turn, and the third adds a plain one
    assert sorted(face.die for face in rolled.dice) == ["good", "great", "great"]


def test_dice_that_cannot_be_taken_away_are_told() -> None:
    made = rules(traits={"dull": {"title": "Dull", "modifiers": [mod("roll", tags=["fight"], add={"good": -3})]}})
    rolled = made.roll("strike", made.character(Strength=3, traits="dull"), skill=1, hard=0, dice=["star"])
    assert [face.die for face in rolled.dice] == ["good"]  # an upgrade with nothing left adds a plain die
    assert "none left" in rolled.log[0].text


def test_plain_dice_by_notation() -> None:
    rolled = R.roll("4d6kh3+2", dice=[1, 5, 3, 6])
    assert rolled.total == 16
    assert rolled.to_json()["dropped"] == [0]
    assert R.roll("d66", dice=[24]).total == 24
    assert [face.symbols for face in R.roll("2d[good]", dice=["h", "-"]).dice] == [("hit",), ()]
    with pytest.raises(UnknownName, match=r"no roll or table tset. Did you mean test"):
        R.roll("tset")
    with pytest.raises(BadInput):
        R.roll("2x6")


def test_seeds_and_generators_give_the_same_roll_again() -> None:
    assert R.roll("test", pool=9, dice=7) == R.roll("test", pool=9, dice=random.Random(7))
    recording = RecordingDice(SeededDice(3))
    first = R.roll("test", pool=4, dice=recording)
    assert R.roll("test", pool=4, dice=recording.given).dice == first.dice


def test_every_outcome_of_a_roll_can_be_played() -> None:
    chances: dict[int, Fraction] = {}
    for chance, rolled in outcomes(lambda dice: R.roll("test", pool=2, dice=dice)):
        hits = rolled.results["hits"]
        chances[hits] = chances.get(hits, Fraction(0)) + chance
    assert {hits: str(chance) for hits, chance in chances.items()} == {0: "4/9", 1: "4/9", 2: "1/9"}


def test_a_parameter_that_a_modifier_breaks_is_an_error() -> None:
    made = rules(
        traits={"half": {"title": "Half", "modifiers": [mod("roll", tags=["test"], multiply={"pool": ["frac", 1, 2]})]}}
    )
    hero = made.character(Strength=3, traits="half")
    with pytest.raises(BadInput, match="pool of Test comes to 3/2"):
        made.roll("test", hero, pool=3)


def test_rolls_like_each_other_are_refused() -> None:
    made = rules(rolls={"one": {"like": "two"}, "two": {"like": "one"}})
    with pytest.raises(RulesError, match="like"):
        made.roll("one")


def test_a_result_may_read_the_sheet() -> None:
    made = rules(
        rolls={
            "lift": {
                "title": "Lift",
                "params": [whole("load", 0, 50)],
                "value": f("Strength * 10"),
                "results": [["lifts", f("value >= load")]],
            }
        }
    )
    assert made.roll("lift", load=25, Strength=3).results == {"lifts": True}
