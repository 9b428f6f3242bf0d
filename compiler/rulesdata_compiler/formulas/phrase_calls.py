"""Functions as people say them: `ceil(x)` is `x, rounded up`.

In: a call, and the speaker that says its arguments. Out: what is said, and how tightly it binds. The one rule:
a function that is not known here, or is given other arguments than it wants, is said as it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias

from .syntax import Call, Compare, Expr, Member, Name, Number

if TYPE_CHECKING:
    from .phrase import Speaker


class Tight(IntEnum):
    """How tightly words bind, loosest first; OPEN runs on to the right, TAIL ends in `, rounded up`."""

    CHOICE = 0
    OR = 1
    AND = 2
    CLAIM = 3
    TAIL = 4
    SUM = 5
    OPEN = 6
    PRODUCT = 7
    ATOM = 8


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    tight: Tight = Tight.ATOM

    def bracketed(self, tight: Tight) -> str:
        """The text, in brackets if it binds less than `tight`."""
        return self.text if self.tight >= tight else f"({self.text})"


Saying: TypeAlias = Callable[["Speaker", tuple[Expr, ...]], Said]


def say_call(call: Call, speaker: Speaker) -> Said:
    found = SAYINGS.get((call.name, len(call.args)))
    if found is not None and (not call.named or call.name in ("has", "level", "remaining")):
        said = found(speaker, call.args)
        if not call.named:
            return said
        details = ", ".join(f"{speaker.title(name)} {speaker.say(value).text}" for name, value in call.named)
        return Said(f"{said.text} ({details})", said.tight)
    if call.name in ("min", "max") and len(call.args) > 2:
        return Said(f"the {_HIGHEST[call.name]} of {_listed(speaker, call.args)}", Tight.OPEN)
    if call.name == "lookup" and call.args and not call.named:
        return _lookup(speaker, call.args)
    given = [speaker.say(value).text for value in call.args]
    given += [f"{name}: {speaker.say(value).text}" for name, value in call.named]
    return Said(f"{call.name}({', '.join(given)})")


_HIGHER = {"max": "higher", "min": "lower"}
_HIGHEST = {"max": "highest", "min": "lowest"}
_LIMIT = {"max": "at least", "min": "at most"}


def _listed(speaker: Speaker, args: tuple[Expr, ...]) -> str:
    said = [speaker.at_least(value, Tight.SUM) for value in args]
    return ", ".join(said[:-1]) + f" and {said[-1]}"


def _rounded(how: str) -> Saying:
    def say(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
        # `a + half of b, rounded up` would leave open what is rounded.
        return Said(f"{speaker.at_least(args[0], Tight.OPEN)}, rounded {how}", Tight.TAIL)

    return say


def _two(name: str) -> Saying:
    """`max(0, x)` is a limit for x; else one of two is taken."""

    def say(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
        first, second = args
        if isinstance(second, Number):
            first, second = second, first
        if isinstance(first, Number) and not isinstance(second, Number):
            limit = speaker.say(first).text
            return Said(f"{speaker.at_least(second, Tight.TAIL)}, {_LIMIT[name]} {limit}", Tight.TAIL)
        return Said(f"the {_HIGHER[name]} of {_listed(speaker, args)}", Tight.OPEN)

    return say


def _clamp(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
    value, low, high = (
        speaker.at_least(arg, Tight.TAIL if place == 0 else Tight.SUM) for place, arg in enumerate(args)
    )
    return Said(f"{value}, at least {low} and at most {high}", Tight.TAIL)


def _without_sign(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
    return Said(f"{speaker.at_least(args[0], Tight.ATOM)} without its sign", Tight.OPEN)


def _of(before: str) -> Saying:
    """Words before the one argument."""

    def say(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
        return Said(f"{before} {speaker.at_least(args[0], Tight.OPEN)}", Tight.OPEN)

    return say


def _between(before: str, middle: str) -> Saying:
    """Words around two arguments."""

    def say(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
        first, second = (speaker.at_least(arg, Tight.OPEN) for arg in args[-2:])
        return Said(f"{before} {first} {middle} {second}", Tight.OPEN)

    return say


def _has(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
    """A condition is named as itself; somebody else's, with whose it is."""
    match args[0]:
        case Member(of=Name(name=role), name=name, key=None):
            return Said(f"{speaker.title(name)} ({speaker.title(role)})")
        case other:
            return Said(speaker.at_least(other, Tight.ATOM))


_ARE = {
    "==": "are",
    "is": "are",
    "!=": "are not",
    "is not": "are not",
    "<": "are less than",
    "<=": "are at most",
    ">": "are more than",
    ">=": "are at least",
}


def _count(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
    """`count(pool >= 5)`: how many of the dice; the pool is the side that is no number."""
    test = args[0]
    if not isinstance(test, Compare):
        return _of("how many of")(speaker, args)
    operands, operators = test.operands, test.operators
    if len(operators) == 1 and isinstance(operands[0], Number):
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        operands, operators = operands[::-1], (turned.get(operators[0], operators[0]),)
    said = [speaker.at_least(operand, Tight.OPEN) for operand in operands]
    if len(operators) == 1:
        return Said(f"how many of {said[0]} {_ARE[operators[0]]} {said[1]}", Tight.OPEN)
    claim = speaker.relate(operands, operators, said).text
    if claim.startswith(f"{said[1]} is "):
        return Said(f"how many of {said[1]} are {claim.removeprefix(f'{said[1]} is ')}", Tight.OPEN)
    return Said(f"how many dice there are where {claim}", Tight.OPEN)


def _lookup(speaker: Speaker, args: tuple[Expr, ...]) -> Said:
    table = speaker.at_least(args[0], Tight.ATOM)
    if not args[1:]:
        return Said(table)
    keys = [speaker.at_least(key, Tight.OPEN) for key in args[1:]]
    return Said(f"{table} for {', '.join(keys[:-1])}{' and ' if keys[1:] else ''}{keys[-1]}", Tight.OPEN)


SAYINGS: dict[tuple[str, int], Saying] = {
    ("ceil", 1): _rounded("up"),
    ("floor", 1): _rounded("down"),
    ("round", 1): _rounded("to the nearest whole number"),
    ("min", 2): _two("min"),
    ("max", 2): _two("max"),
    ("clamp", 3): _clamp,
    ("abs", 1): _without_sign,
    ("mod", 2): _between("what is left of", "divided by"),
    ("sum", 1): _of("the sum of"),
    ("count", 1): _count,
    ("size", 1): _of("the number of dice in"),
    ("highest", 1): _of("the highest of"),
    ("lowest", 1): _of("the lowest of"),
    ("has", 1): _has,
    ("level", 1): _of("the level of"),
    ("remaining", 1): _of("what remains of"),
    ("carried", 1): _of("the number carried of"),
    ("elapsed", 1): _of("the time since"),
    ("option", 1): _of("the option"),
    ("band", 2): _between("the band of", "at"),
    ("distance", 2): _between("the distance of", "to"),
    ("moves", 3): _between("the moves from", "to"),
    ("overflow", 1): _of("what no longer fits into"),
    ("net", 1): _of("the net"),
    ("rolled", 1): _of("the rolled"),
}
