"""What a declaration that was refused may have declared all the same: tags, sources, units, symbols, slots, columns.

In: an entry that does not fit. Out: the words it may have meant to declare, so that whoever uses them is not blamed.
The one rule: only what is written there is excused; every other unknown name is still told.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from ..shaping.schemas import RESERVED, definition, reference_of, resolve
from ..tree import Entry, Mapping, Node, Scalar, Sequence

# Fields that declare plain words for others to use.
DECLARING = frozenset({"tags", "context", "sources", "clock", "scenes", "events", "stacking", "sheets"})
WORD = re.compile(r"[^\W\d]\w*")
_ID = re.compile(r"[^\W\d]\w*(\[\w+\])?\Z")


def words_of(kind: str, rule_id: str, entry: Entry) -> set[str]:
    """The words of a rule: below fields that declare some, below fields it does not have; of a text, all of it."""
    value = entry.value
    own = set() if _ID.match(rule_id) else set(words(entry.key))
    if not isinstance(value, Mapping):
        return own | set(words(value))
    if (kind, rule_id) in RESERVED:
        return {item.key.text for item in value}
    return own | words_below(value, resolve(definition(reference_of(kind, rule_id))).get("properties", {}), DECLARING)


def words_of_header(header: Mapping) -> set[str]:
    return words_below(header, resolve(definition("system.json")).get("properties", {}), DECLARING)


def words_below(node: Mapping, known: Collection[str], declaring: Collection[str] = ()) -> set[str]:
    """The words below fields that are not known, which may be a misspelt one, and below those that declare some."""
    found: set[str] = set()
    for entry in node:
        if entry.key.text in declaring:
            found.update(words(entry.value))
        elif entry.key.text not in known and not entry.key.text.startswith("x-"):
            found.update(words(entry.key), words(entry.value))
    return found


def words(node: Node) -> Iterator[str]:
    """Every word of a node, keys too."""
    match node:
        case Scalar(text=text):
            yield from WORD.findall(text)
        case Sequence(items=items):
            yield from _all(items)
        case Mapping(entries=entries):
            for entry in entries:
                yield from words(entry.key)
                yield from words(entry.value)


def _all(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        yield from words(node)
