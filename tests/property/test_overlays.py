"""House rules that know nothing of each other commute, byte for byte, in whatever order they are named.

Overlays are drawn from small changes that do not touch each other. Two ways to lay them over are compared: the tree
after the merge, and the sealed artifact.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from overlays import composed, house, layers

from rulesdata_compiler import Findings, report
from rulesdata_compiler.composing.compose import Composed, compose
from rulesdata_compiler.reading.gather import gather
from rulesdata_compiler.reading.scalars import plain

# Each changes something that no other one does.
PIECES = (
    ("change", "options: {glow: 7}"),
    ("change", "options: {lanterns: on}"),
    ("change", "derived: {boxes: {max: 30}}"),
    ("change", "derived: {boxes: {unit: spots, why: Prettier}}"),
    ("change", "tables: {mishap: {rows: {trip: {title: Stumble}}}}"),
    ("change", "tables: {mishap: {rows: {burn: {days: base + 1}}}}"),
    ("change", "tables: {fall: {rows: {1-3: base + 1}}}"),
    ("change", "procedures: {hurt: {steps: {daze: {for: base + 1}}}}"),
    ("change", "procedures: {hurt: {params: {amount: {max: 12}}}}"),
    ("change", "conditions: {dazed: {modifiers: {slow: {add: -2}}}}"),
    ("change", "rolls: {test: {results: {hits: count(thrown >= 4)}}}"),
    ("add", "procedures: {hurt: {steps: [{say: before, before: fill}]}}"),
    ("add", "procedures: {hurt: {steps: [{say: behind, behind: fill}]}}"),
    ("add", "procedures: {hurt: {steps: [{id: end, say: The end.}]}}"),
    ("add", "tables: {mishap: {rows: {worse: {at: none, title: Worse, text: Oh., days: 9}}}}"),
    ("add", "conditions: {sad: {title: Sad, text: So sad., stacking: ignore, ends: never}}"),
    ("add", "derived: {boxes: {tags: [tough]}}"),
    ("add", "conditions: {dazed: {tags: [head]}}"),
    ("remove", "derived: {boxes: {tags: [body]}}"),
    ("remove", "procedures: {hurt: {steps: [tell]}}"),
)
ONE = "change:\n  derived: {boxes: {title: Health}}\n"


def text(pieces: list[tuple[str, str]], name: str, more: str = "") -> str:
    """House rules of some pieces; each stands in a file of its own, since a verb is written once a file."""
    parts: dict[str, dict[str, list[str]]] = {}
    for verb, piece in pieces:
        kind, _, inner = piece.partition(": ")
        parts.setdefault(verb, {}).setdefault(kind, []).append(inner)
    assert all(len(inner) == 1 for kinds in parts.values() for inner in kinds.values())
    body = "".join(
        f"{verb}:\n" + "".join(f"  {kind}: {inner[0]}\n" for kind, inner in kinds.items())
        for verb, kinds in parts.items()
    )
    return house(body or ONE, name, more=more)


@st.composite
def overlays(draw: st.DrawFn) -> list[list[tuple[str, str]]]:
    """A few overlays, no two of which share a piece, and none with two pieces of one kind under one verb."""
    count = draw(st.integers(2, 4))
    made: list[list[tuple[str, str]]] = [[] for _ in range(count)]
    for piece in draw(st.permutations(PIECES)):
        where = draw(st.integers(0, count))
        if where < count and not any(_slot(piece) == _slot(other) for other in made[where]):
            made[where].append(piece)
    return [pieces for pieces in made if pieces]


def _slot(piece: tuple[str, str]) -> tuple[str, str]:
    return piece[0], piece[1].partition(":")[0]


def merged(*houses: str) -> Composed:
    findings = Findings()
    result = compose([(layer, gather(layer.files, findings)) for layer in layers(*houses)], findings)
    assert not len(findings), [finding.message for finding in findings]
    assert result is not None
    return result


def tree(result: Composed) -> Any:
    """The merged rules as plain data; parts with ids in one order, for there it means nothing."""

    def ordered(value: Any) -> Any:
        match value:
            case dict():
                return [(key, ordered(inner)) for key, inner in sorted(value.items())]
            case list() if all(isinstance(item, str) for item in value):
                return sorted(value)
            case list():
                return [ordered(item) for item in value]
        return value

    kinds = result.collected.kinds
    return {kind: {name: ordered(plain(entry.value)) for name, entry in rules.items()} for kind, rules in kinds.items()}


@given(overlays(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_who_comes_first_makes_no_difference(parts: list[list[tuple[str, str]]], chance: Any) -> None:
    """The same overlays under other ids, so that they are merged in another order, make the same tree."""
    names = [f"n{number}" for number in range(len(parts))]
    other = list(names)
    chance.shuffle(other)
    first = merged(*(text(pieces, name) for pieces, name in zip(parts, names, strict=True)))
    second = merged(*(text(pieces, name) for pieces, name in zip(parts, other, strict=True)))
    assert tree(first) == tree(second)


@given(overlays(), st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None)
def test_the_order_in_which_they_are_named_makes_no_difference(parts: list[list[tuple[str, str]]], chance: Any) -> None:
    """Byte for byte the same artifact, with provenance and all."""
    houses = [text(pieces, f"n{number}") for number, pieces in enumerate(parts)]
    shuffled = list(houses)
    chance.shuffle(shuffled)
    first, second = composed(*houses), composed(*shuffled)
    assert report(first) == report(second)
    assert first.artifact == second.artifact


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=1))
@settings(max_examples=20, deadline=None)
def test_a_second_time_is_refused(pieces: list[tuple[str, str]]) -> None:
    """What was laid over once cannot be laid over again without a word: nothing is applied twice in silence."""
    again = composed(text(pieces, "once"), text(pieces, "twice", more="  after: once\n"))
    codes = {finding.code for finding in again.findings if finding.severity == "error"}
    relative = any("base" in piece or "say" in piece for _, piece in pieces)
    assert codes or relative
