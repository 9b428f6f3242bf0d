"""Tree nodes made quickly.

In: what a node holds. Out: the frozen nodes of `tree.py`, equal in all to those that their constructors make. A frozen
dataclass sets each field by a call, which took a third of the time to read a file; here a plain twin with the same
slots is filled and then becomes the frozen class.
"""

from __future__ import annotations

from collections.abc import Sequence as SequenceABC
from typing import Any

from ..source import Source, Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence


class _Span:
    __slots__ = ("source", "start", "end")  # noqa: RUF023 - the layout must be that of the frozen class

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end


class _Scalar:
    __slots__ = ("span", "text", "style", "offsets")  # noqa: RUF023 - as above

    def __init__(self, span: _Span, text: str, style: str, offsets: SequenceABC[int]) -> None:
        self.span = span
        self.text = text
        self.style = style
        self.offsets = offsets


class _Entry:
    __slots__ = ("key", "value")

    def __init__(self, key: Node, value: Node) -> None:
        self.key = key
        self.value = value


class _Mapping:
    __slots__ = ("span", "entries")  # noqa: RUF023 - as above

    def __init__(self, span: _Span, entries: tuple[Entry, ...]) -> None:
        self.span = span
        self.entries = entries


class _Sequence:
    __slots__ = ("span", "items")  # noqa: RUF023 - as above

    def __init__(self, span: _Span, items: tuple[Node, ...]) -> None:
        self.span = span
        self.items = items


# The casts by `__class__` below are sound: a twin has the slots of its frozen class and no others.


def scalar(
    source: Source, start: int, end: int, text: str, style: str = "plain", offsets: SequenceABC[int] = ()
) -> Scalar:
    """`Scalar(Span(source, start, end), text, style, offsets)`."""
    span: Any = _Span(source, start, end)
    span.__class__ = Span
    made: Any = _Scalar(span, text, style, offsets)
    made.__class__ = Scalar
    done: Scalar = made
    return done


def entry(key: Scalar, value: Node) -> Entry:
    """`Entry(key, value)`."""
    made: Any = _Entry(key, value)
    made.__class__ = Entry
    done: Entry = made
    return done


def mapping(source: Source, start: int, end: int, entries: tuple[Entry, ...]) -> Mapping:
    """`Mapping(Span(source, start, end), entries)`."""
    span: Any = _Span(source, start, end)
    span.__class__ = Span
    made: Any = _Mapping(span, entries)
    made.__class__ = Mapping
    done: Mapping = made
    return done


def sequence(source: Source, start: int, end: int, items: tuple[Node, ...]) -> Sequence:
    """`Sequence(Span(source, start, end), items)`."""
    span: Any = _Span(source, start, end)
    span.__class__ = Span
    made: Any = _Sequence(span, items)
    made.__class__ = Sequence
    done: Sequence = made
    return done
