"""The sheet: values remembered until something changes, tracks within their limits, and where the rest goes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, MissingValue, NotAllowed, RulesError, UnknownName
from rulesdata_runtime.state.character import Character, from_given
from rulesdata_runtime.state.sheet import Change, Sheet

from .artifacts import artifact, each, f, mod, stat


def rules(**more: Any) -> dict[str, Any]:
    kinds: dict[str, Any] = {
        "stats": {"Strength": stat(), "Calm": stat()},
        "derived": {
            "boxes": {"formula": f("2 * Strength")},
            "both": {"formula": f("boxes + Calm")},
            "load[north]": {"formula": 1},
            "load[south]": {"formula": 2},
        },
        "tracks": {
            "light": {"max": f("boxes"), "over": {"name": "heavy"}},
            "heavy": {"max": 4, "over": {"name": "beyond"}},
            "beyond": {"max": 3},
            "luck": {"max": f("Calm"), "start": f("Calm"), "over": "error"},
            "debt": {"type": "fraction"},
            "kept": {"max": f("Calm"), "shrinks": "keep"},
            "pool": {"scope": "table", "max": 9, "start": 5},
        },
        "conditions": {"weak": {"modifiers": [mod("value", "Calm", add=-1)]}},
        "traits": {"vest": {"tracks": [{"id": "wear", "max": 3, "start": 1}]}},
    }
    kinds.update(more)
    return artifact(**kinds)


def sheet(**given: object) -> Sheet:
    return Sheet(rules(), from_given(rules(), {"Strength": 3, "Calm": 2, **given}))


def test_values_are_remembered_until_something_changes() -> None:
    made = sheet()
    assert made.value("both") == 8
    assert "boxes" in made.memo
    made.apply("weak")
    assert made.value("both") == 7


def test_a_member_of_a_family_by_formula() -> None:
    assert sheet().frame({"where": "south"}).run(["member", "load", ["get", "where"]]) == 2


def test_an_unknown_value() -> None:
    with pytest.raises(UnknownName, match=r"there is no value boxs\. Did you mean boxes\?"):
        sheet().value("boxs")


def test_a_loop_is_told_hop_by_hop() -> None:
    made = artifact(derived={"one": {"formula": f("two")}, "two": {"formula": f("one + 1"), "title": "Second"}})
    with pytest.raises(RulesError) as caught:
        Sheet(made).value("one")
    assert str(caught.value) == "rules.yaml:1:3: a value needs itself: one needs Second needs one"


# --- tracks ----------------------------------------------------------------------------------------------------


def test_a_track_starts_where_its_rule_says() -> None:
    made = sheet()
    assert (made.value("luck"), made.value("light"), made.value("pool")) == (2, 0, 5)


def test_changes_stay_within_the_limits() -> None:
    made = sheet()
    assert made.change("beyond", "add", 2) == Change("beyond", 0, 2)
    assert made.change("beyond", "add", 2) == Change("beyond", 2, 3, 1)
    assert made.overflow("beyond") == 1
    assert made.change("beyond", "subtract", 7) == Change("beyond", 3, 0, 4)
    assert made.overflow("beyond") == 4
    assert made.change("beyond", "set", 2) == Change("beyond", 0, 2)
    assert made.overflow("beyond") == 0


def test_what_is_too_much_goes_on() -> None:
    made = sheet(light=5)
    done = made.change("light", "add", 9)
    assert done == Change("light", 5, 6, 8, Change("heavy", 0, 4, 4, Change("beyond", 0, 3, 1)))
    assert (made.overflow("light"), made.overflow("heavy"), made.overflow("beyond")) == (8, 4, 1)


def test_what_a_track_lacks_does_not_go_on() -> None:
    made = sheet(light=1, heavy=2)
    assert made.change("light", "subtract", 4) == Change("light", 1, 0, 3)
    assert made.value("heavy") == 2


def test_a_track_that_refuses_what_does_not_fit() -> None:
    made = sheet()
    with pytest.raises(NotAllowed) as caught:
        made.change("luck", "subtract", 3)
    assert str(caught.value) == "luck is 2 and would become -1, but the least is 0"
    assert made.value("luck") == 2


def test_what_goes_round_in_a_circle() -> None:
    made = artifact(tracks={"a": {"max": 1, "over": {"name": "b"}}, "b": {"max": 1, "over": {"name": "a"}}})
    with pytest.raises(RulesError, match="goes round in a circle: a and b"):
        Sheet(made).change("a", "add", 5)


def test_whole_and_fractional_tracks() -> None:
    made = sheet()
    assert made.change("debt", "add", Fraction(7, 2)).after == Fraction(7, 2)
    with pytest.raises(BadInput, match="beyond counts in whole numbers, and 1/2 is none"):
        made.change("beyond", "add", Fraction(1, 2))


def test_a_maximum_that_falls_takes_the_track_with_it_for_good() -> None:
    made = sheet()
    made.change("luck", "set", 2)
    made.change("kept", "set", 2)
    (weak,) = [made.apply("weak")]
    assert weak is not None
    assert (made.value("luck"), made.value("kept")) == (1, 2)
    assert made.shrunk == [Change("luck", 2, 1)]
    made.remove("weak")
    assert (made.value("luck"), made.value("kept")) == (1, 2)


def test_a_kept_track_is_not_pushed_down_by_adding() -> None:
    made = sheet(kept=2, conditions="weak")
    assert made.change("kept", "add", 1) == Change("kept", 2, 2, 1)
    assert made.change("kept", "subtract", 1) == Change("kept", 2, 1)


def test_a_start_is_taken_once() -> None:
    made = sheet()
    made.apply("weak")  # luck started at 2, and its maximum is 1 now
    made.remove("weak")
    assert made.value("luck") == 1


def test_tracks_that_need_what_was_not_given_stay_open() -> None:
    made = Sheet(rules(), from_given(rules(), {"Strength": 3}))
    made.change("beyond", "add", 1)
    assert made.freeze().tracks["beyond"] == 1
    assert "luck" not in made.freeze().tracks
    with pytest.raises(MissingValue):
        made.value("luck")


def test_a_track_of_the_table() -> None:
    shared = Sheet(rules())
    one, other = (Sheet(rules(), from_given(rules(), {"Strength": 3, "Calm": 2}), table=shared) for _ in range(2))
    one.change("pool", "subtract", 2)
    assert (one.value("pool"), other.frame().run(f("pool + 1")), shared.value("pool")) == (3, 4, 3)
    assert one.overflow("pool") == 0
    assert "pool" not in one.freeze().tracks


def test_the_own_track_of_a_trait() -> None:
    made = sheet(traits="vest")
    (vest,) = made.instances("vest")
    assert made.change("wear", "add", 5, vest) == Change("wear", 1, 3, 3)
    assert made.frame().of("vest", "wear") == 3
    with pytest.raises(UnknownName, match="Vest has no track tear"):
        made.change("tear", "add", 1, vest)
    with pytest.raises(BadInput, match="Vest is not carried, so it has no values"):
        sheet().frame().of("vest", "wear")


def test_freezing_gives_the_state_and_changes_nothing() -> None:
    character = from_given(rules(), {"Strength": 3, "Calm": 2})
    made = Sheet(rules(), character)
    made.change("light", "add", 2)
    frozen = made.freeze()
    assert frozen.tracks == {"light": 2, "heavy": 0, "beyond": 0, "luck": 2, "debt": 0, "kept": 0}
    assert character.tracks == {}
    assert Sheet(rules(), frozen).freeze() == frozen


def test_a_sheet_without_anything() -> None:
    assert Sheet(rules()).freeze() == Character()


def test_carried_counts_by_tag() -> None:
    made = artifact(
        stats={"Calm": stat()},
        conditions={
            "cut": {"stacking": "separate", "tags": ["wound"]},
            "down": {"implies": [{"name": "sore"}]},
            "sore": {"tags": ["wound"]},
            "numb": {"tags": ["wound"], "while": f("Calm < 2"), "each": each("turn")},
        },
    )
    one = Sheet(made, from_given(made, {"Calm": 1, "conditions": "cut, cut, down"}))
    assert one.carried("wound") == 3
    assert one.has("sore")
    assert one.frame().run(f("carried(wound)")) == 3
