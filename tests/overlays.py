"""A small system, and house rules laid over it: what the tests of the merge share."""

from __future__ import annotations

from collections.abc import Mapping

from rulesdata_compiler import Compiled, Findings
from rulesdata_compiler.layers import Layer
from rulesdata_compiler.pipeline import compile_layers
from rulesdata_compiler.render import render_text

SYSTEM = """\
system:
  id: demo
  title: Demo
  version: 1.0.0
  about: A demo.
  sources: {book: The book}
  clock: {turn: 1, minute: 20 turn}
  scenes: [encounter]
  events: [treated]
  stacking: {best: highest, all: sum}
"""
RULES = """\
stats:
  strength: {title: Strength, text: How strong one is., type: int, min: 1, max: 6, source: book}
  kind: {title: Kind, text: What one is., type: choice, of: [lamp, torch], default: lamp}
derived:
  boxes:
    title: Boxes
    text: What one can take.
    formula: 8 + ceil(strength / 2)
    unit: boxes
    tags: [body]
    examples:
      - {title: A strong one, given: {strength: 5}, expect: {boxes: 11}}
tracks:
  wounds: {title: Wounds, text: Boxes that are full., max: boxes}
options:
  lanterns: {title: Lanterns, text: Lanterns count., type: bool, default: no}
  glow: {title: Glow, text: How bright it is., type: int, min: 0, max: 9, default: 3}
conditions:
  dazed:
    title: Dazed
    text: Slow for a while.
    stacking: longest
    lasts: {unit: turn}
    ends: [encounter]
    modifiers:
      - {id: slow, value: boxes, add: -1, stack: all}
  lit:
    title: Lit
    text: In the light of {option(glow)}.
    renamed_from: bright
    stacking: ignore
    ends: never
    option: lanterns
rolls:
  test:
    title: Test
    text: Roll and look.
    params: {pool: {type: int, min: 0, max: 20}}
    let: {thrown: (pool)d6}
    results: {hits: count(thrown >= 5)}
    tags: [any]
tables:
  mishap:
    title: Mishap
    text: What goes wrong.
    roll: 1d6
    columns: {days: int}
    rows:
      trip: {at: 1-2, title: Trip, text: One falls., days: 0, effect: [{id: fall, apply: dazed, for: 1}]}
      burn: {at: 3-4, title: Burn, text: It hurts., days: 2}
      fine: {at: 5-6, title: Fine, text: All is well., days: 0}
  fall:
    title: Fall
    text: What a fall does.
    by: metres
    outside: {above: last}
    rows: {1-3: 1, 04–06: 3, 7-9: 5}
procedures:
  hurt:
    title: Getting hurt
    text: Boxes fill.
    params: {amount: {type: int, min: 0, max: 10}}
    steps:
      - {id: fill, add: {wounds: amount}}
      - when: amount > 5
        then:
          - {id: daze, apply: dazed, for: 2}
      - {id: tell, say: "{amount} boxes"}
    results: {left: boxes - wounds, landed: "lookup(fall, amount + 1)"}
    examples:
      - {title: A blow, given: {strength: 5}, with: {amount: 3}, expect: {left: 8}}
"""


def house(body: str, id_: str = "friday", extends: str = "demo", more: str = "") -> str:
    """A file of house rules."""
    return f"house_rules:\n  id: {id_}\n  title: {id_.capitalize()}\n  extends: {extends}\n{more}{body}"


def layers(*houses: str, rules: str = RULES) -> list[Layer]:
    """The small system and house rules, as they come from the command line; each file is called by its id."""
    files = (("rules.yaml", rules.encode()), ("system.yaml", SYSTEM.encode()))
    made = [Layer("demo", files, id="demo")]
    for text in houses:
        name = text.split("id: ", 1)[1].split("\n", 1)[0].strip()
        made.append(Layer(name, ((f"{name}.yaml", text.encode()),), True, id=name))
    return made


def composed(*houses: str, rules: str = RULES) -> Compiled:
    """Everything compiled."""
    return compile_layers(layers(*houses, rules=rules), Findings())


def said(*houses: str, rules: str = RULES) -> str:
    """All findings as text."""
    return render_text(composed(*houses, rules=rules).findings)


def fine(*houses: str, rules: str = RULES) -> Mapping[str, Mapping[str, object]]:
    """The rules of the artifact, where nothing was found."""
    compiled = composed(*houses, rules=rules)
    assert render_text(compiled.findings) == ""
    assert compiled.body is not None
    rules_made: Mapping[str, Mapping[str, object]] = compiled.body["rules"]
    return rules_made
