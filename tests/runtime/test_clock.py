"""Time: the order within one moment, units that carry each other, durations, events, resets."""

from __future__ import annotations

from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, LimitReached, UnknownName
from rulesdata_runtime.play.play import Play
from rulesdata_runtime.rules import Rules
from rulesdata_runtime.state.character import from_given
from rulesdata_runtime.state.clock import advance, happen
from rulesdata_runtime.state.sheet import Sheet

from .artifacts import apply, artifact, change, each, ends, f, mod, say, stat


def play(given: dict[str, object] | None = None, /, budget: int = 100_000, **kinds: Any) -> tuple[Play, Sheet]:
    made = artifact(
        **{
            "stats": {"Strength": stat(), "Calm": stat()},
            "tracks": {"strain": {"max": 100}, "hurt": {"max": 100}},
            **kinds,
        }
    )
    rules = Rules(made)
    hero = Sheet(rules, from_given(rules, {"Strength": 3, "Calm": 2, **(given or {})}))
    return Play(rules, {"hero": hero}, None, budget=budget), hero


def said(table: Play) -> list[str]:
    return [entry.text for entry in table.log]


def bleeding(**more: Any) -> dict[str, Any]:
    return {"each": each("turn"), "effect": [change("add", "hurt", 1)], **more}


def test_an_effect_recurs_first_after_one_interval() -> None:
    table, hero = play({"conditions": "bleeding"}, conditions={"bleeding": bleeding()})
    advance(table, hero, "turn")
    assert hero.value("hurt") == 1
    advance(table, hero, "turn", 3)
    assert hero.value("hurt") == 4


def test_an_effect_spaced_by_a_formula() -> None:
    table, hero = play({"conditions": "bleeding"}, conditions={"bleeding": bleeding(every=f("Strength"))})
    advance(table, hero, "turn", 8)
    assert hero.value("hurt") == 2
    advance(table, hero, "turn", 1)
    assert hero.value("hurt") == 3


def test_durations_fall_and_what_runs_out_does_its_last_steps() -> None:
    conditions = {
        "dazed": {"lasts": {"unit": "turn"}, "at_end": [say("over")]},
        "prone": {"ends": ends("treated"), "at_end": [say("never said")]},
    }
    table, hero = play({"conditions": "dazed: 3, prone"}, conditions=conditions)
    advance(table, hero, "turn", 2)
    assert hero.remaining("dazed") == 1
    advance(table, hero, "turn")
    assert not hero.has("dazed")
    assert said(table) == ["Dazed ends", "over"]
    hero.apply("dazed", for_=2)
    hero.remove("dazed")
    advance(table, hero, "treated")
    assert said(table)[2:] == ["Prone ends"]


def test_the_order_within_one_moment() -> None:
    conditions = {
        "a": {"each": each("turn", "start"), "effect": [say("start")]},
        "b": {"each": each("turn"), "effect": [say("passes, second")]},
        "c": {"each": each("turn", "end"), "effect": [say("end")]},
        "d": {
            "lasts": {"unit": "turn"},
            "each": each("turn"),
            "effect": [say("passes, third")],
            "at_end": [say("ran out")],
        },
    }
    table, hero = play(
        {"strain": 4, "traits": "first", "conditions": "a, b, c, d: 1"},
        conditions=conditions,
        traits={"first": {"each": each("turn"), "effect": [say("trait")]}},
        tracks={"strain": {"max": 9, "resets": [{"each": ["turn"], "to": 0}]}},
    )
    advance(table, hero, "turn")
    assert said(table) == [
        "end",
        "passes, second",
        "passes, third",
        "trait",
        "D ends",
        "ran out",
        "strain 4 → 0",
        "start",
    ]


def test_what_comes_in_a_moment_waits_for_the_next() -> None:
    conditions = {
        "source": {"each": each("turn"), "effect": [apply("spark", for_=1)]},
        "spark": {"stacking": "separate", "lasts": {"unit": "turn"}, **bleeding()},
    }
    table, hero = play({"conditions": "source"}, conditions=conditions)
    advance(table, hero, "turn")
    assert (len(hero.instances("spark")), hero.value("hurt")) == (1, 0)
    advance(table, hero, "turn")
    assert (len(hero.instances("spark")), hero.value("hurt")) == (1, 1)


def test_an_effect_may_take_its_own_condition_away_and_go_on() -> None:
    remove = {"step": "remove", "ref": {"name": "bleeding"}}
    table, hero = play(
        {"conditions": "bleeding"},
        conditions={"bleeding": {"each": each("turn"), "effect": [remove, change("add", "hurt", 2)]}},
    )
    advance(table, hero, "turn", 3)
    assert (hero.value("hurt"), hero.has("bleeding")) == (2, False)


def test_a_stop_ends_only_the_effect_it_stands_in() -> None:
    stop = {"step": "stop", "text": "enough"}
    conditions = {
        "one": {"each": each("turn"), "effect": [stop, change("add", "hurt", 5)]},
        "two": bleeding(),
    }
    table, hero = play({"conditions": "one, two"}, conditions=conditions)
    advance(table, hero, "turn")
    assert hero.value("hurt") == 1


def test_parameters_and_own_tracks_in_an_effect() -> None:
    fire = {
        "params": [{"name": "heat", "min": 1, "max": 9}],
        "tracks": [{"id": "fuel", "max": 9, "start": 2}],
        "each": each("turn"),
        "effect": [change("add", "hurt", f("heat + fuel")), change("subtract", "fire.fuel", 1)],
    }
    table, hero = play({"conditions": [{"fire": {"heat": 3}}]}, conditions={"fire": fire})
    advance(table, hero, "turn", 2)
    assert hero.value("hurt") == 3 + 2 + 3 + 1
    assert dict(hero.instances("fire")[0].tracks) == {"fuel": 0}


# --- units -----------------------------------------------------------------------------------------------------


def test_small_units_carry_bigger_ones() -> None:
    conditions = {"slow": {"each": each("minute"), "effect": [change("add", "hurt", 1)]}}
    table, hero = play({"conditions": "slow"}, conditions=conditions)
    advance(table, hero, "turn", 19)
    assert hero.value("hurt") == 0
    advance(table, hero, "turn", 1)
    assert hero.value("hurt") == 1
    assert hero.freeze().clock == {"turn": 20}


def test_a_big_unit_ticks_the_small_ones_inside_it() -> None:
    table, hero = play({"conditions": "bleeding"}, conditions={"bleeding": bleeding()})
    advance(table, hero, "turn", 5)
    advance(table, hero, "minute")
    assert hero.value("hurt") == 25
    assert hero.clock["turn"] == 25


def test_a_day_of_turns_in_which_little_is_due() -> None:
    conditions = {"dazed": {"lasts": {"unit": "turn"}}, "daily": {"each": each("day"), "effect": [say("a day")]}}
    table, hero = play({"conditions": "dazed: 1000, daily"}, budget=50, conditions=conditions)
    advance(table, hero, "day", 2)
    assert said(table) == ["Dazed ends", "a day", "a day"]


def test_counters_go_on_over_skipped_units() -> None:
    conditions = {"slow": {"each": each("turn"), "every": 30, "effect": [say("due")]}}
    table, hero = play({"conditions": "slow"}, conditions=conditions)
    advance(table, hero, "minute")
    assert hero.instances("slow")[0].age == 20
    advance(table, hero, "turn", 10)
    assert said(table) == ["due"]


def test_units_without_a_ratio_stand_alone() -> None:
    made = artifact({"clock": [["round", None], ["hour", None], ["half", ["1/2", "hour"]]]})
    rules = Rules(made)
    hero = Sheet(rules)
    table = Play(rules, {"hero": hero}, None)
    advance(table, hero, "round", 3)
    advance(table, hero, "half", 3)
    assert hero.freeze().clock == {"round": 3, "hour": hero.clock["hour"]}
    assert str(hero.clock["hour"]) == "3/2"


def test_what_time_does_not_know() -> None:
    table, hero = play()
    with pytest.raises(UnknownName, match=r"the clock has no minut.*Did you mean minute\?"):
        advance(table, hero, "minut")
    with pytest.raises(BadInput, match="how many is a whole number of at least 0, not -1"):
        advance(table, hero, "turn", -1)


def test_a_limit_of_steps() -> None:
    table, hero = play({"conditions": "bleeding"}, budget=30, conditions={"bleeding": bleeding()})
    with pytest.raises(LimitReached, match="more than 30 steps"):
        advance(table, hero, "turn", 1000)


# --- moments, events, resets -----------------------------------------------------------------------------------


def test_until_the_end_of_the_next_own_turn() -> None:
    table, hero = play(conditions={"guarded": {"lasts": {"until": "end of next own turn"}, "at_end": [say("over")]}})
    hero.apply("guarded")
    advance(table, hero, "turn")
    assert hero.has("guarded")
    advance(table, hero, "turn")
    assert not hero.has("guarded")
    assert said(table) == ["Guarded ends", "over"]


def test_until_the_start_of_the_next_own_turn() -> None:
    table, hero = play(conditions={"guarded": {"lasts": {"until": "start of next own turn"}}})
    hero.apply("guarded")
    advance(table, hero, "turn")
    assert not hero.has("guarded")


def test_until_a_moment_of_somebody_else() -> None:
    table, hero = play(conditions={"marked": {"lasts": {"until": "end of own turn"}}})
    other = Sheet(table.rules, from_given(table.rules, {"name": "Bo", "Strength": 2, "Calm": 2}))
    table.cast["target"] = other
    hero.apply("marked", until="end of target turn", roles={"hero": hero, "target": other})
    advance(table, hero, "turn", 3)
    assert hero.has("marked")
    advance(table, other, "turn")
    assert not hero.has("marked")


def test_nobody_else_is_meant_by_ones_own_turn() -> None:
    table, hero = play(conditions={"marked": {"lasts": {"until": "end of own turn"}}})
    other = Sheet(table.rules, from_given(table.rules, {"Strength": 2, "Calm": 2}))
    table.cast["target"] = other
    hero.apply("marked")
    advance(table, other, "turn")
    assert hero.has("marked")


def test_a_reset_of_the_table_reaches_every_sheet() -> None:
    made = artifact(
        tracks={"pool": {"scope": "table", "max": 9, "start": 5, "resets": [{"each": ["encounter"], "to": 5}]}},
        derived={"twice": {"formula": f("2 * pool")}},
    )
    rules = Rules(made)
    shared = Sheet(rules)
    one, other = Sheet(rules, table=shared), Sheet(rules, table=shared)
    table = Play(rules, {"one": one, "other": other}, None, table=shared)
    one.change("pool", "subtract", 2)
    assert other.value("twice") == 6
    advance(table, one, "encounter")
    assert other.value("twice") == 10


def test_what_ends_with_events() -> None:
    conditions = {
        "held": {"ends": ends("treated", "encounter")},
        "aimed": {
            "ends": [
                {"what": "after_roll", "names": ["attack"]},
                {"what": "any_action_but", "names": ["aim"]},
            ]
        },
        "lasting": {"never": True},
    }
    table, hero = play({"conditions": "held, aimed, lasting"}, conditions=conditions)
    happen(table, hero, "treated")
    happen(table, hero, roll=["defence"])
    happen(table, hero, action=["aim"])
    assert [one.id for one in hero.held.values()] == ["aimed", "lasting"]
    happen(table, hero, roll=["attack", "thrown"])
    assert not hero.has("aimed")
    hero.apply("aimed")
    happen(table, hero, action=["shout", "loud"])
    assert not hero.has("aimed")


def test_what_came_while_something_happened_does_not_end_with_it() -> None:
    table, hero = play(conditions={"held": {"ends": ends("treated")}})
    mark = hero.stamp
    hero.apply("held")
    happen(table, hero, "treated", mark=mark)
    assert hero.has("held")


def test_a_level_that_may_not_fall_stays() -> None:
    table, hero = play(
        {"conditions": "tired, sick"},
        conditions={
            "tired": {"stacking": "levels", "ends": ends("encounter")},
            "sick": {"forbids": [{"what": "lower", "name": "tired"}]},
        },
    )
    advance(table, hero, "encounter")
    assert hero.has("tired")
    assert said(table) == ["Tired stays: Sick forbids it"]


def test_effects_and_resets_with_a_scene_and_slots_with_their_unit() -> None:
    made = artifact(
        stats={"Calm": stat()},
        tracks={"luck": {"max": f("Calm"), "start": 0, "resets": [{"each": ["encounter"], "to": f("Calm")}]}},
        traits={
            "vest": {
                "each": each("encounter"),
                "effect": [say("patched")],
                "tracks": [{"id": "wear", "max": 5, "start": 3, "resets": [{"each": ["day"], "to": 0}]}],
            }
        },
        slots={"move": {"each": "turn", "free": 1}, "boast": {"each": "encounter", "free": 1}},
    )
    rules = Rules(made)
    hero = Sheet(rules, from_given(rules, {"Calm": 4, "traits": "vest"}))
    hero.used = {"move": 1, "boast": 1}
    table = Play(rules, {"hero": hero}, None)
    advance(table, hero, "turn")
    assert hero.used == {"boast": 1}
    advance(table, hero, "encounter")
    assert (hero.used, hero.value("luck")) == ({}, 4)
    assert said(table) == ["patched", "luck 0 → 4"]
    advance(table, hero, "day")
    assert hero.instances("vest")[0].tracks["wear"] == 0


def test_an_event_in_play_resets_what_nothing_has_changed_yet() -> None:
    table, hero = play(tracks={"luck": {"max": 9, "start": 2, "resets": [{"each": ["treated"], "to": 5}]}})
    happen(table, hero, "treated")
    assert (hero.value("luck"), said(table)) == (5, ["luck 2 → 5"])


def test_how_long_ago_something_was() -> None:
    table, hero = play(derived={"since": {"formula": f("elapsed(treated)")}})
    with pytest.raises(Exception, match="treated has not happened yet"):
        hero.value("since")
    happen(table, hero, "treated")
    assert hero.value("since") == 0
    advance(table, hero, "minute")
    assert hero.value("since") == 20
    assert Sheet(table.rules, hero.freeze()).value("since") == 20


def test_entry_steps_and_what_is_suspended() -> None:
    conditions = {
        "ribs": bleeding(entry=[change("add", "strain", 2)]),
        "splint": {"lasts": {"unit": "turn"}, "suspends": [{"name": "ribs"}]},
        "source": {"each": each("turn"), "effect": [apply("ribs")]},
    }
    table, hero = play({"conditions": "source, splint: 3"}, conditions=conditions)
    advance(table, hero, "turn", 3)
    assert (hero.value("strain"), hero.value("hurt")) == (2, 0)
    advance(table, hero, "turn", 2)
    assert (hero.value("strain"), hero.value("hurt")) == (2, 2)


def test_an_implied_condition_has_its_effect_too() -> None:
    conditions = {"cut": {"implies": [{"name": "bleeding"}]}, "bleeding": bleeding()}
    table, hero = play({"conditions": "cut"}, conditions=conditions)
    advance(table, hero, "turn", 2)
    assert hero.value("hurt") == 2


def test_automatic_conditions_are_brought_up_to_date() -> None:
    conditions = {
        "bleeding": bleeding(),
        "dying": {"starts": f("hurt >= 2"), "modifiers": [mod("value", "Strength", add=-1)], "entry": [say("down")]},
    }
    table, hero = play({"conditions": "bleeding"}, conditions=conditions)
    advance(table, hero, "turn", 2)
    assert hero.instances("dying")
    assert hero.value("Strength") == 2
    assert "down" in said(table)
