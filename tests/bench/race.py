"""Timing on a noisy machine: contestants against a limit, in one run.

In every round each contestant gets a few short slices, in an order that rotates, and its best slice counts; the ratio
to the limit is formed inside the round. What is reported is the median of those ratios. Absolute times mean nothing
here and are shown only for scale.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

clock = time.perf_counter


@dataclass(frozen=True)
class Entry:
    """One contestant; `run` does `per_call` units of work."""

    name: str
    run: Callable[[], object]
    per_call: int = 1


@dataclass(frozen=True)
class Effort:
    """How much a race measures."""

    rounds: int = 9
    slices: int = 3
    slice_s: float = 0.004


def effort() -> Effort:
    """From the command line: `--quick` is a look of a few seconds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="a look of a few seconds")
    return Effort(3, 2, 0.001) if parser.parse_args().quick else Effort()


def race(entries: Sequence[Entry], limit: str, how: Effort) -> dict[str, tuple[float, float]]:
    """Seconds for one unit of work and the ratio to the limit, for every entry."""
    calls = {entry.name: _calls(entry, how.slice_s) for entry in entries}
    times: dict[str, list[float]] = {entry.name: [] for entry in entries}
    collecting = gc.isenabled()
    for turn in range(how.rounds):
        gc.collect()
        gc.disable()
        first = turn % len(entries)
        for entry in (*entries[first:], *entries[:first]):
            best = min(_slice(entry.run, calls[entry.name]) for _ in range(how.slices))
            times[entry.name].append(best / (calls[entry.name] * entry.per_call))
        if collecting:
            gc.enable()
    base = times[limit]
    return {
        name: (statistics.median(series), statistics.median(t / b for t, b in zip(series, base, strict=True)))
        for name, series in times.items()
    }


def report(title: str, found: dict[str, tuple[float, float]]) -> None:
    print(f"\n{title}")
    for name, (seconds, ratio) in sorted(found.items(), key=lambda item: item[1][1]):
        print(f"  {ratio:8.3f}  {seconds * 1e9:12.0f} ns  {name}")


def _slice(run: Callable[[], object], count: int) -> float:
    start = clock()
    for _ in range(count):
        run()
    return clock() - start


def _calls(entry: Entry, slice_s: float) -> int:
    """Calls that fill one slice; the first call also warms the entry."""
    entry.run()
    calls = 1
    while (spent := _slice(entry.run, calls)) < slice_s / 4 and calls < 1 << 24:
        calls *= 4
    return max(1, int(calls * slice_s / max(spent, 1e-9)))
