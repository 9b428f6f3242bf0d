"""Time in small made-up systems: however a stretch of it is cut up, saved and read again, the same has happened."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulesdata_compiler import compile_system
from rulesdata_runtime.rules import Rules
from rulesdata_runtime.state.character import Character

UNITS = ["turn", "minute", "hour"]


def lasting(chance: random.Random, number: int, count: int) -> dict[str, Any]:
    """A condition with any stacking, any end in time, effects that recur, and steps for its end."""
    found: dict[str, Any] = {"title": f"C{number}", "text": "One."}
    found["stacking"] = chance.choice(["longest", "add", "levels", "ignore", "separate"])
    if found["stacking"] == "levels":
        found["max"] = 3
    other = f"c{chance.randint(0, count - 1)}"
    kind = chance.random()
    if kind < 0.6:
        found["lasts"] = {"unit": chance.choice(UNITS), "for": chance.randint(1, 7)}
        found["at_end"] = [{"add": {"ended": 1}}, {"apply": other, "when": "ended < 30"}][: chance.randint(1, 2)]
    elif kind < 0.8:
        moment = chance.choice(["start of own", "end of own", "end of next own"])
        found["lasts"] = {"until": f"{moment} {chance.choice(UNITS)}"}
    else:
        found["ends"] = ["mended"]
    unit = chance.choice(UNITS)
    found["each"] = chance.choice([unit, {unit: "start"}, {unit: "end"}])
    if chance.random() < 0.5:
        found["every"] = chance.choice([2, 3, "Force"])
    found["effect"] = chance.choice(
        [
            [{"add": {"harm": 10**number}}],
            [{"add": {"harm": 10**number}}, {"subtract": {"uses": 1}}],
            [{"add": {"harm": 10**number}}, {"apply": other, "when": "harm < 500"}],
            [{"add": {"harm": 10**number}}, {"remove": other}],
        ]
    )
    return found


def system(chance: random.Random) -> dict[str, Any]:
    count = chance.randint(1, 3)
    resets = {"each": chance.choice(UNITS), "to": chance.choice([0, 1, 3])}
    low: dict[str, Any] = {
        "title": "Low",
        "text": "Comes by itself.",
        "stacking": "ignore",
        "while": "harm >= 30 and harm < 120",
    }
    low |= {"each": "turn", "effect": [{"add": {"ended": 100}}]}
    return {
        "system": {
            "id": "made",
            "title": "Made",
            "version": "1.0.0",
            "about": "Made up.",
            "clock": {"turn": 1, "minute": "5 turn", "hour": "4 minute"},
            "events": ["mended"],
        },
        "stats": {"Force": {"title": "Force", "text": "How strong.", "min": 1, "max": 20}},
        "tracks": {
            "harm": {"title": "Harm", "text": "What is done.", "max": 1_000_000},
            "ended": {"title": "Ended", "text": "What is over.", "max": 1_000_000},
            "uses": {"title": "Uses", "text": "What is left.", "max": 3, "resets": resets},
        },
        "conditions": {**{f"c{n}": lasting(chance, n, count) for n in range(count)}, "low": low},
        "procedures": {
            f"give_c{n}": {"title": "Give", "text": "It comes.", "steps": [{"apply": f"c{n}"}]} for n in range(count)
        },
    }


def told(rules: Rules, hero: Character) -> dict[str, Any]:
    """A character as saved, without the numbers that only tell instances apart."""
    saved = rules.saved(hero)
    for one in saved.get("conditions", ()):
        del one["number"]
    return saved


@pytest.mark.parametrize("seed", range(40))
def test_a_stretch_of_time_is_the_sum_of_its_parts(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    made = system(chance)
    (tmp_path / "system.yaml").write_text(yaml.safe_dump(made, sort_keys=False), encoding="utf-8")
    compiled = compile_system(str(tmp_path), prove=False)
    assert compiled.artifact is not None, compiled.findings
    rules = Rules.open(compiled.artifact)
    for _ in range(4):
        hero = rules.character(Force=chance.randint(1, 4), uses=chance.randint(0, 3))
        for _ in range(chance.randint(1, 4)):
            hero = rules.run(chance.choice(list(rules.book.of_kind("procedure"))), hero).character
            hero = rules.advance(hero, "turn", chance.randint(0, 3)).character
        whole, parts, left = hero, hero, chance.randint(1, 60)
        whole = rules.advance(hero, "turn", left).character
        while left:
            step = chance.randint(1, min(left, chance.choice([1, 1, 7, 20])))
            parts = rules.loaded(rules.saved(rules.advance(parts, "turn", step).character))[0]
            left -= step
        assert told(rules, whole) == told(rules, parts), made
        hour, turns = rules.advance(hero, "hour", 2).character, rules.advance(hero, "turn", 40).character
        assert told(rules, hour) == told(rules, turns), made
