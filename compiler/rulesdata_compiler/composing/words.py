"""What the keys of a rule hold: fields, ids, items, words or prose.

In: nothing; these are the words that the merge goes by. The one rule: what is addressed by id is never addressed by
its place in a list, and whether a key is a field or an id follows from the key above it alone.
"""

from __future__ import annotations

from functools import cache

from ..decoding.reading import Reading
from ..decoding.words import looks_numeric, normal_key, parse_intervals
from ..diagnostics import Findings
from ..shaping.schemas import definition
from ..tree import Entry, Mapping, Node, Scalar, Sequence

# Below these keys stand ids, chosen by authors; everywhere else stand the fields of the language.
ID_FIELDS = frozenset(
    {
        "rows",
        "columns",
        "params",
        "results",
        "let",
        "pool",
        "upgrade",
        "downgrade",
        "levels",
        "bands",
        "tracks",
        "options",
        "symbols",
        "slots",
        "ask",
        "by",
        "roles",
        "clock",
        "sources",
        "stacking",
        "sheets",
        "screens",
        "add",
        "subtract",
        "set",
        "multiply",
    }
)
# What people read: `base` and names mean nothing in it.
PROSE_FIELDS = frozenset(
    {"title", "text", "ruling", "about", "say", "stop", "unit", "aliases", "source", "tags", "letter", "expect_error"}
)
# Fields that may hold one thing or a list of them.
LIST_FIELDS = frozenset(
    {
        "tags",
        "aliases",
        "source",
        "renamed_from",
        "implies",
        "suspends",
        "ends",
        "forbids",
        "each",
        "context",
        "scenes",
        "events",
        "examples",
        "requires",
        "resets",
        "cost",
        "of",
        "except",
        "roll",
        "against",
        "chapters",
        "modifiers",
        "steps",
        "effect",
        "entry",
        "at_end",
        "then",
        "else",
        "do",
        "more",
        "play",
    }
)
# Lists whose order means nothing: two sets of house rules may both add to them.
UNORDERED = frozenset(
    {"tags", "aliases", "source", "renamed_from", "implies", "suspends", "ends", "forbids", "each", "context"}
    | {"scenes", "events", "examples", "of", "except"}
)
# Where further lists of steps hang.
INNER_LISTS = frozenset({"then", "else", "do", "steps", "choose", "options"})
WAS, WHY = "was", "why"
CHANGED = "changed"
PLACERS = ("before", "behind")

NOUNS = {
    "stats": "stat",
    "derived": "derived value",
    "tracks": "track",
    "dice": "die",
    "rolls": "roll",
    "tables": "table",
    "spends": "spend",
    "bands": "set of bands",
    "conditions": "condition",
    "traits": "trait",
    "environments": "environment",
    "actions": "action",
    "procedures": "procedure",
    "options": "option",
}
_PARTS = {
    "rows": "row",
    "columns": "column",
    "params": "parameter",
    "results": "result",
    "levels": "level",
    "bands": "band",
    "tracks": "track",
    "options": "option",
    "symbols": "symbol",
    "slots": "slot",
    "roles": "role",
    "clock": "unit of time",
    "sources": "source",
    "examples": "example",
    "modifiers": "modifier",
}


@cache
def fields_of(kind: str) -> frozenset[str]:
    """All fields that rules of a kind can have, as its schema says; none for what is no kind."""
    if kind not in NOUNS:
        return frozenset()
    schema = definition(f"{kind}.json")
    whole = [schema, *(option for option in schema.get("anyOf", ()) if isinstance(option, dict))]
    return frozenset(name for part in whole for name in part.get("properties", ()))


def part_noun(field: str) -> str:
    """What stands below a field, in the singular."""
    return _PARTS.get(field, "entry")


def row_key(text: str) -> str:
    """The one spelling of a row's key: `01–05` is `1-5`; what is no number stays."""
    if not looks_numeric(text):
        return text
    found = parse_intervals(_loose(text), Reading(Findings()))
    return normal_key(found) if found is not None else text


def find(mapping: Mapping, key: str, *, rows: bool = False) -> Entry | None:
    """The entry of a key; of a row's, however it is spelled."""
    entry = mapping.entry(key)
    if entry is not None or not rows:
        return entry
    wanted = row_key(key)
    return next((each for each in mapping if row_key(each.key.text) == wanted), None)


def identity(item: Node) -> tuple[str, ...]:
    """The names under which an item of a list can be addressed: its id, its title, the name of its result."""
    if not isinstance(item, Mapping):
        return ()
    names = [item.get("id"), item.get("as")]
    choose = item.get("choose")
    if isinstance(choose, Mapping):
        names.append(choose.get("id"))
    if any(item.entry(field) for field in ("expect", "expect_error", "cells")):
        names.append(item.get("title"))
    return tuple(name.text for name in names if isinstance(name, Scalar))


def two_keys(table: Node) -> bool:
    """Whether a table is found by two keys, so that its rows hold cells by key."""
    by = table.get("by") if isinstance(table, Mapping) else None
    return (isinstance(by, Sequence) and len(by.items) == 2) or (isinstance(by, Mapping) and len(by.entries) == 2)


def _loose(text: str) -> Scalar:
    from ..source import Source, Span

    return Scalar(Span(Source("", text), 0, len(text)), text)
