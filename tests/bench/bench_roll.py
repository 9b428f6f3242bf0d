"""How fast dice are: text to total with every die kept, against a sum of `random.randint`.

Six rolls of the usual kinds, told by their text at every roll; a sample of the totals must have the right range and
mean. Run `python tests/bench/bench_roll.py [--quick]`.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from random import choice, randint

from race import Effort, Entry, effort, race, report

from rulesdata_runtime.formulas.dice import SeededDice
from rulesdata_runtime.formulas.notation import quick, roll

LIMIT = "sum of randint (limit)"
OURS = "ours, from text, every die kept"


def explode() -> int:
    total = face = randint(1, 10)
    while face == 10:
        face = randint(1, 10)
        total += face
    return total


HAND: dict[str, Callable[[], int]] = {
    "1d20+5": lambda: randint(1, 20) + 5,
    "3d6": lambda: sum([randint(1, 6) for _ in range(3)]),
    "10d6": lambda: sum([randint(1, 6) for _ in range(10)]),
    "4d6kh3": lambda: sum(sorted([randint(1, 6) for _ in range(4)])[1:]),
    "2d20kh1+7": lambda: max(randint(1, 20), randint(1, 20)) + 7,
    "5d10!": lambda: sum([explode() for _ in range(5)]),
}
# Lowest, highest (None: open), mean and standard deviation of each.
WANTED: dict[str, tuple[int, int | None, float, float]] = {
    "1d20+5": (6, 25, 15.5, 5.77),
    "3d6": (3, 18, 10.5, 2.96),
    "10d6": (10, 60, 35.0, 5.4),
    "4d6kh3": (3, 18, 12.2446, 2.85),
    "2d20kh1+7": (8, 27, 20.825, 4.71),
    "5d10!": (5, None, 30.5, 7.7),
}


def check(text: str, count: int = 4_000) -> None:
    low, high, mean, deviation = WANTED[text]
    totals = [quick(text)[0] for _ in range(count)]
    assert min(totals) >= low, text
    assert high is None or max(totals) <= high, text
    assert abs(statistics.fmean(totals) - mean) < 6 * deviation / math.sqrt(count), text


def rolls(how: Effort) -> None:
    ratios = []
    for text, by_hand in HAND.items():
        check(text)
        seeded = SeededDice(7)
        entries = [
            Entry(LIMIT, by_hand),
            Entry(OURS, lambda text=text: quick(text)),  # type: ignore[misc]
            Entry("ours, seeded, with all details", lambda text=text, dice=seeded: roll(text, dice)),  # type: ignore[misc]
        ]
        found = race(entries, LIMIT, how)
        report(text, found)
        ratios.append(found[OURS][1])
    print(f"\ngeometric mean of ours: {statistics.geometric_mean(ratios):.3f}, worst {max(ratios):.3f}")


def tables(how: Effort) -> None:
    rows = [f"row {i}" for i in range(20)]
    dense = [rows[i // 5] for i in range(100)]
    entries = [
        Entry("random.choice of rows (limit)", lambda: choice(rows)),
        Entry("ours: d100 picks from a dense list", lambda: dense[quick("d100")[0] - 1]),
    ]
    report("a table of 20 ranges on a d100", race(entries, entries[0].name, how))


def main() -> None:
    how = effort()
    rolls(how)
    tables(how)


if __name__ == "__main__":
    main()
