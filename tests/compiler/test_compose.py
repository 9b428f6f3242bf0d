"""House rules that are fine: what comes of them, and what is remembered of where it came from."""

from __future__ import annotations

from typing import Any

import pytest
from overlays import RULES, composed, fine, house, said

from rulesdata_compiler import Compiled, report
from rulesdata_runtime.artifact import open_artifact
from rulesdata_runtime.rules import Rules


def change(text: str, **more: str) -> str:
    return house(f"change:\n  {text}\n", **more)


def rules(*houses: str) -> Rules:
    compiled = composed(*houses)
    assert report(compiled) == ""
    assert compiled.artifact is not None
    return Rules(open_artifact(compiled.artifact))


# --- change --------------------------------------------------------------------------------------------------------


def test_base_is_the_formula_below_in_brackets() -> None:
    made = fine(change("derived: {boxes: {formula: 2 * base, examples: changed}}"))
    assert made["boxes"]["said"] == {"formula": "2 * (8 + ceil(strength / 2))"}
    assert rules(change("derived: {boxes: {formula: 2 * base, examples: changed}}")).value("boxes", strength=5) == 22


def test_base_of_a_ranked_overlay_is_the_composed_formula() -> None:
    first = change("derived: {boxes: {formula: base + 1, examples: changed}}")
    second = change("derived: {boxes: {formula: 2 * base}}", id_="monday", extends="friday")
    assert rules(first, second).value("boxes", strength=5) == 24


def test_base_is_a_word_like_any_other_in_prose() -> None:
    made = fine(change("derived: {boxes: {text: The base of all.}}"))
    assert made["boxes"]["text"] == ["The base of all."]


@pytest.mark.parametrize("value", ["on", "yes", "true", "{value: on}", "{value: yes, was: off, why: Dark here}"])
def test_an_option_is_set(value: str) -> None:
    assert rules(change(f"options: {{lanterns: {value}}}")).book.option("lanterns") is True


def test_a_field_that_was_not_there_is_set() -> None:
    assert rules(change("derived: {boxes: {max: 10, examples: changed}}")).value("boxes", strength=6) == 10


def test_was_speaks_of_the_keys_it_names() -> None:
    text = "procedures: {{hurt: {{results: {{left: base + 1}}, was: {{results: {{left: {}}}}}, examples: changed}}}}"
    assert rules(change(text.format("(boxes - wounds)"))).run("hurt", strength=5, amount=3).results["left"] == 9
    assert "hurt.results.left is boxes - wounds now, and `was` says boxes" in said(change(text.format("boxes")))


def test_rows_by_id_and_in_any_spelling() -> None:
    made = fine(
        change("tables: {mishap: {rows: {trip: {at: 1-3, was: 01–02}, burn: {at: 4}}}, fall: {rows: {4-6: base + 1}}}")
    )
    rows = {row["id"]: row for row in _rows(made, "mishap")}
    assert (rows["trip"]["at"], rows["burn"]["at"]) == ([[1, 3]], [[4, 4]])
    assert [row["cells"] for row in _rows(made, "fall")] == [[["value", 1]], [["value", 4]], [["value", 5]]]


def test_a_short_row_keeps_its_id_where_it_moves() -> None:
    made = fine(change("tables: {fall: {rows: {07-09: {at: 7-12}}}}"))
    last = _rows(made, "fall")[-1]
    assert (last["id"], last["at"], last["cells"]) == ("7-9", [[7, 12]], [["value", 5]])


def test_steps_modifiers_and_parameters_by_id() -> None:
    made = fine(
        change("procedures: {hurt: {steps: {daze: {for: base + 1}, tell: {say: Ouch}}, params: {amount: {max: 12}}}}"),
        change("conditions: {dazed: {modifiers: {slow: {add: base - 1}}}}", id_="monday"),
    )
    steps = made["hurt"]["steps"]
    assert isinstance(steps, list)
    assert steps[1]["then"][0]["for"] == 3
    assert steps[2]["text"] == ["Ouch"]
    modifiers: Any = made["dazed"]["modifiers"]
    assert modifiers[0]["add"] == [["", -2]]


def test_a_list_replaces_and_a_mapping_goes_key_by_key() -> None:
    made = fine(change("conditions: {dazed: {ends: [treated], lasts: {for: 3}}}"))
    assert [end["names"] for end in _list(made["dazed"]["ends"])] == [["treated"]]
    assert made["dazed"]["lasts"] == {"unit": "turn", "for": 3}


def test_the_header_changes_too() -> None:
    compiled = composed(
        house(
            "change:\n  system: {title: Ours, sources: {book: The old book}}\n"
            "add:\n  system: {scenes: [fight]}\n  stats: {strength: {source: table}}\n",
            more="  sources: {table: Our table}\n",
        )
    )
    assert report(compiled) == ""
    assert compiled.system is not None
    header = compiled.system.header
    assert (header.title, header.scenes) == ("Ours", ("encounter", "fight"))
    assert header.sources == (("book", "The old book"), ("table", "Our table"))


# --- add and remove ------------------------------------------------------------------------------------------------


def test_new_items_stand_where_they_say() -> None:
    made = fine(
        house(
            "add:\n  procedures: {hurt: {steps: "
            "[{say: one, before: fill}, {id: two, say: two, behind: daze}, {say: last}]}}\n"
        )
    )
    steps = _list(made["hurt"]["steps"])
    assert [step["step"] for step in steps] == ["say", "change", "when", "say", "say"]
    assert [step["step"] for step in steps[1 + 1]["then"]] == ["apply", "say"]
    assert steps[-1]["text"] == ["last"]


def test_rows_words_rules_and_parts_are_added() -> None:
    made = fine(
        house(
            "add:\n"
            "  tables: {mishap: {rows: {worse: {at: none, title: Worse, text: Oh no., days: 9, before: burn}}}}\n"
            "  derived: {boxes: {tags: [tough, old], min: 1}}\n"
            "  conditions: {sad: {title: Sad, text: So sad., stacking: ignore, ends: never, why: It is so}}\n"
        )
    )
    assert [row["id"] for row in _rows(made, "mishap")] == ["trip", "worse", "burn", "fine"]
    assert (made["boxes"]["tags"], made["boxes"]["min"]) == (["body", "tough", "old"], 1)
    assert made["sad"]["kind"] == "conditions"


def test_what_is_removed_is_gone() -> None:
    made = fine(
        house(
            "remove:\n"
            "  conditions: {lit: {why: Too bright}}\n  options: [glow, lanterns]\n"
            "  derived: {boxes: [unit, tags]}\n"
            "  procedures: {hurt: {steps: [daze, tell], examples: [A blow]}}\n"
        )
    )
    assert "lit" not in made
    assert "unit" not in made["boxes"]
    assert "then" not in _list(made["hurt"]["steps"])[1]
    assert "examples" not in made["hurt"] or made["hurt"]["examples"] == []


def test_a_row_is_removed_and_its_neighbour_takes_its_place() -> None:
    made = fine(
        house("change:\n  tables: {mishap: {rows: {burn: {at: 3-6}}}}\nremove:\n  tables: {mishap: {rows: [fine]}}\n")
    )
    assert [row["id"] for row in _rows(made, "mishap")] == ["trip", "burn"]


def test_a_new_row_of_a_decision_table_comes_before_its_else() -> None:
    table = (
        "  load:\n    title: Load\n    text: How heavy it is.\n    columns: {cost: int}\n"
        "    rows: {low: {when: strength < 3, cost: 2}, other: {else: yes, cost: 0}}\n"
    )
    base = RULES.replace("procedures:\n", table + "procedures:\n", 1).replace(
        "landed: ", 'weight: "lookup(load).cost", landed: '
    )
    made = fine(house("add:\n  tables: {load: {rows: {mid: {when: strength < 5, cost: 1}}}}\n"), rules=base)
    assert [row["id"] for row in _rows(made, "load")] == ["low", "mid", "other"]


# --- examples ------------------------------------------------------------------------------------------------------


def test_changed_examples_are_marked_and_new_ones_count() -> None:
    compiled = composed(
        change(
            "derived: {boxes: {formula: base + 2, "
            "examples: [changed, {title: Ours, given: {strength: 5}, expect: {boxes: 13}}]}}"
        )
    )
    assert report(compiled) == ""
    examples = _body(compiled)["rules"]["boxes"]["examples"]
    assert [(one["title"], one.get("changed", False)) for one in examples] == [("A strong one", True), ("Ours", False)]
    # What reads it, and comes out otherwise, is marked with it.
    assert _body(compiled)["rules"]["hurt"]["examples"][0]["changed"] is True


def test_an_example_changes_by_its_title() -> None:
    made = fine(
        change("derived: {boxes: {formula: base + 2, examples: {A strong one: {expect: {boxes: 13}}}}}").replace(
            "change:\n", "change:\n  procedures: {hurt: {examples: {A blow: {expect: {left: 10}}}}}\n"
        )
    )
    assert _list(made["boxes"]["examples"])[0]["expect"] == {"boxes": 13}


def test_an_example_of_cells_changes_by_its_title_too() -> None:
    cells = "    examples: [{title: All of it, cells: {2: trip, 3: burn, 4: burn, 5: fine}}]\n"
    made = fine(
        change("tables: {mishap: {rows: {trip: {at: 1-3}, burn: {at: 4}}, examples: {All of it: {cells: {3: trip}}}}}"),
        rules=RULES.replace("    title: Mishap\n", "    title: Mishap\n" + cells, 1),
    )
    assert _list(made["mishap"]["examples"])[0]["cells"]["3"] == "trip"


def test_an_example_of_ones_own_that_does_not_come_out() -> None:
    told = report(
        composed(
            change("derived: {boxes: {formula: base + 2, examples: changed}}"),
            house(
                "add:\n  derived: {boxes: {examples: [{title: Ours, given: {strength: 5}, expect: {boxes: 12}}]}}\n",
                id_="monday",
            ),
        )
    )
    assert told == (
        "monday.yaml:6:33: error[E801]: the example 'Ours' of boxes does not come out: boxes is 13, not 12\n"
        "   6 |   derived: {boxes: {examples: [{title: Ours, given: {strength: 5}, expect: {boxes: 12}}]}}\n"
        "     |                                 ^^^^^\n"
        "note: monday.yaml:6:84: 13 came out\n"
        "   6 |   derived: {boxes: {examples: [{title: Ours, given: {strength: 5}, expect: {boxes: 12}}]}}\n"
        "     |                                                                                    ^^\n"
        "hint: correct the rule or the example\n"
    )


# --- families ------------------------------------------------------------------------------------------------------

FAMILY = RULES.replace(
    "tracks:\n",
    "tracks:\n  alarm: {for_each: [lamp, torch], title: Alarm of a (each), text: How loud it is., max: 4}\n",
    1,
)


def test_a_family_changes_as_a_whole_and_member_by_member() -> None:
    made = fine(
        change("tracks: {alarm: {max: base + 2, title: The (each)}}"),
        change("tracks: {'alarm[lamp]': {start: 1}}", id_="monday"),
        rules=FAMILY,
    )
    assert (made["alarm[lamp]"]["max"], made["alarm[torch]"]["max"]) == (6, 6)
    assert made["alarm[torch]"]["title"] == "The torch"
    assert made["alarm[lamp]"]["start"] == 1
    assert "start" not in made["alarm[torch]"]


# --- provenance ----------------------------------------------------------------------------------------------------


def test_every_value_remembers_where_it_came_from() -> None:
    compiled = composed(
        change("derived: {boxes: {formula: base + 2, why: Tougher, examples: changed}}"),
        house("add:\n  derived: {boxes: {min: 1}}\nremove:\n  conditions: [lit]\n", id_="monday"),
    )
    assert [finding.code for finding in compiled.findings] == ["R640", "R640"]  # nobody asks for the options now
    records = _body(compiled)["provenance"]
    assert [record for record in records if record["address"][-1] != "examples"] == [
        {
            "address": ["derived", "boxes", "formula"],
            "layer": "friday",
            "span": ["friday.yaml", 6, 30],
            "before": "8 + ceil(strength / 2)",
            "after": "base + 2",
            "before_span": ["rules.yaml", 8, 14],
            "why": "Tougher",
            "code": ["+", 8, ["ceil", ["/", ["get", "strength"], 2]]],
        },
        {
            "address": ["conditions", "lit"],
            "layer": "monday",
            "span": ["monday.yaml", 8, 16],
            "before": '{title: Lit, text: "In the light of {option(glow)}.", renamed_from: bright, stacking: ignore, '
            "ends: never, option: lanterns}",
            "after": None,
            "before_span": ["rules.yaml", 28, 5],
        },
        {
            "address": ["derived", "boxes", "min"],
            "layer": "monday",
            "span": ["monday.yaml", 6, 21],
            "before": None,
            "after": "1",
        },
    ]
    assert _body(compiled)["layers"] == ["demo", "friday", "monday"]


def test_explain_works_the_formula_below_out() -> None:
    told = rules(change("derived: {boxes: {formula: base + 2, why: Tougher, examples: changed}}")).explain(
        "boxes", strength=5
    )
    assert told.origin == (
        "friday changes formula from 8 + ceil(strength / 2) to base + 2: Tougher (friday.yaml:6:30)",
        "friday says that the examples come out otherwise: Tougher (friday.yaml:6:64)",
        "base for friday: 8 + ceil(strength / 2) = 8 + ceil(5 / 2) = 8 + 3 = 11",
        "base + 2 = 11 + 2 = 13",
    )


def _rows(made: Any, table: str) -> list[Any]:
    return _list(made[table]["rows"])


def _list(value: object) -> list[Any]:
    assert isinstance(value, list)
    return value


def _body(compiled: Compiled) -> dict[str, Any]:
    assert compiled.body is not None, report(compiled)
    return compiled.body
