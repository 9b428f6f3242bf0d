"""Ranges: each operation on every pair of small ranges holds every result of its numbers, and no end is too far."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import ceil, floor

import pytest

from rulesdata_compiler.binding import ranges as ranges
from rulesdata_compiler.binding.values import LIMIT, Choices, Maybe, Nones, Numbers, Pool, Texts, Truths, point, say

SMALL = [Numbers(low, high) for low in range(-3, 4) for high in range(low, 4)]
Exact = int | Fraction


def numbers(a: Numbers) -> range:
    assert isinstance(a.low, int)
    assert isinstance(a.high, int)
    return range(a.low, a.high + 1)


@pytest.mark.parametrize(
    ("change", "exact"),
    [
        (ranges.plus, lambda x, y: x + y),
        (ranges.times, lambda x, y: x * y),
        (lambda a, b: ranges.least([a, b]), min),
        (lambda a, b: ranges.greatest([a, b]), max),
        (ranges.hull, lambda x, y: x),
        (ranges.hull, lambda x, y: y),
    ],
)
def test_two_ranges_exactly(change: Callable[[Numbers, Numbers], Numbers], exact: Callable[[int, int], int]) -> None:
    for a, b in product(SMALL, SMALL):
        results = [exact(x, y) for x in numbers(a) for y in numbers(b)]
        found = change(a, b)
        assert all(found.holds(result) for result in results)
        if change is not ranges.hull:
            assert (found.low, found.high) == (min(results), max(results))


def test_quotients_and_remainders() -> None:
    for a, b in product(SMALL, SMALL):
        divisors = [y for y in numbers(b) if y]
        if not divisors:
            continue
        quotient, rest = ranges.over(a, b), ranges.remainder(a, b)
        for x, y in product(numbers(a), divisors):
            result = Fraction(x, y)
            assert quotient.holds(result)
            assert quotient.denominator is not None
            assert result.denominator <= quotient.denominator
            assert rest.holds(x - y * floor(Fraction(x, y)))


def test_one_range() -> None:
    for a in SMALL:
        assert (ranges.magnitude(a).low, ranges.magnitude(a).high) == (
            min(abs(x) for x in numbers(a)),
            max(abs(x) for x in numbers(a)),
        )
        assert ranges.negative(ranges.negative(a)) == a
        half = ranges.over(a, point(2))
        for name, exact in (("ceil", ceil), ("floor", floor)):
            found = ranges.each_end(half, ranges.ROUNDINGS[name])
            assert (found.low, found.high) == (exact(Fraction(numbers(a)[0], 2)), exact(Fraction(numbers(a)[-1], 2)))


@pytest.mark.parametrize(
    ("number", "rounded"), [("1/2", 1), ("-1/2", -1), ("5/2", 3), ("-5/2", -3), ("7/3", 2), ("-7/3", -2)]
)
def test_halves_go_away_from_zero(number: str, rounded: int) -> None:
    assert ranges.nearest(Fraction(number)) == rounded


def test_comparisons_are_decided_where_all_pairs_agree() -> None:
    exact: dict[str, Callable[[int, int], bool]] = {
        "<": lambda x, y: x < y,
        "<=": lambda x, y: x <= y,
        ">": lambda x, y: x > y,
        ">=": lambda x, y: x >= y,
        "==": lambda x, y: x == y,
        "!=": lambda x, y: x != y,
    }
    for operator, test in exact.items():
        for a, b in product(SMALL, SMALL):
            results = {test(x, y) for x in numbers(a) for y in numbers(b)}
            decided = ranges.compare(operator, a, b)
            assert decided is None or results == {decided}
            if len(results) == 1 and operator not in ("==", "!="):
                assert decided == results.pop()


def test_open_ends() -> None:
    up, down, any_ = Numbers(2, None), Numbers(None, -1), Numbers()
    assert ranges.plus(up, down) == any_
    assert ranges.times(up, up) == Numbers(4, None)
    assert ranges.times(up, down) == Numbers(None, -2)
    assert ranges.times(any_, point(0)) == point(0)
    assert ranges.over(point(6), up) == Numbers(0, 3, False, None)
    assert ranges.magnitude(any_) == Numbers(0, None)
    assert ranges.least([up, point(5)]) == Numbers(2, 5)
    assert ranges.remainder(any_, Numbers(1, None)) == Numbers(0, None)
    assert ranges.compare("<", down, up) is True
    assert ranges.compare("<", up, any_) is None


def test_what_is_left_of_a_range() -> None:
    assert ranges.meet(Numbers(0, 10), Numbers(3, None)) == Numbers(3, 10)
    assert ranges.meet(Numbers(0, 10), Numbers(Fraction(5, 2), None, False)) == Numbers(3, 10)
    assert ranges.meet(Numbers(0, 2), Numbers(5, None)) == Numbers(5, 5)  # a branch that is never taken
    assert ranges.meet(Numbers(0, 10, False), Numbers(3, None)) == Numbers(3, 10, False)


def test_limits_are_left_out_only_where_proved() -> None:
    assert ranges.safe(Numbers(-LIMIT, LIMIT))
    assert not ranges.safe(Numbers(0, LIMIT + 1))
    assert not ranges.safe(Numbers(0, None))
    assert not ranges.safe(Numbers(0, 1, False))  # a fraction with who knows what denominator
    assert ranges.safe(Numbers(0, 1, False, 12))
    assert not ranges.safe(Numbers(0, LIMIT // 2, False, 12))
    assert ranges.beyond(Numbers(LIMIT + 1, None))
    assert not ranges.beyond(Numbers(0, LIMIT + 1))


def test_either_of_two_values() -> None:
    one, two = Choices(frozenset({"a"})), Choices(frozenset({"b"}))
    pool = Pool(point(2), point(2), Numbers(1, 6))
    assert ranges.join(one, two) == Choices(frozenset({"a", "b"}))
    assert ranges.join(one, Choices(None)) == Choices(None)
    assert ranges.join(Nones(), point(3)) == Maybe(point(3))
    assert ranges.join(Maybe(point(3)), point(5)) == Maybe(Numbers(3, 5))
    assert ranges.join(Truths(True), Truths(True)) == Truths(True)
    assert ranges.join(Truths(True), Truths(False)) == Truths()
    assert ranges.join(pool, pool) == pool
    assert ranges.join(Texts(), point(1)) is None
    assert ranges.join(pool, Pool(point(1), point(1), point(0), dice=frozenset({"gem"}))) is None
    assert ranges.total(pool) == Numbers(2, 12)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Numbers(9, 14), "9 to 14"),
        (Numbers(-8, 0), "−8 to 0"),
        (Numbers(1_000, 1_000), "1,000"),
        (Numbers(2, None), "2 or more"),
        (Numbers(None, 2), "at most 2"),
        (Numbers(), "any number"),
        (Numbers(Fraction(1, 2), 3, False), "1/2 to 3"),
    ],
)
def test_ranges_in_words(value: Numbers, text: str) -> None:
    assert str(value) == text
    assert say(Fraction(-7, 2)) == "−7/2"
