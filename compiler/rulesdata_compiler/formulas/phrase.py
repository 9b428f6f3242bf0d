"""Syntax -> a formula as people say it: `8 + half of strength, rounded up`.

In: an expression, and the titles of the names in it. Out: one line of plain English. The one rule: the line can be read
in one way only, so whatever runs on to the right stands in brackets where something follows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import assert_never

from .phrase_calls import Said, Tight, say_call
from .show import show_die, show_number
from .syntax import (
    Call,
    Compare,
    Dice,
    Expr,
    If,
    Index,
    Junction,
    Member,
    Name,
    Negate,
    Not,
    Number,
    Product,
    Sum,
    Text,
    Truth,
)

_PARTS = {
    (1, 2): "half",
    (1, 3): "a third",
    (2, 3): "two thirds",
    (1, 4): "a quarter",
    (3, 4): "three quarters",
    (1, 5): "a fifth",
    (1, 6): "a sixth",
    (1, 8): "an eighth",
    (1, 10): "a tenth",
    (1, 20): "a twentieth",
    (1, 100): "a hundredth",
}

_RELATIONS = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
    "is": "is",
    "is not": "is not",
}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "is": "is not", "is not": "is"}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def phrase(expr: Expr, titles: Mapping[str, str]) -> str:
    """A formula in words; names without a title are said as they are written, with spaces for `_`.

    >>> from rulesdata_compiler.formulas.parse import parse
    >>> phrase(parse("8 + ceil(lamp_light / 2)"), {"lamp_light": "Light"})
    '8 + half of Light, rounded up'
    """
    return Speaker(titles).say(expr).text


class Speaker:
    """Says expressions, with the titles it was given."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self._titles = titles

    def title(self, name: str) -> str:
        return self._titles.get(name) or name.replace("_", " ")

    def at_least(self, expr: Expr, tight: Tight) -> str:
        """An expression said, in brackets if it holds together less than `tight`."""
        return self.say(expr).bracketed(tight)

    def say(self, expr: Expr) -> Said:
        match expr:
            case Number(value=value):
                return Said(show_number(value).replace("-", "−").replace(" / ", "/"))
            case Truth(value=truth):
                return Said("yes" if truth else "no")
            case Text(value=words):
                return Said(f"“{words}”")
            case Name(name=name):
                return Said(self.title(name))
            case Index(name=name, key=key):
                return Said(self._indexed(name, key))
            case Member():
                return self._member(expr)
            case Call():
                return say_call(expr, self)
            case Negate(of=of):
                return Said(
                    f"−{self.at_least(of, Tight.ATOM)}", Tight.ATOM if isinstance(of, Number) else Tight.PRODUCT
                )
            case Sum():
                return self._sum(expr)
            case Product():
                return self._product(expr)
            case Compare(operands=operands, operators=operators):
                return self.compare(operands, operators)
            case Junction():
                return self._logic(expr)
            case Not(of=of):
                return self._not(of)
            case If(test=test, then=then, otherwise=otherwise):
                chosen, tested = self.at_least(then, Tight.OPEN), self.at_least(test, Tight.OR)
                return Said(f"{chosen} if {tested}, otherwise {self.say(otherwise).text}", Tight.CHOICE)
            case Dice():
                return self._dice(expr)
            case _:
                assert_never(expr)

    def compare(self, operands: tuple[Expr, ...], operators: tuple[str, ...]) -> Said:
        """`1 <= x <= 5` is told of the value in the middle; longer chains pair by pair."""
        return self.relate(operands, operators, [self.at_least(operand, Tight.OPEN) for operand in operands])

    def relate(self, operands: tuple[Expr, ...], operators: tuple[str, ...], said: list[str]) -> Said:
        """The same, with the operands said before."""
        match operators:
            case (operator,) if isinstance(operands[0], Number) and operator in _TURNED:
                return Said(f"{said[1]} {_RELATIONS[_TURNED[operator]]} {said[0]}", Tight.CLAIM)
            case ("<=", "<="):
                return Said(f"{said[1]} is from {said[0]} to {said[2]}", Tight.CLAIM)
            case (first, second) if first in _TURNED and second in _TURNED:
                lower, upper = _RELATIONS[_TURNED[first]], _RELATIONS[second].removeprefix("is ")
                return Said(f"{said[1]} {lower} {said[0]} and {upper} {said[2]}", Tight.AND)
            case _:
                pairs = zip(said, operators, said[1:], strict=False)
                claims = [f"{left} {_RELATIONS[operator]} {right}" for left, operator, right in pairs]
                return Said(listed(claims, "and"), Tight.CLAIM if len(claims) == 1 else Tight.AND)

    def _indexed(self, name: str, key: Expr) -> str:
        if isinstance(key, Name) and (whole := self._titles.get(f"{name}[{key.name}]")):
            return whole
        return f"{self.title(name)} ({self.say(key).text})"

    def _member(self, member: Member) -> Said:
        name = self.title(member.name) if member.key is None else self._indexed(member.name, member.key)
        if isinstance(member.of, Call):
            return Said(f"the {name} of {self.at_least(member.of, Tight.OPEN)}", Tight.OPEN)
        owner = self.at_least(member.of, Tight.ATOM)
        return Said(f"{owner}{'’' if owner.endswith('s') else '’s'} {name}")

    def _sum(self, expr: Sum) -> Said:
        # `8 + half of x, rounded up` is read right only where rounding the whole would give the same.
        whole = all(isinstance(term, Number | Name | Index | Member) for term in expr.terms[:-1])
        last_tight = Tight.TAIL if expr.signs[-1] == "+" and whole else Tight.OPEN
        words = self.at_least(expr.terms[0], Tight.PRODUCT)
        own = Tight.SUM
        for place, (sign, term) in enumerate(zip(expr.signs, expr.terms[1:], strict=True), 1):
            said = self.say(term)
            if place == len(expr.signs) and said.tight == last_tight == Tight.TAIL:
                own = Tight.TAIL
            wanted = last_tight if place == len(expr.signs) else Tight.PRODUCT
            words += f" {'−' if sign == '-' else '+'} {said.bracketed(wanted)}"
        return Said(words, own)

    def _product(self, expr: Product) -> Said:
        """A part of one thing (`half of strength`), or factors with their signs."""
        share, others = Fraction(1), []
        for sign, factor in zip(("*", *expr.signs), expr.factors, strict=True):
            if isinstance(factor, Number) and factor.value != 0:
                share = share * factor.value if sign == "*" else share / factor.value
            else:
                others.append((sign, factor))
        words = _PARTS.get((share.numerator, share.denominator))
        if words and len(others) == 1 and others[0][0] == "*":
            return Said(f"{words} of {self.at_least(others[0][1], Tight.ATOM)}", Tight.OPEN)
        said = self.at_least(expr.factors[0], Tight.PRODUCT)
        for sign, factor in zip(expr.signs, expr.factors[1:], strict=True):
            said += f" {'×' if sign == '*' else '÷'} {self.at_least(factor, Tight.ATOM)}"
        return Said(said, Tight.PRODUCT)

    def _logic(self, expr: Junction) -> Said:
        own = Tight.AND if expr.operator == "and" else Tight.OR
        said = [self.at_least(operand, Tight.CLAIM) for operand in expr.operands]
        return Said(listed(said, expr.operator), own)

    def _not(self, of: Expr) -> Said:
        if isinstance(of, Compare) and len(of.operators) == 1:
            return self.compare(of.operands, (_OPPOSITE[of.operators[0]],))
        return Said(f"not {self.at_least(of, Tight.OPEN)}", Tight.CLAIM)

    def _dice(self, dice: Dice) -> Said:
        if isinstance(dice.sides, str):
            one = dice.count is None or dice.count == Number(1)
            count = "1" if dice.count is None else self.at_least(dice.count, Tight.SUM)
            return Said(f"{count} {self.title(dice.sides)} {'die' if one else 'dice'}", Tight.PRODUCT)
        match dice.count:
            case None:
                count = ""
            case Number():
                count = self.say(dice.count).text
            case formula:
                count = f"({self.say(formula).text})"
        return Said(count + show_die(dice))


def listed(words: list[str], last: str) -> str:
    """`a, b and c`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
