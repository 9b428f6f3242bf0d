"""What stands in the rows of a table: texts, effects, cells of its columns.

In: the rows of a table and its declared columns. Out: the model's rows. A short row is a single cell: a number, or a
text; where a table mixes the two, the author says which is meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics import Note
from ..model import Again, Formula, Interval, Row, Source, Spec, Template
from ..reading.scalars import truth
from ..source import Span
from ..tree import Entry, Mapping, Scalar
from .fields import Fields, formula, spec
from .steps import placed_only_in_house_rules, steps
from .words import is_none, is_number, parse_template

if TYPE_CHECKING:
    from .tables import Places

VALUE = "value"


def sources(take: Fields) -> tuple[Source, ...]:
    """`book, p. 12`, or a list of these."""
    made: list[Source] = []
    for scalar in take.scalars("source"):
        name, _, place = scalar.text.partition(",")
        made.append(Source(name.strip(), place.strip() or None, scalar.span))
    return tuple(made)


def again(take: Fields) -> Again | None:
    """`again: 2`, `again: {when, at_most, then}`."""
    node = take.node_of("again")
    if isinstance(node, Scalar):
        times = formula(node, take.reading)
        return None if times is None else Again(times=times)
    if not isinstance(node, Mapping):
        return None
    inner = Fields(take.reading, node, take.key_span("again"), "rolling again")
    inner.exclude("times", "when", "it is either a number of times, or as long as something holds")
    if "times" not in inner and "when" not in inner:
        inner.missing("when", "again: 2, or again: {when: formula, at_most: 10, then: none}")
    then = inner.scalar("then")
    return Again(
        times=inner.formula("times"),
        when=inner.formula("when"),
        at_most=inner.formula("at_most"),
        then=None if then is None or is_none(then) else then.text.strip(),
    )


class Cells:
    """The columns of one table, and the reading of its rows."""

    def __init__(self, take: Fields, form: str, columns: tuple[Spec, ...]) -> None:
        self.take = take
        self.form = form
        self.short = self.short_cells()
        declared = take.node_of(VALUE)
        made = spec(take.entries[VALUE].key, declared, take.reading) if declared is not None else self.told_by_cells()
        # A short row of text is the row's text; only numbers, choices and cells of a grid make a column.
        self.as_text = made is None or (made.type == "text" and form != "by_two")
        self.columns = columns if made is None or self.as_text else (*columns, made)
        self.seen: dict[str, Entry] = {}

    def short_cells(self) -> list[Scalar]:
        """Cells that stand alone: the whole of a short row, or each cell of a grid."""
        cells: list[Scalar] = []
        for row in self.take.pairs("rows"):
            if isinstance(row.value, Scalar):
                cells.append(row.value)
            elif self.form == "by_two" and isinstance(row.value, Mapping):
                cells += [entry.value for entry in row.value if isinstance(entry.value, Scalar)]
        return cells

    def told_by_cells(self) -> Spec | None:
        """The column of cells whose type the table does not say: numbers where all of them are."""
        cells = [cell for cell in self.short if not is_none(cell)]
        if not cells:
            return None
        numbers = [cell for cell in cells if is_number(cell) and cell.style == "plain"]
        span = self.take.key_span("rows")
        if len(numbers) == len(cells):
            fraction = any("." in cell.text for cell in numbers)
            return Spec(VALUE, span, "fraction" if fraction else "int")
        if numbers:
            other = next(cell for cell in cells if cell not in numbers)
            self.take.reading.error(
                "S220",
                "some cells of this table are numbers and this one is not: say what they are",
                other.span,
                notes=(Note(numbers[0].span, "a number stands here"),),
                hint="value: int where it is a formula, or value: text",
            )
        return Spec(VALUE, span, "text") if self.form == "by_two" else None

    def rows(self, places: Places) -> tuple[Row, ...]:
        made: list[Row] = []
        for entry in self.take.pairs("rows"):
            found = places.row(entry)
            if found is None:
                continue
            row_id, at, at_span = found
            earlier = self.seen.setdefault(row_id, entry)
            if earlier is not entry:
                self.take.reading.error(
                    "S213",
                    f"the row `{row_id}` stands twice",
                    entry.key.span,
                    notes=(Note(earlier.key.span, "it stands here first"),),
                )
                continue
            if self.form == "by_two":
                made.append(self.grid_row(entry, row_id, at, at_span, places))
            elif isinstance(entry.value, Scalar):
                made.append(self.short_row(entry, entry.value, row_id, at, at_span))
            else:
                made.append(self.long_row(entry, row_id, at, at_span))
        return tuple(made)

    def short_row(
        self, entry: Entry, cell: Scalar, row_id: str, at: tuple[Interval | str, ...] | None, at_span: Span | None
    ) -> Row:
        text: Template | None = None
        if self.form in {"weighted", "decision"}:
            self.take.reading.error("S203", "a row with fields is wanted here", cell.span, hint="{when: ..., ...}")
        if self.as_text:
            text = None if is_none(cell) else parse_template(cell, self.take.reading)
            cells: dict[str, Formula | str | None] = {}
        else:
            cells = {VALUE: self.cell(cell, self.columns[-1])}
        self.fill(cells, entry.key)
        return Row(id=row_id, span=entry.key.span, at=at, at_span=at_span, text=text, cells=tuple(cells.items()))

    def grid_row(
        self, entry: Entry, row_id: str, at: tuple[Interval | str, ...] | None, at_span: Span | None, places: Places
    ) -> Row:
        """`lantern: {0-6: 13, 7-12: 15, 201+: none}`."""
        second: list[tuple[Interval | str, Formula | str | None, Span]] = []
        if not isinstance(entry.value, Mapping):
            self.take.unexpected(entry.value, "a cell for each second key, such as {1-6: 13, 7-12: 15}")
            return Row(id=row_id, span=entry.key.span)
        for each in entry.value:
            if each.key.text.startswith("x-") or not isinstance(each.value, Scalar):
                continue
            value = self.cell(each.value, self.columns[-1]) if self.columns else None
            second += [(place, value, each.key.span) for place in places.read(each.key, 1) or ()]
        return Row(id=row_id, span=entry.key.span, at=at, at_span=at_span, second=tuple(second))

    def long_row(self, entry: Entry, row_id: str, at: tuple[Interval | str, ...] | None, at_span: Span | None) -> Row:
        take = Fields(self.take.reading, entry.value, entry.key.span, "a row")
        placed_only_in_house_rules(take)
        if self.form == "weighted" and "weight" not in take:
            take.missing("weight", "weight: 1")
        cells: dict[str, Formula | str | None] = {}
        for column in self.columns:
            cell = take.scalar(column.name)
            if cell is not None:
                cells[column.name] = self.cell(cell, column)
        self.fill(cells, entry.key)
        return Row(
            id=row_id,
            span=entry.key.span,
            at=at,
            at_span=at_span,
            weight=take.formula("weight"),
            when=take.formula("when"),
            otherwise=take.truth("else") or False,
            title=take.text("title"),
            text=take.template("text"),
            effect=steps(take, "effect"),
            again=again(take),
            cells=tuple(cells.items()),
            option=take.formula("option"),
            ruling=take.template("ruling"),
            source=sources(take),
            tags=take.words("tags"),
        )

    def cell(self, scalar: Scalar, column: Spec) -> Formula | str | None:
        """A cell as its column wants it; none says that there is nothing."""
        if is_none(scalar):
            return None
        if column.type == "text":
            return scalar.text.strip()
        if column.type == "bool" and truth(scalar) is not None:
            return Formula("true" if truth(scalar) else "false", scalar)
        return formula(scalar, self.take.reading)

    def fill(self, cells: dict[str, Formula | str | None], key: Scalar) -> None:
        """Columns that a row says nothing about: their default, else a finding."""
        for column in self.columns:
            if column.name in cells:
                continue
            if column.default is None:
                self.take.reading.error(
                    "S223",
                    f"this row says nothing for the column `{column.name}`",
                    key.span,
                    notes=(Note(column.span, "the column stands here"),),
                    hint=f"{column.name}: none where it has none, or give the column a default",
                )
                continue
            default = column.default
            text = column.type == "text"
            cells[column.name] = default.text if text else Formula(default.text, default.scalar, default.start)
