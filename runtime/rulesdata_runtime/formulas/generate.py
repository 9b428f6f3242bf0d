"""Formulas as generated Python: the fast implementation of the node table.

In: code (see nodes.py). Out: a function of a mapping. The source is written from a closed set of nodes (here and in
writer.py) and runs in a namespace without builtins. The one rule: nothing that an author wrote is ever source; names
are string keys, numbers are numbers, the rest is data.

This file holds the only `exec` of the project.
"""

from __future__ import annotations

from .operands import (
    COMPARISONS,
    MOST_SIDES,
    comparisons,
    damaged,
    fixed,
    integer,
    listed,
    many,
    modifiers,
    role,
    word,
)
from .pieces import ATOM, OPEN, OTHER, WHOLE, Piece
from .writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .operands import Code

POOL_PARTS = {"sum": "total", "size": "size", "highest": "highest()", "lowest": "lowest()"}


def function(code: Code, whole_names: frozenset[str] = frozenset()) -> Callable[[Mapping[str, Any]], Any]:
    """The function that evaluates `code`. Values of `whole_names` are taken to be whole numbers, unchecked."""
    writer = FormulaWriter(whole_names)
    answer = writer.settled(writer.piece(code)).src
    return made([f"return {answer}"], writer, code)


def made(statements: list[str], writer: Writer, code: Code) -> Callable[[Mapping[str, Any]], Any]:
    """A function of `v` from its statements. What Python finds wrong in a formula is said in a sentence."""
    body = "".join(f"\n  {statement}" for statement in statements)
    source = f"def made(v):\n try:{body}\n except Faults as e:\n  raise Fault(e, v, Code) from None\n"
    return defined(source, {**writer.namespace, "Code": code})


def defined(source: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    """The function called `made` of a source. The namespace must say what builtins there are: none."""
    exec(compile(source, "<formula>", "exec", dont_inherit=True), namespace)
    return namespace["made"]  # type: ignore[no-any-return] # the source defines it


class FormulaWriter(Writer):
    """A Writer of the whole node table."""

    # --- dice ---

    def roll(self, code: list[Code]) -> Piece:
        count, sides, mods = fixed(code, 3)
        sides = integer(sides, 1, MOST_SIDES)
        return self.asked("roll", self.value(count), repr(sides), self.data(modifiers(mods, sides)), kind=OTHER)

    def digits(self, code: list[Code]) -> Piece:
        sides = tuple(integer(part, 1, 9) for part in listed(fixed(code, 1)[0]))
        return self.asked("digits", repr(sides), kind=OTHER)

    def throw(self, code: list[Code]) -> Piece:
        count, die = fixed(code, 2)
        return self.asked("throw", self.value(count), self.name(die), kind=OTHER)

    def of_pool(self, code: list[Code]) -> Piece:
        """`sum`, `size`, `highest`, `lowest`."""
        return Piece(f"{self.piece(fixed(code, 1)[0]).at(ATOM)}.{POOL_PARTS[code[0]]}", ATOM, WHOLE)

    def count(self, code: list[Code]) -> Piece:
        bounds = many(code, 2)
        pool = self.piece(code[1]).at(ATOM)
        operators = self.data(tuple(comparisons(code[2], len(bounds))))
        return Piece(f"{pool}.count({operators}, {self.values(bounds)})", ATOM, WHOLE)

    def count_kind(self, code: list[Code]) -> Piece:
        pool, die = fixed(code, 2)
        return Piece(f"{self.piece(pool).at(ATOM)}.count_kind({self.name(die)})", ATOM, WHOLE)

    def symbols(self, code: list[Code]) -> Piece:
        """`net`, `rolled`."""
        pool, symbol = fixed(code, 2)
        return self.asked(code[0], self.piece(pool).src, self.name(symbol), kind=WHOLE)

    # --- questions about a character, tables and bands ---

    def has(self, code: list[Code]) -> Piece:
        name, params, owner = fixed(code, 3)
        if params is not None and type(params) is not dict:
            raise damaged("a formula asks for parameters that are none")
        pairs = [f"{word(key)!r}: {self.value(part)}" for key, part in (params or {}).items()]
        return self.asked("has", self.name(name), "{" + ", ".join(pairs) + "}", repr(role(owner)), kind=OTHER)

    def question(self, code: list[Code]) -> Piece:
        """`level`, `remaining`, `carried`, `elapsed`, `overflow`."""
        name, owner = fixed(code, 2)
        return self.asked(code[0], self.name(name), repr(role(owner)))

    def option(self, code: list[Code]) -> Piece:
        return self.asked("option", self.name(fixed(code, 1)[0]))

    def pair(self, code: list[Code]) -> Piece:
        """`same`, `field`: two plain names."""
        first, second = fixed(code, 2)
        kind = OPEN if code[0] == "field" else OTHER
        return self.asked(code[0], repr(word(first)), repr(word(second)), kind=kind)

    def lookup(self, code: list[Code]) -> Piece:
        table, keys, column = fixed(code, 3)
        return self.asked("lookup", self.name(table), self.values(keys), repr(role(column)))

    def bands(self, code: list[Code]) -> Piece:
        """`band`, `distance`, `moves`."""
        name, *rest = fixed(code, 3 if code[0] == "moves" else 2)
        return self.asked(code[0], self.name(name), *(self.value(part) for part in rest))


Writer.nodes.update(
    {
        "frac": Writer.frac,
        "get": Writer.get,
        "member": Writer.get_member,
        "of": Writer.of,
        "of_member": Writer.of_member,
        "field": FormulaWriter.pair,
        "+": Writer.add,
        "-": Writer.add,
        "*": Writer.multiply,
        "/": Writer.divide,
        "neg": Writer.negate,
        "ceil": Writer.ceil,
        "floor": Writer.floor,
        "round": Writer.nearest,
        "abs": Writer.absolute,
        "min": Writer.least,
        "max": Writer.greatest,
        "clamp": Writer.clamp,
        "mod": Writer.modulo,
        "limit": Writer.limit,
        **dict.fromkeys(COMPARISONS, Writer.compare),
        "chain": Writer.chain,
        "and": Writer.both,
        "or": Writer.either,
        "not": Writer.denied,
        "if": Writer.branch,
        "roll": FormulaWriter.roll,
        "digits": FormulaWriter.digits,
        "throw": FormulaWriter.throw,
        **dict.fromkeys(POOL_PARTS, FormulaWriter.of_pool),
        "count": FormulaWriter.count,
        "count_kind": FormulaWriter.count_kind,
        **dict.fromkeys(("net", "rolled"), FormulaWriter.symbols),
        "has": FormulaWriter.has,
        **dict.fromkeys(("level", "remaining", "carried", "elapsed", "overflow"), FormulaWriter.question),
        "option": FormulaWriter.option,
        "same": FormulaWriter.pair,
        "lookup": FormulaWriter.lookup,
        **dict.fromkeys(("band", "distance", "moves"), FormulaWriter.bands),
    }
)
