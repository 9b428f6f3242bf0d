"""Tables: every form by its own check.

In: tables, the codes of their formulas. Out: findings at the rows and keys at fault. The one rule: what is not proved
is not claimed; where only bounds are known the finding says so.

Checks hold with options as they are set, and with each flipped alone: rows of an option that is off do not count.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .. import model
from ..binding.values import Truths
from ..diagnostics import Findings
from .names import Names
from .reach import Domain, reach
from .reach_code import nodes


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows that are in force together; `words` says under which option, where it is not as the system is set."""

    rows: tuple[model.Row, ...]
    words: str = ""

    def said(self, sentence: str) -> str:
        return f"with {self.words}, {sentence}" if self.words else sentence


def in_force(table: model.Table, names: Names) -> Iterator[Rows]:
    """The table's rows as set, then with each option flipped that any row asks for."""
    codes: dict[str, Any] = {}
    for row in table.rows:
        bound = names.bound(row.option)
        if bound is not None:
            codes[row.id] = bound.code
    asked = sorted({node[1] for code in codes.values() for node in nodes(code) if node[0] == "option"})
    values = {name: _value(names.system.rules.get(name)) for name in asked}
    yield Rows(tuple(row for row in table.rows if _holds(codes.get(row.id), values)))
    for name, value in values.items():
        if isinstance(value, bool):
            flipped = {**values, name: not value}
            rows = tuple(row for row in table.rows if _holds(codes.get(row.id), flipped))
            yield Rows(rows, f"`{name}` {'off' if value else 'on'}")


def _value(rule: model.AnyRule | None) -> Any:
    """The value of an option as it is set; None where it is no yes or no."""
    if not isinstance(rule, model.Option) or rule.spec.type != "bool":
        return None
    text = rule.value if rule.value is not None else rule.spec.default.text if rule.spec.default else "no"
    return text.strip().lower() in ("yes", "on", "true")


def _holds(code: Any, values: dict[str, Any]) -> bool:
    if code is None:
        return True
    domains = {json.dumps(["option", name]): Domain((value,)) for name, value in values.items() if value is not None}
    found = reach(code, domains)
    return found is None or True in found.weights


# --- decisions ---------------------------------------------------------------------------------------------------


def check_decision(table: model.Table, names: Names, findings: Findings) -> None:
    """The last row is `else: true`; no row is made impossible by bounds or by the rows before it."""
    rows = table.rows
    if not rows:
        return
    if not any(row.otherwise for row in rows):
        findings.add(
            "R609",
            f"`{table.id}` does not say what holds when no row does",
            rows[-1].span,
            hint="end it with a row that says `else: true`",
        )
    before: list[Any] = []
    for row in rows:
        if row.otherwise:
            continue  # decoding sees to it that it is the last, and it stands even where nothing is left for it
        bound = names.bound(row.when)
        if bound is None or row.when is None:
            return
        impossible = isinstance(bound.value, Truths) and bound.value.known is False
        if impossible or _never([bound.code], table, names):
            message = f"row `{row.id}` is never taken: `{row.when.text}` can never hold"
            findings.add("R610", message, row.when.span(), hint="check the limits of the values in it")
        elif before and _never([*(["not", code] for code in before), bound.code], table, names):
            message = f"row `{row.id}` is never taken: where `{row.when.text}` holds, a row before it holds too"
            findings.add("R610", message, row.when.span(), hint="put the narrower row first")
        if row.option is None:
            before.append(bound.code)


def _never(codes: Sequence[Any], table: model.Table, names: Names) -> bool:
    """Whether these can never hold together; False also where that cannot be told."""
    found = names.reach(["and", *codes] if len(codes) > 1 else codes[0], (*table.by, *table.params))
    return found is not None and found.complete and found.fails == 0 and True not in found.weights
