"""A formula's text cut into words and signs, right or wrong, for counting and for messages.

In: any text. Out: pieces with their places. The one rule: nothing is refused here, every character but white space
lands in some piece. The grammar has its own, strict words; this is how a formula looks to somebody who reads it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from .syntax import At

KEYWORDS = frozenset({"if", "then", "else", "and", "or", "not", "is", "true", "false"})
RESERVED = KEYWORDS | {"base"}

_MODIFIERS = r"(?:k[hl][0-9]*|d[hl][0-9]*|r[0-9]+|min[0-9]+|!)*"
_WORD = r"[^\W\d][\w\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u08ff\u0900-\u109f\u135d-\u135f\u1700-\u1cff]*"

_PIECE = re.compile(
    rf"""
      (?P<text>   "[^"\n]*" | '[^'\n]*' )
    | (?P<dice>   [0-9]+[dD](?:[0-9]|%)[\w!]* | [dD](?:[0-9]+|%){_MODIFIERS}(?:(?<=!)\w[\w!]*|(?![\w!])) )
    | (?P<number> [0-9]+(?:\.[0-9]+)? )
    | (?P<word>   {_WORD} )
    | (?P<sign>   ===|!==|==|!=|=!|~=|<=>|<=|>=|=<|=>|<>|<|>|=|&&|&|\|\||\||\*\*|//|[-+*/−–×÷≤≥≠] )
    | (?P<bracket> [()\[\]] )
    | (?P<other>  [^ \t\r\n] )
    """,
    re.VERBOSE,
)

_DICE_SHAPE = re.compile(rf"[0-9]*[dD](?:[0-9]+|%){_MODIFIERS}")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a formula's text: `text[start:end]` is at fault; `hint` is a cure."""

    code: str
    message: str
    start: int
    end: int
    hint: str | None = None


class FormulaError(Exception):
    """Carries a problem out of the parser."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def refuse(code: str, message: str, at: At, hint: str | None) -> NoReturn:
    raise FormulaError(Problem(code, message, *at, hint))


def cut(text: str) -> str:
    """A word for a message; a long one is cut."""
    return text if len(text) <= 24 else text[:20] + "…"


@dataclass(frozen=True, slots=True)
class Piece:
    """`kind` is text, dice, number, word, sign, bracket, other, or end, which stands once behind the last one."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def keyword(self) -> bool:
        return self.kind == "word" and self.text in KEYWORDS

    @property
    def value(self) -> bool:
        """Whether a value can end with this piece."""
        if self.kind == "word":
            return self.text not in KEYWORDS or self.text in ("true", "false")
        return self.kind in ("text", "dice", "number") or self.text in (")", "]")

    @property
    def begins(self) -> bool:
        """Whether a value can begin with this piece."""
        if self.kind == "word":
            return self.text not in KEYWORDS or self.text in ("true", "false")
        return self.kind in ("text", "dice", "number") or self.text == "("


def scan(text: str) -> list[Piece]:
    """All pieces, and the end."""
    pieces = [Piece(found.lastgroup or "", found[0], *found.span()) for found in _PIECE.finditer(text)]
    pieces.append(Piece("end", "", len(text), len(text)))
    return pieces


def unusable(name: str) -> str | None:
    """Why a name could never be written in a formula, in a few words; None where it can."""
    if name in RESERVED:
        return f"`{name}` is a word of the formula language"
    if _DICE_SHAPE.fullmatch(name):
        return f"`{cut(name)}` looks like dice"
    if not name.isidentifier():
        return f"`{cut(name)}` is not one word of letters, digits and `_` that begins with a letter"
    return None


@dataclass(frozen=True, slots=True)
class Broken:
    """A formula at the piece that the grammar does not take; all before it is well formed so far."""

    text: str
    pieces: tuple[Piece, ...]
    index: int
    expected: frozenset[str]

    @property
    def this(self) -> Piece:
        return self.pieces[self.index]

    @property
    def before(self) -> Piece | None:
        return self.pieces[self.index - 1] if self.index else None

    @property
    def after(self) -> Piece | None:
        return self.pieces[self.index + 1] if self.index + 1 < len(self.pieces) else None

    @property
    def touches(self) -> bool:
        """Whether nothing stands between this piece and the one before."""
        return self.before is not None and self.before.end == self.this.start

    @property
    def value_before(self) -> bool:
        """Whether a value has just ended, so that an operator is wanted."""
        return self.before is not None and self.before.value

    @property
    def behind_dot(self) -> bool:
        return self.before is not None and self.before.text == "."

    def shown(self, start: int, end: int) -> str:
        """A part of the text for a message."""
        return cut(self.text[start:end])

    def value_start(self) -> int:
        """Where the value before this piece begins: one piece, brackets with what they belong to, a path with dots."""
        place = self.index - 1
        while True:
            if self.pieces[place].text in (")", "]"):
                place = self.opening(place)
                place -= self.calls(place)
            if place < 2 or self.pieces[place - 1].text != ".":
                return self.pieces[place].start
            place -= 2

    def value_end(self) -> int:
        """Where the value that this piece begins ends: one piece, or all up to the bracket that closes it."""
        depth = 0
        for piece in self.pieces[self.index :]:
            depth += (piece.text == "(") - (piece.text == ")")
            if depth <= 0:
                return piece.end
        return self.this.end

    def opening(self, closing: int) -> int:
        """The index of the bracket that the one at `closing` closes."""
        depth = 0
        for place in range(closing, -1, -1):
            if self.pieces[place].text in (")", "]"):
                depth += 1
            elif self.pieces[place].text in ("(", "["):
                depth -= 1
                if depth == 0:
                    return place
        return 0

    def open(self) -> list[int]:
        """The indexes of what has begun and not ended: brackets, `if` before its `then`, `then` before its `else`."""
        stack: list[int] = []
        for place, piece in enumerate(self.pieces[: self.index]):
            if piece.text in ("(", "[", "if"):
                stack.append(place)
            elif piece.text in (")", "]"):
                while stack and self.pieces[stack.pop()].text not in ("(", "["):
                    pass
            elif piece.text == "then" and stack:
                stack[-1] = place
            elif piece.text == "else" and stack:
                stack.pop()
        return stack

    def calls(self, bracket: int) -> bool:
        """Whether the bracket at this index holds a function's arguments."""
        before = self.pieces[bracket - 1] if bracket else None
        return before is not None and before.kind == "word" and not before.keyword
