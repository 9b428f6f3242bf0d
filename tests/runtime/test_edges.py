"""Edges: what is nudged, what an example notices, what is left and why."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulesdata_runtime import cli
from rulesdata_runtime.proving.edges import find_edges
from rulesdata_runtime.proving.edges_code import nudges, replaced
from rulesdata_runtime.proving.edges_rows import kept, moved
from rulesdata_runtime.proving.edges_sites import edges
from rulesdata_runtime.rules import Rules

from .artifacts import apply, artifact, change, f, mod, stat


def told(code: Any) -> list[str]:
    return [one.told for one in nudges(code)]


def example(**fields: Any) -> dict[str, Any]:
    return {"at": ["rules.yaml", 40, 5], **fields}


def left(rules: dict[str, Any], **slots: Any) -> list[str]:
    return [f"{one.id}, {one.told}" for one in find_edges(Rules(artifact(slots=slots, **rules))).unnoticed]


# --- formulas ------------------------------------------------------------------------------------------------------


def test_a_number_goes_up_and_down_and_a_rounding_turns_over() -> None:
    assert told(f("8 + ceil(Strength / 2)")) == ["8 to 9", "8 to 7", "ceil to floor", "2 to 3", "2 to 1"]


def test_equal_numbers_are_told_apart() -> None:
    assert told(f("2 + 2 * Strength")) == [
        "the first 2 to 3",
        "the first 2 to 1",
        "the second 2 to 3",
        "the second 2 to 1",
    ]


def test_a_comparison_with_a_whole_number_is_nudged_by_its_number_alone() -> None:
    assert told(f("wounds >= 3")) == ["3 to 4", "3 to 2"]
    assert told(f("wounds >= Strength")) == [">= to >"]
    assert told(["==", ["get", "kind"], "small"]) == ["is to is not"]
    assert told(f("1 <= wounds < Strength")) == ["< to <=", "1 to 2", "1 to 0"]


def test_dice_lose_a_side_and_counts_and_kept_dice_are_numbers() -> None:
    assert told(["sum", ["roll", 4, 6, {"keep": ["kh", 3], "r": [1]}]]) == [
        "d6 to d5",
        "r1 to r2",
        "kh3 to kh4",
        "kh3 to kh2",
        "4 to 5",
        "4 to 3",
    ]
    assert told(["digits", [6, 6]]) == ["the first d6 to d5", "the second d6 to d5"]
    assert told(["count", ["get", "pool"], [">="], [5]]) == ["5 to 6", "5 to 4"]


def test_a_fraction_moves_by_one_of_its_parts_and_stays_in_lowest_terms() -> None:
    assert [(one.told, one.value) for one in nudges(["frac", 3, 4])] == [
        ("3/4 to 1", 1),
        ("3/4 to 1/2", ["frac", 1, 2]),
    ]


def test_names_and_truths_have_no_edges() -> None:
    for code in (["get", "wounds"], ["of", "target", "wounds"], ["level", "weary", None], True, None, "small"):
        assert told(code) == []
    assert told(["has", "weary", {"depth": 2}, None]) == ["2 to 3", "2 to 1"]
    assert told(["lookup", "prices", [1, ["get", "size"]], None]) == ["1 to 2", "1 to 0"]


def test_what_is_replaced_is_a_copy() -> None:
    code = f("8 + ceil(Strength / 2)")
    for one in nudges(code):
        assert replaced(code, one.path, one.value) != code
    assert code == f("8 + ceil(Strength / 2)")


# --- rows ----------------------------------------------------------------------------------------------------------


def borders(keys: Any, below: str | None = None, above: str | None = None) -> list[tuple[int, int, int | None]]:
    return [(one.number, one.loser, one.to) for one in moved(keys, below, above)]


def test_a_border_gives_its_numbers_to_the_neighbour() -> None:
    keys: list[list[Any]] = [[[1, 2]], [[3, 6]], [[7, None]]]
    assert borders(keys) == [(1, 0, None), (3, 1, 0), (2, 0, 1), (7, 2, 1), (6, 1, 2)]
    first = next(one for one in moved(keys, None, None) if one.number == 3)
    assert [key for _, key in kept(first.ends)] == [[1, 3], [4, 6]]


def test_a_row_of_one_number_can_be_lost_whole() -> None:
    one = next(one for one in moved([[[1, 1]], [[2, 2]]], None, None) if one.number == 2 and one.to == 0)
    assert [key for _, key in kept(one.ends)] == [[1, 2], None]


def test_the_outermost_edge_is_none_where_the_outside_falls_to_that_row() -> None:
    assert borders([[[1, 6]]], "first", "last") == []
    assert borders([[[1, 6]]], "none", None) == [(1, 0, None), (0, 0, 0), (6, 0, None)]


def test_keys_of_one_row_that_meet_have_no_border_and_choices_none_at_all() -> None:
    assert borders([[[1, 2], [3, 4]]]) == [(1, 0, None), (4, 0, None)]
    choices: list[list[Any]] = [["small"], ["big"]]
    assert borders(choices) == []


def test_numbers_of_digit_dice_move_over_the_gap() -> None:
    assert borders([[[11, 16]], [[21, 26]]])[1:3] == [(21, 1, 0), (16, 0, 1)]


# --- whole rules ---------------------------------------------------------------------------------------------------

BOXES = {"formula": f("8 + ceil(Strength / 2)")}


def boxes(*strengths: int) -> dict[str, Any]:
    given = [example(given={"Strength": one}, expect={"boxes": 8 + (one + 1) // 2}) for one in strengths]
    return {"stats": {"Strength": stat()}, "derived": {"boxes": {**BOXES, "examples": given}}}


def test_an_edge_is_noticed_when_an_example_comes_out_otherwise() -> None:
    assert left(boxes(3, 4)) == []
    assert left(boxes(6)) == ["boxes, formula: 8 + ceil(Strength / 2): ceil to floor"]
    assert len(left(boxes())) == 5


def test_a_threshold_wants_an_example_on_both_sides() -> None:
    def rule(*wounds: int) -> dict[str, Any]:
        shown = [example(given={"wounds": one}, expect={"conditions": ["weary"] if one >= 3 else []}) for one in wounds]
        condition = {"while": f("wounds >= 3"), "examples": shown}
        return {
            "tracks": {"wounds": {"max": f("Strength")}},
            "stats": {"Strength": stat(default=5)},
            "conditions": {"weary": condition},
        }

    weary = [one for one in left(rule(3)) if one.startswith("weary")]
    assert weary == ["weary, while: wounds >= 3: 3 to 2"]
    assert [one for one in left(rule(2, 3)) if one.startswith("weary")] == []


def test_an_example_elsewhere_may_notice() -> None:
    rules = boxes(3)
    rules["derived"]["double"] = {
        "formula": f("boxes + boxes"),
        "examples": [example(given={"Strength": 4}, expect={"double": 20})],
    }
    assert left(rules) == []


def test_a_slot_a_cost_and_a_step_have_edges() -> None:
    rules: dict[str, Any] = {
        "tracks": {"lamps": {"max": f("9 + 0 * lamps_more"), "start": 3}},
        "stats": {"lamps_more": stat(0, 1, default=0)},
        "actions": {
            "light": {
                "slots": [["hands", 2]],
                "effect": [change("subtract", "lamps", 1)],
                "examples": [example(expect={"lamps": 2})],
            }
        },
    }
    found = left(rules, hands={"id": "hands", "each": "turn", "free": 2, "at": ["rules.yaml", 2, 3]})
    assert "light, slot.hands: 2 to 1" in found
    assert "hands, free: 2 to 3" in found
    assert not any(one.startswith(("light, effect", "light, slot.hands: 2 to 3", "lamps, start")) for one in found)


def test_a_number_set_below_what_a_track_can_hold_is_no_edge() -> None:
    rules = artifact(
        tracks={"lamps": {"max": 9, "start": 0, "resets": [{"each": ["day"], "to": 0}]}},
        procedures={"put_out": {"steps": [change("set", "lamps", 0)]}},
    )
    found = [one.told for one in edges(rules, lambda _: True)]
    assert found == ["max: 9 to 10", "max: 9 to 8", "start: 0 to 1", "resets.1.to: 0 to 1", "steps.1.set.lamps: 0 to 1"]


def test_declared_ranges_texts_and_examples_have_no_edges_and_defaults_stay_in_their_range() -> None:
    rules = artifact(
        stats={
            "Luck": {
                **stat(0, 6, default=0),
                "text": ["up to ", {"code": 6, "said": "6"}],
                "examples": [example(expect={"Luck": 0})],
            }
        }
    )
    assert [one.told for one in edges(rules, lambda _: True)] == ["default: 0 to 1"]


def test_modifiers_and_lengths_have_edges() -> None:
    rules = artifact(
        conditions={
            "weary": {
                "lasts": {"unit": "turn", "for": 3},
                "modifiers": [mod("value", "pace", add=-2, at_least=1)],
                "effect": [apply("weary", for_=2)],
            }
        }
    )
    where = {one.where for one in edges(rules, lambda _: True)}
    assert where == {"lasts.for", "modifiers.1.add", "modifiers.1.at_least", "effect.1.for"}


def test_what_a_family_or_a_like_roll_shares_comes_once() -> None:
    made = {
        f"calm[{one}]": {"formula": f("2 + 0 * 3"), "family": ["calm", one], "at": ["rules.yaml", 3, 3]}
        for one in ("Wit", "Will")
    }
    roll = {"value": ["sum", ["roll", 1, 6, {}]], "at": ["rules.yaml", 9, 3]}
    rules = artifact(derived=made, rolls={"check": roll, "other": {**roll, "like": "check"}})
    found = list(edges(rules, lambda _: True))
    assert {one.id for one in found} == {"calm[Wit]", "check"}
    assert {one.same for one in found if one.id == "calm[Wit]"} == {("calm[Will]",)}
    changed = found[0].applied(rules)
    assert changed["rules"]["calm[Wit]"]["formula"] == changed["rules"]["calm[Will]"]["formula"] != f("2 + 0 * 3")


def table(**more: Any) -> dict[str, Any]:
    rows = [
        {"id": "low", "at": [[1, 2]], "cells": [["value", 4]]},
        {"id": "high", "at": [[3, 6]], "cells": [["value", 7]]},
    ]
    return {
        "form": "by",
        "by": [{"name": "height", "type": "int", "min": 1, "max": 6}],
        "columns": [{"name": "value", "type": "int"}],
        "rows": rows,
        **more,
    }


def test_one_example_may_hold_several_cases() -> None:
    def shown(values: list[int]) -> dict[str, Any]:
        return {
            "tables": {
                "fall": table(examples=[example(**{"with": {"height": [1, 2, 3, 6]}}, expect={"value": values})])
            }
        }

    assert left(shown([4, 4, 7, 7])) == []
    with pytest.raises(Exception, match="1 worked examples do not come out"):
        left(shown([4, 4, 7, 8]))


def test_cells_side_by_side_that_say_the_same_have_no_border() -> None:
    keys = [{"name": "arms", "type": "choice", "of": ["sling"]}, {"name": "metres", "type": "int", "min": 0, "max": 20}]
    cells = [[[0, 6], 13], [[7, 12], 13], [[13, None], 15]]
    rows = [{"id": "sling", "at": ["sling"], "second": cells}]
    found = edges(artifact(tables={"aim": table(by=keys, rows=rows)}), lambda _: True)
    borders = [one.what for one in found if "goes to" in one.what]
    assert borders == ["13 goes to 7-12", "12 goes to 13+"]


def test_an_example_may_set_options() -> None:
    rules = {
        "options": {"hard": {"spec": {"name": "hard", "type": "bool", "default": False}}},
        "derived": {
            "pace": {
                "formula": f("9 if option(hard) else 4"),
                "examples": [example(expect={"pace": 4}), example(given={"options.hard": True}, expect={"pace": 9})],
            },
            "rest": {
                "formula": 5,
                "option": f("option(hard)"),
                "examples": [example(given={"options.hard": "on"}, expect={"rest": 5})],
            },
        },
    }
    assert left(rules) == []


# --- reasons and the command ---------------------------------------------------------------------------------------


def test_a_reason_lets_an_edge_stand_and_one_that_nothing_needs_is_told() -> None:
    rules = boxes(6)
    rules["derived"]["boxes"]["unpinned"] = [["formula", "Nobody is that weak."], ["max", "There is none."]]
    found = find_edges(Rules(artifact(**rules)))
    assert found.unnoticed == ()
    assert [(one.edge.what, one.why) for one in found.left] == [
        ("8 + ceil(Strength / 2): ceil to floor", "Nobody is that weak.")
    ]
    assert found.unneeded == (("boxes", "max", "There is none."),)


def test_a_reason_on_a_family_is_needed_by_all_of_it() -> None:
    made = {
        f"calm[{one}]": {
            "formula": f("0 * 3"),
            "family": ["calm", one],
            "at": ["rules.yaml", 3, 3],
            "unpinned": [["formula", "Nothing it is."]],
        }
        for one in ("Wit", "Will")
    }
    found = find_edges(Rules(artifact(derived=made)))
    assert (found.unnoticed, found.unneeded) == ((), ())
    assert {one.why for one in found.left} == {"Nothing it is."}


def command(capsys: pytest.CaptureFixture[str], rules: dict[str, Any], *words: str) -> tuple[int, str]:
    status = cli.main(["test", "demo", "--edges", *words], load=lambda *_: Rules(artifact(**rules)))
    return status, capsys.readouterr().out


def test_the_command_lists_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = command(capsys, boxes(6))
    assert status == 1
    assert out.splitlines() == [
        "rules.yaml:2:3: boxes, formula: 8 + ceil(Strength / 2): ceil to floor",
        "5 edges: 4 noticed by worked examples, 0 left with a reason, 1 that no example notices",
    ]
    assert command(capsys, boxes(3, 4))[0] == 0


def test_the_command_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = command(capsys, boxes(6), "--json")
    shape = json.loads(out)
    assert status == 1
    assert shape["edges"] == 5
    assert shape["unnoticed"] == [
        {"rule": "boxes", "place": "rules.yaml:2:3", "what": "formula: 8 + ceil(Strength / 2): ceil to floor"}
    ]
    assert shape["left"] == []


def test_examples_that_fail_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    rules = boxes(6)
    rules["derived"]["boxes"]["examples"][0]["expect"]["boxes"] = 12
    status, out = command(capsys, rules)
    assert status == 1
    assert "boxes is 11, not 12" in out
    assert "0 of 1 worked examples come out; the edges are looked for when all do" in out
