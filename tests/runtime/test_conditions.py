"""Conditions: how they meet themselves, come and go by themselves, and are taken away."""

from __future__ import annotations

from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, LimitReached, NotAllowed, UnknownName
from rulesdata_runtime.state.character import Until, from_given
from rulesdata_runtime.state.conditions import moment
from rulesdata_runtime.state.sheet import Sheet

from .artifacts import artifact, f, mod, stat

TURN = {"lasts": {"unit": "turn"}}


def sheet(conditions: dict[str, Any], given: dict[str, object] | None = None, **kinds: Any) -> Sheet:
    made = artifact(
        **{
            "stats": {"Strength": stat(), "Calm": stat()},
            "tracks": {"strain": {"max": 10}, "hurt": {"max": 10}},
            "conditions": conditions,
            **kinds,
        }
    )
    return Sheet(made, from_given(made, {"Strength": 3, "Calm": 2, **(given or {})}))


def state(made: Sheet) -> list[tuple[str, int, int | None]]:
    return [(one.id, one.level, one.remaining) for one in made.held.values()]


@pytest.mark.parametrize(
    ("stacking", "first", "second", "state_after"),
    [
        ("ignore", 3, 5, [3]),
        ("longest", 3, 5, [5]),
        ("longest", 5, 3, [5]),
        ("add", 3, 5, [8]),
        ("separate", 3, 5, [3, 5]),
    ],
)
def test_stacking_of_durations(stacking: str, first: int, second: int, state_after: list[int]) -> None:
    made = sheet({"dazed": {"stacking": stacking, **TURN}})
    made.apply("dazed", for_=first)
    made.apply("dazed", for_=second)
    assert [one.remaining for one in made.held.values()] == state_after


def test_levels_add_up_to_the_most_and_renew_to_the_longer_time() -> None:
    made = sheet({"tired": {"stacking": "levels", "max": f("Strength"), **TURN}})
    made.apply("tired", level=2, for_=5)
    made.apply("tired", for_=3)
    assert state(made) == [("tired", 3, 5)]
    made.apply("tired", level=4, for_=9)
    assert state(made) == [("tired", 3, 9)]
    made.apply("tired", level=-2, for_=1)
    assert state(made) == [("tired", 1, 9)]
    made.apply("tired", level=-1, for_=1)
    assert state(made) == []
    assert made.apply("tired", level=0, for_=1) is None


def test_what_an_application_returns() -> None:
    made = sheet({"dazed": {"stacking": "longest", **TURN}, "prone": {}})
    first = made.apply("dazed", for_=3)
    assert first is not None
    assert made.take_arrivals() == [first]
    assert made.apply("dazed", for_=2) is None  # nothing changed
    longer = made.apply("dazed", for_=4)
    assert longer is not None
    assert longer.number == first.number
    assert made.take_arrivals() == []  # renewed, not arrived
    assert made.apply("dazed", for_=0) is None
    made.apply("prone")
    assert made.apply("prone") is None


def test_instances_are_told_apart_by_their_parameters() -> None:
    made = sheet({"hooked": {"params": [{"name": "on", "type": "choice", "of": ["wine", "tea"]}]}})
    for on in ("wine", "tea", "wine"):
        made.apply("hooked", {"on": on})
    assert [one.params["on"] for one in made.instances("hooked")] == ["wine", "tea"]
    assert made.has("hooked", {"on": "tea"})
    assert made.frame().run(f("has(hooked, on='wine')"))
    assert made.remove("hooked", {"on": "wine"})
    assert not made.has("hooked", {"on": "wine"})


def test_what_cannot_be_applied() -> None:
    made = sheet({"prone": {}, "dazed": TURN, "off": {"option": ["option", "lamps"]}}, options={"lamps": _off()})
    with pytest.raises(UnknownName, match=r"there is no condition pron\. Did you mean prone\?"):
        made.apply("pron")
    with pytest.raises(BadInput, match="Prone has no levels"):
        made.apply("prone", level=2)
    with pytest.raises(BadInput, match="Prone does not last a number of turns or the like"):
        made.apply("prone", for_=2)
    with pytest.raises(BadInput, match="Dazed lasts some time; say how many of turn"):
        made.apply("dazed")
    with pytest.raises(NotAllowed, match="Off belongs to an option that is off"):
        made.apply("off")


def _off() -> dict[str, Any]:
    return {"spec": {"type": "bool", "default": False}}


def test_levels_are_taken_away_one_by_one_or_whole() -> None:
    made = sheet({"tired": {"stacking": "levels"}}, {"conditions": "tired: 3"})
    removal = made.remove("tired", level=1)
    assert [one.level for one in removal.lowered] == [3]
    assert state(made) == [("tired", 2, None)]
    assert made.remove("tired", level=5).gone
    assert not made.remove("tired")


def test_a_level_that_may_not_fall() -> None:
    made = sheet(
        {"tired": {"stacking": "levels"}, "sick": {"forbids": [{"what": "lower", "name": "tired"}]}},
        {"conditions": "tired: 3, sick"},
    )
    removal = made.remove("tired", level=1)
    assert not removal
    assert removal.refused == "Tired may not fall: Sick forbids it"
    made.remove("sick")
    assert made.remove("tired", level=1)


def test_what_is_forbidden() -> None:
    made = sheet(
        {
            "out": {"forbids": [{"what": "name", "name": "loud"}]},
            "tired": {
                "stacking": "levels",
                "levels": [{"number": 2, "forbids": [{"what": "name", "name": "run"}]}],
            },
            "gone": {"implies": [{"name": "out"}]},
            "awake": {"suspends": [{"name": "gone"}]},
        },
        {"conditions": "tired"},
    )
    assert made.forbidden("loud") is None
    made.apply("gone")
    assert made.forbidden("loud") == "Out forbids it"
    made.apply("awake")
    assert made.forbidden("loud") is None
    assert made.forbidden("run") is None
    made.apply("tired")
    assert made.forbidden("run") == "Tired forbids it"


def test_how_long_something_remains() -> None:
    made = sheet({"dazed": {"stacking": "separate", **TURN}, "prone": {}}, {"conditions": "dazed: 2, dazed: 4"})
    assert (made.remaining("dazed"), made.remaining("prone")) == (4, 0)
    made.apply("prone")
    with pytest.raises(Exception, match="Prone has no end in time, so nothing of it remains"):
        made.remaining("prone")


def test_some_of_what_is_carried_separately_go() -> None:
    made = sheet({"dazed": {"stacking": "separate", **TURN}}, {"conditions": "dazed: 2, dazed: 4, dazed: 3"})
    assert not made.remove("dazed", level=0)
    assert [one.remaining for one in made.remove("dazed", level=1).gone] == [2]
    assert state(made) == [("dazed", 1, 4), ("dazed", 1, 3)]
    assert len(made.remove("dazed", level=5).gone) == 2


# --- moments ---------------------------------------------------------------------------------------------------


def test_moments() -> None:
    made = sheet({"guarded": {"lasts": {"until": "end of next own turn"}}})
    other = sheet({})
    roles = {"actor": made, "target": other}
    assert moment(made, "end of own turn", roles) == Until("end", "turn")
    assert moment(made, "end of next own turn", roles) == Until("end", "turn", 2)
    assert moment(made, "start of next own turn", roles) == Until("start", "turn")
    assert moment(made, "end of next target turn", roles) == Until("end", "turn", 1, "target")
    assert moment(other, "end of next actor turn", roles) == Until("end", "turn", 2, "actor")
    one = made.apply("guarded")
    assert one is not None
    assert str(one.until) == "end of next own turn"
    for text, why in (
        ("at noon", "is no moment"),
        ("end of own week", "the clock has no week"),
        ("end of cat turn", "nobody plays the role cat"),
    ):
        with pytest.raises(BadInput, match=why):
            moment(made, text, roles)


# --- by themselves ---------------------------------------------------------------------------------------------


def test_what_comes_by_itself_and_goes() -> None:
    made = sheet({"shaken": {"while": f("strain > 3")}, "dazed": {"until": f("strain == 0")}}, {"conditions": "dazed"})
    assert made.settle() == [("ended", "dazed")]
    made.change("strain", "add", 5)
    assert made.settle() == [("came", "shaken")]
    assert [one.id for one in made.take_arrivals()] == ["shaken"]
    assert made.settle() == []
    made.change("strain", "subtract", 5)
    assert made.settle() == [("went", "shaken")]


def test_what_starts_by_itself_stays_and_comes_again_only_when_it_begins_again() -> None:
    made = sheet({"dying": {"starts": f("hurt > 5")}})
    made.change("hurt", "add", 6)
    assert made.has("dying")
    assert made.settle() == [("came", "dying")]
    made.change("hurt", "subtract", 3)
    assert made.settle() == []
    assert made.has("dying")
    made.change("hurt", "add", 4)
    made.settle()
    made.remove("dying")
    assert made.settle() == []  # cared for: it would only come when hurt passes 5 anew
    assert not made.has("dying")
    made.change("hurt", "set", 0)
    made.settle()
    made.change("hurt", "set", 9)
    assert made.settle() == [("came", "dying")]


def test_the_beginning_is_remembered_in_the_character() -> None:
    made = sheet({"dying": {"starts": f("hurt > 5")}}, {"hurt": 6})
    made.settle()
    made.remove("dying")
    again = Sheet(made.rules, made.freeze())
    assert again.settle() == []


def test_one_brings_the_other_until_nothing_changes() -> None:
    made = sheet({"a": {"while": f("strain > 0")}, "b": {"while": f("has(a)")}, "c": {"starts": f("has(b)")}})
    made.change("strain", "add", 1)
    assert sorted(made.settle()) == [("came", "a"), ("came", "b"), ("came", "c")]


def test_what_brings_and_ends_itself_is_a_limit() -> None:
    made = sheet({"on": {"starts": f("not has(on)"), "until": f("has(on)")}})
    with pytest.raises(Exception, match="On") as caught:
        made.settle()
    assert isinstance(caught.value, LimitReached) or "needs itself" in str(caught.value)


def test_what_cannot_be_told_does_not_come_and_is_kept_as_a_doubt() -> None:
    made = artifact(stats={"Calm": stat()}, conditions={"shaken": {"while": f("Calm < 2")}})
    one = Sheet(made)
    assert one.settle() == []
    assert one.doubts == {"shaken": "whether Shaken holds is open: Calm is not given, and Shaken needs it"}


def test_a_condition_with_a_track_of_its_own() -> None:
    made = sheet(
        {"fire": {"tracks": [{"id": "heat", "start": f("Strength")}], "modifiers": [mod("value", "Calm", add=0)]}}
    )
    one = made.apply("fire")
    assert one is not None
    assert dict(one.tracks) == {"heat": 3}
