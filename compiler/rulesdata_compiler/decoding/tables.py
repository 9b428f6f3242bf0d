"""Tables: how a row is found, and what stands in it.

In: the fields of a table. Out: the model's Table; the form is told by its keys: `roll`, `by`, `weight` or `when` in
rows. Row keys are read here, not by YAML, and a row without an id gets its key in normal spelling as id.
"""

from __future__ import annotations

import re
from typing import Any

from ..diagnostics import Note
from ..model import Interval, Spec, Table
from ..reading.scalars import truth
from ..source import Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .cells import Cells, again
from .fields import Fields, spec
from .words import check_name, is_none, looks_numeric, normal_key, parse_intervals

_HUNDRED = re.compile(r"\s*1?d(?:100|%)\s*\Z")
ROW_FIELDS = frozenset(
    {
        "at",
        "weight",
        "when",
        "else",
        "title",
        "text",
        "effect",
        "again",
        "option",
        "ruling",
        "source",
        "tags",
        "before",
        "behind",
    }
)
TAKEN = ROW_FIELDS | {"row", "total", "dice", "id"}


def table(take: Fields, base: dict[str, Any]) -> Table | None:
    form = _form(take)
    if form is None:
        return None
    by = _by(take)
    columns = _columns(take)
    places = Places(take, form, by)
    by = places.by
    cells = Cells(take, form, columns)
    rows = cells.rows(places)
    if form == "decision":
        _else_last(take, [entry for entry in take.pairs("rows") if isinstance(entry.value, Mapping)])
    below, above = _outside(take)
    return Table(
        **base,
        form=form,
        roll=take.formula("roll"),
        by=by,
        params=take.specs("params"),
        columns=cells.columns,
        rows=rows,
        below=below,
        above=above,
        overlap=take.word("overlap") == "all",
        again=again(take),
        may_be_given=take.truth("may_be_given") or False,
    )


def _form(take: Fields) -> str | None:
    """`rolled`, `by`, `by_two`, `weighted` or `decision`; a table that could be two is a finding."""
    if take.exclude("roll", "by", "a row is found by one of them"):
        return None
    rows = [entry.value for entry in take.pairs("rows") if isinstance(entry.value, Mapping)]
    if "roll" in take:
        form, clue = "rolled", "roll"
    elif "by" in take:
        return "by_two" if _key_count(take.node_of("by")) == 2 else _without(take, "by", "by")
    elif any(row.entry("weight") for row in rows):
        form, clue = "weighted", "weight"
    elif any(row.entry("when") or row.entry("else") for row in rows):
        form, clue = "decision", "when"
    else:
        take.reading.error(
            "S217",
            "this table does not say how a row is found",
            take.at,
            hint="roll: dice; by: a number or choice; weight in each row; or when in each row",
        )
        return None
    return _without(take, form, clue)


_FORM_FIELDS = {"rolled": {"at"}, "by": {"at"}, "weighted": {"weight"}, "decision": {"when", "else"}}
_FORM_WORDS = {
    "rolled": "rows are found by `roll`",
    "by": "rows are found by `by`",
    "weighted": "rows are found by `weight`",
    "decision": "rows are found by `when`",
}


def _without(take: Fields, form: str, clue: str) -> str | None:
    """The form, if no row has a field of another form."""
    foreign = {"at", "weight", "when", "else"} - _FORM_FIELDS[form]
    clean = True
    for entry in take.pairs("rows"):
        for field in entry.value if isinstance(entry.value, Mapping) else ():
            if field.key.text in foreign:
                notes = (Note(take.key_span(clue), f"`{clue}` stands here"),) if clue in take else ()
                said = f"`{field.key.text}` does not go here: in this table {_FORM_WORDS[form]}"
                take.reading.error("S214", said, field.key.span, notes=notes)
                clean = False
    return form if clean else None


def _key_count(node: Node | None) -> int:
    if isinstance(node, Sequence):
        return len(node.items)
    return len(node.entries) if isinstance(node, Mapping) else 1


def _by(take: Fields) -> tuple[Spec | Scalar, ...]:
    """Each key as a spec, or as a bare name whose type the rows tell."""
    node = take.node_of("by")
    if isinstance(node, Mapping):
        return tuple(made for entry in node if (made := spec(entry.key, entry.value, take.reading)) is not None)
    return take.scalars("by")


def _columns(take: Fields) -> tuple[Spec, ...]:
    for entry in take.pairs("columns"):
        if entry.key.text in TAKEN:
            take.reading.error(
                "S210",
                f"`{entry.key.text}` cannot be a column: it is a field of every row or result",
                entry.key.span,
                hint="choose another word for the column",
            )
    return tuple(column for column in take.specs("columns") if column.name not in TAKEN)


def _outside(take: Fields) -> tuple[str | None, str | None]:
    node = take.node_of("outside")
    if isinstance(node, Mapping):
        inner = Fields(take.reading, node, take.key_span("outside"), "what counts outside")
        return inner.word("below"), inner.word("above")
    both = take.word("outside")
    return both, both


def _else_last(take: Fields, rows: list[Entry]) -> None:
    for place, entry in enumerate(rows):
        row = Fields(take.reading, entry.value, entry.key.span, "a row of a decision table")
        if row.exclude("when", "else", "`else` counts where no `when` does"):
            continue
        if "when" not in row and "else" not in row:
            row.missing("when", "when: formula, or on the last row else: yes")
        elif "else" in row and row.truth("else") is False:
            take.reading.error("S218", "`else` is yes, or is left out", row.key_span("else"), hint="else: yes")
        elif "else" in row and place < len(rows) - 1:
            after = rows[place + 1].key
            take.reading.error(
                "S218",
                "`else` stands on the last row: no row behind it can ever count",
                row.key_span("else"),
                notes=(Note(after.span, "this row comes behind it"),),
            )


class Places:
    """Where the rows of one table stand: at intervals of numbers, or at choices."""

    def __init__(self, take: Fields, form: str, by: tuple[Spec | Scalar, ...]) -> None:
        self.take = take
        self.form = form
        roll = take.node_of("roll")
        self.hundred = isinstance(roll, Scalar) and _HUNDRED.match(roll.text) is not None
        rows = take.pairs("rows")
        first = [scalar for entry in rows for scalar in at_scalars(entry)] if form in {"by", "by_two"} else []
        second = [cell.key for entry in rows if isinstance(entry.value, Mapping) for cell in entry.value]
        keys = (first, second)
        self.by: tuple[Spec, ...] = tuple(
            item if isinstance(item, Spec) else self.told_by_rows(item, keys[place]) for place, item in enumerate(by)
        )
        self.numeric = (form == "rolled" or self.is_number(0), self.is_number(1))

    def is_number(self, place: int) -> bool:
        return place < len(self.by) and self.by[place].type in {"int", "fraction"}

    def told_by_rows(self, name: Scalar, keys: list[Scalar]) -> Spec:
        """The type of a key that says none: a number where a row key looks like one, else a choice of the keys."""
        check_name(name, self.take.reading)
        if any(looks_numeric(key.text) for key in keys):
            return Spec(name.text, name.span, "int")
        choices = tuple(dict.fromkeys(key.text for key in keys if not is_none(key)))
        return Spec(name.text, name.span, "choice", choices)

    def read(self, scalar: Scalar, place: int = 0) -> tuple[Interval | str, ...] | None:
        """The intervals or the choice that one key stands for."""
        if self.numeric[place]:
            return parse_intervals(scalar, self.take.reading, self.hundred)
        if place < len(self.by) and self.by[place].type == "bool":
            return ("true" if truth(scalar) else "false",)
        return (check_name(scalar, self.take.reading, "a choice"),)

    def row(self, entry: Entry) -> tuple[str, tuple[Interval | str, ...] | None, Span | None] | None:
        """The id of a row, where it stands, and the place that says so."""
        key = entry.key
        explicit = entry.value.entry("at") if isinstance(entry.value, Mapping) and self.form != "by_two" else None
        if self.form in {"weighted", "decision"}:
            return check_name(key, self.take.reading, "the id of a row"), None, None
        if explicit is None:
            return self.row_by_key(entry)
        row_id = key.text
        if looks_numeric(row_id):
            # A house rule may move a short row: it keeps its key as id.
            intervals = parse_intervals(key, self.take.reading, self.hundred)
            row_id = row_id if intervals is None else normal_key(intervals)
        else:
            check_name(key, self.take.reading, "the id of a row")
        found: list[Interval | str] = []
        scalars = at_scalars(entry)
        if len(scalars) == 1 and is_none(scalars[0]):
            return row_id, None, explicit.value.span
        for scalar in scalars:
            read = self.read(scalar)
            if read is None:
                return None
            found += read
        return row_id, tuple(found), explicit.value.span

    def row_by_key(self, entry: Entry) -> tuple[str, tuple[Interval | str, ...] | None, Span | None] | None:
        key = entry.key
        if self.numeric[0] and not looks_numeric(key.text) and isinstance(entry.value, Mapping):
            row = Fields(self.take.reading, entry.value, key.span, "a row")
            row.missing("at", f"{key.text}: {{at: 1-5, ...}}, or at: none for a row that is never rolled")
            return None
        read = self.read(key)
        if read is None:
            return None
        intervals = tuple(item for item in read if isinstance(item, Interval))
        return normal_key(intervals) if intervals else str(read[0]), read, key.span


def at_scalars(entry: Entry) -> tuple[Scalar, ...]:
    """The scalars that say where a row stands: those of `at`, else its key."""
    at = entry.value.get("at") if isinstance(entry.value, Mapping) else None
    if isinstance(at, Scalar):
        return (at,)
    if isinstance(at, Sequence):
        return tuple(item for item in at if isinstance(item, Scalar))
    return (entry.key,)
