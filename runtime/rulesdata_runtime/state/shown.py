"""Formula code as text.

In: code as the artifact holds it (see nodes.py), or such code with values put in the place of names. Out: the formula
as an author would write it, with as few parentheses as its meaning allows. One rule holds: nothing is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ..answers_text import say

IF, OR, AND, NOT, COMPARE, ADD, TIMES, SIGN, ATOM = range(9)
"""How tightly a piece binds; a piece inside a tighter one gets parentheses."""

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def show(code: Any) -> str:
    """The text of a formula."""
    return _piece(code)[0]


def _piece(code: Any) -> tuple[str, int]:
    """The text and how tightly it binds."""
    if not isinstance(code, list):
        if isinstance(code, Fraction):
            return str(code).replace("/", " / "), TIMES if code >= 0 else ADD
        negative = isinstance(code, int) and not isinstance(code, bool) and code < 0
        return say(code), SIGN if negative else ATOM
    name = code[0]
    if name in _WRITERS:
        return _WRITERS[name](code)
    return f"{name}({_all(operands(code) if name in ('min', 'max') else code[1:])})", ATOM


def operands(code: list[Any]) -> list[Any]:
    """The operands of a node that has any number of them (see nodes.py: `xs`), in one list or one after another."""
    parts: list[Any] = code[1] if len(code) == 2 else code[1:]
    return parts


def _at(code: Any, least: int) -> str:
    text, binds = _piece(code)
    return text if binds >= least else f"({text})"


def _all(codes: list[Any]) -> str:
    return ", ".join(show(code) for code in codes)


def _plain(name: Any) -> str:
    """A name, or in parentheses the parameter that holds it."""
    return f"({show(name)})" if isinstance(name, list) else str(name)


def _of_role(name: Any, role: Any) -> str:
    return f"{role}.{_plain(name)}" if role is not None else _plain(name)


def _sum(code: list[Any]) -> tuple[str, int]:
    first, *rest = operands(code)
    text = _at(first, ADD)
    for part in rest:
        if isinstance(part, list) and part[0] == "neg":
            text += f" - {_at(part[1], TIMES)}"
        elif isinstance(part, int | Fraction) and not isinstance(part, bool) and part < 0:
            text += f" - {_at(-part, TIMES)}"
        else:
            text += f" + {_at(part, TIMES)}"
    return text, ADD


def _difference(code: list[Any]) -> tuple[str, int]:
    right, binds = _piece(code[2])
    negative = right.startswith("-")
    return f"{_at(code[1], ADD)} - {right if binds >= TIMES and not negative else f'({right})'}", ADD


def _product(code: list[Any]) -> tuple[str, int]:
    first, *rest = operands(code)
    return " * ".join([_at(first, TIMES), *(_at(part, SIGN) for part in rest)]), TIMES


def _quotient(code: list[Any]) -> tuple[str, int]:
    return f"{_at(code[1], TIMES)} / {_at(code[2], SIGN)}", TIMES


def _compare(code: list[Any]) -> tuple[str, int]:
    sign = code[0]
    if sign in ("==", "!=") and any(part is None or isinstance(part, str | bool) for part in code[1:]):
        sign = "is" if sign == "==" else "is not"
    return f"{_at(code[1], ADD)} {sign} {_at(code[2], ADD)}", COMPARE


def _chain(code: list[Any]) -> tuple[str, int]:
    first, *rest = code[2]
    text = _at(first, ADD)
    for sign, part in zip(code[1], rest, strict=True):
        text += f" {sign} {_at(part, ADD)}"
    return text, COMPARE


def _choice(code: list[Any]) -> tuple[str, int]:
    return f"if {_at(code[1], OR)} then {_at(code[2], OR)} else {_at(code[3], IF)}", IF


def _join(word: str, level: int) -> Callable[[list[Any]], tuple[str, int]]:
    return lambda code: (f" {word} ".join(_at(part, level + 1) for part in operands(code)), level)


def _mods(mods: Mapping[str, Any]) -> str:
    text = "".join(f"r{face}" for face in mods.get("r", ()))
    text += f"min{mods['min']}" if "min" in mods else ""
    text += "!" if mods.get("explode") else ""
    return text + ("{}{}".format(*mods["keep"]) if "keep" in mods else "")


def _count(code: list[Any]) -> str:
    return str(code) if isinstance(code, int) else f"({show(code)})"


def _counted(code: list[Any]) -> tuple[str, int]:
    pool, signs, bounds = show(code[1]), code[2], code[3]
    if len(signs) == 1:
        return f"count({pool} {signs[0]} {show(bounds[0])})", ATOM
    return f"count({show(bounds[0])} {_FLIPPED[signs[0]]} {pool} {signs[1]} {show(bounds[1])})", ATOM


def _has(code: list[Any]) -> tuple[str, int]:
    params = "".join(f", {name}: {show(value)}" for name, value in (code[2] or {}).items())
    return f"has({_of_role(code[1], code[3])}{params})", ATOM


def _lookup(code: list[Any]) -> tuple[str, int]:
    column = f".{code[3]}" if code[3] is not None else ""
    return f"lookup({', '.join([_plain(code[1]), *(show(key) for key in code[2])])}){column}", ATOM


def _of_sheet(code: list[Any]) -> tuple[str, int]:
    return f"{code[0]}({_of_role(code[1], code[2])})", ATOM


def _symbols(code: list[Any]) -> tuple[str, int]:
    pool = f"{show(code[1])}, " if code[1] is not None else ""
    return f"{code[0]}({pool}{code[2]})", ATOM


_WRITERS: dict[str, Callable[[list[Any]], tuple[str, int]]] = {
    "frac": lambda code: _piece(Fraction(code[1], code[2])),
    "get": lambda code: (code[1], ATOM),
    "member": lambda code: (f"{code[1]}[{show(code[2])}]", ATOM),
    "of": lambda code: (f"{code[1]}.{code[2]}", ATOM),
    "of_member": lambda code: (f"{code[1]}.{code[2]}[{show(code[3])}]", ATOM),
    "field": lambda code: (f"{code[1]}.{code[2]}", ATOM),
    "+": _sum,
    "-": _difference,
    "*": _product,
    "/": _quotient,
    "neg": lambda code: (f"-{_at(code[1], SIGN)}", SIGN),
    "limit": lambda code: _piece(code[1]),
    "sum": lambda code: _piece(code[1]),
    "==": _compare,
    "!=": _compare,
    "<": _compare,
    "<=": _compare,
    ">": _compare,
    ">=": _compare,
    "chain": _chain,
    "and": _join("and", AND),
    "or": _join("or", OR),
    "not": lambda code: (f"not {_at(code[1], NOT)}", NOT),
    "if": _choice,
    "roll": lambda code: (f"{_count(code[1])}d{code[2]}{_mods(code[3] or {})}", ATOM),
    "digits": lambda code: ("d" + "".join(str(sides) for sides in code[1]), ATOM),
    "throw": lambda code: (f"{_count(code[1])}d[{code[2]}]", ATOM),
    "count": _counted,
    "count_kind": lambda code: (f"count({show(code[1])} is {code[2]})", ATOM),
    "net": _symbols,
    "rolled": _symbols,
    "has": _has,
    "level": _of_sheet,
    "remaining": _of_sheet,
    "carried": _of_sheet,
    "elapsed": _of_sheet,
    "overflow": _of_sheet,
    "option": lambda code: (f"option({code[1]})", ATOM),
    "same": lambda code: (f"{code[1]} is {code[2]}", COMPARE),
    "lookup": _lookup,
    "band": lambda code: (f"band({code[1]}, {show(code[2])})", ATOM),
    "distance": lambda code: (f"distance({code[1]}, {show(code[2])})", ATOM),
    "moves": lambda code: (f"moves({code[1]}, {show(code[2])}, {show(code[3])})", ATOM),
}
