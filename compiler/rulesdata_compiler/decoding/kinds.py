"""The kinds of rules, each from its fields.

In: the fields of one rule and what every rule carries. Out: the rule as the model has it. Tables and conditions have
files of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..model import (
    Action,
    AnyRule,
    Band,
    Bands,
    Derived,
    Die,
    Environment,
    Formula,
    More,
    Named,
    Option,
    Procedure,
    Ranking,
    Roll,
    Slot,
    Spend,
    Stat,
    Symbol,
    Track,
    Trait,
)
from ..source import Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .cells import sources
from .conditions import condition
from .effects import lasting, modifiers, requirements, track_fields
from .examples import examples, reasons
from .fields import Fields, formula, spec_of
from .reading import Reading
from .steps import placed_only_in_house_rules, steps
from .tables import table
from .words import check_name, family_of, formula_at


def rule(kind: str, entry: Entry, reading: Reading) -> AnyRule | None:
    """One rule of a kind; None where it cannot be made."""
    value: Node = entry.value
    if kind == "options" and isinstance(value, Scalar):
        # `lanterns: off` is short for its default.
        value = Mapping(value.span, (Entry(Scalar(value.span, "default"), value),))
    take = Fields(reading, value, entry.key.span, f"`{entry.key.text}`")
    return DECODERS[kind](take, common(take, entry.key))


def common(take: Fields, key: Scalar) -> dict[str, Any]:
    """What every rule of every kind may carry."""
    return {
        "id": key.text,
        "span": key.span,
        "title": take.text("title"),
        "text": take.template("text"),
        "source": sources(take),
        "ruling": take.template("ruling"),
        "tags": take.words("tags"),
        "aliases": take.words("aliases"),
        "option": take.formula("option"),
        "examples": examples(take),
        "unpinned": reasons(take),
        "renamed_from": take.words("renamed_from"),
        "family": family_of(key.text),
    }


def _stat(take: Fields, base: dict[str, Any]) -> AnyRule | None:
    made = spec_of(take, base["id"], base["span"])
    return None if made is None else Stat(**base, spec=made)


def _option(take: Fields, base: dict[str, Any]) -> AnyRule | None:
    made = spec_of(take, base["id"], base["span"], switch=True)
    if made is None:
        return None
    if made.default is None:
        take.missing("default", "default: off, or a number")
        return None
    return Option(**base, spec=made, value=take.text("value"))


def _derived(take: Fields, base: dict[str, Any]) -> AnyRule | None:
    found = take.formula("formula")
    return (
        None
        if found is None
        else Derived(
            **base,
            formula=found,
            unit=take.text("unit"),
            min=take.formula("min"),
            max=take.formula("max"),
            round=take.word("round"),
        )
    )


def _track(take: Fields, base: dict[str, Any]) -> AnyRule:
    return Track(**base, **track_fields(take))


def _die(take: Fields, base: dict[str, Any]) -> AnyRule:
    faces: list[tuple[str, ...]] = []
    for face in take.items("faces"):
        items = face.items if isinstance(face, Sequence) else (face,)
        faces.append(tuple(item.text.strip() for item in items if isinstance(item, Scalar)))
    return Die(**base, faces=tuple(faces), upgrades_to=take.word("upgrades_to"))


def _roll(take: Fields, base: dict[str, Any]) -> AnyRule:
    if not any(field in take for field in ("value", "pool", "results", "ranking")):
        take.missing("results", "value: a number, pool: custom dice, or results by name")
    return Roll(
        **base,
        params=take.specs("params"),
        let=take.named("let", own=True),
        value=take.formula("value"),
        pool=_dice(take, "pool"),
        upgrade=_dice(take, "upgrade"),
        downgrade=_dice(take, "downgrade"),
        results=take.named("results", own=True),
        ranking=_ranking(take),
        like=take.word("like"),
    )


def _dice(take: Fields, key: str) -> tuple[Named, ...]:
    if key != "pool" and key in take and "pool" not in take:
        take.reading.error("S202", f"`{key}` goes with `pool`, and there is none", take.key_span(key))
    return take.named(key)


def _ranking(take: Fields) -> Ranking | None:
    node = take.node_of("ranking")
    if node is None:
        return None
    inner = Fields(take.reading, node, take.key_span("ranking"), "a ranking")
    by = tuple(found for scalar in inner.scalars("by") if (found := formula(scalar, take.reading)) is not None)
    ties = inner.word("ties")
    if ties is None:
        take.reading.error(
            "S242",
            "the book leaves open who goes first where all of this is equal: say so",
            take.key_span("ranking"),
            hint="ties: choose (the table decides), together (they act at once) or reroll",
        )
        return None
    return Ranking(by, ties, inner.word("slots") or "character")


def _spend(take: Fields, base: dict[str, Any]) -> AnyRule:
    node = take.node_of("cost")
    prices: list[tuple[Named, ...]] = []
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, Mapping):
            inner = Fields(take.reading, item, item.span, "a price")
            inner.entries = {"cost": Entry(take.entries["cost"].key, item)}
            prices.append(inner.named("cost"))
    return Spend(
        **base,
        context=take.words("context"),
        cost=tuple(prices),
        when=take.formula("when"),
        repeatable=take.truth("repeatable") or False,
        limit=take.formula("limit"),
        params=take.specs("params"),
        roles=take.roles(),
        effect=steps(take, "effect"),
    )


def _bands(take: Fields, base: dict[str, Any]) -> AnyRule:
    made: list[Band] = []
    for entry in take.pairs("bands"):
        inner = Fields(take.reading, entry.value, entry.key.span, "a band")
        placed_only_in_house_rules(inner)
        made.append(
            Band(
                id=check_name(entry.key, take.reading, "the name of a band"),
                span=entry.key.span,
                title=inner.text("title"),
                text=inner.template("text"),
                distance=inner.formula("distance"),
                moves=inner.formula("moves"),
                within=inner.formula("within"),
            )
        )
    return Bands(
        **base,
        bands=tuple(made),
        params=take.specs("params"),
        unit=take.text("unit"),
        measured=take.formula("measured"),
        beyond=take.word("beyond"),
    )


def _trait(take: Fields, base: dict[str, Any]) -> AnyRule:
    return Trait(**base, **lasting(take))


def _environment(take: Fields, base: dict[str, Any]) -> AnyRule:
    return Environment(**base, **lasting(take))


def _action(take: Fields, base: dict[str, Any]) -> AnyRule:
    return Action(
        **base,
        slots=_action_slots(take),
        requires=requirements(take),
        params=take.specs("params"),
        roles=take.roles(),
        modifiers=modifiers(take),
        effect=steps(take, "effect"),
        outside_turn=take.truth("outside_turn") or False,
    )


def _action_slots(take: Fields) -> tuple[tuple[str, Formula | None], ...]:
    """`slot: x` with `cost: 2`, or `slot: {x: 1, y: 1}`."""
    cost = take.formula("cost")
    node = take.node_of("slot")
    if isinstance(node, Mapping):
        take.exclude("slot", "cost", "each slot has its cost beside it")
        return tuple(
            (entry.key.text, formula(entry.value, take.reading))
            for entry in take.pairs("slot")
            if isinstance(entry.value, Scalar)
        )
    name = take.word("slot")
    if name is None:
        if cost is not None:
            take.reading.error("S202", "`cost` counts uses of a slot, and no `slot` is named", take.key_span("cost"))
        return ()
    return ((name, cost),)


def _procedure(take: Fields, base: dict[str, Any]) -> AnyRule:
    return Procedure(
        **base,
        roles=take.roles(),
        params=take.specs("params"),
        requires=requirements(take),
        results=take.named("results", own=True),
        steps=steps(take, "steps"),
    )


DECODERS: dict[str, Callable[[Fields, dict[str, Any]], AnyRule | None]] = {
    "stats": _stat,
    "derived": _derived,
    "tracks": _track,
    "dice": _die,
    "rolls": _roll,
    "tables": table,
    "spends": _spend,
    "bands": _bands,
    "conditions": condition,
    "traits": _trait,
    "environments": _environment,
    "actions": _action,
    "procedures": _procedure,
    "options": _option,
}


# --- what stands beside the rules --------------------------------------------------------------------------------


def symbols(node: Node, reading: Reading) -> tuple[Symbol, ...]:
    """`symbols` of the dice, in written order."""
    made: list[Symbol] = []
    for entry in node if isinstance(node, Mapping) else ():
        if entry.key.text.startswith("x-"):
            continue
        take = Fields(reading, entry.value, entry.key.span, "a symbol")
        made.append(
            Symbol(
                id=check_name(entry.key, reading, "the name of a symbol"),
                span=entry.key.span,
                title=take.text("title"),
                cancels=take.word("cancels"),
                counts_as=take.words("counts_as"),
                letter=take.text("letter"),
            )
        )
    return tuple(made)


def slots(node: Node, reading: Reading) -> tuple[Slot, ...]:
    """`slots` of the actions, in written order."""
    made: list[Slot] = []
    for entry in node if isinstance(node, Mapping) else ():
        if entry.key.text.startswith("x-"):
            continue
        take = Fields(reading, entry.value, entry.key.span, "a slot")
        free = take.scalar("free")
        unlimited = free is not None and free.text == "unlimited"
        made.append(
            Slot(
                id=check_name(entry.key, reading, "the name of a slot"),
                span=entry.key.span,
                title=take.text("title"),
                text=take.template("text"),
                each=take.word("each") or "turn",
                free=None if free is None or unlimited else formula_at(free, 0, len(free.text)),
                cap=take.formula("cap"),
                more=tuple(_more(item, place, reading) for place, item in enumerate(take.items("more"), 1)),
                unpinned=reasons(take),
            )
        )
    return tuple(made)


def _more(node: Node, place: int, reading: Reading) -> More:
    at: Span = node.entries[0].key.span if isinstance(node, Mapping) and node.entries else node.span
    take = Fields(reading, node, at, "a way to buy a further use")
    placed_only_in_house_rules(take)
    take.exclude("steps", "slot", "it is paid for by steps, or by the use of another slot")
    if "steps" not in take and "slot" not in take:
        take.missing("steps", "steps: [what it costs], or slot: another slot")
    slot = take.word("slot")
    return More(
        id=take.name("id") or slot or f"more_{place}",
        span=at,
        title=take.text("title"),
        when=take.formula("when"),
        slot=slot,
        steps=steps(take, "steps"),
    )
