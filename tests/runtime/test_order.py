"""Who acts when: keys, ties, teams, results given by hand."""

from __future__ import annotations

from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, NeedsAnswer, UnknownName

from .play_artifacts import rules

R = rules()


def who(**strengths: int) -> dict[str, Any]:
    return {name: R.character(Strength=strength, Will=3) for name, strength in strengths.items()}


def test_the_highest_is_first_and_later_keys_decide() -> None:
    found = R.order("initiative", who(ann=2, bob=5, cid=4), dice=[3, 6, 3])
    assert found.names == ("bob", "cid", "ann")
    assert [place.rank for place in found.places] == [1, 2, 3]
    assert found.rolls["bob"].total == 9
    assert found.to_json()["places"][1] == {"rank": 2, "names": ["cid"], "keys": [6, 4]}


def test_equal_ones_are_chosen_by_somebody() -> None:
    people = who(ann=2, bob=2, cid=2)
    with pytest.raises(NeedsAnswer, match=r"Initiative: equal at 6, 2, who is first: choose one of ann, bob, cid"):
        R.order("initiative", people, dice=[3, 3, 3])
    found = R.order("initiative", people, dice=[3, 3, 3], choices={"initiative": ["cid", "ann"]})
    assert found.names == ("cid", "ann", "bob")
    assert R.order("initiative", people, dice=[3, 3, 3], initiative=["bob", "cid"]).names == ("bob", "cid", "ann")


def test_equal_ones_act_together() -> None:
    found = R.order("march", who(ann=1, bob=2, cid=3), dice=[4, 2, 4])
    assert [(place.rank, place.names) for place in found.places] == [(1, ("ann", "cid")), (3, ("bob",))]


def test_equal_ones_roll_again_among_themselves() -> None:
    found = R.order("draw_lots", who(ann=1, bob=2, cid=3), dice=[4, 5, 4, 1, 1, 2, 6])
    assert found.names == ("bob", "cid", "ann")


def test_places_belong_to_teams() -> None:
    people = who(ann=1, bob=1, cid=1)
    teams = {"heroes": ["ann", "bob"], "others": ["cid"]}
    found = R.order("rush", people, teams=teams, dice=[2, 2, 5])
    assert [(place.team, place.may) for place in found.places] == [
        ("others", ("cid",)),
        ("heroes", ("ann", "bob")),
        ("heroes", ("ann", "bob")),
    ]
    with pytest.raises(NeedsAnswer):
        R.order("rush", people, teams=teams, dice=[2, 5, 2])
    with pytest.raises(BadInput, match="say to which ann belongs"):
        R.order("rush", people, dice=[1, 2, 3])


def test_results_given_by_hand() -> None:
    assert R.order("march", {"ann": 7, "bob": 9}).names == ("bob", "ann")
    with pytest.raises(BadInput, match="the results of ann do not decide: Strength is not given"):
        R.order("initiative", {"ann": 7, "bob": 7})
    found = R.order("initiative", {"ann": {"value": 7, "Strength": 2}, "bob": {"value": 7, "Strength": 3}})
    assert found.names == ("bob", "ann")
    with pytest.raises(BadInput, match="ann and bob are equal; roll again for them"):
        R.order("draw_lots", {"ann": 3, "bob": 3})


def test_what_is_no_ranking_or_takes_no_part() -> None:
    with pytest.raises(BadInput, match="Test has no ranking"):
        R.order("test", who(ann=1), pool=3)
    with pytest.raises(UnknownName, match=r"bbo does not take part. Did you mean bob"):
        R.order("rush", who(bob=1), teams={"bbo": "x", "bob": "x"})


def test_parameters_for_all_or_by_name() -> None:
    made = rules(
        rolls={
            "dash": {
                "title": "Dash",
                "params": [{"name": "bonus", "type": "int", "default": 0}],
                "value": ["+", [["sum", ["roll", 1, 6, {}]], ["get", "bonus"]]],
                "ranking": {"by": [["get", "value"]], "ties": "together"},
            }
        }
    )
    people = {name: made.character(Strength=1) for name in ("ann", "bob")}
    assert made.order("dash", people, bonus={"ann": 5}, dice=[1, 2]).names == ("ann", "bob")
    assert made.order("dash", people, bonus=5, dice=[1, 2]).rolls["bob"].total == 7
