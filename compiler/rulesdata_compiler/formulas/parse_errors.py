"""What is wrong with a formula that the grammar does not take, and what to write instead.

In: the text, the offset where the grammar stopped, and the words it would have taken there. Out: one problem. The one
rule: all before that offset is well formed so far, so the mistake is there, or is something begun and not ended.
The checks stand in the order in which they are tried; each looks at the piece at fault and its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..nearest import suggest
from .parse_dice_errors import dice_problem
from .parse_spellings import bad_letter, other_sign, other_word, unknown_character
from .parse_tokens import KEYWORDS, Broken, Piece, Problem, cut, scan

# What the grammar calls its words, for people; in the order in which a message lists them.
TOKEN_WORDS: dict[str, str] = {
    "NUMBER": "a number",
    "NAME": "a name",
    "TEXT": "a text in quotes",
    "COUNTED": "dice",
    "LPAR": "an opening bracket",
    "NOT": "`not`",
    "IF": "`if`",
    "PLUS": "a plus sign",
    "MINUS": "a minus sign",
    "TIMES": "a multiplication sign",
    "OVER": "a division sign",
    "COMPARE": "a comparison",
    "IS": "`is`",
    "AND": "`and`",
    "OR": "`or`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "_DOT": "a dot",
    "_COLON": "a colon",
    "_SEP": "a comma",
    "RPAR": "a closing bracket",
    "RSQB": "a closing square bracket",
    "$END": "the end of the formula",
}

_OWN_DIE = re.compile(r"[dD]([^\W\d_]\w*)\Z")
_OPERATORS = ("and", "or", "is", "then", "else")


def explain(text: str, at: int, expected: Iterable[str] = ()) -> Problem:
    """The problem of a text that is well formed up to `at`."""
    pieces = tuple(scan(text))
    index = next(place for place, piece in enumerate(pieces) if at < piece.end or piece.kind == "end")
    broken = Broken(text, pieces, index, frozenset(expected))
    for check in (
        _other_if,
        dice_problem,
        _foreign,
        _name,
        _dot,
        _end,
        _keyword,
        _closing,
        _mark,
        _plus,
        _pair,
        _operator,
    ):
        found = check(broken)
        if found is not None:
            return found
    return _unexpected(broken)


def _other_if(broken: Broken) -> Problem | None:
    """`if(test, a, b)` of the spreadsheets."""
    stack = broken.open()
    if broken.this.text in (",", ";") and stack and stack[-1] and broken.pieces[stack[-1] - 1].text == "if":
        word = broken.pieces[stack[-1] - 1]
        return Problem("F307", "`if(…)` is no function here", word.start, word.end, "write `if … then … else …`")
    return None


def _foreign(broken: Broken) -> Problem | None:
    """Signs from elsewhere, texts without an end, characters without a meaning."""
    this, before = broken.this, broken.before
    if before is not None and this.text == "=" and before.text in ("<", ">", "=", "!", "<=", ">=", "==", "!="):
        right = before.text if before.text.endswith("=") and len(before.text) == 2 else before.text + "="
        message = f"`{before.text}{'' if broken.touches else ' '}=` is no comparison"
        return Problem("F307", message, before.start, this.end, f"write `{right}`")
    if this.text == "=" and broken.after is not None and broken.after.text in ("<", ">"):
        sign = f"{broken.after.text}="
        return Problem(
            "F307", f"`= {broken.after.text}` is no comparison", this.start, broken.after.end, f"write `{sign}`"
        )
    if found := other_sign(this):
        return found
    if this.kind != "other" or this.text in (",", ";", ":", "."):
        return None
    if this.text in ('"', "'"):
        cure = f"write `{this.text}` where it ends, on the same line"
        if before is not None and before.kind == "word" and broken.touches:
            cure = "a name has no apostrophe; a text stands in quotes on both sides"
        return Problem("F311", "a text begins here and does not end", this.start, broken.pieces[-1].end, cure)
    return unknown_character(this.text, this.start)


def _name(broken: Broken) -> Problem | None:
    """Words that cannot be names: odd letters, and the formula language's own."""
    this, after = broken.this, broken.after
    if this.kind == "word" and not this.text.isidentifier():
        return bad_letter(this.text, this.start)
    named = after is not None and after.text in (":", "[", ".")
    if this.keyword and (broken.behind_dot or named or _inside_die(broken)):
        message = f"`{this.text}` is a word of the formula language and cannot be a name"
        return Problem("F319", message, this.start, this.end, "choose another name")
    return None


def _inside_die(broken: Broken) -> bool:
    before = broken.before
    return (
        before is not None and before.text == "[" and broken.index > 1 and broken.pieces[broken.index - 2].text == "d"
    )


def _dot(broken: Broken) -> Problem | None:
    this, before, after = broken.this, broken.before, broken.after
    if this.text == "." and before is not None and before.kind == "number":
        if "." in before.text:
            end = after.end if after is not None and after.kind == "number" else this.end
            return Problem("F323", "a number has one decimal point", before.start, end, None)
        cure = f"write `{cut(before.text)}`, or the decimals behind the point"
        return Problem("F323", "decimals are missing behind the point", before.start, this.end, cure)
    if this.text == "." and not broken.value_before and after is not None and after.kind == "number":
        message = "a number begins with a digit"
        return Problem("F323", message, this.start, after.end, f"write `0.{cut(after.text)}`")
    if this.text == ".":
        if broken.value_before:
            message = "a dot stands only behind a name or what a function gives"
            return Problem("F321", message, this.start, this.end, None)
        return Problem("F321", "a name is missing before the dot", this.start, this.end, None)
    if broken.behind_dot and before is not None:
        return Problem("F321", "a name is missing behind the dot", before.start, before.end, None)
    return None


def _end(broken: Broken) -> Problem | None:
    if broken.this.kind != "end":
        return None
    before = broken.before
    if before is not None and not before.value and before.text not in ("(", "["):
        message = f"the formula ends after `{before.text}`, where a value is missing"
        return Problem("F314", message, before.start, before.end, "write the value, or remove what is left over")
    return _unclosed(broken)


def _unclosed(broken: Broken) -> Problem | None:
    """The innermost thing that has begun and not ended."""
    stack = broken.open()
    if not stack:
        return None
    piece = broken.pieces[stack[-1]]
    if piece.text in ("(", "["):
        closing = ")" if piece.text == "(" else "]"
        return Problem(
            "F312", f"`{piece.text}` is not closed", piece.start, piece.end, f"write `{closing}` where it ends"
        )
    if piece.text == "if":
        return Problem("F317", "this `if` has no `then`", piece.start, piece.end, "write `if … then … else …`")
    message = "this `then` has no `else`"
    return Problem("F317", message, piece.start, piece.end, "say what holds otherwise, as in `else 0`")


def _keyword(broken: Broken) -> Problem | None:
    this, before = broken.this, broken.before
    if not this.keyword or this.text in ("true", "false"):
        return None
    if not broken.value_before:
        return _keyword_for_value(broken)
    if this.text == "if":
        message = "`if` stands before its test, and the values come after it"
        return Problem("F318", message, this.start, this.end, "write `if … then … else …`")
    if this.text == "not":
        assert before is not None
        message = f"an operator is missing between `{broken.shown(broken.value_start(), before.end)}` and `not`"
        return Problem("F316", message, this.start, this.end, "write `is not`, `and not` or `or not`")
    if broken.open():
        top = broken.pieces[broken.open()[-1]].text
        if top in ("(", "[") or (top, this.text) == ("if", "else"):
            return _unclosed(broken)
    cure = "write `if … then … else …`"
    if this.text == "then" and broken.open():
        return Problem("F317", "a second `then` without an `if` of its own", this.start, this.end, cure)
    return Problem("F317", f"`{this.text}` without an `if` before it", this.start, this.end, cure)


def _keyword_for_value(broken: Broken) -> Problem:
    this, before = broken.this, broken.before
    if this.text in ("if", "not"):
        rest = " then … else …" if this.text == "if" else ""
        message = f"`{this.text}` inside a calculation stands in brackets"
        return Problem("F318", message, this.start, this.end, f"write `({this.text} …{rest})`")
    return _missing(before, this)


def _missing(before: Piece | None, this: Piece) -> Problem:
    """No value where one is wanted."""
    if before is None:
        return Problem("F315", f"a value is missing before `{this.text}`", this.start, this.end, None)
    message = f"a value is missing between `{before.text}` and `{this.text}`"
    return Problem("F315", message, before.start, this.end, None)


def _closing(broken: Broken) -> Problem | None:
    this, before = broken.this, broken.before
    if this.text not in (")", "]"):
        return None
    stack = broken.open()
    if not any(broken.pieces[place].text in ("(", "[") for place in stack):
        cure = "remove it, or write the bracket that it closes"
        return Problem("F313", f"`{this.text}` closes nothing", this.start, this.end, cure)
    if before is not None and not before.value:
        if before.text in ("(", "["):
            return Problem("F315", "nothing stands in these brackets", before.start, this.end, None)
        return _missing(before, this)
    top = broken.pieces[stack[-1]]
    if top.text in ("if", "then"):
        return _unclosed(broken)
    right = ")" if top.text == "(" else "]"
    return Problem("F313", f"`{this.text}` closes a `{top.text}`", this.start, this.end, f"write `{right}`")


def _mark(broken: Broken) -> Problem | None:
    """Commas, semicolons, colons and square brackets where they mean nothing."""
    this, before = broken.this, broken.before
    if this.text == "[":
        message = "square brackets stand only behind the name of a family"
        return Problem("F321", message, this.start, this.end, "write round brackets to put things together")
    if this.text not in (",", ";", ":"):
        return None
    if before is not None and before.keyword and this.text == ":":
        message = f"`{before.text}` is a word of the formula language and cannot be a name"
        return Problem("F319", message, before.start, before.end, "choose another name")
    if before is None or not before.value:
        return _missing(before, this)
    stack = broken.open()
    if stack and broken.pieces[stack[-1]].text in ("if", "then"):
        return _unclosed(broken)
    if this.text == ":":
        message = "a colon only names an argument of a function"
        return Problem("F321", message, this.start, this.end, "write it as in `has(lit, place: hall)`")
    after = broken.after
    if before.kind == "number" and after is not None and after.kind == "number" and after.start == this.end:
        joined = f"{before.text}{after.text}" if len(after.text) == 3 else f"{before.text}.{after.text}"
        message = "digits are not grouped by commas" if len(after.text) == 3 else "decimals stand behind a point"
        return Problem("F323", message, before.start, after.end, f"write `{cut(joined)}`")
    message = f"`{this.text}` stands only between the arguments of a function"
    return Problem("F321", message, this.start, this.end, None)


def _plus(broken: Broken) -> Problem | None:
    """A plus sign at the beginning, where the formula is more than one number."""
    first = broken.pieces[0]
    if first.text != "+" or broken.index > 2:
        return None
    return Problem("F315", "a plus sign stands between two values", first.start, first.end, "leave it out")


def _pair(broken: Broken) -> Problem | None:
    """Two values side by side."""
    this, before, after = broken.this, broken.before, broken.after
    if before is None or not before.value or not this.begins:
        return None
    if this.kind == "word" and after is not None and (after.begins or after.keyword) and (found := other_word(this)):
        return found
    if (
        before.kind == "word"
        and not before.keyword
        and before.text.lower() in KEYWORDS
        and (found := other_word(before))
    ):
        return found
    if before.kind == "number" and this.kind == "word" and broken.touches:
        if this.text[0] == "_" and this.text.replace("_", "").isdecimal():
            plain = before.text + this.text.replace("_", "")
            return Problem("F323", "digits are not grouped by `_`", before.start, this.end, f"write `{cut(plain)}`")
        if this.text[0] in "eE" and (this.text[1:].isdecimal() or len(this.text) == 1):
            return Problem("F323", "a number is written out in digits", before.start, this.end, "write all its digits")
    left = broken.shown(broken.value_start(), before.end)
    right = broken.shown(this.start, broken.value_end())
    wanted = "an operator"
    if stack := broken.open():
        top = broken.pieces[stack[-1]].text
        other = {"if": "`then`", "then": "`else`", "(": "a comma" if broken.calls(stack[-1]) else None}.get(top)
        wanted += f" or {other}" if other else ""
    message = f"{wanted} is missing between `{left}` and `{right}`"
    return Problem("F316", message, this.start, this.end, _keyword_meant(broken) or _joined(left, right, before, this))


def _keyword_meant(broken: Broken) -> str | None:
    """`if a tehn b`, `nto a`: a word of the formula language, misspelt."""
    this, before = broken.this, broken.before
    stack = broken.open()
    top = broken.pieces[stack[-1]].text if stack else ""
    between = [*{"if": ["then"], "then": ["else"]}.get(top, []), "and", "or", "is"]
    for piece, words in ((this, between), (before, ["not", "if"])):
        if piece is not None and piece.kind == "word" and not piece.keyword:
            near = suggest(piece.text, words)
            if near:
                return f"did you mean `{near[0]}`?"
    return None


def _joined(left: str, right: str, before: Piece, this: Piece) -> str:
    if before.kind == "number" and (own := _OWN_DIE.match(this.text)):
        return f"for dice of your own write `{left}d[{own[1]}]`, to multiply `{left} * {right}`"
    if before.kind == "number" or this.text == "(":
        return f"to multiply write `{left} * {right}`"
    if before.kind == this.kind == "word" and not before.keyword and not this.keyword:
        return f"if this is one name, write it as one word: `{cut(before.text)}_{cut(this.text)}`"
    return f"say what is meant, as in `{left} + {right}` or `{left} * {right}`"


def _operator(broken: Broken) -> Problem | None:
    this, before = broken.this, broken.before
    if this.kind != "sign" or (before is not None and before.value):
        return None
    if this.text == "+":
        span = (this.start, this.end) if before is None else (before.start, this.end)
        return Problem("F315", "a plus sign stands between two values", *span, "leave it out")
    return _missing(before, this)


def _unexpected(broken: Broken) -> Problem:
    """None of the above: what stands here and what could stand here."""
    this = broken.this
    wanted = [words for token, words in TOKEN_WORDS.items() if token in broken.expected]
    hint = None
    if wanted:
        hint = "here can stand " + (", ".join(wanted[:-1]) + " or " if wanted[1:] else "") + wanted[-1]
    return Problem("F321", f"`{broken.shown(this.start, this.end)}` cannot stand here", this.start, this.end, hint)
