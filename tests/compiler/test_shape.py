"""Shape: each slip is one finding, at the very characters, in plain words."""

from __future__ import annotations

import pytest

from rulesdata_compiler.diagnostics import Finding, Findings
from rulesdata_compiler.reading.gather import gather
from rulesdata_compiler.shaping import families, shape


def found(text: str) -> list[Finding]:
    findings = Findings()
    collected = families.expand(gather([("rules.yaml", text.encode())], findings), findings)
    broken = shape.check(collected, findings)
    kept = [item for item in findings if item.code.startswith("S")]
    assert bool(broken) == bool(kept)
    return kept


CASES = [
    # (yaml, code, the characters, message, hint)
    (
        "derived:\n  d: {formla: 3}",
        "S201",
        "formla",
        "`formla` is not a field of a derived value",
        "did you mean formula?",
    ),
    ("derived:\n  d: {unit: boxes}", "S202", "d", "a derived value needs `formula`", "formula: How it is found"),
    (
        "stats:\n  S: {type: int, colour: red}",
        "S201",
        "colour",
        "`colour` is not a field of a stat",
        "the fields are title",
    ),
    (
        "stats:\n  S: {type: number}",
        "S204",
        "number",
        "`number` is not known here: int, fraction, bool, text, choice, stat, track, condition or trait is wanted",
        "did you mean int?",
    ),
    ("stats:\n  S: 5", "S203", "5", "a stat is wanted here, and this is the number 5", "write its fields"),
    (
        "spends:\n  s: {context: a, cost: {x: 1}, repeatable: maybe}",
        "S203",
        "maybe",
        'yes or no is wanted here, and this is the text "maybe"',
        None,
    ),
    (
        "spends:\n  s: {context: a, cost: {x: 1}, repeatable: Yes}",
        "S203",
        "Yes",
        "yes or no is wanted here",
        "write yes",
    ),
    ("rolls:\n  r: {value: [1, 2]}", "S203", "[1, 2]", "a formula is wanted here, and this is a list", None),
    ("rolls:\n  r: {value: 1, title: }", "S203", "", "text is wanted here, and there is nothing", None),
    (
        "conditions:\n  c: {stacking: longer, ends: never}",
        "S204",
        "longer",
        "`longer` is not known here",
        "did you mean longest?",
    ),
    (
        "procedures:\n  p: {steps: {add: {a: 1}}}",
        "S203",
        "{add: {a: 1}}",
        "a list of steps is wanted here",
        "begin each item",
    ),
    (
        "procedures:\n  p: {steps: [{aply: lit}]}",
        "S201",
        "aply",
        "`aply` is not a field of a step",
        "did you mean apply?",
    ),
    (
        "procedures:\n  p: {steps: [{for: 3}]}",
        "S208",
        "for",
        "no key says what this step is about",
        "one of let, add",
    ),
    (
        "procedures:\n  p: {steps: [{add: {a: 1}, set: {b: 1}}]}",
        "S209",
        "set",
        "a step says one thing, and this one has both `add` and `set`",
        "make two",
    ),
    (
        "procedures:\n  p: {steps: [{add: {a: 1}, when: x, then: []}]}",
        "S201",
        "then",
        "`then` is not a field of an `add` step",
        "a step does one thing",
    ),
    (
        "procedures:\n  p: {steps: [{when: x, else: []}]}",
        "S202",
        "when",
        "a `when` step needs `then`",
        "then: Steps where it holds.",
    ),
    (
        "procedures:\n  p: {steps: [{apply: lit, leve: 1}]}",
        "S201",
        "leve",
        "`leve` is not a field of an `apply` step",
        "did you mean level?",
    ),
    (
        "procedures:\n  p: {steps: [{when: x, then: [{repeat: 2, do: [{say: [a]}]}]}]}",
        "S203",
        "[a]",
        "text is wanted here, and this is a list",
        None,
    ),
    (
        "procedures:\n  p:\n    steps:\n      - say: {charge: 3}",
        "S221",
        "{charge: 3}",
        "text is wanted here, and an opening brace",
        "put the whole text in quotes",
    ),
    (
        "procedures:\n  p: {params: {1st: int}, steps: []}",
        "S205",
        "1st",
        'a name is wanted here, and "1st" is none',
        "A name: letters",
    ),
    (
        "procedures:\n  p: {params: {a: integer}, steps: []}",
        "S204",
        "integer",
        "`integer` is not known here",
        "did you mean int?",
    ),
    (
        "procedures:\n  p: {params: {a: {tpe: int}}, steps: []}",
        "S201",
        "tpe",
        "`tpe` is not a field of a declared value",
        "did you mean type",
    ),
    (
        "traits:\n  t: {modifiers: [{valu: a, add: 1}]}",
        "S201",
        "valu",
        "`valu` is not a field of a modifier",
        "did you mean value?",
    ),
    (
        "traits:\n  t: {modifiers: [{value: a, min: 1}]}",
        "S201",
        "min",
        "`min` is not a field of a modifier of a value",
        "did you mean at_least?",
    ),
    (
        "traits:\n  t: {modifiers: [{value: a, roll: b, add: 1}]}",
        "S209",
        "roll",
        "has both `value` and `roll`",
        "make two",
    ),
    (
        "tables:\n  t: {roll: 1d2, columns: {price: int}, rows: {a: {at: 1, prise: 3}}}",
        "S206",
        "prise",
        "`prise` is neither a field of a row nor a column of this table",
        "did you mean price?",
    ),
    (
        "tables:\n  t: {roll: 1d2, rows: {a: {at: 1, cost: [3]}}}",
        "S206",
        "cost",
        "`cost` is neither",
        "columns: {cost: text}",
    ),
    (
        "tables:\n  t: {roll: 1d2, rows: {a: {at: 1, efect: []}}}",
        "S206",
        "efect",
        "`efect` is neither",
        "did you mean effect?",
    ),
    ("tables:\n  t: {by: a, rows: {}}", "S207", "{}", "this is empty: rows by id or result is wanted here", None),
    ("tables:\n  t: {by: [a, b, c], rows: {1: 1}}", "S207", "[a, b, c]", "at most 2 entries fit here", None),
    (
        "conditions:\n  c: {stacking: ignore, ends: [{after_rol: x}]}",
        "S201",
        "after_rol",
        "is not a field of",
        "did you mean after_roll?",
    ),
    (
        "conditions:\n  c: {stacking: ignore, each: {turn: begin}}",
        "S204",
        "begin",
        "`begin` is not known here: start or end is wanted",
        None,
    ),
    (
        "conditions:\n  c: {stacking: levels, levels: {one: {title: A}}}",
        "S205",
        "one",
        'a whole number is wanted here, and "one" is none',
        None,
    ),
    (
        "actions:\n  slots: {major: {fre: 1}}",
        "S201",
        "fre",
        "`fre` is not a field of a slot",
        "did you mean free",
    ),
    (
        "dice:\n  symbols: {spark: {cancel: soot}}",
        "S201",
        "cancel",
        "`cancel` is not a field of a symbol",
        "did you mean cancels?",
    ),
    (
        "system: {id: My Game, title: X, version: 1.0.0}",
        "S205",
        "My Game",
        "an id in small letters and hyphens is wanted here",
        "The system's id",
    ),
    (
        "system: {id: demo, version: 1.0.0}",
        "S202",
        "{id: demo, version: 1.0.0}",
        "the header of a system needs `title`",
        "title: What people read.",
    ),
    (
        "derived:\n  d: {formula: 3, examples: [{given: {a: 1}, expct: {d: 3}}]}",
        "S201",
        "expct",
        "`expct` is not a field of an example",
        "did you mean expect?",
    ),
    (
        "procedures:\n  p: {steps: [{choose: {id: a, keep: {steps: []}, drop: {steps: []}}}]}",
        "S202",
        "keep",
        "what may be chosen stands under `options`",
        "write options: and under it keep, drop",
    ),
    ("options:\n  o: {defalt: off}", "S201", "defalt", "`defalt` is not a field of an option", "did you mean default?"),
    (
        "conditions:\n  c: {stacking: ignore, ends: never, examples: [{advance: {day: ten}, expect: {a: 1}}]}",
        "S203",
        "ten",
        'a whole number is wanted here, and this is the text "ten"',
        None,
    ),
    (
        "conditions:\n  c: {stacking: ignore, ends: never, examples: [{advance: {day: 1_000}, expect: {a: 1}}]}",
        "S203",
        "1_000",
        "a whole number is wanted here",
        "write 1000",
    ),
]


@pytest.mark.parametrize(("text", "code", "at", "message", "hint"), CASES)
def test_one_slip_is_one_finding(text: str, code: str, at: str, message: str, hint: str | None) -> None:
    (finding,) = found(text)
    assert finding.code == code
    assert finding.span is not None
    assert finding.span.text == at
    assert message in finding.message
    assert (hint is None and finding.hint is None) or (hint or "") in (finding.hint or "")


def test_several_slips_are_all_found() -> None:
    codes = [
        item.code
        for item in found("""
stats: {A: {typ: int}, B: {type: int, mim: 1}}
procedures:
  p:
    steps:
      - {aply: x}
      - {when: a, then: [{add: 3}, {roll: x, wth: {a: 1}}]}
      - {choose: {id: c, options: {a: {steps: [{sett: {a: 1}}]}}}}
""")
    ]
    assert codes == ["S201"] * 4 + ["S203", "S201"] or sorted(codes) == ["S201"] * 5 + ["S203"]


def test_no_message_speaks_of_shapes_or_python() -> None:
    for text, *_ in CASES:
        for finding in found(text):
            said = f"{finding.message} {finding.hint}"
            assert not any(word in said for word in ("anyOf", "schema", "dict", "NoneType", "given schemas", "regex"))


def test_private_keys_are_free_everywhere() -> None:
    assert (
        found("""
system: {id: demo, title: Demo, version: 1.0.0, x-a: 1}
stats: {S: {type: int, x-b: [1, 2]}}
tables: {t: {roll: 1d2, x-c: {d: 1}, rows: {1: {title: A, x-e: {f: [1]}}, 2: {title: B}}}}
procedures: {p: {steps: [{add: {a: 1}, x-g: yes}], x-h: 1}}
""")
        == []
    )


def test_house_rules_have_a_header_of_their_own() -> None:
    (finding,) = found("house_rules: {id: friday, extend: demo}")
    assert (finding.code, finding.hint) == ("S201", "did you mean extends?")
