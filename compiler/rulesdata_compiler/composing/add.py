"""`add:` rules, and parts of rules: rows, items of lists, fields and words.

In: what stands below, and what an overlay adds. Out: the two together. The one rule: what is there already is an error;
a new item stands where `before` or `behind` says, else at the end.
"""

from __future__ import annotations

from ..diagnostics import Note
from ..nearest import did_you_mean
from ..reading.scalars import null
from ..source import Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .change import Change
from .items import Found, edited, find_item, names_in, placed
from .nodes import listed, say, with_entry, without
from .order import Over
from .record import Record, Where
from .words import CHANGED, ID_FIELDS, LIST_FIELDS, UNORDERED, WHY, find, identity, part_noun, row_key


class Add:
    """One layer's additions."""

    def __init__(self, record: Record, over: Over) -> None:
        self.record, self.over = record, over

    def rule(self, old: Entry, new: Entry, where: Where) -> Node:
        """A rule that is there, with parts added."""
        if (where.kind, where.rule_id) in {("dice", "symbols"), ("actions", "slots")}:
            if isinstance(old.value, Mapping) and isinstance(new.value, Mapping):
                return self.ids(old.value, new.value, where)
        elif isinstance(old.value, Mapping) and isinstance(new.value, Mapping) and self.has_parts(old.value, new.value):
            return self.fields(old.value, new.value, where)
        self.there(new.key, old, where, f"`{where.rule_id}`")
        return old.value

    def has_parts(self, old: Mapping, new: Mapping) -> bool:
        """Whether what is added to a rule can be parts of it, rather than the same rule once more."""
        return not any(
            old.entry(entry.key.text) is not None
            and isinstance(entry.value, Scalar)
            and entry.key.text not in LIST_FIELDS
            for entry in without(new, WHY)
        )

    def fields(self, old: Mapping, new: Mapping, where: Where) -> Mapping:
        """A mapping of fields with new ones, or with parts added to old ones."""
        where = where.because(new)
        for each in without(new, WHY):
            name = each.key.text
            below = where.below(name)
            before = old.entry(name)
            if name == "examples" and isinstance(each.value, Scalar) and each.value.text == CHANGED:
                marked = Change(self.record, self.over).examples(before, each, below)
                old = old if marked is None else with_entry(old, Entry(each.key, marked))
                continue
            if before is None and name in UNORDERED and not null(each.value):
                value: Node | None = self.words(each.value, below)
                key = each.key
            elif before is None:
                value = self.fresh(each, below)
                key = each.key
            else:
                value, key = self.part(before, each, below), before.key
            if value is not None:
                old = with_entry(old, Entry(key, value))
        return old

    def words(self, value: Node, where: Where) -> Node:
        """Words of a field that was not there: others may add theirs."""
        made = self.append(Sequence(value.span, ()), listed(value), where)
        one = isinstance(made, Sequence) and len(made.items) == 1 and not isinstance(value, Sequence)
        return made.items[0] if one and isinstance(made, Sequence) else made

    def fresh(self, new: Entry, where: Where) -> Node | None:
        """A field, row or rule that was not there."""
        span = new.key.span
        value = new.value
        if isinstance(value, Sequence):
            for item in value:
                _, side, anchor = placed(item)
                if anchor is not None:
                    self.lost(anchor, side, [], where)
                    return None
        if not self.record.write(self.over, where, span, "add"):
            return None
        self.record.tell(self.over, where, span, None, say(value))
        return value

    def part(self, before: Entry, new: Entry, where: Where) -> Node | None:
        """Something added to what is there."""
        old, value = before.value, new.value
        if isinstance(value, Mapping):
            if isinstance(old, Mapping):
                return self.ids(old, value, where) if where.field in ID_FIELDS else self.fields(old, value, where)
            if isinstance(old, Sequence) and all(find_item(old, each.key.text) is not None for each in value):
                return self.items(old, value, where)
        if where.field in LIST_FIELDS and not null(value):
            return self.append(listed(old), listed(value), where)
        if isinstance(old, Sequence) and isinstance(value, Sequence):
            return self.append(old, value, where)
        self.there(new.key, before, where, where.name)
        return None

    # --- ids ---------------------------------------------------------------------------------------------------

    def ids(self, old: Mapping, new: Mapping, where: Where) -> Mapping:
        """A mapping of ids with new ones."""
        rows = where.field == "rows" or where.cells
        for each in new:
            name = each.key.text
            before = find(old, name, rows=rows)
            below = where.below(row_key(name) if rows else name)
            if before is not None:
                value = self.inside(before, each, below, where)
                if value is not None:
                    old = with_entry(old, Entry(before.key, value))
                continue
            value, side, anchor = placed(each.value)
            at = self.place(old, side, anchor, where, each.key.span, rows)
            if at is None:
                continue
            if not self.record.write(self.over, below, each.key.span, "add"):
                continue
            below = below.because(value)
            if isinstance(value, Mapping):
                value = without(value, WHY)
            self.record.tell(self.over, below, each.key.span, None, say(value))
            old = with_entry(old, Entry(each.key, value), at)
        return old

    def inside(self, before: Entry, new: Entry, below: Where, where: Where) -> Node | None:
        """Parts added to a row or parameter that is there."""
        if isinstance(before.value, Mapping) and isinstance(new.value, Mapping):
            if where.field == "rows" and where.cells:
                return self.ids(before.value, new.value, below)
            if self.has_parts(before.value, new.value):
                return self.fields(before.value, new.value, below)
        self.there(new.key, before, below, f"the {part_noun(where.field)} `{new.key.text}` of {where.name}")
        return None

    def place(self, old: Mapping, side: str, anchor: Scalar | None, where: Where, span: Span, rows: bool) -> int | None:
        """Where a new entry goes; None where that cannot be told."""
        keys = [entry.key.text for entry in old]
        if anchor is not None:
            found = find(old, anchor.text, rows=rows)
            if found is None:
                self.lost(anchor, side, keys, where)
                return None
            name = row_key(found.key.text) if rows else found.key.text
            if not self.record.spot(self.over, where, side, name, span):
                return None
            if not self.record.write(self.over, where.below(name), anchor.span, "need"):
                return None
            return keys.index(found.key.text) + (side == "behind")
        # The last row of a decision table says what holds where no other does: a new one goes before it.
        last = old.entries[-1].value if old.entries else None
        decides = rows and any(isinstance(entry.value, Mapping) and entry.value.entry("when") for entry in old)
        if decides and not self.record.spot(self.over, where, "end", "", span):
            return None
        return len(keys) - (decides and isinstance(last, Mapping) and last.entry("else") is not None)

    # --- lists -------------------------------------------------------------------------------------------------

    def items(self, old: Sequence, new: Mapping, where: Where) -> Node:
        """Parts added to items of a list, by id."""
        node: Node = old
        for each in new:
            assert isinstance(node, Sequence)
            found = find_item(node, each.key.text)
            assert found is not None
            below = where.below(each.key.text, (*found.way, each.key.text))
            if isinstance(found.item, Mapping) and isinstance(each.value, Mapping):
                node = edited(node, found.within, _exchanged(found, self.fields(found.item, each.value, below)))
            else:
                self.there(each.key, Entry(each.key, found.item), below, below.name)
        return node

    def append(self, old: Sequence, new: Sequence, where: Where) -> Node:
        """New items and words, each at its place."""
        node: Node = old
        no_way: tuple[str, ...] = ()
        for item in new:
            assert isinstance(node, Sequence)
            value, side, anchor = placed(item)
            span = item.span if isinstance(item, Scalar) else _first(item)
            known = next((name for name in identity(value) if find_item(node, name) is not None), None)
            if isinstance(value, Scalar) and find_item(node, value.text) is not None:
                known = value.text
            if known is not None:
                found = find_item(node, known)
                assert found is not None
                self.there(None, Entry(_key_of(found.item), found.item), where, f"`{known}` in {where.name}", span)
                continue
            within, index, way = node, len(node.items), no_way
            if anchor is not None:
                found = find_item(node, anchor.text)
                if found is None:
                    self.lost(anchor, side, names_in(node), where)
                    continue
                within, index, way = found.within, found.index + (side == "behind"), found.way
                if not self.record.spot(self.over, where, side, "/".join((*way, anchor.text)), span):
                    continue
                if not self.record.write(self.over, where.below(anchor.text, (*way, anchor.text)), anchor.span, "need"):
                    continue
            elif where.field not in UNORDERED and not self.record.spot(self.over, where, "end", "", span):
                continue
            name = next(iter(identity(value)), value.text if isinstance(value, Scalar) else "")
            mark = name or f"@{span.source.name}:{span.start}"
            below = where.below(name or "new item", (*way, mark))
            if not self.record.write(self.over, below, span, "add"):
                continue
            below = below.because(value)
            if isinstance(value, Mapping):
                value = without(value, WHY)
            self.record.tell(self.over, below, span, None, say(value))
            grown = Sequence(within.span, (*within.items[:index], value, *within.items[index:]))
            node = edited(node, within, grown)
        return node

    # --- refusals ----------------------------------------------------------------------------------------------

    def there(self, key: Scalar | None, old: Entry, where: Where, what: str, span: Span | None = None) -> None:
        self.record.fail(
            "H712",
            f"{what} is there already",
            key.span if key is not None else span or old.key.span,
            where,
            notes=(Note(old.key.span, "it stands here"),),
            hint="say below change: what is different, or give the new one another id",
        )

    def lost(self, anchor: Scalar, side: str, known: list[str], where: Where) -> None:
        hint = did_you_mean(anchor.text, known)
        if hint is None:
            hint = "leave it out, and it stands at the end" if not known else f"there is {', '.join(known[:8])}"
        self.record.fail(
            "H721", f"there is no `{anchor.text}` in {where.name} to stand {side}", anchor.span, where, hint=hint
        )


def _exchanged(found: Found, item: Node) -> Sequence:
    items = found.within.items
    return Sequence(found.within.span, (*items[: found.index], item, *items[found.index + 1 :]))


def _first(node: Node) -> Span:
    return node.entries[0].key.span if isinstance(node, Mapping) and node.entries else node.span


def _key_of(node: Node) -> Scalar:
    if isinstance(node, Mapping):
        named = node.get("id") or node.get("title")
        if isinstance(named, Scalar):
            return named
        return node.entries[0].key
    assert isinstance(node, Scalar)
    return node
