"""Sets of whole numbers as runs, against sets of numbers."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from rulesdata_compiler.checking.intervals import Run, common, listed, merge, of_numbers, say, them, told, without

SPACE = range(-12, 13)


def numbers(runs: list[Run]) -> set[int]:
    return {n for n in SPACE for low, high in runs if (low is None or low <= n) and (high is None or n <= high)}


def some_runs(source: random.Random) -> list[Run]:
    runs: list[Run] = []
    for _ in range(source.randint(0, 4)):
        low, high = sorted((source.randint(-10, 10), source.randint(-10, 10)))
        runs.append((None if source.random() < 0.1 else low, None if source.random() < 0.1 else high))
    return runs


@pytest.mark.parametrize("seed", range(200))
def test_like_sets(seed: int) -> None:
    source = random.Random(seed)
    a, b = some_runs(source), some_runs(source)
    first, second = merge(a), merge(b)
    assert numbers(first) == numbers(a)
    assert all(x[1] is not None and y[0] is not None and x[1] + 1 < y[0] for x, y in pairwise(first))
    assert numbers(without(first, second)) == numbers(a) - numbers(b)
    assert numbers(common(first, second)) == numbers(a) & numbers(b)
    assert numbers(of_numbers(numbers(a))) == numbers(a)


@pytest.mark.parametrize(
    ("runs", "key", "sentence", "it"),
    [
        ([(7, 7)], "7", "7", "it"),
        ([(1, 5)], "1-5", "1-5", "them"),
        ([(41, 42)], "41-42", "41 and 42", "them"),
        ([(151, None)], "151+", "151 or more", "that"),
        ([(None, 0)], "..0", "0 or less", "that"),
        ([(None, None)], "any number", "any number", "that"),
        ([(-7, -1)], "-7..-1", "-7..-1", "them"),
        ([(5, 5), (9, 12)], "5 and 9-12", "5 and 9-12", "them"),
        ([(5, 5), (9, 10), (40, None)], "5, 9-10 and 40+", "5, 9-10 and 40 or more", "them"),
        ([(n, n) for n in range(0, 20, 2)], "0, 2, 4, 6, 8, 10, 12, 14 and 2 more", None, "them"),
    ],
)
def test_spelling(runs: list[Run], key: str, sentence: str | None, it: str) -> None:
    assert listed(runs) == key
    assert told(runs) == (sentence or key)
    assert them(runs) == it
    if len(runs) == 1:
        assert say(runs[0]) == key
