"""Tables: looked up by one key, two or none, and rolled on."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, RulesError, UnknownName
from rulesdata_runtime.play.intervals import DENSE, Keys

from .artifacts import change, f, say
from .play_artifacts import choice, roll_on, rows, rules, steps, whole

R = rules()
HERO = R.character(Strength=3, Will=4)


def test_keys_dense_and_sparse_agree() -> None:
    rows_: list[list[Any]] = [[[1, 5]], [[6, 6], [8, 10]], [[5, 7]], [[12, None]], ["x"], [[None, -3]]]
    dense = Keys(rows_)
    assert dense.dense
    sparse = Keys([*rows_, [[DENSE * 9, DENSE * 9]]])
    assert not sparse.dense
    for number in range(-10, 40):
        wanted = tuple(
            place
            for place, keys in enumerate(rows_)
            for low, high in [key for key in keys if isinstance(key, list)]
            if (low is None or low <= number) and (high is None or number <= high)
        )
        assert dense.find(number) == tuple(dict.fromkeys(wanted)) == sparse.find(number)
        assert dense.find(Fraction(number)) == dense.find(number)
    assert dense.find("x") == (4,)
    assert dense.find(Fraction(11, 2)) == (2,)
    assert (dense.edge(-99), dense.edge(99), dense.edge("y")) == (None, None, None)
    assert (Keys([[[3, 4]]]).edge(2), Keys([[[3, 4]]]).edge(5)) == ("below", "above")


def test_by_a_number() -> None:
    assert [R.lookup("fall_damage", metres) for metres in (0, 1, 3, 7, 12)] == [None, 2, 4, 6, 8]
    assert R.lookup("fall_damage", "7") == 6


def test_by_two_keys() -> None:
    assert R.lookup("range", "sling", 5) == 13
    assert R.lookup("range", "sling", 10) == 13
    assert R.lookup("range", "sling", 99) is None
    with pytest.raises(BadInput, match="tool is bow, metres is 31 and no row of Range covers it"):
        R.lookup("range", "bow", 31)
    with pytest.raises(BadInput, match=r"tool is bov and no row .* Rows: sling and bow. Did you mean bow"):
        R.lookup("range", "bov", 3)


def test_a_decision_takes_the_first_row_that_holds() -> None:
    assert R.lookup("care", column="hardness", character=R.character(Strength=3, wounds=2)) == 1
    assert R.lookup("care", character=R.character(Strength=3, wounds=4)) == {
        "id": "hard",
        "hardness": 4,
        "note": "grave",
    }
    with pytest.raises(UnknownName, match=r"Care has no column hardnes. Did you mean hardness"):
        R.lookup("care", column="hardnes", character=HERO)


def test_a_rolled_table_can_be_looked_up_too() -> None:
    assert R.lookup("omens", 1) == "A crow"
    assert R.lookup("omens", 2, character=HERO) == "Luck is 2"
    assert R.lookup("mishap", 4) == "hard"
    assert R.lookup("mishap", "worse") == "hard"


def test_keys_that_are_missing_or_too_many() -> None:
    with pytest.raises(BadInput, match="Fall needs metres"):
        R.lookup("fall_damage")
    with pytest.raises(BadInput, match="takes 1 keys"):
        R.lookup("fall_damage", 1, 2)


def test_rolled_with_modifiers_outside_and_columns() -> None:
    rolled = R.roll_on("mishap", HERO, dice=[3])
    assert (rolled.total, rolled.row["id"], rolled.results) == (3, "stumble", {"how_bad": "hard"})
    assert rolled.character.tracks["strain"] == 1
    above = R.roll_on("mishap", HERO, plus=4, dice=[3, 1, 1])
    assert (above.total, [row["id"] for row in above.rows]) == (7, ["worse", "stumble", "stumble"])


def test_without_a_character_no_effect_is_done() -> None:
    rolled = R.roll("mishap", dice=[4], Strength=3, Will=3)
    assert (rolled.row["title"], rolled.character, rolled.log) == ("Stumble", None, ())


def test_roll_again_twice() -> None:
    rolled = R.roll_on("mishap", HERO, dice=[6, 3, 1])
    assert [row["id"] for row in rolled.rows] == ["worse", "stumble", "nothing"]
    assert rolled.total == 6
    assert rolled.to_json()["row"]["id"] == "worse"


def test_roll_again_until_it_is_new() -> None:
    hero = R.character(Strength=3, conditions="cut")
    rolled = R.roll_on("injury", hero, dice=[1, 1, 2])
    assert rolled.row["id"] == "burn"
    assert [one.id for one in rolled.character.conditions] == ["cut", "burn"]
    both = R.character(Strength=3, conditions="cut, burn")
    rolled = R.roll_on("injury", both, dice=[1, 2, 1, 2])
    assert rolled.row is None
    assert rolled.log[-1].text == "Injury: rolled again 3 times without anything new"


def test_a_row_may_be_named_where_the_table_allows_it() -> None:
    assert R.roll_on("injury", HERO, row="burn", dice=[]).row["id"] == "burn"
    made = steps(roll_on("injury", **{"as": "kind"}), results=[["kind", ["field", "kind", "row"]]])
    hero = made.character(Strength=3)
    assert made.run("go", hero, injury="burn", dice=[]).results == {"kind": "burn"}
    assert made.run("go", hero, kind="cut", dice=[]).results == {"kind": "cut"}
    assert made.run("go", hero, dice=[2]).results == {"kind": "burn"}
    with pytest.raises(BadInput, match="Did you mean burn"):
        made.run("go", hero, injury="born")
    with pytest.raises(UnknownName, match=r"Injury has no row bern. Rows: cut and burn. Did you mean burn"):
        R.roll_on("injury", HERO, row="bern")


def test_a_hole_is_an_error_with_the_number() -> None:
    with pytest.raises(BadInput, match="the roll gave 4 and no row of Gap covers it"):
        R.roll("gap", dice=[4])


def test_overlapping_rows_all_apply() -> None:
    rolled = R.roll_on("both", HERO, dice=[5])
    assert [row["id"] for row in rolled.rows] == ["a", "b"]
    assert [entry.text for entry in rolled.log if entry.step == "say"] == ["a", "b"]
    assert [row["id"] for row in R.roll("both", dice=[3]).rows] == ["a"]


def test_digit_dice() -> None:
    assert R.roll("spot", dice=[36]).row["id"] == "low"
    assert R.roll("spot", dice=[41]).row["id"] == "high"


def test_weights() -> None:
    hits = [R.roll("weather", dice=[number]).row["id"] for number in range(1, 7)]
    assert hits == ["dry", "dry", "dry", "rain", "rain", "snow"]
    assert [R.roll("weather", Luck=0, dice=[number]).row["id"] for number in (3, 4)] == ["dry", "snow"]


def test_parameters_and_plus() -> None:
    made = rules(
        tables={
            "tuned": {
                "form": "rolled",
                "title": "Tuned",
                "params": [whole("more", 0, 9, default=1)],
                "roll": f("sum(d(1, 6)) * more"),
                "rows": rows(low={"at": [[0, 9]], "effect": [say("low")]}, high={"at": [[10, None]]}),
            }
        }
    )
    assert made.roll("tuned", dice=[6]).row["id"] == "low"
    assert made.roll("tuned", more=2, dice=[6]).row["id"] == "high"
    assert made.roll_on("tuned", plus=9, dice=[6]).total == 15
    with pytest.raises(BadInput, match="is not rolled on"):
        R.roll_on("fall_damage")


def test_what_a_row_does_to_the_table_is_handed_back() -> None:
    made = rules(
        tables={
            "omen": {
                "form": "rolled",
                "title": "Omen",
                "roll": f("sum(d(1, 6))"),
                "rows": rows(
                    bad={"at": [[1, 3]], "effect": [change("subtract", "story", 1)]},
                    good={"at": [[4, 6]]},
                ),
            }
        }
    )
    rolled = made.roll_on("omen", made.character(Strength=3), dice=[2])
    assert rolled.table.tracks["story"] == 4
    assert rolled.to_json()["table"]["tracks"]["story"] == 4
    assert made.roll_on("omen", dice=[2]).table is None


def test_rows_of_an_option_that_is_off_do_not_exist() -> None:
    made = rules(
        tables={
            "grim": {
                "form": "by",
                "title": "Grim",
                "by": [whole("n")],
                "columns": [whole("value")],
                "rows": rows(
                    a={"at": [[1, 2]], "cells": [["value", 1]]},
                    b={"at": [[3, 4]], "cells": [["value", 2]], "option": ["option", "gritty"]},
                ),
            }
        }
    )
    with pytest.raises(BadInput, match="n is 3 and no row of Grim covers it"):
        made.lookup("grim", 3)


def test_a_modifier_of_the_table_by_its_tag() -> None:
    made = rules(
        traits={
            "charm": {"title": "Charm", "modifiers": [{"target": "roll", "tags": ["fate"], "add": [["value", 2]]}]}
        },
        tables={
            "fate": {
                "form": "rolled",
                "title": "Fate",
                "tags": ["fate"],
                "roll": f("d(1, 6)"),
                "rows": rows(low={"at": [[1, 6]]}, high={"at": [[7, 8]]}),
            }
        },
    )
    hero = made.character(Strength=3, traits="charm")
    assert made.roll_on("fate", hero, dice=[5]).row["id"] == "high"


def test_no_rule_of_that_name() -> None:
    with pytest.raises(RulesError, match=r"there is no table mishp. Did you mean mishap"):
        R.roll_on("mishp")


def test_a_picker_gives_rows_in_their_shares() -> None:
    made = rules(
        tables={
            "sums": {
                "form": "rolled",
                "title": "Sums",
                "roll": f("d(2, 6)"),
                "rows": rows(low={"at": [[2, 6]], "title": "Low"}, high={"at": [[7, 12]]}),
            }
        }
    )
    pick = made.picker("sums")
    found = Counter(pick()["id"] for _ in range(3600))
    assert 1300 < found["low"] < 1700
    assert made.picker("spot")()["id"] in ("low", "high")
    assert made.picker("weather")()["id"] in ("dry", "rain", "snow")
    with pytest.raises(UnknownName, match="Did you mean sums"):
        made.picker("sum")


def test_the_short_way_and_the_whole_way_agree() -> None:
    hero = R.character()
    for seed in range(40):
        for name, given in (("test", {"pool": 5}), ("check", {"skill": 2}), ("strike", {"skill": 3, "hard": 2})):
            short, whole_way = R.roll(name, dice=seed, **given), R.roll(name, hero, dice=seed, **given)
            assert short == whole_way.told((), None)
        assert R.roll("spot", dice=seed) == R.roll("spot", dice=seed, choices={})


def test_a_table_that_is_read_may_be_asked_like_a_roll() -> None:
    assert R.roll("range", tool="sling", metres="5").total == 13
    assert R.roll("range", tool="sling", metres=99).results == {"value": None}
    assert R.roll("care", R.character(Strength=3, wounds=4)).row["id"] == "hard"
    with pytest.raises(BadInput, match="Range needs tool"):
        R.roll("range", metres=5)
    with pytest.raises(RulesError, match="left over"):
        R.roll("range", tool="sling", metres=5, dice=[3])


def test_a_key_without_a_written_type_is_a_whole_number() -> None:
    made = rules(
        tables={
            "far": {
                "form": "by_two",
                "title": "Far",
                "by": [choice("tool", "sling"), {"name": "metres"}],
                "columns": [{"name": "value"}],
                "rows": rows(sling={"at": ["sling"], "second": [[[0, 6], 13]]}),
            }
        }
    )
    assert made.lookup("far", "sling", "5") == 13
