"""Formulas: both implementations against each other and against a plain walk over the tree with fractions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rulesdata_runtime.errors import LimitReached, NoValue, RulesError, UnknownName
from rulesdata_runtime.formulas import closures, generate
from rulesdata_runtime.formulas.code import names, prepare
from rulesdata_runtime.formulas.dice import RecordingDice, SeededDice
from rulesdata_runtime.formulas.fuse import fuse
from rulesdata_runtime.formulas.pools import Pool, roll_digits, roll_pool
from rulesdata_runtime.nodes import NODES

STYLES = ("generate", "closures")
COMPARE = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
LIMIT = 2**53 - 1


class Table(dict[str, Any]):
    """A mapping that answers everything a formula can ask."""

    def __init__(self, values: Mapping[str, Any], seed: int = 0) -> None:
        super().__init__(values)
        self.dice = RecordingDice(SeededDice(seed))

    def roll(self, count: int, sides: int, mods: Mapping[str, Any]) -> Pool:
        return roll_pool(self.dice, count, sides, mods)

    def digits(self, sides: tuple[int, ...]) -> Pool:
        return roll_digits(self.dice, sides)

    def has(self, name: str, params: Mapping[str, Any], role: str | None) -> bool:
        return len(name) + len(params) + len(role or "") > 4

    def level(self, name: str, role: str | None) -> int:
        return len(name)

    def option(self, name: str) -> Any:
        return Fraction(1, 3)

    def of(self, role: str, name: str) -> Any:
        return len(role + name)

    def lookup(self, table: str, keys: tuple[Any, ...], column: str | None) -> Any:
        return None if keys[0] == 3 else Fraction(keys[0]) / 2


def plain(value: Any) -> Any:
    """Whole values are ints, and nothing is an int that is not whole."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def walk(code: Any, v: Table) -> Any:
    """What the node table says, word by word."""
    match code:
        case None | bool() | str():
            return code
        case int():
            return Fraction(code)
        case ["frac", n, d]:
            return Fraction(n, d)
        case ["get", name]:
            return v[name] if isinstance(v[name], bool | str) else Fraction(v[name])
        case ["member", name, key]:
            return Fraction(v[f"{name}[{walk(key, v)}]"])
        case ["+", parts]:
            return sum([walk(part, v) for part in parts], Fraction(0))
        case ["-", a, b]:
            return walk(a, v) - walk(b, v)
        case ["*", parts]:
            return math.prod([walk(part, v) for part in parts], start=Fraction(1))
        case ["/", a, b]:
            return walk(a, v) / walk(b, v)
        case ["neg", a]:
            return -walk(a, v)
        case ["ceil", a]:
            return Fraction(math.ceil(walk(a, v)))
        case ["floor", a]:
            return Fraction(math.floor(walk(a, v)))
        case ["round", a]:
            value = walk(a, v)
            return Fraction(math.floor(abs(value) + Fraction(1, 2))) * (1 if value >= 0 else -1)
        case ["abs", a]:
            return abs(walk(a, v))
        case ["min" | "max" as which, parts]:
            return (min if which == "min" else max)([walk(part, v) for part in parts])
        case ["clamp", *parts]:
            value, low, high = (walk(part, v) for part in parts)
            if low > high:
                raise NoValue("crossed")
            return max(low, min(value, high))
        case ["mod", a, b]:
            first, second = walk(a, v), walk(b, v)
            return first - second * math.floor(first / second)
        case ["limit", a]:
            value = walk(a, v)
            if abs(value.numerator) > LIMIT or value.denominator > LIMIT:
                raise LimitReached("far")
            return value
        case ["chain", operators, parts]:
            left = walk(parts[0], v)
            for operator, part in zip(operators, parts[1:], strict=True):
                right = walk(part, v)
                if not COMPARE[operator](left, right):
                    return False
                left = right
            return True
        case ["and", parts]:
            return all(walk(part, v) for part in parts)
        case ["or", parts]:
            return any(walk(part, v) for part in parts)
        case ["not", a]:
            return not walk(a, v)
        case ["if", test, yes, no]:
            return walk(yes, v) if walk(test, v) else walk(no, v)
        case ["roll", count, sides, mods]:
            return v.roll(plain(walk(count, v)), sides, mods)
        case ["digits", sides]:
            return v.digits(tuple(sides))
        case ["sum", pool]:
            return Fraction(sum(walk(pool, v).kept))
        case ["size", pool]:
            return Fraction(len(walk(pool, v).kept))
        case ["highest" | "lowest" as which, pool]:
            kept = walk(pool, v).kept
            if not kept:
                raise NoValue("none")
            return Fraction(max(kept) if which == "highest" else min(kept))
        case ["count", pool, operators, bounds]:
            kept, limits = walk(pool, v).kept, [walk(bound, v) for bound in bounds]
            pairs = list(zip(operators, limits, strict=True))
            return Fraction(sum(all(COMPARE[o](die, limit) for o, limit in pairs) for die in kept))
        case ["has", name, params, role]:
            return v.has(name, {key: walk(part, v) for key, part in params.items()}, role)
        case ["level", name, role]:
            return Fraction(v.level(name, role))
        case ["option", name]:
            return v.option(name)
        case ["of", role, name]:
            return Fraction(v.of(role, name))
        case ["lookup", table, keys, column]:
            return v.lookup(table, tuple(plain(walk(key, v)) for key in keys), column)
        case [operator, a, b]:
            return COMPARE[operator](walk(a, v), walk(b, v))
    raise AssertionError(code)


def result(run: Callable[[Table], Any], v: Table) -> tuple[str, Any]:
    """The value with its type, or what is wrong; and the dice that were drawn."""
    try:
        value = run(v)
    except ZeroDivisionError:
        return "NoValue", v.dice.given
    except RulesError as problem:
        return type(problem).__name__, v.dice.given
    return f"{type(value).__name__} {value}", v.dice.given


# --- random code, as the compiler types it ---------------------------------------------------------------------

NAMES = ("a", "b", "c")
operators = st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
whole_constants = st.integers(-12, 12)
fractions = st.tuples(st.integers(-9, 9), st.integers(2, 6)).map(lambda pair: ["frac", *pair])
gets = st.sampled_from(NAMES).map(lambda name: ["get", name])
asked = st.sampled_from((["level", "lamp", None], ["option", "o"], ["of", "guard", "a"], ["member", "m", ["get", "k"]]))


def some(part: st.SearchStrategy[Any], most: int = 3) -> st.SearchStrategy[list[Any]]:
    return st.lists(part, min_size=2, max_size=most)


def node(name: str, *parts: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.tuples(*parts).map(lambda found: [name, *found])


def more(dice: bool) -> Callable[[st.SearchStrategy[Any]], st.SearchStrategy[Any]]:
    """Numbers made of numbers; truths and pools on the way."""

    def grow(number: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        chain = operators.flatmap(lambda o: st.tuples(operators, some(number, 3).filter(lambda p: len(p) == 3))).map(
            lambda found: ["chain", [found[0], "<="], found[1]]
        )
        simple = st.one_of(
            st.tuples(operators, number, number).map(list),
            chain,
            st.just(["get", "p"]),
            node("has", st.just("torch"), st.dictionaries(st.just("x"), number, max_size=1), st.none()),
            st.just(["==", ["get", "k"], "north"]),
        )
        truth = st.one_of(simple, node("and", some(simple)), node("or", some(simple)), node("not", simple))
        grown = [
            *(node(name, some(number)) for name in ("+", "*", "min", "max")),
            *(node(name, number, number) for name in ("-", "/", "mod")),
            *(node(name, number) for name in ("neg", "ceil", "floor", "round", "abs", "limit")),
            node("clamp", number, number, number),
            node("if", truth, number, number),
        ]
        if dice:
            mods = st.fixed_dictionaries(
                {},
                optional={
                    "r": st.lists(st.integers(1, 4), max_size=2),
                    "min": st.integers(1, 2),
                    "explode": st.booleans(),
                    "keep": st.tuples(st.sampled_from(("kh", "kl", "dh", "dl")), st.integers(1, 3)).map(list),
                },
            )
            counts = st.one_of(st.integers(0, 4), node("abs", node("floor", number)))
            pool = st.one_of(node("roll", counts, st.sampled_from((4, 6, 10)), mods), node("digits", st.just([6, 6])))
            counted = st.tuples(pool, operators, number).map(lambda f: ["count", f[0], [f[1]], [f[2]]])
            grown += [*(node(name, pool) for name in ("sum", "size", "highest", "lowest")), counted]
        return st.one_of(*grown)

    return grow


leaves = st.one_of(whole_constants, fractions, gets, gets, asked)
numbers_ = st.recursive(leaves, more(dice=True), max_leaves=12)
still = st.recursive(leaves, more(dice=False), max_leaves=10)
value = st.one_of(st.integers(-9, 9), st.integers(-9, 9), st.fractions(-5, 5, max_denominator=6).map(plain))
tables = st.fixed_dictionaries(
    {
        **dict.fromkeys(NAMES, value),
        "p": st.booleans(),
        "k": st.sampled_from(("north", "south")),
        "m[north]": value,
        "m[south]": value,
    }
)


@settings(max_examples=600, deadline=None)
@given(numbers_, tables, st.integers(0, 9))
@example(["round", ["/", ["get", "a"], 2]], {"a": -5}, 0)
@example(["if", ["get", "p"], ["/", ["get", "a"], 3], 1], {"a": 3, "p": True}, 0)
def test_both_implementations_answer_as_the_table_says(code: Any, values: dict[str, Any], seed: int) -> None:
    wanted = result(lambda v: plain(walk(code, v)), Table(values, seed))
    for style in STYLES:
        assert result(prepare(code, style), Table(values, seed)) == wanted, style


@settings(max_examples=200, deadline=None)
@given(numbers_, st.fixed_dictionaries(dict.fromkeys(NAMES, st.integers(-9, 9))), st.booleans())
def test_names_known_to_be_whole_change_nothing(code: Any, values: dict[str, Any], p: bool) -> None:
    more_values = {**values, "p": p, "k": "north", "m[north]": 2, "m[south]": 1}
    known = prepare(code, whole=frozenset(NAMES))
    assert result(known, Table(more_values)) == result(prepare(code), Table(more_values))


@settings(max_examples=200, deadline=None)
@given(st.lists(still, min_size=1, max_size=5), tables)
def test_a_fused_sheet_gives_what_its_formulas_give(codes: list[Any], values: dict[str, Any]) -> None:
    order = [(f"d{i}", ["+", [code, ["get", f"d{i - 1}"]]] if i else code) for i, code in enumerate(codes)]
    one_by_one = Table(values)
    try:
        for name, code in order:
            one_by_one[name] = prepare(code)(one_by_one)
    except RulesError:
        with pytest.raises(RulesError):
            fuse(order)(Table(values))
        return
    fused = fuse(order)(Table(values))
    assert [(type(one), one) for one in fused] == [(type(one_by_one[n]), one_by_one[n]) for n, _ in order]


# --- single cases ----------------------------------------------------------------------------------------------


def test_every_node_is_implemented_twice() -> None:
    assert set(generate.FormulaWriter.nodes) == set(NODES) == set(closures.NODES)


def source(code: Any) -> str:
    writer = generate.FormulaWriter()
    return writer.settled(writer.piece(code)).src


def test_rounded_quotients_are_integer_divisions() -> None:
    half = ["/", ["get", "Body"], 2]
    assert source(["+", [8, ["ceil", half]]]) == "8 - -v['Body'] // 2"
    assert source(["+", [8, ["floor", half]]]) == "8 + v['Body'] // 2"
    assert source(["<", half, ["frac", 7, 3]]) == "3 * v['Body'] < 14"
    assert source(["max", [0, ["get", "x"]]]) == "t0 if (t0 := v['x']) > 0 else 0"


def test_there_are_no_builtins_to_reach() -> None:
    run = prepare(["+", [1, ["get", "x"]]])
    assert run.__globals__["__builtins__"] == {}


def test_the_same_code_is_made_once() -> None:
    assert prepare(["+", [1, ["get", "x"]]]) is prepare(["+", [1, ["get", "x"]]])
    assert prepare(1)({}) == 1
    assert prepare(True)({}) is True


def test_operands_may_stand_one_after_another() -> None:
    for style in STYLES:
        assert prepare(["+", 1, ["get", "x"], 3], style)({"x": 2}) == 6
        assert prepare(["and", True, ["get", "x"]], style)({"x": False}) is False


def test_names_that_a_formula_reads() -> None:
    assert names(["if", ["has", "lit", {"x": ["get", "a"]}, None], ["get", "b"], 1]) == {"a", "b"}


def test_a_sheet_reads_each_variable_once_and_untaken_branches_never() -> None:
    run = fuse([("x", ["+", [["get", "a"], 1]]), ("y", ["if", ["get", "p"], ["get", "z"], ["+", [["get", "a"], 1]]])])
    assert run({"a": 1, "p": False}) == (2, 2)
    with pytest.raises(UnknownName, match="z has no value"):
        run({"a": 1, "p": True})


@pytest.mark.parametrize("style", ["generate", "closures"])
def test_a_member_that_is_named_stands_for_its_name(style: Any) -> None:
    """Where a rule is named, a family's member is not read; elsewhere it is."""
    code = ["+", ["level", ["member", "sore", ["get", "kind"]], None], ["member", "mark", ["get", "kind"]]]
    assert prepare(code, style)(Table({"kind": "arm", "mark[arm]": 40})) == 40 + Table({}).level("sore[arm]", None)
    with pytest.raises(RulesError):
        prepare(["level", ["member", "sore"], None], style)(Table({}))
