"""Rolls and procedures that come out otherwise, with the same dice.

In: both versions of a rule, open for play. Out: lines. Rolls are asked with all their dice where those are few, else
with a fixed number of seeded throws; procedures with characters and parameters from the ends and middles of their
ranges and the same seeds. The one rule: what cannot be played alone, for it needs an answer, says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from rulesdata_runtime.answers_text import say
from rulesdata_runtime.errors import RulesError
from rulesdata_runtime.formulas.fork import outcomes
from rulesdata_runtime.rules import Rules

from ..model import Formula, Procedure, Roll, Spec

MOST_OUTCOMES = 216
THROWS = 200
SEEDS = range(24)
RUN_SEEDS = (7, 1, 2, 3)  # the later ones where the earlier show nothing
CASES = 24
ROLL_CASES = 5
LISTED = 8
NOTHING = "nothing"


# --- rolls ---------------------------------------------------------------------------------------------------------


def roll_changes(was: Roll, now: Roll, olds: Rules, news: Rules) -> Iterator[str]:
    """How the results of a roll move, for some values of its parameters."""
    lines: list[str] = []
    heroes = _heroes(olds, news)
    for given in _cases(now.params)[:ROLL_CASES]:
        if not _moves(now.id, olds, news, given, heroes):
            continue
        before, after = _odds(olds, was.id, given, heroes[1]), _odds(news, now.id, given, heroes[1])
        if before is None or after is None:
            continue
        how = f" with {_shown(given)}" if given else ""
        lines += [
            f"{name}{how}: {after.get(name, NOTHING)}, was {before.get(name, NOTHING)}"
            for name in dict.fromkeys([*before, *after])
            if before.get(name) != after.get(name)
        ]
    yield from lines[:LISTED]
    if len(lines) > LISTED:
        yield f"and {len(lines) - LISTED} more"


def _moves(roll: str, olds: Rules, news: Rules, given: dict[str, Any], heroes: Sequence[dict[str, Any]]) -> bool:
    """Whether the same dice give other results, in a few throws: what the odds are worth working out for."""
    for stats in heroes:
        try:
            one, other = olds.character(**stats), news.character(**stats)
            for seed in SEEDS:
                was = olds.roll(roll, one, dice=seed, given=given)
                now = news.roll(roll, other, dice=seed, given=given)
                if was.results != now.results or was.total != now.total:
                    return True
        except RulesError:
            return True  # one of the two refuses, or both: the odds will tell
    return False


def _odds(rules: Rules, roll: str, given: dict[str, Any], stats: dict[str, Any]) -> dict[str, str] | None:
    """The mean of each result, or its chance; None where the roll cannot be made alone."""
    about = ""
    try:
        hero = rules.character(**stats)
        found = list(outcomes(lambda dice: rules.roll(roll, hero, dice=dice, given=given), MOST_OUTCOMES))
    except RulesError:
        about = "about "
        try:
            hero = rules.character(**stats)
            thrown = [rules.roll(roll, hero, dice=seed, given=given) for seed in range(THROWS)]
        except RulesError:
            return None
        found = [(Fraction(1, THROWS), one) for one in thrown]
    means: dict[str, Fraction] = {}
    truths: set[str] = set()
    for chance, rolled in found:
        results = dict(rolled.results) or ({"total": rolled.total} if rolled.total is not None else {})
        for name, value in results.items():
            if isinstance(value, bool):
                truths.add(name)
            if isinstance(value, int | Fraction):
                means[name] = means.get(name, Fraction(0)) + chance * value
    return {
        name: about + (f"{_decimal(mean * 100, 1)} %" if name in truths else f"{_decimal(mean, 2)} on average")
        for name, mean in means.items()
    }


def _decimal(value: Fraction, places: int) -> str:
    scaled = round(value * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")
    return f"-{text}" if scaled < 0 else text


# --- procedures ----------------------------------------------------------------------------------------------------


def procedure_changes(was: Procedure, now: Procedure, olds: Rules, news: Rules) -> Iterator[str]:
    """In how many of some runs another thing comes out, and the first of them."""
    played = moved = 0
    first: str | None = None
    heroes = _heroes(olds, news)
    for seed in RUN_SEEDS:
        if moved or (seed != RUN_SEEDS[0] and not played):
            break
        for given, (size, stats) in product(_cases(now.params), enumerate(heroes)):
            before, after = _run(olds, was, given, stats, seed), _run(news, now, given, stats, seed)
            if before is None or after is None:
                continue
            played += 1
            changes = [
                f"{name} is {_said(after.get(name))}, was {_said(before.get(name))}"
                for name in dict.fromkeys([*before, *after])
                if before.get(name) != after.get(name)
            ]
            if changes:
                moved += 1
                with_ = f"with {_shown(given)} and " if given else "with "
                who = ("the lowest", "middling", "the highest")[size]
                first = first or f"{with_}{who} stats: {'; '.join(changes[:4])}"
    if moved:
        yield f"comes out otherwise in {moved} of {played} runs that were tried; {first}"


def _run(
    rules: Rules, rule: Procedure, given: dict[str, Any], stats: dict[str, Any], seed: int
) -> dict[str, Any] | None:
    """What comes of one run: results, tracks, conditions; None where it cannot be run alone."""
    try:
        roles = [role for role, _ in rule.roles]
        hero = rules.character(**stats)
        named = dict.fromkeys(roles, hero)
        cast = () if named else (hero,)
        outcome = rules.run(rule.id, *cast, dice=seed, given=given, **named)
    except RulesError:
        return None
    found: dict[str, Any] = dict(outcome.results)
    for role, character in (outcome.characters or {"": outcome.character}).items():
        if character is None:
            continue
        front = f"{role}." if role and len(roles) > 1 else ""
        found.update({front + name: value for name, value in character.tracks.items()})
        found[f"{front}conditions"] = sorted(one.id for one in character.conditions)
    return found


def _said(value: Any) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(say(value))


# --- what to try ---------------------------------------------------------------------------------------------------


def _heroes(olds: Rules, news: Rules) -> list[dict[str, Any]]:
    """Stats all at the low end, in the middle, or at the high end of the ranges that both systems have."""
    heroes: list[dict[str, Any]] = [{}, {}, {}]
    for name, rule in news.book.of_kind("stat").items():
        before = olds.book.of_kind("stat").get(name, rule)["spec"]
        spec = rule["spec"]
        ends = [one.get(end) for one in (before, spec) for end in ("min", "max")]
        if spec.get("type", "int") == "int" and all(isinstance(end, int) for end in ends):
            low, high = max(ends[0], ends[2]), min(ends[1], ends[3])
            for given, value in zip(heroes, (low, (low + high) // 2, high), strict=True):
                given[name] = value
        elif "default" not in spec and spec.get("type") == "choice":
            for given in heroes:
                given[name] = spec["of"][0]
    return heroes


def _cases(params: Sequence[Spec]) -> list[dict[str, Any]]:
    """Some values for all parameters: ends, small numbers and the middle; what has a default keeps it."""
    names: list[str] = []
    values: list[list[Any]] = []
    for spec in params:
        found = _values(spec)
        if found:
            names.append(spec.name)
            values.append(found)
    return [dict(zip(names, point, strict=True)) for point in product(*values)][:CASES]


def _values(spec: Spec) -> list[Any]:
    if spec.default is not None:
        return []
    if spec.type == "choice":
        return list(spec.of)
    if spec.type == "bool":
        return [False, True]
    low, high = _whole(spec.min), _whole(spec.max)
    start = 0 if low is None else low
    end = start + 8 if high is None else high
    return sorted({value for value in (start, start + 1, start + 4, (start + end) // 2, end) if start <= value <= end})


def _whole(formula: Formula | None) -> int | None:
    if formula is None:
        return None
    text = formula.text.strip()
    return int(text) if text.lstrip("-").isdecimal() else None


def _shown(given: dict[str, Any]) -> str:
    return ", ".join(f"{name} {say(value)}" for name, value in given.items())
