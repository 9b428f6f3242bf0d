"""Decoding: every spelling becomes the same model, and what a book leaves open is asked for."""

# ruff: noqa: E501 - cases read best on a line each

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

import pytest

from rulesdata_compiler import model
from rulesdata_compiler.decoding.decode import decode
from rulesdata_compiler.diagnostics import Finding, Findings
from rulesdata_compiler.model import Interval, System
from rulesdata_compiler.reading.gather import gather
from rulesdata_compiler.shaping import families, shape
from rulesdata_compiler.tree import Scalar

T = TypeVar("T")
HEADER = """system:
  id: demo
  title: Demo
  version: 1.0.0
  clock: {turn: 1, minute: 20 turn, hour: 60 minute}
  sources: {book: The book}
  reference: {chapters: [{title: Light, rules: [torch]}, {Dark: [lamp]}, alarm], screens: {table: [torch, lamp]}}
  sheets: {person: [S], lamp: charge}
"""


def decoded(text: str, header: str = HEADER) -> tuple[System, list[Finding]]:
    findings = Findings()
    collected = gather([("rules.yaml", text.encode()), ("system.yaml", header.encode())], findings)
    collected = families.expand(collected, findings)
    system = decode(collected, shape.check(collected, findings), findings)
    assert system is not None
    return system, list(findings)


def clean(text: str) -> System:
    system, findings = decoded(text)
    assert findings == []
    return system


def rule(text: str, kind: type[T], name: str = "x") -> T:
    made = clean(text).rules[name]
    assert isinstance(made, kind)
    return made


# --- header ------------------------------------------------------------------------------------------------------


def test_the_header() -> None:
    head = clean("stats: {S: {type: int}}").header
    assert head.clock == (("turn", None), ("minute", (Fraction(20), "turn")), ("hour", (Fraction(60), "minute")))
    assert head.chapters == (("Light", ("torch",)), ("Dark", ("lamp",)), ("alarm", ()))
    assert head.screens == (("table", ("torch", "lamp")),)
    assert head.sheets == (("person", ("S",)), ("lamp", ("charge",)))
    assert head.language == "en"
    assert head.version == "1.0.0"


@pytest.mark.parametrize(
    ("clock", "code", "at"),
    [
        ("{turn: 1, minute: twenty}", "S227", "twenty"),
        ("{turn: 1, minute: 20}", "S227", "20"),
        ("{turn: 1, minute: 0 turn}", "S227", "0"),
        ("{turn: 1, minute: 20 turns}", "S228", "turns"),
        ("{turn: 2 minute, minute: 20 turn}", "S228", "2 minute"),
    ],
)
def test_clocks_that_do_not_run(clock: str, code: str, at: str) -> None:
    _, (finding,) = decoded(
        "stats: {S: {type: int}}", f"system: {{id: demo, title: Demo, version: 1.0.0, clock: {clock}}}"
    )
    assert finding.code == code
    assert finding.span is not None
    assert finding.span.text == at


# --- what a value may be -----------------------------------------------------------------------------------------


def test_specs_in_every_spelling() -> None:
    made = rule(
        """
rolls:
  x:
    params: {a: int, b: [near, far], c: {min: 0, max: S}, d: {default: on}, e: {type: condition, of: mark}, f: {of: [g]}}
    value: 1
""",
        model.Roll,
    )
    assert [(spec.name, spec.type, spec.of) for spec in made.params] == [
        ("a", "int", ()),
        ("b", "choice", ("near", "far")),
        ("c", "int", ()),
        ("d", "bool", ()),
        ("e", "condition", ("mark",)),
        ("f", "choice", ("g",)),
    ]
    assert made.params[3].default is not None
    assert made.params[3].default.text == "true"


def test_options_in_short() -> None:
    system = clean("options: {dark: off, lamps: 3, kind: {of: [a, b], default: a}, set: {default: on, value: off}}")
    types = {name: made.spec.type for name, made in system.rules.items() if isinstance(made, model.Option)}
    assert types == {"dark": "bool", "lamps": "int", "kind": "choice", "set": "bool"}
    made = system.rules["set"]
    assert isinstance(made, model.Option)
    assert made.value == "off"


# --- tables ------------------------------------------------------------------------------------------------------


def test_rolled_tables() -> None:
    made = rule(
        """
tables:
  x:
    roll: 1d100
    outside: {below: first, above: none}
    overlap: all
    columns: {grade: [low, high], note: text, sure: {type: bool, default: no}}
    rows:
      a: {at: 1-5, grade: low, note: "{plain}", sure: yes}
      b: {at: [7, 00], grade: none, note: none}
      c: {at: none, grade: high, note: x, again: {when: lit, at_most: 9, then: none}}
""",
        model.Table,
    )
    assert (made.form, made.below, made.above, made.overlap) == ("rolled", "first", "none", True)
    assert [row.at for row in made.rows] == [(Interval(1, 5),), (Interval(7, 7), Interval(100, 100)), None]
    cells = dict(made.rows[0].cells)
    assert cells["note"] == "{plain}"
    assert isinstance(cells["grade"], model.Formula)
    assert isinstance(cells["sure"], model.Formula)
    assert (cells["grade"].text, cells["sure"].text) == ("low", "true")
    assert dict(made.rows[1].cells)["grade"] is None
    default = dict(made.rows[1].cells)["sure"]
    assert isinstance(default, model.Formula)
    assert default.text == "false"
    assert made.rows[2].again is not None
    assert made.rows[2].again.then is None


def test_short_rows_are_numbers_or_text() -> None:
    numbers = rule("tables: {x: {by: far, rows: {1-2: 4, 3: none, 4+: 7}}}", model.Table)
    assert [row.id for row in numbers.rows] == ["1-2", "3", "4+"]
    assert [spec.name for spec in numbers.columns] == ["value"]
    assert (numbers.by[0].type, numbers.columns[0].type) == ("int", "int")
    assert dict(numbers.rows[1].cells)["value"] is None
    text = rule(
        "tables: {x: {roll: d66, rows: {11–36: Some {S} words, 41-66: 12 words}}}".replace("{S}", "S"), model.Table
    )
    assert text.columns == ()
    assert [row.text and row.text.plain for row in text.rows] == ["Some S words", "12 words"]
    formulas = rule("tables: {x: {by: far, value: int, rows: {1: 4, 2+: 6 + ceil(far / 2)}}}", model.Table)
    cell = dict(formulas.rows[1].cells)["value"]
    assert isinstance(cell, model.Formula)
    assert cell.text == "6 + ceil(far / 2)"
    choices = rule("tables: {x: {by: far, value: [low, high], rows: {1: low, 2+: high}}}", model.Table)
    assert choices.columns[0].of == ("low", "high")


def test_tables_by_a_choice_and_by_two() -> None:
    one = rule("tables: {x: {by: lamp, rows: {torch: 3, lantern: 5}}}", model.Table)
    assert (one.form, one.by[0].type, one.by[0].of) == ("by", "choice", ("torch", "lantern"))
    assert one.rows[0].at == ("torch",)
    two = rule("tables: {x: {by: [lamp, far], rows: {torch: {0-6: 13, 7+: none}, lantern: {0-9: 1}}}}", model.Table)
    assert (two.form, [spec.type for spec in two.by]) == ("by_two", ["choice", "int"])
    assert [(place, value and value.text) for place, value, _ in two.rows[0].second if not isinstance(value, str)] == [
        (Interval(0, 6), "13"),
        (Interval(7, None), None),
    ]
    switch = rule("tables: {x: {by: {lit: bool}, rows: {yes: 1, no: 2}}}", model.Table)
    assert [row.at for row in switch.rows] == [("true",), ("false",)]


def test_weighted_tables_and_decisions() -> None:
    weighted = rule("tables: {x: {rows: {a: {weight: 2}, b: {weight: S}}}}", model.Table)
    assert weighted.form == "weighted"
    decision = rule(
        "tables: {x: {columns: {n: int}, rows: {a: {when: S > 1, n: 1}, b: {else: yes, n: 2}}}}", model.Table
    )
    assert decision.form == "decision"
    assert [row.otherwise for row in decision.rows] == [False, True]


def test_a_row_by_its_key_may_have_fields() -> None:
    made = rule("tables: {x: {roll: 1d6, rows: {01-03: {title: Low}, 4+: {title: High}}}}", model.Table)
    assert [(row.id, row.at, row.title) for row in made.rows] == [
        ("1-3", (Interval(1, 3),), "Low"),
        ("4+", (Interval(4, None),), "High"),
    ]


# --- the rest ----------------------------------------------------------------------------------------------------


def test_conditions() -> None:
    made = rule(
        """
conditions:
  x:
    stacking: levels
    levels: {2: {title: B, modifiers: [{value: S, add: -2}]}, 1: {title: A}}
    cumulative: no
    lasts: 3 turn
    ends: [encounter, {after_roll: light}, {any_action_but: [wait]}]
    each: [{turn: start}, day]
    every: S
    effect: [{add: {charge: 1}}]
    forbids: [major, {lower: x}]
    tracks: {glow: {max: 5, over: {to: charge}, resets: {each: day, to: 0}}}
    modifiers: [{against: [bright], add: {torch: 1}, when: S > 1}, {slot: major, set: {free: 0}}, {roll: a, add: 2}]
""",
        model.Condition,
    )
    assert [level.number for level in made.levels] == [1, 2]
    assert made.max is not None
    assert made.max.text == "2"
    assert made.lasts is not None
    assert made.lasts.for_ is not None
    assert (made.lasts.unit, made.lasts.for_.text) == ("turn", "3")
    assert [(end.what, end.names) for end in made.ends] == [
        ("event", ("encounter",)),
        ("after_roll", ("light",)),
        ("any_action_but", ("wait",)),
    ]
    assert [(each.unit, each.moment) for each in made.each] == [("turn", "start"), ("day", None)]
    assert [(forbid.what, forbid.name) for forbid in made.forbids] == [("name", "major"), ("lower", "x")]
    assert isinstance(made.tracks[0].over, model.Ref)
    assert [(m.target, m.tags, [(n.name, n.formula.text) for n in (*m.set, *m.add)]) for m in made.modifiers] == [
        ("against", ("bright",), [("torch", "1")]),
        ("slot", (), [("free", "0")]),
        ("roll", ("a",), [("value", "2")]),
    ]


def test_moments_and_never() -> None:
    made = rule("conditions: {x: {stacking: ignore, lasts: {until: end  of next own turn}}}", model.Condition)
    assert made.lasts is not None
    assert made.lasts.until == "end of next own turn"
    assert rule("conditions: {x: {stacking: ignore, ends: never}}", model.Condition).never


def test_steps() -> None:
    made = rule(
        """
procedures:
  x:
    roles: {owner: person, target: lamp}
    requires: [{that: S > 1, else: "Only {S}"}, S < 9]
    steps:
      - let: {a: 1, b: a + 1}
      - {add: {charge: 1, owner.charge: 2}, to: target}
      - {apply: lit, for: 3, level: 1, with: {kind: near}}
      - {apply: lit, until: start of target turn}
      - remove: {lit: 2}
      - {remove: (found), when: a > 1}
      - {roll: light, by: owner, against: target, as: shine, tags: bright}
      - {spend: light, of: shine}
      - {run: other, roles: {there: owner}, at_most: 3}
      - {when: a, then: [{stop: Enough}], else: [{event: repaired}]}
      - choose: {id: what, by: owner, options: {keep: {title: Keep}, drop: {when: a, steps: [{say: x}]}}}
      - ask: {many: {type: int, max: a, by: owner}}
    results: {left: charge}
""",
        model.Procedure,
    )
    assert [type(step).__name__ for step in made.steps] == [
        "Let", "Change", "Apply", "Apply", "Remove", "Remove", "RollStep", "SpendStep", "Run", "When", "Choose", "Ask",
    ]  # fmt: skip
    assert made.roles == (("owner", "person"), ("target", "lamp"))
    change = made.steps[1]
    assert isinstance(change, model.Change)
    assert [(str(ref), formula.text) for ref, formula in change.tracks] == [("charge", "1"), ("owner.charge", "2")]
    assert change.span.text == "add"
    assert [requirement.otherwise and requirement.otherwise.plain for requirement in made.requires] == [
        "Only {S}",
        None,
    ]
    choose = made.steps[10]
    assert isinstance(choose, model.Choose)
    assert [option.id for option in choose.options] == ["keep", "drop"]


def test_actions_slots_dice_spends_and_bands() -> None:
    system = clean("""
dice:
  symbols: {spark: {cancels: soot, counts_as: light, letter: s}, soot: {}, light: {}}
  torch: {faces: [[], spark, [spark, soot]], upgrades_to: lamp}
actions:
  slots: {major: {free: 1, cap: 2, more: [{steps: [{add: {charge: 1}}]}, {slot: minor}]}, minor: {free: unlimited}}
  one: {slot: major, cost: 2}
  two: {slot: {major: 1, minor: 1}}
  free: {effect: [{say: x}]}
spends: {buy: {context: [light], cost: [{spark: 2}, {soot: 1}], repeatable: yes}, cheap: {context: light, cost: {spark: 1}}}
bands: {far: {bands: {near: {distance: 3}, wide: {distance: 9, moves: 2, within: 1}}, beyond: none}}
""")
    assert system.symbols[0].counts_as == ("light",)
    torch, buy, bands = system.rules["torch"], system.rules["buy"], system.rules["far"]
    assert isinstance(torch, model.Die)
    assert torch.faces == ((), ("spark",), ("spark", "soot"))
    assert [(slot.id, slot.free and slot.free.text) for slot in system.slots] == [
        ("major", "1"),
        ("minor", None),
    ]
    assert [more.id for more in system.slots[0].more] == ["more_1", "minor"]
    actions = [system.rules[name] for name in ("one", "two", "free")]
    assert [
        [(name, cost and cost.text) for name, cost in action.slots]
        for action in actions
        if isinstance(action, model.Action)
    ] == [[("major", "2")], [("major", "1"), ("minor", "1")], []]
    assert isinstance(buy, model.Spend)
    assert [[(named.name, named.formula.text) for named in price] for price in buy.cost] == [
        [("spark", "2")],
        [("soot", "1")],
    ]
    assert isinstance(bands, model.Bands)
    assert [band.id for band in bands.bands] == ["near", "wide"]


def test_a_roll_like_another_takes_what_it_does_not_state() -> None:
    system = clean("""
rolls:
  a: {title: A, params: {pool: int}, let: {thrown: (pool)d6}, results: {hits: count(thrown >= 5)}, tags: [test], examples: [{expect: {hits: 1}}]}
  b: {like: a, tags: [resisting]}
  c: {like: b, results: {sum_of: sum(thrown)}}
""")
    first, second, third = (system.rules[name] for name in "abc")
    assert isinstance(first, model.Roll)
    assert isinstance(second, model.Roll)
    assert isinstance(third, model.Roll)
    assert (second.tags, third.tags, second.title) == (("resisting",), ("resisting",), "A")
    assert second.examples == ()
    assert third.results[0].name == "sum_of"
    assert second.let[0].formula is not first.let[0].formula
    assert second.let[0].formula.span() == first.let[0].formula.span()


def test_examples_keep_what_is_written() -> None:
    made = rule(
        """
derived:
  x:
    formula: 1
    source: [book, "book, p. 3"]
    examples:
      - {title: A, given: {S: 0.5, conditions: [lit, {dim: 2}], target: {charge: 1}}, dice: [5, spark, [spark, soot]], expect: {x: 7/2}}
      - {advance: {turn: 2}, expect: {x: 1}}
      - {play: [{act: wait, choices: {what: keep}}, {advance: turn}], expect_error: nothing left, changed: yes}
""",
        model.Derived,
    )
    first, second, third = made.examples
    assert [name for name, _ in first.given] == ["S", "conditions", "target.charge"]
    assert isinstance(first.given[0][1], Scalar)
    conditions = first.given[1][1]
    assert isinstance(conditions, tuple)
    assert isinstance(conditions[1], dict)
    assert first.dice == (5, "spark", "spark soot")
    assert [(move.verb, move.name, move.count) for move in second.play] == [("advance", "turn", 2)]
    assert [move.verb for move in third.play] == ["act", "advance"]
    assert third.changed
    assert [(source.id, source.place) for source in made.source] == [("book", None), ("book", "p. 3")]
