"""The JSON Schemas themselves: closed, described, the same for editors, jsonschema and our own quick check."""

# ruff: noqa: E501 - cases read best on a line each

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from rulesdata_compiler import model
from rulesdata_compiler.decoding import decode
from rulesdata_compiler.shaping.fits import compiled, fits
from rulesdata_compiler.shaping.schemas import definition, document, names, resolve

REGISTRY: Any = Registry().with_resources([(name, DRAFT202012.create_resource(document(name))) for name in names()])
SHARED = {"title", "text", "source", "ruling", "tags", "aliases", "option", "examples", "renamed_from", "for_each"}

SAMPLES = yaml.safe_load("""
stats.json:
  - {type: int, min: 1, max: 6, default: 2, unit: points, title: Strength}
  - {type: choice, of: [near, far], for_each: [A, B]}
derived.json:
  - {formula: 8 + ceil(strength / 2), unit: boxes, min: 0, max: 9, round: up, x-note: [1, {a: 2}]}
tracks.json:
  - {min: 0, max: strength, resets: {each: day, to: 0}, over: {to: rest}, shrinks: keep, scope: table}
  - {resets: [{each: [day, week], to: strength}], over: lost}
dice.json:
  - {faces: [[], [spark], [spark, soot], spark], upgrades_to: torch}
rolls.json:
  - {params: {dice: int}, let: {thrown: (dice)d6}, results: {hits: count(thrown >= 5)}, ranking: {by: [hits], ties: choose}}
tables.json:
  - roll: 1d6
    columns: {weight_of: {type: int}, note: text}
    outside: {below: first}
    rows:
      low: {at: 1-3, title: Low, weight_of: 3, note: x, effect: [{add: {charge: 1}}]}
      high: {at: [4, 5, "6"], again: {when: has(lit), at_most: 3, then: none}, weight_of: none, note: y}
  - {by: [lamp, distance], rows: {lantern: {0-6: 13, 7+: none}}}
  - {rows: {a: {when: charge > 1, text: x}, b: {else: yes}}, overlap: all}
spends.json:
  - {context: [light], cost: [{spark: 2}, {soot: 1}], repeatable: no, limit: 2, roles: [owner, target]}
bands.json:
  - {bands: {near: {distance: 3}, far: {distance: 9, moves: 1, within: 0}}, beyond: none}
conditions.json:
  - stacking: levels
    levels: {1: {title: A}, 2: {modifiers: [{value: strength, add: -1}]}}
    cumulative: yes
    lasts: {unit: turn, for: 3}
    ends: [encounter, {after_roll: [light]}, {any_action_but: [wait]}]
    forbids: [major, {lower: lit}]
    each: [{turn: start}, day]
    effect: [{when: charge > 1, then: [{say: "{charge} left"}], else: [{remove: {lit: 1}}]}]
    tracks: {glow: {start: 3}}
  - {stacking: ignore, ends: never, implies: lit, while: charge > 0}
traits.json:
  - {params: {rating: int}, modifiers: [{roll: [light], except: [dim], add: {torch: 1}}, {slot: major, set: {free: 0}}]}
environments.json:
  - {entry: [{apply: lit, for: 3, with: {kind: a}}], each: turn, effect: [{subtract: {charge: 1}}]}
actions.json:
  - {slot: major, cost: 2, requires: [{that: charge > 0, else: No charge}], effect: [{run: refill, roles: {a: b}}]}
  - {slot: {major: 1, minor: 1}, requires: charge > 0, outside_turn: yes}
procedures.json:
  - roles: {owner: person, target: lamp}
    results: {left: charge}
    steps:
      - let: {left: charge}
      - {roll: light, with: {dice: 3}, as: shine, by: owner, tags: [bright]}
      - {roll_on: colours, plus: 1, as: colour, at_most: 3}
      - {choose: {id: what, by: owner, options: {keep: {title: Keep, steps: []}, drop: {when: left > 0}}}}
      - ask: {many: {type: int, min: 0, max: left, by: owner}, sure: bool}
      - {repeat: 2, do: [{each_trait: lamp, do: [{set: {trait.charge: 0}}]}]}
      - {stop: Enough, when: left == 0}
      - {spend: light, of: shine}
      - {event: repaired, to: target}
    examples:
      - {title: One, given: {strength: 3, target: {charge: 1}}, dice: [1, spark], expect: {left: 1}}
      - {title: Two, play: [{act: wait}, {advance: {day: 2}}], expect_error: empty, changed: yes}
options.json:
  - {type: int, min: 1, max: 3, default: 1}
  - "off"
  - 3
system.json:
  - {id: demo, title: Demo, version: 1.0.0, clock: {turn: 1, minute: 20 turn}, stacking: {worn: highest}, sheets: {a: [b]}}
parts.json#/$defs/symbols:
  - {spark: {cancels: soot, counts_as: [light], letter: s}, soot: {}}
parts.json#/$defs/slots:
  - {major: {each: turn, free: 1, cap: 2, more: [{steps: [{add: {charge: 1}}]}, {slot: minor}]}, minor: {free: unlimited}}
""")


def plain(data: Any) -> Any:
    """Keys as text, as the tree has them."""
    if isinstance(data, dict):
        return {str(key): plain(value) for key, value in data.items()}
    return [plain(item) for item in data] if isinstance(data, list) else data


CASES = [(reference, plain(sample)) for reference, samples in SAMPLES.items() for sample in samples]


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema with properties, of a document."""
    if isinstance(schema, dict):
        if "properties" in schema and isinstance(schema["properties"], dict):
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from objects(item)


def references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"]
        for value in schema.values():
            yield from references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from references(item)


def full(reference: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": reference}, registry=REGISTRY)


def test_there_is_a_schema_for_each_kind() -> None:
    assert {f"{kind}.json" for kind in model.KINDS} <= set(names())


@pytest.mark.parametrize("name", names())
def test_schemas_are_valid_and_can_be_followed(name: str) -> None:
    Draft202012Validator.check_schema(document(name))
    for reference in references(document(name)):
        assert definition(reference)
    assert "unevaluatedProperties" not in str(document(name))


@pytest.mark.parametrize("name", names())
def test_every_property_is_described_and_every_object_closed(name: str) -> None:
    for schema in objects(document(name)):
        for field, about in schema["properties"].items():
            assert about.get("description") or resolve(about).get("description") or "$ref" in about, field
            while "description" not in about:
                about = definition(about["$ref"])
            assert about["description"]
        assert "additionalProperties" in schema


@pytest.mark.parametrize("kind", model.KINDS)
def test_every_kind_spells_out_what_all_rules_may_carry(kind: str) -> None:
    (schema,) = [found for found in objects(document(f"{kind}.json")) if "renamed_from" in found["properties"]]
    assert set(schema["properties"]) >= SHARED
    assert schema["additionalProperties"] is False
    assert "^x-" in schema["patternProperties"]


@pytest.mark.parametrize(("reference", "sample"), CASES)
def test_samples_fit(reference: str, sample: Any) -> None:
    assert fits(reference)(sample)
    assert full(reference).is_valid(sample)


def test_a_whole_file_is_checked_by_editors() -> None:
    data = {"stats": {"Strength": {"type": "int"}}, "dice": {"symbols": {"spark": {}}, "torch": {"faces": [[]]}}}
    assert full("file.json").is_valid(data)
    assert not full("file.json").is_valid({"stats": {"Strength": {"typ": "int"}}})
    assert not full("file.json").is_valid({"stat": {}})
    assert full("file.json").is_valid({"house_rules": {"id": "a", "extends": "b"}, "change": {"options": {"a": False}}})


def test_the_decoder_reads_every_field() -> None:
    """A field of a schema that no decoder mentions would be silently ignored."""
    folder = Path(str(decode.__file__)).parent
    words: set[str] = set()
    for path in [*folder.glob("*.py"), folder.parent / "shaping" / "families.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
    for name in set(names()) - {"file.json", "house_rules.json"}:
        for schema in objects(document(name)):
            assert set(schema["properties"]) - words == set(), name


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.just(Fraction(1, 2)),
    st.sampled_from(["", "yes", "int", "lost", "never", "a b", "1x", "Ärger", "start", "none", "highest"]),
)
KEYS = st.sampled_from(
    ["when", "then", "add", "at", "id", "x-a", "title", "typ", "type", "1", "a b", "else", "options"]
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=2), st.dictionaries(KEYS, SCALARS, max_size=2))


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(value, (*path, key))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_quick_check_and_jsonschema_agree(data: st.DataObject) -> None:
    reference, sample = data.draw(st.sampled_from(CASES))
    changed = {"it": copy.deepcopy(sample)}
    for _ in range(data.draw(st.integers(1, 3))):
        path = ("it", *data.draw(st.sampled_from(list(places(changed["it"])))))
        holder: Any = changed
        for part in path[:-1]:
            holder = holder[part]
        match data.draw(st.sampled_from(["replace", "delete", "rename", "grow"])):
            case "delete" if len(path) > 1:
                del holder[path[-1]]
            case "rename" if isinstance(holder, dict) and len(path) > 1:
                holder[data.draw(KEYS)] = holder.pop(path[-1])
            case "grow" if isinstance(holder[path[-1]], dict):
                holder[path[-1]][data.draw(KEYS)] = data.draw(VALUES)
            case _:
                holder[path[-1]] = data.draw(VALUES)
    assert fits(reference)(changed["it"]) == full(reference).is_valid(changed["it"])


def test_an_unknown_keyword_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="contains"):
        compiled({"type": "array", "contains": {"type": "string"}})
