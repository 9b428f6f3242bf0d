"""What stands around the place where the YAML parser stopped.

In: the text, the parser and the two places that its error names. Out: answers to the questions that tell one mistake
from another: what came before, how far a line is indented, where the value ends that was meant as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..diagnostics import Note
from .pure import PureParser, Seen
from .slips import Slips

COLONS = re.compile(r":(?=[ \t\r\n]|$)")
COMMENT = re.compile(r"[ \t]#")
KEY_LINE = re.compile(r"[^\W\d][\w-]*[ \t]*:(?=[ \t\r\n]|$)")


@dataclass(frozen=True, slots=True)
class Trouble:
    """A finding about syntax. `stand_ins` are offsets to replace; empty where the rest of the file cannot be read."""

    code: str
    message: str
    start: int
    end: int
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    stand_ins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Vicinity:
    """`at` is where the parser stopped, `opened` where the thing begins that it was reading, `flow` if in brackets."""

    slips: Slips
    parser: PureParser
    at: int
    opened: int
    flow: bool

    @property
    def text(self) -> str:
        return self.slips.text

    def char(self, at: int) -> str:
        return self.slips.text[at : at + 1]

    def before(self, at: int) -> Seen | None:
        """The last token with text that ends at or before an offset."""
        return self.parser.before(at)

    def line_start(self, at: int) -> int:
        return self.slips.line_start(at)

    def line_end(self, at: int) -> int:
        return self.slips.line_end(at)

    def width(self, at: int) -> int:
        """How far the line of an offset is indented."""
        line = self.line_start(at)
        content = self.text[line : self.line_end(line)]
        return len(content) - len(content.lstrip(" \t"))

    def first(self, at: int) -> int:
        """The first character of a line that is no space."""
        return self.line_start(at) + self.width(at)

    def same_line(self, one: int, other: int) -> bool:
        return self.line_start(one) == self.line_start(other)

    def rest(self, at: int) -> str:
        """The line from an offset on."""
        return self.text[at : self.line_end(at)].rstrip()

    def value(self, start: int, at: int | None = None) -> str:
        return self.text[start : self.value_end(start if at is None else at)].rstrip()

    def value_end(self, at: int) -> int:
        """Where a text ends that was meant as one value: at a comment, at the end of its line or of its brackets."""
        end = self.line_end(at)
        found = COMMENT.search(self.text, at, end)
        end = found.start() if found else end
        if not self.flow:
            return end
        depth = 0
        for index in range(at, end):
            char = self.text[index]
            depth += (char in "[{(") - (char in "]})")
            if depth < 0 or (char == "," and depth == 0):
                return index
        return end

    def block_end(self, at: int) -> int:
        """The end of the lines from here on that are indented as far as this one, or further."""
        width, end = self.width(at), self.line_end(at)
        while end < len(self.text):
            line = end + (2 if self.text.startswith("\r\n", end) else 1)
            if self.rest(line) and self.width(line) < width:
                break
            end = self.line_end(line)
        return end

    def colons(self, start: int, end: int) -> tuple[int, ...]:
        """Colons that would be taken for the end of a key."""
        return tuple(found.start() for found in COLONS.finditer(self.text, start, end))

    def note(self, start: int, end: int, message: str) -> tuple[Note, ...]:
        return (Note(self.slips.span(start, max(end, start + 1)), message),)
