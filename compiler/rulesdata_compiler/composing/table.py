"""What the merge has to know of tables: which rows are single cells, and what they hold.

In: a table below an overlay. Out: its place with that knowledge, and the table with its column of cells declared,
where an overlay made a row of fields from a row that was one cell, or a formula from a number.
"""

from __future__ import annotations

from ..reading.scalars import core, number
from ..tree import Entry, Mapping, Node, Scalar
from .nodes import with_entry, word
from .record import Where
from .words import two_keys

VALUE = "value"


def table_where(entry: Entry) -> Where:
    """The place of a table."""
    table = entry.value
    if not isinstance(table, Mapping):
        return Where("tables", entry.key.text)
    declared = table.get(VALUE)
    numbers = _numbers(table)
    short = VALUE if (declared is not None and not _is_text(declared)) or numbers else "text"
    columns = table.get("columns")
    texts = {each.key.text for each in columns if _is_text(each.value)} if isinstance(columns, Mapping) else set()
    return Where("tables", entry.key.text, cells=two_keys(table), short=short, texts=frozenset(texts))


def with_value_column(old: Node, new: Node) -> Node:
    """A table whose rows hold `value` says what that is."""
    if not isinstance(new, Mapping) or not isinstance(old, Mapping) or new.entry(VALUE) or two_keys(new):
        return new
    rows = new.get("rows")
    if not isinstance(rows, Mapping) or not _numbers(old):
        return new
    if _numbers(new) and not any(isinstance(row.value, Mapping) and row.value.entry(VALUE) for row in rows):
        return new
    cells = [row.value.get(VALUE) if isinstance(row.value, Mapping) else row.value for row in rows]
    fraction = any(isinstance(cell, Scalar) and "." in cell.text for cell in cells)
    return with_entry(new, Entry(word(rows, VALUE), word(rows, "fraction" if fraction else "int")))


def _numbers(table: Mapping) -> bool:
    """Whether the rows that are single cells are numbers, all of them."""
    rows = table.get("rows")
    cells = [row.value for row in rows if isinstance(row.value, Scalar)] if isinstance(rows, Mapping) else []
    told = [cell for cell in cells if core(cell) not in ("none", None)]
    return bool(told) and all(number(cell) is not None for cell in told)


def _is_text(spec: Node) -> bool:
    kind = spec.get("type") if isinstance(spec, Mapping) else spec
    return isinstance(kind, Scalar) and kind.text == "text"
