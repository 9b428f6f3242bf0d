"""Exact numbers: whole numbers and fractions in lowest terms, and what formulas do with them.

In and out: `int`, or `Fraction` where the value is not whole. The one rule: a whole value is always an `int`, so that
two equal values look the same everywhere. `Fraction` is imported when the first one is made: most tables never need
it, and a cold roll should not wait for it.
"""

from __future__ import annotations

from ..errors import BadInput, LimitReached, NoValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Any, TypeAlias

    Number: TypeAlias = int | Fraction

LIMIT = 2**53 - 1


def fraction(numerator: int, denominator: int) -> Fraction:
    """`numerator / denominator`, as a Fraction even where it is whole."""
    from fractions import Fraction

    return Fraction(numerator, denominator)


def whole(value: Any) -> Any:
    """A Fraction with denominator 1 as a whole number; every other value as it is, but for floating-point numbers."""
    if type(value) is int:
        return value
    if isinstance(value, float):
        raise BadInput(f"{value} is a floating-point number; give a whole number or a fraction")
    if getattr(value, "denominator", 0) == 1 and type(value) is not bool:
        return value.numerator
    return value


def quotient(a: Number, b: Number) -> Number:
    """`a / b`, exactly."""
    if type(a) is int and type(b) is int:
        return fraction(a, b) if a % b else a // b
    return whole(a / b)  # type: ignore[no-any-return] # at least one of the two is a Fraction


def rounded(value: Number) -> int:
    """The nearest whole number, halves away from zero."""
    return (2 * value + 1) // 2 if value >= 0 else -((1 - 2 * value) // 2)


def clamped(value: Number, low: Number, high: Number) -> Number:
    """`value` held between `low` and `high`. Ends that have changed places leave no value to give."""
    if low > high:
        raise NoValue(f"clamp needs a low end that is not above the high one, not {show(low)} and {show(high)}")
    return low if value < low else high if value > high else value


def limited(value: Number) -> Number:
    """The same value, if its numerator and denominator stay within the limit."""
    value = whole(value)
    if -LIMIT <= value.numerator <= LIMIT and value.denominator <= LIMIT:
        return value
    raise LimitReached(f"a number grew beyond 2^53 - 1 ({LIMIT}), the largest that the rules can hold")


def show(value: Any) -> str:
    """A value as people write it: `7/2`, `yes`, `none`, `body`."""
    if value is None:
        return "none"
    if type(value) is bool:
        return "yes" if value else "no"
    return str(value)


def plain(value: Any) -> Any:
    """A value for JSON: a fraction as the text `7/2`, everything else as it is."""
    return value if value is None or isinstance(value, int | str) else str(value)


def read(text: str) -> Number:
    """The number that a text spells: `3`, `-3`, `7/2`, `0.5`, exactly."""
    from fractions import Fraction

    told = text.strip().replace("−", "-")
    try:
        number = (
            Fraction(told)
            if len(told) <= 40 and told.isascii() and "_" not in told and "e" not in told.lower()
            else None
        )
    except (ValueError, ZeroDivisionError):
        number = None
    if number is None:
        raise BadInput(f"{text!r} is not a number; whole numbers, fractions (7/2) and decimals (0.5) are")
    return limited(number)
