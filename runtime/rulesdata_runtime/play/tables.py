"""Tables that are read: by a number, a choice, two keys, or the first row whose `when` holds.

In: a scope, a table's id and keys. Out: a cell, or rows. One rule holds: a value that no row covers is an error that
names it, unless the table says what lies outside. Rolling on a table stands in `table_rolls.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from ..answers_text import hint, listed, render, say
from ..errors import BadInput, MissingValue, RulesError, UnknownName
from ..search import said
from ..state.rulebook import Rule, Rulebook
from ..state.scope import Scope
from .intervals import Keys, covering
from .play import in_force

_PLAIN = ("row", "title", "text")


class Table:
    """A table ready for looking up: rows in force, their keys, their cells."""

    def __init__(self, book: Rulebook, rule_id: str) -> None:
        rule = book.rule(rule_id, "table")
        self.id = rule_id
        self.rule = rule
        self.title = book.title(rule_id)
        self.form: str = rule.get("form", "rolled")
        self.by: list[Rule] = list(rule.get("by", ()))
        self.params: list[Rule] = list(rule.get("params", ()))
        self.columns: dict[str, Rule] = {spec["name"]: spec for spec in rule.get("columns", ())}
        self.rows: list[Rule] = [row for row in rule.get("rows", ()) if book.in_force(row)]
        self.by_id = {row["id"]: row for row in self.rows}
        self.cells: dict[str, dict[str, Any]] = {row["id"]: dict(row.get("cells", ())) for row in self.rows}
        self.keys = Keys([row.get("at") for row in self.rows])
        self.plain = self._plain()
        self.second: dict[str, tuple[Keys, list[Any]]] = {}
        if self.form == "by_two":
            for row in self.rows:
                cells = row.get("second", ())
                self.second[row["id"]] = Keys([[cell[0]] for cell in cells]), [cell[1] for cell in cells]

    def _plain(self) -> dict[str | None, list[Any]]:
        """Columns without a formula, of a table by one key: their cells in the order of the rows. None stands for the
        only column."""
        if self.form != "by" or self.params or "option" in self.rule:
            return {}
        found: dict[str | None, list[Any]] = {}
        for name in self.columns:
            cells = [self.cells[row["id"]].get(name, []) for row in self.rows]
            if not any(type(cell) is list for cell in cells):
                found[name] = cells
        only = "value" if "value" in self.columns else next(iter(self.columns), "")
        if only in found and (only == "value" or len(self.columns) == 1):
            found[None] = found[only]
        return found

    # --- finding rows -----------------------------------------------------------------------------------------

    def found(self, value: Any, what: str) -> list[Rule]:
        """The rows for a value of the first key; none where the table says so. `what` words a value not covered:
        `the roll gave 7`."""
        places = covering(self.keys, self.rule, value, what, self.title)
        rows = [self.rows[place] for place in places]
        return rows if self.rule.get("overlap") else rows[:1]

    def row(self, row_id: str) -> Rule:
        """A row by its id."""
        if row_id not in self.by_id:
            known = list(self.by_id)
            rows = f" Rows: {listed(known)}." if len(known) <= 20 else ""
            raise UnknownName(f"{self.title} has no row {row_id}.{rows}{hint(row_id, known)}")
        return self.by_id[row_id]

    def decided(self, scope: Scope) -> Rule:
        """The first row of a decision table whose `when` holds."""
        for row in self.rows:
            if row.get("else") or scope.run(row["when"]):
                return row
        raise BadInput(f"no row of {self.title} holds now, and it has no `else: true`")

    # --- cells ------------------------------------------------------------------------------------------------

    def cell(self, scope: Scope, row: Rule, column: str | None) -> Any:
        """A cell of a row; without a column its only one, else its text."""
        if column is None:
            column = self._only()
        if column == "row":
            return row["id"]
        if column in ("title", "text") and column not in self.columns:
            return render(row.get(column), scope) or None
        cells = self.cells[row["id"]]
        if column not in cells:
            if column not in self.columns:
                known = [*self.columns, *_PLAIN]
                raise UnknownName(f"{self.title} has no column {column}.{hint(column, known)}")
            raise BadInput(f"row {row['id']} of {self.title} has nothing under {column}")
        found = cells[column]
        return scope.run(found) if type(found) is list else found

    def _only(self) -> str:
        if "value" in self.columns or len(self.columns) == 1:
            return "value" if "value" in self.columns else next(iter(self.columns))
        if not self.columns:
            return "text" if any("text" in row for row in self.rows) else "row"
        first = next(iter(self.columns))
        raise BadInput(f"{self.title} has the columns {listed(self.columns)}; say which: lookup(...).{first}")

    def told(self, scope: Scope, row: Rule) -> dict[str, Any]:
        """A row with everything in it: id, title, text, columns."""
        shape: dict[str, Any] = {"id": row["id"]}
        for name in ("title", "text"):
            if name in row:
                shape[name] = render(row[name], scope)
        for name in self.columns:
            if name in self.cells[row["id"]]:
                shape[name] = self.cell(scope, row, name)
        return shape


_tables: WeakKeyDictionary[Rulebook, dict[str, Table]] = WeakKeyDictionary()


def table_of(book: Rulebook, table_id: str) -> Table:
    """The table, made ready once for every book of rules."""
    known = _tables.get(book)
    if known is None:
        known = _tables[book] = {}
    if table_id not in known:
        known[table_id] = Table(book, table_id)
    return known[table_id]


def lookup(scope: Scope, table_id: str, keys: Sequence[Any], column: str | None = None) -> Any:
    """`lookup(table, keys...).column`: the cell, or none where the table says that nothing is there."""
    table = table_of(scope.sheet.book, table_id)
    plain = table.plain.get(column)
    if plain is not None and len(keys) == 1:
        places = table.keys.find(keys[0])
        if places:
            return plain[places[0]]
    inner, row = looked_up(scope, table, keys)
    if row is None:
        return None
    if table.form != "by_two":
        return table.cell(inner, row, column)
    found = _second(table, inner, row)
    return inner.run(found) if type(found) is list else found


def looked_up(scope: Scope, table: Table, keys: Sequence[Any]) -> tuple[Scope, Rule | None]:
    """The row for some keys, and the scope in which its cells are read: keys and parameters by name."""
    in_force(scope.sheet.book, table.id, table.rule)
    if table.form in ("rolled", "weighted"):
        if len(keys) != 1:
            raise BadInput(f"{table.title} is looked up with one number or row, not with {len(keys)}")
        inner = Scope(scope.sheet, {"result": keys[0]}, roles=scope.roles)
        if isinstance(keys[0], str):
            return inner, table.row(keys[0])
        rows = table.found(keys[0], f"{keys[0]} was looked up")
        return inner, rows[0] if rows else None
    names = _named(scope, table, keys)
    inner = Scope(scope.sheet, names, roles=scope.roles)
    if table.form == "decision":
        return inner, table.decided(inner)
    key = table.by[0]["name"]
    rows = table.found(names[key], f"{_key_title(table.by[0])} is {say(names[key])}")
    return inner, rows[0] if rows else None


def _key_title(spec: Mapping[str, Any]) -> str:
    return said(spec.get("title")) or str(spec["name"])


def _named(scope: Scope, table: Table, keys: Sequence[Any]) -> dict[str, Any]:
    """Keys by the names of the table: first those of `by`, then its parameters. What is left out is a value of the
    sheet by that name, or the default."""
    specs = [*table.by, *table.params]
    if len(keys) > len(specs):
        raise BadInput(f"{table.title} takes {len(specs)} keys ({listed(s['name'] for s in specs)}), not {len(keys)}")
    names: dict[str, Any] = {}
    for place, spec in enumerate(specs):
        name = spec["name"]
        if place < len(keys):
            names[name] = keys[place]
        elif "default" in spec:
            names[name] = Scope(scope.sheet, names, roles=scope.roles).run(spec["default"])
        else:
            try:
                names[name] = scope[name]
            except MissingValue:
                raise
            except RulesError:
                raise BadInput(f"{table.title} needs {name}") from None
    return names


def _second(table: Table, scope: Scope, row: Rule) -> Any:
    keys, cells = table.second[row["id"]]
    spec = table.by[1]
    value = scope[spec["name"]]
    first = scope[table.by[0]["name"]]
    what = f"{_key_title(table.by[0])} is {say(first)}, {_key_title(spec)} is {say(value)}"
    places = covering(keys, table.rule, value, what, table.title)
    return cells[places[0]] if places else None
