"""Arithmetic: sums, products, and the functions that take numbers and give one.

In: the operands' meanings. Out: code, and the exact range of the result. Constants fold; `limit` stands only where
the ranges do not prove a number small enough.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..formulas.syntax import Call, Expr, Negate, Product, Sum
from .ranges import (
    ROUNDINGS,
    compare,
    each_end,
    greatest,
    least,
    magnitude,
    negative,
    over,
    plus,
    remainder,
    times,
)
from .scopes import Scope
from .site import Site
from .values import BROKEN, Code, Exact, Meaning, Numbers, exact, point

NESTED = 24
"""Terms of a chain up to which a difference or quotient is a node of its own; longer ones stay flat, since nodes
inside nodes cost depth in every reader of the artifact."""


def number_code(number: Exact) -> Code:
    number = exact(number)
    return ["frac", number.numerator, number.denominator] if isinstance(number, Fraction) else number


def constant(number: Exact) -> Meaning:
    value = point(number)
    return Meaning(number_code(number), value, value)


def literal(found: Meaning) -> Exact | None:
    """The number a piece of code is, where it is written out."""
    code, value = found.code, found.value
    written = (isinstance(code, int) and not isinstance(code, bool)) or (isinstance(code, list) and code[0] == "frac")
    return value.constant if written and isinstance(value, Numbers) else None


def both(change: Callable[..., Numbers], *operands: Meaning) -> tuple[Numbers, Numbers]:
    """An operation on the ranges with modifiers, and on those without; once where no modifier makes a difference."""
    if all(operand.value is operand.shown for operand in operands):
        same = change(*[operand.value for operand in operands])
        return same, same
    values = [operand.value for operand in operands]
    shown = [operand.shown for operand in operands]
    return change(*values), change(*shown)


def negate(site: Site, expr: Negate, scope: Scope) -> Meaning:
    found = site.number(expr.of, scope)
    if found.broken:
        return found
    number = literal(found)
    return constant(-number) if number is not None else Meaning(["neg", found.code], *both(negative, found))


def add_up(site: Site, expr: Sum, scope: Scope) -> Meaning:
    """`a + b - c`, left to right, since dice fall in that order."""
    terms = [site.number(term, scope) for term in expr.terms]
    if any(term.broken for term in terms):
        return BROKEN
    result = terms[0]
    flat = len(terms) > NESTED
    for sign, term in zip(expr.signs, terms[1:], strict=True):
        if sign == "-" and flat:
            term = Meaning(["neg", term.code], *both(negative, term))
            sign = "+"
        result = _sum(result, term) if sign == "+" else _difference(result, term)
    return site.limited(result, expr)


def _sum(a: Meaning, b: Meaning) -> Meaning:
    left, right = literal(a), literal(b)
    if left is not None and right is not None:
        return constant(left + right)
    joined = a.code if isinstance(a.code, list) and a.code[0] == "+" else ["+", a.code]
    return Meaning([*joined, b.code], *both(plus, a, b))


def _difference(a: Meaning, b: Meaning) -> Meaning:
    left, right = literal(a), literal(b)
    if left is not None and right is not None:
        return constant(left - right)
    return Meaning(["-", a.code, b.code], *both(lambda x, y: plus(x, negative(y)), a, b))


def multiply_out(site: Site, expr: Product, scope: Scope) -> Meaning:
    """`a * b / c`, left to right."""
    factors = [site.number(factor, scope) for factor in expr.factors]
    if any(factor.broken for factor in factors):
        return BROKEN
    result = factors[0]
    flat = len(factors) > NESTED
    for sign, factor, part in zip(expr.signs, factors[1:], expr.factors[1:], strict=True):
        if sign == "/" and flat:
            inverse = divide(site, constant(1), factor, part, scope)
            result = BROKEN if inverse.broken else _product(result, inverse)
        else:
            result = _product(result, factor) if sign == "*" else divide(site, result, factor, part, scope)
        if result.broken:
            return BROKEN
    return site.limited(result, expr)


def _product(a: Meaning, b: Meaning) -> Meaning:
    left, right = literal(a), literal(b)
    if left is not None and right is not None:
        return constant(left * right)
    joined = a.code if isinstance(a.code, list) and a.code[0] == "*" else ["*", a.code]
    return Meaning([*joined, b.code], *both(times, a, b))


def divide(site: Site, a: Meaning, b: Meaning, divisor: Expr, scope: Scope) -> Meaning:
    """A fraction, unless both are written out and it comes out whole."""
    if not not_zero(site, b, divisor, scope):
        return BROKEN
    left, right = literal(a), literal(b)
    if left is not None and right is not None:
        return constant(Fraction(left) / Fraction(right))
    return Meaning(["/", a.code, b.code], *both(over, a, b))


def not_zero(site: Site, found: Meaning, divisor: Expr, scope: Scope) -> bool:
    """Whether a divisor cannot be zero; reports one that can."""
    value, text = found.value, site.text(divisor.at)
    assert isinstance(value, Numbers)
    said = scope.narrowed.get(divisor)
    if not value.holds(0) or (said is not None and said.apart == 0):
        return True
    if value.constant == 0:
        always = "" if literal(found) is not None else f": `{text}` is always 0"
        site.error("T503", f"division by zero{always}", divisor.at)
        return False
    if value.low == 0:
        hint = f"write `max(1, {text})`, or ask first: `if {text} > 0 then … else …`"
    else:
        hint = f"ask first: `if {text} != 0 then … else …`"
    site.error("T503", f"division by zero: `{text}` can be 0 (it is {value})", divisor.at, hint=hint)
    return False


# --- functions -------------------------------------------------------------------------------------------------


def rounding(site: Site, call: Call, scope: Scope) -> Meaning:
    """`ceil`, `floor`, `round`; of a whole number nothing is left to do."""
    found = site.number(call.args[0], scope)
    if found.broken:
        return found
    number = literal(found)
    change = ROUNDINGS[call.name]
    if number is not None:
        return constant(change(number))
    if isinstance(found.value, Numbers) and found.value.whole:
        return found
    return Meaning([call.name, found.code], *both(lambda x: each_end(x, change), found))


def absolute(site: Site, call: Call, scope: Scope) -> Meaning:
    found = site.number(call.args[0], scope)
    return found if found.broken else Meaning(["abs", found.code], *both(magnitude, found))


def extreme(site: Site, call: Call, scope: Scope) -> Meaning:
    """`min(a, b, …)` and `max(a, b, …)`."""
    found = [site.number(arg, scope) for arg in call.args]
    if any(item.broken for item in found):
        return BROKEN
    pick = least if call.name == "min" else greatest
    return Meaning([call.name, *(item.code for item in found)], *both(lambda *xs: pick(list(xs)), *found))


def clamp(site: Site, call: Call, scope: Scope) -> Meaning:
    """`clamp(value, low, high)`."""
    found = [site.number(arg, scope) for arg in call.args]
    if any(item.broken for item in found):
        return BROKEN
    low, high = found[1].value, found[2].value
    if isinstance(low, Numbers) and isinstance(high, Numbers) and compare(">", low, high) is True:
        texts = [site.text(arg.at) for arg in call.args[1:]]
        message = f"nothing lies between `{texts[0]}` and `{texts[1]}`: the first is always more"
        return site.error("T513", message, call.at, hint="write `clamp(value, least, greatest)`")
    return Meaning(["clamp", *(item.code for item in found)], *both(_clamped, *found))


def _clamped(value: Numbers, low: Numbers, high: Numbers) -> Numbers:
    return least([greatest([value, low]), high])


def modulo(site: Site, call: Call, scope: Scope) -> Meaning:
    a, b = (site.number(arg, scope) for arg in call.args)
    if a.broken or b.broken or not not_zero(site, b, call.args[1], scope):
        return BROKEN
    return site.limited(Meaning(["mod", a.code, b.code], *both(remainder, a, b)), call)


def held(found: Meaning, low: Meaning | None, high: Meaning | None) -> tuple[Numbers, Numbers]:
    """The ranges of a value clamped by formulas, either of which may be missing."""
    value, shown = found.value, found.shown
    assert isinstance(value, Numbers)
    assert isinstance(shown, Numbers)
    for bound, pick in ((low, greatest), (high, least)):
        if bound is not None and isinstance(bound.value, Numbers) and isinstance(bound.shown, Numbers):
            value, shown = pick([value, bound.value]), pick([shown, bound.shown])
    return value, shown
