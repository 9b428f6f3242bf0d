"""Parser events put together to a marked tree.

In: a YAML parser (C or plain Python: they give the same events) over the text of one file. Out: the tree, and findings
for all that is YAML but is refused here: anchors, tags, keys written twice, nesting without end. It goes on behind a
finding with what the author meant, so that one mistake is one finding. The loop is flat: depth is counted, not stacked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Sequence as SequenceABC
from typing import Any, Protocol
from unicodedata import normalize

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from ..source import Source, Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from . import making
from .making import scalar
from .offsets import Offsets
from .prescan import ODD_CHARACTER, character
from .quoting import quoted
from .slips import Slips

MOST_DEEP = 64

_STYLES = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_NUMBER_BLOCK = re.compile(r"[|>][-+]?\d")
_COLON = re.compile(r"[ \t]*:")
_PROPERTY = re.compile(r"([&!][^\s,\[\]{}]*)\s*")
_WRITE_OUT = "write the value out in each place, or make it a rule that others read"


class Events(Protocol):
    """What both parsers offer. The C parser has no common type with the other."""

    def get_event(self) -> Any: ...


class Stopped(Exception):  # noqa: N818 - nothing is wrong with us: the file is left here, its finding is recorded
    """The rest of the file is not read."""


class Assembler:
    """One file on its way to a tree. `slips` holds its findings; `stand_ins` are undone in values (see repair.py)."""

    def __init__(self, source: Source, text: str, stand_ins: dict[int, str] | None = None) -> None:
        self.source, self.text, self.stand_ins = source, text, stand_ins
        self.slips = Slips(source, text)
        self.folded = _Folded()
        # Characters that must occur before a node can have an anchor or a tag; most files have neither.
        self.marked = "&" in text or "!" in text

    def restart(self) -> None:
        """Forget what was found: the file is read again by another parser."""
        self.slips = Slips(self.source, self.text)

    def run(self, parser: Events) -> Node | None:
        """The root node, None for a file without one. Raises what the parser raises, and Stopped."""
        source, text, slips, stand_ins, marked = self.source, self.text, self.slips, self.stand_ins, self.marked
        odd, next_event = slips.odd or bool(slips.cuts), parser.get_event
        root: list[Node] = []
        items = root  # the children of the collection being read; in a mapping keys and values in turn
        stack: list[tuple[list[Node], bool, int]] = []  # the children around it, whether it is a mapping, its start
        mapping = False
        flow = 0
        while True:
            event = next_event()
            kind = type(event)
            if kind is ScalarEvent:
                start, end, value, style = event.start_mark.index, event.end_mark.index, event.value, event.style
                if marked and (event.anchor is not None or event.tag is not None):
                    start = self.properties(event, end)
                if stand_ins:
                    value = value.translate(stand_ins)
                if style:
                    items.append(self.styled(start, end, value, style))
                    continue
                if start == end:
                    node = self.nothing(start, items[-1] if mapping and len(items) % 2 else None)
                elif end - start == len(value):
                    node = scalar(source, start, end, value)
                    if (value[0] == "-" or ":" in value) and not flow and not (mapping and not len(items) % 2):
                        slips.own_line(node)
                else:
                    node = scalar(source, start, end, value, "plain", Offsets(text, start, end, "plain", value))
                    if not flow and not slips.own_line(node):
                        slips.continued(node)
                if odd:
                    slips.odd_ends(node)
                items.append(node)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                start = event.start_mark.index
                if len(stack) >= MOST_DEEP:
                    self.too_deep(start)
                if marked and (event.anchor is not None or event.tag is not None):
                    start = self.properties(event, len(text))
                stack.append((items, mapping, start))
                items, mapping = [], kind is MappingStartEvent
                flow += flow > 0 or bool(event.flow_style)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                around, was_mapping, start = stack.pop()
                bracketed = flow > 0 and text[start] in "[{"
                end = event.end_mark.index if bracketed else items[-1].span.end if items else start + 1
                made: Node
                if mapping:
                    made = self.mapping(items, start, end, bracketed)
                else:
                    if bracketed:
                        items = slips.flow_sequence(items)
                    made = making.sequence(source, start, end, tuple(items))
                around.append(made)
                items, mapping = around, was_mapping
                flow -= flow > 0
            elif kind is AliasEvent:
                items.append(self.alias(event))
            elif kind is DocumentStartEvent:
                self.document(event, bool(root))
            elif kind is StreamEndEvent:
                return root[0] if root else None

    # --- scalars ------------------------------------------------------------------------------------------------

    def styled(self, start: int, end: int, value: str, style: str) -> Scalar:
        """A quoted text or a block."""
        if style in "|>":
            node = scalar(self.source, start, end, value, _STYLES[style], self._offsets(start, end, style, value))
            if not value and _NUMBER_BLOCK.match(self.text, start):
                self.slips.add(
                    "Y116",
                    f"a value that begins with {style} begins a block of text, and none follows",
                    start,
                    self.slips.line_end(start),
                    f"put the value in quotes: {quoted(self.text[start : self.slips.line_end(start)].rstrip())}",
                )
            return node
        if end - start == len(value) + 2:
            offsets: SequenceABC[int] = range(start + 1, end)
        else:
            offsets = self._offsets(start, end, style, value)
            if style == '"' and ODD_CHARACTER.search(value):
                value = self._odd_escape(value, offsets)
        return scalar(self.source, start, end, value, _STYLES[style], offsets)

    def nothing(self, start: int, key: Node | None) -> Scalar:
        """An empty value. The parser places it at whatever comes next; here it stands behind its key."""
        if key is not None:
            start = key.span.end
            if self.slips.cuts and (colon := _COLON.match(self.text, start)):
                self.slips.odd_ends(Scalar(Span(self.source, colon.end(), colon.end()), ""))
        return Scalar(Span(self.source, start, start), "")

    def _offsets(self, start: int, end: int, style: str, value: str) -> SequenceABC[int]:
        return Offsets(self.text, start, end, _STYLES[style], value)

    def _odd_escape(self, value: str, offsets: SequenceABC[int]) -> str:
        """A refused character, written as an escape. Behind the finding it is the sign for an unknown character."""
        for found in ODD_CHARACTER.finditer(value):
            self.slips.add(
                "Y102",
                f"this escape writes the character {character(found.group())}, which has no place in a rules file",
                offsets[found.start()],
                offsets[found.end()],
                "write the character itself, or leave it out",
            )
        return ODD_CHARACTER.sub("\ufffd", value)

    # --- mappings -----------------------------------------------------------------------------------------------

    def mapping(self, items: list[Any], start: int, end: int, bracketed: bool) -> Mapping | Scalar:
        """Keys and values in turn as a mapping; what is no use as a key is reported and left out."""
        if bracketed and self.slips.may_be_cut(items, start, end):
            mended = self.slips.flow_mapping(items, start, end)
            if isinstance(mended, Scalar):
                return mended
            items = mended
        keys, values, folded = items[::2], items[1::2], self.folded
        try:
            names = {folded[key.text] for key in keys}
        except AttributeError:
            names = set()  # a key that is no scalar
        if len(names) == len(keys) and "" not in names and "<<" not in names:
            return making.mapping(self.source, start, end, tuple(map(making.entry, keys, values)))
        return making.mapping(self.source, start, end, tuple(self._checked(keys, values)))

    def _checked(self, keys: list[Node], values: list[Node]) -> Iterator[Entry]:
        first: dict[str, Scalar] = {}
        for key, value in zip(keys, values, strict=True):
            if not isinstance(key, Scalar):
                what = "a list" if isinstance(key, Sequence) else "keys and values"
                self.slips.add(
                    "Y122",
                    f"a key must be a name or a text, and this one is {what}",
                    key.span.start,
                    key.span.end,
                    "put the key in quotes if it is text",
                )
            elif not key.text:
                at = key.span.start
                self.slips.add("Y122", "there is no key before this colon", at, at + 1, "write a key before the colon")
            elif key.text == "<<" and key.style == "plain":
                at = key.span.start
                self.slips.add("Y108", "merge keys (<<) are not used here", at, at + 2, _WRITE_OUT)
            elif (name := self.folded[key.text]) in first:
                self.slips.twice(first[name], key)
            else:
                first[name] = key
                yield Entry(key, value)

    # --- what YAML has and rules do without ---------------------------------------------------------------------

    def properties(self, event: Any, end: int) -> int:
        """Refuse an anchor and a tag; the offset at which the node itself begins."""
        at = int(event.start_mark.index)
        while found := _PROPERTY.match(self.text, at, end):
            sign = found.group(1)
            rest = self.text[at : self.slips.line_end(at)].rstrip()
            fix = f"; if it belongs to the text, put the text in quotes: {quoted(rest)}"
            if sign[0] == "&":
                self.slips.add(
                    "Y108", f"{sign} is an anchor, and anchors are not used here", at, found.end(1), _WRITE_OUT + fix
                )
            else:
                self.slips.add(
                    "Y109", f"{sign} is a tag, and tags are not used here", at, found.end(1), "delete it" + fix
                )
            at = found.end()
        return at

    def alias(self, event: Any) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        name = self.text[start:end]
        fix = f"{_WRITE_OUT}; if it is text, put it in quotes: {quoted(name)}"
        self.slips.add("Y108", f"{name} is an alias, and aliases are not used here", start, end, fix)
        return Scalar(Span(self.source, start, end), name)

    def document(self, event: Any, second: bool) -> None:
        at = event.start_mark.index
        if event.tags:
            self.slips.add(
                "Y109", "tags are not used here", at, self.slips.line_end(at), "delete the lines that begin with %"
            )
        if second:
            self.slips.add(
                "Y110",
                "a second document begins here, and a file holds one",
                at,
                at + 3,
                "delete the line with ---, or put what follows in a file of its own",
            )
            raise Stopped

    def too_deep(self, start: int) -> None:
        self.slips.add(
            "Y107",
            f"this is nested deeper than {MOST_DEEP} levels",
            start,
            start + 1,
            "close the brackets that are open, or take levels out",
        )
        raise Stopped


class _Folded(dict[str, str]):
    """Keys that a reader would take for the same are the same. Worked out once for each spelling."""

    def __missing__(self, text: str) -> str:
        name = text.lower() if text.isascii() else normalize("NFKC", text).casefold()
        self[text] = name
        return name
