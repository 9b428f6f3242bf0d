"""One file's text: where a character stands, and the line around it.

In: a path as users see it (relative, with `/`) and the decoded text. Out: lines and columns, counted in code
points from 1, and excerpts. Nothing here knows YAML or formulas.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, eq=False)
class Source:
    """The text of one file under the name that messages give it."""

    name: str
    text: str
    _starts: list[int] = field(default_factory=list, repr=False)

    def line_starts(self) -> list[int]:
        """Offsets at which lines begin; a line ends with LF, CRLF or CR."""
        if not self._starts:
            self._starts.append(0)
            self._starts.extend(found.end() for found in _LINE_END.finditer(self.text))
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset."""
        starts = self.line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        starts = self.line_starts()
        begin = starts[number - 1]
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[begin:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True, order=False)
class Span:
    """A run of characters of a source: `source.text[start:end]`."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def sort_key(self) -> tuple[str, int, int]:
        return (self.source.name, self.start, self.end)


def block_end(span: Span) -> int:
    """The end of the lines that stand deeper than the one in which a span begins."""
    text = span.source.text
    begin = text.rfind("\n", 0, span.start) + 1
    depth = _indent(text, begin)
    at = text.find("\n", begin)
    while 0 <= at < len(text) - 1:
        if text[at + 1] not in "\r\n" and _indent(text, at + 1) <= depth:
            return at
        at = text.find("\n", at + 1)
    return len(text)


def _indent(text: str, begin: int) -> int:
    at = begin
    while text[at : at + 1] == " ":
        at += 1
    return at - begin
