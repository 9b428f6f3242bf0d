"""Formula text -> syntax: each construct of the language once, as a tree written by hand."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import pytest

from rulesdata_compiler.formulas.parse import Problem, parse, unusable
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

A, B, C, X, Y = (Name(name) for name in "abcxy")
ONE, TWO, THREE = Number(1), Number(2), Number(3)

TREES: list[tuple[str, Expr]] = [
    # numbers: exact, whole wherever they are
    ("8", Number(8)),
    ("010", Number(10)),
    ("0.5", Number(Fraction(1, 2))),
    ("0.50", Number(Fraction(1, 2))),
    ("2.0", TWO),
    ("9007199254740991", Number(2**53 - 1)),
    ("+1", ONE),
    (" +1 ", ONE),
    ("-4", Negate(Number(4))),
    ("−4", Negate(Number(4))),
    # words
    ("true", Truth(True)),
    ("false", Truth(False)),
    ("none", Name("none")),
    ("base", Name("base")),
    ("base + 2", Sum((Name("base"), TWO), ("+",))),
    ('"left arm"', Text("left arm")),
    ("'left arm'", Text("left arm")),
    ('"the torch\'s light"', Text("the torch's light")),
    # names
    ("strength", Name("strength")),
    ("iffy + orb + notes", Sum((Name("iffy"), Name("orb"), Name("notes")), ("+", "+"))),
    ("r1 + min2 + kh3", Sum((Name("r1"), Name("min2"), Name("kh3")), ("+", "+"))),
    ("d6_bonus", Name("d6_bonus")),
    ("d + damage", Sum((Name("d"), Name("damage")), ("+",))),
    ("скорость", Name("скорость")),
    ("Stärke", Name("Stärke")),
    ("Sta\u0308rke", Name("Stärke")),
    ("शक्ति + 1", Sum((Name("शक्ति"), ONE), ("+",))),
    ("alarm[north]", Index("alarm", Name("north"))),
    ("alarm[x + 1]", Index("alarm", Sum((X, ONE), ("+",)))),
    ("owner.x", Member(Name("owner"), "x")),
    ("owner.x.y", Member(Member(Name("owner"), "x"), "y")),
    ("owner.alarm[a]", Member(Name("owner"), "alarm", key=A)),
    ("alarm[a].x", Member(Index("alarm", A), "x")),
    ("f(a).x", Member(Call("f", (A,)), "x")),
    # calls
    ("f()", Call("f", ())),
    ("f(a, b; c)", Call("f", (A, B, C))),
    ("f(a, x: b; y: 1)", Call("f", (A,), (("x", B), ("y", ONE)))),
    ("f (a)", Call("f", (A,))),
    # operators, loosest first
    ("if a then b else c", If(A, B, C)),
    ("if a then 1 else if b then 2 else 3", If(A, ONE, If(B, TWO, THREE))),
    ("if a then if b then 1 else 2 else 3", If(A, If(B, ONE, TWO), THREE)),
    ("2 * (if a then b else c)", Product((TWO, If(A, B, C)), ("*",))),
    ("f(if a then b else c)", Call("f", (If(A, B, C),))),
    ("a or b and c", Junction("or", (A, Junction("and", (B, C))))),
    ("(a or b) and c", Junction("and", (Junction("or", (A, B)), C))),
    ("a or b or c", Junction("or", (A, B, C))),
    ("not a and not b", Junction("and", (Not(A), Not(B)))),
    ("not not a", Not(Not(A))),
    ("not a == b", Not(Compare((A, B), ("==",)))),
    ("1 <= x <= 3", Compare((ONE, X, THREE), ("<=", "<="))),
    ("x ≥ 1", Compare((X, ONE), (">=",))),
    ("a ≤ b ≠ c", Compare((A, B, C), ("<=", "!="))),
    ("x != y", Compare((X, Y), ("!=",))),
    ("x is a", Compare((X, A), ("is",))),
    ("x is not a", Compare((X, A), ("is not",))),
    ("x is  not none and y", Junction("and", (Compare((X, Name("none")), ("is not",)), Y))),
    ("a + b - c", Sum((A, B, C), ("+", "-"))),
    ("a – b − c", Sum((A, B, C), ("-", "-"))),
    ("a + (b - c)", Sum((A, Sum((B, C), ("-",))), ("+",))),
    ("(a + b) - c", Sum((Sum((A, B), ("+",)), C), ("-",))),
    ("a × b ÷ c", Product((A, B, C), ("*", "/"))),
    ("a + b * c", Sum((A, Product((B, C), ("*",))), ("+",))),
    ("-a * b", Product((Negate(A), B), ("*",))),
    ("a * -b", Product((A, Negate(B)), ("*",))),
    ("a - -b", Sum((A, Negate(B)), ("-",))),
    ("--a", Negate(Negate(A))),
    ("a<-1", Compare((A, Negate(ONE)), ("<",))),
    ("8 +\n  ceil(a\t/ 2)", Sum((Number(8), Call("ceil", (Product((A, TWO), ("/",)),))), ("+",))),
    # dice
    ("2d6", Dice(TWO, 6)),
    ("0d6", Dice(Number(0), 6)),
    ("d20", Dice(None, 20)),
    ("d%", Dice(None, 100)),
    ("3d%", Dice(THREE, 100)),
    ("d66", Dice(None, (6, 6))),
    ("d666", Dice(None, (6, 6, 6))),
    ("d88", Dice(None, (8, 8))),
    ("d11", Dice(None, 11)),
    ("2d11", Dice(TWO, 11)),
    ("d606", Dice(None, 606)),
    ("2d6 - 1", Sum((Dice(TWO, 6), ONE), ("-",))),
    ("2d6-1", Sum((Dice(TWO, 6), ONE), ("-",))),
    ("(a + b)d6", Dice(Sum((A, B), ("+",)), 6)),
    ("(a) d6", Dice(A, 6)),
    ("(2)d6", Dice(TWO, 6)),
    ("(a)d6kh3", Dice(A, 6, keep=("kh", 3))),
    ("4d6kh3", Dice(Number(4), 6, keep=("kh", 3))),
    ("2d20kl", Dice(TWO, 20, keep=("kl", 1))),
    ("4d6dl1", Dice(Number(4), 6, keep=("dl", 1))),
    ("4d6dh", Dice(Number(4), 6, keep=("dh", 1))),
    ("1d10!", Dice(ONE, 10, explode=True)),
    ("d6!", Dice(None, 6, explode=True)),
    ("2d6r1", Dice(TWO, 6, reroll=(1,))),
    ("2d6r2r1", Dice(TWO, 6, reroll=(1, 2))),
    ("2d6min2", Dice(TWO, 6, minimum=2)),
    ("4d6kh3!min2r1", Dice(Number(4), 6, (1,), 2, True, ("kh", 3))),
    ("2d6!kh3", Dice(TWO, 6, explode=True, keep=("kh", 3))),
    ("1d6! == 6", Compare((Dice(ONE, 6, explode=True), Number(6)), ("==",))),
    ("1d6! != 6", Compare((Dice(ONE, 6, explode=True), Number(6)), ("!=",))),
    ("1d6 != 6", Compare((Dice(ONE, 6), Number(6)), ("!=",))),
    ("(1d6)!=6", Compare((Dice(ONE, 6), Number(6)), ("!=",))),
    ("x!=6", Compare((X, Number(6)), ("!=",))),
    ("-(1d6)", Negate(Dice(ONE, 6))),
    ("-d6", Negate(Dice(None, 6))),
    ("-(a)d6", Negate(Dice(A, 6))),
    ("a - 1d6", Sum((A, Dice(ONE, 6)), ("-",))),
    ("d[green]", Dice(None, "green")),
    ("2d[green]", Dice(TWO, "green")),
    ("(a + 1)d[ green ]", Dice(Sum((A, ONE), ("+",)), "green")),
    ("count((a + b)d6 >= 5)", Call("count", (Compare((Dice(Sum((A, B), ("+",)), 6), Number(5)), (">=",)),))),
]


@pytest.mark.parametrize(("text", "tree"), TREES, ids=[text for text, _ in TREES])
def test_a_formula_has_this_tree(text: str, tree: Expr) -> None:
    assert parse(text) == tree


def test_names_and_texts_are_plain_and_in_normal_form() -> None:
    found = parse("f(Sta\u0308rke.x, key: 'Sta\u0308rke')")
    assert isinstance(found, Call)
    member, (key, text) = found.args[0], found.named[0]
    assert isinstance(member, Member)
    assert isinstance(member.of, Name)
    assert isinstance(text, Text)
    for word in (found.name, member.name, member.of.name, key, text.value):
        assert type(word) is str
    assert (member.of.name, text.value) == ("Stärke", "Stärke")


PLACES = [
    ("8 + ceil(a / 2)", ["8 + ceil(a / 2)", "8", "ceil(a / 2)", "a / 2", "a", "2"]),
    ("(a + b) * c", ["(a + b) * c", "(a + b)", "a", "b", "c"]),
    ("( a + 1 )d6kh1 - 2", ["( a + 1 )d6kh1 - 2", "( a + 1 )d6kh1", "a + 1", "a", "1", "2"]),
    ("12d6", ["12d6", "12"]),
    ("not owner.x[a] is b", ["not owner.x[a] is b", "owner.x[a] is b", "owner.x[a]", "owner", "a", "b"]),
    ("f(a, x: -b).y", ["f(a, x: -b).y", "f(a, x: -b)", "a", "-b", "b"]),
    ("if a then 2d[green] else (c)", ["if a then 2d[green] else (c)", "a", "2d[green]", "2", "(c)"]),
    (" + 12 ", ["+ 12"]),
]


@pytest.mark.parametrize(("text", "places"), PLACES)
def test_every_node_knows_its_place(text: str, places: list[str]) -> None:
    from rulesdata_compiler.formulas.parse_limits import parts

    def walk(expr: Expr) -> list[str]:
        return [text[slice(*expr.at)]] + [place for part in parts(expr) for place in walk(part)]

    found = parse(text)
    assert not isinstance(found, Problem)
    assert walk(found) == places


@pytest.mark.parametrize("word", ["12", "1.25", "strength", "base", "none", "damage", "d", "dd6", "Größe", "_x", "-3"])
def test_one_word_is_read_the_same_with_and_without_lark(word: str) -> None:
    short, long = parse(word), parse(f" {word}")
    assert short == long
    assert not isinstance(short, Problem)
    assert short.at == (0, len(word))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("strength", None),
        ("r1", None),
        ("min2", None),
        ("kh3", None),
        ("d6_bonus", None),
        ("Größe", None),
        ("none", None),
        ("base", "`base` is a word of the formula language"),
        ("if", "`if` is a word of the formula language"),
        ("d6", "`d6` looks like dice"),
        ("D6", "`D6` looks like dice"),
        ("d%", "`d%` looks like dice"),
        ("2d6", "`2d6` looks like dice"),
        ("4d6kh3", "`4d6kh3` looks like dice"),
        ("d6r1", "`d6r1` looks like dice"),
        ("a b", "`a b` is not one word of letters, digits and `_` that begins with a letter"),
        ("1a", "`1a` is not one word of letters, digits and `_` that begins with a letter"),
        ("", "`` is not one word of letters, digits and `_` that begins with a letter"),
    ],
)
def test_which_names_a_formula_can_write(name: str, reason: str | None) -> None:
    assert unusable(name) == reason
    if reason is None:
        assert parse(name) == Name(name)
        assert parse(f"1 + {name}") == Sum((ONE, Name(name)), ("+",))


def test_lark_is_brought_in_by_the_first_formula_only() -> None:
    code = (
        "import sys; from rulesdata_compiler.formulas.parse import parse;"
        "parse('12'); parse('strength'); assert 'lark' not in sys.modules;"
        "parse('1 + 2'); assert 'lark' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
