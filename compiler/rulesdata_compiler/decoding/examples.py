"""Worked examples, kept as they are written.

In: the `examples` of a rule. Out: the model's examples. Values stay marked scalars, lists and mappings of them: the
slot they land in reads them, and an example that does not come out can point at the very value.
"""

from __future__ import annotations

from ..model import Example, Move
from ..reading.scalars import plain, whole
from ..source import Span
from ..tree import Mapping, Node, Scalar, Sequence
from .fields import Fields
from .steps import placed_only_in_house_rules

MOVES = ("advance", "act", "run", "roll", "roll_on")
LISTS = frozenset({"conditions", "traits", "environments"})


def examples(take: Fields) -> tuple[Example, ...]:
    made: list[Example] = []
    for item in take.items("examples"):
        if isinstance(item, Mapping):
            made.append(_example(item, take))
        elif not (isinstance(item, Scalar) and item.text == "changed"):
            take.unexpected(item, "an example, or the word changed in house rules,")
    return tuple(made)


def reasons(take: Fields) -> tuple[tuple[str, str], ...]:
    """`x-edges: why no example is at an edge`, or by field, `x-edges: {max: why}`."""
    node = take.node_of("x-edges")
    if isinstance(node, Scalar):
        return (("", node.text.strip()),)
    return tuple(
        (entry.key.text, entry.value.text.strip()) for entry in take.pairs("x-edges") if isinstance(entry.value, Scalar)
    )


def _example(node: Mapping, outer: Fields) -> Example:
    at: Span = node.entries[0].key.span if node.entries else node.span
    take = Fields(outer.reading, node, at, "an example")
    placed_only_in_house_rules(take)
    take.exclude("expect", "expect_error", "either something comes out or an error does")
    if "expect" not in take and "expect_error" not in take and "cells" not in take:
        take.missing("expect", "expect: {name: value}, or expect_error: words of the error")
    return Example(
        span=at,
        title=take.text("title"),
        given=_values(take, "given"),
        with_=tuple((entry.key.text, _raw(entry.value)) for entry in take.pairs("with")),
        dice=tuple(_die(item) for item in take.items("dice")),
        choices=tuple((entry.key.text, _raw(entry.value)) for entry in take.pairs("choices")),
        play=_play(take),
        expect=_values(take, "expect"),
        cells=tuple((entry.key.text, _raw(entry.value)) for entry in take.pairs("cells")),
        expect_error=take.text("expect_error"),
        changed=take.truth("changed") or False,
    )


def _values(take: Fields, key: str) -> tuple[tuple[str, object], ...]:
    """Values by name; another role's stand in one spelling, `target.charge`."""
    made: list[tuple[str, object]] = []
    for entry in take.pairs(key):
        name = entry.key.text
        if isinstance(entry.value, Mapping) and name not in LISTS:
            made += [(f"{name}.{inner.key.text}", _raw(inner.value)) for inner in entry.value]
        else:
            made.append((name, _raw(entry.value)))
    return tuple(made)


def _raw(node: Node) -> object:
    """Scalars as they stand, lists as tuples, mappings as dicts."""
    match node:
        case Scalar():
            return node
        case Sequence():
            return tuple(_raw(item) for item in node)
        case Mapping():
            return {entry.key.text: _raw(entry.value) for entry in node}


def _die(node: Node) -> int | str:
    """One die: its number, or the symbols on the face that lies up."""
    if isinstance(node, Scalar):
        number = whole(node)
        return number if number is not None else node.text.strip()
    if isinstance(node, Sequence):
        return " ".join(item.text for item in node if isinstance(item, Scalar))
    return str(plain(node))


def _play(take: Fields) -> tuple[Move, ...]:
    """`play: [{act: light_torch}, {advance: day}]`; a move beside the other fields is short for that one alone."""
    short = [verb for verb in MOVES if verb in take]
    for verb in short:
        take.exclude("play", verb, f"`{verb}` is short for a play of one move")
    for verb in short[1:]:
        take.exclude(short[0], verb, "several moves stand in a list under `play`")
    moves: tuple[Move, ...] = _move(take, short[0]) if short else ()
    for item in take.items("play"):
        at = item.entries[0].key.span if isinstance(item, Mapping) and item.entries else item.span
        inner = Fields(take.reading, item, at, "a move")
        placed_only_in_house_rules(inner)
        verb = next((verb for verb in MOVES if verb in inner), "")
        if verb:
            moves += _move(inner, verb)
        else:
            take.reading.error("S208", "this move does not say what happens", at, hint=f"one of {', '.join(MOVES)}")
    return moves


def _move(take: Fields, verb: str) -> tuple[Move, ...]:
    if verb == "advance":
        return _advances(take, verb)
    return (
        Move(
            verb,
            take.word(verb) or "",
            take.key_span(verb),
            with_=tuple((entry.key.text, _raw(entry.value)) for entry in take.pairs("with")),
            choices=tuple((entry.key.text, _raw(entry.value)) for entry in take.pairs("choices")),
        ),
    )


def _advances(take: Fields, key: str) -> tuple[Move, ...]:
    """`day`, `{day: 2}`."""
    node = take.node_of(key)
    if isinstance(node, Scalar):
        return (Move("advance", node.text.strip(), node.span),)
    return tuple(
        Move("advance", entry.key.text, entry.key.span, count=whole(entry.value) or 1) for entry in take.pairs(key)
    )
