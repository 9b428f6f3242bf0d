"""Weighted outcomes: what can come, and in how many ways.

In: faces, counts of dice, and what is asked of a pool. Out: `Weights`, a mapping from outcome to ways. Weights are
whole numbers of one common whole; where only reach is wanted (`counted` is False) every weight is 1, so that a
hundred explosions stay cheap. What fails (a division by zero, the highest of no dice) is the outcome FAILS: it never
vanishes, so odds keep their whole.

Two ideas carry the file. Whole-number outcomes are convolved by packing them into one long integer. And what is
asked of a pool is a tuple of features (sum, count of a kind, highest ...), each of which joins over dice, so dice are
never enumerated one by one; only keep needs a walk over the faces, from the kept end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import comb, lcm
from operator import eq, ge, gt, le, lt, ne
from typing import Any, TypeAlias

Weights: TypeAlias = dict[Any, int]
Feature: TypeAlias = tuple[Any, ...]  # ("sum",) ("size",) ("highest",) ("lowest",) ("count", ops, bounds) ("faces",)
State: TypeAlias = tuple[Any, ...]

EXPLOSIONS = 100
PACK_FROM = 512  # pairs below which a plain double loop is quicker


class Fails(Enum):
    FAILS = "fails"


FAILS = Fails.FAILS
COMPARE: dict[str, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


class OutOfBudgetError(Exception):
    """More work than the caller allowed."""


@dataclass(slots=True)
class Ways:
    """The arithmetic of weights, with a counted budget."""

    counted: bool
    budget: int

    def spend(self, work: int) -> None:
        self.budget -= work
        if self.budget < 0:
            raise OutOfBudgetError

    def trim(self, weights: Weights) -> Weights:
        return weights if self.counted else dict.fromkeys(weights, 1)

    def mix(self, parts: Sequence[tuple[int, Weights]]) -> Weights:
        """One of several, each with its weight."""
        if len(parts) == 1:
            return parts[0][1]
        whole = 1
        totals = [sum(part.values()) for _, part in parts]
        if self.counted:
            whole = lcm(*totals)
        out: Weights = {}
        for (weight, part), total in zip(parts, totals, strict=True):
            self.spend(len(part))
            scale = weight * (whole // total) if self.counted else 1
            for outcome, ways in part.items():
                out[outcome] = out.get(outcome, 0) + ways * scale
        return self.trim(out)

    def each(self, weights: Weights, change: Callable[[Any], Hashable]) -> Weights:
        """Every outcome changed by itself."""
        self.spend(len(weights))
        out: Weights = {}
        for outcome, ways in weights.items():
            new = FAILS if outcome is FAILS else change(outcome)
            out[new] = out.get(new, 0) + ways
        return self.trim(out)

    def pair(self, first: Weights, second: Weights, join: Callable[[Any, Any], Hashable]) -> Weights:
        """Two independent outcomes joined."""
        self.spend(len(first) * len(second))
        out: Weights = {}
        for a, ways_a in first.items():
            for b, ways_b in second.items():
                new = FAILS if a is FAILS or b is FAILS else join(a, b)
                out[new] = out.get(new, 0) + ways_a * ways_b
        return self.trim(out)

    def add(self, first: Weights, second: Weights) -> Weights:
        """The sum of two independent outcomes."""
        if len(first) * len(second) < PACK_FROM or not (_dense(first) and _dense(second)):
            return self.pair(first, second, _plus)
        self.spend(len(first) + len(second))
        width = (sum(first.values()) * sum(second.values())).bit_length() // 8 + 1
        product = _pack(first, width) * _pack(second, width)
        return self.trim(_unpack(product, min(first) + min(second), width))

    def power(self, one: Weights, times: int, join: Callable[[Weights, Weights], Weights], none: Weights) -> Weights:
        """`one` joined with itself `times` times, by squaring."""
        out, square = none, one
        while times:
            if times & 1:
                out = join(out, square)
            times >>= 1
            if times:
                square = join(square, square)
        return out


def _plus(a: Any, b: Any) -> Any:
    return whole(a + b)


def whole(value: Any) -> Any:
    """A fraction with denominator 1 is a whole number."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _dense(weights: Weights) -> bool:
    """Whole numbers without large holes."""
    if not all(type(outcome) is int for outcome in weights):
        return False
    span: int = max(weights) - min(weights)
    return span < 16 * len(weights)


def _pack(weights: Weights, width: int) -> int:
    low = min(weights)
    room = bytearray((max(weights) - low + 1) * width)
    for outcome, ways in weights.items():
        at = (outcome - low) * width
        room[at : at + width] = ways.to_bytes(width, "little")
    return int.from_bytes(room, "little")


def _unpack(packed: int, low: int, width: int) -> Weights:
    size = -(-packed.bit_length() // (8 * width))
    data = packed.to_bytes(size * width, "little")
    out: Weights = {}
    for index in range(size):
        ways = int.from_bytes(data[index * width : (index + 1) * width], "little")
        if ways:
            out[low + index] = ways
    return out


# --- dice with numbers -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NumberDie:
    """One kind of die after its modifiers: `faces` with their weights, whether `top` explodes, what is kept.

    `keep` is (word, number) with word kh, kl, dh or dl.
    """

    faces: tuple[tuple[int, int], ...]
    explode: bool = False
    keep: tuple[str, int] | None = None

    @property
    def top(self) -> int:
        return self.faces[-1][0]


def number_die(sides: int, mods: Mapping[str, Any]) -> NumberDie:
    """The die of a `roll` node; reroll once, then raise to a minimum, then explode, then keep."""
    again = {face for face in mods.get("r", ()) if 1 <= face <= sides}
    raised = mods.get("min", 1)
    faces: dict[int, int] = {}
    for face in range(1, sides + 1):
        ways = sides + len(again) if face not in again else len(again)
        if ways:
            faces[max(face, raised)] = faces.get(max(face, raised), 0) + (ways if again else 1)
    keep = mods.get("keep")
    return NumberDie(tuple(sorted(faces.items())), bool(mods.get("explode")), (keep[0], keep[1]) if keep else None)


def _copies(feature: Feature, face: int, copies: int) -> Any:
    """What `copies` kept dice showing `face` give to a feature."""
    match feature[0]:
        case "sum":
            return face * copies
        case "size":
            return copies
        case "count":
            holds = all(COMPARE[op](face, bound) for op, bound in zip(feature[1], feature[2], strict=True))
            return copies if holds else 0
        case "highest" | "lowest":
            return face if copies else None
        case _:
            return (face,) * copies


def _none_of(feature: Feature) -> Any:
    return _copies(feature, 0, 0)


def _join(feature: Feature, a: Any, b: Any) -> Any:
    match feature[0]:
        case "sum" | "size" | "count":
            return a + b
        case "highest":
            return b if a is None else a if b is None else max(a, b)
        case "lowest":
            return b if a is None else a if b is None else min(a, b)
        case _:
            return tuple(sorted(a + b))


def number_pool(ways: Ways, count: int, die: NumberDie, features: Sequence[Feature]) -> Weights:
    """States (one value a feature) of `count` such dice; the value of highest or lowest of no dice is None."""
    none: State = tuple(_none_of(feature) for feature in features)
    if count == 0:
        return {none: 1}
    if count == 1 and die.keep is None and not die.explode and features == (("sum",),):
        return {(face,): weight for face, weight in die.faces}
    if die.keep is not None:
        return _kept(ways, count, die, features)
    one: Weights = {}
    for dice, weight in _chains(die) if die.explode else (((face,), w) for face, w in die.faces):
        state = none
        for face in dice:
            state = _join_states(features, state, tuple(_copies(f, face, 1) for f in features))
        one[state] = one.get(state, 0) + weight
    return _many(ways, ways.trim(one), count, features, none)


def _many(ways: Ways, one: Weights, count: int, features: Sequence[Feature], none: State) -> Weights:
    if len(features) == 1 and features[0][0] in ("sum", "size", "count"):
        plain = {state[0]: w for state, w in one.items()}
        return {(value,): w for value, w in ways.power(plain, count, ways.add, {0: 1}).items()}
    return ways.power(one, count, lambda a, b: ways.pair(a, b, lambda x, y: _join_states(features, x, y)), {none: 1})


def _join_states(features: Sequence[Feature], a: State, b: State) -> State:
    return tuple(_join(feature, x, y) for feature, x, y in zip(features, a, b, strict=True))


def _chains(die: NumberDie) -> Iterable[tuple[tuple[int, ...], int]]:
    """Every run of dice that one exploding die can become, with its weight of `total ** (EXPLOSIONS + 1)`."""
    total = sum(weight for _, weight in die.faces)
    high = die.faces[-1][1]
    for tops in range(EXPLOSIONS + 1):
        for face, weight in die.faces[:-1]:
            yield (die.top,) * tops + (face,), high**tops * weight * total ** (EXPLOSIONS - tops)
    yield (die.top,) * (EXPLOSIONS + 1), high ** (EXPLOSIONS + 1)


def _kept(ways: Ways, count: int, die: NumberDie, features: Sequence[Feature]) -> Weights:
    """A pool of which only some dice count: a walk over the faces, beginning at the end that is kept."""
    if not die.explode:
        return _walk(ways, count, die.faces, die, features)
    total = sum(weight for _, weight in die.faces)
    high = die.faces[-1][1]
    one: Weights = {(EXPLOSIONS + 1, 0): high ** (EXPLOSIONS + 1)}
    for tops in range(EXPLOSIONS + 1):
        if total > high:
            one[tops, 1] = high**tops * (total - high) * total ** (EXPLOSIONS - tops)
    bags = ways.power(
        ways.trim(one), count, lambda a, b: ways.pair(a, b, lambda x, y: (x[0] + y[0], x[1] + y[1])), {(0, 0): 1}
    )
    parts = []
    for (tops, others), weight in bags.items():
        parts.append((weight, _walk(ways, others, die.faces[:-1], die, features, tops)))
    return ways.mix(parts)


def _walk(
    ways: Ways,
    count: int,
    faces: Sequence[tuple[int, int]],
    die: NumberDie,
    features: Sequence[Feature],
    tops: int = 0,
) -> Weights:
    """`count` dice with these faces, and `tops` more that show the highest."""
    assert die.keep is not None
    word, number = die.keep
    size = count + tops
    keep = min(number, size) if word in ("kh", "kl") else max(0, size - number)
    none: State = tuple(_none_of(feature) for feature in features)
    low_first = word in ("kl", "dh")
    before = 0 if low_first else tops  # the fixed ones come at the high end
    order = [(face, weight, False) for face, weight in (faces if low_first else reversed(faces))]
    if tops:
        order.insert(len(order) if low_first else 0, (die.top, 1, True))
    states: dict[tuple[int, State], int] = {(0, none): 1}
    for face, weight, fixed in order:
        grown: dict[tuple[int, State], int] = {}
        for (used, state), so_far in states.items():
            left = count - (used - before)
            for copies in (tops,) if fixed else range(left + 1):
                ways.spend(1)
                kept = min(copies, max(0, keep - used))
                new = _join_states(features, state, tuple(_copies(f, face, kept) for f in features))
                times = 1 if fixed else comb(left, copies) * weight**copies
                key = (used + copies, new)
                grown[key] = grown.get(key, 0) + so_far * times
        states = grown
    out: Weights = {}
    for (used, state), so_far in states.items():
        if used == size:
            out[state] = out.get(state, 0) + so_far
    return ways.trim(out)


def digit_pool(ways: Ways, sides: Sequence[int], features: Sequence[Feature]) -> Weights:
    """Digit dice: one number read from one die a digit; a pool of that one number."""
    numbers: Weights = {0: 1}
    for faces in sides:
        numbers = ways.pair(numbers, dict.fromkeys(range(1, faces + 1), 1), lambda a, b: a * 10 + b)
    return ways.each(numbers, lambda number: tuple(_copies(f, number, 1) for f in features))


# --- custom dice -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SymbolDice:
    """All custom dice: faces as symbols, what counts as what, and what cancels what (told in both directions)."""

    faces: Mapping[str, tuple[tuple[str, ...], ...]]
    counts_as: Mapping[str, tuple[str, ...]]
    cancels: Mapping[str, tuple[str, ...]]
    upgrades: Mapping[str, str]

    def rolled(self, face: Sequence[str], symbol: str) -> int:
        return sum((shown == symbol) + (symbol in self.counts_as.get(shown, ())) for shown in face)

    def gives(self, die: str, face: Sequence[str], feature: Feature) -> int:
        """What one die gives to a feature, before `finish`."""
        match feature[0]:
            case "rolled":
                return self.rolled(face, feature[1])
            case "net":
                against = sum(self.rolled(face, other) for other in self.cancels.get(feature[1], ()))
                return self.rolled(face, feature[1]) - against
            case "kind":
                return int(die == feature[1])
            case _:
                return 1


def symbol_pool(ways: Ways, dice: SymbolDice, counts: Mapping[str, int], features: Sequence[Feature]) -> Weights:
    """States of a pool of custom dice; features are ("net", s), ("rolled", s), ("kind", die), ("size",)."""
    single = len(features) == 1
    total: Weights = {0: 1} if single else {(0,) * len(features): 1}

    def join(a: Weights, b: Weights) -> Weights:
        if single:
            return ways.add(a, b)
        return ways.pair(a, b, lambda x, y: tuple(p + q for p, q in zip(x, y, strict=True)))

    none = dict(total)
    for die, count in counts.items():
        one: Weights = {}
        for face in dice.faces[die]:
            given = tuple(dice.gives(die, face, feature) for feature in features)
            key = given[0] if single else given
            one[key] = one.get(key, 0) + 1
        total = join(total, ways.power(ways.trim(one), count, join, none))
    out: Weights = {}
    for key, weight in total.items():
        state = (key,) if single else key
        done = tuple(max(0, v) if f[0] == "net" else v for f, v in zip(features, state, strict=True))
        out[done] = out.get(done, 0) + weight
    return ways.trim(out)
