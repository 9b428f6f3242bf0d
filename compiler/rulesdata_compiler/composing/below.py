"""The formulas that house rules replaced, as code: what `explain` works out beside the new ones.

In: a composed system without errors. Out: for some records of provenance the code of the formula before. The one
rule: nothing depends on it; a formula that no longer means anything, since a name in it is gone, has none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..binding.bind import bind
from ..diagnostics import Findings
from ..formulas.parse import Problem, parse
from ..model import AnyRule, Derived, Formula, System
from .compose import Composed

FIELD = ("formula",)


def codes_below(system: System, composed: Composed) -> dict[int, Any]:
    """Code by the number of the record. Each round binds one replaced formula of every value that has one."""
    waiting: dict[str, list[tuple[int, Formula]]] = {}
    for number, one in enumerate(composed.provenance):
        scalar = composed.below.get(number)
        if one.address[0] != "derived" or one.address[2:] != FIELD or scalar is None:
            continue
        if not isinstance(parse(scalar.text), Problem):
            waiting.setdefault(one.address[1], []).append((number, Formula(scalar.text, scalar)))
    found: dict[int, Any] = {}
    while waiting:
        rules: dict[str, AnyRule] = dict(system.rules)
        round_ = [(name, *left.pop()) for name, left in waiting.items()]
        waiting = {name: left for name, left in waiting.items() if left}
        for name, _, formula in round_:
            rule = rules.get(name)
            if isinstance(rule, Derived):
                rules[name] = replace(rule, formula=formula)
        bound = bind(replace(system, rules=rules), Findings()).of
        found.update({number: bound[formula].code for _, number, formula in round_ if formula in bound})
    return found
