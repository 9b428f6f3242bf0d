"""Items of lists, found and placed by id.

In: a list of a rule, as steps or modifiers, and the id of an item, anywhere below. Out: the list with that item
changed, removed, or with a new one beside it. The one rule: no place in a list is ever a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .nodes import without
from .words import INNER_LISTS, PLACERS, identity

Edit = Callable[[Sequence, int], Sequence]


@dataclass(frozen=True, slots=True)
class Found:
    """An item: the list it stands in, its place there, and the way to that list (for telling addresses apart)."""

    within: Sequence
    index: int
    way: tuple[str, ...]

    @property
    def item(self) -> Node:
        return self.within.items[self.index]


def find_item(within: Sequence, name: str) -> Found | None:
    """The first item with a name, outer lists first; a word of a list is its own name."""
    for found in _items(within, ()):
        if name in identity(found.item) or (isinstance(found.item, Scalar) and found.item.text == name):
            return found
    return None


def names_in(within: Sequence) -> list[str]:
    """The names of all items, at any depth."""
    found: list[str] = []
    for each in _items(within, ()):
        found += identity(each.item)
        if isinstance(each.item, Scalar):
            found.append(each.item.text)
    return found


def edited(node: Node, within: Sequence, new: Sequence) -> Node:
    """A node with one of the lists below it exchanged."""
    if node is within:
        return new
    match node:
        case Sequence():
            items = tuple(edited(item, within, new) for item in node)
            same = all(one is other for one, other in zip(items, node.items, strict=True))
            return node if same else Sequence(node.span, items)
        case Mapping():
            values = tuple(edited(entry.value, within, new) for entry in node)
            if all(value is entry.value for value, entry in zip(values, node, strict=True)):
                return node
            return Mapping(node.span, tuple(Entry(entry.key, value) for entry, value in zip(node, values, strict=True)))
    return node


def put(within: Sequence, index: int, *items: Node) -> Sequence:
    """A list with an item exchanged for others, or for none."""
    return Sequence(within.span, (*within.items[:index], *items, *within.items[index + 1 :]))


def placed(item: Node) -> tuple[Node, str, Scalar | None]:
    """An item of an overlay without `before` and `behind`; the side and the anchor it names."""
    if isinstance(item, Mapping):
        for side in PLACERS:
            anchor = item.get(side)
            if isinstance(anchor, Scalar):
                return without(item, *PLACERS), side, anchor
    return item, "", None


def _items(within: Sequence, way: tuple[str, ...]) -> Iterator[Found]:
    for index, _ in enumerate(within.items):
        yield Found(within, index, way)
    for item in within.items:
        mark = next(iter(identity(item)), f"@{item.span.source.name}:{item.span.start}")
        yield from _inside(item, (*way, mark))


def _inside(node: Node, way: tuple[str, ...]) -> Iterator[Found]:
    if not isinstance(node, Mapping):
        return
    for entry in node:
        key = entry.key.text
        if key not in INNER_LISTS:
            continue
        if isinstance(entry.value, Sequence):
            yield from _items(entry.value, (*way, key))
        elif key == "options" and isinstance(entry.value, Mapping):
            for option in entry.value:
                yield from _inside(option.value, (*way, key, option.key.text))
        else:
            yield from _inside(entry.value, (*way, key))
