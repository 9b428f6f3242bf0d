"""The node table: the code of a compiled formula, and the only door between compiler and runtimes.

A formula's code is JSON. A whole number, `true`, `false`, `null` (none) and a text (a text or a choice) stand for
themselves. Everything else is a list: the node's name, then its operands. An operand is code (`x`), a list of code
(`xs`), a plain name (`name`), a plain whole number (`int`), or other plain data told in the meaning. Types were
agreed by the compiler: a pool reaches arithmetic only inside `sum`, a fraction reaches a whole slot never.

Numbers are whole numbers or exact fractions in lowest terms; a fraction with denominator 1 is a whole number. Each
value stays within 2**53 - 1, numerator and denominator, where the code says `limit`.

Evaluation is left to right; `and`, `or`, `if` evaluate only what they need. Both implementations in Python
(`generate.py`, `closures.py`) and any other runtime agree on this table; tests/conformance holds the vectors.
"""

from __future__ import annotations

from typing import NamedTuple


class Node(NamedTuple):
    """`operands`: a word for each (`x` code, `xs` any number of code, `name`, `int`, `data`); `meaning`: one line."""

    operands: tuple[str, ...]
    meaning: str


NODES: dict[str, Node] = {
    # values
    "frac": Node(("int", "int"), "an exact fraction, numerator and denominator"),
    "get": Node(("name",), "the value under a name: local (parameter, let, result) or on the sheet"),
    "member": Node(("name", "x"), "a family's member: get of name[x]"),
    "of": Node(("name", "name"), "role, name: the value on another role's sheet, or a track or parameter of a trait"),
    "of_member": Node(("name", "name", "x"), "role, family, x: a family's member on another role's sheet"),
    "field": Node(("name", "name"), "a result of a roll, run or table row kept under a name: `throw.hits`"),
    # arithmetic
    "+": Node(("xs",), "sum of two or more"),
    "-": Node(("x", "x"), "difference"),
    "*": Node(("xs",), "product of two or more"),
    "/": Node(("x", "x"), "exact quotient; a divisor of 0 is an error"),
    "neg": Node(("x",), "minus"),
    "ceil": Node(("x",), "up to the next whole number"),
    "floor": Node(("x",), "down to the next whole number"),
    "round": Node(("x",), "to the nearest whole number, halves away from zero"),
    "abs": Node(("x",), "without its sign"),
    "min": Node(("xs",), "the least"),
    "max": Node(("xs",), "the greatest"),
    "clamp": Node(("x", "x", "x"), "value, low, high: held between them"),
    "mod": Node(("x", "x"), "a - b * floor(a / b); b of 0 is an error"),
    "limit": Node(("x",), "the same value; an error beyond 2**53 - 1 in numerator or denominator"),
    # truth
    "==": Node(("x", "x"), "equal; of two numbers, choices or truths"),
    "!=": Node(("x", "x"), "not equal"),
    "<": Node(("x", "x"), "less"),
    "<=": Node(("x", "x"), "at most"),
    ">": Node(("x", "x"), "more"),
    ">=": Node(("x", "x"), "at least"),
    "chain": Node(("data", "xs"), "operators, then one operand more: each neighbouring pair holds; stops like `and`"),
    "and": Node(("xs",), "all hold; stops at the first that does not"),
    "or": Node(("xs",), "any holds; stops at the first that does"),
    "not": Node(("x",), "does not hold"),
    "if": Node(("x", "x", "x"), "condition, then, else; only the taken branch is evaluated"),
    # dice
    "roll": Node(
        ("x", "int", "data"), "count, sides, modifiers {r: [n], min: n, explode: true, keep: [kh, n]}: a pool"
    ),
    "digits": Node(("data",), "digit dice: list of sides; one die each, read as digits; a pool of one number"),
    "throw": Node(("x", "name"), "count, custom die: a pool of faces"),
    "sum": Node(("x",), "sum of a pool's kept dice"),
    "size": Node(("x",), "number of dice in a pool, dropped ones not counted"),
    "highest": Node(("x",), "highest kept die of a pool; of no dice an error"),
    "lowest": Node(("x",), "lowest kept die of a pool; of no dice an error"),
    "count": Node(("x", "data", "xs"), "pool, operators, bounds: kept dice for which every `die operator bound` holds"),
    "count_kind": Node(("x", "name"), "pool, custom die: how many dice of that kind it has"),
    "net": Node(("x", "name"), "pool, symbol: left after cancelling"),
    "rolled": Node(("x", "name"), "pool, symbol: rolled, before cancelling, with what also counts as it"),
    # state of a character (the last name is a role, or null for the bearer)
    "has": Node(("name", "data", "name"), "condition, trait or environment, {parameter: code}, role: carried now"),
    "level": Node(("name", "name"), "condition, role: its level, 0 where not carried"),
    "remaining": Node(("name", "name"), "condition, role: clock units left, 0 where not carried; endless is an error"),
    "carried": Node(("name", "name"), "tag, role: how many conditions with that tag are carried"),
    "elapsed": Node(("name", "name"), "event, role: clock units since it last happened; never is an error"),
    "option": Node(("name",), "the value of an option"),
    "same": Node(("name", "name"), "two roles: whether they are the same character"),
    "overflow": Node(("name", "name"), "track, role: what did not fit at its last change in this list of steps"),
    # tables and bands
    "lookup": Node(("name", "xs", "name"), "table, keys, column or null: the cell (column) or the row's only cell"),
    "band": Node(("name", "x"), "bands, distance: the band's id"),
    "distance": Node(("name", "x"), "bands, band: its far edge"),
    "moves": Node(("name", "x", "x"), "bands, from, to: moves it takes"),
}

# What may stand in the place of a parameter's name where a step, a modifier or `has` names a rule: ["get", name]
# instead of the plain name. `of` likewise; `member` there stands for the name of the member, not for its value.
