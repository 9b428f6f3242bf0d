"""Derived values that come out otherwise: by how much, and for whom.

In: the name of a value and both systems, open for play. Out: lines such as `+2 for every strength` or
`+1 for strength 3 and more`. Every combination of what the value reads is asked, or where those are too many, some:
the ends and middles of each range, and a fixed draw of others; then the line says so.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from rulesdata_runtime.answers_text import say
from rulesdata_runtime.errors import RulesError
from rulesdata_runtime.rules import Rules

from ..binding.bind import Bindings
from ..binding.values import Choices, Numbers, Truths
from ..checking import intervals

BUDGET = 4_000
WIDEST = 200  # numbers of one range that are asked one by one
LISTED = 6

Point = tuple[Any, ...]
Pair = tuple[Any, Any]


def derived_changes(name: str, olds: Rules, news: Rules, before: Bindings, after: Bindings) -> Iterator[str]:
    """The lines for one derived value; none where nothing that was asked comes out otherwise."""
    inputs = {key: values for key in _inputs(name, news, before, after) if (values := _range(key, before, after))}
    points, whole = _points(inputs)
    found: dict[Point, Pair] = {}
    for point in points:
        given = dict(zip(inputs, point, strict=True))
        try:
            found[point] = (olds.value(name, **given), news.value(name, **given))
        except RulesError:
            continue
    if not any(was != now for was, now in found.values()):
        return
    lines = list(_told(list(inputs), found))
    if not whole:
        lines[-1] += f" (of {len(found):,} combinations that were asked)"
    yield from lines


def _inputs(name: str, rules: Rules, before: Bindings, after: Bindings) -> list[str]:
    """The stats and tracks behind a value, by way of other values too."""
    kinds = {rule_id: rule["kind"] for rule_id, rule in rules.rules.items()}
    found: list[str] = []
    seen = {name}
    left = [name]
    both = [before.refs(("read",)), after.refs(("read",))]
    while left:
        current = left.pop()
        for target in sorted({target for refs in both for target in refs.get(current, ())}):
            if target in seen:
                continue
            seen.add(target)
            if kinds.get(target) in ("stats", "tracks"):
                found.append(target)
            elif kinds.get(target) == "derived":
                left.append(target)
    return sorted(found)


def _range(name: str, before: Bindings, after: Bindings) -> list[Any]:
    """The values of a stat or track, as both systems allow them; of wide ranges, some."""
    ranges = [set(_values(bindings.values[name].shown)) for bindings in (before, after) if name in bindings.values]
    return sorted(set.intersection(*ranges), key=lambda value: (str(type(value)), value)) if ranges else []


def _values(value: object) -> Sequence[Any]:
    match value:
        case Numbers(low=low, high=high):
            start = 0 if low is None else int(-(-Fraction(low) // 1))
            end = start + WIDEST if high is None else int(Fraction(high) // 1)
            if end - start < WIDEST:
                return range(start, end + 1)
            return sorted({start + (end - start) * step // WIDEST for step in range(WIDEST + 1)})
        case Truths():
            return (False, True)
        case Choices(options=options):
            return sorted(options or ())
    return ()


def _points(inputs: Mapping[str, Sequence[Any]]) -> tuple[list[Point], bool]:
    """Combinations to ask, and whether those are all."""
    total = 1
    for values in inputs.values():
        total *= len(values)
    if total <= BUDGET:
        return list(product(*inputs.values())), True
    few = [
        sorted({values[0], values[len(values) // 2], values[-1]}, key=list(values).index) for values in inputs.values()
    ]
    found: dict[Point, None] = {}
    for index, values in enumerate(inputs.values()):
        for middle in (0, len(values)):
            for value in values:
                point = [others[0] if not middle else others[-1] for others in few]
                point[index] = value
                found[tuple(point)] = None
    chance = random.Random(0)
    while len(found) < BUDGET // 2:
        found[tuple(chance.choice(values) for values in inputs.values())] = None
    return list(found), False


# --- in words ------------------------------------------------------------------------------------------------------


def _told(names: list[str], found: Mapping[Point, Pair]) -> Iterator[str]:
    changes = {point: _change(*pair) for point, pair in found.items()}
    every = set(changes.values())
    if len(every) == 1:
        yield f"{next(iter(every))}{f' for every {_listed(names)}' if names else ''}"
        return
    for index, name in enumerate(names):
        by: dict[Any, set[str | None]] = {}
        for point, change in changes.items():
            by.setdefault(point[index], set()).add(change)
        if all(len(group) == 1 for group in by.values()):
            yield from _by_one(name, {value: next(iter(group)) for value, group in by.items()})
            return
    moved = [(point, pair) for point, pair in found.items() if pair[0] != pair[1]]
    numbers = [now - was for _, (was, now) in moved if _number(was) and _number(now)]
    (point, (was, now)) = moved[0]
    given = ", ".join(f"{name} {say(value)}" for name, value in zip(names, point, strict=True))
    example = f"with {given}: {say(now)}, was {say(was)}"
    if len(numbers) == len(moved):
        low, high = min(numbers), max(numbers)
        span = _signed(low) if low == high else f"{_signed(low)} to {_signed(high)}"
        yield f"{span} in {len(moved):,} of {len(found):,} combinations of {_listed(names)}; {example}"
    else:
        yield f"another value in {len(moved):,} of {len(found):,} combinations of {_listed(names)}; {example}"


def _by_one(name: str, changes: Mapping[Any, str | None]) -> Iterator[str]:
    """The change as it follows from one input alone."""
    groups: dict[str, list[Any]] = {}
    for value, change in changes.items():
        if change is not None:
            groups.setdefault(change, []).append(value)
    every = list(changes)
    lines = [f"{change} for {name} {_runs(values, every)}" for change, values in groups.items()]
    yield from lines[:LISTED]
    if len(lines) > LISTED:
        yield f"and {len(lines) - LISTED} more values of {name}"


def _runs(values: Sequence[Any], every: Sequence[Any]) -> str:
    """`3 and more`, `1 to 4`, `lamp and torch`."""
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in every):
        return _listed([say(value) for value in values])
    low, high = min(every), max(every)
    if list(range(low, high + 1)) != sorted(every):
        return _listed([str(value) for value in sorted(values)[:LISTED]])
    words = []
    for start, end in intervals.of_numbers(values):
        assert start is not None
        assert end is not None
        if start == end:
            words.append(str(start))
        elif end == high and start != low:
            words.append(f"{start} and more")
        elif start == low and end != high:
            words.append(f"{end} and less")
        else:
            words.append(f"{start} to {end}")
    return _listed(words)


def _change(was: Any, now: Any) -> str | None:
    if was == now and isinstance(was, bool) == isinstance(now, bool):
        return None
    if _number(was) and _number(now):
        return _signed(now - was)
    return f"{say(now)}, was {say(was)},"


def _number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _signed(value: int | Fraction) -> str:
    return f"{'+' if value > 0 else '-' if value < 0 else '±'}{say(abs(value))}"


def _listed(words: Sequence[str]) -> str:
    if not words:
        return ""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
