"""The marked tree: what YAML says, with the place of every key and value.

In: nothing; this file holds the types that `read.py` makes and every later stage reads. A scalar keeps its raw
text: the slot that wants it decides whether `on` is a word or a truth value (`scalars.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as SequenceABC
from dataclasses import dataclass, field
from typing import TypeAlias

from .source import Span


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar: `text` is the decoded value, `style` one of plain, single, double, literal, folded.

    `offsets[i]` is the place in the source of character i of `text` (one more entry for the end); empty for a
    plain scalar on one line, where character i stands at `span.start + i`.
    """

    span: Span = field(compare=False)
    text: str
    style: str = "plain"
    offsets: SequenceABC[int] = field(default=(), compare=False, repr=False)

    def part(self, start: int, end: int) -> Span:
        """The place in the file of `text[start:end]`."""
        if self.offsets:
            last = len(self.offsets) - 1
            first = self.offsets[min(start, last)]
            return Span(self.span.source, first, max(self.offsets[min(end, last)], first + 1))
        return Span(self.span.source, self.span.start + start, self.span.start + max(end, start + 1))


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value` of a mapping."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping in written order; keys are unique."""

    span: Span = field(compare=False)
    entries: tuple[Entry, ...] = ()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def entry(self, key: str) -> Entry | None:
        for entry in self.entries:
            if entry.key.text == key:
                return entry
        return None

    def get(self, key: str) -> Node | None:
        entry = self.entry(key)
        return None if entry is None else entry.value


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    span: Span = field(compare=False)
    items: tuple[Node, ...] = ()

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node: TypeAlias = Scalar | Mapping | Sequence
