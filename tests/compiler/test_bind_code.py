"""Formulas to code and ranges: names, arithmetic, folding, limits, families, roles, tables."""

# ruff: noqa: E501 - cases read best on a line each

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import pytest

from rulesdata_compiler.binding.values import Choices, Numbers, Pool, Truths
from rulesdata_compiler.model import Formula

from .systems import bound, told, value

FORCE = ["get", "Force"]
CALM = ["get", "Calm"]
FREE = ["get", "Free"]
HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("formula", "code", "span"),
    [
        ("8 + ceil(Force / 2)", ["+", 8, ["ceil", ["/", FORCE, 2]]], Numbers(9, 14)),
        ("-(floor(charge / 3) + Calm)", ["neg", ["+", ["floor", ["/", ["get", "charge"], 3]], CALM]], Numbers(-9, 0)),
        ("Force - Calm - 1", ["-", ["-", FORCE, CALM], 1], Numbers(-6, 11)),
        ("Force + Calm + 1", ["+", FORCE, CALM, 1], Numbers(2, 19)),
        ("2 * Force * Calm", ["*", 2, FORCE, CALM], Numbers(0, 144)),
        ("1 / 3 + 2 / 3", 1, Numbers(1, 1)),
        ("0.1 * 3", ["frac", 3, 10], Numbers(Fraction(3, 10), Fraction(3, 10), False, 10)),
        ("7 / 2 * 2", 7, Numbers(7, 7)),
        ("3 - -2", 5, Numbers(5, 5)),
        ("-3 * oil", ["*", -3, ["get", "oil"]], Numbers(-36, 0)),
        ("Force / 2", ["/", FORCE, 2], Numbers(HALF, 6, False, 2)),
        ("ceil(Force)", FORCE, Numbers(1, 12)),
        ("round(Force / 2)", ["round", ["/", FORCE, 2]], Numbers(1, 6)),
        ("round(-5 / 2)", -3, Numbers(-3, -3)),
        ("min(Force; 5)", ["min", FORCE, 5], Numbers(1, 5)),
        ("max(0, Free)", ["max", 0, FREE], Numbers(0, None)),
        ("abs(Calm - 4)", ["abs", ["-", CALM, 4]], Numbers(0, 4)),
        ("clamp(Free, 0, 10)", ["clamp", FREE, 0, 10], Numbers(0, 10)),
        ("mod(Free, 5)", ["mod", FREE, 5], Numbers(0, 4)),
        ("mod(Calm, 20)", ["mod", CALM, 20], Numbers(0, 6)),
        ("Free + 1", ["limit", ["+", FREE, 1]], Numbers(None, None)),
        ("Free * 2 - 1", ["limit", ["-", ["limit", ["*", FREE, 2]], 1]], Numbers(None, None)),
        ("Half + 1", ["limit", ["+", ["get", "Half"], 1]], Numbers(1, 11, False)),
        ("min(Half, 3)", ["min", ["get", "Half"], 3], Numbers(0, 3, False)),
        ("if Calm > 2 then Calm else 9", ["if", [">", CALM, 2], CALM, 9], Numbers(3, 9)),
        ("if Calm > 9 then 1000 else 5", ["if", [">", CALM, 9], 1000, 5], Numbers(5, 5)),
        ("if Known then 1 else Half", ["if", ["get", "Known"], 1, ["get", "Half"]], Numbers(0, 10, False)),
        ("if Calm > 0 then 12 / Calm else 0", ["if", [">", CALM, 0], ["/", 12, CALM], 0], Numbers(0, 12, False, 6)),
        ("(Force)", FORCE, Numbers(1, 12)),
    ],
)
def test_numbers(formula: str, code: Any, span: Numbers) -> None:
    found = value(formula)
    assert (found.code, found.value, found.shown) == (code, span, span)


@pytest.mark.parametrize(
    ("formula", "code", "known"),
    [
        ("1 <= Force <= 5", ["chain", ["<=", "<="], [1, FORCE, 5]], None),
        ("Force >= 1", [">=", FORCE, 1], True),
        ("Force > 12 or Calm < 0", ["or", [">", FORCE, 12], ["<", CALM, 0]], False),
        ("not (Calm > 6)", ["not", [">", CALM, 6]], True),
        ("Known and Calm < 0", ["and", ["get", "Known"], ["<", CALM, 0]], False),
        ("Mood is calm", ["==", ["get", "Mood"], "calm"], None),
        ("Mood is not calm", ["!=", ["get", "Mood"], "calm"], None),
        ("Force != 13", ["!=", FORCE, 13], True),
        ("true", True, True),
        ("Known is yes", ["==", ["get", "Known"], True], None),
        ("has(lit)", ["has", "lit", {}, None], None),
    ],
)
def test_truths(formula: str, code: Any, known: bool | None) -> None:
    found = value(formula, "conditions: {lit: {stacking: ignore, ends: never}}\n")
    assert (found.code, found.value) == (code, Truths(known))


def test_a_long_chain_stays_flat() -> None:
    """Nodes inside nodes cost depth in every reader; a chain of any length costs none."""
    code = value("Force" + " - Calm" * 60).code
    assert isinstance(code, list)
    assert code[:3] == ["+", FORCE, ["neg", CALM]]
    assert len(code) == 62


def test_a_choice_is_what_a_choice_is_wanted_for() -> None:
    """A bare word is a choice where one is expected, whatever else it may name."""
    _, bindings, findings = bound(
        """
        tracks: {glad: {max: 5}}
        stats: {Mood: {type: choice, of: [calm, glad]}}
        derived:
          x: {formula: if Mood is glad then Mood else glad}
          y: {formula: if Mood is glad then glad else 0}
        """
    )
    assert [told(finding) for finding in findings] == []
    codes = {formula.text: found for formula, found in bindings.of.items()}
    glad = ["==", ["get", "Mood"], "glad"]
    assert codes["if Mood is glad then Mood else glad"].code == ["if", glad, ["get", "Mood"], "glad"]
    assert codes["if Mood is glad then Mood else glad"].value == Choices(frozenset({"glad"}))
    assert codes["if Mood is glad then glad else 0"].code == ["if", glad, ["get", "glad"], 0]


STORY = """
stats: {Force: {type: int, min: 1, max: 6}, Way: {type: choice, of: [north, south]}}
options: {deep: {type: int, min: 1, max: 3, default: 2}}
tracks: {charge: {max: 10}, alarm: {for_each: [north, south], max: 3}}
conditions:
  lit: {stacking: levels, max: 4, cumulative: no, ends: never, tags: [light]}
  seen: {stacking: longest, lasts: {unit: turn}, params: {by: {type: choice, of: [owl, cat]}}}
traits: {lamp: {tags: [light], tracks: {oil: {max: 8}}}}
tables:
  cost: {by: n, value: int, outside: none, rows: {1-3: 2, 4+: n * 2}}
  chance: {roll: 1d6, columns: {gain: {type: int}, cause: {type: condition}}, rows: {a: {at: 1-3, gain: 1, cause: lit}, b: {at: 4-6, gain: result, cause: none}}}
bands: {reach: {beyond: last, bands: {near: {distance: 2}, far: {distance: 9, moves: 3}}}}
dice: {symbols: {spark: {}, bright: {counts_as: [spark]}, smoke: {cancels: spark}}, gem: {faces: [[], [spark, bright], [smoke]]}}
rolls:
  plain: {params: {n: {type: int, min: 0, max: 9}}, let: {thrown: (n)d6kh2}, value: thrown + 1, results: {hits: count(thrown >= 5), low: 2 <= value <= 5}}
  gems: {pool: {gem: 4}, results: {sparks: net(spark), all: rolled(bright), size_: size(pool), kinds: count(pool is gem)}}
procedures:
  tell:
    roles: [owner, guest]
    params: {n: {type: int, min: 1, max: 9}, what: {type: condition, of: [light]}}
    steps:
      - {roll: plain, as: made, with: {n: n}, by: owner}
      - {roll_on: chance, as: got}
      - add: {charge: n}
      - {run: tell_more, as: more}
      - {let: {here: FORMULA}}
  tell_more: {roles: [owner], results: {twice: 2 * Force}, steps: []}
"""


@pytest.mark.parametrize(
    ("formula", "code", "found"),
    [
        ("guest.Force", ["of", "guest", "Force"], Numbers(1, 6)),
        ("guest.alarm[north]", ["of", "guest", "alarm[north]"], Numbers(0, 3)),
        ("guest.alarm[Way]", ["of_member", "guest", "alarm", ["get", "Way"]], Numbers(0, 3)),
        ("alarm[south]", ["get", "alarm[south]"], Numbers(0, 3)),
        ("alarm[Way]", ["member", "alarm", ["get", "Way"]], Numbers(0, 3)),
        ("owner is guest", ["same", "owner", "guest"], Truths()),
        ("owner is not guest", ["not", ["same", "owner", "guest"]], Truths()),
        ("made.hits", ["field", "made", "hits"], Numbers(0, 2)),
        ("made.total", ["field", "made", "total"], Numbers(1, 13)),
        ("got.gain", ["field", "got", "gain"], Numbers(1, 6)),
        ("got.row is a", ["==", ["field", "got", "row"], "a"], Truths()),
        ("more.twice", ["field", "more", "twice"], Numbers(2, 12)),
        ("has(guest.lit)", ["has", "lit", {}, "guest"], Truths()),
        ("has(seen, by: owl)", ["has", "seen", {"by": "owl"}, None], Truths()),
        ("has(what)", ["has", ["get", "what"], {}, None], Truths()),
        ("what is lit", ["==", ["get", "what"], "lit"], Truths()),
        ("level(lit)", ["level", "lit", None], Numbers(0, 4)),
        ("level(guest.what)", ["level", ["get", "what"], "guest"], Numbers(0, 4)),
        ("remaining(guest.seen)", ["remaining", "seen", "guest"], Numbers(0, None)),
        ("carried(light)", ["carried", "light", None], Numbers(0, None)),
        ("elapsed(guest.mended)", ["elapsed", "mended", "guest"], Numbers(0, None)),
        ("option(deep)", ["option", "deep"], Numbers(1, 3)),
        ("overflow(charge)", ["overflow", "charge", None], Numbers(0, 9)),
        ("lamp.oil", ["of", "lamp", "oil"], Numbers(0, 8)),
        ("if lookup(cost, n) is none then 0 else lookup(cost, n)", ..., Numbers(0, None)),
        ("lookup(chance, 3).gain", ["lookup", "chance", [3], "gain"], Numbers(1, 6)),
        ("band(reach, n)", ["band", "reach", ["get", "n"]], Choices(frozenset({"near", "far"}))),
        ("band(reach, n) is near", ["==", ["band", "reach", ["get", "n"]], "near"], Truths()),
        ("distance(reach, far)", ["distance", "reach", "far"], Numbers(9, 9)),
        ("moves(reach, near, far)", ["moves", "reach", "near", "far"], Numbers(0, 3)),
        ("(n)d6!r1min2", ["roll", ["get", "n"], 6, {"r": [1], "min": 2, "explode": True}], ...),
        ("2d6kh1 + 1", ["+", ["sum", ["roll", 2, 6, {"keep": ["kh", 1]}]], 1], Numbers(2, 7)),
        ("d66", ["digits", [6, 6]], Pool(Numbers(1, 1), Numbers(1, 1), Numbers(11, 66))),
        ("d%", ["roll", 1, 100, {}], Pool(Numbers(1, 1), Numbers(1, 1), Numbers(1, 100))),
        ("count(3 <= 2d6)", ["count", ["roll", 2, 6, {}], [">="], [3]], Numbers(0, 2)),
        ("count(2 <= 3d6 <= n)", ["count", ["roll", 3, 6, {}], [">=", "<="], [2, ["get", "n"]]], Numbers(0, 3)),
        ("if 1d6 == 6 then 1d6 else 0", ..., Numbers(0, 6)),
        ("net(2d[gem], spark)", ["net", ["throw", 2, "gem"], "spark"], Numbers(0, 4)),
    ],
)
def test_what_a_rule_can_read(formula: str, code: Any, found: Any) -> None:
    _, bindings, findings = bound(STORY.replace("FORMULA", f'"{formula}"'))
    assert [told(finding) for finding in findings] == []
    one = next(one for text, one in bindings.of.items() if text.text == formula)
    if code is not ...:
        assert one.code == code
    if found is not ...:
        assert one.value == found


def test_results_of_a_roll() -> None:
    _, bindings, findings = bound(STORY.replace("FORMULA", "n"))
    assert [told(finding) for finding in findings] == []
    texts = {formula.text: one for formula, one in bindings.of.items()}
    gems = ["get", "pool"]
    assert texts["net(spark)"].code == ["net", gems, "spark"]
    assert texts["net(spark)"].value == Numbers(0, 8)
    assert texts["rolled(bright)"].value == Numbers(0, 4)
    assert texts["count(pool is gem)"].code == ["count_kind", gems, "gem"]
    assert texts["2 <= value <= 5"].code == ["chain", ["<=", "<="], [2, ["get", "value"], 5]]
    assert texts["result"].shown == Numbers(4, 6)


def test_every_formula_of_a_sound_system_is_bound() -> None:
    system, bindings, findings = bound(STORY.replace("FORMULA", "n"))
    assert [told(finding) for finding in findings] == []
    assert bindings.broken == frozenset()
    every = list(formulas(system))
    assert len(every) > 30
    assert [formula.text for formula in every if formula not in bindings.of] == []


def formulas(item: object) -> Iterator[Formula]:
    """Every formula of a model object."""
    if isinstance(item, Formula):
        yield item
    elif isinstance(item, dict):
        for each in item.values():
            yield from formulas(each)
    elif isinstance(item, tuple):
        for each in item:
            yield from formulas(each)
    elif is_dataclass(item) and not isinstance(item, type):
        for one in fields(item):
            yield from formulas(getattr(item, one.name))
