"""Decoding: what is refused, and what a book leaves open and the author is asked for."""

# ruff: noqa: E501 - cases read best on a line each

from __future__ import annotations

import pytest

from rulesdata_compiler.decoding.decode import decode
from rulesdata_compiler.diagnostics import Finding, Findings
from rulesdata_compiler.model import System
from rulesdata_compiler.reading.gather import gather
from rulesdata_compiler.shaping import families, shape

HEADER = "system: {id: demo, title: Demo, version: 1.0.0, clock: {turn: 1}}"


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


ENDS = "stacking: ignore, ends: never"
REFUSED = [
    ("conditions: {x: {ends: never}}", "S240", "x", "say how two of these stack"),
    ("conditions: {x: {stacking: ignore}}", "S241", "x", "when this condition ends"),
    ("conditions: {x: {stacking: ignore, ends: []}}", "S241", "ends", "when this condition ends"),
    ("rolls: {x: {value: 1d6, ranking: {by: value}}}", "S242", "ranking", "who goes first"),
    (
        "conditions: {x: {stacking: levels, max: 2, ends: never, levels: {1: {modifiers: [{value: S, add: 1}]}, 2: {}}}}",
        "S243",
        "levels",
        "whether the lower levels still count",
    ),
    ("conditions: {x: {stacking: levels, ends: never}}", "S244", "stacking", "how many levels"),
    ("conditions: {x: {stacking: add, max: 2, ends: never}}", "S214", "max", "`max` goes with levels"),
    ("conditions: {x: {stacking: ignore, ends: never, until: S > 1}}", "S214", "until", "cannot stand together"),
    ("conditions: {x: {stacking: ignore, ends: [never, a]}}", "S214", "never", "something else in this list does"),
    (
        "conditions: {x: {stacking: ignore, while: S > 1, lasts: {unit: turn}}}",
        "S214",
        "lasts",
        "cannot stand together",
    ),
    (f"conditions: {{x: {{{ENDS}, effect: [{{say: a}}]}}}}", "S202", "effect", "nothing here says when"),
    (f"conditions: {{x: {{{ENDS}, each: turn}}}}", "S202", "each", "`each` goes with `effect`"),
    (f"conditions: {{x: {{{ENDS}, at_end: [{{say: a}}]}}}}", "S202", "at_end", "has no time"),
    ("conditions: {x: {stacking: ignore, lasts: {until: soon}}}", "S227", "soon", '"soon" is no moment'),
    (f"conditions: {{x: {{{ENDS}, modifiers: [{{value: S}}]}}}}", "S216", "value", "changes nothing"),
    ("conditions: {Broken Arm: {stacking: ignore, ends: never}}", "S205", "Broken Arm", "an id has small letters"),
    ("stats: {if: {type: int}}", "S210", "if", "is a word of formulas"),
    ("stats: {d6: {type: int}}", "S210", "d6", "means dice"),
    ("stats: {a b: {type: int}}", "S205", "a b", "a name on the sheet is wanted here"),
    ("stats: {x: {title: A}}", "S202", "x", "`x` needs `type`"),
    ("stats: {x: {type: choice}}", "S202", "x", "`x` needs `of`"),
    ("stats: {x: {type: text, min: 1}}", "S214", "min", "has no limits"),
    ("stats: {x: {type: choice, of: [a, a]}}", "S213", "a", "stands twice among the choices"),
    ("options: {x: {type: int}}", "S202", "x", "`x` needs `default`"),
    ("rolls: {x: {let: {a: 1d6}}}", "S202", "x", "`x` needs `results`"),
    ("rolls: {x: {like: y}}", "S224", "y", "there is no roll `y`"),
    ("rolls: {x: {like: y}, y: {like: x}}", "S225", "y", "these rolls are like each other: x is like y is like x"),
    ("tables: {x: {rows: {a: {title: A}}}}", "S217", "x", "does not say how a row is found"),
    ("tables: {x: {roll: 1d6, by: a, rows: {1: 2}}}", "S214", "by", "cannot stand together"),
    ("tables: {x: {roll: 1d6, rows: {a: {at: 1, weight: 2}}}}", "S214", "weight", "rows are found by `roll`"),
    ("tables: {x: {roll: 1d6, rows: {a: {title: A}}}}", "S202", "a", "a row needs `at`"),
    ("tables: {x: {roll: 1d6, rows: {6-1: a}}}", "S219", "6-1", "runs backwards"),
    ("tables: {x: {roll: 1d6, rows: {1-3: a, 01-03: b}}}", "S213", "01-03", "the row `1-3` stands twice"),
    ("tables: {x: {by: a, rows: {1: 2, 2: 3 * a}}}", "S220", "3 * a", "say what they are"),
    ("tables: {x: {roll: 1d6, columns: {p: int}, rows: {a: {at: 1}}}}", "S223", "a", "says nothing for the column `p`"),
    ("tables: {x: {roll: 1d6, columns: {when: int}, rows: {a: {at: 1}}}}", "S210", "when", "cannot be a column"),
    ("tables: {x: {rows: {a: {else: yes}, b: {when: S > 1}}}}", "S218", "else", "on the last row"),
    ("tables: {x: {rows: {a: {weight: 1}, b: {title: B}}}}", "S202", "b", "a row needs `weight`"),
    ("procedures: {x: {steps: [{remove: a b}]}}", "S226", "a b", "the id of a rule is wanted here"),
    ("procedures: {x: {steps: [{add: {a: 1}, before: b}]}}", "S215", "before", "house rules"),
    ("procedures: {x: {steps: [{say: 'a {b'}]}}", "S222", "{", "never closed"),
    ("actions: {x: {cost: 2}}", "S202", "cost", "no `slot` is named"),
    ("derived: {x: {formula: ''}}", "S203", "''", "there is nothing"),
    ("derived: {x: {formula: 1, examples: [{given: {a: 1}}]}}", "S202", "given", "an example needs `expect`"),
]


@pytest.mark.parametrize(("text", "code", "at", "message"), REFUSED)
def test_one_mistake_is_one_finding_and_the_rule_is_left_out(text: str, code: str, at: str, message: str) -> None:
    system, findings = decoded(text)
    (finding,) = findings
    assert finding.code == code
    assert finding.span is not None
    assert finding.span.text == at
    assert message in finding.message
    assert system.broken
    assert not system.broken & set(system.rules)


def test_rules_beside_a_broken_one_stand() -> None:
    system, findings = decoded(
        "stats: {A: {typ: int}, B: {type: int}}\nconditions: {c: {ends: never}, d: {stacking: ignore, ends: never}}"
    )
    assert [item.code for item in findings] == ["S201", "S240"]
    assert set(system.rules) == {"B", "d"}
    assert system.broken == {"A", "c"}


def test_a_broken_roll_takes_those_like_it_along_without_a_word() -> None:
    system, findings = decoded("rolls: {a: {valu: 1}, b: {like: a, value: 2}, c: {value: 1}}")
    assert [item.code for item in findings] == ["S201"]
    assert set(system.rules) == {"c"}
    assert system.broken == {"a", "b"}


def test_names_keep_the_spelling_of_the_game() -> None:
    system = clean("stats: {Stärke: {type: int}, БОД: {type: int}}\ntracks: {Größe: {max: Stärke}}")
    assert set(system.rules) == {"Stärke", "БОД", "Größe"}
    _, (finding,) = decoded("stats: {Sta\u0308rke: {type: int}}")
    assert finding.code == "S205"
