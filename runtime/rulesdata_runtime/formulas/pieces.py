"""Pieces of generated source: numbers kept as `numerator / constant denominator`, so that exact is also fast.

In: pieces. Out: pieces. A piece is Python source with its binding strength, what is known about its value, and a
denominator: the value is `src / den`. The one rule: nothing is divided before it must be. `ceil` and `floor` of a
piece are then one integer division, comparisons scale both sides, and a Fraction is made only for a result that is
not whole. All of it holds for variables that are Fractions themselves: `//` of a Fraction is exact and whole.
"""

from __future__ import annotations

from math import gcd, lcm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Binding strength, loosest first.
IF, OR, AND, NOT, COMPARE, ADD, MUL, NEG, ATOM = range(1, 10)

# What is known of a value. A number is `settled` where a whole value is certainly an int.
WHOLE = 0  # an int
NUMBER = 1  # a settled number
OPEN = 2  # settled, perhaps no number: what a name or a question gives
LOOSE = 3  # a number, perhaps a Fraction with denominator 1
OTHER = 4  # a truth, a text, none or a pool


class Piece:
    """`const` is the numerator where the value is known while writing; `minus` is the piece with the other sign,
    where that one is shorter."""

    __slots__ = ("const", "den", "kind", "level", "minus", "src")

    def __init__(self, src: str, level: int = ATOM, kind: int = OTHER, den: int = 1, const: int | None = None) -> None:
        self.src = src
        self.level = level
        self.kind = kind
        self.den = den
        self.const = const
        self.minus: Piece | None = None

    def at(self, level: int) -> str:
        """The source, in brackets where it binds looser than `level`."""
        return self.src if self.level >= level else f"({self.src})"

    @property
    def sure(self) -> bool:
        """Certainly a number, so that it may be multiplied."""
        return self.kind in (WHOLE, NUMBER, LOOSE)


def constant(numerator: int, den: int = 1) -> Piece:
    shared = gcd(numerator, den)
    numerator //= shared
    return Piece(repr(numerator), ATOM if numerator >= 0 else NEG, WHOLE, den // shared, numerator)


def times(piece: Piece, factor: int) -> Piece:
    """The numerator times a constant; the denominator stands."""
    if factor == 1:
        return piece
    if piece.const is not None:
        product = piece.const * factor
        return Piece(repr(product), ATOM if product >= 0 else NEG, WHOLE, piece.den, product)
    if piece.minus is not None:
        return negated(times(piece.minus, factor))
    if factor == -1:
        return Piece(f"-{piece.at(NEG)}", NEG, piece.kind, piece.den)
    kind = WHOLE if piece.kind == WHOLE else LOOSE
    return Piece(f"{factor} * {piece.at(NEG)}", MUL, kind, piece.den)


def negated(piece: Piece) -> Piece:
    """The other sign, where `piece` is the shorter one to write."""
    found = Piece(f"-{piece.at(NEG)}", NEG, piece.kind, piece.den)
    found.minus = piece
    return found


def common(pieces: Iterable[Piece]) -> tuple[list[Piece], int]:
    """The same values over one denominator."""
    found = list(pieces)
    den = lcm(*(piece.den for piece in found))
    if den == 1:
        return found, 1
    return [times(piece, den // piece.den) for piece in found], den


def total(parts: list[tuple[bool, Piece]]) -> Piece:
    """A sum; each part comes with whether it is taken away."""
    scaled, den = common(piece for _, piece in parts)
    if all(piece.const is not None for piece in scaled):
        known = [
            -(piece.const or 0) if minus else piece.const or 0 for (minus, _), piece in zip(parts, scaled, strict=True)
        ]
        return constant(sum(known), den)
    text: list[str] = []
    for (minus, _), piece in zip(parts, scaled, strict=True):
        if not text:
            text.append(f"-{piece.at(NEG)}" if minus else piece.at(ADD))
        elif piece.minus is not None:
            text.append(f" + {piece.minus.at(MUL)}" if minus else f" - {piece.minus.at(MUL)}")
        else:
            text.append(f" - {piece.at(MUL)}" if minus else f" + {piece.at(MUL)}")
    unsure = [piece.kind for piece in scaled if piece.kind != WHOLE]
    kind = WHOLE if not unsure else NUMBER if len(unsure) == 1 and unsure[0] != LOOSE else LOOSE
    return Piece("".join(text), ADD, kind, den)


def product(pieces: list[Piece]) -> Piece:
    factor, den = 1, 1
    rest = []
    for piece in pieces:
        den *= piece.den
        if piece.const is None:
            rest.append(piece)
        else:
            factor *= piece.const
    shared = gcd(factor, den)
    factor, den = factor // shared, den // shared
    if not rest:
        return constant(factor, den)
    if len(rest) == 1:
        return times(over(rest[0], den), factor)
    text = " * ".join([rest[0].at(MUL), *(piece.at(NEG) for piece in rest[1:])])
    kind = WHOLE if all(piece.kind == WHOLE for piece in rest) else LOOSE
    return times(Piece(text, MUL, kind, den), factor)


def divided(piece: Piece, by: Piece) -> Piece:
    """By a constant that is not 0."""
    assert by.const
    factor, den = by.den, piece.den * by.const
    if den < 0:
        factor, den = -factor, -den
    if piece.const is not None:
        return constant(piece.const * factor, den)
    shared = gcd(factor, den)
    return times(over(piece, den // shared), factor // shared)


def over(piece: Piece, den: int) -> Piece:
    """The same numerator over another denominator."""
    found = Piece(piece.src, piece.level, piece.kind, den)
    if piece.minus is not None:
        found.minus = over(piece.minus, den)
    return found


def down(piece: Piece) -> Piece:
    """The next whole number below."""
    if piece.const is not None:
        return constant(piece.const // piece.den)
    if piece.den == 1 and piece.kind == WHOLE:
        return piece
    return Piece(f"{piece.at(MUL)} // {piece.den}", MUL, WHOLE)


def up(piece: Piece) -> Piece:
    """The next whole number above."""
    if piece.const is not None:
        return constant(-(-piece.const // piece.den))
    if piece.den == 1 and piece.kind == WHOLE:
        return piece
    return negated(Piece(f"{times(piece, -1).at(NEG)} // {piece.den}", MUL, WHOLE))


def compared(operators: list[str], pieces: list[Piece]) -> Piece:
    """`a < b <= c`: operands over one denominator, the denominator left out."""
    scaled, _ = common(pieces)
    text = [scaled[0].at(ADD)]
    for operator, piece in zip(operators, scaled[1:], strict=True):
        text.append(f"{operator} {piece.at(ADD)}")
    return Piece(" ".join(text), COMPARE)


def alike(pieces: list[Piece]) -> int:
    """What is known of a value that is one of these."""
    kinds = {piece.kind for piece in pieces}
    if len(kinds) == 1:
        return kinds.pop()
    if LOOSE in kinds:
        return LOOSE
    return OPEN if kinds & {OPEN, OTHER} else NUMBER
