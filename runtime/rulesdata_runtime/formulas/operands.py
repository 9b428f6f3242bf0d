"""The operands of a node, read the same way by every implementation, and the refusals that all of them share.

In: code as the artifact holds it (see nodes.py). Out: its parts, or ArtifactError where it is no code at all: the
compiler made it, so code that does not fit the node table came from a damaged file. The one rule: nothing is taken
on trust here but the types that the compiler agreed.
"""

from __future__ import annotations

from ..errors import ArtifactError, BadInput, NoValue, RulesError, UnknownName
from ..plainly import brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Code: TypeAlias = Any

MOST_SIDES = 1_000_000
COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
KEEPS = frozenset(("kh", "kl", "dh", "dl"))
# What Python raises inside a formula; `fault` says it in a sentence.
FAULTS = (ZeroDivisionError, KeyError, TypeError, AttributeError)


def damaged(what: str) -> ArtifactError:
    return ArtifactError(f"{what}: the artifact is damaged, build it again")


def node(code: Code) -> str:
    """The name of a node; `code` is a list."""
    if type(code) is list and code and type(code[0]) is str:
        return str(code[0])
    raise damaged(f"a formula holds {str(code)[:40]!r}, which is no code")


def fixed(code: list[Code], count: int) -> list[Code]:
    """The operands of a node that has `count` of them."""
    if len(code) != count + 1:
        raise damaged(f"the node {code[0]!r} of a formula has {len(code) - 1} operands, not {count}")
    return code[1:]


def many(code: list[Code], before: int = 0) -> list[Code]:
    """The operands told as `xs`: one list after `before` other operands, or written out one after another."""
    parts = code[before + 1 :]
    if len(parts) == 1 and type(parts[0]) is list and not (parts[0] and type(parts[0][0]) is str):
        parts = parts[0]
    if not parts:
        raise damaged(f"the node {code[0]!r} of a formula has no operands")
    return parts


def listed(parts: Code) -> list[Code]:
    if type(parts) is not list:
        raise damaged("a formula holds something else where operands should stand")
    return parts


def terms(code: list[Code]) -> list[tuple[bool, Code]]:
    """The terms of a sum, in order, with whether each is taken away; a long chain of differences costs no depth."""
    found: list[tuple[bool, Code]] = []
    while True:
        match code:
            case ["-", first, last]:
                found.append((True, last))
            case ["+", *_]:
                first, *rest = many(code)
                found.extend((False, part) for part in reversed(rest))
            case ["-", *_]:
                fixed(code, 2)
            case _:
                found.append((False, code))
                found.reverse()
                return found
        code = first


def comparisons(operators: Code, operands: int) -> list[str]:
    """Checked comparison operators, one for each of `operands`."""
    if type(operators) is not list or len(operators) != operands or not COMPARISONS.issuperset(operators):
        raise damaged("a formula compares with something that is no comparison")
    return operators


def word(name: Code) -> str:
    """A plain name: an id, a symbol, a column."""
    if type(name) is not str:
        raise damaged("a formula lacks a name")
    return name


def role(name: Code) -> str | None:
    return None if name is None else word(name)


def integer(value: Code, low: int, high: int | None = None) -> int:
    if type(value) is not int or value < low or (high is not None and value > high):
        raise damaged(f"a formula holds {str(value)[:40]!r} where a number from {low} should stand")
    return value


def modifiers(mods: Code, sides: int) -> dict[str, Any]:
    """The modifiers of a `roll` node, checked."""
    if mods is None:
        return {}
    if type(mods) is not dict or not mods.keys() <= {"r", "min", "explode", "keep"}:
        raise damaged("dice have modifiers that are none")
    for face in listed(mods.get("r", [])):
        integer(face, 1)
    if "min" in mods:
        integer(mods["min"], 1, sides)
    if type(mods.get("explode", False)) is not bool:
        raise damaged("dice have modifiers that are none")
    if "keep" in mods:
        match mods["keep"]:
            case [str(keep), int(count)] if keep in KEEPS and count >= 0:
                pass
            case _:
                raise damaged("dice have modifiers that are none")
    return mods


def inside(code: list[Code]) -> list[Code]:
    """Everything that stands in a node where code may stand, in order of evaluation (plain names among it)."""
    match code[0]:
        case "frac" | "get" | "digits":
            return []
        case "+" | "*" | "min" | "max" | "and" | "or":
            return many(code)
        case "chain":
            return many(code, 1)
        case "count":
            return [code[1], *many(code, 2)]
        case "roll":
            return code[1:2]
        case "lookup":
            return [code[1], *listed(code[2])]
        case "has":
            return [code[1], *(code[2] or {}).values()]
    return code[1:]


def names(code: Code) -> set[str]:
    """Every plain name that the code reads with `get`."""
    found: set[str] = set()
    todo = [code]
    while todo:
        match todo.pop():
            case ["get", str(name)]:
                found.add(name)
            case list(parts):
                todo.extend(parts)
            case dict(parts):
                todo.extend(parts.values())
    return found


def fault(problem: BaseException, v: Mapping[str, Any], code: Code) -> BaseException:
    """What to raise in place of an exception of Python's; the exception itself where the formula is not at fault."""
    match problem:
        case ZeroDivisionError():
            return NoValue("a formula divides by 0")
        case KeyError() if problem.args and problem.args[0] in names(code) and not hasattr(v, "__missing__"):
            return UnknownName(f"{problem.args[0]} has no value here, and a formula needs one")
        case AttributeError() if problem.obj is v:
            return BadInput(f"a formula asks for {problem.name} of a character, and there is only a list of values")
        case TypeError() | AttributeError():
            return wrong_value(v, code) or problem
    return problem


def no_mapping(given: object) -> BadInput:
    """The refusal of what is no mapping of names to values."""
    return BadInput(f"a formula reads values by name, such as {{'name': 1}}, and was given {brief(given)}")


def wrong_value(v: Mapping[str, Any], code: Code) -> RulesError | None:
    """The first value among those a formula reads that can be none of the rules' values."""
    if not hasattr(v, "get"):
        return no_mapping(v)
    for name in sorted(names(code)):
        value = v.get(name, 0)
        if type(value).__module__ == "builtins" and not isinstance(value, int | float):
            return BadInput(f"{name} is {brief(value)}, and a formula needs a number there")
        if isinstance(value, float):
            return BadInput(f"{name} is {value}, a floating-point number; give a whole number or a fraction")
    return None
