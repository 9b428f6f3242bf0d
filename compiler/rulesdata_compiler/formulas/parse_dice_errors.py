"""What is wrong around dice, where the grammar stopped at them.

In: a broken formula. Out: a problem, or None where dice are not what is wrong. The one rule: a message shows the dice
as they should be written.
"""

from __future__ import annotations

import re

from .parse_tokens import KEYWORDS, Broken, Piece, Problem, cut

_HEAD = re.compile(r"[0-9]*d(?:[0-9]+|%)")
_KNOWN = re.compile(r"(?:k[hl][0-9]*|d[hl][0-9]*|r[0-9]+|min[0-9]+|!)*")
_MODIFIERS = "behind a die stand `kh`, `kl`, `dh`, `dl`, `r1`, `min2` and `!`"
_COMPARISONS = ("=", "<", ">", "≠", "≤", "≥")


def dice_problem(broken: Broken) -> Problem | None:
    """The first of the mistakes below that fits."""
    this, before, after = broken.this, broken.before, broken.after
    if this.kind != "end" and _inside_custom(broken):
        return Problem("F330", "between `d[` and `]` stands the name of one die", this.start, this.end, None)
    if this.kind == "dice":
        return _at_dice(broken)
    if this.text == "!" and before is not None and before.kind == "dice":
        message = "`!` explodes only directly behind its die"
        return Problem("F334", message, this.start, this.end, f"write `{cut(before.text)}!` without a space")
    if before is not None and before.text.lower() == "d" and this.kind == "number":
        message = "dice are written in one word"
        return Problem("F330", message, before.start, this.end, f"write `d{cut(this.text)}`")
    if this.text.lower() == "d" and not broken.behind_dot and broken.value_before:
        return _at_letter(broken, after)
    if before is not None and before.text == "]" and broken.touches and (this.kind == "word" or this.text == "!"):
        opening = broken.opening(broken.index - 1)
        if opening and broken.pieces[opening - 1].text == "d":
            message = f"`{cut(this.text)}` behind dice with symbols: they have no numbers to keep, reroll or explode"
            return Problem("F334", message, this.start, this.end, "leave it out")
    return None


def _at_dice(broken: Broken) -> Problem | None:
    this, before, after = broken.this, broken.before, broken.after
    touching = after is not None and after.start == this.end
    if "D" in this.text and _HEAD.match(this.text.lower()):
        small = this.text.replace("D", "d", 1)
        return Problem("F307", "dice are written with a small `d`", this.start, this.end, f"write `{cut(small)}`")
    if this.text.endswith("!") and touching and after is not None and after.text[:1] in _COMPARISONS:
        return _touching(this, after)
    if before is not None and before.kind == "number" and broken.touches:
        message = "a number of dice that is not whole"
        return Problem("F332", message, before.start, this.end, "write a whole number")
    head = _HEAD.match(this.text)
    assert head is not None, this.text
    known = _KNOWN.match(this.text, head.end())
    assert known is not None
    if known.end() < len(this.text):
        return _unknown_modifier(this, known.end())
    if before is not None and before.kind == "number" and this.text[0] == "d":
        word = cut(before.text + this.text)
        return Problem("F330", "dice are written in one word", before.start, this.end, f"write `{word}`")
    if broken.value_before and before is not None and this.text[0] == "d":
        start = broken.value_start()
        message = "a count of dice that is not one number stands in brackets"
        return Problem("F318", message, start, this.end, f"write `({broken.shown(start, before.end)}){cut(this.text)}`")
    return None


def _at_letter(broken: Broken, after: Piece | None) -> Problem | None:
    """A value, and a lonely `d` behind it."""
    this, before = broken.this, broken.before
    assert before is not None
    if after is not None and after.text == "(":
        message = "the sides of a die are a written number, not a formula"
        cure = "write `d6`; to choose a die, write `if … then d6 else d8`"
        return Problem("F330", message, this.start, this.end, cure)
    if after is not None and after.kind == "number":
        message = "dice are written in one word"
        count = cut(before.text) if before.kind == "number" else "(…)"
        return Problem("F330", message, this.start, after.end, f"write `{count}d{cut(after.text)}`")
    if broken.touches:
        return Problem("F330", "a die without its sides", this.start, this.end, "write their number, as in `d6`")
    return None


def _inside_custom(broken: Broken) -> bool:
    stack = broken.open()
    if not stack or broken.pieces[stack[-1]].text != "[" or stack[-1] == 0:
        return False
    return broken.pieces[stack[-1] - 1].text == "d"


def _touching(dice: Piece, sign: Piece) -> Problem:
    word = cut(dice.text)
    message = f"a comparison touches the `!` of `{word}`"
    if sign.text.startswith("="):
        cure = f"write a space: `{word[:-1]} != …` for not equal, `{word} == …` for dice that explode"
    else:
        cure = f"write a space: `{word} {sign.text} …`"
    return Problem("F336", message, dice.start, sign.end, cure)


def _unknown_modifier(dice: Piece, known: int) -> Problem:
    rest = dice.text[known:]
    message = f"`{cut(rest)}` behind a die is unknown"
    cure = _MODIFIERS
    if found := re.fullmatch(r"k([0-9]*)", rest):
        cure = f"to keep the highest write `kh{cut(found[1])}`, the lowest `kl{cut(found[1])}`"
    elif found := re.fullmatch(r"d([0-9]*)", rest):
        cure = f"to drop the lowest write `dl{cut(found[1])}`, the highest `dh{cut(found[1])}`"
    elif rest.startswith("min"):
        message, cure = "`min` behind a die wants a number", "write the lowest face, as in `min2`"
    elif rest == "r" or rest.startswith("r!"):
        message, cure = "`r` behind a die wants a number", "write the face that is rolled again, as in `r1`"
    elif rest in KEYWORDS:
        cure = f"write a space before `{rest}`"
    elif rest[0] in "ex" and rest[1:].isdecimal() | (len(rest) == 1):
        cure = "a die that explodes is written with `!`, as in `1d10!`"
    return Problem("F334", message, dice.start + known, dice.end, cure)
