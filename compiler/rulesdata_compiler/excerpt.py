"""A line of source with a marker below it, as a terminal shows it.

In: a span. Out: the line, printable and not wider than people read, and the columns of the marker. Wide characters
take two columns and combining ones none; what could command a terminal is shown as an escape.
"""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import category, combining, east_asian_width

from .source import Span

WIDEST = 110
TAB = 4
_AHEAD = 30  # columns shown before the marker where a line is cut


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`text` of the line, and the marker: `before` columns of space, then `width` columns."""

    text: str
    before: int
    width: int


def excerpt(span: Span) -> Excerpt:
    """The first line of a span and the marker below it."""
    line, column = span.source.position(span.start)
    text = span.source.line(line)
    first = min(column - 1, len(text))
    last = min(first + max(span.end - span.start, 1), max(len(text), first + 1))
    cells: list[str] = []
    at = 0
    begin = width = 0
    for index, char in enumerate(text):
        shown = _cell(char, at)
        if index == first:
            begin = at
        cells.append(shown)
        at += _columns(shown)
        if first <= index < last:
            width = at - begin
    if first >= len(text):
        begin, width = at, 1
    return _window(cells, begin, max(width, 1))


def printable(text: str) -> str:
    """Text without anything that could command a terminal or hide: such characters as escapes."""
    return "".join(_escaped(char) for char in text)


def _escaped(char: str) -> str:
    if " " <= char <= "~" or (char > "\xa0" and category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}):
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _cell(char: str, at: int) -> str:
    return " " * (TAB - at % TAB) if char == "\t" else _escaped(char)


def _columns(shown: str) -> int:
    if shown.isascii():
        return len(shown)
    return sum(
        0 if combining(char) or category(char) in {"Mn", "Me"} else 2 if east_asian_width(char) in "WF" else 1
        for char in shown
    )


def _window(cells: list[str], begin: int, width: int) -> Excerpt:
    """The part of a long line around the marker."""
    if sum(map(_columns, cells)) <= WIDEST:
        return Excerpt("".join(cells).rstrip(), begin, width)
    left = max(0, begin - _AHEAD) if begin + width > WIDEST - 1 else 0
    out: list[str] = []
    at = start = 0
    cut = False
    for cell in cells:
        columns = _columns(cell)
        if at < left:
            start = at + columns
        elif at + columns - start > WIDEST - 2:
            cut = True
            break
        else:
            out.append(cell)
        at += columns
    text = "".join(out).rstrip()
    before = begin - start
    if left:
        text, before = f"…{text}", before + 1
    shown = WIDEST - 1 - before
    return Excerpt(text + ("…" if cut else ""), before, max(1, min(width, shown)))
