"""What the parser has matched, turned into syntax: one method for each rule and alias of `grammar.lark`.

In: a rule's children, tokens and nodes made before. Out: its node, with its place in the formula's text. The one rule:
a node is made here once and never changed, but for its place, which grows to take in the brackets around it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from .parse_dice import check_count, read_dice
from .parse_spellings import bad_letter
from .parse_tokens import KEYWORDS, FormulaError, cut, refuse, unusable
from .syntax import (
    At,
    Call,
    Compare,
    Dice,
    Expr,
    If,
    Index,
    Junction,
    Member,
    Name,
    Negate,
    Not,
    Number,
    Product,
    Sum,
    Text,
    Truth,
)

if TYPE_CHECKING:
    from lark import Token

MAX_NUMBER = 2**53 - 1

# Tokens and nodes in the order of the rule; which they are, the grammar line in the docstring says.
Children: TypeAlias = list[Any]

_COMPARISONS = {"≠": "!=", "≤": "<=", "≥": ">="}
_MINUS = {"−": "-", "–": "-"}
_FACTORS = {"×": "*", "÷": "/"}


class Nodes:
    """The methods Lark calls while it parses; it holds no state."""

    def plus_number(self, children: Children) -> Expr:
        """PLUS NUMBER"""
        plus, number = children
        return replace(read_number(number, number.start_pos), at=(plus.start_pos, number.end_pos))

    def choice(self, children: Children) -> Expr:
        """IF expr THEN expr ELSE expr"""
        word, test, _, then, _, otherwise = children
        return If(test, then, otherwise, (word.start_pos, otherwise.at[1]))

    def either(self, children: Children) -> Expr:
        """both (OR both)*"""
        return Junction("or", tuple(children[::2]), _around(children))

    def both(self, children: Children) -> Expr:
        """denial (AND denial)*"""
        return Junction("and", tuple(children[::2]), _around(children))

    def not_(self, children: Children) -> Expr:
        """NOT denial"""
        word, of = children
        return Not(of, (word.start_pos, of.at[1]))

    def comparison(self, children: Children) -> Expr:
        """sum (comparator sum)*"""
        return Compare(tuple(children[::2]), tuple(children[1::2]), _around(children))

    def comparator(self, children: Children) -> str:
        """COMPARE | IS | IS NOT"""
        if len(children) == 2:
            return "is not"
        sign = str(children[0])
        return _COMPARISONS.get(sign, sign)

    def sum(self, children: Children) -> Expr:
        """product ((PLUS | MINUS) product)*"""
        return Sum(tuple(children[::2]), _signs(children, _MINUS), _around(children))

    def product(self, children: Children) -> Expr:
        """signed ((TIMES | OVER) signed)*"""
        return Product(tuple(children[::2]), _signs(children, _FACTORS), _around(children))

    def negate(self, children: Children) -> Expr:
        """MINUS signed"""
        minus, of = children
        return Negate(of, (minus.start_pos, of.at[1]))

    def bracket(self, children: Children) -> Expr:
        """LPAR expr RPAR"""
        opening, inner, closing = children
        bracketed: Expr = replace(inner, at=(opening.start_pos, closing.end_pos))
        return bracketed

    def number(self, children: Children) -> Expr:
        """NUMBER"""
        return read_number(children[0], children[0].start_pos)

    def text(self, children: Children) -> Expr:
        """TEXT"""
        return Text(unicodedata.normalize("NFC", children[0][1:-1]), _at(children[0]))

    def true(self, children: Children) -> Expr:
        """TRUE"""
        return Truth(True, _at(children[0]))

    def false(self, children: Children) -> Expr:
        """FALSE"""
        return Truth(False, _at(children[0]))

    def name(self, children: Children) -> Expr:
        """NAME"""
        return Name(read_name(children[0], children[0].start_pos, alone=True), _at(children[0]))

    def index(self, children: Children) -> Expr:
        """NAME _LSQB expr RSQB"""
        name, key, closing = children
        return Index(read_name(name, name.start_pos), key, (name.start_pos, closing.end_pos))

    def member(self, children: Children) -> Expr:
        """path _DOT NAME | path _DOT NAME _LSQB expr RSQB"""
        of, name = children[:2]
        key, end = (children[2], children[3].end_pos) if len(children) > 2 else (None, name.end_pos)
        return Member(of, read_name(name, name.start_pos), (of.at[0], end), key)

    def call(self, children: Children) -> Expr:
        """NAME LPAR (argument (_SEP argument)*)? RPAR"""
        name, closing = children[0], children[-1]
        args: list[Expr] = []
        named: dict[str, Expr] = {}
        for argument in children[2:-1]:
            if not isinstance(argument, tuple):
                if named:
                    message = "an argument without a name stands behind one with a name"
                    refuse("F322", message, argument.at, "write the arguments without names first")
                args.append(argument)
                continue
            token, value = argument
            key = read_name(token, token.start_pos)
            if key in named:
                refuse("F322", f"the argument `{cut(key)}` is given twice", _at(token), "give it once")
            named[key] = value
        return Call(_function(name), tuple(args), tuple(named.items()), (name.start_pos, closing.end_pos))

    def named(self, children: Children) -> tuple[Token, Expr]:
        """NAME _COLON expr"""
        return children[0], children[1]

    def die(self, children: Children) -> Expr:
        """DIE"""
        return read_dice(children[0], _at(children[0]))

    counted = die

    def pool(self, children: Children) -> Expr:
        """LPAR expr RPAR DIE"""
        opening, count, _, word = children
        return read_dice(word, _at(word), count, opening.start_pos)

    def custom(self, children: Children) -> Expr:
        """DIE_OPEN NAME RSQB"""
        opening, name, closing = children
        return _custom(None, name, (opening.start_pos, closing.end_pos))

    def counted_custom(self, children: Children) -> Expr:
        """COUNTED_OPEN NAME RSQB"""
        opening, name, closing = children
        digits = opening[: opening.index("d")]
        count = read_number(digits, opening.start_pos)
        return _custom(count, name, (opening.start_pos, closing.end_pos))

    def pool_custom(self, children: Children) -> Expr:
        """LPAR expr RPAR DIE_OPEN NAME RSQB"""
        opening, count, _, _, name, closing = children
        return _custom(count, name, (opening.start_pos, closing.end_pos))


def read_number(text: str, start: int) -> Number:
    """A number's exact value: whole, or a fraction where its decimals say one."""
    at = (start, start + len(text))
    if len(text) <= 15 and "." not in text:
        return Number(int(text), at)
    value = Fraction(text)
    if value.numerator > MAX_NUMBER or value.denominator > MAX_NUMBER:
        what = "has too many decimals" if value <= MAX_NUMBER else "is too large"
        limit = f"numbers end at {MAX_NUMBER} (2^53 - 1), above and below a fraction line as well"
        refuse("F305", f"the number `{cut(text)}` {what}", at, limit)
    return Number(value.numerator if value.denominator == 1 else value, at)


def read_name(text: str, start: int, *, alone: bool = False) -> str:
    """A name in its normal form (NFC); `alone` where `base` may stand."""
    name = unicodedata.normalize("NFC", str(text))
    reason = None if alone and name == "base" else unusable(name)
    if reason is None:
        return name
    at = (start, start + len(text))
    if "dice" in reason:
        fixed = cut(name.lower())
        cure = (
            f"for the roll write `{fixed}`; a name has another shape"
            if not name.islower()
            else "a name has another shape"
        )
        refuse("F320", f"{reason}, so it cannot be a name", at, cure)
    if name.isidentifier():
        refuse("F319", f"{reason} and cannot be a name", at, "choose another name")
    raise FormulaError(bad_letter(text, start))


def _function(name: Token) -> str:
    word = name.lower()
    if word == "d":
        refuse(
            "F330",
            "the sides of a die are a written number, not a formula",
            _at(name),
            "write `d6`; to choose a die, write `if … then d6 else d8`",
        )
    if word in KEYWORDS:
        cure = {
            "if": "write `if … then … else …`",
            "and": "write `and` between the two: `… and …`",
            "or": "write `or` between the two: `… or …`",
            "not": "write `not …`",
        }.get(word, f"write `{word}`")
        refuse("F307", f"`{name}(…)` is no function here", _at(name), cure)
    return read_name(name, _at(name)[0])


def _custom(count: Expr | None, name: Token, at: At) -> Dice:
    if count is not None:
        check_count(count, at)
    return Dice(count, read_name(name, _at(name)[0]), at=at)


def _around(children: Children) -> At:
    return children[0].at[0], children[-1].at[1]


def _at(token: Token) -> At:
    start = token.start_pos
    assert start is not None
    return start, start + len(token)


def _signs(children: Children, spellings: dict[str, str]) -> tuple[str, ...]:
    return tuple(spellings.get(sign, str(sign)) for sign in children[1::2])
