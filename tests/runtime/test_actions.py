"""Actions: what is legal and why not, slots and how further uses are bought, and doing it."""

from __future__ import annotations

from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, NeedsAnswer, NotAllowed
from rulesdata_runtime.play.play import Play
from rulesdata_runtime.rules import Rules
from rulesdata_runtime.state.actions import ActionState, act, legal, look
from rulesdata_runtime.state.character import from_given
from rulesdata_runtime.state.clock import advance
from rulesdata_runtime.state.sheet import Sheet
from rulesdata_runtime.state.slots import state

from .artifacts import apply, artifact, change, f, mod, say, stat

SLOTS = {
    "move": {
        "title": "Move",
        "each": "turn",
        "free": 1,
        "cap": 2,
        "more": [
            {"id": "strain", "title": "Suffer strain", "steps": [change("add", "strain", 2)]},
            {"id": "trade", "title": "Give up the deed", "slot": "deed"},
        ],
    },
    "deed": {"title": "Deed", "each": "turn", "free": 1, "cap": 1},
    "talk": {"title": "Talk", "each": "turn"},
    "budget": {"title": "Budget", "each": "turn", "free": 3},
}


def play(
    given: dict[str, object] | None = None, answers: dict[str, Any] | None = None, **kinds: Any
) -> tuple[Play, Sheet]:
    made = artifact(
        slots=SLOTS,
        **{
            "stats": {"Strength": stat(), "Calm": stat()},
            "tracks": {"strain": {"max": 5}, "paid": {"max": 9}},
            "conditions": {
                "prone": {},
                "out": {"forbids": [{"what": "name", "name": "deed"}, {"what": "name", "name": "loud"}]},
                "lame": {"modifiers": [mod("slot", "move", set={"free": 0})]},
                "quick": {"modifiers": [mod("slot", "move", add={"free": 1, "cap": 1})]},
                "numb": {"modifiers": [mod("slot", "talk", forbid=True)]},
                "aimed": {"stacking": "levels", "ends": [{"what": "any_action_but", "names": ["aim"]}]},
            },
            "actions": {
                "aim": {"slots": [["move", None]], "effect": [apply("aimed")]},
                "stand_up": {
                    "slots": [["move", None]],
                    "requires": [{"that": f("has(prone)"), "else": "You are on your feet"}],
                    "effect": [{"step": "remove", "ref": {"name": "prone"}}],
                },
                "strike": {
                    "slots": [["deed", None]],
                    "modifiers": [mod("value", "Strength", add=1)],
                    "effect": [change("add", "paid", f("Strength"))],
                },
                "shout": {"slots": [["talk", None]], "tags": ["loud"], "effect": [say("hey")]},
                "great_deed": {"slots": [["budget", 2]]},
                "charge": {"slots": [["move", None], ["deed", None]]},
                "dodge": {"outside_turn": True},
                "pay": {
                    "params": [{"name": "sum", "min": 1, "max": 9}],
                    "requires": [
                        {"that": f("sum <= Calm"), "else": ["At most ", {"code": ["get", "Calm"], "said": "Calm"}]}
                    ],
                    "effect": [change("add", "paid", f("sum"))],
                },
                "hidden": {"option": ["option", "lamps"]},
            },
            "options": {"lamps": {"spec": {"type": "bool", "default": False}}},
            **kinds,
        },
    )
    rules = Rules(made)
    hero = Sheet(rules, from_given(rules, {"Strength": 3, "Calm": 2, **(given or {})}))
    return Play(rules, {"hero": hero}, None, answers), hero


def reason(table: Play, hero: Sheet, action: str) -> str | None:
    return look(table, hero, action).reason


def test_what_is_legal_and_what_it_takes() -> None:
    table, hero = play()
    found = {one.id: one for one in legal(table, hero)}
    assert "hidden" not in found
    assert found["aim"] == ActionState("aim", "Aim", True, None, (("move", 1),))
    assert found["stand_up"].reason == "You are on your feet"
    assert found["great_deed"].cost == (("budget", 2),)
    assert found["pay"] == ActionState("pay", "Pay", True, None, (), (), ("At most {Calm}",))


def test_doing_it_uses_the_slot_and_runs_the_effect() -> None:
    table, hero = play({"conditions": "prone"})
    act(table, hero, "stand_up")
    assert not hero.has("prone")
    assert hero.used == {"move": 1}
    assert table.log[0].text == "Stand up"


def test_what_is_forbidden_by_slot_by_tag_and_by_modifier() -> None:
    table, hero = play({"conditions": "out, numb"})
    assert reason(table, hero, "strike") == "Out forbids it"
    assert reason(table, hero, "shout") == "Out forbids it"
    hero.remove("out")
    assert reason(table, hero, "shout") == "Numb forbids it"
    with pytest.raises(NotAllowed, match="Shout: Numb forbids it"):
        act(table, hero, "shout")


def test_a_further_use_is_bought_and_the_player_says_how() -> None:
    table, hero = play()
    act(table, hero, "aim")
    assert look(table, hero, "aim").pay == (("move", "strain", "Suffer strain"), ("move", "trade", "Give up the deed"))
    with pytest.raises(NeedsAnswer, match=r"Move, one more.*strain \(Suffer strain\), trade \(Give up the deed\)"):
        act(table, hero, "aim")
    table, hero = play(answers={"move": "strain"})
    act(table, hero, "aim")
    act(table, hero, "aim")
    assert (hero.used, hero.value("strain"), hero.level("aimed")) == ({"move": 2}, 2, 2)
    assert reason(table, hero, "aim") == "Move: no more than 2 each turn"


def test_the_only_way_that_can_be_paid_is_taken() -> None:
    table, hero = play({"strain": 4})
    act(table, hero, "aim")
    act(table, hero, "aim")
    assert (hero.used, hero.value("strain")) == ({"move": 2, "deed": 1}, 4)
    assert reason(table, hero, "strike") == "Deed: no more than 1 each turn"


def test_what_cannot_be_paid_in_full_is_refused_and_says_why() -> None:
    table, hero = play({"strain": 4})
    act(table, hero, "strike")
    act(table, hero, "aim")
    assert reason(table, hero, "aim") == (
        "Move: the 1 of this turn is used up; Suffer strain: strain is 4 and would become 6, but the most is 5"
        " and Give up the deed: Deed: no more than 1 each turn"
    )
    assert (hero.value("strain"), hero.strict) == (4, False)


def test_a_way_is_not_paid_with_what_the_action_itself_needs() -> None:
    table, hero = play({"strain": 4})
    act(table, hero, "aim")
    assert reason(table, hero, "charge") is not None
    hero.change("strain", "set", 0)
    assert look(table, hero, "charge").pay == (("move", "strain", "Suffer strain"),)


def test_modifiers_of_a_slot() -> None:
    table, hero = play({"conditions": "lame", "strain": 5})
    hero.used["deed"] = 1
    assert reason(table, hero, "aim") == (
        "Move: none is free; Suffer strain: strain is 5 and would become 7, but the most is 5"
        " and Give up the deed: Deed: no more than 1 each turn"
    )
    hero.remove("lame")
    hero.apply("quick")
    assert (state(hero, "move").free, state(hero, "move").cap) == (2, 3)
    assert (state(hero, "talk").free, state(hero, "talk").left) == (None, None)


def test_a_shared_budget() -> None:
    table, hero = play()
    act(table, hero, "great_deed")
    assert reason(table, hero, "great_deed") == "Budget: the 3 of this turn are used up"
    advance(table, hero, "turn")
    assert reason(table, hero, "great_deed") is None


def test_what_cannot_be_told_is_not_allowed_and_says_so() -> None:
    table, hero = play()
    del hero.values["Calm"]
    made = look(table, hero, "stand_up")
    assert made.reason == "You are on your feet"
    hero.book.rules["aim"]["requires"] = [{"that": f("Calm > 1")}]  # type: ignore[index]  # rules made for this test
    assert reason(table, hero, "aim") == "it cannot be told: Calm is not given"


def test_outside_ones_turn() -> None:
    table, hero = play()
    found = {one.id: one.reason for one in legal(table, hero, own_turn=False)}
    assert (found["dodge"], found["aim"]) == (None, "only in one's own turn")


def test_parameters_and_requirements_that_read_them() -> None:
    table, hero = play()
    act(table, hero, "pay", {"sum": 2})
    assert hero.value("paid") == 2
    with pytest.raises(NotAllowed, match="Pay: At most 2"):
        act(table, hero, "pay", {"sum": 3})
    with pytest.raises(BadInput, match=r"Pay needs sum \(a whole number\)"):
        act(table, hero, "pay")


def test_a_parameter_of_what_is_carried_waits_as_well() -> None:
    side = {"name": "side", "type": "choice", "of": ["left", "right"]}
    numb = ["not", ["has", "numb", {"side": ["get", "side"]}, None]]
    table, hero = play(
        {"conditions": "numb(side: left)"},
        conditions={"numb": {"params": [side]}},
        actions={"grip": {"params": [side], "requires": [{"that": numb, "else": "No feeling there"}]}},
    )
    seen = look(table, hero, "grip")
    assert (seen.allowed, seen.open) == (True, ("No feeling there",))
    act(table, hero, "grip", {"side": "right"})
    with pytest.raises(NotAllowed, match="No feeling there"):
        act(table, hero, "grip", {"side": "left"})


def test_the_modifiers_of_an_action_count_while_it_is_done() -> None:
    table, hero = play()
    act(table, hero, "strike")
    assert (hero.value("paid"), hero.value("Strength")) == (4, 3)


def test_any_other_action_ends_what_it_should() -> None:
    table, hero = play()
    act(table, hero, "aim")
    assert hero.has("aimed")
    act(table, hero, "shout")
    assert not hero.has("aimed")


def test_an_option_that_is_off() -> None:
    table, hero = play()
    with pytest.raises(NotAllowed, match="Hidden belongs to an option that is off"):
        act(table, hero, "hidden")


def test_as_json() -> None:
    table, hero = play({"strain": 4})
    act(table, hero, "aim")
    assert look(table, hero, "aim").to_json() == {
        "id": "aim",
        "title": "Aim",
        "allowed": True,
        "cost": {"move": 1},
        "pay": [{"slot": "move", "id": "trade", "title": "Give up the deed"}],
    }
