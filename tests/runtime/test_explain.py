"""Explanations: the formula line by line, what counted and what did not, and where it all comes from."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulesdata_runtime.state.character import from_given
from rulesdata_runtime.state.explain import carried, explain
from rulesdata_runtime.state.sheet import Sheet
from rulesdata_runtime.state.shown import show
from rulesdata_runtime.state.steps_shown import lines

from .artifacts import artifact, f, mod, stat


def rules() -> dict[str, Any]:
    made = artifact(
        {"sources": [["book", "The book"], ["house", "Our rulings"]]},
        stats={"Strength": stat(), "Calm": stat(), "Grip": stat(0, 6, default=2)},
        derived={
            "boxes": {
                "formula": f("8 + ceil(Strength / 2)"),
                "said": {"formula": "8 + ceil(Strength / 2)"},
                "title": "Boxes",
                "unit": "boxes",
                "source": [{"id": "book", "place": "p. 163"}],
                "ruling": "Halves are rounded up.",
            },
            "left": {"formula": f("boxes - strain")},
            "defence": {"formula": 0, "max": 2},
        },
        tracks={"strain": {"max": f("boxes")}, "breath": {"max": 9, "start": f("2 * Calm")}},
        conditions={
            "cover": {"modifiers": [mod("value", "defence", add=2, stack="best")]},
            "wall": {"modifiers": [mod("value", "defence", add=3, stack="best")]},
            "tired": {"stacking": "levels", "max": 5, "modifiers": [mod("value", "Strength", add=-1)]},
        },
    )
    made["provenance"] = [
        {
            "address": ["derived", "boxes", "formula"],
            "layer": "friday-table",
            "at": ["house.yaml", 4, 9],
            "before": "6 + Strength",
            "after": "8 + ceil(Strength / 2)",
            "why": "Tougher people",
        }
    ]
    return made


def sheet(**given: object) -> Sheet:
    return Sheet(rules(), from_given(rules(), {"Strength": 5, "Calm": 2, **given}))


def test_a_formula_line_by_line() -> None:
    one = explain(rules(), sheet(), "boxes")
    assert one.value == 11
    assert one.formula == "8 + ceil(Strength / 2)"
    assert one.lines == ("8 + ceil(5 / 2)", "8 + 3", "11")
    assert str(one) == (
        "Boxes (boxes): 11 boxes\n"
        "  8 + ceil(Strength / 2) = 8 + ceil(5 / 2) = 8 + 3 = 11\n"
        "  source: The book, p. 163\n"
        "  ruling: Halves are rounded up.\n"
        "  friday-table changes formula from 6 + Strength to 8 + ceil(Strength / 2): Tougher people (house.yaml:4:9)"
    )


def test_the_values_it_read_are_told_below_it_each_once() -> None:
    one = explain(rules(), sheet(strain=3), "left")
    assert one.lines == ("11 - 3", "8")
    assert [child.name for child in one.children] == ["boxes", "strain"]
    strain = one.children[1]
    assert strain.notes == (
        "as it stands now",
        "from 0 to 11 (the highest is boxes = 11)",
    )
    assert [(child.name, child.notes) for child in strain.children] == [("boxes", ("told above",))]


def test_modifiers_that_counted_and_those_that_did_not() -> None:
    one = explain(rules(), sheet(conditions="cover, wall"), "defence")
    assert one.text().splitlines() == [
        "defence: 2",
        "  0",
        "  counts: Wall: +3",
        "  does not count: Cover: +2, only the highest of group best counts: Wall 3",
        "  0 before modifiers, 3 with them",
        "  held at most 2 by its own limit",
    ]


def test_a_stat_that_is_changed_is_told_too() -> None:
    one = explain(rules(), sheet(conditions="tired: 2"), "boxes")
    assert one.lines == ("8 + ceil(4 / 2)", "8 + 2", "10")
    (strength,) = one.children
    assert strength.text().splitlines() == [
        "Strength: 4",
        "  counts: Tired: -1",
        "  given",
        "  5 before modifiers, 4 with them",
    ]


def test_a_track_at_its_start() -> None:
    one = explain(rules(), sheet(), "breath")
    assert (one.formula, one.lines) == ("2 * Calm", ("2 * 2", "4"))
    assert one.notes == ("at its start", "from 0 to 9")


def test_as_json() -> None:
    assert explain(rules(), sheet(conditions="cover, wall"), "defence").to_json() == {
        "name": "defence",
        "title": "defence",
        "kind": "derived",
        "value": 2,
        "formula": "0",
        "place": "rules.yaml:6:3",
        "lines": ["0"],
        "notes": ["0 before modifiers, 3 with them", "held at most 2 by its own limit"],
        "counted": [{"source": "wall", "title": "Wall", "what": "+3"}],
        "not_counted": [
            {
                "source": "cover",
                "title": "Cover",
                "what": "+2",
                "reason": "only the highest of group best counts: Wall 3",
            }
        ],
    }


def test_plain_ascii() -> None:
    made = rules()
    made["rules"]["boxes"]["title"] = "Kästchen"
    text = explain(made, Sheet(made, from_given(made, {"Strength": 5})), "boxes").text(ascii_only=True)
    assert text.startswith("K\\xe4stchen (boxes): 11 boxes")


def test_what_is_carried() -> None:
    assert carried(sheet(conditions="tired: 2, cover")) == ("Tired (level 2)", "Cover")


@pytest.mark.parametrize(
    ("formula", "found"),
    [
        (
            "10 + 5 * ceil((Strength + Calm) / 2)",
            ["10 + 5 * ceil((5 + 2) / 2)", "10 + 5 * ceil(7 / 2)", "10 + 5 * 4", "10 + 20", "30"],
        ),
        ("(Strength + Calm) / 2", ["(5 + 2) / 2", "7 / 2"]),
        ("-(floor(Strength / 3) + Calm)", ["-(floor(5 / 3) + 2)", "-(1 + 2)", "-3"]),
        ("Strength - (Calm - 8)", ["5 - (2 - 8)", "5 - (-6)", "11"]),
        ("max(0, Calm - Strength)", ["max(0, 2 - 5)", "max(0, -3)", "0"]),
        (
            "Calm + 1 if Calm > 3 else Strength",
            ["if 2 > 3 then Calm + 1 else Strength", "if no then Calm + 1 else Strength", "5"],
        ),
        ("Calm > 3 and Strength > 1", ["2 > 3 and Strength > 1", "no and Strength > 1", "no"]),
        (
            "Calm > 1 and Strength > 1 and Grip > 0",
            [
                "2 > 1 and Strength > 1 and Grip > 0",
                "yes and Strength > 1 and Grip > 0",
                "5 > 1 and Grip > 0",
                "yes and Grip > 0",
                "2 > 0",
                "yes",
            ],
        ),
        ("1 <= Calm < Strength", ["1 <= 2 < 5", "yes"]),
        ("not has(tired)", ["not no", "yes"]),
        ("5", ["5"]),
    ],
)
def test_lines(formula: str, found: list[str]) -> None:
    assert lines(f(formula), sheet().frame())[0] == found


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (f("a - (b - c)"), "a - (b - c)"),
        (f("a - b - c"), "a - b - c"),
        (f("a * (b + c)"), "a * (b + c)"),
        (f("-(a + b)"), "-(a + b)"),
        (f("a / (b * c)"), "a / (b * c)"),
        (["+", [1, ["neg", ["get", "a"]], -2]], "1 - a - 2"),
        (["*", [["frac", 3, 4], ["get", "a"]]], "3 / 4 * a"),
        (["*", [["get", "a"], ["frac", 3, 4]]], "a * (3 / 4)"),
        (f("not (a or b) and c"), "not (a or b) and c"),
        (f("a == 'x'"), "a is x"),
        (f("a != None"), "a is not none"),
        (f("0 if a else 1"), "if a then 0 else 1"),
        (
            ["roll", ["+", [["get", "a"], 1]], 6, {"r": [1], "min": 2, "explode": True, "keep": ["kh", 3]}],
            "(a + 1)d6r1min2!kh3",
        ),
        (["digits", [6, 6]], "d66"),
        (["throw", 2, "boost"], "2d[boost]"),
        (["count", ["get", "thrown"], [">="], [5]], "count(thrown >= 5)"),
        (["count", ["get", "thrown"], [">=", "<="], [2, 5]], "count(2 <= thrown <= 5)"),
        (["count_kind", ["get", "pool"], "boost"], "count(pool is boost)"),
        (["net", ["get", "pool"], "success"], "net(pool, success)"),
        (f("has(hooked, on='tea')"), "has(hooked, on: tea)"),
        (["has", ["get", "it"], {}, "target"], "has(target.(it))"),
        (["level", "tired", "target"], "level(target.tired)"),
        (["lookup", "visibility", [["get", "light"], "dark"], "dice"], "lookup(visibility, light, dark).dice"),
        (["moves", "ranges", "short", ["get", "b"]], "moves(ranges, short, b)"),
        (["same", "healer", "patient"], "healer is patient"),
        (["of_member", "patient", "stress", ["get", "kind"]], "patient.stress[kind]"),
        (["limit", ["+", [1, 2]]], "1 + 2"),
        (["chain", ["<=", "<"], [1, ["get", "a"], 5]], "1 <= a < 5"),
        (["min", [1, ["get", "a"]]], "min(1, a)"),
        (Fraction(-1, 2), "-1 / 2"),
    ],
)
def test_code_as_text(code: Any, text: str) -> None:
    assert show(code) == text
