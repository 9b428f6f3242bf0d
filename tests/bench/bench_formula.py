"""How fast formulas are: against a function written by hand, and against simpleeval.

Six formulas of the usual kinds, 64 sets of variables as plain dicts; every contestant must answer as the hand-written
function does before it is timed. Then a sheet: 30 formulas over one set of variables, in one fused function, against
30 hand-written functions; what making a formula costs once; and opening an artifact against `json.loads`.
Run `python tests/bench/bench_formula.py [--quick]`.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from math import ceil, floor
from typing import Any

import simpleeval  # type: ignore[import-untyped]  # it has no stubs
from race import Effort, Entry, effort, race, report

from rulesdata_runtime.artifact import open_artifact, seal
from rulesdata_runtime.formulas.code import prepare
from rulesdata_runtime.formulas.fuse import fuse

LIMIT = "written by hand (limit)"
OURS = "ours, generated"
Values = dict[str, Any]

FORMULAS = {
    "derived": "8 + ceil(Body / 2)",
    "points": "10 + 5 * ceil((Body + Will) / 2)",
    "modifier": "floor((Str - 10) / 2) + Skill",
    "branch": "Body + 2 if Size >= 4 else Body",
    "long": "min(40, 10 + 5 * ceil((Body + Will) / 2) + (3 if Tough >= 2 else 0) - 2 * max(0, Armor - 3))",
    "test": "Hits >= Goal and not Glitch or Edge > 0",
}
HAND: dict[str, Callable[[Values], Any]] = {
    "derived": lambda v: 8 + ceil(v["Body"] / 2),
    "points": lambda v: 10 + 5 * ceil((v["Body"] + v["Will"]) / 2),
    "modifier": lambda v: floor((v["Str"] - 10) / 2) + v["Skill"],
    "branch": lambda v: v["Body"] + 2 if v["Size"] >= 4 else v["Body"],
    "long": lambda v: min(
        40, 10 + 5 * ceil((v["Body"] + v["Will"]) / 2) + (3 if v["Tough"] >= 2 else 0) - 2 * max(0, v["Armor"] - 3)
    ),
    "test": lambda v: (v["Hits"] >= v["Goal"] and not v["Glitch"]) or v["Edge"] > 0,
}


def get(name: str) -> list[Any]:
    return ["get", name]


MEAN = ["ceil", ["/", ["+", [get("Body"), get("Will")]], 2]]
CODE: dict[str, Any] = {
    "derived": ["+", [8, ["ceil", ["/", get("Body"), 2]]]],
    "points": ["+", [10, ["*", [5, MEAN]]]],
    "modifier": ["+", [["floor", ["/", ["-", get("Str"), 10], 2]], get("Skill")]],
    "branch": ["if", [">=", get("Size"), 4], ["+", [get("Body"), 2]], get("Body")],
    "long": [
        "min",
        [
            40,
            [
                "-",
                ["+", [10, ["*", [5, MEAN]], ["if", [">=", get("Tough"), 2], 3, 0]]],
                ["*", [2, ["max", [0, ["-", get("Armor"), 3]]]]],
            ],
        ],
    ],
    "test": ["or", [["and", [[">=", get("Hits"), get("Goal")], ["not", get("Glitch")]]], [">", get("Edge"), 0]]],
}


def variables(i: int) -> Values:
    return {
        "Body": i % 11 + 1,
        "Will": i * 7 % 9 + 1,
        "Str": i * 5 % 21 + 1,
        "Skill": i % 5 + 2,
        "Size": i % 7,
        "Tough": i % 4,
        "Armor": i * 3 % 8,
        "Hits": i % 6,
        "Goal": i * 5 % 5,
        "Glitch": i % 3 == 0,
        "Edge": i % 4,
    }


CASES = [variables(i) for i in range(64)]


def by_simpleeval(formula: str) -> Callable[[Values], Any]:
    evaluator = simpleeval.SimpleEval(functions={"ceil": ceil, "floor": floor, "min": min, "max": max})
    tree = evaluator.parse(formula)

    def run(v: Values) -> Any:
        evaluator.names = v
        return evaluator.eval("", previously_parsed=tree)

    return run


def formulas(how: Effort) -> None:
    ratios = []
    for key, formula in FORMULAS.items():
        contestants = {
            LIMIT: HAND[key],
            OURS: prepare(CODE[key]),
            "ours, closures": prepare(CODE[key], "closures"),
            "simpleeval": by_simpleeval(formula),
        }
        entries = []
        for name, function in contestants.items():
            assert [function(v) for v in CASES] == [HAND[key](v) for v in CASES], (name, key)
            entries.append(Entry(name, lambda f=function: [f(v) for v in CASES], len(CASES)))  # type: ignore[misc]
        found = race(entries, LIMIT, how)
        report(f"{key}: {formula}", found)
        ratios.append(found[OURS][1])
    print(f"\ngeometric mean of ours: {statistics.geometric_mean(ratios):.3f}, worst {max(ratios):.3f}")


def renamed(code: Any, number: int) -> Any:
    """The same formula with other numbers, so that nothing is shared but variables."""
    if isinstance(code, list):
        return [renamed(part, number) for part in code]
    return code + number if type(code) is int and code > 2 else code


def sheet(how: Effort) -> None:
    keys = [list(FORMULAS)[i % 6] for i in range(30)]
    by_hand = [HAND[key] for key in keys]
    functions = [prepare(CODE[key]) for key in keys]
    fused = fuse([(f"{key}_{i}", CODE[key]) for i, key in enumerate(keys)])
    different = fuse([(f"{key}_{i}", renamed(CODE[key], i // 6)) for i, key in enumerate(keys)])
    for v in CASES:
        assert list(fused(v)) == [f(v) for f in by_hand]
    entries = [
        Entry(LIMIT, lambda: [[f(v) for f in by_hand] for v in CASES], len(CASES)),
        Entry("ours, one by one", lambda: [[f(v) for f in functions] for v in CASES], len(CASES)),
        Entry("ours, fused", lambda: [fused(v) for v in CASES], len(CASES)),
        Entry("ours, fused, 30 different formulas", lambda: [different(v) for v in CASES], len(CASES)),
    ]
    report("a sheet of 30 formulas", race(entries, LIMIT, how))


def first_call(how: Effort) -> None:
    """What making a formula costs, once."""
    from rulesdata_runtime.formulas.generate import function

    entries = [Entry("an empty list comprehension (limit)", lambda: [None for _ in range(6)], 6)]
    entries.append(Entry("making one of the six", lambda: [function(code) for code in CODE.values()], 6))
    report("the first call of a formula", race(entries, entries[0].name, how))


def opening(how: Effort) -> None:
    """An artifact of 1,000 formulas."""
    codes, texts = list(CODE.values()), list(FORMULAS.values())
    rules = {
        f"value_{i}": {
            "kind": "derived",
            "at": ["rules.yaml", i + 2, 3],
            "title": f"Value {i}",
            "formula": codes[i % 6],
            "said": {"formula": texts[i % 6]},
            "bounds": {"formula": [1, 20]},
        }
        for i in range(1_000)
    }
    data = seal({"system": {"id": "demo", "title": "Demo", "version": "1.0.0"}, "rules": rules, "order": list(rules)})
    entries = [
        Entry("json.loads (limit)", lambda: json.loads(data)),
        Entry("open_artifact", lambda: open_artifact(data)),
    ]
    report(f"opening an artifact of {len(data) // 1024} KiB", race(entries, entries[0].name, how))


def main() -> None:
    how = effort()
    formulas(how)
    sheet(how)
    first_call(how)
    opening(how)


if __name__ == "__main__":
    main()
