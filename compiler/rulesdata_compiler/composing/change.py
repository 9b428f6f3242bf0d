"""`change:` fields of rules that are there.

In: what stands below, what an overlay says in its place, and where that is. Out: the new value, or None where the
overlay is refused. The one rule: a mapping changes key by key, a list or a single value replaces what was there; what
is not there, or stays as it is, is an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Note
from ..nearest import did_you_mean
from ..reading.scalars import null
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .items import edited, find_item, names_in, put
from .nodes import reads_base, same, say, with_base, with_entry, word
from .option import unfit
from .order import Over
from .record import Record, Where
from .words import CHANGED, ID_FIELDS, NOUNS, PROSE_FIELDS, WAS, WHY, fields_of, find, part_noun, row_key

FEW = 8  # so many names, at most, are listed where none is near


class Change:
    """One layer's changes."""

    def __init__(self, record: Record, over: Over) -> None:
        self.record, self.over = record, over

    # --- fields ------------------------------------------------------------------------------------------------

    def rule(self, old: Entry, new: Entry, where: Where) -> Node:
        """A rule with what an overlay changes in it."""
        value = old.value
        if where.kind == "options":
            return self.option(value, new, where)
        if (where.kind, where.rule_id) in {("dice", "symbols"), ("actions", "slots")}:
            if isinstance(value, Mapping) and isinstance(new.value, Mapping):
                return self.ids(value, new.value, where)
        elif isinstance(value, Mapping) and isinstance(new.value, Mapping):
            return self.fields(value, new.value, where, new)
        self.record.fail(
            "H720",
            f"change: says field by field what changes in `{where.rule_id}`",
            new.value.span if not null(new.value) else new.key.span,
            where,
            hint=f"write {where.rule_id}: {{formula: ...}}"
            if where.kind == "derived"
            else f"write {where.rule_id}: {{field: value}}",
        )
        return value

    def option(self, old: Node, new: Entry, where: Where) -> Node:
        """`lanterns: off` sets the value of an option; a mapping changes its fields."""
        whole = old if isinstance(old, Mapping) else Mapping(old.span, (Entry(word(old, "default"), old),))
        if isinstance(new.value, Mapping):
            return self.fields(whole, new.value, where, new)
        now = whole.get("value") or whole.get("default")
        if not self.fits(whole, new.value, where):
            return old
        made = self.leaf(now, new.value, where.below("value"), new.key)
        return old if made is None else with_entry(whole, Entry(word(new.key, "value"), made))

    def fits(self, option: Mapping, value: Node, where: Where) -> bool:
        """Whether an option can have a value."""
        wanted = unfit(option, value)
        if wanted is not None:
            self.record.fail(
                "H725",
                f"the option `{where.rule_id}` cannot be {say(value)}",
                value.span,
                where,
                notes=(Note(option.entries[0].key.span, "the option stands here"),),
                hint=f"it is {wanted}",
            )
        return wanted is None

    def fields(self, old: Mapping, new: Mapping, where: Where, entry: Entry) -> Mapping:
        """A mapping of fields, each changed."""
        where = where.because(new)
        changes = [each for each in new if each.key.text not in (WAS, WHY)]
        if not changes:
            self.record.fail(
                "H713",
                f"this changes nothing in {where.name}",
                entry.key.span,
                where,
                hint="say which field changes, or take it out",
            )
            return old
        known = changes if where.path else [each for each in changes if not self.no_field(each.key, old, where)]
        if len(known) == len(changes) and not self.was(old, new, changes, where):
            return old
        value = new.get("value") if where.kind == "options" and not where.path else None
        if value is not None and not self.fits(old, value, where):
            return old
        for each in known:
            old = self.field(old, each, where)
        return old

    def field(self, old: Mapping, new: Entry, where: Where) -> Mapping:
        name = new.key.text
        below = where.below(name)
        before = old.entry(name)
        if name == "examples" and where.field in ("", "examples"):
            made = self.examples(before, new, below)
            return old if made is None else with_entry(old, Entry(new.key if before is None else before.key, made))
        if before is None:
            if name == "value" and where.kind == "options" and not where.path:
                now = old.get("default")
            elif name == "at" and where.in_rows:
                now = word(new.key, where.path[-1])
            else:
                now = None
            value = self.leaf(now, new.value, below, new.key)
            return old if value is None else with_entry(old, Entry(new.key, value))
        value = self.value(before.value, new, below)
        if value is None:
            return old
        # What is replaced belongs to the overlay, key and all; what is changed inside keeps its own key.
        key = before.key if isinstance(new.value, Mapping) and not isinstance(before.value, Scalar) else new.key
        return with_entry(old, Entry(key, value))

    def no_field(self, key: Scalar, old: Mapping, where: Where) -> bool:
        """Whether a rule of this kind has no such field at all; most likely one that it has is misspelt."""
        known = fields_of(where.kind)
        if not known or key.text in known | {"examples"} or key.text.startswith("x-") or old.entry(key.text):
            return False
        hint = did_you_mean(key.text, known | {WAS, WHY})
        if hint is None:
            hint = f"it has {', '.join(entry.key.text for entry in old)}"
        self.record.fail(
            "H711", f"{_a(NOUNS[where.kind])} has no field `{key.text}` to change", key.span, where, hint=hint
        )
        return True

    def value(self, old: Node, new: Entry, where: Where) -> Node | None:
        """What comes of one value."""
        value = new.value
        if isinstance(value, Mapping):
            if where.field == "outside" and isinstance(old, Scalar):
                old = Mapping(old.span, (Entry(word(old, "below"), old), Entry(word(old, "above"), old)))
            if isinstance(old, Mapping):
                if where.field in ID_FIELDS:
                    return self.ids(old, value, where)
                return self.fields(old, value, where, new)
            if isinstance(old, Sequence) and names_in(old):
                return self.items(old, value, where)
        return self.leaf(old, value, where, new.key)

    # --- ids ---------------------------------------------------------------------------------------------------

    def ids(self, old: Mapping, new: Mapping, where: Where) -> Mapping:
        """A mapping of ids: only what is there can change."""
        rows = where.field == "rows" or where.cells
        for each in new:
            name = each.key.text
            before = find(old, name, rows=rows)
            if before is None:
                self.unknown(each.key, [entry.key.text for entry in old], where, part_noun(where.field))
                continue
            below = where.below(row_key(before.key.text) if rows else before.key.text)
            value = self.one(before, each, below, where)
            if value is not None:
                old = with_entry(old, Entry(before.key, value))
        return old

    def one(self, before: Entry, new: Entry, below: Where, where: Where) -> Node | None:
        """What comes of a row, a parameter, or a formula by name."""
        old, value = before.value, new.value
        if isinstance(value, Mapping):
            if where.field == "rows" and isinstance(old, Mapping) and where.cells:
                return self.ids(old, value, below)
            if isinstance(old, Scalar) and where.field == "rows":
                old = Mapping(old.span, (Entry(word(old, where.short), old),))
            elif isinstance(old, Scalar) and where.field in {"params", "columns", "ask", "by"}:
                old = Mapping(old.span, (Entry(word(old, "type"), old),))
            elif isinstance(old, Sequence) and where.field in {"params", "columns", "ask", "by"}:
                old = Mapping(old.span, (Entry(word(old, "type"), word(old, "choice")), Entry(word(old, "of"), old)))
            if isinstance(old, Mapping):
                return self.fields(old, value, below, new)
        return self.leaf(old, value, below, new.key)

    def items(self, old: Sequence, new: Mapping, where: Where) -> Node | None:
        """Items of a list, by id, anywhere below."""
        node: Node = old
        for each in new:
            assert isinstance(node, Sequence)
            found = find_item(node, each.key.text)
            if found is None:
                self.unknown(
                    each.key,
                    names_in(node),
                    where,
                    part_noun(where.field) if where.field in ("examples", "modifiers") else "item",
                )
                continue
            below = where.below(each.key.text, (*found.way, each.key.text))
            if isinstance(found.item, Mapping) and isinstance(each.value, Mapping):
                item: Node | None = self.fields(found.item, each.value, below, each)
            else:
                item = self.leaf(found.item, each.value, below, each.key)
            if item is not None:
                node = edited(node, found.within, put(found.within, found.index, item))
        return node

    def unknown(self, key: Scalar, known: list[str], where: Where, noun: str) -> None:
        name = key.text
        inside = where.name
        gone = self.record.removed.get((*where.address, name)) or self.record.removed.get(
            (*where.address, row_key(name))
        )
        if gone is not None and gone[0] is not self.over:
            self.record.fail(
                "H716",
                f"the {noun} `{name}` of {inside} is gone: `{gone[0].id}` removes it",
                key.span,
                where,
                notes=(Note(gone[1], "it is removed here"),),
                hint="take one of the two out",
            )
            return
        hint = did_you_mean(name, known)
        if hint is None:
            few = f"it has {', '.join(known)}; " if len(known) <= FEW else ""
            hint = f"{few}a new one stands below add:" if known else None
        if where.field not in ID_FIELDS and not known:
            hint = "no item there has an id; write the whole list anew"
        self.record.fail("H711", f"there is no {noun} `{name}` in {inside} to change", key.span, where, hint=hint)

    # --- single values -----------------------------------------------------------------------------------------

    def leaf(self, old: Node | None, new: Node, where: Where, key: Scalar) -> Node | None:
        """A value replaced whole, or a field set that was not there."""
        span = new.span if not null(new) else key.span
        if isinstance(new, Scalar) and not where.prose and reads_base(new):
            if not isinstance(old, Scalar):
                self.record.fail(
                    "H722",
                    f"`base` is the formula that this replaces, and {where.name} has none",
                    span,
                    where,
                    hint="write the whole formula",
                )
                return None
            made: Node = with_base(new, old)
        else:
            made = new
        if old is not None and same(old, made, where.field):
            self.record.fail(
                "H713",
                f"this changes nothing: {where.name} is {say(old)} already",
                span,
                where,
                notes=(Note(old.span, "it stands here"),) if old.span.source is not span.source else (),
                hint="take it out, or write what it should be",
            )
            return None
        if not self.record.write(self.over, where, span, "change"):
            return None
        self.record.tell(self.over, where, span, say(old), say(new), old)
        return made

    # --- was ---------------------------------------------------------------------------------------------------

    def was(self, old: Mapping, new: Mapping, changes: list[Entry], where: Where) -> bool:
        """Whether what stands below is what the overlay was written for."""
        was = new.entry(WAS)
        if was is None:
            return True
        # Of several, texts and examples are what one least keeps an eye on.
        meant = [each for each in changes if each.key.text not in PROSE_FIELDS | {"examples"}] or changes
        if isinstance(was.value, Mapping):
            told = list(was.value)
        elif len(meant) == 1:
            told = [Entry(meant[0].key, was.value)]
        else:
            names = ", ".join(f"{each.key.text}: ..." for each in meant)
            self.record.fail(
                "H723",
                f"{len(meant)} fields change here, and `was` does not say which it speaks of",
                was.key.span,
                where,
                hint=f"write was: {{{names}}}",
            )
            return False
        fine = True
        for each in told:
            name = each.key.text
            now = old.get(name)
            if now is None and name == "value" and where.kind == "options":
                now = old.get("default")
            if now is None and name == "at" and where.in_rows:
                now = word(each.key, where.path[-1])
            for inner, stands, said in _spoken_of(name, now, each.value):
                if stands is not None and same(stands, said, inner.rpartition(".")[2]):
                    continue
                fine = False
                cure = f"write was: {say(stands)}" if stands is not None else "take was: out"
                near = did_you_mean(inner, [entry.key.text for entry in old]) if stands is None else None
                self.record.fail(
                    "H714",
                    f"{where.name}.{inner} is {say(stands)} now, and `was` says {say(said)}"
                    if stands is not None
                    else f"{where.name} has no `{inner}` now, and `was` says {say(said)}",
                    said.span,
                    where,
                    notes=() if stands is None else (Note(stands.span, "it stands here"),),
                    hint=near or f"the rule below has changed: see whether yours still fits, then {cure}",
                )
        return fine

    # --- examples ----------------------------------------------------------------------------------------------

    def examples(self, before: Entry | None, new: Entry, where: Where) -> Node | None:
        """`examples: changed`, examples by title, or a list; with the word changed in it, those below are marked."""
        value = new.value
        base = before.value if before is not None else None
        if isinstance(base, Mapping):
            base = Sequence(base.span, (base,))
        if isinstance(value, Mapping) and isinstance(base, Sequence):
            return self.items(base, value, where)
        given = value.items if isinstance(value, Sequence) else (value,)
        marks = [item for item in given if isinstance(item, Scalar) and item.text == CHANGED]
        if not marks:
            return self.leaf(base, value, where, new.key)
        # No conflict, however many say so.
        self.record.tell(self.over, where, marks[0].span, say(base), CHANGED, base)
        kept = tuple(_marked(item, marks[0]) for item in base) if isinstance(base, Sequence) else ()
        own = tuple(item for item in given if item not in marks)
        # Without examples of its own it still speaks for those of the rules that read it.
        return Sequence(value.span if base is None else base.span, (*kept, *own)) if kept or own else None


def _a(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _spoken_of(name: str, now: Node | None, said: Node) -> Iterator[tuple[str, Node | None, Node]]:
    """What `was` speaks of, with what stands there: as a change does, a mapping goes key by key."""
    if isinstance(now, Mapping) and isinstance(said, Mapping) and said.entries:
        for each in said:
            yield from _spoken_of(f"{name}.{each.key.text}", now.get(each.key.text), each.value)
    else:
        yield name, now, said


def _marked(item: Node, mark: Scalar) -> Node:
    """An example of the base that holds no longer."""
    if not isinstance(item, Mapping):
        return item
    return with_entry(item, Entry(mark, word(mark, "yes")))
