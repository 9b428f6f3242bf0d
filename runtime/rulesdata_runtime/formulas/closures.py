"""Formulas as closures: the second implementation of the node table.

In: code (see nodes.py). Out: a function of a mapping, built of small functions chosen by the shape of the operands.
It follows the table node by node with plain numbers, shares no arithmetic with the generated one, and so tests it; it
also runs where `exec` is not wanted, and formulas nested too deeply for Python's own compiler. The one rule: each
node gives a settled value, an int where it is whole.
"""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne

from .numbers import clamped, fraction, limited, quotient, rounded, whole
from .operands import (
    COMPARISONS,
    FAULTS,
    MOST_SIDES,
    comparisons,
    damaged,
    fault,
    fixed,
    integer,
    listed,
    many,
    modifiers,
    node,
    role,
    terms,
    word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from .operands import Code

    Run: TypeAlias = Callable[[Any], Any]

COMPARE = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def function(code: Code) -> Callable[[Mapping[str, Any]], Any]:
    """The function that evaluates `code`."""
    run = closure(code)

    def formula(v: Mapping[str, Any]) -> Any:
        try:
            return run(v)
        except FAULTS as problem:
            raise fault(problem, v, code) from None

    return formula


def closure(code: Code) -> Run:
    """The closure of any code."""
    if type(code) is list:
        make = NODES.get(node(code))
        if make is None:
            raise damaged(f"a formula holds an unknown node {code[0]!r}")
        return make(code)
    if code is None or type(code) in (int, bool, str):
        return lambda v: code
    raise damaged(f"a formula holds {str(code)[:40]!r}, which is no code")


def constant(code: Code) -> Any:
    """The number that code stands for, or None where it is not a plain number."""
    return code if type(code) is int else None


# --- values ----------------------------------------------------------------------------------------------------


def frac(code: list[Code]) -> Run:
    numerator, den = fixed(code, 2)
    value = whole(fraction(integer(numerator, -(2**53)), integer(den, 1)))
    return lambda v: value


def get(code: list[Code]) -> Run:
    name = word(fixed(code, 1)[0])
    return lambda v: v[name]


def named(name: Code) -> Run:
    """A plain name, or the code of one; a family's member stands for its own name, not for its value."""
    if type(name) is list:
        return member_name(*fixed(name, 2)) if name[:1] == ["member"] else closure(name)
    plain = word(name)
    return lambda v: plain


def member_name(family: Code, key: Code) -> Run:
    family, inner = word(family), closure(key)
    return lambda v: f"{family}[{inner(v)}]"


def member(code: list[Code]) -> Run:
    name = member_name(*fixed(code, 2))
    return lambda v: v[name(v)]


def of(code: list[Code]) -> Run:
    owner, name = map(word, fixed(code, 2))
    return lambda v: v.of(owner, name)


def of_member(code: list[Code]) -> Run:
    owner, family, key = fixed(code, 3)
    owner, name = word(owner), member_name(family, key)
    return lambda v: v.of(owner, name(v))


# --- arithmetic ------------------------------------------------------------------------------------------------


def add(code: list[Code]) -> Run:
    parts = terms(code)
    if len(parts) == 2:
        (minus, first), (take, second) = parts
        if not minus and constant(second) is not None:
            left, number = closure(first), -second if take else second
            return lambda v: whole(left(v) + number)
        if not minus:
            left, right = closure(first), closure(second)
            return (lambda v: whole(left(v) - right(v))) if take else (lambda v: whole(left(v) + right(v)))
    signed = [(-1 if minus else 1, closure(part)) for minus, part in parts]

    def total(v: Any) -> Any:
        value = 0
        for sign, run in signed:
            value += sign * run(v)
        return whole(value)

    return total


def multiply(code: list[Code]) -> Run:
    first, *rest = [closure(part) for part in many(code)]

    def product(v: Any) -> Any:
        value = first(v)
        for run in rest:
            value *= run(v)
        return whole(value)

    return product


def binary(operation: Callable[[Any, Any], Any]) -> Callable[[list[Code]], Run]:
    """A node of two operands."""

    def make(code: list[Code]) -> Run:
        first, second = fixed(code, 2)
        left, right = closure(first), closure(second)
        number = constant(second)
        if number is not None:
            return lambda v: operation(left(v), number)
        return lambda v: operation(left(v), right(v))

    return make


def unary(operation: Callable[[Any], Any]) -> Callable[[list[Code]], Run]:
    """A node of one operand."""

    def make(code: list[Code]) -> Run:
        inner = closure(fixed(code, 1)[0])
        return lambda v: operation(inner(v))

    return make


def every(operation: Callable[[list[Any]], Any]) -> Callable[[list[Code]], Run]:
    """A node that needs all its operands at once."""

    def make(code: list[Code]) -> Run:
        runs = [closure(part) for part in many(code)]
        return lambda v: operation([run(v) for run in runs])

    return make


def rounding(sign: int) -> Callable[[list[Code]], Run]:
    """`floor` (1) and `ceil` (-1); a quotient is rounded without making it."""

    def make(code: list[Code]) -> Run:
        inner = fixed(code, 1)[0]
        if type(inner) is list and inner and inner[0] == "/":
            return binary(lambda a, b: sign * (sign * a // b))(inner)
        return unary(lambda a: sign * (sign * a // 1))(code)

    return make


def clamp(code: list[Code]) -> Run:
    value, low, high = (closure(part) for part in fixed(code, 3))
    return lambda v: clamped(value(v), low(v), high(v))


# --- truth -----------------------------------------------------------------------------------------------------


def compare(code: list[Code]) -> Run:
    return binary(COMPARE[code[0]])(code)


def chain(code: list[Code]) -> Run:
    operands = many(code, 1)
    tests = [COMPARE[operator] for operator in comparisons(code[1], len(operands) - 1)]
    first, *rest = [closure(part) for part in operands]
    pairs = list(zip(tests, rest, strict=True))

    def holds(v: Any) -> bool:
        left = first(v)
        for test, run in pairs:
            right = run(v)
            if not test(left, right):
                return False
            left = right
        return True

    return holds


def both(code: list[Code]) -> Run:
    runs = [closure(part) for part in many(code)]
    return lambda v: all(run(v) for run in runs)


def either(code: list[Code]) -> Run:
    runs = [closure(part) for part in many(code)]
    return lambda v: any(run(v) for run in runs)


def branch(code: list[Code]) -> Run:
    test, yes, no = (closure(part) for part in fixed(code, 3))
    return lambda v: yes(v) if test(v) else no(v)


# --- dice ------------------------------------------------------------------------------------------------------


def roll(code: list[Code]) -> Run:
    count, sides, mods = fixed(code, 3)
    sides = integer(sides, 1, MOST_SIDES)
    number, mods = closure(count), modifiers(mods, sides)
    return lambda v: v.roll(number(v), sides, mods)


def digits(code: list[Code]) -> Run:
    sides = tuple(integer(part, 1, 9) for part in listed(fixed(code, 1)[0]))
    return lambda v: v.digits(sides)


def throw(code: list[Code]) -> Run:
    count, die = fixed(code, 2)
    number, name = closure(count), named(die)
    return lambda v: v.throw(number(v), name(v))


def count(code: list[Code]) -> Run:
    pool, bounds = closure(code[1]), [closure(part) for part in many(code, 2)]
    operators = tuple(comparisons(code[2], len(bounds)))
    return lambda v: pool(v).count(operators, tuple([run(v) for run in bounds]))


def count_kind(code: list[Code]) -> Run:
    pool, die = fixed(code, 2)
    run, name = closure(pool), named(die)
    return lambda v: run(v).count_kind(name(v))


def symbols(code: list[Code]) -> Run:
    pool, symbol = fixed(code, 2)
    run, name = closure(pool), named(symbol)
    return (lambda v: v.net(run(v), name(v))) if code[0] == "net" else (lambda v: v.rolled(run(v), name(v)))


# --- questions about a character, tables and bands -------------------------------------------------------------


def has(code: list[Code]) -> Run:
    name, params, owner = fixed(code, 3)
    if params is not None and type(params) is not dict:
        raise damaged("a formula asks for parameters that are none")
    runs = [(word(key), closure(part)) for key, part in (params or {}).items()]
    who, bearer = named(name), role(owner)
    return lambda v: v.has(who(v), {key: run(v) for key, run in runs}, bearer)


def question(code: list[Code]) -> Run:
    """`level`, `remaining`, `carried`, `elapsed`, `overflow`."""
    name, owner = fixed(code, 2)
    method, who, bearer = code[0], named(name), role(owner)
    return lambda v: getattr(v, method)(who(v), bearer)


def option(code: list[Code]) -> Run:
    name = named(fixed(code, 1)[0])
    return lambda v: v.option(name(v))


def pair(code: list[Code]) -> Run:
    """`same`, `field`: two plain names."""
    method, (first, second) = code[0], map(word, fixed(code, 2))
    return lambda v: getattr(v, method)(first, second)


def lookup(code: list[Code]) -> Run:
    table, keys, column = fixed(code, 3)
    name, runs, cell = named(table), [closure(part) for part in listed(keys)], role(column)
    return lambda v: v.lookup(name(v), tuple([run(v) for run in runs]), cell)


def bands(code: list[Code]) -> Run:
    """`band`, `distance`, `moves`."""
    table, *rest = fixed(code, 3 if code[0] == "moves" else 2)
    method, name, runs = code[0], named(table), [closure(part) for part in rest]
    return lambda v: getattr(v, method)(name(v), *[run(v) for run in runs])


NODES: dict[str, Callable[[list[Code]], Run]] = {
    "frac": frac,
    "get": get,
    "member": member,
    "of": of,
    "of_member": of_member,
    "field": pair,
    "+": add,
    "-": add,
    "*": multiply,
    "/": binary(quotient),
    "neg": unary(lambda a: -a),
    "ceil": rounding(-1),
    "floor": rounding(1),
    "round": unary(rounded),
    "abs": unary(abs),
    "min": every(min),
    "max": every(max),
    "clamp": clamp,
    "mod": binary(lambda a, b: whole(a % b)),
    "limit": unary(limited),
    **dict.fromkeys(COMPARISONS, compare),
    "chain": chain,
    "and": both,
    "or": either,
    "not": unary(lambda a: not a),
    "if": branch,
    "roll": roll,
    "digits": digits,
    "throw": throw,
    "sum": unary(lambda pool: pool.total),
    "size": unary(lambda pool: pool.size),
    "highest": unary(lambda pool: pool.highest()),
    "lowest": unary(lambda pool: pool.lowest()),
    "count": count,
    "count_kind": count_kind,
    **dict.fromkeys(("net", "rolled"), symbols),
    "has": has,
    **dict.fromkeys(("level", "remaining", "carried", "elapsed", "overflow"), question),
    "option": option,
    "same": pair,
    "lookup": lookup,
    **dict.fromkeys(("band", "distance", "moves"), bands),
}
