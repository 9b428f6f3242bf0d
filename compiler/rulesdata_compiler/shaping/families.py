"""Families: one rule written for several names becomes a rule for each.

In: the collected trees. Out: the same, with every `for_each` written out: `(each)` in keys and values becomes the
member's name, the ids become `id[name]`. The one rule: characters keep their places, so that a finding in a member
points into the family's own lines.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..diagnostics import Findings
from ..reading.gather import Collected
from ..source import Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence

FIELD = "for_each"
MARK = "(each)"
_NAME = re.compile(r"[^\W\d]\w*\Z")


def expand(collected: Collected, findings: Findings) -> Collected:
    """Write out every family. One whose list is not a list of names is left for `shape.py` to tell."""
    kinds: dict[str, dict[str, Entry]] = {}
    changed = False
    for kind, entries in collected.kinds.items():
        grown: dict[str, Entry] = {}
        for rule_id, entry in entries.items():
            members = members_of(entry)
            if not members:
                grown[rule_id] = entry
                continue
            if MARK in rule_id:
                bare = rule_id.replace(MARK, "").strip("_")
                findings.add(
                    "S211",
                    f"the id of a family stands without {MARK}: its members are called id[name] by themselves",
                    entry.key.span,
                    hint=f"write {bare}: its first member is then {bare}[{members[0].text}]" if bare else None,
                )
                grown[rule_id] = entry
                continue
            changed = True
            for member in members:
                made = member_entry(entry, member.text)
                grown[made.key.text] = made
        kinds[kind] = grown
    return replace(collected, kinds=kinds) if changed else collected


def members_of(entry: Entry) -> tuple[Scalar, ...]:
    """The names after `for_each`; empty where there is none, or it is not a list of different names."""
    listed = entry.value.get(FIELD) if isinstance(entry.value, Mapping) else None
    if listed is None:
        return ()
    items = listed.items if isinstance(listed, Sequence) else (listed,)
    names = tuple(item for item in items if isinstance(item, Scalar) and _NAME.match(item.text))
    if len(names) != len(items) or len({name.text for name in names}) != len(names):
        return ()
    return names


def member_entry(entry: Entry, member: str) -> Entry:
    """The rule of one member."""
    value = entry.value
    if isinstance(value, Mapping):
        value = Mapping(value.span, tuple(item for item in value if item.key.text != FIELD))
    return Entry(_suffixed(entry.key, f"[{member}]"), written_out(value, member))


def written_out(node: Node, member: str) -> Node:
    """A node with `(each)` replaced, in keys as well; what has none is shared."""
    match node:
        case Scalar():
            return replaced(node, member)
        case Sequence():
            items = tuple(written_out(item, member) for item in node)
            same = all(new is old for new, old in zip(items, node.items, strict=True))
            return node if same else Sequence(node.span, items)
        case Mapping():
            entries = tuple(_entry(entry, member) for entry in node)
            same = all(new is old for new, old in zip(entries, node.entries, strict=True))
            return node if same else Mapping(node.span, entries)


def replaced(scalar: Scalar, member: str) -> Scalar:
    """A scalar with `(each)` replaced. Every character of the name stands at the mark's beginning, its end at the
    mark's end, so that a part that holds the whole name covers the whole mark."""
    text = scalar.text
    if MARK not in text:
        return scalar
    old = scalar.offsets or tuple(range(scalar.span.start, scalar.span.start + len(text) + 1))
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    while (mark := text.find(MARK, at)) >= 0:
        pieces += [text[at:mark], member]
        offsets += [*old[at:mark], *[old[mark]] * len(member)]
        at = mark + len(MARK)
    pieces.append(text[at:])
    offsets += old[at:]
    return Scalar(scalar.span, "".join(pieces), scalar.style, tuple(offsets))


def _entry(entry: Entry, member: str) -> Entry:
    key, value = replaced(entry.key, member), written_out(entry.value, member)
    return entry if key is entry.key and value is entry.value else Entry(key, value)


def _suffixed(key: Scalar, suffix: str) -> Scalar:
    """A key with something behind it that stands nowhere in the file."""
    span: Span = key.span
    old = key.offsets or tuple(range(span.start, span.start + len(key.text) + 1))
    return Scalar(span, key.text + suffix, key.style, (*old, *[old[-1]] * len(suffix)))
