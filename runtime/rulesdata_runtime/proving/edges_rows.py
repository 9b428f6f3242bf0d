"""The edges between the rows of a table: each number that a row begins or ends with, given to its neighbour.

In: keys of rows in written order, each a list of `[low, high]` (None is open) and choices. Out: what the keys are
after one border has moved by one. One rule holds: the neighbour's edge moves along, so that no hole comes about
between two rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple


class Spot(NamedTuple):
    """One interval: which row's, which of its keys, and its ends."""

    row: int
    key: int
    low: int | None
    high: int | None


class Moved(NamedTuple):
    """A border that moved: `number` now belongs to row `to` (None: to no row) instead of row `loser`. `ends` are the
    new ends of the keys touched."""

    number: int
    loser: int
    to: int | None
    ends: tuple[tuple[Spot, int | None, int | None], ...]


def spots(keys: Sequence[Sequence[Any] | None]) -> list[Spot]:
    """The intervals of rows, from the lowest to the highest."""
    found = [
        Spot(row, place, key[0], key[1])
        for row, parts in enumerate(keys)
        for place, key in enumerate(parts or ())
        if isinstance(key, list)
    ]
    return sorted(found, key=lambda one: (one.low is not None, one.low or 0, one.high is None, one.high or 0))


def moved(
    keys: Sequence[Sequence[Any] | None], below: str | None, above: str | None, overlap: bool = False
) -> Iterator[Moved]:
    """Every border of some rows, moved by one. `below` and `above` say what lies outside (first, last, none)."""
    found = spots(keys)
    if not found:
        return
    if overlap:
        for one in found:
            yield from _own_ends(one)
        return
    yield from _outer(found[0], below, low=True)
    for lower, upper in pairwise(found):
        if lower.high is None or upper.low is None or lower.high >= upper.low:
            continue  # the compiler refuses overlaps
        if lower.row == upper.row and lower.high + 1 == upper.low:
            continue
        # The upper row's lowest number goes to the lower row, then the lower row's highest to the upper one.
        yield Moved(
            upper.low, upper.row, lower.row, ((lower, lower.low, upper.low), (upper, upper.low + 1, upper.high))
        )
        yield Moved(
            lower.high, lower.row, upper.row, ((lower, lower.low, lower.high - 1), (upper, lower.high, upper.high))
        )
    yield from _outer(found[-1], above, low=False)


def _outer(one: Spot, outside: str | None, *, low: bool) -> Iterator[Moved]:
    """The end of the outermost row. Nothing changes where the outside falls to that very row."""
    end = one.low if low else one.high
    if end is None or outside == ("first" if low else "last"):
        return
    step = 1 if low else -1
    inward = (one, end + step, one.high) if low else (one, one.low, end + step)
    yield Moved(end, one.row, None, (inward,))
    if outside is not None:
        outward = (one, end - step, one.high) if low else (one, one.low, end - step)
        yield Moved(end - step, one.row, one.row, (outward,))


def _own_ends(one: Spot) -> Iterator[Moved]:
    if one.low is not None:
        yield Moved(one.low, one.row, None, ((one, one.low + 1, one.high),))
        yield Moved(one.low - 1, one.row, one.row, ((one, one.low - 1, one.high),))
    if one.high is not None:
        yield Moved(one.high, one.row, None, ((one, one.low, one.high - 1),))
        yield Moved(one.high + 1, one.row, one.row, ((one, one.low, one.high + 1),))


def kept(ends: tuple[tuple[Spot, int | None, int | None], ...]) -> Iterator[tuple[Spot, list[int | None] | None]]:
    """The new ends as keys; None where nothing is left of one."""
    for spot, low, high in ends:
        yield spot, None if low is not None and high is not None and low > high else [low, high]
