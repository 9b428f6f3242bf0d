"""What a formula's names may be, for the reach engine: the sheet as declared, widened by all that can modify it.

In: a system, its bindings, and the code whose names are asked for. Out: domains, and lets for derived values, so that
two values which rest on the same stat stay tied to each other. The one rule: `complete` is said only where nothing
else can come, `certain` only where every value can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

from . import model
from .bind import Bindings, Bound
from .check_cycles import targets
from .reach import BUDGET, Domain, Outcomes, Setting, UnknownError, reach
from .reach_code import STATE_NODES, Code, children, key_of
from .values import Numbers
from .weights import SymbolDice

WINDOW = 200  # how many values of an open end are tried; the rest is left to bounds
MOST = 20_000  # a wider domain is left to bounds
FAR = 1_000_000
INSTANCES = 5  # of a condition that may come several times
Lookup: TypeAlias = Callable[[str, tuple[Any, ...], str | None], tuple[Code, Mapping[str, Any]] | None]
LASTING = (model.Condition, model.Trait, model.Environment, model.Action)


@dataclass(slots=True)
class Names:
    """`modifiers` lists, by the value they change, each rule's modifiers of it."""

    system: model.System
    bindings: Bindings
    modifiers: dict[str, dict[str, list[tuple[model.Modifier, int]]]] = field(default_factory=dict)
    dice: SymbolDice = field(init=False)
    _sheet: dict[str, Domain | None] = field(default_factory=dict)
    _lets: dict[str, Code] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dice = symbol_dice(self.system)
        for rule in self.system.rules.values():
            for modifier, level in modifiers_of(rule):
                if modifier.target == "value" and modifier.ref is not None:
                    for name in self.possible(rule, modifier.ref):
                        self.modifiers.setdefault(name, {}).setdefault(rule.id, []).append((modifier, level))

    def possible(self, rule: model.AnyRule, ref: model.Ref) -> list[str]:
        """The values a reference can mean; where a parameter chooses, all that it may hold."""
        if not ref.chosen:
            return targets(self.system, ref)
        specs = {spec.name: spec for spec in getattr(rule, "params", ())}
        if ref.name in specs and specs[ref.name].of:
            return [*specs[ref.name].of]
        return [one.id for one in self.system.rules.values() if isinstance(one, model.Stat | model.Derived)]

    # --- bounds ----------------------------------------------------------------------------------------------------

    def bound(self, formula: model.Formula | None) -> Bound | None:
        return None if formula is None else self.bindings.of.get(formula)

    def numbers(self, formula: model.Formula | None) -> Numbers | None:
        found = self.bound(formula)
        return found.value if found is not None and isinstance(found.value, Numbers) else None

    def reach(
        self,
        code: Code,
        specs: Sequence[model.Spec] = (),
        lets: Mapping[str, Code] | None = None,
        *,
        lookup: Lookup | None = None,
        far: bool = False,
    ) -> Outcomes | None:
        """Every result of code of a rule with these parameters and lets; None where it cannot be told.

        `far` tries a far value of each open end as well.
        """
        domains: dict[str, Domain] = {}
        every: dict[str, Code] = dict(lets or {})
        local = {spec.name: spec for spec in specs}
        todo = [code, *every.values()]
        while todo:
            for key, node in _variables(todo.pop()):
                if key in domains or key in every:
                    continue
                if key in local and node[0] == "get":
                    domain = self.of_spec(local[key])
                else:
                    domain = self.of_variable(key, node)
                    if key in self._lets:
                        every[key] = self._lets[key]
                        todo.append(every[key])
                if domain is not None:
                    domains[key] = domain
        domains = self._tied(domains, every)
        if far:
            domains = {name: _with_far(domain) for name, domain in domains.items()}
        return reach(code, domains, BUDGET, Setting(every, self.dice, lookup or self.cell))

    def _tied(self, domains: dict[str, Domain], lets: Mapping[str, Code]) -> dict[str, Domain]:
        """A track whose limits rest on another name in play is no longer free of it."""
        out = dict(domains)
        for name, domain in domains.items():
            rule = self.system.rules.get(name)
            if isinstance(rule, model.Track):
                limits = [self.bound(formula) for formula in (rule.min, rule.max)]
                read = {key for limit in limits if limit is not None for key in limit.reads}
                if any(key in domains or key in lets or f"{key} before" in domains for key in read - {name}):
                    out[name] = Domain(domain.values, domain.complete, certain=False)
        return out

    # --- domains ---------------------------------------------------------------------------------------------------

    def of_spec(self, spec: model.Spec) -> Domain | None:
        match spec.type:
            case "int":
                low, high = self.numbers(spec.min), self.numbers(spec.max)
                certain = all(n is None or n.constant is not None for n in (low, high))
                return window(low.low if low else None, high.high if high else None, certain)
            case "choice":
                return Domain(spec.of)
            case "bool":
                return Domain((False, True))
            case _:
                return None

    def of_variable(self, key: str, node: Code) -> Domain | None:
        """The domain of a name or a question that no parameter or let of the rule explains."""
        if key not in self._sheet:
            self._sheet[key] = self._find(key, node)
        return self._sheet[key]

    def _find(self, key: str, node: Code) -> Domain | None:
        match node[0]:
            case "get":
                return self._of_sheet(key)
            case "of" if isinstance(node[2], str):
                rule = self.system.rules.get(node[2])
                simple = isinstance(rule, model.Stat | model.Track) and node[2] not in self.modifiers
                return self._of_sheet(node[2]) if simple else self._loose(node[2])
            case "level" | "option" | "carried" if isinstance(node[1], str):
                return self._of_question(node)
            case _:
                return None

    def _of_sheet(self, name: str) -> Domain | None:
        """A stat or track by its own domain; a derived value, or one that is modified, becomes a let."""
        rule = self.system.rules.get(name)
        match rule:
            case model.Stat():
                domain = self.of_spec(rule.spec)
                if name not in self.modifiers or domain is None:
                    return domain
                if not self._is_sum(name):
                    return self._loose(name)
                self._sheet[f"{name} before"] = domain
                self._lets[name] = ["+", ["get", f"{name} before"], ["get", f"{name} modifiers"]]
                return None
            case model.Derived():
                bound = self.bound(rule.formula)
                if bound is None:
                    return None
                code = bound.code
                if name in self.modifiers:
                    if not self._is_sum(name):
                        return self._loose(name)
                    code = ["+", code, ["get", f"{name} modifiers"]]
                for word, limit in (("max", self.bound(rule.min)), ("min", self.bound(rule.max))):
                    code = code if limit is None else [word, code, limit.code]
                self._lets[name] = code
                return None
            case model.Track():
                low = self.numbers(rule.min) if rule.min else Numbers(0, 0)
                high = self.numbers(rule.max)
                if rule.type != "int" or (rule.max and high is None):
                    return None
                return window(low.low if low else None, high.high if high else None, certain=True)
            case _:
                return self._sheet.get(name)

    def _loose(self, name: str) -> Domain | None:
        """A value by its range alone: tied to nothing, and not every number of it may come."""
        found = self.bindings.values.get(name)
        if found is None or not isinstance(found.value, Numbers) or not found.value.whole:
            return None
        return window(found.value.low, found.value.high, certain=False)

    def _of_question(self, node: Code) -> Domain | None:
        rule = self.system.rules.get(node[1])
        if node[0] == "option" and isinstance(rule, model.Option):
            return self.of_spec(rule.spec)  # checks hold with every option, as set and flipped
        if node[0] == "level" and isinstance(rule, model.Condition):
            most = self.numbers(rule.max)
            high = most.high if most else max((level.number for level in rule.levels), default=1)
            return window(0, None if rule.stacking == "separate" else high, certain=True)
        if node[0] == "carried":
            return self._carried(node[1])
        return None

    def _carried(self, tag: str) -> Domain | None:
        tagged = [rule for rule in self.system.rules.values() if isinstance(rule, model.Condition) and tag in rule.tags]
        several = any(rule.stacking == "separate" or rule.params for rule in tagged)
        return window(0, None if several else len(tagged), certain=True)

    # --- modifiers -------------------------------------------------------------------------------------------------

    def _is_sum(self, name: str) -> bool:
        """Whether modifiers of a value only add; what they may add is a name of its own then."""
        sums = self._sums(name)
        self._sheet[f"{name} modifiers"] = sums
        return sums is not None

    def _sums(self, name: str) -> Domain | None:
        """What all modifiers of a value together may add; None where one does anything else."""
        policies = dict(self.system.header.stacking)
        totals, complete, certain = {0}, True, True
        for rule_id, found in self.modifiers[name].items():
            rule = self.system.rules[rule_id]
            for modifier, _ in found:
                certain = certain and modifier.at_least is None and modifier.at_most is None
                certain = certain and (modifier.stack is None or policies.get(modifier.stack) == "sum")
            options = self._options(rule, found)
            if options is None:
                return None
            if isinstance(rule, model.Condition) and (rule.stacking == "separate" or rule.params):
                one, complete = set(options), False
                for _ in range(INSTANCES):
                    options = {a + b for a, b in product(options, one)}
            totals = {a + b for a, b in product(totals, options)}
            if len(totals) > MOST:
                return None
        return Domain(tuple(sorted(totals)), complete, certain)

    def _options(self, rule: model.AnyRule, found: list[tuple[model.Modifier, int]]) -> set[int] | None:
        """What one rule adds: nothing, or all of its modifiers, or those of the level reached."""
        levels: dict[int, set[int]] = {}
        for modifier, level in found:
            amount = self._amount(modifier)
            if amount is None:
                return None
            levels[level] = {a + b for a, b in product(levels.get(level, {0}), amount)}
        always = levels.pop(0, {0})
        options, below = {0, *always}, always
        for level in sorted(levels):
            reached = {a + b for a, b in product(below, levels[level])}
            options |= reached
            if isinstance(rule, model.Condition) and rule.cumulative:
                below = reached
        return options

    def _amount(self, modifier: model.Modifier) -> set[int] | None:
        """What one modifier adds while its rule is carried; None where it does anything but add."""
        if modifier.set or modifier.multiply or modifier.upgrade or modifier.downgrade or len(modifier.add) != 1:
            return None
        numbers = self.numbers(modifier.add[0].formula)
        if numbers is None or not numbers.whole or numbers.low is None or numbers.high is None:
            return None
        if numbers.high - numbers.low > WINDOW:
            return None
        return {*range(int(numbers.low), int(numbers.high) + 1), *((0,) if modifier.when else ())}

    # --- tables and dice -------------------------------------------------------------------------------------------

    def cell(self, table: str, keys: tuple[Any, ...], column: str | None) -> tuple[Code, Mapping[str, Any]] | None:
        """The code of a table's cell and the names it may read; None where no row has it.

        Raises UnknownError where a row is not found by these keys alone.
        """
        rule = self.system.rules.get(table)
        if not isinstance(rule, model.Table) or rule.form not in ("rolled", "by", "by_two"):
            raise UnknownError
        by = rule.by or (model.Spec("result", rule.span),)
        if len(keys) != len(by) or any(row.option is not None for row in rule.rows):
            raise UnknownError
        known = {spec.name: key for spec, key in zip(by, keys, strict=True)}
        row = _row(rule, keys[0])
        if row is None or isinstance(row, str):
            return None if row is None else (None, known)
        if rule.form == "by_two":
            cells = [cell for at, cell, _ in row.second if holds(at, keys[1])]
        else:
            cells = [cell for name, cell in row.cells if column is None or name == column]
        if not cells:
            if rule.form == "by_two" and None in (rule.below, rule.above):
                return None
            raise UnknownError
        cell = cells[0]
        if isinstance(cell, model.Formula):
            bound = self.bound(cell)
            if bound is None:
                raise UnknownError
            return bound.code, known
        return cell, known


# --- helpers -------------------------------------------------------------------------------------------------------


def symbol_dice(system: model.System) -> SymbolDice:
    """The custom dice of a system; what cancels what holds in both directions."""
    cancels: dict[str, tuple[str, ...]] = {}
    for symbol in system.symbols:
        if symbol.cancels is not None:
            for one, other in ((symbol.id, symbol.cancels), (symbol.cancels, symbol.id)):
                cancels[one] = tuple(dict.fromkeys((*cancels.get(one, ()), other)))
    dice = [rule for rule in system.rules.values() if isinstance(rule, model.Die)]
    return SymbolDice(
        {die.id: die.faces for die in dice},
        {symbol.id: symbol.counts_as for symbol in system.symbols},
        cancels,
        {die.id: die.upgrades_to for die in dice if die.upgrades_to is not None},
    )


def holds(at: model.Interval | str, key: Any) -> bool:
    if isinstance(at, str):
        return bool(at == key)
    return type(key) is int and (at.low is None or at.low <= key) and (at.high is None or key <= at.high)


def _row(table: model.Table, key: Any) -> model.Row | str | None:
    """The row for a key; `none` where the table says that nothing is there, None where it says nothing."""
    rows = [row for row in table.rows if row.at is not None]
    for row in rows:
        if any(holds(at, key) for at in row.at or ()):
            return row
    ends = [(at.low, at.high, row) for row in rows for at in row.at or () if isinstance(at, model.Interval)]
    if type(key) is not int or not ends:
        return None
    first = min(ends, key=lambda end: (end[0] is not None, end[0] or 0))
    last = max(ends, key=lambda end: (end[1] is None, end[1] or 0))
    below = first[0] is not None and key < first[0]
    above = last[1] is not None and key > last[1]
    side = table.below if below else table.above if above else None
    return first[2] if side == "first" else last[2] if side == "last" else side


def _with_far(domain: Domain) -> Domain:
    """An open domain with one value far beyond those that are tried."""
    if domain.complete or not domain.values:
        return domain
    return Domain((*domain.values, domain.values[-1] + FAR), False, domain.certain)


def window(low: Any, high: Any, certain: bool) -> Domain | None:
    """Whole numbers between two ends; of an open end, as many as are worth trying."""
    if low is None and high is None:
        return Domain(tuple(range(-WINDOW, WINDOW + 1)), complete=False, certain=certain)
    if low is None or high is None:
        begin = high - WINDOW if low is None else low
        return Domain(tuple(range(int(begin), int(begin) + WINDOW + 1)), complete=False, certain=certain)
    if high - low > MOST or high < low:
        return None
    return Domain(tuple(range(int(low), int(high) + 1)), certain=certain)


def modifiers_of(rule: model.AnyRule) -> Iterator[tuple[model.Modifier, int]]:
    """Every modifier a rule carries, with the level it belongs to (0: all)."""
    if isinstance(rule, LASTING):
        yield from ((modifier, 0) for modifier in rule.modifiers)
    if isinstance(rule, model.Condition):
        for level in rule.levels:
            yield from ((modifier, level.number) for modifier in level.modifiers)


def _variables(code: Code) -> Iterator[tuple[str, Code]]:
    """Names and questions in code, by the key the engine uses for them."""
    if not isinstance(code, list):
        return
    if code[0] == "get" or code[0] in STATE_NODES:
        yield key_of(code), code
        return
    for child in children(code):
        yield from _variables(child)
