"""Code as the reach engine sees it: which operands a node has, which names it reads, what an operation gives.

In: JSON code (see the runtime's `nodes.py`). Out: walks and single values; nothing here knows weights. Two nodes are
the compiler's own: `["pool", added, upgraded, downgraded]`, each a list of [custom die, code], is a roll's pool;
`["range", low, high]` is any whole number from one to the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any, TypeAlias

from .weights import COMPARE, FAILS, Feature, State, SymbolDice, whole

Code: TypeAlias = Any  # JSON

STATE_NODES = frozenset(
    ("of", "field", "has", "level", "remaining", "carried", "elapsed", "option", "same", "overflow", "band", "distance")
) | {"moves", "member", "of_member"}
POOL_NODES = frozenset(("roll", "digits", "throw", "pool"))
ASKS = frozenset(("sum", "size", "highest", "lowest", "count", "count_kind", "net", "rolled"))
NO_NAMES: frozenset[str] = frozenset()
FACES: Feature = ("faces",)


def key_of(code: Code) -> str:
    """The name of a variable: of a plain name itself, of a question its code."""
    return str(code[1]) if code[0] == "get" else json.dumps(code, sort_keys=True)


def children(code: Code) -> list[Code]:
    """The operands of a node that are code."""
    if not isinstance(code, list):
        return []
    match code[0]:
        case "frac" | "get" | "digits":
            return []
        case "chain":
            return operands(code, 1)
        case "roll" | "throw" | "count_kind" | "net" | "rolled":
            return [code[1]]
        case "count":
            return [code[1], *operands(code, 2)]
        case "lookup":
            return list(code[2])
        case "pool":
            return [number for part in code[1:] for _, number in part]
        case "has":
            return list((code[2] or {}).values())
        case name if name in STATE_NODES:
            return [part for part in code[1:] if isinstance(part, list)]
        case _:
            return operands(code, 0)


def operands(code: Code, before: int) -> list[Code]:
    """Operands told as `xs`: one list after `before` others, or written out one after another."""
    parts: list[Code] = code[before + 1 :]
    if len(parts) == 1 and isinstance(parts[0], list) and not (parts[0] and isinstance(parts[0][0], str)):
        return list(parts[0])
    return parts


def nodes(code: Code) -> Iterator[Code]:
    """Every node of the code, outermost first."""
    if isinstance(code, list):
        yield code
        for child in children(code):
            yield from nodes(child)


def passed(code: Code) -> frozenset[str]:
    """Names whose pool this code may hand on as it is."""
    if not isinstance(code, list):
        return NO_NAMES
    if code[0] == "get":
        return frozenset((code[1],))
    return passed(code[2]) | passed(code[3]) if code[0] == "if" else NO_NAMES


def feature_of(code: Code, bounds: tuple[Any, ...]) -> Feature:
    match code[0]:
        case "count":
            return ("count", tuple(code[2]), bounds)
        case "count_kind":
            return ("kind", code[2])
        case "net" | "rolled":
            return (code[0], code[2])
        case name:
            return (name,)


def pick(known: tuple[Feature, ...], state: State, wanted: tuple[Feature, ...]) -> State:
    """The wanted features of a pool that was drawn with others."""
    out = []
    for feature in wanted:
        if feature in known:
            out.append(state[known.index(feature)])
        else:  # a count whose bounds were not known: told from the dice themselves
            faces = state[known.index(FACES)]
            out.append(sum(_chain_of(face, feature) for face in faces))
    return tuple(out)


def _chain_of(face: int, feature: Feature) -> bool:
    return all(COMPARE[op](face, bound) for op, bound in zip(feature[1], feature[2], strict=True))


def compose(dice: SymbolDice, code: Code, *numbers: int) -> tuple[tuple[str, int], ...]:
    """Counts of custom dice: added, then upgraded (a basic die joins where none is left), then downgraded."""
    counts: dict[str, int] = {}
    given = iter(numbers)
    basic = {better: die for die, better in dice.upgrades.items()}
    for name, _ in code[1]:
        counts[name] = counts.get(name, 0) + max(0, next(given))
    for name, _ in code[2]:
        for _ in range(max(0, next(given))):
            if counts.get(name, 0):
                counts[name] -= 1
                counts[dice.upgrades[name]] = counts.get(dice.upgrades[name], 0) + 1
            else:
                counts[name] = counts.get(name, 0) + 1
    for name, _ in code[3]:
        plain = name if name in dice.upgrades else basic[name]
        turned = min(max(0, next(given)), counts.get(dice.upgrades[plain], 0))
        counts[dice.upgrades[plain]] = counts.get(dice.upgrades[plain], 0) - turned
        counts[plain] = counts.get(plain, 0) + turned
    return tuple(sorted(counts.items()))


def holds(operators: Sequence[str], *values: Any) -> bool:
    return all(COMPARE[op](a, b) for op, (a, b) in zip(operators, pairwise(values), strict=True))


def _divide(a: Any, b: Any) -> Any:
    return whole(Fraction(a) / b) if b else FAILS


def _times(*values: Any) -> Any:
    out: Any = 1
    for value in values:
        out = out * value
    return whole(out)


def _round(value: Any) -> int:
    nearest: int = floor(abs(value) + Fraction(1, 2))
    return -nearest if value < 0 else nearest


def _mod(a: Any, b: Any) -> Any:
    return whole(a - b * floor(Fraction(a) / b)) if b else FAILS


OPERATIONS: dict[str, Callable[..., Any]] = {
    "-": lambda a, b: whole(a - b),
    "*": _times,
    "/": _divide,
    "neg": lambda a: -a,
    "ceil": ceil,
    "floor": floor,
    "round": _round,
    "abs": abs,
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "clamp": lambda value, low, high: max(low, min(high, value)),
    "mod": _mod,
    "limit": lambda value: value,
    "not": lambda value: not value,
    **COMPARE,
}
