"""Syntax -> the one spelling of a formula that `fmt`, `diff` and messages show.

In: an expression. Out: its text. The one rule: `parse(show(expr)) == expr` for whatever `parse` can make; brackets
stand where the grammar wants them, and nowhere else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

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

# How tightly the parts of a formula bind, as in grammar.lark.
_IF, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGNED, _VALUE = range(9)


def show(expr: Expr) -> str:
    """The canonical text.

    >>> from rulesdata_compiler.formulas.parse import parse
    >>> show(parse("8+ceil( strength÷2 )"))
    '8 + ceil(strength / 2)'
    """
    return _show(expr)[0]


def show_number(value: int | Fraction) -> str:
    """An exact number as a formula writes it: in digits, with decimals where they end, else as a division."""
    if value.denominator == 1:
        return str(value.numerator)
    places, scaled = 0, Fraction(value)
    while scaled.denominator != 1 and places < 60:
        places, scaled = places + 1, scaled * 10
    if scaled.denominator != 1:
        return f"{value.numerator} / {value.denominator}"
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def show_die(dice: Dice) -> str:
    """A die's word without its count: `d6kh3`, `d66`, `d[green]`."""
    match dice.sides:
        case str(name):
            return f"d[{name}]"
        case tuple(digits):
            return "d" + "".join(map(str, digits))
        case sides:
            rerolls = "".join(f"r{face}" for face in dice.reroll)
            minimum = "" if dice.minimum is None else f"min{dice.minimum}"
            keep = "" if dice.keep is None else f"{dice.keep[0]}{dice.keep[1]}"
            return f"d{sides}{rerolls}{minimum}{'!' if dice.explode else ''}{keep}"


def _show(expr: Expr) -> tuple[str, int]:
    match expr:
        case Number(value=value):
            text = show_number(value)
            return text, _PRODUCT if "/" in text else _SIGNED if value < 0 else _VALUE
        case Truth(value=truth):
            return "true" if truth else "false", _VALUE
        case Text(value=words):
            quote = "'" if '"' in words else '"'
            return f"{quote}{words}{quote}", _VALUE
        case Name(name=name):
            return name, _VALUE
        case Index(name=name, key=key):
            return f"{name}[{show(key)}]", _VALUE
        case Member(of=of, name=name, key=key):
            return f"{show(of)}.{name}" + (f"[{show(key)}]" if key is not None else ""), _VALUE
        case Call(name=name, args=args, named=named):
            shown = [*map(show, args), *(f"{key}: {show(value)}" for key, value in named)]
            return f"{name}({', '.join(shown)})", _VALUE
        case Negate(of=of):
            # `-2d6` would leave open whether the count or the roll is negative, and is refused.
            roll = isinstance(of, Dice) and isinstance(of.count, Number)
            return "-" + (f"({show(of)})" if roll else _at_least(of, _VALUE)), _SIGNED
        case Sum(terms=terms, signs=signs):
            return _chain(terms, signs, _PRODUCT), _SUM
        case Product(factors=factors, signs=signs):
            return _chain(factors, signs, _SIGNED), _PRODUCT
        case Compare(operands=operands, operators=operators):
            return _chain(operands, operators, _SUM), _COMPARE
        case Junction(operator=operator, operands=operands):
            own = _OR if operator == "or" else _AND
            return f" {operator} ".join(_at_least(operand, own + 1) for operand in operands), own
        case Not(of=of):
            return f"not {_at_least(of, _NOT)}", _NOT
        case If(test=test, then=then, otherwise=otherwise):
            tested, chosen = _at_least(test, _OR), _at_least(then, _OR)
            return f"if {tested} then {chosen} else {show(otherwise)}", _IF
        case Dice(count=count):
            return _count(count) + show_die(expr), _VALUE
        case _:
            assert_never(expr)


def _at_least(expr: Expr, level: int) -> str:
    text, own = _show(expr)
    return text if own >= level else f"({text})"


def _chain(parts: tuple[Expr, ...], signs: tuple[str, ...], level: int) -> str:
    shown = _at_least(parts[0], level)
    for sign, part in zip(signs, parts[1:], strict=True):
        shown += f" {sign} {_at_least(part, level)}"
    return shown


def _count(count: Expr | None) -> str:
    match count:
        case None:
            return ""
        case Number(value=int(value)) if value >= 0:
            return str(value)
        case _:
            return f"({show(count)})"
