"""Spellings from elsewhere (spreadsheets, programming, typesetting) and what to write instead.

In: a sign, word or character that has no meaning in a formula, with its place. Out: a problem that names the right
spelling. The one rule: each row says what it says in full; nothing is put together out of parts.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from .parse_tokens import KEYWORDS, Piece, Problem


class Row(NamedTuple):
    """What is told of a spelling; `F307` where another one means the same, `F308` where nothing quite does."""

    code: str
    message: str
    hint: str


def _other(wrong: str, right: str) -> Row:
    return Row("F307", f"`{wrong}` is written `{right}` here", f"write `{right}`")


_NO_POWER = "multiply instead, as in `strength * strength`"
_CURLY = "write straight quotes: `\"` or `'`"
_HYPHEN = "write `-`"

SIGNS: dict[str, Row] = {
    "=": Row("F307", "`=` does not compare two values", "write `==`"),
    "===": _other("===", "=="),
    "!==": _other("!==", "!="),
    "=!": _other("=!", "!="),
    "~=": _other("~=", "!="),
    "<>": _other("<>", "!="),
    "=<": _other("=<", "<="),
    "=>": _other("=>", ">="),
    "<=>": Row("F308", "`<=>` is no comparison", "write `<`, `==` or `>`"),
    "&&": _other("&&", "and"),
    "&": _other("&", "and"),
    "||": _other("||", "or"),
    "|": _other("|", "or"),
    "!": _other("!", "not"),
    "~": _other("~", "not"),
    "¬": _other("¬", "not"),
    "∧": _other("∧", "and"),
    "∨": _other("∨", "or"),
    "**": Row("F308", "`**` is unknown: there is no power", _NO_POWER),
    "^": Row("F308", "`^` is unknown: there is no power", _NO_POWER),
    "//": Row("F308", "`//` is unknown: division keeps its fraction", "to round down write `floor(a / b)`"),
    "%": Row("F308", "`%` is unknown", "for what is left after division write `mod(a, b)`, for percent divide by 100"),
    "?": Row("F308", "`? :` is unknown", "write `if … then … else …`"),
    "—": Row("F307", "`—` is a dash, not a minus sign", _HYPHEN),
    "―": Row("F307", "`―` is a dash, not a minus sign", _HYPHEN),
    "‐": Row("F307", "`‐` is a hyphen, not a minus sign", _HYPHEN),
    "‑": Row("F307", "`‑` is a hyphen, not a minus sign", _HYPHEN),
    "‒": Row("F307", "`‒` is a dash, not a minus sign", _HYPHEN),
    "·": Row("F307", "`·` is no multiplication sign", "write `*`"),
    "∙": Row("F307", "`∙` is no multiplication sign", "write `*`"),
    "⋅": Row("F307", "`⋅` is no multiplication sign", "write `*`"),
    "•": Row("F307", "`•` is no multiplication sign", "write `*`"),
    "⁄": Row("F307", "`⁄` is no division sign", "write `/`"),
    "∕": Row("F307", "`∕` is no division sign", "write `/`"),
    "{": Row("F307", "`{` has no meaning inside a formula", "write round brackets: `(`"),
    "}": Row("F307", "`}` has no meaning inside a formula", "write round brackets: `)`"),
    "“": Row("F310", "`“` is a curly quote", _CURLY),
    "”": Row("F310", "`”` is a curly quote", _CURLY),
    "„": Row("F310", "`„` is a curly quote", _CURLY),
    "‘": Row("F310", "`‘` is a curly quote", _CURLY),
    "’": Row("F310", "`’` is a curly quote", _CURLY),
    "‚": Row("F310", "`‚` is a curly quote", _CURLY),
    "«": Row("F310", "`«` is a typographic quote", _CURLY),
    "»": Row("F310", "`»` is a typographic quote", _CURLY),
    "`": Row("F310", "a backtick is no quote", _CURLY),
}

# Words that stand between two values, where an operator is wanted.
BETWEEN: dict[str, Row] = {
    "mod": Row("F308", "`mod` does not stand between two values", "write `mod(a, b)`"),
    "div": Row("F308", "`div` is unknown", "write `floor(a / b)`"),
    "xor": Row("F308", "`xor` is unknown", "write `a != b`, or `(a or b) and not (a and b)`"),
    "in": Row("F308", "`in` is unknown", "compare with each: `x is a or x is b`; for a range write `1 <= x <= 5`"),
    "x": Row("F307", "`x` is no multiplication sign", "write `*`"),
    "X": Row("F307", "`X` is no multiplication sign", "write `*`"),
    "plus": _other("plus", "+"),
    "minus": _other("minus", "-"),
    "times": _other("times", "*"),
    "elif": _other("elif", "else if"),
    "elseif": _other("elseif", "else if"),
    "elsif": _other("elsif", "else if"),
    "otherwise": _other("otherwise", "else"),
    "unless": Row("F308", "`unless` is unknown", "write `if not … then … else …`"),
    "equals": _other("equals", "=="),
    "isnt": _other("isnt", "is not"),
}


def other_sign(piece: Piece) -> Problem | None:
    """A sign that is written differently here."""
    row = SIGNS.get(piece.text)
    return Problem(row.code, row.message, piece.start, piece.end, row.hint) if row else None


def other_word(piece: Piece) -> Problem | None:
    """A word between two values that is written differently here."""
    row = BETWEEN.get(piece.text) or BETWEEN.get(piece.text.lower())
    if row is None and piece.text not in KEYWORDS and piece.text.lower() in KEYWORDS:
        row = Row("F307", f"`{piece.text}` is written in small letters", f"write `{piece.text.lower()}`")
    return Problem(row.code, row.message, piece.start, piece.end, row.hint) if row else None


def unknown_character(char: str, start: int) -> Problem:
    """A character with no meaning in a formula, by its code point and name."""
    end = start + 1
    if char in SIGNS:
        row = SIGNS[char]
        return Problem(row.code, row.message, start, end, row.hint)
    name = unicodedata.name(char, "").lower()
    category = unicodedata.category(char)
    shown = f"`{char}` " if category[0] in "LNPS" else ""
    point = f"U+{ord(char):04X}" + (f", {name}" if name else "")
    plain = unicodedata.normalize("NFKC", char).replace("⁄", "/")
    hint: str | None = "remove it"
    if category == "Zs":
        hint = "write an ordinary space"
    elif category == "No" and "superscript" in name:
        return Problem("F308", f"`{char}` is unknown: there is no power", start, end, _NO_POWER)
    elif plain != char and plain.isascii() and plain.isprintable():
        hint = f"write `{plain}`"
    return Problem("F306", f"the character {shown}({point}) has no meaning in a formula", start, end, hint)


def bad_letter(word: str, start: int) -> Problem:
    """The first character of a word that no name can have."""
    for place, char in enumerate(word):
        if not ("_" + char).isidentifier() or (place == 0 and not char.isidentifier()):
            return unknown_character(char, start + place)
    raise AssertionError(word)
