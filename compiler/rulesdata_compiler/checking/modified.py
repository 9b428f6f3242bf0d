"""Modified values as code, for the reach engine.

In: the modifiers of a value or of a track's maximum, each with the rule that carries it. Out: the code of the value
with all of them, each in force or not: set, then add, then multiply, then at_least and at_most, as at the table. The
one rule: what cannot be told in code (a formula over a parameter of the carrier) becomes a free number of its range.

A rule is carried or not (`["has", id]`), at a level (`["level", id]`), by its own `while`, or several times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .. import model
from ..binding.bind import Bound
from ..binding.values import Numbers
from .reach import Domain
from .reach_code import Code, nodes

CARRIERS = (model.Condition, model.Trait, model.Environment, model.Action)
ROUNDINGS = {"up": "ceil", "down": "floor", "near": "round"}
INSTANCES = 5  # of a condition that may come several times, as many are tried
WIDE = 200
DECIDING = ("highest", "lowest")
TANGLED = 8  # values held by more modifiers than this, each with a limit of its own, are left to bounds


@dataclass(frozen=True, slots=True)
class Part:
    """A modifier of a rule; `level` where it belongs to one level of a condition."""

    rule: model.AnyRule
    modifier: model.Modifier
    level: int


def modifiers_of(rule: model.AnyRule) -> Iterator[tuple[model.Modifier, int]]:
    """Every modifier a rule carries, with the level it belongs to (0: all)."""
    if isinstance(rule, CARRIERS):
        yield from ((modifier, 0) for modifier in rule.modifiers)
    if isinstance(rule, model.Condition):
        for level in rule.levels:
            yield from ((modifier, level.number) for modifier in level.modifiers)


@dataclass(slots=True)
class Modified:
    """What modifies what. `domains` is where new free names are written down."""

    bound: Callable[[model.Formula | None], Bound | None]
    domains: dict[str, Domain | None]
    policies: dict[str, str] = field(default_factory=dict)
    parts: dict[tuple[str, str], list[Part]] = field(default_factory=dict)

    def learn(self, target: str, name: str, rule: model.AnyRule, modifier: model.Modifier, level: int) -> None:
        self.parts.setdefault((target, name), []).append(Part(rule, modifier, level))

    def touches(self, target: str, name: str) -> bool:
        return (target, name) in self.parts

    def code(self, target: str, name: str, base: Code, rounding: str | None) -> Code | None:
        """The code of a value with its modifiers; None where they are too many or cannot be told."""
        parts = self.parts.get((target, name), [])
        if sum(part.modifier.at_least is not None or part.modifier.at_most is not None for part in parts) > TANGLED:
            return None
        value = base
        for part in parts:
            for named in part.modifier.set:
                amount = self.amount(part, named.formula)
                if amount is None:
                    return None
                value = ["if", self.active(part), amount, value]
        sums = self._added(parts, f"{target} {name}")
        if sums is None:
            return None
        value = ["+", value, *sums] if sums else value
        for part in parts:
            for named in part.modifier.multiply:
                amount = self.amount(part, named.formula)
                if amount is None or self._several(part.rule):
                    return None
                word = ROUNDINGS.get(part.modifier.round or rounding or "")
                product = ["*", value, amount]
                value = ["if", self.active(part), [word, product] if word else product, value]
        for part in parts:
            for word, formula in (("max", part.modifier.at_least), ("min", part.modifier.at_most)):
                limit = self.amount(part, formula) if formula is not None else None
                if limit is not None:
                    value = ["if", self.active(part), [word, value, limit], value]
        return value

    def _added(self, parts: list[Part], name: str) -> list[Code] | None:
        """The terms that modifiers add. Of a group with one survivor, any one of them, or none."""
        terms: list[Code] = []
        groups: dict[str, set[int]] = {}
        for part in parts:
            for named in part.modifier.add:
                amount = self.amount(part, named.formula)
                if amount is None:
                    return None
                stack = part.modifier.stack
                if stack is not None and self.policies.get(stack) in DECIDING:
                    if isinstance(amount, list):
                        return None
                    groups.setdefault(stack, {0}).add(amount)
                elif self._several(part.rule) and self.policies.get(stack or "") != "once":
                    terms.append(["*", self._times(part.rule), ["if", self.active(part), amount, 0]])
                else:
                    terms.append(["if", self.active(part), amount, 0])
        for stack, amounts in groups.items():
            self.domains[f"{name} {stack}"] = Domain(tuple(sorted(amounts)))
            terms.append(["get", f"{name} {stack}"])
        return terms

    # --- one modifier ----------------------------------------------------------------------------------------------

    def amount(self, part: Part, formula: model.Formula) -> Code | None:
        """The code of an amount; of one that reads what only its rule knows, a free number of its range."""
        bound = self.bound(formula)
        if bound is None:
            return None
        if self._is_known(part.rule, bound.code):
            return bound.code
        value = bound.value
        if not isinstance(value, Numbers) or not value.whole or value.low is None or value.high is None:
            return None
        if value.high - value.low > WIDE:
            return None
        return self._free(f"amount {formula.span().start} {part.rule.id}", range(int(value.low), int(value.high) + 1))

    def active(self, part: Part) -> Code:
        """Whether the modifier is in force."""
        rule, when = part.rule, self.bound(part.modifier.when)
        carried: Code = ["has", rule.id, {}, None]
        if isinstance(rule, model.Action):
            carried = self._free(f"now {rule.id}", (False, True))
        elif isinstance(rule, model.Condition):
            level = ["level", rule.id, None]
            while_ = self.bound(rule.while_)
            if part.level:
                carried = [">=" if rule.cumulative else "==", level, part.level]
            elif rule.stacking == "levels":
                carried = [">", level, 0]
            elif self._several(rule):
                carried = [">", self._times(rule), 0]
            elif while_ is not None and self._is_known(rule, while_.code):
                carried = while_.code
        if part.modifier.when is None:
            return carried
        if when is not None and self._is_known(rule, when.code):
            return ["and", carried, when.code]
        return ["and", carried, self._free(f"when {part.modifier.when.span().start} {rule.id}", (False, True))]

    def _several(self, rule: model.AnyRule) -> bool:
        """Whether a rule may be carried more than once."""
        return isinstance(rule, model.Condition) and (rule.stacking == "separate" or bool(rule.params))

    def _times(self, rule: model.AnyRule) -> Code:
        return self._free(f"times {rule.id}", range(INSTANCES + 1), complete=False)

    def _free(self, name: str, values: Any, complete: bool = True) -> Code:
        self.domains[name] = Domain(tuple(values), complete)
        return ["get", name]

    def _is_known(self, rule: model.AnyRule, code: Code) -> bool:
        """Whether code reads nothing that only the carrier knows: its parameters, its own tracks, what is left."""
        own = {spec.name for spec in getattr(rule, "params", ())} | {track.id for track in getattr(rule, "tracks", ())}
        for node in nodes(code):
            if node[0] in ("remaining", "elapsed", "of", "of_member", "field"):
                return False
            if node[0] == "get" and node[1] in own:
                return False
        return True
