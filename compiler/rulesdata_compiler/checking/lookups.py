"""Lookups that can ask a table for more than its rows cover.

In: every formula with a `lookup`, and the tables. Out: one finding a formula and table, with what it can ask for. The
one rule: the formula is tried as it stands, so what an `if` in it keeps away is no mistake; where another condition
of the rule speaks of the same names, nothing is claimed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from .. import model
from ..binding.bind import Bound
from ..diagnostics import Findings, Note
from ..source import Span
from .intervals import Run, common, merge, of_numbers, them, told
from .names import Names
from .reach import Outcomes
from .reach_code import Code, key_of, nodes
from .rolled import cover

GUARDS = frozenset(("when", "that", "requires", "while_", "starts", "until", "measured"))


@dataclass(slots=True)
class _Misses:
    """Keys asked for that no row covers, by table."""

    names: Names
    keys: dict[str, set[tuple[Any, ...]]] = field(default_factory=dict)

    def cell(self, table: str, keys: tuple[Any, ...], column: str | None) -> tuple[Code, Mapping[str, Any]] | None:
        found = self.names.cell(table, keys, column)
        if found is None:
            self.keys.setdefault(table, set()).add(keys)
        return found


def check_lookups(names: Names, findings: Findings) -> None:
    asking_rules = {use.rule_id for use in names.bindings.uses if use.how == "lookup"}
    for rule_id in sorted(asking_rules & names.system.rules.keys()):
        rule = names.system.rules[rule_id]
        found = [(formula, name, names.bound(formula)) for formula, name in formulas_of(rule)]
        asking = [
            (f, name, b) for f, name, b in found if b is not None and any(n[0] == "lookup" for n in nodes(b.code))
        ]
        if asking:
            guards = [(f, b) for f, name, b in found if name in GUARDS and b is not None]
            for formula, _, bound in asking:
                read = _read([b.code for f, b in guards if f is not formula]) | _narrowed(rule)
                if not read & _read([bound.code]):
                    _check_formula(rule, formula, bound, names, findings)


def formulas_of(value: object, name: str = "") -> Iterator[tuple[model.Formula, str]]:
    """Every formula of a model object with the field it stands in."""
    if isinstance(value, model.Formula):
        yield value, name
    elif isinstance(value, tuple):
        for item in value:
            yield from formulas_of(item, name)
    elif is_dataclass(value) and not isinstance(value, type | Span):
        for item in fields(value):
            if item.name not in ("span", "examples"):
                inner = name if isinstance(value, model.Named) else item.name
                yield from formulas_of(getattr(value, item.name), inner)


def _read(codes: list[Code]) -> frozenset[str]:
    return frozenset(key_of(node) for code in codes for node in nodes(code) if node[0] == "get")


def _narrowed(rule: model.AnyRule) -> frozenset[str]:
    """Inside a table, its keys are only what the row at hand stands for."""
    return frozenset(spec.name for spec in rule.by) if isinstance(rule, model.Table) else frozenset()


def _check_formula(rule: model.AnyRule, formula: model.Formula, bound: Bound, names: Names, findings: Findings) -> None:
    misses = _Misses(names)
    lets: dict[str, Code] = {}
    if isinstance(rule, model.Roll):
        lets = {named.name: b.code for named in rule.let if (b := names.bound(named.formula)) is not None}
    outcomes = names.reach(bound.code, getattr(rule, "params", ()), lets, lookup=misses.cell, far=True)
    if outcomes is None:
        return
    for table_id, keys in misses.keys.items():
        table = names.system.rules[table_id]
        assert isinstance(table, model.Table)
        words = _beyond(table, keys, outcomes)
        if words is None:
            continue
        what, it = words
        can = "can be asked" if outcomes.certain else "may be asked (it cannot be ruled out)"
        findings.add(
            "R608",
            f"`{table_id}` {can} for {what} here, and no row covers {it}",
            _place(formula, table_id),
            notes=(Note(table.span, f"`{table_id}` is declared here"),),
            hint="add the row, say `outside` on the table, or hold the key with `clamp(…)`",
        )


def _beyond(table: model.Table, keys: set[tuple[Any, ...]], outcomes: Outcomes) -> tuple[str, str] | None:
    """What lies beyond the rows, in words; holes between rows are told where they stand."""
    firsts = [key[0] for key in keys if type(key[0]) is int]
    covered = cover(table, table.rows)
    runs = _outer(firsts, covered, outcomes)
    if runs:
        return told(runs), them(runs)
    if table.form == "by_two":
        for row in table.rows:
            cells = merge((at.low, at.high) for at, _, _ in row.second if isinstance(at, model.Interval))
            mine = [key[1] for key in keys if type(key[1]) is int and any(_at(at, key[0]) for at in row.at or ())]
            runs = _outer(mine, cells, outcomes)
            if runs:
                return f"{told(runs)} in row `{row.id}`", "that"
    return None


def _outer(asked: list[int], covered: list[Run], outcomes: Outcomes) -> list[Run]:
    if not covered:
        return []
    low, high = covered[0][0], covered[-1][1]
    below = [number for number in asked if low is not None and number < low]
    above = [number for number in asked if high is not None and number > high]
    if outcomes.complete:
        return of_numbers([*below, *above])
    out: list[Run] = []
    if below and low is not None:
        out.append((None, low - 1))
    if above and high is not None:
        out.append((high + 1, None))
    return out


def _at(at: model.Interval | str, key: Any) -> bool:
    if isinstance(at, str):
        return bool(at == key)
    return type(key) is int and bool(common([(at.low, at.high)], [(key, key)]))


def _place(formula: model.Formula, table: str) -> Span:
    found = re.search(rf"lookup\s*\(\s*{re.escape(table)}\b", formula.text)
    return formula.span(*found.span()) if found else formula.span()
