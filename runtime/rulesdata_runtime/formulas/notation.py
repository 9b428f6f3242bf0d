"""Dice as people type them at the table: `2d6+3`, `4d6kh3`, `d%`, `d66`, `2d[lamp] + d[torch]`.

In: text, a source of dice, and for custom dice their rules. Out: a `Thrown` with every die; or from `quick`, for dice
by chance, the total and the faces in a plain tuple. The one rule: the words mean what they mean in a formula of the
rules (reroll, minimum, explode, keep, in this order), and what would be refused there is refused here.

    notation = term {("+" | "-") term}
    term     = number | [number] "d" (sides | "%" | "[" die "]") {modifier}
    modifier = ("kh" | "kl" | "dh" | "dl") [number] | "!" | "r" number | "min" number
"""

from __future__ import annotations

import re

from ..errors import BadInput, LimitReached
from .code import prepare
from .dice import Dice, SystemDice
from .numbers import LIMIT
from .operands import MOST_SIDES
from .pools import MOST_DICE, MOST_IN_A_ROLL, DiceRules, Pool, SymbolPool, roll_digits, roll_pool, throw_all
from .quick import Term, roller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .operands import Code

MOST_TEXT = 4_000
MOST_CACHED = 1_024

_TERM = re.compile(
    r"\s*([+\-−–]?)\s*(?:([0-9]*)[dD](?:([0-9]+)|(%)|\[\s*(\w+)\s*\])((?:[kd][hl][0-9]*|r[0-9]+|min[0-9]+|!)*)"
    r"|([0-9]+))(?![\w%!\[.])\s*"
)
_MODIFIER = re.compile(r"(kh|kl|dh|dl|min|r|!)([0-9]*)")
_DIGITS = re.compile(r"([2-9])\1+")
_MINUS = ("-", "−", "–")


class Thrown:
    """A roll from notation. `pools` are its plain dice, term by term; `symbols` its custom dice, with no total."""

    __slots__ = ("pools", "symbols", "text", "total")

    def __init__(self, text: str, total: int | None, pools: tuple[Pool, ...], symbols: SymbolPool | None) -> None:
        self.text = text
        self.total = total
        self.pools = pools
        self.symbols = symbols


class Notation:
    """Notation read: `code` for the node table and `formula` of it, or `counts` of custom dice (then not used)."""

    __slots__ = ("code", "counts", "formula", "terms", "text")

    def __init__(self, text: str, terms: Sequence[Term], counts: dict[str, int]) -> None:
        self.text = text
        self.terms = tuple(terms)
        self.counts = counts
        self.code: Code = None if counts else _code(self.terms)
        self.formula = prepare(self.code)


def roll(text: str, dice: Dice | None = None, rules: DiceRules | None = None) -> Thrown:
    """Roll notation, with every die and what became of it."""
    notation = _read.get(text)
    if notation is None:
        notation = parse(text, rules)
        if not notation.counts:  # what custom dice mean depends on the rules
            if len(_read) >= MOST_CACHED:
                _read.clear()
            _read[text] = notation
    source = SystemDice() if dice is None else dice
    if notation.counts:
        assert rules is not None  # parse knows custom dice from the rules only
        symbols = throw_all(source, notation.counts, rules)
        source.finish()
        return Thrown(text, None, (), symbols)
    table = _Table(source)
    total = notation.formula(table)
    source.finish()
    return Thrown(text, total, tuple(table.pools), None)


def quick(text: str) -> tuple[int, tuple[int, ...]]:
    """Total and faces of plain dice, by chance. Dice that are dropped are among the faces; `details` tells which."""
    try:
        return _rollers[text]()
    except KeyError:
        notation = parse(text)
    if len(_rollers) >= MOST_CACHED:
        _rollers.clear()

    def keep(better: Callable[[], tuple[int, tuple[int, ...]]]) -> None:
        _rollers[text] = better

    _rollers[text] = roller(notation.terms, keep)
    return _rollers[text]()


_read: dict[str, Notation] = {}
_rollers: dict[str, Callable[[], tuple[int, tuple[int, ...]]]] = {}


def parse(text: str, rules: DiceRules | None = None) -> Notation:
    """Read notation; BadInput says what is wrong with it."""
    if len(text) > MOST_TEXT:
        raise LimitReached(f"dice are written in at most {MOST_TEXT:,} characters")
    terms: list[Term] = []
    counts: dict[str, int] = {}
    at = 0
    while at < len(text) or not at:
        found = _TERM.match(text, at)
        if found is None or (at and not found[1]):
            raise BadInput(f"cannot read {_cut(text[at:]) or 'no dice'!r}; dice are written like 2d6+3, 4d6kh3, d%")
        at = found.end()
        sign, count, sides, percent, custom, modifiers, number = found.groups()
        minus = sign in _MINUS
        if number is not None:
            terms.append(Term(minus, _number(number), 0, {}))
        elif custom is not None:
            _custom(counts, custom, count, minus or bool(modifiers), rules)
        else:
            terms.append(_dice(found[0].strip(), minus, count, "100" if percent else sides, modifiers))
    if counts and terms:
        raise BadInput("custom dice show symbols and have no total: roll them apart from numbers")
    if sum(term.count for term in terms if term.sides) > MOST_IN_A_ROLL:
        raise LimitReached(f"a roll has at most {MOST_IN_A_ROLL:,} dice")
    return Notation(text, terms, counts)


def _custom(counts: dict[str, int], die: str, count: str, changed: bool, rules: DiceRules | None) -> None:
    if rules is None:
        raise BadInput(f"d[{die}] is a custom die, and custom dice need the rules that say what they show")
    rules.known(die)
    if changed:
        raise BadInput(f"d[{die}] shows symbols: it is not taken away and takes no modifiers")
    counts[die] = counts.get(die, 0) + _how_many(count)


def _dice(word: str, minus: bool, count: str, sides_text: str, modifiers: str) -> Term:
    sides = _number(sides_text)
    if not 1 <= sides <= MOST_SIDES:
        raise BadInput(f"a die has 1 to {MOST_SIDES:,} sides, not {sides:,}")
    if _DIGITS.fullmatch(sides_text):
        if count or modifiers:
            each = f"d{sides_text[0]}"
            raise BadInput(
                f"d{sides_text} reads {len(sides_text)} dice as digits and takes no count or modifiers; "
                f"for {len(sides_text)} dice added up write {len(sides_text)}{each}"
            )
        return Term(minus, 1, sides, {}, tuple(map(int, sides_text)))
    number = _how_many(count)
    return Term(minus, number, sides, _modifiers(word.lstrip("+-−– "), number, sides, modifiers))


def _modifiers(word: str, count: int, sides: int, text: str) -> dict[str, Any]:
    mods: dict[str, Any] = {}
    for verb, digits in _MODIFIER.findall(text):
        number = _number(digits) if digits else 1
        key = {"r": "r", "min": "min", "!": "explode"}.get(verb, "keep")
        if key in mods and key != "r":
            raise BadInput(f"{word} says {'what is kept or dropped' if key == 'keep' else verb} twice")
        if key in ("r", "min") and not 1 <= number <= sides:
            raise BadInput(f"{word} speaks of {number}, which a d{sides} never shows")
        if key == "r":
            mods["r"] = sorted({*mods.get("r", ()), number})
        elif key == "min":
            mods["min"] = number
        elif key == "explode":
            mods["explode"] = True
        else:
            mods["keep"] = [verb, number]
    if "explode" in mods and (sides == 1 or mods.get("min") == sides):
        raise BadInput(f"{word} always shows its highest face, so it would explode for ever")
    if "keep" in mods:
        _check_keep(word, count, *mods["keep"], exploding="explode" in mods)
    return mods


def _check_keep(word: str, count: int, verb: str, number: int, *, exploding: bool) -> None:
    what = "keeps" if verb[0] == "k" else "drops"
    if number == 0 or (not exploding and (number > count or (verb[0] == "d" and number == count))):
        raise BadInput(f"{word} {what} {number} of {count} dice")


def _code(terms: Sequence[Term]) -> Code:
    parts = []
    for term in terms:
        code: Code = term.count
        if term.digits:
            code = ["sum", ["digits", list(term.digits)]]
        elif term.sides:
            code = ["sum", ["roll", term.count, term.sides, term.mods]]
        parts.append(["neg", code] if term.minus else code)
    return parts[0] if len(parts) == 1 else ["+", parts]


class _Table(dict[str, "Any"]):
    """What the code of notation asks: dice, and nothing else."""

    def __init__(self, dice: Dice) -> None:
        super().__init__()
        self.dice = dice
        self.pools: list[Pool] = []

    def roll(self, count: int, sides: int, mods: dict[str, Any]) -> Pool:
        self.pools.append(roll_pool(self.dice, count, sides, mods))
        return self.pools[-1]

    def digits(self, sides: Sequence[int]) -> Pool:
        self.pools.append(roll_digits(self.dice, sides))
        return self.pools[-1]


def _how_many(text: str) -> int:
    count = _number(text) if text else 1
    if count > MOST_DICE:
        raise LimitReached(f"at most {MOST_DICE:,} dice are rolled at once, not {text[:20]}")
    return count


def _number(text: str) -> int:
    number = int(text) if len(text) <= 16 else LIMIT + 1
    if number > LIMIT:
        raise LimitReached(f"{text[:20]} is beyond 2^53 - 1, the largest number that the rules can hold")
    return number


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 24 else text[:23] + "…"
