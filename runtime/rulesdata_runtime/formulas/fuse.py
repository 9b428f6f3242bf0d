"""Many values of one mapping in one function: a whole sheet at once.

In: names with their code, in evaluation order. Out: a function from a mapping to their values, in the same
order. What several
formulas share, a variable or a whole sub-expression, is worked out once. The one rule: only what is certainly
evaluated is worked out early, so a branch not taken stays untouched here too. No dice: they would be rolled once
where two formulas ask.
"""

from __future__ import annotations

from .generate import FormulaWriter, made
from .operands import damaged, inside
from .pieces import ATOM, Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from .operands import Code

DICE = frozenset(("roll", "digits", "throw"))


def fuse(
    order: Iterable[tuple[str, Code]], whole_names: frozenset[str] = frozenset()
) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """The function that computes every name of `order`, in that order; a later formula may read an earlier name."""
    pairs = list(order)
    writer = _Sheet(whole_names)
    for _, code in pairs:
        writer.meet(code)
    for name, code in pairs:
        writer.define(name, code)
    return made([*writer.statements, f"return ({''.join(writer.answers)})"], writer, [code for _, code in pairs])


class _Sheet(FormulaWriter):
    """`uses` counts the places where each code stands, equal ones taken together; `answers` the parts of the result."""

    def __init__(self, whole_names: frozenset[str]) -> None:
        super().__init__(whole_names)
        self.uses: dict[str, int] = {}
        self.statements: list[str] = []
        self.answers: list[str] = []

    def meet(self, code: Code) -> None:
        """Count a formula's code; what stands inside an equal one was counted with it."""
        if type(code) is not list or not code:
            return
        if code[0] in DICE:
            raise damaged("the value of a sheet rolls dice")
        key = repr(code)
        self.uses[key] = self.uses.get(key, 0) + 1
        if self.uses[key] == 1:
            for part in inside(code):
                self.meet(part)

    def define(self, name: str, code: Code) -> None:
        """Write the statements for one name."""
        self.prepare(code)
        piece = self.piece(code)
        if piece.const is None and not piece.src.isidentifier():
            piece = self.keep(piece)
        self.known[repr(["get", name])] = piece
        self.answers.append(f"{self.settled(piece).src}, ")

    def prepare(self, code: Code) -> None:
        """Put what is shared, and certainly evaluated, into variables; the innermost first."""
        if type(code) is not list or not code:
            return
        key = repr(code)
        if key in self.known:
            return
        for part in certain(code):
            self.prepare(part)
        if self.uses.get(key, 0) > 1 and code[0] != "frac":
            piece = self.piece(code)
            self.known[key] = piece if piece.const is not None or piece.src.isidentifier() else self.keep(piece)

    def keep(self, piece: Piece) -> Piece:
        """The piece in a variable of its own; the denominator is not divided by."""
        name = self.temporary()
        self.statements.append(f"{name} = {piece.src}")
        return Piece(name, ATOM, piece.kind, piece.den)


def certain(code: list[Code]) -> list[Code]:
    """Those parts that are evaluated whenever the node is."""
    parts = inside(code)
    match code[0]:
        case "if" | "and" | "or":
            return parts[:1]
        case "chain":
            return parts[:2]
    return parts
