"""Arithmetic of ranges: what a sum, a quotient, a rounding of two ranges can come to.

In: ranges of operands. Out: the range of the result, and whether a comparison is decided. The one rule: nothing that
can come is left out. Arithmetic is exact; no floating point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil as up
from math import floor as down
from typing import TypeAlias

from .values import (
    LIMIT,
    Broken,
    Choices,
    Exact,
    Ids,
    Maybe,
    Nones,
    Numbers,
    Pool,
    Texts,
    Truths,
    Value,
    exact,
    point,
)

End: TypeAlias = tuple[int, Exact]  # (-1, 0) and (1, 0) are the open ends: tuples sort as wanted
OPEN_LOW: End = (-1, 0)
OPEN_HIGH: End = (1, 0)


def _ends(a: Numbers) -> tuple[End, End]:
    return (OPEN_LOW if a.low is None else (0, a.low)), (OPEN_HIGH if a.high is None else (0, a.high))


def _of_ends(low: End, high: End, parts: int | None) -> Numbers:
    return Numbers(
        None if low[0] else exact(low[1]),
        None if high[0] else exact(high[1]),
        parts == 1,
        None if parts == 1 else parts,
    )


def _sign(end: End) -> int:
    return end[0] or (end[1] > 0) - (end[1] < 0)


def _times(a: End, b: End) -> End:
    if not _sign(a) or not _sign(b):
        return (0, 0)
    if a[0] or b[0]:
        return (_sign(a) * _sign(b), 0)
    return (0, a[1] * b[1])


def _parts(values: Iterable[Numbers]) -> int | None:
    """The greatest common denominator a sum or product of values can have."""
    total = 1
    for value in values:
        if value.denominator is None:
            return None
        total *= value.denominator
    return total


def _widest(values: Iterable[Numbers]) -> int | None:
    """The greatest denominator among values of which one is taken."""
    most = 1
    for value in values:
        if value.denominator is None:
            return None
        most = max(most, value.denominator)
    return most


# --- arithmetic ------------------------------------------------------------------------------------------------


def plus(a: Numbers, b: Numbers) -> Numbers:
    low = None if a.low is None or b.low is None else (0, a.low + b.low)
    high = None if a.high is None or b.high is None else (0, a.high + b.high)
    return _of_ends(low or OPEN_LOW, high or OPEN_HIGH, _parts((a, b)))


def negative(a: Numbers) -> Numbers:
    return Numbers(None if a.high is None else -a.high, None if a.low is None else -a.low, a.whole, a.parts)


def times(a: Numbers, b: Numbers) -> Numbers:
    corners = [_times(x, y) for x in _ends(a) for y in _ends(b)]
    return _of_ends(min(corners), max(corners), _parts((a, b)))


def over(a: Numbers, b: Numbers) -> Numbers:
    """The quotient, by what of `b` is not zero."""
    if b.holds(0):
        step: Exact = 1 if b.whole else Fraction(1, LIMIT * LIMIT)
        sides = [Numbers(step, b.high, b.whole, b.parts), Numbers(b.low, -step, b.whole, b.parts)]
        found = [over(a, side) for side in sides if side.low is None or side.high is None or side.low <= side.high]
        return hull(found[0], found[-1]) if found else Numbers(whole=False)
    low, high = _ends(b)
    inverse = Numbers(
        0 if high[0] else exact(Fraction(1) / high[1]),
        0 if low[0] else exact(Fraction(1) / low[1]),
        False,
        _numerator(b),
    )
    result = times(a, inverse)
    if a.constant is not None and b.constant is not None:
        return point(Fraction(a.constant) / Fraction(b.constant))
    return result


def _numerator(a: Numbers) -> int | None:
    """The greatest numerator, without sign, a value of the range can have."""
    if a.low is None or a.high is None or a.denominator is None:
        return None
    widest = a.high if a.high > -a.low else -a.low
    return up(widest * a.denominator)


def each_end(a: Numbers, change: Callable[[Exact], int]) -> Numbers:
    """A rounding: rises with its argument."""
    return Numbers(None if a.low is None else change(a.low), None if a.high is None else change(a.high))


def nearest(number: Exact) -> int:
    """Halves go away from zero."""
    return down(number + Fraction(1, 2)) if number >= 0 else -down(-number + Fraction(1, 2))


ROUNDINGS: dict[str, Callable[[Exact], int]] = {
    "ceil": up,
    "floor": down,
    "round": nearest,
    "up": up,
    "down": down,
    "near": nearest,
}


def magnitude(a: Numbers) -> Numbers:
    if a.low is not None and a.low >= 0:
        return a
    flipped = negative(a)
    if a.high is not None and a.high <= 0:
        return flipped
    return _of_ends((0, 0), max(_ends(a)[1], _ends(flipped)[1]), a.denominator)


def least(values: list[Numbers]) -> Numbers:
    return _of_ends(min(_ends(v)[0] for v in values), min(_ends(v)[1] for v in values), _widest(values))


def greatest(values: list[Numbers]) -> Numbers:
    return _of_ends(max(_ends(v)[0] for v in values), max(_ends(v)[1] for v in values), _widest(values))


def remainder(a: Numbers, b: Numbers) -> Numbers:
    """`a - b * floor(a / b)`: has the sign of `b`, and is smaller."""
    whole = a.whole and b.whole
    span = magnitude(b)
    high = None if span.high is None else exact(span.high - 1) if whole else span.high
    parts = 1 if whole else _parts((a, b))
    if b.low is not None and b.low > 0:
        if a.low is not None and a.low >= 0 and a.high is not None and (high is None or a.high < high):
            high = a.high
        return _of_ends((0, 0), OPEN_HIGH if high is None else (0, high), parts)
    if b.high is not None and b.high < 0:
        return _of_ends(OPEN_LOW if high is None else (0, -high), (0, 0), parts)
    return _of_ends(OPEN_LOW if high is None else (0, -high), OPEN_HIGH if high is None else (0, high), parts)


def hull(a: Numbers, b: Numbers) -> Numbers:
    """Either of two."""
    (la, ha), (lb, hb) = _ends(a), _ends(b)
    return _of_ends(min(la, lb), max(ha, hb), _widest((a, b)))


def meet(a: Numbers, b: Numbers) -> Numbers:
    """What of `a` lies in `b` too; where nothing does, the end of `b` that was missed (a branch never taken)."""
    (la, ha), (lb, hb) = _ends(a), _ends(b)
    low, high = max(la, lb), min(ha, hb)
    if low > high:
        low = high = lb if lb > ha else hb
    met = _of_ends(low, high, a.denominator)
    if met.whole and met.low is not None and met.high is not None and up(met.low) > down(met.high):
        return Numbers(up(met.low), up(met.low))
    return each_in(met) if met.whole else met


def each_in(a: Numbers) -> Numbers:
    """The whole numbers inside a range."""
    return Numbers(None if a.low is None else up(a.low), None if a.high is None else down(a.high))


def total(pool: Pool) -> Numbers:
    """The sum of a pool."""
    return times(pool.kept, pool.faces)


def safe(a: Numbers) -> bool:
    """Whether the range proves that numerator and denominator stay within the limit."""
    size = _numerator(a)
    return size is not None and size <= LIMIT and (a.denominator or 1) <= LIMIT


def beyond(a: Numbers) -> bool:
    """Whether no number of the range is within the limit."""
    return (a.low is not None and a.low > LIMIT) or (a.high is not None and a.high < -LIMIT)


# --- comparison ------------------------------------------------------------------------------------------------


def compare(operator: str, a: Numbers, b: Numbers) -> bool | None:
    """What `a operator b` gives, where the ranges decide it."""
    (la, ha), (lb, hb) = _ends(a), _ends(b)
    match operator:
        case "<":
            return True if _before(ha, lb) else False if _not_after(hb, la) else None
        case "<=":
            return True if _not_after(ha, lb) else False if _before(hb, la) else None
        case ">" | ">=":
            return compare("<" if operator == ">" else "<=", b, a)
        case "==":
            if a.constant is not None and a.constant == b.constant:
                return True
            return False if _before(ha, lb) or _before(hb, la) else None
        case "!=":
            equal = compare("==", a, b)
            return None if equal is None else not equal
    raise ValueError(operator)


def _before(a: End, b: End) -> bool:
    return a[0] == 0 == b[0] and a[1] < b[1]


def _not_after(a: End, b: End) -> bool:
    return a[0] == 0 == b[0] and a[1] <= b[1]


# --- any value -------------------------------------------------------------------------------------------------


def join(a: Value, b: Value) -> Value | None:
    """Either of two values; None where the kinds do not go together."""
    match a, b:
        case (Broken(), _) | (_, Broken()):
            return Broken()
        case Numbers(), Numbers():
            return hull(a, b)
        case Truths(), Truths():
            return Truths(a.known if a.known == b.known else None)
        case Texts(), Texts():
            return a
        case Choices(), Choices():
            return Choices(None if a.options is None or b.options is None else a.options | b.options)
        case Pool(), Pool() if bool(a.dice) == bool(b.dice):
            exploding = a.exploding or b.exploding
            return Pool(
                hull(a.count, b.count), hull(a.kept, b.kept), hull(a.faces, b.faces), exploding, a.dice | b.dice
            )
        case Ids(), Ids() if a.kind == b.kind:
            return Ids(a.kind, a.options | b.options)
        case Nones(), Nones():
            return a
        case (Nones(), other) | (other, Nones()):
            return other if isinstance(other, Maybe) else Maybe(other)
        case (Maybe(), _) | (_, Maybe()):
            inner = join(a.of if isinstance(a, Maybe) else a, b.of if isinstance(b, Maybe) else b)
            return None if inner is None else Maybe(inner)
    return None
