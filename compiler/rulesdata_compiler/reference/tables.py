"""Tables as tables.

In: a table of the model. Out: one grid: ranges or choices, what the rows say, their columns and effects; two keys as
rows and columns; decisions in words. The one rule: a column stands only where a row fills it, and no row is left out.
"""

from __future__ import annotations

from fractions import Fraction

from .. import model
from .anchors import safe
from .names import Speech, spaced
from .prose import Prose
from .spec import kind_words
from .steps import Sentences
from .view import NOTHING, Fact, Grid, GridRow, Own, Plain, Run, Strong, joined, run, words

_SHORT = 12
_IDS = frozenset({"stat", "track", "condition", "trait"})
_OUTSIDE = {"first": "the first row", "last": "the last row", "none": "nothing happens"}


class TableView:
    """Lays out one table."""

    def __init__(self, table: model.Table, speech: Speech, prose: Prose) -> None:
        self.table = table
        self.speech = speech
        self.prose = prose
        self.sentences = Sentences(speech, prose)
        self.anchor = speech.names.anchors[table.id]

    def grid(self) -> Grid:
        return self._two_keys() if self.table.form == "by_two" else self._rows()

    def facts(self) -> list[Fact]:
        """How the table is read: its roll, what lies outside, what may be chosen."""
        table, made = self.table, []
        if table.form == "rolled" and table.roll is not None:
            chosen = run(", or a row is chosen") if table.may_be_given else NOTHING
            made.append(Fact("Roll", run(self.speech.formula(table.roll), chosen)))
        if table.form == "weighted":
            made.append(Fact("Draw", run("one row, by weight")))
        for spec in table.by:
            if spec.type == "choice":
                continue  # the rows name them all
            told = run(Own(spec.title or spaced(spec.name)), " (", kind_words(spec, self.speech), ")")
            made.append(Fact("Read by", told))
        for where, what in (("Below", table.below), ("Above", table.above)):
            if what is not None:
                made.append(Fact(where, run(_OUTSIDE.get(what, what))))
        if table.overlap:
            made.append(Fact("Overlaps", run("every row that fits counts")))
        if table.again is not None:
            made.append(Fact("Again", self._again(table.again)))
        return made

    # --- rows ------------------------------------------------------------------------------------------------------

    def _rows(self) -> Grid:
        table = self.table
        columns: list[tuple[Run, list[Run]]] = [self._first()]
        titles = [self._row_title(row) for row in table.rows]
        texts = [self._text(row) for row in table.rows]
        columns.append((run("Result"), [_stacked(title, text) for title, text in zip(titles, texts, strict=True)]))
        columns += [(self._column(spec), [self._cell(row, spec) for row in table.rows]) for spec in table.columns]
        columns.append((run("Effect"), [self._effect(row) for row in table.rows]))
        kept = [columns[0], *[column for column in columns[1:] if any(column[1])]]
        rows = tuple(
            GridRow(tuple(column[1][place] for column in kept), f"{self.anchor}.{safe(row.id)}")
            for place, row in enumerate(table.rows)
        )
        heads = tuple(head for head, _ in kept)
        return Grid("", heads, rows, figures(rows) - {0}, led=True)

    def _first(self) -> tuple[Run, list[Run]]:
        table = self.table
        match table.form:
            case "rolled":
                said = self.speech.said(table.roll)
                head = said if len(words(said)) <= _SHORT else run("Rolled")
            case "weighted":
                head = run("Share")
            case "decision":
                head = run("When")
            case _:
                spec = table.by[0]
                head = run((spec.title or spaced(spec.name)) + (f", {spec.unit}" if spec.unit else ""))
        return head, [self._key(row) for row in table.rows]

    def _row_title(self, row: model.Row) -> Run:
        """The title, unless the key says the same."""
        if not row.title or (row.at is not None and words(keys_words(row.at)).casefold() == row.title.casefold()):
            return NOTHING
        return run(Strong(run(row.title)))

    def _key(self, row: model.Row) -> Run:
        if self.table.form == "weighted":
            return self._share(row)
        if row.otherwise:
            return run("otherwise")
        if row.when is not None:
            return self.speech.said(row.when)
        if row.at is None:
            return run("only by name")
        return keys_words(row.at)

    def _share(self, row: model.Row) -> Run:
        weights = [self.speech.number(each.weight) for each in self.table.rows]
        if row.weight is None or any(weight is None for weight in weights):
            return self.speech.said(row.weight)
        mine, whole = self.speech.number(row.weight), sum(weight for weight in weights if weight is not None)
        return run(f"{mine} in {whole}")

    def _text(self, row: model.Row) -> Run:
        parts = [self.prose.line(row.text, self.speech, self.table.id)]
        if row.ruling is not None:
            parts.append(run(Strong(run("Ruling. ")), self.prose.line(row.ruling, self.speech, self.table.id)))
        if row.option is not None:
            parts.append(run("(Only while ", self.speech.said(row.option), ".)"))
        if row.tags:
            parts.append(run("Tags: ", self.speech.names.links(row.tags)))
        return joined([part for part in parts if part], " ")

    def _column(self, spec: model.Spec) -> Run:
        title = spec.title or ("Value" if spec.name == "value" else spaced(spec.name))
        return run(title[:1].upper() + title[1:] + (f", {spec.unit}" if spec.unit else ""))

    def _cell(self, row: model.Row, spec: model.Spec) -> Run:
        return self._content(dict(row.cells).get(spec.name, ""), spec)

    def _content(self, cell: model.Formula | str | None, spec: model.Spec | None) -> Run:
        typed = cell.text.strip() if isinstance(cell, model.Formula) else cell or ""
        if spec is not None and spec.type in _IDS and typed in self.speech.names.anchors:
            return run(self.speech.names.link(typed))
        match cell:
            case None:
                return run("–")
            case str():
                return run(cell)
            case model.Formula() if spec is not None and spec.type in {"choice", "text"} and cell.text.isidentifier():
                return run(spaced(cell.text))
        return self.speech.said(cell)

    def _effect(self, row: model.Row) -> Run:
        line = self.sentences.flat(row.effect)
        if row.again is not None:
            line = joined(
                [part for part in (line, run(Plain("Roll again "), self._again(row.again), ".")) if part], " "
            )
        return line

    def _again(self, again: model.Again) -> Run:
        parts: list[Run] = []
        if again.times is not None:
            number = self.speech.number(again.times)
            parts.append(run("once") if number == 1 else run(self.speech.formula(again.times), " times"))
        if again.when is not None:
            parts.append(run("while ", self.speech.formula(again.when)))
        if again.at_most is not None:
            parts.append(run("at most ", self.speech.formula(again.at_most), " times"))
        if again.then is not None:
            parts.append(run("then ", "nothing" if again.then == "none" else spaced(again.then)))
        return joined(parts)

    # --- two keys --------------------------------------------------------------------------------------------------

    def _two_keys(self) -> Grid:
        table = self.table
        heads: list[model.Interval | str] = []
        for row in table.rows:
            heads += [key for key, _, _ in row.second if key not in heads]
        if all(isinstance(key, model.Interval) for key in heads):
            heads.sort(key=_low)
        first, second = table.by[0], table.by[1] if len(table.by) > 1 else table.by[0]
        corner = f"{first.title or spaced(first.name)} / {second.title or spaced(second.name)}"
        value = table.columns[0] if table.columns else None
        rows = []
        for row in table.rows:
            cells = {key: cell for key, cell, _ in row.second}
            label = run(row.title) if row.title else keys_words(row.at or ())
            shown = [self._content(cells[key], value) if key in cells else run("–") for key in heads]
            rows.append(GridRow((label, *shown), f"{self.anchor}.{safe(row.id)}"))
        made = tuple(rows)
        return Grid("", (run(corner), *(keys_words((key,)) for key in heads)), made, figures(made) - {0}, led=True)


def _low(key: model.Interval | str) -> Fraction:
    return Fraction(key.low if isinstance(key, model.Interval) and key.low is not None else -(10**18))


def _stacked(title: Run, text: Run) -> Run:
    return joined([part for part in (title, text) if part], ". ") if title and text else title or text


def keys_words(keys: tuple[model.Interval | str, ...]) -> Run:
    """`1–5`, `151+`, `up to 0`, `calm`."""
    return run(", ".join(_key_words(key) for key in keys))


def _key_words(key: model.Interval | str) -> str:
    match key:
        case str():
            return spaced(key)
        case model.Interval(low=None, high=None):
            return "any"
        case model.Interval(low=None, high=high):
            return f"up to {_signed(high)}"
        case model.Interval(low=low, high=None):
            return f"{_signed(low)}+"
        case model.Interval(low=low, high=high):
            between = " to " if (low or 0) < 0 or (high or 0) < 0 else "–"
            return _signed(low) if low == high else f"{_signed(low)}{between}{_signed(high)}"
    return ""


def _signed(number: int | None) -> str:
    return "" if number is None else f"−{-number}" if number < 0 else f"{number:,}"


def figures(rows: tuple[GridRow, ...]) -> frozenset[int]:
    """The columns in which nothing but short numbers stands."""
    if not rows:
        return frozenset()
    found = set()
    for place in range(len(rows[0].cells)):
        texts = [words(row.cells[place]) for row in rows if place < len(row.cells)]
        plain = [text.replace("−", "").replace(",", "").replace("+", "").replace("–", "") for text in texts]
        if all(text.isdigit() or text in {"", "none"} for text in plain) and any(text.isdigit() for text in plain):
            found.add(place)
    return frozenset(found)
