"""YAML that can be read and says something else than its author meant.

In: scalars and flow mappings as they are read. Out: a finding, and the text as it was meant, so that the stages behind
this one go on with what the author had in mind. Checked where plain text ends or goes on: a comma or bracket inside a
formula, a `#` behind a word, a list or a `key:value` swallowed by the text above it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence as SequenceABC
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics import Finding, Note
from ..source import Source, Span
from ..tree import Node, Scalar
from .offsets import Offsets, plain
from .prescan import ODD_SPACES, character
from .quoting import quoted

_TIGHT_KEY = re.compile(r"[^\W\d][\w-]*(:)(?!//)[^\s:]")
_TIGHT_DASH = re.compile(r"-[^\W\d]")
_NO_COLON = re.compile(r"([^\W\d][\w-]*)[ \t]+\S")
_JOINED_ITEM = re.compile(r"-(?=[ \w])")
_NEXT_LINE = re.compile(r"(?:\r\n?|\n)[ \t]*(?=[^ \t\r\n])")
_CUT = re.compile(r"#+[^\s#]")

# A character that stops the parser is replaced by its stand-in, so that the rest of the file can be read (repair.py).
FIRST_STAND_IN = 0xF0000
STAND_INS = {FIRST_STAND_IN + code: chr(code) for code in range(128)}


@dataclass(slots=True)
class Slips:
    """The slips of one file. `text` is what the parser reads; `cuts` maps the end of a text to the `#` behind it."""

    source: Source
    text: str
    found: list[Finding] = field(default_factory=list)
    cuts: dict[int, int] = field(default_factory=dict)
    odd: bool = False

    def __post_init__(self) -> None:
        at = self.text.find("#")
        while at >= 0:
            before = len(self.text[max(0, at - 200) : at].rstrip(" \t")) + max(0, at - 200)
            if before < at and _CUT.match(self.text, at):
                self.cuts[before] = at
            at = self.text.find("#", at + 1)
        if not self.text.isascii():
            self.odd = any(char in self.text for char in ODD_SPACES)

    def add(
        self, code: str, message: str, start: int, end: int, hint: str | None = None, notes: tuple[Note, ...] = ()
    ) -> None:
        said = hint.translate(STAND_INS) if hint else None
        self.found.append(Finding(code, message.translate(STAND_INS), self.span(start, end), notes, said))

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    # --- plain text ---------------------------------------------------------------------------------------------

    def twice(self, first: Scalar, again: Scalar) -> None:
        """Two keys of one mapping that are the same."""
        if first.text != again.text:
            said = f"the keys {first.text} and {again.text} differ only in how their letters are written"
        elif first.span.text != again.span.text:
            said = f"the keys {first.span.text} and {again.span.text} are the same, for every key is text"
        else:
            said = f"the key {again.text} is written twice"
        self.add(
            "Y104",
            said,
            again.span.start,
            again.span.end,
            "keep one of the two, or give one another name",
            (Note(first.span, "written here first"),),
        )

    def odd_ends(self, node: Scalar) -> None:
        """What stands before and behind a plain text: a space that is none, a comment that cuts it."""
        if node.text[:1] in ODD_SPACES and node.text:
            self.odd_space(node.span.start)
        if node.span.end in self.cuts:
            self.cut(node)

    def cut(self, node: Scalar) -> None:
        """` #` behind a plain text, touching the next character."""
        begin, end = node.span.start, node.span.end
        at = self.cuts[end]
        line = self.line_end(at)
        whole = self.text[begin:line].rstrip()
        fix = f"put the text in quotes: {quoted(whole)}; a comment has a space behind its #" if node.text else None
        self.add(
            "Y112",
            f"everything from {self.text[at : at + 2]} on is a comment, so this text ends before it",
            at,
            line,
            fix or "put the text in quotes; a comment has a space behind its #",
        )

    def own_line(self, node: Scalar) -> bool:
        """Whether text at the start of a line looks like an item or a key with its space forgotten; if so, say it."""
        start = node.span.start
        before = self.text[self.line_start(start) : start]
        if not before.strip(" ") and _TIGHT_DASH.match(node.text):
            self.tight_dash(start)
            return True
        # An item of several words is text; one that is all one word was meant to be a key and its value.
        key_like = not before.strip(" ") or (not before.strip(" -") and " " not in node.text)
        if key_like and (tight := _TIGHT_KEY.match(node.text)):
            self.tight_colon(start, start + tight.start(1))
            return True
        return False

    def continued(self, node: Scalar) -> None:
        """Plain text over several lines whose further lines look like items or keys."""
        start, end = node.span.start, node.span.end
        for found in _NEXT_LINE.finditer(self.text, start, end):
            at = found.end()
            if _JOINED_ITEM.match(self.text, at, end):
                self.add(
                    "Y115",
                    "this line begins with a dash but is read as part of the text above it",
                    at,
                    self.line_end(at, end),
                    "for a list, indent the dash no deeper than the text or key it follows; for text over several "
                    "lines, begin it with > or |; a formula with a minus goes on one line or in quotes",
                    (Note(self.span(start, self.line_end(start, end)), "the text begins here"),),
                )
                return
            if tight := _TIGHT_KEY.match(self.text, at, end):
                self.tight_colon(at, tight.start(1))
                return

    def tight_dash(self, start: int) -> None:
        rest = self.text[start + 1 : self.line_end(start)].rstrip()
        self.add(
            "Y114",
            "there is no space behind the dash, so this is text and no list item",
            start,
            start + 1,
            f"write - {rest}; a formula that begins with a minus goes in quotes: {quoted('-' + rest)}",
        )

    def tight_colon(self, start: int, colon: int, end: int | None = None) -> None:
        stop = self.line_end(colon) if end is None else end
        key, rest = self.text[start:colon], self.text[colon + 1 : stop].rstrip()
        if rest[:1] and rest[0] in ODD_SPACES:
            self.odd_space(colon + 1)
            return
        self.add(
            "Y113",
            f"there is no space behind the colon, so {key}:{shorten(rest)} is text and no key with a value",
            colon,
            colon + 1,
            f"write {key}: {rest}",
        )

    def odd_space(self, at: int) -> None:
        self.add(
            "Y103",
            f"this space is {character(self.text[at])}, which YAML takes for a letter",
            at,
            at + 1,
            "delete it and type an ordinary space",
        )

    def tabs(self, offsets: SequenceABC[int]) -> None:
        """Tabs where YAML has its own structure: one finding for those that indent, one for each other line."""
        lines: set[int] = set()
        begins = {at: self.line_start(at) for at in offsets}
        indenting = {at: line for at, line in begins.items() if not self.text[line:at].strip(" \t")}
        first = next(iter(indenting), None)
        for at, line in begins.items():
            if line in lines or (at in indenting and at != first):
                continue
            lines.add(line)
            if at in indenting:
                more = len(set(indenting.values())) - 1
                also = "" if not more else ", and so does 1 more" if more == 1 else f", and so do {more:,} more"
                said, fix = f"this line begins with a tab{also}", "YAML takes only spaces there: write two for each tab"
            else:
                said, fix = "a tab stands here, where YAML wants spaces", "write a space; tabs may stand inside a text"
            self.add("Y105", said, at, at + 1, fix)

    # --- flow collections ---------------------------------------------------------------------------------------

    def may_be_cut(self, items: list[Any], start: int, end: int) -> bool:
        """Whether `flow_mapping` may find something: a quick look, for most mappings have nothing to mend."""
        if "(" in self.text[start:end] or self.text[start + 1] == "{":
            return True
        return any(type(value) is Scalar and not value.text for value in items[1::2])

    def flow_mapping(self, items: list[Node], start: int, end: int) -> list[Node] | Scalar:
        """Keys and values of `{...}` in turn, mended where a comma cut one; a Scalar where all of it is text."""
        out: list[Node] = []
        at = 0
        while at < len(items):
            key, value = items[at], items[at + 1]
            last = self._closing(items, at + 1)
            if last > at + 1:
                out += [key, self._formula(value, items[last])]
                at = last + 1 + (last + 1) % 2  # what closes it may be a key; then its value, which is empty, goes too
                continue
            at += 2
            if isinstance(key, Scalar) and self._valueless(key, value):
                before = out[-1] if out else None
                if tight := _TIGHT_KEY.match(key.text):
                    key, value = self._split(key, key.span.start + tight.start(1))
                elif isinstance(before, Scalar) and before.style == "plain" and before.text:
                    out[-1] = self._comma(out[-2], before, key)
                    continue
                elif (missing := _NO_COLON.match(key.text)) and self._colons_behind(items[at:]):
                    key, value = self._uncoloned(key, missing.end(1))
                else:
                    return self._braces(start, end)
            elif not isinstance(key, Scalar) and not out and self.text.startswith("{{", start):
                return self._braces(start, end)
            out += [key, value]
        return out

    def flow_sequence(self, items: list[Node]) -> list[Node]:
        """Items of `[...]`, mended where a comma cut a formula."""
        out: list[Node] = []
        at = 0
        while at < len(items):
            last = self._closing(items, at)
            out.append(items[at] if last == at else self._formula(items[at], items[last]))
            at = last + 1
        return out

    def _closing(self, items: SequenceABC[Node], at: int) -> int:
        """The index of the node in which the brackets of the plain text at `at` are closed; `at` where they are."""
        first = items[at]
        if not isinstance(first, Scalar) or first.style != "plain" or _open(first.text) <= 0:
            return at
        for index in range(at + 1, len(items)):
            node = items[index]
            if isinstance(node, Scalar) and node.text and _open(self.text[first.span.start : node.span.end]) == 0:
                return index
        return at

    def _formula(self, first: Node, last: Node) -> Scalar:
        start, end = first.span.start, last.span.end
        whole = self.joined(start, end)
        self.add(
            "Y120",
            "inside { } and [ ] a comma ends the value, so this is cut in two",
            start,
            end,
            f"quote this formula: {quoted(whole.text)}",
        )
        return whole

    def _comma(self, key: Node, first: Scalar, more: Scalar) -> Scalar:
        start, end = first.span.start, more.span.end
        whole = self.joined(start, end)
        if self.found and self.found[-1].code == "Y121" and self.found[-1].span == self.span(start, first.span.end):
            self.found.pop()  # the same text, cut by one more comma
        self.add(
            "Y121",
            "inside { } a comma ends the value, so this text is cut in two",
            start,
            end,
            f"put the text in quotes: {key.span.text}: {quoted(whole.text)}",
        )
        return whole

    def _braces(self, start: int, end: int) -> Scalar:
        while self.found and (inner := self.found[-1].span) and start <= inner.start and inner.end <= end:
            self.found.pop()  # all of this is one text, so what was said about its parts is moot
        self.add(
            "Y116",
            "a value that begins with { is read as keys and values, and there are none",
            start,
            end,
            f"put the text in quotes: {quoted(self.joined(start, end).text)}",
        )
        return self.joined(start, end)

    def _split(self, key: Scalar, colon: int) -> tuple[Scalar, Scalar]:
        """`{a:1}`."""
        start, end = key.span.start, key.span.end
        self.tight_colon(start, colon, end)
        return self.joined(start, colon), self.joined(colon + 1, end)

    def _colons_behind(self, items: list[Node]) -> bool:
        """Whether what follows are keys with values, so that these are brackets around a group."""
        pairs = zip(items[::2], items[1::2], strict=False)
        return any(isinstance(key, Scalar) and not self._valueless(key, value) for key, value in pairs)

    def _uncoloned(self, key: Scalar, end: int) -> tuple[Scalar, Scalar]:
        """`{type int, min: 1}`."""
        start, stop = key.span.start, key.span.end
        rest = self.text[start + end : stop].strip()
        self.add(
            "Y127",
            f"there is no colon in {shorten(key.text)}, and the entries beside it are keys with values",
            start,
            stop,
            f"write {key.text[:end]}: {rest}; if all of it is text, put it in quotes with its brackets",
        )
        return self.joined(start, start + end), self.joined(stop - len(rest), stop)

    def _valueless(self, key: Scalar, value: Node) -> bool:
        """A key with nothing behind it, not even a colon."""
        if not isinstance(value, Scalar) or value.text or value.style != "plain" or not key.text:
            return False
        return not self.text[key.span.end : key.span.end + 200].lstrip(" \t\r\n").startswith(":")

    # --- helpers ------------------------------------------------------------------------------------------------

    def joined(self, start: int, end: int) -> Scalar:
        """A stretch of the file as one plain text."""
        text, _ = plain(self.text, start, end)
        offsets = () if len(text) == end - start else Offsets(self.text, start, end, "plain", text)
        return Scalar(self.span(start, end), text, "plain", offsets)

    def line_start(self, at: int) -> int:
        return max(self.text.rfind("\n", 0, at), self.text.rfind("\r", 0, at)) + 1

    def line_end(self, at: int, limit: int | None = None) -> int:
        ends = [found for found in (self.text.find("\n", at), self.text.find("\r", at)) if found >= 0]
        return min([*ends, len(self.text) if limit is None else limit])


def shorten(text: str, most: int = 30) -> str:
    """A text for a message: not longer than a line can bear."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _open(text: str) -> int:
    return text.count("(") - text.count(")")
