"""A formula worked out on paper, line by line.

In: the code of a formula and the scope it is read in. Out: the lines `8 + ceil(5 / 2)`, `8 + 3`, `11`, and the names
that were read. One rule holds: only what counts is worked out; of a branch not taken the names stay names.

A line puts values in the place of names; each next one works out what stands innermost, until a value is left.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..formulas.code import prepare
from .shown import operands, show

if TYPE_CHECKING:
    from .scope import Scope

LINES = 40
"""Lines at most; a formula deep enough for more is told by its last."""

_LISTED = ("+", "*", "min", "max", "and", "or")
_STATE = ("has", "level", "remaining", "carried", "elapsed", "option", "overflow", "same")
_LOOKED_UP = ("lookup", "band", "distance", "moves")


def lines(code: Any, scope: Scope) -> tuple[list[str], list[tuple[str | None, str]]]:
    """The lines from values to the result, and the (role, name) of every value that was read."""
    reads: list[tuple[str | None, str]] = []
    now = _filled(code, scope, reads)
    found = [show(now)]
    while not _settled(now) and len(found) < LINES:
        now = _reduced(now, scope, reads)
        text = show(now)
        if text != found[-1]:
            found.append(text)
    return found, list(dict.fromkeys(reads))


def _settled(code: Any) -> bool:
    return not isinstance(code, list) or code[0] == "frac"


def _literal(value: Any) -> Any:
    """A value as code."""
    return ["frac", value.numerator, value.denominator] if isinstance(value, Fraction) else value


def _run(code: Any, scope: Scope) -> Any:
    return prepare(code)(scope) if isinstance(code, list) else code


def _filled(code: Any, scope: Scope, reads: list[tuple[str | None, str]]) -> Any:
    """The code with values for names; what a branch not yet chosen reads stays."""
    if not isinstance(code, list) or code[0] == "frac":
        return code
    name = code[0]
    match name:
        case "get":
            reads.append((None, code[1]))
            return _literal(_run(code, scope))
        case "member":
            reads.append((None, f"{code[1]}[{_run(code[2], scope)}]"))
            return _literal(_run(code, scope))
        case "of" | "of_member" | "field":
            if name == "of":
                reads.append((code[1], code[2]))
            return _literal(_run(code, scope))
        case "if":
            return ["if", _filled(code[1], scope, reads), code[2], code[3]]
        case "and" | "or":
            first, *rest = operands(code)
            return [name, [_filled(first, scope, reads), *rest]]
        case "chain":
            return ["chain", code[1], [_filled(part, scope, reads) for part in code[2]]]
        case "lookup":
            return ["lookup", code[1], [_filled(part, scope, reads) for part in code[2]], code[3]]
        case _ if name in _STATE:
            return _literal(_run(code, scope))
        case _ if name in _LISTED:
            return [name, [_filled(part, scope, reads) for part in operands(code)]]
        case _:
            return [name, *(_filled(part, scope, reads) for part in code[1:])]


def _reduced(code: Any, scope: Scope, reads: list[tuple[str | None, str]]) -> Any:
    """One line further."""
    if _settled(code):
        return code
    name = code[0]
    match name:
        case "limit" | "sum":
            return _reduced(code[1], scope, reads)
        case "if":
            if not _settled(code[1]):
                return ["if", _reduced(code[1], scope, reads), code[2], code[3]]
            return _filled(code[2] if code[1] else code[3], scope, reads)
        case "and" | "or":
            first, *rest = operands(code)
            if not _settled(first):
                return [name, [_reduced(first, scope, reads), *rest]]
            if bool(first) is (name == "or") or not rest:
                return first
            return (
                [name, [_filled(rest[0], scope, reads), *rest[1:]]] if len(rest) > 1 else _filled(rest[0], scope, reads)
            )
        case "chain":
            return _step(code, code[2], lambda parts: ["chain", code[1], parts], scope, reads)
        case "lookup":
            return _step(code, code[2], lambda parts: ["lookup", code[1], parts, code[3]], scope, reads)
        case _ if name in _LISTED:
            return _step(code, operands(code), lambda parts: [name, parts], scope, reads)
        case _:
            return _step(code, code[1:], lambda parts: [name, *parts], scope, reads)


def _step(code: Any, parts: list[Any], put: Any, scope: Scope, reads: list[tuple[str | None, str]]) -> Any:
    """Work out the node if all of its parts are values (a quotient that is no whole number is one), else the parts."""
    rounds = code[0] in ("ceil", "floor", "round")
    if all(_settled(part) or _quotient(part, rounds) for part in parts):
        return _literal(_run(code, scope))
    return put([part if _quotient(part, rounds) else _reduced(part, scope, reads) for part in parts])


def _quotient(code: Any, rounds: bool) -> bool:
    """`5 / 2` of two values, which stands as it is until what is around it is worked out; where that `rounds`, a
    quotient that comes to a whole number too."""
    if not isinstance(code, list) or code[0] != "/" or not all(isinstance(part, int) for part in code[1:]):
        return False
    return bool(code[2]) and (rounds or code[1] % code[2] != 0)
