"""How large a formula may be: its text before it is parsed, its tree after.

In: a formula's text, or its syntax. Out: nothing, or the problem. The one rule: what passes here can be parsed, walked,
printed, compared, hashed and pickled by code that recurses, on any stack. A chain of `+ -` or of `* /` is one node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from .parse_tokens import Problem, scan
from .syntax import (
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

MAX_LENGTH = 4_000
MAX_NESTING = 64
MAX_NODES = 2_000

_SMALLER = "give a part of it a name of its own, as a derived value or a `let`, and use that name here"


def check_text(text: str) -> Problem | None:
    """Length, and how deep brackets stand inside each other; counted, not parsed."""
    if len(text) > MAX_LENGTH:
        return Problem(
            "F302",
            f"the formula has {len(text):,} characters; the limit is {MAX_LENGTH:,}",
            0,
            MAX_LENGTH,
            _SMALLER,
        )
    if text.count("(") + text.count("[") <= MAX_NESTING:
        return None
    depth = 0
    for token in scan(text):
        if token.text in ("(", "["):
            depth += 1
            if depth > MAX_NESTING:
                return _too_deep(token.start, token.end)
        elif token.text in (")", "]"):
            depth -= 1
    return None


def check_tree(expr: Expr) -> Problem | None:
    """The depth of the tree and the number of its nodes, by a walk that does not recurse."""
    nodes = 0
    below: list[tuple[Expr, int]] = [(expr, 0)]
    while below:
        node, depth = below.pop()
        nodes += 1
        if depth > MAX_NESTING:
            return _too_deep(*node.at)
        below.extend((part, depth + 1) for part in parts(node))
    if nodes > MAX_NODES:
        message = f"the formula has {nodes:,} numbers, names and operations; the limit is {MAX_NODES:,}"
        return Problem("F304", message, *expr.at, _SMALLER)
    return None


def parts(expr: Expr) -> Iterator[Expr]:
    """The expressions directly inside one, from left to right."""
    match expr:
        case Number() | Truth() | Text() | Name():
            pass
        case Index(key=key):
            yield key
        case Member(of=of, key=key):
            yield of
            if key is not None:
                yield key
        case Call(args=args, named=named):
            yield from args
            for _, value in named:
                yield value
        case Negate(of=of) | Not(of=of):
            yield of
        case Sum(terms=inner) | Product(factors=inner) | Compare(operands=inner) | Junction(operands=inner):
            yield from inner
        case If(test=test, then=then, otherwise=otherwise):
            yield test
            yield then
            yield otherwise
        case Dice(count=count):
            if count is not None:
                yield count
        case _:
            assert_never(expr)


def _too_deep(start: int, end: int) -> Problem:
    message = f"parts are nested more than {MAX_NESTING} deep here; {MAX_NESTING} is the limit"
    return Problem("F303", message, start, end, f"{_SMALLER}; many cases in a row are better told by a table")
