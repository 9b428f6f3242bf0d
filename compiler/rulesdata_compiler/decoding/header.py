"""The header of a system: who it is, its clock, its groups.

In: the mapping under `system:`. Out: the model's Header, always: what cannot be read is told and left out, so that
the rules below it are checked all the same.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ..diagnostics import Note
from ..model import Header
from ..nearest import did_you_mean
from ..reading.scalars import number
from ..tree import Mapping, Node, Scalar, Sequence
from .fields import Fields
from .reading import Reading
from .words import check_name

_RATIO = re.compile(r"\s*(\d+(?:[./]\d+)?)\s*[*×]?\s*([^\W\d]\w*)\s*\Z")
Ratio = tuple[Fraction, str]


def header(node: Mapping, reading: Reading) -> Header:
    take = Fields(reading, node, node.span, "the header of a system")
    return Header(
        id=take.text("id") or "",
        title=take.text("title") or "",
        version=take.text("version") or "",
        span=node.entries[0].key.span if node.entries else node.span,
        about=take.text("about"),
        language=take.text("language") or "en",
        sources=_texts(take, "sources"),
        clock=_clock(take),
        scenes=take.words("scenes"),
        events=take.words("events"),
        stacking=_texts(take, "stacking"),
        sheets=_lists(take, "sheets"),
        extends=take.word("extends"),
        chapters=_chapters(take),
        screens=_lists(_inner(take, "reference"), "screens"),
    )


def _inner(take: Fields, key: str) -> Fields:
    node = take.node_of(key)
    return Fields(take.reading, node or Mapping(take.at), take.key_span(key), f"`{key}`")


def _texts(take: Fields, key: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (entry.key.text, entry.value.text.strip()) for entry in take.pairs(key) if isinstance(entry.value, Scalar)
    )


def _lists(take: Fields, key: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((entry.key.text, _words(entry.value)) for entry in take.pairs(key))


def _words(node: Node) -> tuple[str, ...]:
    items = node.items if isinstance(node, Sequence) else (node,)
    return tuple(item.text.strip() for item in items if isinstance(item, Scalar))


def _one(node: Node | None) -> str:
    return node.text.strip() if isinstance(node, Scalar) else ""


def _chapters(take: Fields) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """`[id, {title: Light, rules: [ids]}]`, or in short `{Light: [ids]}`."""
    made: list[tuple[str, tuple[str, ...]]] = []
    for item in _inner(take, "reference").items("chapters"):
        if isinstance(item, Mapping) and item.entry("rules") is not None:
            made.append((_one(item.get("title")), _words(item.get("rules") or item)))
        elif isinstance(item, Mapping):
            made += [(entry.key.text, _words(entry.value)) for entry in item if not entry.key.text.startswith("x-")]
        elif isinstance(item, Scalar):
            made.append((item.text.strip(), ()))
    return tuple(made)


def _clock(take: Fields) -> tuple[tuple[str, Ratio | None], ...]:
    """`{turn: 1, minute: 20 turn}`, or a list of units that each stand alone."""
    node = take.node_of("clock")
    if not isinstance(node, Mapping):
        return tuple((check_name(scalar, take.reading, "a unit of time"), None) for scalar in take.scalars("clock"))
    units = {entry.key.text: entry for entry in take.pairs("clock")}
    made: dict[str, Ratio | None] = {}
    for name, entry in units.items():
        check_name(entry.key, take.reading, "a unit of time")
        made[name] = _ratio(entry.value, list(units), take.reading) if isinstance(entry.value, Scalar) else None
    for name in made:
        loop = _loop(name, made)
        if loop:
            take.reading.error(
                "S228",
                f"these units of time are told by each other: {' is told by '.join(loop)}",
                units[name].value.span,
                notes=tuple(Note(units[hop].value.span, f"{hop} is told here") for hop in loop[1:-1]),
                hint="let the smallest unit stand alone: turn: 1",
            )
            made = {unit: None if unit in loop else ratio for unit, ratio in made.items()}
            break
    return tuple(made.items())


def _ratio(scalar: Scalar, units: list[str], reading: Reading) -> Ratio | None:
    if scalar.text.strip() in {"", "~", "1", "none"}:
        return None
    found = _RATIO.match(scalar.text)
    if found is None:
        bare = number(scalar)
        reading.error(
            "S227",
            f'"{scalar.text}" does not say how long this unit of time is',
            scalar.span,
            hint=f"{scalar.text} of which unit? {scalar.text} turn, for example"
            if bare is not None
            else "write a number and a smaller unit: 20 turn; or 1 if it stands alone",
        )
        return None
    amount, unit = Fraction(found[1]) if not found[1].endswith("/0") else Fraction(0), found[2]
    if amount <= 0:
        reading.error("S227", "a unit of time is longer than nothing", scalar.part(found.start(1), found.end(1)))
        return None
    if unit not in units:
        reading.error(
            "S228",
            f"`{unit}` is no unit of this clock",
            scalar.part(found.start(2), found.end(2)),
            hint=did_you_mean(unit, units) or f"the units are {', '.join(units)}",
        )
        return None
    return amount, unit


def _loop(name: str, ratios: dict[str, Ratio | None]) -> list[str]:
    """The units from a name back to itself, or nothing."""
    chain = [name]
    while (ratio := ratios.get(chain[-1])) is not None:
        chain.append(ratio[1])
        if ratio[1] == name:
            return chain
        if len(chain) > len(ratios):
            return []
    return []
