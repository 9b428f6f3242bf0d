"""Tables that give another row, or another cell, for the same result.

In: both versions of a table. Out: lines such as `6-10 was Slowed down, is Minor nick`. Rows of an option that is off
are no rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulesdata_runtime.rules import Rules

from ..checking import intervals
from ..model import Formula, Interval, Row, Table

LISTED = 40
NOTHING = "no row"


def table_changes(was: Table, now: Table, olds: Rules, news: Rules) -> Iterator[str]:
    """The lines for one table."""
    old, new = _in_force(was, olds), _in_force(now, news)
    match now.form:
        case "rolled" | "by":
            lines = list(_by_key(was, now, old, new))
        case "by_two":
            lines = list(_by_two(old, new))
        case "weighted":
            lines = list(_by_weight(old, new))
        case _:
            lines = []
    lines += _by_id(old, new, now.form)
    if was.roll is not None and now.roll is not None and was.roll.text != now.roll.text:
        lines.insert(0, f"rolled with {now.roll.text}, was {was.roll.text}")
    yield from lines[:LISTED]
    if len(lines) > LISTED:
        yield f"and {len(lines) - LISTED} more lines"


def _in_force(table: Table, rules: Rules) -> list[Row]:
    shapes = {row["id"]: row for row in rules.rules[table.id].get("rows", ())}
    return [row for row in table.rows if row.id in shapes and rules.book.in_force(shapes[row.id])]


# --- by what is rolled or looked up --------------------------------------------------------------------------------


def _by_key(was: Table, now: Table, old: list[Row], new: list[Row]) -> Iterator[str]:
    """Runs of results for which the row, or its one cell, is another."""
    cuts = sorted({cut for row in (*old, *new) for one in row.at or () for cut in _cuts(one)})
    bounds: list[int | None] = [None, *cuts, None]
    runs = [(low, None if high is None else high - 1) for low, high in pairwise(bounds)]
    found: dict[tuple[str, str], list[intervals.Run]] = {}
    for run in runs if cuts else ():
        pair = (_at(was, old, run), _at(now, new, run))
        if pair[0] != pair[1]:
            found.setdefault(pair, []).append(run)
    for (before, after), where in found.items():
        yield f"{intervals.listed(intervals.merge(where))} was {before}, is {after}"
    for choice in dict.fromkeys(one for row in (*old, *new) for one in row.at or () if isinstance(one, str)):
        before, after = _choice(old, choice), _choice(new, choice)
        if before != after:
            yield f"{choice} was {before}, is {after}"


def _cuts(one: Interval | str) -> Iterator[int]:
    if isinstance(one, Interval):
        if one.low is not None:
            yield one.low
        if one.high is not None:
            yield one.high + 1


def _at(table: Table, rows: list[Row], run: intervals.Run) -> str:
    """What stands for a run of results that no row divides."""
    found = [_name(row) for row in rows if any(_covers(one, run) for one in row.at or ())]
    if found:
        return " and ".join(found)
    placed = [row for row in rows if any(isinstance(one, Interval) for one in row.at or ())]
    side = None
    if placed:
        lows = [one.low for row in placed for one in row.at or () if isinstance(one, Interval)]
        highs = [one.high for row in placed for one in row.at or () if isinstance(one, Interval)]
        if run[1] is not None and None not in lows and run[1] < min(low for low in lows if low is not None):
            side = table.below
        elif run[0] is not None and None not in highs and run[0] > max(high for high in highs if high is not None):
            side = table.above
    if side in ("first", "last") and placed:
        ordered = sorted(placed, key=_lowest)
        return _name(ordered[0] if side == "first" else ordered[-1])
    return NOTHING


def _lowest(row: Row) -> int:
    return min(one.low if one.low is not None else -(2**53) for one in row.at or () if isinstance(one, Interval))


def _covers(one: Interval | str, run: intervals.Run) -> bool:
    if not isinstance(one, Interval):
        return False
    low_fits = one.low is None or (run[0] is not None and run[0] >= one.low)
    high_fits = one.high is None or (run[1] is not None and run[1] <= one.high)
    return low_fits and high_fits


def _choice(rows: list[Row], choice: str) -> str:
    return next((_name(row) for row in rows if choice in (row.at or ())), NOTHING)


def _name(row: Row) -> str:
    """What people call a row: its title, its one cell, its text."""
    if row.title:
        return row.title
    cells = [_cell(cell) for _, cell in row.cells]
    if len(cells) == 1:
        return cells[0]
    return row.text.plain if row.text is not None and len(row.text.plain) < 60 else row.id


def _cell(cell: Formula | str | None) -> str:
    return "none" if cell is None else cell if isinstance(cell, str) else cell.text


# --- the rest ------------------------------------------------------------------------------------------------------


def _by_two(old: list[Row], new: list[Row]) -> Iterator[str]:
    olds, news = (
        {(row.id, _key(key)): _cell(cell) for row in rows for key, cell, _ in row.second} for rows in (old, new)
    )
    for row_id, key in dict.fromkeys([*olds, *news]):
        before, after = olds.get((row_id, key), NOTHING), news.get((row_id, key), NOTHING)
        if before != after:
            yield f"{row_id}, {key} was {before}, is {after}"


def _key(key: Interval | str) -> str:
    return key if isinstance(key, str) else intervals.say((key.low, key.high))


def _by_weight(old: list[Row], new: list[Row]) -> Iterator[str]:
    """Chances, where all weights are numbers."""
    olds, news = _weights(old), _weights(new)
    if olds is None or news is None:
        return
    for row_id in dict.fromkeys([*olds, *news]):
        before = f"{olds.get(row_id, 0)} in {sum(olds.values())}"
        after = f"{news.get(row_id, 0)} in {sum(news.values())}"
        if before != after:
            name = next(_name(row) for row in (*new, *old) if row.id == row_id)
            yield f"{name}: {after}, was {before}"


def _weights(rows: list[Row]) -> dict[str, int] | None:
    found = {row.id: row.weight.text.strip() for row in rows if row.weight is not None}
    if not all(text.isdecimal() for text in found.values()):
        return None
    return {row_id: int(text) for row_id, text in found.items()}


def _by_id(old: list[Row], new: list[Row], form: str) -> list[str]:
    """Rows of one id whose inside is another; in decision tables also those that come and go."""
    olds, news = {row.id: row for row in old}, {row.id: row for row in new}
    lines: list[str] = []
    for row_id in dict.fromkeys([*olds, *news]):
        before, after = olds.get(row_id), news.get(row_id)
        if before is None or after is None:
            if form == "decision":
                row = after or before
                assert row is not None
                when = "otherwise" if row.otherwise or row.when is None else f"where {row.when.text}"
                lines.append(f"{_name(row)} ({when}) {'is new' if before is None else 'is gone'}")
            continue
        cells = dict(before.cells)
        for name, cell in after.cells:
            if name != "value" or after.title:
                was = _cell(cells[name]) if name in cells else NOTHING
                if was != _cell(cell):
                    lines.append(f"{_name(after)}: {name} is {_cell(cell)}, was {was}")
        if before.when is not None and after.when is not None and before.when.text != after.when.text:
            lines.append(f"{_name(after)} where {after.when.text}, was where {before.when.text}")
        if before.effect != after.effect and str(_effect(before)) != str(_effect(after)):
            lines.append(f"{_name(after)}: its effect is another")
    return lines


def _effect(row: Row) -> list[str]:
    """The text of a row's effect, to tell whether it is the same."""
    return [step.span.text + "".join(_formulas(step)) for step in row.effect]


def _formulas(value: object) -> Iterator[str]:
    from ..pipeline import formulas

    return (formula.text for formula in formulas(value))
