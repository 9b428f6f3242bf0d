"""Modifiers of small made-up systems, against a model that knows no more than the page about them: what is carried,
implied and suspended, levels, groups, the order of verbs. Nothing may hang on what came first."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulesdata_compiler import compile_system
from rulesdata_runtime.errors import RulesError
from rulesdata_runtime.rules import Rules

GROUPS = {"best": "highest", "worst": "lowest", "all": "sum", "each": "once"}
Held = list[tuple[str, int]]
ERROR = "error"


def modifier(chance: random.Random, level: str) -> dict[str, Any]:
    found: dict[str, Any] = {"value": "worth", "stack": chance.choice(list(GROUPS))}
    match chance.choices(["add", "multiply", "set"], [8, 3, 1])[0]:
        case "add":
            found["add"] = chance.choice([-3, -2, -1, 1, 2, 3, "-Force", level])
        case "multiply":
            found |= {"multiply": chance.choice([2, "1/2", "3/4", 0]), "round": chance.choice(["up", "down", "near"])}
        case _:
            found["set"] = chance.randint(0, 8)
    if chance.random() < 0.2:
        found["at_least"] = chance.randint(0, 6)
    if chance.random() < 0.2:
        found["at_most"] = chance.randint(4, 12)
    if chance.random() < 0.3:
        found["when"] = f"Force > {chance.randint(0, 15)}"
    return found


def condition(chance: random.Random, number: int, count: int) -> dict[str, Any]:
    stacking = chance.choice(["levels", "separate", "ignore"])
    level = f"level(c{number})" if stacking == "levels" else "1"
    found: dict[str, Any] = {"title": f"C{number}", "text": "One.", "ends": ["mended"], "stacking": stacking}
    found["modifiers"] = [modifier(chance, level) for _ in range(chance.randint(1, 3))]
    if stacking == "levels":
        found |= {"max": 4, "cumulative": chance.choice([True, False])}
        found["levels"] = {
            n: {"title": f"L{n}", "modifiers": [modifier(chance, level)]}
            for n in sorted(chance.sample([1, 2, 3, 4], chance.randint(1, 3)))
        }
    for field in ("implies", "suspends"):
        if number < count - 1 and chance.random() < 0.3:
            found[field] = [f"c{chance.randint(number + 1, count - 1)}"]
    return found


def system(chance: random.Random) -> dict[str, Any]:
    count = chance.randint(1, 4)
    worth: dict[str, Any] = {"title": "Worth", "text": "What it is worth.", "formula": "Force + 3", "round": "down"}
    if chance.random() < 0.3:
        worth["min"] = chance.randint(-5, 3)
    if chance.random() < 0.3:
        worth["max"] = chance.randint(5, 30)
    return {
        "system": {
            "id": "made",
            "title": "Made",
            "version": "1.0.0",
            "about": "Made up.",
            "events": ["mended"],
            "stacking": GROUPS,
        },
        "stats": {"Force": {"title": "Force", "text": "How strong.", "min": 0, "max": 20}},
        "derived": {"worth": worth},
        "conditions": {f"c{number}": condition(chance, number, count) for number in range(count)},
    }


def carried(chance: random.Random, conditions: Mapping[str, Any]) -> Held:
    found: Held = []
    for name, rule in conditions.items():
        for _ in range(chance.randint(0, 2 if rule["stacking"] == "separate" else 1)):
            found.append((name, chance.randint(1, 4) if rule["stacking"] == "levels" else 1))
    chance.shuffle(found)
    return found


# --- the model -----------------------------------------------------------------------------------------------------

Line = tuple[str, int, Mapping[str, Any], int]
"""The condition, the place of the modifier in it, the modifier, the level."""


def lines(conditions: Mapping[str, Any], held: Held) -> Iterable[Line]:
    implied: set[str] = set()
    suspended: set[str] = set()
    for name, rule in conditions.items():  # one implies and suspends only what stands behind it
        there = [level for one, level in held if one == name] or ([1] if name in implied else [])
        if not there or name in suspended:
            continue
        implied.update(rule.get("implies", ()))
        suspended.update(rule.get("suspends", ()))
        levels: Mapping[int, Any] = rule.get("levels", {})
        for level in there:
            top = max((n for n in levels if n <= level), default=0)
            everything = [(one, True) for one in rule["modifiers"]]
            for n, part in levels.items():
                everything += [(one, n == top or (n < top and rule["cumulative"])) for one in part["modifiers"]]
            yield from ((name, place, one, level) for place, (one, counts) in enumerate(everything) if counts)


def amount(written: Any, force: int, level: int) -> Fraction:
    if isinstance(written, str) and written.startswith("level"):
        return Fraction(level)
    return Fraction(-force) if written == "-Force" else Fraction(written)


def rounded(value: Fraction, how: str) -> int:
    nearest = floor(abs(value) + Fraction(1, 2)) * (1 if value > 0 else -1)
    return {"up": ceil(value), "down": floor(value), "near": nearest}[how]


def surviving(found: list[Line], verb: str, force: int) -> tuple[list[tuple[Fraction, Mapping[str, Any]]], list[Any]]:
    """What counts of one verb, and the modifiers whose limits hold."""
    counts: list[tuple[Fraction, Mapping[str, Any]]] = []
    limits: list[Any] = []
    for group, policy in GROUPS.items():
        members = [
            (name, place, amount(one[verb], force, level), one)
            for name, place, one, level in found
            if verb in one and one["stack"] == group
        ]
        if not members:
            continue
        if policy == "sum":
            kept = members
        elif policy == "once":
            best: dict[tuple[str, int], Any] = {}
            for member in members:
                known = best.setdefault(member[:2], member)
                best[member[:2]] = max(known, member, key=lambda one: one[2])
            kept = list(best.values())
        else:
            pick = max if policy == "highest" else min
            end = pick(member[2] for member in members)
            equal = [member for member in members if member[2] == end]
            kept = equal[:1]
            limits += [member[3] for member in equal[1:]]
        counts += [(member[2], member[3]) for member in kept]
        limits += [member[3] for member in kept]
    return counts, limits


def expected(made: Mapping[str, Any], force: int, held: Held) -> set[Any]:
    """The value; several where equally good factors round in different ways, and the rules say nothing of it."""
    found = [
        line
        for line in lines(made["conditions"], held)
        if "when" not in line[2] or force > int(line[2]["when"].split(">")[1])
    ]
    sets, first = surviving(found, "set", force)
    adds, second = surviving(found, "add", force)
    factors, third = surviving(found, "multiply", force)
    if len({value for value, _ in sets}) > 1:
        return {ERROR}
    value = sets[0][0] if sets else Fraction(force + 3)
    value += sum(one for one, _ in adds)
    for factor, _ in factors:
        value *= factor
    ways = {rounded(value, one["round"]) for _, one in factors} or {int(value)}
    if len(ways) > 1:
        return {ERROR}
    every = ways | {rounded(value, one["round"]) for one in third if factors}
    worth = made["derived"]["worth"]
    results: set[Any] = {ERROR} if len(every) > 1 else set()
    for way in every:
        for one in (*first, *second, *third):
            way = max(way, one.get("at_least", way))
        for one in (*first, *second, *third):
            way = min(way, one.get("at_most", way))
        way = max(way, worth.get("min", way))
        results.add(min(way, worth.get("max", way)))
    return results


@pytest.mark.parametrize("seed", range(40))
def test_values_are_those_of_the_model(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    made = system(chance)
    (tmp_path / "system.yaml").write_text(yaml.safe_dump(made, sort_keys=False), encoding="utf-8")
    compiled = compile_system(str(tmp_path), prove=False)
    if compiled.artifact is None:
        assert {one.code for one in compiled.findings if one.severity == "error"} <= {"R632"}
        return
    rules = Rules.open(compiled.artifact)
    for _ in range(12):
        force, held = chance.randint(0, 20), carried(chance, made["conditions"])
        levels = {name for name, rule in made["conditions"].items() if rule["stacking"] == "levels"}
        given = [{name: {"level": level}} if name in levels else name for name, level in held]
        hero = rules.character(Force=force, conditions=given)
        try:
            found: Any = rules.value("worth", hero)
            assert rules.explain("worth", hero).value == found
        except RulesError:
            found = ERROR
        assert found in expected(made, force, held), (made, force, held)
