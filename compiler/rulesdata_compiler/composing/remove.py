"""`remove:` rules, and parts of rules.

In: what stands below, and the names of what goes. Out: the rest. The one rule: a mapping leads down, and a word or a
list at its end names what goes from there: ids of a kind, fields of a rule, rows, items, words.
"""

from __future__ import annotations

from ..diagnostics import Note
from ..nearest import did_you_mean
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .items import edited, find_item, names_in, put
from .nodes import listed, say, with_entry, without
from .order import Over
from .record import Record, Where
from .words import CHANGED, LIST_FIELDS, NOUNS, WHY, find, part_noun, row_key


class Remove:
    """One layer's removals."""

    def __init__(self, record: Record, over: Over) -> None:
        self.record, self.over = record, over

    def part(self, old: Node, new: Entry, where: Where) -> Node | None:
        """What is left of a rule or a field; None where nothing is."""
        value = new.value
        where = where.because(value)
        if isinstance(value, Mapping):
            below = without(value, WHY)
            mark = below.entry("examples")
            if mark is not None and isinstance(mark.value, Scalar) and mark.value.text == CHANGED:
                below = without(below, "examples")
                self.record.tell(self.over, where.below("examples"), mark.value.span, None, CHANGED)
            if not below.entries:
                return self.whole(old, new, where)
            return self.down(old, below, where)
        for name in listed(value):
            if not isinstance(name, Scalar) or not name.text:
                self.record.fail(
                    "H720", f"remove: names what goes from {where.name}", name.span, where, hint="write a list of names"
                )
                continue
            left = self.one(old, name, where)
            if left is None:
                return None
            old = left
        return old

    def whole(self, old: Node, new: Entry, where: Where) -> Node | None:
        """Something that goes as a whole, with a reason below its name."""
        if not self.record.write(self.over, where, new.key.span, "remove"):
            return old
        self.record.tell(self.over, where, new.key.span, say(old), None, old)
        return None

    def down(self, old: Node, new: Mapping, where: Where) -> Node:
        """The way down to what goes."""
        for each in new:
            name = each.key.text
            rows = where.field == "rows" or where.cells
            if isinstance(old, Mapping) and (entry := find(old, name, rows=rows)) is not None:
                left = self.part(entry.value, each, where.below(row_key(entry.key.text) if rows else name))
                old = without(old, entry.key.text) if left is None else with_entry(old, Entry(entry.key, left))
            elif isinstance(old, Sequence) and (found := find_item(old, name)) is not None:
                left = self.part(found.item, each, where.below(name, (*found.way, name)))
                old = edited(old, found.within, put(found.within, found.index, *(() if left is None else (left,))))
            else:
                self.missing(each.key, old, where)
        return old

    def one(self, old: Node, name: Scalar, where: Where) -> Node | None:
        """What is left without one field, id, item or word; None where that was all."""
        rows = where.field == "rows" or where.cells
        if isinstance(old, Mapping):
            entry = find(old, name.text, rows=rows)
            if entry is not None:
                below = where.below(row_key(entry.key.text) if rows else name.text)
                return without(old, entry.key.text) if self.gone(entry.value, name, below) else old
        elif isinstance(old, Sequence):
            found = find_item(old, name.text)
            if found is not None:
                below = where.below(name.text, (*found.way, name.text))
                if not self.gone(found.item, name, below):
                    return old
                left = edited(old, found.within, put(found.within, found.index))
                return None if isinstance(left, Sequence) and not left.items else left
        elif where.field in LIST_FIELDS and old.text == name.text:
            return None if self.gone(old, name, where.below(name.text)) else old
        self.missing(name, old, where)
        return old

    def gone(self, old: Node, name: Scalar, where: Where) -> bool:
        if not self.record.write(self.over, where, name.span, "remove"):
            return False
        self.record.tell(self.over, where, name.span, say(old), None, old)
        return True

    def missing(self, name: Scalar, old: Node, where: Where) -> None:
        inside = where.name
        key = row_key(name.text) if where.field == "rows" else name.text
        gone = self.record.removed.get((*where.address, key))
        if gone is not None:
            mine = gone[0] is self.over
            self.record.fail(
                "H716",
                f"`{name.text}` of {inside} is gone: `{gone[0].id}` removes it" + (", above" if mine else ""),
                name.span,
                where,
                notes=(Note(gone[1], "it is removed here"),),
                hint="take one of the two out",
            )
            return
        known = [entry.key.text for entry in old] if isinstance(old, Mapping) else names_in(listed(old))
        noun = "field" if not where.path or isinstance(old, Mapping) else part_noun(where.field)
        if where.field in {"rows", "columns", "params", "levels", "bands", "tracks"}:
            noun = part_noun(where.field)
        if not where.rule_id:
            noun = NOUNS.get(where.kind, "rule")
        if isinstance(old, Scalar) and where.path and where.field not in LIST_FIELDS:
            known = []
        hint = did_you_mean(name.text, known) or (f"there is {', '.join(known[:8])}" if known else None)
        self.record.fail("H711", f"there is no {noun} `{name.text}` in {inside} to remove", name.span, where, hint=hint)
