"""Formula text -> syntax.

In: the text of one formula. Out: its syntax, or the one problem with it, both with places as offsets in that text (who
knows the file moves them there). The one rule: any text gives one or the other; nothing is raised. Only this file knows
Lark, and brings it in when the first formula needs it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from .parse_errors import explain
from .parse_limits import MAX_LENGTH, MAX_NESTING, check_text, check_tree, parts
from .parse_nodes import Nodes, read_name, read_number
from .parse_tokens import KEYWORDS, FormulaError, Problem, unusable
from .syntax import Dice, Expr, Name, Negate, Number

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["Problem", "parse", "parts", "unusable"]

_ONE_NUMBER = re.compile(r"(-?)([0-9]+(?:\.[0-9]+)?)")
_ONE_NAME = re.compile(r"[^\W\d]\w*")
_MINUS_DICE = re.compile(r"[-−–]\s*[0-9]+d")


def parse(text: str) -> Expr | Problem:
    """The syntax of a formula, or what is wrong with it.

    >>> parse("8 + strength")
    Sum(terms=(Number(value=8, at=(0, 1)), Name(name='strength', at=(4, 12))), signs=('+',), at=(0, 12))
    >>> parse("8 +").message
    'the formula ends after `+`, where a value is missing'
    """
    if len(text) > MAX_LENGTH:
        return check_text(text) or _parse(text)
    return _parse(text)


@lru_cache(maxsize=8192)
def _parse(text: str) -> Expr | Problem:
    try:
        return _one_word(text) or check_text(text) or _any(text)
    except FormulaError as refused:
        return refused.problem


def _one_word(text: str) -> Expr | None:
    """A formula that is one number or one name, without Lark."""
    if found := _ONE_NUMBER.fullmatch(text):
        number = read_number(found[2], found.start(2))
        return Negate(number, (0, len(text))) if found[1] else number
    if _ONE_NAME.fullmatch(text) and text not in KEYWORDS and not (text[0] in "dD" and text[1:2].isdigit()):
        return Name(read_name(text, 0, alone=True), (0, len(text)))
    return None


def _any(text: str) -> Expr | Problem:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if not text.strip():
        cure = "write a number, a name or a calculation, such as `strength + 2`"
        return Problem("F301", "the formula is empty", 0, len(text), cure)
    try:
        expr = cast(Expr, _parser().parse(text))  # Lark says Tree; our callbacks make nodes
    except UnexpectedToken as error:
        at = len(text) if error.token.type == "$END" else error.token.start_pos or 0
        return explain(text, at, error.expected)
    except UnexpectedCharacters as error:
        return explain(text, error.pos_in_stream or 0, error.allowed or ())
    if len(text) > MAX_NESTING and (problem := check_tree(expr)):
        return problem
    if _MINUS_DICE.search(text):
        return _minus_dice(expr, text) or expr
    return expr


def _minus_dice(expr: Expr, text: str) -> Problem | None:
    """`-1d6` is refused: is the count negative, or the roll subtracted? With brackets it is the roll."""
    below = [expr]
    while below:
        node = below.pop()
        match node:
            case Negate(of=Dice(count=Number(), at=at)) if text[at[0]] != "(":
                message = f"`-{text[at[0] : at[1]]}` could be a negative number of dice"
                return Problem("F332", message, *node.at, f"for the roll with a minus write `-({text[at[0] : at[1]]})`")
            case _:
                below.extend(parts(node))
    return None


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Lark

    grammar = files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="contextual", transformer=Nodes())
