"""Characters: what may be given, what is refused and in which words, and the character file."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, MissingValue, RulesError, UnknownName
from rulesdata_runtime.state.character import Character, from_given, from_json, to_json
from rulesdata_runtime.state.sheet import Sheet

from .artifacts import artifact, f, mod, stat


def rules(**more: Any) -> dict[str, Any]:
    kinds: dict[str, Any] = {
        "stats": {
            "Strength": stat(),
            "Calm": stat(0, 6),
            "Speed": {"spec": {"type": "fraction", "min": 0, "max": 10, "default": 1}},
            "Armed": {"spec": {"type": "bool", "default": False}},
            "Trade": {"spec": {"type": "choice", "of": ["smith", "sailor"]}},
            "Motto": {"spec": {"type": "text"}},
        },
        "derived": {"boxes": {"formula": f("8 + ceil(Strength / 2)")}},
        "tracks": {
            "strain": {"max": f("boxes")},
            "breath": {"max": f("2 * Calm"), "start": f("2 * Calm")},
            "debt": {"type": "fraction", "min": -5},
        },
        "conditions": {
            "prone": {"ends": []},
            "stunned": {"stacking": "longest", "lasts": {"unit": "turn"}},
            "tired": {"stacking": "levels", "max": 3},
            "soothed": {"stacking": "levels", "max": 3, "lasts": {"unit": "hour"}},
            "hooked": {
                "params": [{"name": "substance", "type": "choice", "of": ["wine", "tea"]}, {"name": "n", "default": 1}],
                "stacking": "levels",
                "lasts": {"unit": "day", "for": 5},
            },
            "guarded": {"lasts": {"until": "end of next own turn"}},
        },
        "traits": {
            "vest": {
                "params": [{"name": "plates", "min": 0, "max": 4, "default": 2}],
                "tracks": [{"id": "wear", "max": f("plates * 3"), "start": f("plates")}],
            }
        },
        "environments": {"smoke": {"params": [{"name": "rating", "min": 1, "max": 3}]}},
        "options": {"lamps": {"spec": {"type": "bool", "default": False}}},
    }
    kinds.update(more)
    return artifact(**kinds)


def test_one_stat_is_enough_for_what_needs_no_more() -> None:
    character = from_given(rules(), {"Strength": 5})
    assert Sheet(rules(), character).value("boxes") == 11


def test_a_missing_stat_is_told_when_it_is_asked_for() -> None:
    sheet = Sheet(rules(), from_given(rules(), {"Strength": 5}))
    with pytest.raises(MissingValue) as caught:
        sheet.value("breath")
    assert str(caught.value) == "Calm is not given, and breath needs it"


def test_a_default_serves_where_nothing_is_given() -> None:
    assert Sheet(rules(), Character()).value("Speed") == 1


@pytest.mark.parametrize(
    ("name", "value", "held"),
    [
        ("Strength", 5, 5),
        ("Strength", "5", 5),
        ("Speed", "7/2", Fraction(7, 2)),
        ("Speed", "0.5", Fraction(1, 2)),
        ("Armed", "yes", True),
        ("Armed", "off", False),
        ("Trade", "smith", "smith"),
        ("Motto", "go on", "go on"),
    ],
)
def test_values_are_read_in_the_type_of_their_stat(name: str, value: object, held: object) -> None:
    assert from_given(rules(), {name: value}).values[name] == held


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        ({"Strenght": 5}, UnknownName, "a character has no Strenght. Did you mean Strength?"),
        ({"Strength": 9}, BadInput, "Strength is from 1 to 6, not 9"),
        ({"Strength": True}, BadInput, "Strength is a whole number, not yes"),
        ({"Strength": "7/2"}, BadInput, "Strength is a whole number, not 7/2"),
        (
            {"Strength": 2.5},
            BadInput,
            "Strength is a whole number, not 2.5; write 7/2 or the text '3.5', which are exact",
        ),
        ({"Armed": 1}, BadInput, "Armed is yes or no, not 1"),
        ({"Trade": "smit"}, BadInput, "Trade is smith or sailor, not smit. Did you mean smith?"),
        ({"boxes": 5}, BadInput, "boxes is worked out from other values and cannot be given"),
        ({"Strength": 5, "strain": 12}, BadInput, "strain is from 0 to 11, not 12"),
        ({"debt": -9}, BadInput, "debt is at least -5, not -9"),
        ({"conditions": "pron"}, UnknownName, "there is no condition pron. Did you mean prone?"),
        (
            {"conditions": "prone: 2"},
            BadInput,
            "Prone has neither levels nor a time it lasts, so 2 means nothing for it",
        ),
        ({"conditions": "tired: 4"}, BadInput, "the level of Tired is from 1 to 3, not 4"),
        ({"conditions": "stunned"}, BadInput, "Stunned lasts some time; say how many of turn"),
        ({"conditions": ["hooked"]}, BadInput, "Hooked needs substance (wine or tea)"),
        ({"environments": {"smoke": {"ratng": 2}}}, UnknownName, "Smoke has no ratng. Did you mean rating?"),
        ({"traits": "vest", "vest.wer": 1}, UnknownName, "Vest has no track wer. Did you mean wear?"),
        ({"traits": "vest", "vest.wear": 9}, BadInput, "vest.wear is from 0 to 6, not 9"),
        ({"vest.wear": 1}, UnknownName, "vest.wear: no vest is carried."),
        ({"sheet": "cat"}, BadInput, "there is no sheet cat: the rules have only one kind."),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(
    given: dict[str, object], kind: type[RulesError], text: str
) -> None:
    with pytest.raises(kind) as caught:
        from_given(rules(), given)
    assert str(caught.value) == text


def test_conditions_as_text_as_a_list_and_as_a_mapping() -> None:
    for given in ("prone, stunned: 2", ["prone", {"stunned": 2}], {"prone": None, "stunned": {"for": 2}}):
        found = from_given(rules(), {"conditions": given}).conditions
        assert [(one.id, one.remaining) for one in found] == [("prone", None), ("stunned", 2)]


def test_the_number_after_a_condition_is_its_level_where_it_has_levels() -> None:
    (tired,) = from_given(rules(), {"conditions": "tired: 2"}).conditions
    assert (tired.level, tired.remaining) == (2, None)
    (soothed,) = from_given(rules(), {"conditions": [{"soothed": {"level": 2, "for": 7}}]}).conditions
    assert (soothed.level, soothed.remaining) == (2, 7)


def test_parameters_of_a_condition() -> None:
    for given in ("hooked(substance: tea): 3", [{"hooked": {"with": {"substance": "tea"}, "level": 3}}]):
        (one,) = from_given(rules(), {"conditions": given}).conditions
        assert (dict(one.params), one.level, one.remaining) == ({"substance": "tea", "n": 1}, 3, 5)


def test_traits_and_environments_take_parameters_and_tracks() -> None:
    found = from_given(rules(), {"traits": {"vest": {"plates": 3}}, "environments": "smoke: 2", "vest.wear": 8})
    assert dict(found.traits[0].params) == {"plates": 3}
    assert dict(found.traits[0].tracks) == {"wear": 8}
    assert dict(found.environments[0].params) == {"rating": 2}


def test_a_track_may_be_given_before_what_limits_it_is_known() -> None:
    assert from_given(rules(), {"strain": 90}).tracks == {"strain": 90}


def test_more_may_be_given_to_a_character_there_is() -> None:
    base = from_given(rules(), {"Strength": 5, "strain": 3, "conditions": "prone"})
    found = from_given(rules(), {"strain": 4, "conditions": "tired"}, base)
    assert (found.values["Strength"], found.tracks["strain"]) == (5, 4)
    assert [one.id for one in found.conditions] == ["prone", "tired"]
    with pytest.raises(BadInput, match="strain is from 0 to 11, not 40"):
        from_given(rules(), {"strain": 40}, base)


def test_kinds_of_sheet() -> None:
    made = rules()
    made["system"]["sheets"] = [["person", ["Strength", "strain"]], ["crate", ["strain"]]]
    crate = from_given(made, {"sheet": "crate", "strain": 4})
    assert crate.sheet == "crate"
    with pytest.raises(BadInput, match="a crate has no Strength"):
        from_given(made, {"sheet": "crate", "Strength": 4})
    with pytest.raises(BadInput, match=r"there is no sheet crat: person or crate\. Did you mean crate\?"):
        from_given(made, {"sheet": "crat"})


# --- the character file ----------------------------------------------------------------------------------------


def everything() -> Character:
    return from_given(
        rules(),
        {
            "name": "Ada",
            "Strength": 5,
            "Speed": "7/2",
            "Armed": True,
            "strain": 4,
            "conditions": ["prone", {"tired": 2}, {"hooked": {"with": {"substance": "tea"}}}, "guarded"],
            "traits": {"vest": {"plates": 3}},
            "environments": "smoke: 1",
        },
    )


def test_a_saved_character_comes_back_the_same() -> None:
    character = everything()
    data = to_json(rules(), character)
    again, notices = from_json(rules(), json.dumps(data))
    assert notices == ()
    assert again == character
    assert to_json(rules(), again) == data


def test_the_file_says_what_it_is() -> None:
    data = to_json(rules(), from_given(rules(), {"Speed": "1/2"}))
    assert data == {
        "format": "rulesdata-character",
        "version": 1,
        "system": {"id": "demo", "version": "1.0.0", "fingerprint": "one"},
        "values": {"Speed": "1/2"},
        "options": {"lamps": False},
    }


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("{", "this is no character file: it is not JSON, or it breaks off"),
        ({}, 'this is no character file: it does not say "format": "rulesdata-character"'),
        (
            {"format": "rulesdata-character", "version": 9},
            "this character file has format version 9, and this program reads up to 1",
        ),
        (
            {"format": "rulesdata-character", "version": 1, "values": []},
            "this character file is damaged: values is no mapping",
        ),
    ],
)
def test_what_is_no_character_file(data: object, text: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_json(rules(), data)
    assert str(caught.value) == text


def test_other_rules_tell_what_changed_and_lose_nothing() -> None:
    data = to_json(rules(), everything())
    data["tracks"]["strain"] = 10
    other = rules(conditions={"prone": {}, "guarded": {}, "tired": {"stacking": "levels", "max": 1}})
    other["rules"]["strain"]["max"] = 6
    other["rules"]["Strength"]["spec"]["max"] = 4
    other["rules"]["lamps"]["spec"]["default"] = True
    other["fingerprint"] = "two"
    character, notices = from_json(other, data)
    assert notices == (
        "the rules of demo have changed since the character was saved",
        "Strength is from 1 to 4, not 5; kept aside",
        "Tired was at level 2, and the highest is now 1: set to that",
        "the rules no longer have the condition hooked; kept aside",
        "the option lamps was no and is now yes",
        "strain was 10, and it is from 0 to 6 now: set to 6",
    )
    assert character.tracks["strain"] == 6
    assert "Strength" not in character.values
    assert character.unknown["values"] == {"Strength": 5}
    # Under the old rules again, what was kept aside is back.
    back, _ = from_json(rules(), to_json(other, character))
    assert back.values["Strength"] == 5
    assert {one.id for one in back.conditions} == {"prone", "tired", "hooked", "guarded"}
    assert not back.unknown


def test_instances_without_a_number_or_with_the_same_get_one() -> None:
    data = {
        "format": "rulesdata-character",
        "version": 1,
        "conditions": [{"id": "prone"}, {"id": "tired", "number": 2}, {"id": "guarded", "number": 2}],
    }
    character, _ = from_json(rules(), data)
    assert [one.number for one in character.conditions] == [3, 2, 4]


def test_a_version_and_a_system_that_are_others_are_told() -> None:
    data = to_json(rules(), Character())
    newer = rules()
    newer["system"]["version"] = "1.1.0"
    assert from_json(newer, data)[1] == ("saved under version 1.0.0 of demo, read under 1.1.0",)
    newer["system"]["id"] = "other"
    assert from_json(newer, data)[1] == ("saved under the system demo, read under other",)


def test_a_trait_that_changes_a_stat_does_not_touch_what_is_written_down() -> None:
    made = rules(traits={"strong": {"modifiers": [mod("value", "Strength", add=1)]}})
    character = from_given(made, {"Strength": 3, "traits": "strong"})
    assert character.values["Strength"] == 3
    assert Sheet(made, character).value("Strength") == 4


# --- damaged files --------------------------------------------------------------------------------------------------


def saved_as(**fields: Any) -> dict[str, Any]:
    return {"format": "rulesdata-character", "version": 1, "system": {"id": "made", "version": "1.0.0"}, **fields}


@pytest.mark.parametrize(
    ("fields", "aside", "says"),
    [
        ({"tracks": {"strain": "7/2"}}, {"tracks": {"strain": "7/2"}}, "strain is a whole number, not 7/2; kept aside"),
        ({"clock": {"turn": -5}}, {"clock": {"turn": -5}}, "the clock does not stand before its start: turn -5"),
        ({"conditions": [{"id": "tired", "level": -3}]}, None, "the level of Tired is at least 1, not -3"),
        ({"conditions": [{"id": "prone", "age": -3}]}, None, "the age of Prone is at least 0, not -3"),
        ({"conditions": [{"id": "stunned", "remaining": 0}]}, None, "what remains of Stunned is at least 1, not 0"),
        (
            {"conditions": [{"id": "prone"}, {"id": "prone"}]},
            {"conditions": [{"id": "prone"}]},
            "Prone stands there twice",
        ),
        ({"started": [[1], None, {}]}, {}, None),
    ],
)
def test_what_no_play_can_have_left_is_kept_aside(
    fields: dict[str, Any], aside: dict[str, Any] | None, says: str | None
) -> None:
    made = rules()
    hero, notices = from_json(made, saved_as(**fields))
    assert dict(hero.unknown) == (fields if aside is None else aside)
    assert says is None or any(says in notice for notice in notices), notices
    assert from_json(made, to_json(made, hero))[0] == hero


def test_own_tracks_are_held_to_their_limits_and_told() -> None:
    hero, notices = from_json(rules(), saved_as(traits=[{"id": "vest", "tracks": {"wear": 99}}]))
    assert hero.traits[0].tracks == {"wear": 6}
    assert any("wear was 99, and it is from 0 to 6 now: set to 6" in notice for notice in notices), notices


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "9" * 6_000, "NaN", b"\xff\xfe"])
def test_a_file_that_is_none_is_refused(text: str | bytes) -> None:
    with pytest.raises(BadInput, match="this is no character file"):
        from_json(rules(), text)


# --- nothing changes a character ------------------------------------------------------------------------------------


def test_a_character_cannot_be_changed_from_outside() -> None:
    made = rules()
    hero = from_given(made, {"Strength": 3, "strain": 1, "traits": "vest", "conditions": "guarded"})
    for again in (hero, from_json(made, to_json(made, hero))[0], Sheet(made, hero).freeze()):
        for values in (again.values, again.tracks, again.clock, again.traits[0].params, again.traits[0].tracks):
            whole: Any = values
            with pytest.raises(TypeError, match="a character never changes"):
                whole["Strength"] = 99
            with pytest.raises(TypeError, match="a character never changes"):
                whole.update(Strength=99)
            with pytest.raises(TypeError, match="a character never changes"):
                whole |= {"Strength": 99}
        assert again == hero
        assert hash(again) == hash(hero)
        assert copy.deepcopy(again) == pickle.loads(pickle.dumps(again)) == hero
