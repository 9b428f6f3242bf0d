"""Small work on marked trees: entries put, taken and compared, formulas put into formulas.

In: nodes of several layers. Out: new nodes; nothing is changed in place, and every character keeps its own place, so
that a finding in a merged rule points into the file that says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..formulas.parse import Problem, parse, parts
from ..formulas.syntax import Call, Compare, Expr, Index, Member, Name, Number, Text, Truth
from ..reading.quoting import quoted
from ..reading.scalars import core, truth
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .words import row_key

BASE = "base"
MOST_SAID = 200
CUT = "…"
_LEAD = 40  # so many characters are told of what two texts have in common
_BASE_WORD = re.compile(r"(?<![\w.])base(?!\w)")
_PLAIN = re.compile(r"[^\W\d]\w*(?:[ .\-+*/()]+\w+)*\)*|[-+]?\d[\d.]*")


def with_entry(mapping: Mapping, entry: Entry, at: int | None = None) -> Mapping:
    """A mapping with an entry put in the place of the one with its key, else at a place, else at the end."""
    entries = list(mapping.entries)
    for index, each in enumerate(entries):
        if each.key.text == entry.key.text:
            entries[index] = entry
            return Mapping(mapping.span, tuple(entries))
    entries.insert(len(entries) if at is None else at, entry)
    return Mapping(mapping.span, tuple(entries))


def without(mapping: Mapping, *keys: str) -> Mapping:
    """A mapping without some of its keys."""
    kept = tuple(entry for entry in mapping if entry.key.text not in keys)
    return mapping if len(kept) == len(mapping.entries) else Mapping(mapping.span, kept)


def word(like: Node, text: str) -> Scalar:
    """A scalar that stands in no file, at the place of another node."""
    span = like.span
    return Scalar(span, text, "plain", (span.start,) * len(text) + (span.end,))


def listed(node: Node) -> Sequence:
    """A node as a list: `tags: one` is `tags: [one]`."""
    return node if isinstance(node, Sequence) else Sequence(node.span, (node,))


def say(node: Node | None) -> str | None:
    """A value as people write it, on one line; very long ones are cut."""
    if node is None:
        return None
    text = _flow(node, top=True)
    return _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SAID else text[: MOST_SAID - 1].rstrip() + CUT


def apart(one: str, other: str) -> tuple[str, str]:
    """Two texts cut so that it shows where they differ."""
    common = next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
    start = one.rfind(" ", 0, max(common - _LEAD, 0)) + 1
    lead = CUT if start else ""
    return _cut(lead + one[start:]), _cut(lead + other[start:])


def _flow(node: Node, *, top: bool = False) -> str:
    match node:
        case Scalar():
            text = " ".join(node.text.split())
            return text if top or _PLAIN.fullmatch(text) else quoted(text)
        case Mapping():
            return "{" + ", ".join(f"{entry.key.text}: {_flow(entry.value)}" for entry in node) + "}"
        case Sequence():
            return "[" + ", ".join(_flow(item) for item in node) + "]"


# --- the same value ------------------------------------------------------------------------------------------------


def same(one: Node, other: Node, field: str = "") -> bool:
    """Whether two nodes say the same: texts, numbers however spelled, formulas by their syntax, `at` by its numbers."""
    match one, other:
        case Scalar(), Scalar():
            return _same_scalar(one, other, field)
        case Mapping(), Mapping():
            mine, theirs = ({entry.key.text: entry.value for entry in node} for node in (one, other))
            return list(mine) == list(theirs) and all(same(mine[key], theirs[key], key) for key in mine)
        case Sequence(), Sequence():
            return len(one.items) == len(other.items) and all(
                same(mine, theirs, field) for mine, theirs in zip(one, other, strict=True)
            )
    return False


def _same_scalar(one: Scalar, other: Scalar, field: str) -> bool:
    if one.text == other.text or " ".join(one.text.split()) == " ".join(other.text.split()):
        return True
    if field == "at" and row_key(one.text) == row_key(other.text):
        return True
    if core(one) == core(other) or (truth(one) is not None and truth(one) == truth(other)):
        return True
    first = parse(one.text)
    return not isinstance(first, Problem) and first == parse(other.text)


# --- base ----------------------------------------------------------------------------------------------------------


def reads_base(node: Node) -> bool:
    """Whether a formula names the one it replaces."""
    return isinstance(node, Scalar) and any(True for _ in _bases(node.text))


def with_base(scalar: Scalar, below: Scalar) -> Scalar:
    """A formula with the one below it in the place of `base`; all of that stands where `base` is written."""
    text = scalar.text
    inner = below.text.strip()
    if not isinstance(parse(inner), (Number, Name, Call, Truth, Text, Index, Member)):
        inner = f"({inner})"
    old = scalar.offsets or tuple(range(scalar.span.start, scalar.span.start + len(text) + 1))
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for start, end in _bases(text):
        pieces += [text[at:start], inner]
        offsets += [*old[at:start], *[old[start]] * len(inner)]
        at = end
    pieces.append(text[at:])
    offsets += old[at:]
    return Scalar(scalar.span, "".join(pieces), scalar.style, tuple(offsets))


def _bases(text: str) -> Iterator[tuple[int, int]]:
    """Where `base` stands as a name of its own."""
    if not _BASE_WORD.search(text):
        return
    expr = parse(text)
    if isinstance(expr, Problem):
        return
    # The right side of `is` may be a choice that happens to be called base.
    found: list[tuple[int, int]] = []
    below: list[Expr] = [expr]
    while below:
        node = below.pop()
        if isinstance(node, Name) and node.name == BASE:
            found.append(node.at)
        elif isinstance(node, Compare) and all(sign in ("is", "is not") for sign in node.operators):
            below.append(node.operands[0])
        else:
            below.extend(parts(node))
    yield from sorted(found)
