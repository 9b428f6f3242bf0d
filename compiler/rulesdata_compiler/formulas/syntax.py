"""Formula syntax: the nodes that `parse.py` makes and `bind.py` reads.

Spans are offsets in the formula's own text and take no part in equality, so tests write trees by hand and `was`
compares meaning. Numbers are exact. A chain of `+ -` or of `* /` is one node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

At: TypeAlias = tuple[int, int]
NOWHERE: At = (0, 0)


@dataclass(frozen=True, slots=True)
class Number:
    value: int | Fraction
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted text: `"left arm"`."""

    value: str
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: stat, derived value, track, parameter, let, result, or a choice where one is expected."""

    name: str
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """A family's member: `alarm[Noise]`, `alarm[kind]`."""

    name: str
    key: Expr
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    """`attacker.might`, `throw.hits`, `lookup(t, k).column`, `patient.lit` inside `has`."""

    of: Expr
    name: str
    at: At = field(default=NOWHERE, compare=False)
    key: Expr | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """`ceil(x)`, `has(fond, drink: x)`."""

    name: str
    args: tuple[Expr, ...]
    named: tuple[tuple[str, Expr], ...] = ()
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Negate:
    of: Expr
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Sum:
    """`a + b - c`: `signs` holds + or - for every term but the first."""

    terms: tuple[Expr, ...]
    signs: tuple[str, ...]
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Product:
    """`a * b / c`: `signs` holds * or / for every factor but the first."""

    factors: tuple[Expr, ...]
    signs: tuple[str, ...]
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """`1 <= result <= 5`, `kind is blow`: `operators` from == != < <= > >= is, is not."""

    operands: tuple[Expr, ...]
    operators: tuple[str, ...]
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Junction:
    """`and` or `or` over two or more operands."""

    operator: str
    operands: tuple[Expr, ...]
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    of: Expr
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: Expr
    otherwise: Expr
    at: At = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Dice:
    """`2d6`, `(n)d6`, `d66`, `d%`, `(n)d[spark]`.

    `count` is None where no count is written (`d20`, one die). `sides` is a whole number, or the id of a custom
    die, or a tuple of sides for digit dice (`d66` is `(6, 6)`). The rest are the modifiers, in the one order they
    apply: reroll once, raise to a minimum, explode, keep.
    """

    count: Expr | None
    sides: int | str | tuple[int, ...]
    reroll: tuple[int, ...] = ()
    minimum: int | None = None
    explode: bool = False
    keep: tuple[str, int] | None = None
    at: At = field(default=NOWHERE, compare=False)


Expr: TypeAlias = (
    Number | Truth | Text | Name | Index | Member | Call | Negate | Sum | Product | Compare | Junction | Not | If | Dice
)
