"""Sets of whole numbers as runs: what rows cover, what a roll can give, what is missing.

In: intervals with open ends (None). Out: sorted runs that do not touch, and their spelling as table keys. The one
rule: everything is exact, and a run is never broken where numbers follow each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Run: TypeAlias = tuple[int | None, int | None]  # both ends included; None is open
SHOWN = 8


def merge(runs: Iterable[Run]) -> list[Run]:
    """The same numbers in as few runs as possible."""
    out: list[Run] = []
    for low, high in sorted(runs, key=lambda run: (run[0] is not None, run[0] or 0)):
        if out:
            before, end = out[-1]
            if end is None or low is None or low <= end + 1:
                out[-1] = (before, None if end is None or high is None else max(end, high))
                continue
        out.append((low, high))
    return out


def of_numbers(numbers: Iterable[int]) -> list[Run]:
    """Single numbers as runs."""
    out: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if out and number == out[-1][1] + 1:
            out[-1] = (out[-1][0], number)
        else:
            out.append((number, number))
    return list(out)


def without(runs: Sequence[Run], taken: Sequence[Run]) -> list[Run]:
    """What of `runs` is not in `taken`; both merged."""
    out: list[Run] = []
    for run in runs:
        low, high = run
        done = False
        for begin, end in taken:
            if end is not None and low is not None and end < low:
                continue
            if begin is not None and high is not None and begin > high:
                break
            if begin is not None and (low is None or begin > low):
                out.append((low, begin - 1))
            if end is None:
                done = True
                break
            low = end + 1
            if high is not None and low > high:
                done = True
                break
        if not done:
            out.append((low, high))
    return out


def common(runs: Sequence[Run], others: Sequence[Run]) -> list[Run]:
    """What is in both; both merged."""
    return without(runs, without(runs, others))


def say(run: Run) -> str:
    """A run as a row's key: `7`, `1-5`, `151+`, `..0`, `-7..-1`."""
    low, high = run
    if low is None:
        return "any number" if high is None else f"..{high}"
    if high is None:
        return f"{low}+"
    if low == high:
        return str(low)
    return f"{low}..{high}" if low < 0 else f"{low}-{high}"


def listed(runs: Sequence[Run]) -> str:
    """`5, 9-12 and 40`, as keys; of many, the first few and how many more."""
    return _joined([say(run) for run in runs])


def told(runs: Sequence[Run]) -> str:
    """The same in a sentence: `41 and 42`, `51 or more`."""
    if len(runs) == 1:
        low, high = runs[0]
        if low is not None and high == low + 1:
            return f"{low} and {high}"
    return _joined([_in_words(run) for run in runs])


def _in_words(run: Run) -> str:
    low, high = run
    if low is not None and high is None:
        return f"{low} or more"
    return f"{high} or less" if low is None and high is not None else say(run)


def _joined(words: list[str]) -> str:
    if len(words) > SHOWN:
        return f"{', '.join(words[:SHOWN])} and {len(words) - SHOWN} more"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def them(runs: Sequence[Run]) -> str:
    """How a sentence goes on about these numbers."""
    if len(runs) > 1:
        return "them"
    low, high = runs[0]
    return "that" if low is None or high is None else "it" if low == high else "them"
