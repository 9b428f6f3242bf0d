"""PyYAML's parser in plain Python, taught what the C parser knows, and made to tell what it saw before an error.

In: a text. Out: the same events, with the same marks, as the C parser gives for a text without tabs. It reads what the
C parser refuses, so that syntax errors are worded in one place, and every file with tabs: it accepts them inside text
and notes the ones that stand where YAML has its own structure.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from yaml.error import Mark
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import (
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    ScalarToken,
)

_BLANKS = " \t"
_ENDS = "\0\r\n"


REMEMBERED = 40  # tokens: before a key is known for one, the scanner reads on to its colon


@dataclass(frozen=True, slots=True)
class Seen:
    """A token: its kind (`scalar`, `closed` for a whole `[...]` or `{...}`, else PyYAML's id) and its place."""

    kind: str
    start: int
    end: int
    style: str = ""


class PureParser(Reader, Scanner, Parser):
    """The parser. `seen` holds the last tokens, `tabs` the tabs in structure, `open` the brackets still open."""

    def __init__(self, text: str) -> None:
        self.tabs: list[int] = []
        self.seen: deque[Seen] = deque(maxlen=REMEMBERED)
        self.open: list[int] = []
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    # --- a memory of what came before -------------------------------------------------------------------------

    def fetch_more_tokens(self) -> None:
        super().fetch_more_tokens()
        token: Any = self.tokens[-1] if self.tokens else None  # the stubs do not know that a token has an id
        if token is None:
            return
        start, end = token.start_mark.index, token.end_mark.index
        kind, style = token.id, ""
        if isinstance(token, FlowMappingStartToken | FlowSequenceStartToken):
            self.open.append(start)
        elif isinstance(token, FlowMappingEndToken | FlowSequenceEndToken) and self.open:
            kind, start = "closed", self.open.pop()
        elif isinstance(token, ScalarToken):
            kind, style = "scalar", token.style or ""
        seen = Seen(kind, start, end, style)
        if not self.seen or self.seen[-1] != seen:
            self.seen.append(seen)

    def before(self, index: int) -> Seen | None:
        """The last token with text that ends at or before an offset."""
        for seen in reversed(self.seen):
            if seen.end <= index and seen.end > seen.start:
                return seen
        return None

    # --- where the C parser is more lenient ---------------------------------------------------------------------

    def scan_to_next_token(self) -> None:
        """Blanks, comments and line breaks; a tab before a token or a comment is noted."""
        while True:
            line_begins = self.column == 0
            tab = -1
            while self.peek() in _BLANKS:
                if tab < 0 and self.peek() == "\t":
                    tab = self.index
                self.forward()
            comment = self.peek() == "#"
            if tab >= 0 and self.peek() not in _ENDS and not (comment and line_begins):
                self.tabs.append(tab)
            if comment:
                while self.peek() not in _ENDS:
                    self.forward()
            if not self.scan_line_break():
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def check_key(self) -> bool:
        return self.peek(1) in "\0 \t\r\n" or bool(self.flow_level)

    def scan_plain(self) -> ScalarToken:
        """Plain text: tabs inside it are text, and so is a `?` inside brackets."""
        chunks: list[str] = []
        start_mark = end_mark = self.get_mark()
        indent = self.indent + 1
        spaces: list[str] = []
        while self.peek() != "#":
            length = 0
            while not self._plain_ends(length):
                length += 1
            if length == 0:
                break
            self.allow_simple_key = False
            chunks += spaces
            chunks.append(self.prefix(length))
            self.forward(length)
            end_mark = self.get_mark()
            spaces = self.scan_plain_spaces(indent, start_mark)
            if not spaces or self.peek() == "#" or (not self.flow_level and self.column < indent):
                break
        return ScalarToken("".join(chunks), True, start_mark, end_mark)

    def _plain_ends(self, length: int) -> bool:
        char = self.peek(length)
        if char in "\0 \t\r\n":
            return True
        if char == ":":
            return self.peek(length + 1) in ("\0 \t\r\n,[]{}" if self.flow_level else "\0 \t\r\n")
        return bool(self.flow_level) and char in ",[]{}"

    def scan_plain_spaces(self, indent: int, start_mark: Mark) -> list[str]:
        """Blanks and line breaks inside plain text. Empty where the text ends here."""
        length = 0
        while self.peek(length) in _BLANKS:
            length += 1
        blanks = self.prefix(length)
        if self.peek(length) == "#" and "\t" in blanks:
            self.tabs.append(self.index + blanks.index("\t"))
        self.forward(length)
        if self.peek() not in "\r\n":
            return [blanks] if blanks else []
        self.scan_line_break()
        self.allow_simple_key = True
        if self._document_mark():
            return []
        breaks: list[str] = []
        tab = -1
        while self.peek() in " \t\r\n":
            if self.peek() in _BLANKS:
                if tab < 0 and self.peek() == "\t":
                    tab = self.index
                self.forward()
            else:
                tab = -1
                breaks.append(self.scan_line_break())
                if self._document_mark():
                    return []
        if tab >= 0 and self.peek() not in "\0#":
            self.tabs.append(tab)
        return breaks or [" "]

    def _document_mark(self) -> bool:
        return self.prefix(3) in ("---", "...") and self.peek(3) in "\0 \t\r\n"

    def scan_block_scalar_ignored_line(self, start_mark: Mark) -> None:
        while self.peek() in _BLANKS:
            self.forward()
        super().scan_block_scalar_ignored_line(start_mark)

    def scan_block_scalar_indicators(self, start_mark: Mark) -> tuple[bool | None, int | None]:
        """The signs behind `|` or `>`. A tab there is as good as a space."""
        chomping: bool | None = None
        increment: int | None = None
        for _ in range(2):
            char = self.peek()
            if char in "+-" and chomping is None:
                chomping = char == "+"
            elif char in "123456789" and increment is None:
                increment = int(char)
            else:
                break
            self.forward()
        if self.peek() not in "\0 \t\r\n":
            problem = "expected chomping or indentation indicators"
            raise ScannerError("while scanning a block scalar", start_mark, problem, self.get_mark())
        return chomping, increment

    def scan_line_break(self) -> str:
        return str(super().scan_line_break())  # type: ignore[no-untyped-call]  # the stubs leave it open

    def scan_flow_scalar_non_spaces(self, double: bool, start_mark: Mark) -> Any:
        try:
            return super().scan_flow_scalar_non_spaces(double, start_mark)
        except (ValueError, OverflowError):
            # An escape beyond the last character there is.
            problem = "found unknown escape character"
            raise ScannerError("while scanning a double-quoted scalar", start_mark, problem, self.get_mark()) from None
