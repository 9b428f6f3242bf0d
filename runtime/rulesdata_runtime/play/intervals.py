"""Rows by the numbers or choices they stand for, made once a table.

In: the keys of rows, each a list of `[low, high]` (None is open) and choices. Out: the positions of the rows for a
value, in written order. Whole numbers are looked up in a dense list where the keys lie close together, else among
the borders of the intervals; both give the same answer.
"""

from __future__ import annotations

from bisect import bisect_right

from ..errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from typing import Any

DENSE = 4096
"""Numbers between the lowest and the highest border for which a list with a place for each is made."""

_NONE: tuple[int, ...] = ()


class Keys:
    """The keys of some rows. `low` and `high` are the lowest and highest whole number that any row covers, None where
    it goes on for ever or no row has a number."""

    def __init__(self, rows: Sequence[Sequence[Any] | None]) -> None:
        self.intervals: list[tuple[int | None, int | None, int]] = []
        self.choices: dict[Any, tuple[int, ...]] = {}
        for position, keys in enumerate(rows):
            for key in keys or ():
                if isinstance(key, list):
                    self.intervals.append((key[0], key[1], position))
                else:
                    self.choices[key] = (*self.choices.get(key, ()), position)
        lows = [low for low, _, _ in self.intervals]
        highs = [high for _, high, _ in self.intervals]
        self.numeric = bool(self.intervals)
        self.low = min((low for low in lows if low is not None), default=None) if None not in lows else None
        self.high = max((high for high in highs if high is not None), default=None) if None not in highs else None
        starts = {low for low in lows if low is not None} | {high + 1 for high in highs if high is not None}
        self.borders = sorted(starts)
        # Segment 0 lies below every border; segment i begins at borders[i - 1].
        self.segments = [self._covering(None)] + [self._covering(start) for start in self.borders]
        self.first = self.borders[0] if self.borders else 0
        self.dense: list[tuple[int, ...]] = []
        if self.borders and self.borders[-1] - self.first <= DENSE:
            segment = 0
            for number in range(self.first, self.borders[-1] + 1):
                while segment < len(self.borders) and self.borders[segment] <= number:
                    segment += 1
                self.dense.append(self.segments[segment])

    def _covering(self, number: int | None) -> tuple[int, ...]:
        """The rows over a number; with None those that are open below."""
        found: dict[int, None] = {}
        for low, high, position in self.intervals:
            if (low is None) if number is None else _within(low, number, high):
                found[position] = None
        return tuple(sorted(found))

    def find(self, value: Any) -> tuple[int, ...]:
        """The positions of the rows for `value`."""
        if type(value) is int:
            place = value - self.first
            if 0 <= place < len(self.dense):
                return self.dense[place]
            if self.borders:
                return self.segments[bisect_right(self.borders, value)]
            return self.segments[0]
        if not isinstance(value, bool) and hasattr(value, "denominator"):  # a fraction
            found = {position: None for low, high, position in self.intervals if _within(low, value, high)}
            return tuple(sorted(found))
        return self.choices.get(value, _NONE)

    def edge(self, value: Any) -> str | None:
        """`below` or `above` where a number lies beyond all rows."""
        if not self.numeric or isinstance(value, str | bool) or value is None:
            return None
        if self.low is not None and value < self.low:
            return "below"
        if self.high is not None and value > self.high:
            return "above"
        return None

    def extreme(self, last: bool) -> tuple[int, ...]:
        """The rows at the lowest or highest number."""
        end = self.high if last else self.low
        return self.find(end) if end is not None else _NONE


def _within(low: int | None, value: int | Fraction, high: int | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def covering(keys: Keys, rule: Mapping[str, Any], value: Any, what: str, title: str) -> tuple[int, ...]:
    """The rows over a value, or what the table says of one that lies outside: its first row, its last, or none."""
    places = keys.find(value)
    if places:
        return places
    match rule.get(keys.edge(value) or ""):
        case "first":
            return keys.extreme(last=False)
        case "last":
            return keys.extreme(last=True)
        case "none":
            return ()
    hint = ""
    if keys.choices and isinstance(value, str):
        from ..search import did_you_mean, nearest

        known = [str(key) for key in keys.choices]
        listed = f"{', '.join(known[:-1])} and {known[-1]}" if len(known) > 1 else known[0]
        hint = f" Rows: {listed}.{did_you_mean(nearest(value, known))}"
    raise BadInput(f"{what} and no row of {title} covers it.{hint}")
