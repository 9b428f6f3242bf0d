"""The reach engine against plain enumeration: every result, and in how many ways."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rulesdata_compiler.checking.reach import Domain, Outcomes, Setting, reach
from rulesdata_compiler.checking.weights import SymbolDice


def d(count: Any, sides: int, **mods: Any) -> list[Any]:
    return ["roll", count, sides, mods]


def total(count: Any, sides: int, **mods: Any) -> list[Any]:
    return ["sum", d(count, sides, **mods)]


def odds(code: Any, setting: Setting | None = None, **domains: Any) -> dict[Any, Fraction]:
    found = reach(
        code, {n: Domain(tuple(v)) for n, v in domains.items()}, 2_000_000, setting or Setting(), counted=True
    )
    assert found is not None
    whole = sum(found.weights.values()) + found.fails
    return {key: Fraction(ways, whole) for key, ways in found.weights.items()}


def support(code: Any, setting: Setting | None = None, **domains: Any) -> Outcomes:
    found = reach(code, {n: Domain(tuple(v)) for n, v in domains.items()}, setting=setting or Setting())
    assert found is not None
    return found


def by_hand(count: int, sides: int, ask: Any) -> dict[Any, Fraction]:
    found = Counter(ask(dice) for dice in product(range(1, sides + 1), repeat=count))
    return {key: Fraction(ways, sides**count) for key, ways in found.items()}


@pytest.mark.parametrize(
    ("code", "count", "sides", "ask"),
    [
        (total(3, 6), 3, 6, sum),
        (["size", d(3, 6)], 3, 6, len),
        (["count", d(4, 6), [">="], [5]], 4, 6, lambda dice: sum(x >= 5 for x in dice)),
        (["count", d(4, 6), [">=", "!="], [3, 5]], 4, 6, lambda dice: sum(x >= 3 and x != 5 for x in dice)),
        (["highest", d(3, 8)], 3, 8, max),
        (["lowest", d(3, 8)], 3, 8, min),
        (total(4, 6, keep=["kh", 3]), 4, 6, lambda dice: sum(sorted(dice)[-3:])),
        (total(4, 6, keep=["kl", 2]), 4, 6, lambda dice: sum(sorted(dice)[:2])),
        (total(4, 6, keep=["dh", 1]), 4, 6, lambda dice: sum(sorted(dice)[:3])),
        (total(4, 6, keep=["dl", 1]), 4, 6, lambda dice: sum(sorted(dice)[1:])),
        (["size", d(4, 6, keep=["kh", 9])], 4, 6, len),
        (["count", d(4, 6, keep=["kh", 2]), [">="], [5]], 4, 6, lambda dice: sum(x >= 5 for x in sorted(dice)[-2:])),
        (["highest", d(4, 6, keep=["kl", 2])], 4, 6, lambda dice: sorted(dice)[1]),
        (total(3, 6, min=3), 3, 6, lambda dice: sum(max(3, x) for x in dice)),
        (["*", total(1, 6), 2], 1, 6, lambda dice: dice[0] * 2),
        (["/", total(1, 6), 2], 1, 6, lambda dice: Fraction(dice[0], 2)),
        (["round", ["/", ["neg", total(1, 6)], 2]], 1, 6, lambda dice: -((dice[0] + 1) // 2)),
        (["mod", ["neg", total(1, 6)], 4], 1, 6, lambda dice: -dice[0] % 4),
        (["clamp", total(2, 6), 4, 9], 2, 6, lambda dice: min(9, max(4, sum(dice)))),
        (["chain", ["<", "<="], [3, total(2, 6), 7]], 2, 6, lambda dice: 3 < sum(dice) <= 7),
        (["digits", [6, 6]], 2, 6, None),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, list) else "",
)
def test_against_enumeration(code: Any, count: int, sides: int, ask: Any) -> None:
    if ask is None:
        code, ask = ["sum", code], lambda dice: dice[0] * 10 + dice[1]
    assert odds(code) == by_hand(count, sides, ask)
    assert set(support(code).weights) == set(by_hand(count, sides, ask))


def test_reroll_once() -> None:
    found = odds(total(2, 6, r=[1, 2]))
    pairs = Counter[int]()
    one = Counter({1: 2, 2: 2, 3: 8, 4: 8, 5: 8, 6: 8})
    for a, b in product(one, repeat=2):
        pairs[a + b] += one[a] * one[b]
    assert found == {key: Fraction(ways, 36**2) for key, ways in pairs.items()}


def test_explosions_end_at_a_hundred() -> None:
    found = odds(total(1, 6, explode=True))
    assert max(found) == 606
    assert 6 not in found
    assert 600 not in found
    assert found[7] == Fraction(1, 36)
    assert sum(found.values()) == 1
    assert found[606] == Fraction(1, 6**101)
    assert set(support(total(1, 6, explode=True)).weights) == set(found)


def test_explosions_of_many_dice_are_quick() -> None:
    reached = support(total(10, 6, explode=True)).numbers()
    assert (reached[0], reached[-1]) == (10, 6060)
    assert set(reached) == set(range(10, 6061)) - {n for n in range(6001, 6061) if n not in reached}


def test_explosions_count_and_keep() -> None:
    found = odds(["count", d(2, 2, explode=True), ["=="], [2]])
    assert found[0] == Fraction(1, 4)
    assert found[1] == Fraction(2, 8)
    kept = odds(total(2, 6, explode=True, keep=["kh", 1]))
    assert kept[6] == Fraction(11, 36)
    assert sum(kept.values()) == 1
    low = odds(total(2, 6, explode=True, keep=["kl", 1]))  # the last die of each run is a fair one of five
    assert abs(low[1] - (1 - Fraction(4, 5) ** 2)) < Fraction(1, 6**99)
    assert low[6] == Fraction(1, 6**101) ** 2


# --- names -----------------------------------------------------------------------------------------------------


def test_a_name_used_twice_is_one_value() -> None:
    code = ["-", ["get", "a"], ["get", "a"]]
    assert set(support(code, a=range(5)).weights) == {0}


def test_dice_written_twice_are_two_dice() -> None:
    assert support(["-", total(1, 6), total(1, 6)]).numbers() == list(range(-5, 6))


def test_a_let_is_drawn_once() -> None:
    lets = Setting({"die": d(1, 10), "more": ["if", ["==", ["sum", ["get", "die"]], 10], total(1, 10), 0]})
    lets.lets["more"][3] = ["if", ["==", ["sum", ["get", "die"]], 1], ["neg", total(1, 10)], 0]
    code = ["+", ["get", "skill"], ["sum", ["get", "die"]], ["get", "more"]]
    found = odds(code, lets, skill=[0])
    expected = {n: Fraction(1, 10) for n in range(2, 10)}
    expected |= {10 + n: Fraction(1, 100) for n in range(1, 11)}
    expected |= {1 - n: Fraction(1, 100) for n in range(1, 11)}
    assert found == expected
    assert set(support(code, lets, skill=[0, 1]).weights) == set(range(-9, 22)) - {1} | {1}


def test_a_pool_kept_under_a_name() -> None:
    lets = Setting({"thrown": d(["get", "pool"], 6)})
    ones, size = ["count", ["get", "thrown"], ["=="], [1]], ["size", ["get", "thrown"]]
    glitch = ["and", [">=", ["*", 2, ones], size], [">", size, 0]]
    assert odds(glitch, lets, pool=[2])[True] == Fraction(11, 36)
    assert odds(glitch, lets, pool=[0]) == {False: 1}
    hits = ["count", ["get", "thrown"], [">="], [5]]
    both = odds(["and", glitch, ["==", hits, 0]], lets, pool=[3])
    expected = by_hand(3, 6, lambda dice: 2 * dice.count(1) >= 3 and not any(x >= 5 for x in dice))
    assert both == expected


def test_a_count_against_a_rolled_bound() -> None:
    lets = Setting({"thrown": d(2, 4), "target": total(1, 4)})
    code = ["-", ["count", ["get", "thrown"], [">="], [["get", "target"]]], ["size", ["get", "thrown"]]]
    expected = Counter[int]()
    for a, b, target in product(range(1, 5), repeat=3):
        expected[(a >= target) + (b >= target) - 2] += 1
    assert odds(code, lets) == {key: Fraction(ways, 64) for key, ways in expected.items()}


def test_dice_again_for_those_that_missed() -> None:
    first = ["get", "first"]
    hit = ["count", first, [">="], [5]]
    lets = Setting({"first": d(2, 6), "again": d(["-", ["size", first], hit], 6)})
    code = ["+", hit, ["count", ["get", "again"], [">="], [5]]]
    found = odds(code, lets)
    assert found[0] == Fraction(2, 3) ** 4
    assert found[2] == (1 - Fraction(2, 3) ** 2) ** 2


def test_derived_values_keep_what_they_share() -> None:
    lets = Setting({"double": ["*", 2, ["get", "a"]], "triple": ["*", 3, ["get", "a"]]})
    assert support(["-", ["get", "triple"], ["get", "double"]], lets, a=range(4)).numbers() == [0, 1, 2, 3]
    assert support(["-", ["get", "double"], ["get", "double"]], lets, a=range(4)).numbers() == [0]


def test_a_random_count_of_dice() -> None:
    found = odds(total(total(1, 2), 2))
    assert found == {1: Fraction(1, 4), 2: Fraction(1, 4) + Fraction(1, 8), 3: Fraction(1, 4), 4: Fraction(1, 8)}


def test_only_the_taken_branch_counts() -> None:
    code = ["if", [">", ["get", "a"], 0], ["/", 6, ["get", "a"]], 0]
    found = reach(code, {"a": Domain((0, 1, 4))})
    assert found is not None
    assert set(found.weights) == {0, 6, Fraction(3, 2)}
    assert found.fails == 0
    stops = ["and", [">", ["size", d(["get", "n"], 6)], 0], True]
    assert set(support(stops, n=[0, 1]).weights) == {True, False}


def test_what_fails_is_kept_apart() -> None:
    found = reach(["/", 6, ["get", "a"]], {"a": Domain((0, 1))}, counted=True)
    assert found == Outcomes({6: 1}, fails=1)
    none = reach(["highest", d(0, 6)], {})
    assert none == Outcomes({}, fails=1)
    less = reach(total(-1, 6), {})
    assert less == Outcomes({}, fails=1)


def test_questions_about_the_state() -> None:
    code = ["if", ["has", "prone", None, None], 1, 2]
    assert set(support(code).weights) == {1, 2}
    level = ["level", "tired", None]
    assert reach(["+", 1, level], {}) is None
    found = reach(["-", level, level], {json.dumps(level): Domain((0, 1, 2))})
    assert found is not None
    assert set(found.weights) == {0}


def test_domains_say_how_sure_a_result_is() -> None:
    found = reach(["+", total(1, 6), ["get", "a"]], {"a": Domain((0, 1), complete=False)})
    assert found is not None
    assert (found.complete, found.certain) == (False, True)
    found = reach(["+", total(1, 6), ["get", "a"]], {"a": Domain((0, 1), certain=False), "b": Domain((), False)})
    assert found is not None
    assert (found.complete, found.certain) == (True, False)


def test_a_budget_and_an_open_name_give_up() -> None:
    many = Domain(tuple(range(1000)))
    assert reach(["*", ["get", "a"], ["get", "b"]], {"a": many, "b": many}) is None
    assert reach(["get", "a"], {}) is None
    assert reach(total(1, 1_000_000), {}) is None


def test_long_sums_stay_quick() -> None:
    found = support(["+", total(1, 100), ["*", 10, ["get", "many"]]], many=range(3000))
    assert found.numbers() == list(range(1, 30091))


def test_lookup_reads_cells() -> None:
    cells: dict[tuple[Any, ...], Any] = {("a",): 3, ("b",): ["+", ["get", "key"], 1]}

    def lookup(table: str, keys: tuple[Any, ...], column: str | None) -> tuple[Any, dict[str, Any]] | None:
        return (cells[keys], {"key": 7}) if keys in cells else None

    code = ["lookup", "t", [["get", "k"]], None]
    found = reach(code, {"k": Domain(("a", "b", "c"))}, setting=Setting(lookup=lookup))
    assert found == Outcomes({3: 1, 8: 1}, fails=1)
    assert reach(code, {"k": Domain(("a",))}) is None


# --- custom dice -----------------------------------------------------------------------------------------------

FACES = {
    "up": ([], ["plus"], ["plus"], ["plus", "plus"], ["star"], ["star"], ["plus", "star"], ["star", "star"]),
    "better": ([], ["plus"], ["plus", "star"], ["crown"]),
    "down": ([], ["minus"], ["minus", "minus"], ["cloud"]),
}
DICE = SymbolDice(
    {die: tuple(tuple(face) for face in faces) for die, faces in FACES.items()},
    {"crown": ("plus",)},
    {"plus": ("minus",), "minus": ("plus",)},
    {"up": "better"},
)


def counted(faces: tuple[list[str], ...], symbol: str) -> int:
    return sum(face.count(symbol) + (symbol == "plus") * face.count("crown") for face in faces)


@pytest.mark.parametrize("symbol", ["plus", "minus", "star", "crown"])
def test_symbols_of_a_pool(symbol: str) -> None:
    pool = ["pool", [["up", 2], ["better", 1], ["down", ["get", "n"]]], [], []]
    against = {"plus": "minus", "minus": "plus"}.get(symbol)
    expected = Counter[int]()
    for faces in product(FACES["up"], FACES["up"], FACES["better"], FACES["down"], FACES["down"]):
        less = counted(faces, against) if against else 0
        expected[max(0, counted(faces, symbol) - less)] += 1
    whole = 8 * 8 * 4 * 4 * 4
    found = odds(["net", pool, symbol], Setting(dice=DICE), n=[2])
    assert found == {key: Fraction(ways, whole) for key, ways in expected.items()}


def test_two_symbols_of_one_pool_are_joint() -> None:
    lets = Setting({"pool": ["pool", [["up", 1], ["down", 1]], [], []]}, DICE)
    code = ["and", [">", ["net", ["get", "pool"], "plus"], 0], [">", ["rolled", ["get", "pool"], "minus"], 0]]
    assert odds(code, lets)[True] == Fraction(1, 32)


def test_upgrades_and_downgrades() -> None:
    kinds = ["+", *(["*", m, ["count_kind", ["get", "pool"], die]] for m, die in [(100, "up"), (10, "better")])]
    for added, up, down, expected in [
        ([["up", 3]], [["up", 2]], [], 120),
        ([["up", 1]], [["up", 2]], [], 110),
        ([["up", 1], ["better", 1]], [], [["better", 2]], 200),
        ([], [["up", 1]], [], 100),
    ]:
        found = support(kinds, Setting({"pool": ["pool", added, up, down]}, DICE))
        assert found.numbers() == [expected], (added, up, down)


def test_a_large_pool_of_custom_dice() -> None:
    pool = ["throw", 12, "up"]
    assert support(["net", pool, "plus"], Setting(dice=DICE)).numbers() == list(range(25))
    assert odds(["net", pool, "plus"], Setting(dice=DICE))[24] == Fraction(1, 8**12)


# --- random formulas against plain enumeration -------------------------------------------------------------------


def formula(source: random.Random, depth: int) -> list[Any] | int:
    if depth == 0:
        leaves: list[Any] = [source.randint(-2, 3), ["get", "a"], ["get", "b"], ["get", "c"], ["sum", ["get", "p"]]]
        return source.choice(leaves)  # type: ignore[no-any-return]
    kind = source.choice(["+", "-", "*", "min", "max", "if", "ask"])
    sub = [formula(source, depth - 1) for _ in range(3)]
    match kind:
        case "if":
            return ["if", ["<", sub[0], sub[1]], sub[2], sub[0]]
        case "ask":
            return ["+", ["count", ["get", "p"], [">="], [2]], sub[0]]
        case "-":
            return ["-", sub[0], sub[1]]
        case _:
            return [kind, *sub]


def value(code: Any, env: dict[str, Any]) -> Any:
    if not isinstance(code, list):
        return code
    match code[0]:
        case "get":
            return env[code[1]]
        case "sum":
            return sum(env["p"])
        case "count":
            return sum(x >= 2 for x in env["p"])
        case "if":
            return value(code[2] if value(code[1], env) else code[3], env)
    parts = [value(part, env) for part in code[1:]]
    match code[0]:
        case "+":
            return sum(parts)
        case "-":
            return parts[0] - parts[1]
        case "*":
            return parts[0] * parts[1] * parts[2]
        case "<":
            return parts[0] < parts[1]
        case "min":
            return min(parts)
        case _:
            return max(parts)


@pytest.mark.parametrize("seed", range(60))
def test_random_formulas(seed: int) -> None:
    code = formula(random.Random(seed), 3)
    lets = Setting({"p": d(2, 3), "c": ["+", ["get", "a"], ["sum", ["get", "p"]]]})
    expected = Counter[int]()
    for a, b, x, y in product(range(3), range(2), range(1, 4), range(1, 4)):
        expected[value(code, {"a": a, "b": b, "p": (x, y), "c": a + x + y})] += 1
    found = odds(code, lets, a=range(3), b=range(2))
    assert found == {key: Fraction(ways, 54) for key, ways in expected.items()}
