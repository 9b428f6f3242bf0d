"""Source for the nodes of arithmetic and truth, and what every node's source is made of.

In: code. Out: pieces (see pieces.py). Names of the rules' author stand in the source as string keys through `repr`
only, numbers through `repr`, everything else as an object under a name of ours. The one rule: evaluation is left to
right and only of the taken branch, as the node table says; what is rewritten is arithmetic, never order.
"""

from __future__ import annotations

from .numbers import LIMIT, clamped, fraction, limited, quotient, rounded, whole
from .operands import FAULTS, comparisons, damaged, fault, fixed, integer, listed, many, node, terms, word
from .pieces import (
    AND,
    ATOM,
    IF,
    LOOSE,
    MUL,
    NEG,
    NOT,
    NUMBER,
    OPEN,
    OR,
    WHOLE,
    Piece,
    alike,
    common,
    compared,
    constant,
    divided,
    down,
    negated,
    product,
    times,
    total,
    up,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .operands import Code

# Names that generated source may use, beside `v`, `t0`, `t1` (values on the way) and `k0`, `k1` (plain data).
HELPERS: dict[str, Any] = {
    "__builtins__": {},
    "Clamp": clamped,
    "Fault": fault,
    "Faults": FAULTS,
    "Int": int,
    "Limit": limited,
    "Quotient": quotient,
    "Round": rounded,
    "Type": type,
    "Whole": whole,
}


class Writer:
    """Writes the source of one function. `known` holds pieces for code that already has its value in a variable, by
    its `repr`; `whole_names` the names whose values are certainly whole numbers."""

    # What writes each node; generate.py fills it in.
    nodes: dict[str, Callable[[Any, list[Code]], Piece]] = {}  # noqa: RUF012 - one table, shared on purpose

    def __init__(self, whole_names: frozenset[str] = frozenset()) -> None:
        self.whole_names = whole_names
        self.temporaries = 0
        self.namespace: dict[str, Any] = dict(HELPERS)
        self.known: dict[str, Piece] = {}

    # --- small parts ---

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries - 1}"

    def once(self, piece: Piece) -> tuple[str, str]:
        """Source that evaluates the piece, and the name under which it can be read again."""
        if piece.src.isidentifier() or piece.const is not None:
            return piece.src, piece.src
        name = self.temporary()
        return f"({name} := {piece.src})", name

    def data(self, value: Any) -> str:
        """Plain data under a name of ours."""
        name = f"k{len(self.namespace)}"
        self.namespace[name] = value
        return name

    def piece(self, code: Code) -> Piece:
        """The source of any code."""
        kind = type(code)
        if kind is int:
            return constant(code)
        if kind is list:
            if self.known and (found := self.known.get(repr(code))) is not None:
                return found
            write = self.nodes.get(node(code))
            if write is None:
                raise damaged(f"a formula holds an unknown node {code[0]!r}")
            return write(self, code)
        if code is None or kind is bool or kind is str:
            return Piece(repr(code))
        raise damaged(f"a formula holds {str(code)[:40]!r}, which is no code")

    def settled(self, piece: Piece) -> Piece:
        """The value itself: denominator 1, and an int where it is whole."""
        if piece.den > 1:
            if piece.const is not None:
                return Piece(self.data(fraction(piece.const, piece.den)), ATOM, NUMBER)
            return Piece(f"Quotient({piece.src}, {piece.den})", ATOM, NUMBER)
        if piece.kind == LOOSE:
            first, name = self.once(piece)
            return Piece(f"({name} if Type({first}) is Int else Whole({name}))", ATOM, NUMBER)
        return piece

    def value(self, code: Code) -> str:
        """Source of a settled value, to stand as an argument."""
        return self.settled(self.piece(code)).src

    def values(self, codes: Code) -> str:
        """Source of a tuple of settled values."""
        return "(" + "".join([f"{self.value(code)}, " for code in listed(codes)]) + ")"

    def name(self, name: Code) -> str:
        """A name, or the code of one: a parameter that holds an id, or a family's member, which stands for its own."""
        if type(name) is list:
            return self.member(*fixed(name, 2)) if name[:1] == ["member"] else self.value(name)
        return repr(word(name))

    def member(self, family: Code, key: Code) -> str:
        """The name of a family's member: `family[key]`."""
        if type(key) is str:
            return repr(f"{word(family)}[{key}]")
        return f"{word(family).replace('%', '%%') + '[%s]'!r} % ({self.value(key)},)"

    # --- nodes: values ---

    def frac(self, code: list[Code]) -> Piece:
        numerator, den = fixed(code, 2)
        return constant(integer(numerator, -LIMIT, LIMIT), integer(den, 1, LIMIT))

    def get(self, code: list[Code]) -> Piece:
        name = word(fixed(code, 1)[0])
        return Piece(f"v[{name!r}]", ATOM, WHOLE if name in self.whole_names else OPEN)

    def get_member(self, code: list[Code]) -> Piece:
        return Piece(f"v[{self.member(*fixed(code, 2))}]", ATOM, OPEN)

    def of(self, code: list[Code]) -> Piece:
        owner, name = fixed(code, 2)
        return self.asked("of", repr(word(owner)), repr(word(name)))

    def of_member(self, code: list[Code]) -> Piece:
        owner, family, key = fixed(code, 3)
        return self.asked("of", repr(word(owner)), self.member(family, key))

    def asked(self, method: str, *arguments: str, kind: int = OPEN) -> Piece:
        """What the mapping itself answers."""
        return Piece(f"v.{method}({', '.join(arguments)})", ATOM, kind)

    # --- nodes: arithmetic ---

    def add(self, code: list[Code]) -> Piece:
        return total([(minus, self.piece(part)) for minus, part in terms(code)])

    def multiply(self, code: list[Code]) -> Piece:
        return product([self.piece(part) for part in many(code)])

    def divide(self, code: list[Code]) -> Piece:
        above, below = self.division(code)
        if below.const:
            return divided(above, below)
        return Piece(f"Quotient({above.src}, {below.src})", ATOM, NUMBER)

    def division(self, code: list[Code]) -> tuple[Piece, Piece]:
        """Dividend and divisor; over one denominator where the divisor is not known, so that it can be left out."""
        above, below = (self.piece(part) for part in fixed(code, 2))
        if below.const:
            return above, below
        (above, below), _ = common((above, below))
        return above, below

    def negate(self, code: list[Code]) -> Piece:
        return times(self.piece(fixed(code, 1)[0]), -1)

    def floor(self, code: list[Code]) -> Piece:
        return self.rounding(code, 1, down)

    def ceil(self, code: list[Code]) -> Piece:
        return self.rounding(code, -1, up)

    def rounding(self, code: list[Code], sign: int, known: Callable[[Piece], Piece]) -> Piece:
        """A quotient is rounded by one integer division, whatever divides it."""
        inner = fixed(code, 1)[0]
        if type(inner) is list and inner and inner[0] == "/" and repr(inner) not in self.known:
            above, below = self.division(inner)
            if not below.const:
                piece = Piece(f"{times(above, sign).at(MUL)} // {below.at(NEG)}", MUL, WHOLE)
                return piece if sign > 0 else negated(piece)
            return known(divided(above, below))
        return known(self.piece(inner))

    def nearest(self, code: list[Code]) -> Piece:
        piece = self.piece(fixed(code, 1)[0])
        if piece.const is not None:
            return constant(rounded(fraction(piece.const, piece.den)))
        if piece.den == 1:
            return piece if piece.kind == WHOLE else Piece(f"Round({piece.src})", ATOM, WHOLE)
        if piece.den % 2:
            piece = times(piece, 2)
            den, half = 2 * piece.den, piece.den
        else:
            den, half = piece.den, piece.den // 2
        first, name = self.once(piece)
        text = f"({name} + {half}) // {den} if {first} >= 0 else -(({half} - {name}) // {den})"
        return Piece(text, IF, WHOLE)

    def absolute(self, code: list[Code]) -> Piece:
        piece = self.piece(fixed(code, 1)[0])
        if piece.const is not None:
            return constant(abs(piece.const), piece.den)
        first, name = self.once(piece)
        return Piece(f"{name} if {first} >= 0 else -{name}", IF, piece.kind, piece.den)

    def least(self, code: list[Code]) -> Piece:
        return self.chosen(code, "<")

    def greatest(self, code: list[Code]) -> Piece:
        return self.chosen(code, ">")

    def chosen(self, code: list[Code], operator: str) -> Piece:
        """`min` or `max`: a conditional for each pair, as quick as one written by hand."""
        first, *rest = many(code)
        held = self.piece(first)
        for part in rest:
            (a, b), den = common((held, self.piece(part)))
            if a.const is not None and b.const is not None:
                held = constant(min(a.const, b.const) if operator == "<" else max(a.const, b.const), den)
                continue
            if a.const is not None:  # a constant goes behind: it needs no name
                a, b = b, a
            (first, left), (second, right) = self.once(a), self.once(b)
            text = f"{left} if {first} {operator} {second} else {right}"
            held = Piece(text, IF, alike([a, b]), den)
        return held

    def clamp(self, code: list[Code]) -> Piece:
        value, low, high = fixed(code, 3)
        (piece, least, most), den = common(self.piece(part) for part in (value, low, high))
        if least.const is not None and most.const is not None and least.const <= most.const:
            first, name = self.once(piece)
            text = f"{least.src} if {first} < {least.src} else {most.src} if {name} > {most.src}"
            return Piece(f"{text} else {name}", IF, alike([piece, least, most]), den)
        if den > 1:  # settled, so that the message of crossed ends shows the true numbers
            piece, least, most = (self.settled(self.piece(part)) for part in (value, low, high))
        return Piece(f"Clamp({piece.src}, {least.src}, {most.src})", ATOM, alike([piece, least, most]))

    def modulo(self, code: list[Code]) -> Piece:
        (a, b), den = common(self.piece(part) for part in fixed(code, 2))
        return Piece(f"{a.at(MUL)} % {b.at(NEG)}", MUL, WHOLE if a.kind == b.kind == WHOLE else LOOSE, den)

    def limit(self, code: list[Code]) -> Piece:
        piece = self.piece(fixed(code, 1)[0])
        if piece.const is not None and piece.den == 1 and abs(piece.const) <= LIMIT:
            return piece
        if piece.den > 1:
            return Piece(f"Limit({self.settled(piece).src})", ATOM, NUMBER)
        first, name = self.once(piece)
        if piece.kind == WHOLE:
            return Piece(f"{name} if -{LIMIT} <= {first} <= {LIMIT} else Limit({name})", IF, WHOLE)
        text = f"{name} if Type({first}) is Int and -{LIMIT} <= {name} <= {LIMIT} else Limit({name})"
        return Piece(text, IF, NUMBER)

    # --- nodes: truth ---

    def compare(self, code: list[Code]) -> Piece:
        return self.comparison([code[0]], fixed(code, 2))

    def chain(self, code: list[Code]) -> Piece:
        operands = many(code, 1)
        return self.comparison(comparisons(code[1], len(operands) - 1), operands)

    def comparison(self, operators: list[str], operands: list[Code]) -> Piece:
        pieces = [self.piece(part) for part in operands]
        scaled = any(piece.den > 1 for piece in pieces)
        if scaled and not {"==", "!="}.isdisjoint(operators) and not all(piece.sure for piece in pieces):
            pieces = [self.settled(piece) for piece in pieces]  # what is compared may be no number: it cannot be scaled
        return compared(operators, pieces)

    def both(self, code: list[Code]) -> Piece:
        return Piece(" and ".join([self.piece(part).at(AND + 1) for part in many(code)]), AND)

    def either(self, code: list[Code]) -> Piece:
        return Piece(" or ".join([self.piece(part).at(OR + 1) for part in many(code)]), OR)

    def denied(self, code: list[Code]) -> Piece:
        return Piece(f"not {self.piece(fixed(code, 1)[0]).at(NOT)}", NOT)

    def branch(self, code: list[Code]) -> Piece:
        test, *sides = (self.piece(part) for part in fixed(code, 3))
        den = 1
        if sides[0].den > 1 or sides[1].den > 1:
            if sides[0].sure and sides[1].sure:
                sides, den = common(sides)
            else:
                sides = [self.settled(piece) for piece in sides]
        kind = alike(sides)
        return Piece(f"{sides[0].at(OR)} if {test.at(OR)} else {sides[1].at(IF)}", IF, kind, den)
