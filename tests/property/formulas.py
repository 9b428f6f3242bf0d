"""Hypothesis strategies that mirror the grammar of formulas.

`expressions()` draws syntax, only such as `parse` can make; `spellings(expr)` draws ways to write it, with other white
space, signs, separators, brackets and orders than `show` has; `scraps()` draws text that looks like a formula.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from rulesdata_compiler.formulas.parse import unusable
from rulesdata_compiler.formulas.show import show
from rulesdata_compiler.formulas.syntax import (
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

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "is", "is not")
DIGIT_DICE = ((6, 6), (6, 6, 6), (8, 8), (4, 4), (9, 9, 9, 9))

_LETTERS = "abcxyzABZäßéскоїעअ力_"


def names() -> st.SearchStrategy[str]:
    """Names a formula can write; some that nearly are something else."""
    made = st.builds(str.__add__, st.sampled_from(_LETTERS), st.text(_LETTERS + "0123456789", max_size=6))
    near = st.sampled_from(
        ("iffy", "nota", "r1", "min2", "kh3", "d", "dd6", "d6_x", "orange", "isle", "none", "trueish")
    )
    # `d` is a name but for brackets behind it, where it is a die or a mistake.
    return st.one_of(made, near).filter(lambda name: unusable(name) is None and name not in ("d", "D"))


def numbers() -> st.SearchStrategy[Number]:
    whole = st.one_of(st.integers(0, 20), st.integers(0, 2**53 - 1))
    decimal = st.builds(lambda value, places: Fraction(value, 10**places), st.integers(0, 10**9), st.integers(1, 6))
    exact = st.one_of(whole, decimal).map(lambda value: int(value) if value.denominator == 1 else value)
    return st.builds(Number, exact)


def texts() -> st.SearchStrategy[Text]:
    return st.builds(Text, st.text('abc äß力"()[]{},;:!=+-', max_size=8))


def leaves() -> st.SearchStrategy[Expr]:
    named = st.one_of(st.builds(Name, names()), st.just(Name("base")), st.just(Name("d")))
    return st.one_of(numbers(), named, texts(), st.builds(Truth, st.booleans()), dice(st.nothing()))


def expressions(max_leaves: int = 24) -> st.SearchStrategy[Expr]:
    return st.recursive(leaves(), _around, max_leaves=max_leaves)


def _around(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    # Nothing that holds `inner` is filtered: hypothesis would print it, and it is long.
    argument = st.builds(
        lambda keys, first, second: tuple(zip(keys, (first, second), strict=False)),
        st.lists(names(), max_size=2, unique=True),
        inner,
        inner,
    )
    calls = names().filter(lambda name: name.lower() not in ("if", "then", "else", "and", "or", "not", "is"))
    call = st.builds(Call, calls, st.lists(inner, max_size=3).map(tuple), argument)
    path = st.one_of(st.builds(Name, names()), st.builds(Index, names(), inner), call)
    return st.one_of(
        path,
        st.builds(lambda of, name, key: Member(of, name, key=key), path, names(), st.none() | inner),
        st.builds(Negate, inner),
        st.builds(Not, inner),
        st.builds(If, inner, inner, inner),
        _chain(inner, ("+", "-")).map(lambda chain: Sum(*chain)),
        _chain(inner, ("*", "/")).map(lambda chain: Product(*chain)),
        _chain(inner, COMPARISONS).map(lambda chain: Compare(*chain)),
        st.builds(Junction, st.sampled_from(("and", "or")), st.lists(inner, min_size=2, max_size=4).map(tuple)),
        dice(inner),
    )


@st.composite
def _chain(
    draw: st.DrawFn, inner: st.SearchStrategy[Expr], signs: tuple[str, ...]
) -> tuple[tuple[Expr, ...], tuple[str, ...]]:
    parts = draw(st.lists(inner, min_size=2, max_size=4))
    drawn = draw(st.lists(st.sampled_from(signs), min_size=len(parts) - 1, max_size=len(parts) - 1))
    return tuple(parts), tuple(drawn)


@st.composite
def dice(draw: st.DrawFn, inner: st.SearchStrategy[Expr]) -> Dice:
    """Dice that a hand can roll; `inner` draws counts that are computed."""
    if draw(st.integers(0, 9)) == 0:
        return Dice(None, draw(st.sampled_from(DIGIT_DICE)))
    count = draw(st.one_of(st.none(), st.builds(Number, st.integers(0, 1000)), inner.map(_countable)))
    if draw(st.integers(0, 4)) == 0:
        return Dice(count, draw(names()))
    sides = draw(st.sampled_from((2, 3, 4, 6, 8, 10, 11, 12, 20, 100, 1_000_000)))
    reroll = tuple(sorted(draw(st.sets(st.integers(1, sides), max_size=2))))
    minimum = draw(st.none() | st.integers(1, sides - 1))
    explode = draw(st.booleans())
    keep = None
    rolled = 1 if count is None else count.value if isinstance(count, Number) else 9
    if rolled > 1:
        verbs = st.sampled_from(("kh", "kl", "dh", "dl"))
        keep = draw(st.none() | st.tuples(verbs, st.integers(1, int(min(rolled, 9)) - 1)))
    return Dice(count, sides, reroll, minimum, explode, keep)


def _countable(count: Expr) -> Expr:
    """The expression, or another one where it says a number of dice that is refused."""
    match count:
        case Number() | Negate(of=Number()):
            return Sum((count, Name("x")), ("+",))
        case _:
            return count


_SIGNS = {
    " - ": [" - ", "-", " − ", " – "],
    " * ": [" * ", "*", " × "],
    " / ": ["/", " ÷ ", "\n/ "],
    " <= ": ["<=", " ≤ "],
    " >= ": [" ≥ ", " >= "],
    " != ": [" ≠ ", " != "],
    " + ": ["+", "  + "],
    ", ": [",", "; ", " ,\n"],
    " and ": ["\nand\t", "  and "],
}


@st.composite
def spellings(draw: st.DrawFn, expr: Expr) -> str:
    """Another way to write an expression; texts in quotes stay as they are."""
    pieces = []
    for place, piece in enumerate(_outside_quotes(show(expr))):
        if place % 2 == 0:
            for sign, others in _SIGNS.items():
                first, *parts = piece.split(sign)
                for part in parts:
                    # No comparison may touch a die that explodes.
                    first += (sign if first.endswith("!") else draw(st.sampled_from(others))) + part
                piece = first
        pieces.append(piece)
    text = "".join(pieces)
    if draw(st.booleans()):
        text = f"({text})"
    return draw(st.sampled_from(("", " ", "\n"))) + text + draw(st.sampled_from(("", " ")))


def _outside_quotes(text: str) -> list[str]:
    """The text cut at its quotes: what stands outside, inside, outside in turn."""
    cuts, inside, start = [], "", 0
    for place, char in enumerate(text):
        if inside and char == inside:
            cuts.append(text[start : place + 1])
            inside, start = "", place + 1
        elif not inside and char in "\"'":
            cuts.append(text[start:place])
            inside, start = char, place
    return [*cuts, text[start:]]


_SCRAPS = (
    'a b strength 1 2 1.5 ( ) ( ) [ ] , ; : . + - * / < <= == = != ! is not and or if then else true "t" \' 2d6 d6 d66 '
    "1d6! d[ 2d[ kh3 min2 $ ½ — % ^ f( has( )d6 )d d 2D6 base none d% × ≤ && => “ ² 0.1 1d66 4d6k3 AND"
)


def scraps() -> st.SearchStrategy[str]:
    """Text made of what formulas are made of, mostly broken."""
    piece = st.builds(str.__add__, st.sampled_from(_SCRAPS.split()), st.sampled_from(("", " ", " ")))
    return st.lists(piece, max_size=12).map("".join)
