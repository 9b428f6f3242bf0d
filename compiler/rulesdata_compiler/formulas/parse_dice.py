"""The words of dice: `2d6`, `d66`, `4d6kh3`, `1d10!`, `d6r1min2`.

In: a die's word, and its count where that is an expression. Out: a `Dice` node; a word that says something impossible
is refused with the reason. The one rule: modifiers are kept in the order in which they apply (reroll, minimum, explode,
keep), however they were written.
"""

from __future__ import annotations

import re
from fractions import Fraction

from .parse_tokens import cut, refuse
from .syntax import At, Dice, Expr, Negate, Number

MAX_DICE = 1_000
MAX_SIDES = 1_000_000

_WORD = re.compile(r"([0-9]*)d([0-9]+|%)(.*)", re.DOTALL)
_MODIFIER = re.compile(r"(kh|kl|dh|dl|min|r|!)([0-9]*)")
_DIGIT_DICE = re.compile(r"([2-9])\1+")


def read_dice(word: str, at: At, count: Expr | None = None, start: int | None = None) -> Dice:
    """A die's word as a node. `count` is what stands in brackets before it, and `start` where those begin."""
    found = _WORD.fullmatch(word)
    assert found is not None, word
    written, sides_text, modifiers = found.groups()
    span = (at[0] if start is None else start, at[1])
    if written:
        count = Number(_whole(written), (at[0], at[0] + len(written)))
    if count is not None:
        check_count(count, span)
    sides = _sides(sides_text, count, span)
    if isinstance(sides, tuple):
        if modifiers:
            rolls = f"`d{sides_text}` reads {len(sides)} dice as digits"
            refuse("F331", f"{rolls}; `{cut(modifiers)}` cannot change that", span, f"write `d{sides_text}`")
        return Dice(None, sides, at=span)
    return _with_modifiers(Dice(count, sides, at=span), modifiers, cut(word))


def check_count(count: Expr, at: At) -> None:
    """Refuse a written number of dice that nobody can roll; what is computed is bounded later."""
    match count:
        case Negate(of=Number()):
            refuse("F332", "a negative number of dice", at, "write 0 or more")
        case Number(value=Fraction()):
            refuse("F332", "a number of dice that is not whole", at, "write a whole number")
        case Number(value=value) if value > MAX_DICE:
            refuse("F332", f"more than {MAX_DICE:,} dice", at, f"{MAX_DICE:,} at once is the limit")
        case _:
            pass


def _whole(digits: str) -> int:
    """A number of digits that may be absurdly many; beyond a limit, any value beyond that limit."""
    return int(digits) if len(digits) <= 16 else 10**16


def _sides(text: str, count: Expr | None, at: At) -> int | tuple[int, ...]:
    if text == "%":
        return 100
    sides = _whole(text)
    if sides == 0:
        refuse("F333", "a die without sides cannot be rolled", at, "write their number, as in `d6`")
    if sides > MAX_SIDES:
        refuse("F333", f"a die of more than {MAX_SIDES:,} sides", at, "that many is the limit")
    if not _DIGIT_DICE.fullmatch(text):
        return sides
    if count is not None:
        digit, times = text[0], len(text)
        message = f"`d{text}` reads {times} dice as digits, as in `{digit}1`, and takes no count"
        refuse("F331", message, at, f"write `d{text}`; for {times} dice added up write `{times}d{digit}`")
    return tuple(int(digit) for digit in text)


def _with_modifiers(dice: Dice, modifiers: str, word: str) -> Dice:
    sides, at = dice.sides, dice.at
    assert isinstance(sides, int)
    reroll: set[int] = set()
    minimum: int | None = None
    explode = False
    keep: tuple[str, int] | None = None
    for verb, digits in _MODIFIER.findall(modifiers):
        number = _whole(digits) if digits else 1
        if verb == "r":
            _check_face(number, sides, f"`r{digits}` rerolls", word, at)
            _once(number not in reroll, f"`r{number}`", word, at)
            reroll.add(number)
        elif verb == "min":
            _once(minimum is None, "`min`", word, at)
            _check_face(number, sides, f"`min{digits}` raises to", word, at)
            minimum = number
        elif verb == "!":
            _once(not explode, "`!`", word, at)
            explode = True
        else:
            _once(keep is None, "what is kept or dropped", word, at)
            if number == 0:
                verb_word = "keeps" if verb[0] == "k" else "drops"
                refuse("F334", f"`{verb}0` {verb_word} no dice", at, f"write `{verb}1` or more, or leave it out")
            keep = (verb, number)
    if explode and (sides == 1 or minimum == sides):
        refuse("F335", f"`{word}` always shows its highest face, so it would explode for ever", at, "leave out `!`")
    if keep and not explode:
        _check_keep(keep, dice.count, word, at)
    return Dice(dice.count, sides, tuple(sorted(reroll)), minimum, explode, keep, at)


def _check_face(number: int, sides: int, verb: str, word: str, at: At) -> None:
    if not 1 <= number <= sides:
        refuse("F334", f"{verb} {number}, which a d{sides} never shows", at, f"a d{sides} shows 1 to {sides}")


def _once(first: bool, what: str, word: str, at: At) -> None:
    if not first:
        refuse("F334", f"`{word}` says {what} twice", at, "say it once")


def _check_keep(keep: tuple[str, int], count: Expr | None, word: str, at: At) -> None:
    verb, number = keep
    if count is not None and not isinstance(count, Number):
        return
    rolled = 1 if count is None else count.value
    dice = f"{rolled} {'die' if rolled == 1 else 'dice'}"
    if verb[0] == "k" and number > rolled:
        refuse("F334", f"`{word}` keeps {number} of {dice}", at, f"keep {rolled} at most")
    if verb[0] == "d" and number >= rolled:
        refuse("F334", f"`{word}` drops {number} of {dice}, so none is left", at, "drop fewer dice than are rolled")
