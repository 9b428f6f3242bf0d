"""What a formula can give: kinds of value, and the range of numbers.

In: nothing; this file holds the types. A range never leaves out a value that can come, so what a check proves with it
is proved; an end that is None is open. How ranges add and multiply stands in `bind_ranges.py`.

A `Meaning` carries two values: `value` with all that modifiers can do, for checks, and `shown` without, for people.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

Exact: TypeAlias = int | Fraction
Code: TypeAlias = int | bool | str | list[Any] | None

LIMIT = 2**53 - 1
EXPLOSIONS = 100


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers from `low` to `high`. Of fractions, `parts` is the greatest denominator that can come (None: unknown)."""

    low: Exact | None = None
    high: Exact | None = None
    whole: bool = True
    parts: int | None = None

    @property
    def denominator(self) -> int | None:
        return 1 if self.whole else self.parts

    @property
    def constant(self) -> Exact | None:
        return self.low if self.low is not None and self.low == self.high else None

    def holds(self, number: Exact) -> bool:
        return (self.low is None or self.low <= number) and (self.high is None or number <= self.high)

    def __str__(self) -> str:
        if self.constant is not None:
            return say(self.constant)
        if self.low is None:
            return "any number" if self.high is None else f"at most {say(self.high)}"
        return f"{say(self.low)} or more" if self.high is None else f"{say(self.low)} to {say(self.high)}"


@dataclass(frozen=True, slots=True)
class Truths:
    """Yes or no; `known` where the ranges decide it."""

    known: bool | None = None


@dataclass(frozen=True, slots=True)
class Texts:
    pass


@dataclass(frozen=True, slots=True)
class Choices:
    """One of `options`; None where any word may come."""

    options: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice: `count` thrown, `kept` of them in the end (exploded ones included), each showing one of `faces`.

    `dice` names the kinds of custom dice; those have no numbers.
    """

    count: Numbers
    kept: Numbers
    faces: Numbers
    exploding: bool = False
    dice: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Nones:
    """None and nothing else: an empty cell."""


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value, or none."""

    of: Value


@dataclass(frozen=True, slots=True)
class Ids:
    """The id of a rule of one kind (stat, track, condition, trait); `options` lists those that can come."""

    kind: str
    options: frozenset[str]


@dataclass(frozen=True, slots=True)
class Record:
    """What a roll, a run or a row left under a name; no value itself, its parts are."""

    what: str
    fields: tuple[tuple[str, Meaning], ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A value of something that was reported before; whatever reads it is silent."""


Value: TypeAlias = Numbers | Truths | Texts | Choices | Pool | Nones | Maybe | Ids | Record | Broken


@dataclass(frozen=True, slots=True)
class Meaning:
    """The code of an expression and what it can give."""

    code: Code
    value: Value
    shown: Value

    @property
    def broken(self) -> bool:
        return isinstance(self.value, Broken)


BROKEN = Meaning(None, Broken(), Broken())
ANY = Numbers()
NATURAL = Numbers(0, None)


def say(number: Exact) -> str:
    """A number as a message writes it, with the real minus sign."""
    text = f"{abs(number):,}" if isinstance(number, int) else str(abs(number))
    return f"−{text}" if number < 0 else text


def exact(number: Exact) -> Exact:
    """In lowest terms; a fraction over 1 is a whole number."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def point(number: Exact) -> Numbers:
    number = exact(number)
    return Numbers(number, number) if isinstance(number, int) else Numbers(number, number, False, number.denominator)


def describe(value: Value) -> str:
    """The kind of a value in a message."""
    match value:
        case Numbers():
            return "a whole number" if value.whole else "a number that can be a fraction"
        case Truths():
            return "a yes or no"
        case Texts():
            return "a text"
        case Choices():
            return "a choice"
        case Pool():
            return "custom dice" if value.dice else "dice"
        case Nones():
            return "none"
        case Maybe():
            return f"{describe(value.of)} or none"
        case Ids():
            return f"the name of a {value.kind}"
        case Record():
            return value.what
    return "nothing"
