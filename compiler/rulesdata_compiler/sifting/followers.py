"""Findings that only follow from a slip of YAML: what the slip says is enough.

In: all findings of a run and the trees as they were read. Out: the findings without those that stand where
YAML was read otherwise than it was meant. A slip reaches as far as the one entry around it; that something is missing
from what holds this entry follows from it too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from sys import maxsize

from ..diagnostics import Finding, Findings
from ..reading.gather import Collected
from ..source import Span, block_end
from ..tree import Entry, Mapping, Node, Sequence
from .lost import WORD

# A comma that cut a formula or a text is mended as it was meant, so what is in it can be checked.
MENDED = frozenset({"Y120", "Y121"})
# Findings about something that is not there, told at the head of what should hold it.
MISSING = frozenset({"S202", "S217", "S240", "S241", "S242", "S243", "S244"})
Place = tuple[str, int, int]


class Slips:
    """The errors of reading of one run, and the entries of the trees they stand in."""

    def __init__(self, findings: Iterable[Finding], layers: Iterable[Collected]) -> None:
        self.told = [(item, item.span) for item in findings if item.code[0] == "Y" and item.severity == "error"]
        layers = tuple(layers) if self.told else ()
        self.headers = [node for layer in layers for node in (layer.header, layer.house) if node is not None]
        self.roots = _Index(entry for layer in layers for entry in _roots(layer))
        self.inner: dict[int, _Index] = {}

    def words(self) -> set[str]:
        """The words behind keys that are written twice: they are not in the tree, and others may name them."""
        found: set[str] = set()
        for slip, span in self.told:
            if slip.code == "Y104" and span is not None:
                found.update(WORD.findall(span.source.text, span.end, block_end(span)))
        return found

    def reach(self) -> _Reach:
        """The entries that may mean something else, the rules around them, and the heads of what may lack something."""
        reach = _Reach()
        for slip, span in self.told:
            if span is None:
                continue
            reach.heads.update(node.span.sort_key() for node in self.headers if _within(node.span, span))
            if slip.code == "Y120":
                continue  # mended as it was meant: what is wrong with the formula is another slip
            path = self.path(span)
            if path and slip.code not in MENDED:
                reach.rules.add(_place(path[0]))
            if slip.code == "Y104" and slip.notes:
                # The second of two keys is not in the tree: the first may be the one that was meant to be another.
                reach.heads.update(_heads(path))
                twin = self.path(slip.notes[0].span)
                reach.entries.add(*map(_place, twin[-1:]))
            elif path:
                reach.heads.update(_heads(path[:-1]))
                reach.entries.add(_place(path[-1]))
        return reach

    def path(self, at: Span) -> list[Entry]:
        """The entries around a place, the outermost first."""
        path: list[Entry] = []
        found = self.roots.around(at)
        while found is not None:
            path.append(found)
            index = self.inner.get(id(found.value))
            if index is None:
                index = self.inner[id(found.value)] = _Index(_entries(found.value))
            found = index.around(at)
        return path


def without_followers(findings: Findings, slips: Slips) -> None:
    """Take out what follows from slips of YAML."""
    if slips.told and len(slips.told) < len(findings):
        reach = slips.reach()
        findings.items[:] = [item for item in findings if not reach.explains(item)]


class _Runs:
    """Stretches of files. All are added before the first question."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.merged: dict[str, tuple[list[int], list[int]]] | None = None

    def add(self, *places: Place) -> None:
        self.places += places

    def hold(self, name: str, start: int) -> bool:
        if self.merged is None:
            self.merged = {}
            for source, first, last in sorted(self.places):
                starts, ends = self.merged.setdefault(source, ([], []))
                if ends and first <= ends[-1]:
                    ends[-1] = max(ends[-1], last)
                else:
                    starts.append(first)
                    ends.append(last)
        starts, ends = self.merged.get(name, ([], []))
        at = bisect_right(starts, start) - 1
        return at >= 0 and start <= ends[at]


@dataclass(slots=True)
class _Reach:
    """How far slips reach: into `entries`, for checks of whole rules into `rules`, for what is missing to `heads`."""

    entries: _Runs = field(default_factory=_Runs)
    rules: _Runs = field(default_factory=_Runs)
    heads: set[Place] = field(default_factory=set)

    def explains(self, item: Finding) -> bool:
        if item.code[0] == "Y" or item.span is None:
            return False
        name, start, _ = place = item.span.sort_key()
        if item.code in MISSING and place in self.heads:
            return True
        return self.entries.hold(name, start) or (item.code[0] == "R" and self.rules.hold(name, start))


# --- where in the trees --------------------------------------------------------------------------------------------


class _Index:
    """Entries by their places; those of one index do not overlap."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = sorted(((_place(entry), entry) for entry in entries), key=itemgetter(0))

    def around(self, at: Span) -> Entry | None:
        """The entry around a place."""
        name, start, _ = at.sort_key()
        found = bisect_right(self.entries, (name, start, maxsize), key=itemgetter(0)) - 1
        if found < 0:
            return None
        (other, _, end), entry = self.entries[found]
        return entry if other == name and start <= end else None


def _roots(layer: Collected) -> Iterator[Entry]:
    for entries in layer.kinds.values():
        yield from entries.values()
    for node in (layer.header, layer.house, layer.change, layer.add, layer.remove):
        if node is not None:
            yield from _entries(node)


def _entries(node: Node) -> Iterator[Entry]:
    """The entries of a mapping, or of the mappings in a list."""
    if isinstance(node, Mapping):
        yield from node
    elif isinstance(node, Sequence):
        for item in node:
            yield from _entries(item)


def _place(entry: Entry) -> Place:
    span = entry.key.span
    return span.source.name, span.start, max(span.end, entry.value.span.end)


def _within(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start <= outer.end


def _heads(path: Iterable[Entry]) -> Iterator[Place]:
    """Where a missing field is told: at a key, or at the first key of an item."""
    for entry in path:
        yield entry.key.span.sort_key()
        for inner in (entry.value, *(entry.value.items if isinstance(entry.value, Sequence) else ())):
            if isinstance(inner, Mapping) and inner.entries:
                yield inner.entries[0].key.span.sort_key()
