"""Modifiers: order, stacking groups, levels, what is suspended, and the reasons told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulesdata_runtime.errors import RulesError
from rulesdata_runtime.state.character import from_given
from rulesdata_runtime.state.modifiers import Found, combine, for_roll, on_value
from rulesdata_runtime.state.sheet import Sheet

from .artifacts import artifact, f, mod, stat


def sheet(given: dict[str, object] | None = None, **kinds: Any) -> Sheet:
    made = artifact(
        **{
            "stats": {"Strength": stat(), "Calm": stat(), "Motto": {"spec": {"type": "text", "default": "on"}}},
            "derived": {"defence": {"formula": 0}, "reach": {"formula": f("2 * Strength"), "min": 1, "max": 8}},
            "tracks": {"strain": {"max": f("4 * Strength")}},
            **kinds,
        }
    )
    return Sheet(made, from_given(made, {"Strength": 3, "Calm": 2, **(given or {})}))


def trait(*modifiers: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"modifiers": list(modifiers), **more}


def told(made: Sheet, name: str) -> tuple[list[str], list[str]]:
    result = made.worked(name).result
    return [str(one) for one in result.counted], [str(one) for one in result.not_counted]


def test_set_then_add_then_multiply_then_clamp_whatever_order_they_came_in() -> None:
    made = sheet(
        {"traits": "least, most, half, more, fixed"},
        derived={"defence": {"formula": 1}},
        traits={
            "fixed": trait(mod("value", "defence", set=10)),
            "more": trait(mod("value", "defence", add=3)),
            "half": trait(mod("value", "defence", multiply=f("frac(1, 2)"), round="up")),
            "least": trait(mod("value", "defence", at_least=9)),
            "most": trait(mod("value", "defence", at_most=8)),
        },
    )
    assert made.value("defence") == 8  # (10 + 3) / 2 is 7 up, at least 9, at most 8
    assert made.base("defence") == 1


def test_the_values_own_rounding_and_caps_come_after_its_modifiers() -> None:
    made = sheet({"traits": "long, longer"}, traits={"long": trait(mod("value", "reach", add=9)), "longer": trait()})
    assert made.value("reach") == 8
    assert made.worked("reach").caps == ("at most 8",)
    made = sheet(
        {"traits": "half"},
        derived={"reach": {"formula": f("Strength"), "round": "down"}},
        traits={"half": trait(mod("value", "reach", multiply=f("frac(1, 2)")))},
    )
    assert made.value("reach") == 1


@pytest.mark.parametrize(("how", "value"), [("up", 2), ("down", 1), ("near", 2), (None, Fraction(3, 2))])
def test_rounding_of_a_product(how: str | None, value: object) -> None:
    found = [Found("a", "A", "multiply", Fraction(1, 2), round=how)]
    assert combine(3, found, {}).value == value


def test_factors_are_multiplied_before_anything_is_rounded() -> None:
    halves = [Found(name, name, "multiply", Fraction(1, 2), round="down") for name in ("A", "B")]
    more = Found("C", "C", "multiply", Fraction(3, 4), round="down")
    for found in ([halves[0], more], [more, halves[0]]):
        assert combine(19, found, {}).value == 7
    assert combine(3, halves, {}).value == 0


def test_factors_that_round_in_different_ways_need_a_rule() -> None:
    found = [
        Found("a", "A", "multiply", Fraction(1, 2), round="up"),
        Found("b", "B", "multiply", Fraction(1, 2), round="down"),
    ]
    assert combine(8, found, {}).value == 2
    with pytest.raises(
        RulesError, match="Speed comes to 9/4, which A rounds up and B rounds down; the rules do not say"
    ):
        combine(9, found, {}, what="Speed")


def test_of_equally_good_lines_the_limits_of_all_hold() -> None:
    one = [Found("a", "A", "add", 2, stack="g"), Found("a", "A", "at_most", 8)]
    other = [Found("b", "B", "add", 2, stack="g", line=1), Found("b", "B", "at_most", 7, line=1)]
    for found in ([*one, *other], [*other, *one]):
        assert combine(9, found, {"g": "highest"}).value == 7
    worse = [Found("b", "B", "add", 1, stack="g", line=1), Found("b", "B", "at_most", 7, line=1)]
    assert combine(9, [*one, *worse], {"g": "highest"}).value == 8


def test_halves_are_rounded_away_from_zero() -> None:
    assert combine(-3, [Found("a", "A", "multiply", Fraction(1, 2), round="near")], {}).value == -2


def test_without_a_group_all_add_up() -> None:
    made = sheet(
        {"traits": "cover, wall"},
        traits={"cover": trait(mod("value", "defence", add=2)), "wall": trait(mod("value", "defence", add=3))},
    )
    assert made.value("defence") == 5


@pytest.mark.parametrize(
    ("group", "value", "reason"),
    [
        ("best", 3, "Cover: +2, only the highest of group best counts: Wall 3"),
        ("worst", 2, "Wall: +3, only the lowest of group worst counts: Cover 2"),
        ("all", 5, None),
    ],
)
def test_groups(group: str, value: int, reason: str | None) -> None:
    made = sheet(
        {"traits": "cover, wall"},
        traits={
            "cover": trait(mod("value", "defence", add=2, stack=group)),
            "wall": trait(mod("value", "defence", add=3, stack=group)),
        },
    )
    assert made.value("defence") == value
    assert told(made, "defence")[1] == ([] if reason is None else [reason])


def test_once_counts_the_same_line_of_the_same_source_once() -> None:
    made = sheet(
        {"conditions": "hit, hit", "traits": "wall"},
        conditions={"hit": {**trait(mod("value", "defence", add=-1, stack="each_once")), "stacking": "separate"}},
        traits={"wall": trait(mod("value", "defence", add=-2, stack="each_once"))},
    )
    assert made.value("defence") == -3
    assert told(made, "defence")[1] == ["Hit: -1, group each_once counts each source once"]


def test_equals_of_a_group_count_once() -> None:
    made = sheet(
        {"traits": "cover, wall"},
        traits={
            "cover": trait(mod("value", "defence", add=2, stack="best")),
            "wall": trait(mod("value", "defence", add=2, stack="best")),
        },
    )
    assert made.value("defence") == 2
    assert told(made, "defence")[0] == ["Cover: +2"]


def test_two_sets_are_an_error_unless_their_group_decides() -> None:
    kinds: dict[str, Any] = {
        "cover": trait(mod("value", "defence", set=2)),
        "wall": trait(mod("value", "defence", set=3)),
    }
    with pytest.raises(RulesError) as caught:
        sheet({"traits": "cover, wall"}, traits=kinds).value("defence")
    assert str(caught.value) == (
        "Cover sets defence to 2 and Wall sets it to 3; the rules do not say which of them counts"
    )
    for one in kinds.values():
        one["modifiers"][0]["stack"] = "worst"
    assert sheet({"traits": "cover, wall"}, traits=kinds).value("defence") == 2


def test_a_clamp_counts_only_with_the_line_it_stands_on() -> None:
    made = sheet(
        {"traits": "cover, wall"},
        traits={
            "cover": trait(mod("value", "defence", add=1, at_least=7, stack="best")),
            "wall": trait(mod("value", "defence", add=3, stack="best")),
        },
    )
    assert made.value("defence") == 3
    assert told(made, "defence")[1][1] == "Cover: at least 7, its modifier does not count"


def test_a_limit_that_makes_no_difference_is_not_told() -> None:
    made = sheet({"traits": "cover"}, traits={"cover": trait(mod("value", "defence", add=2, at_least=1, at_most=5))})
    assert told(made, "defence") == (["Cover: +2"], [])


def test_when_reads_parameters_and_the_sheet() -> None:
    made = sheet(
        {"traits": {"vest": {"plates": 2}}},
        traits={
            "vest": trait(
                mod("value", "defence", add=f("plates + Calm"), when=f("plates > 1")),
                mod("value", "defence", add=9, when=f("plates > 2")),
                params=[{"name": "plates", "min": 0, "max": 4}],
            )
        },
    )
    assert made.value("defence") == 4
    assert told(made, "defence") == (["Vest: +4"], ["Vest: add 9, counts only when plates > 2"])


def test_the_own_track_of_a_trait() -> None:
    made = sheet(
        {"traits": "vest"},
        traits={
            "vest": trait(
                mod("value", "defence", add=f("vest.wear + wear")), tracks=[{"id": "wear", "start": 4, "max": 5}]
            )
        },
    )
    assert made.value("defence") == 8
    made.change("wear", "subtract", 1, made.instances("vest")[0])
    assert made.value("defence") == 6


def test_stats_and_a_parameter_that_names_one() -> None:
    made = sheet(
        {"conditions": [{"weak": {"with": {"attribute": "Calm"}}}]},
        conditions={
            "weak": trait(
                {"target": "value", "ref": {"name": "attribute", "chosen": True}, "add": [["", -1]], "at_least": 1},
                params=[{"name": "attribute", "type": "stat", "of": ["Strength", "Calm"]}],
            )
        },
    )
    assert (made.value("Calm"), made.value("Strength")) == (1, 3)


@pytest.mark.parametrize(("cumulative", "value"), [(True, -3), (False, -2)])
def test_levels(cumulative: bool, value: int) -> None:
    levels = [{"number": n, "modifiers": [mod("value", "defence", add=-n)]} for n in (1, 2, 4)]
    made = sheet(
        {"conditions": "tired: 3"},
        conditions={"tired": {"stacking": "levels", "max": 5, "cumulative": cumulative, "levels": levels}},
    )
    assert made.value("defence") == value
    assert "Tired: add -4, belongs to level 4, and the level is 3" in told(made, "defence")[1]


def test_what_is_implied_counts_and_what_is_suspended_does_not() -> None:
    conditions = {
        "down": {"implies": [{"name": "prone"}]},
        "prone": trait(mod("value", "defence", add=-2)),
        "ribs": trait(mod("value", "defence", add=-4)),
        "splint": {"suspends": [{"name": "ribs"}, {"name": "down"}]},
    }
    made = sheet({"conditions": "down, ribs"}, conditions=conditions)
    assert made.value("defence") == -6
    assert made.has("prone")
    made.apply("splint")
    assert made.value("defence") == 0
    assert made.has("ribs")
    assert not made.has("prone")
    assert told(made, "defence")[1] == ["Ribs: add -4, suspended by Splint"]


def test_what_is_implied_has_the_parameters_of_what_implies_it() -> None:
    side = {"name": "side", "type": "choice", "of": ["left", "right"]}
    worth = {"name": "worth", "type": "int", "default": 3}
    conditions = {
        "cut": {"stacking": "separate", "params": [side], "implies": [{"name": "numb"}]},
        "burnt": {"stacking": "separate", "params": [side], "implies": [{"name": "numb"}]},
        "numb": {"params": [side, worth], **trait(mod("value", "defence", add=["neg", ["get", "worth"]]))},
    }
    made = sheet({"conditions": "cut(side: left), burnt(side: left)"}, conditions=conditions)
    assert made.has("numb", {"side": "left"})
    assert not made.has("numb", {"side": "right"})
    assert made.value("defence") == -3
    made.apply("cut", {"side": "right"})
    assert made.has("numb", {"side": "right"})
    assert made.value("defence") == -6


def test_two_that_suspend_each_other_are_an_error() -> None:
    made = sheet(
        {"conditions": "left, right"},
        conditions={
            "left": {"suspends": [{"name": "right"}], **trait(mod("value", "defence", add=1))},
            "right": {"suspends": [{"name": "left"}]},
        },
    )
    with pytest.raises(RulesError, match="Left and Right suspend each other"):
        made.value("defence")


def test_the_maximum_of_a_track() -> None:
    made = sheet(
        {"strain": 12},
        conditions={"frail": trait(mod("track_max", "strain", multiply=f("frac(3, 4)"), round="up"))},
    )
    assert made.track_max("strain") == 12
    made.apply("frail")
    assert (made.track_max("strain"), made.value("strain")) == (9, 9)


def test_rolls_by_tag_and_those_aimed_at_the_bearer() -> None:
    made = sheet(
        {"conditions": "hurt, guarded"},
        conditions={
            "hurt": trait(
                mod("roll", tags=["test"], except_=["resistance"], add={"pool": -2}),
                mod("roll", tags=["test"], add={"setback": 1}, when=f("distance > 1")),
            ),
            "guarded": trait(
                mod("against", tags=["thrown"], add={"setback": f("distance")}),
                mod("against", tags=["thrown"], upgrade={"hard": 1}),
                mod("roll", tags=["shout"], forbid=True),
            ),
        },
    )
    assert for_roll(made, ["test"], {"distance": 1}).of("add") == {"pool": -2}
    assert for_roll(made, ["test", "resistance"], {"distance": 2}).of("add") == {"setback": 1}
    both = for_roll(made, ["test", "thrown"], {"distance": 2}, against=made)
    assert both.of("add") == {"pool": -2, "setback": 3}
    assert both.of("upgrade") == {"hard": 1}
    assert for_roll(made, ["shout"]).forbidden == "Guarded forbids it"
    assert for_roll(made, ["other"]).counted == ()


def test_an_automatic_condition_counts_while_it_holds() -> None:
    made = sheet(conditions={"shaken": {"while": f("strain > 3"), **trait(mod("value", "defence", add=-1))}})
    assert made.value("defence") == 0
    made.change("strain", "add", 4)
    assert (made.value("defence"), made.has("shaken"), made.level("shaken")) == (-1, True, 1)
    made.change("strain", "subtract", 1)
    assert (made.value("defence"), made.has("shaken")) == (0, False)


def test_an_automatic_condition_that_needs_what_was_not_given_is_told() -> None:
    made = artifact(
        stats={"Strength": stat(), "Calm": stat()},
        derived={"defence": {"formula": f("Strength")}},
        conditions={"shaken": {"while": f("Calm < 2"), **trait(mod("value", "defence", add=-1))}},
    )
    partial = Sheet(made, from_given(made, {"Strength": 3}))
    assert partial.value("defence") == 3
    assert told(partial, "defence")[1] == [
        "Shaken: whether Shaken holds is open: Calm is not given, and Shaken needs it"
    ]
    with pytest.raises(RulesError, match="Calm is not given"):
        partial.has("shaken")


def test_a_condition_that_changes_what_it_hangs_on_is_told_hop_by_hop() -> None:
    made = sheet(conditions={"odd": {"while": f("defence > 0"), **trait(mod("value", "defence", add=-1))}})
    with pytest.raises(RulesError, match="a value needs itself: defence needs Odd needs defence"):
        made.value("defence")


def test_found_and_left_before_stacking() -> None:
    made = sheet({"traits": "cover"}, traits={"cover": trait(mod("value", "defence", add=2, stack="best"))})
    found, left = on_value(made, "value", "defence")
    assert [(one.source, one.verb, one.amount, one.stack) for one in found] == [("cover", "add", 2, "best")]
    assert left == []
