"""Conditions: how two of them stack, how long they last, what ends them.

In: the fields of a condition. Out: the model's Condition. This is where books are most often silent, so most of what
is here are questions that the author must answer.
"""

from __future__ import annotations

import re
from typing import Any

from ..model import Condition, Formula, Lasts, Level
from ..tree import Mapping, Scalar
from .effects import ends, lasting, levels
from .fields import Fields
from .steps import steps
from .words import formula_at

_LENGTH = re.compile(r"\s*(.+?)\s+([^\W\d]\w*)\s*\Z", re.DOTALL)


def condition(take: Fields, base: dict[str, Any]) -> Condition | None:
    stacking = take.word("stacking")
    if stacking is None:
        take.reading.error(
            "S240",
            "the book leaves open what happens when this condition comes again: say how two of these stack",
            take.at,
            hint="stacking: longest (the longer time counts), add (times add up), levels, ignore or separate",
        )
    made_ends, never = ends(take)
    made_levels = levels(take)
    _exclusions(take, stacking, never)
    if not never:
        _endless(take, bool(made_ends))
    maximum = take.formula("max")
    if stacking == "levels" and maximum is None:
        maximum = _highest(take, made_levels)
    cumulative = take.truth("cumulative")
    if cumulative is None and sum(bool(level.modifiers) for level in made_levels) and len(made_levels) > 1:
        take.reading.error(
            "S243",
            "the book leaves open whether the lower levels still count: say so",
            take.key_span("levels"),
            hint="cumulative: yes (modifiers of the lower levels count too) or no (only those of the level reached)",
        )
    shared = lasting(take)
    fields: dict[str, Any] = {
        "max": maximum,
        "cumulative": cumulative,
        "levels": made_levels,
        "while_": take.formula("while"),
        "starts": take.formula("starts"),
        "lasts": _lasts(take),
        "until": take.formula("until"),
        "ends": made_ends,
        "never": never,
        "at_end": steps(take, "at_end"),
    }
    return None if stacking is None else Condition(**base, **shared, **fields, stacking=stacking)


def _exclusions(take: Fields, stacking: str | None, never: bool) -> None:
    take.exclude("while", "starts", "`while` comes and goes by itself, `starts` stays")
    for field in ("lasts", "until", "ends"):
        take.exclude("while", field, "with `while` it ends as soon as that no longer holds")
    if never:
        for field in ("lasts", "until"):
            take.exclude("ends", field, "`ends: never` says that nothing ends it")
    if stacking is not None and stacking != "levels":
        for field in ("max", "levels", "cumulative"):
            if field in take:
                take.reading.error(
                    "S214",
                    f"`{field}` goes with levels, and two of these stack by `{stacking}`",
                    take.key_span(field),
                    hint="stacking: levels",
                )
    if "at_end" in take and "lasts" not in take:
        take.reading.error(
            "S202",
            "`at_end` is what happens when the time is up, and this condition has no time",
            take.key_span("at_end"),
            hint="say `lasts: {unit: turn}`",
        )


def _endless(take: Fields, ended: bool) -> None:
    if ended or "lasts" in take or "until" in take or "while" in take:
        return
    take.reading.error(
        "S241",
        "the book leaves open when this condition ends: say so",
        take.key_span("ends") if "ends" in take else take.at,
        hint="ends: [an event or scene], lasts: {unit: turn}, until: formula, or ends: never",
    )


def _highest(take: Fields, made: tuple[Level, ...]) -> Formula | None:
    """Levels that are written out say themselves which is the highest."""
    if made:
        key = max(take.pairs("levels"), key=lambda entry: int(entry.key.text) if entry.key.text.isdecimal() else 0).key
        return formula_at(key, 0, len(key.text))
    take.reading.error(
        "S244",
        "the book leaves open how many levels there are: say how high this condition can rise",
        take.key_span("stacking"),
        hint="max: 6",
    )
    return None


def _lasts(take: Fields) -> Lasts | None:
    """`{unit: turn}`, `{unit: turn, for: 3}`, `{until: end of next own turn}`, `turn`, `3 turn`."""
    node = take.node_of("lasts")
    if isinstance(node, Scalar):
        found = _LENGTH.match(node.text)
        if found is None:
            return Lasts(unit=node.text.strip())
        return Lasts(unit=found[2], for_=formula_at(node, found.start(1), found.end(1)))
    if not isinstance(node, Mapping):
        return None
    inner = Fields(take.reading, node, take.key_span("lasts"), "how long it lasts")
    inner.exclude("unit", "until", "each of them says how long it lasts")
    if "unit" not in inner and "until" not in inner:
        inner.missing("unit", "lasts: {unit: turn}, or {until: end of next own turn}")
    return Lasts(unit=inner.word("unit"), until=inner.moment("until"), for_=inner.formula("for"))
