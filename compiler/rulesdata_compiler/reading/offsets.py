"""Where each character of a decoded scalar stands in the file.

In: the source text of a scalar, its style and decoded value. Out: for every character of the value, and for its end,
the offset of the character or escape that wrote it. Worked out only when somebody asks: most scalars have no error.
The value itself comes from the YAML parser; where a walk here does not give the same value, every character is placed
at the start of the scalar, so that a wrong column is never shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import overload

_BREAK = re.compile(r"\r\n?|\n")
_GAP = re.compile(r"[ \t]*(?:(?:\r\n?|\n)[ \t]*)+")
_ESCAPED_BREAK = re.compile(r"\\(?:\r\n?|\n)[ \t]*((?:(?:\r\n?|\n)[ \t]*)*)")
_HEADER = re.compile(r"[|>]([+-]?)([1-9]?)([+-]?)[^\r\n]*(?:\r\n?|\n|$)")
_ESCAPES = {"x": 2, "u": 4, "U": 8}
_SHORT = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
}
_SHORT |= {" ": " ", '"': '"', "\\": "\\", "/": "/", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}

Placed = tuple[str, list[int]]
Line = tuple[int, int, bool]  # start, end without the line break, whether there is a line break


class Offsets(Sequence[int]):
    """Offsets of a scalar, worked out at first use."""

    __slots__ = ("_end", "_found", "_start", "_style", "_text", "_value")

    def __init__(self, text: str, start: int, end: int, style: str, value: str) -> None:
        self._text, self._start, self._end, self._style, self._value = text, start, end, style, value
        self._found: Sequence[int] | None = None

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if self._found is None:
            self._found = place(self._text, self._start, self._end, self._style, self._value)
        return self._found[index]

    def __len__(self) -> int:
        return len(self._value) + 1


def place(text: str, start: int, end: int, style: str, value: str) -> Sequence[int]:
    """The offsets of every character of `value` and of its end."""
    for decoded, offsets in _readings(text, start, end, style):
        if decoded == value:
            return offsets
    return [start] * (len(value) + 1)


def plain(text: str, start: int, end: int) -> Placed:
    """A plain scalar over several lines: a line break is a space, an empty line a break."""
    out: list[str] = []
    offsets: list[int] = []
    at = start
    while at < end:
        gap = _GAP.match(text, at, end)
        if gap:
            _fold(text, gap.start(), gap.end(), out, offsets)
            at = gap.end()
        else:
            out.append(text[at])
            offsets.append(at)
            at += 1
    offsets.append(end)
    return "".join(out), offsets


def _readings(text: str, start: int, end: int, style: str) -> Iterator[Placed]:
    match style:
        case "plain":
            yield plain(text, start, end)
        case "single" | "double":
            yield _in_quotes(text, start, end, double=style == "double")
        case _:
            yield from _block(text, start, end, folded=style == "folded")


def _fold(text: str, start: int, end: int, out: list[str], offsets: list[int]) -> None:
    """White space with at least one line break: one break is a space, n + 1 breaks are n line ends."""
    breaks = [found.start() for found in _BREAK.finditer(text, start, end)]
    if len(breaks) == 1:
        out.append(" ")
        offsets.append(start)
    for at in [start, *breaks[1:-1]][: len(breaks) - 1]:
        out.append("\n")
        offsets.append(at)


def _in_quotes(text: str, start: int, end: int, *, double: bool) -> Placed:
    out: list[str] = []
    offsets: list[int] = []
    at, last = start + 1, end - 1
    while at < last:
        char = text[at]
        if gap := _GAP.match(text, at, last):
            _fold(text, gap.start(), gap.end(), out, offsets)
            at = gap.end()
            continue
        if double and char == "\\" and (joined := _ESCAPED_BREAK.match(text, at, last)):
            for found in _BREAK.finditer(text, joined.start(1), joined.end(1)):
                out.append("\n")
                offsets.append(found.start())
            at = joined.end()
            continue
        offsets.append(at)
        if double and char == "\\":
            kind = text[at + 1]
            width = _ESCAPES.get(kind, 0)
            out.append(_escaped(text[at + 2 : at + 2 + width]) if width else _SHORT.get(kind, kind))
            at += 2 + width
        else:
            out.append(char)
            at += 2 if not double and char == "'" else 1
    offsets.append(last)
    return "".join(out), offsets


def _escaped(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code <= 0x10FFFF else "\ufffd"


def _block(text: str, start: int, end: int, *, folded: bool) -> Iterator[Placed]:
    """A `|` or `>` block. Its indentation is found by trying: the one that gives the parser's value is the one."""
    header = _HEADER.match(text, start)
    if header is None:
        return
    keep = "+" in header.group(1) + header.group(3)
    strip = "-" in header.group(1) + header.group(3)
    lines = list(_lines(text, header.end(), end))
    shown = [text[at:stop] for at, stop, _ in lines]
    widths = [len(line) - len(line.lstrip(" ")) for line in shown if line.strip(" ")]
    for indent in range(widths[0] if widths else max(map(len, shown), default=0), -1, -1):
        yield _block_at(text, lines, indent, folded=folded, keep=keep, strip=strip)


def _lines(text: str, start: int, end: int) -> Iterator[Line]:
    at = start
    for found in _BREAK.finditer(text, start, end):
        yield at, found.start(), True
        at = found.end()
    if at < end:
        yield at, end, False


def _block_at(text: str, lines: list[Line], indent: int, *, folded: bool, keep: bool, strip: bool) -> Placed:
    out: list[str] = []
    offsets: list[int] = []
    ends: list[int] = []  # places of the line breaks not yet written
    indented = True  # the line before, or the start: breaks around such lines are kept
    for at, stop, broken in lines:
        body = text[at + indent : stop] if stop - at > indent else ""
        if not body:
            ends += [stop] if broken else []
            continue
        more = body[0] in " \t"
        if out and folded and not indented and not more:
            if len(ends) == 1:
                out.append(" ")
                offsets.append(ends[0])
            ends = ends[:-1]
        for place_of_break in ends:
            out.append("\n")
            offsets.append(place_of_break)
        out.append(body)
        offsets.extend(range(at + indent, stop))
        ends, indented = [stop] if broken else [], more
    tail = [] if strip else ends if keep else ends[:1] if out else []
    for place_of_break in tail:
        out.append("\n")
        offsets.append(place_of_break)
    offsets.append(offsets[-1] + 1 if offsets else lines[0][0] if lines else 0)
    return "".join(out), offsets
