"""What a formula's names may be, for the reach engine: the sheet as declared, with all that can modify it.

In: a system, its bindings, and the code whose names are asked for. Out: domains for what is free, and lets for what
rests on it: derived values, tracks between their limits, modified values. So two values that rest on the same stat
stay tied to each other. The one rule: `complete` is said only where nothing else can come, `certain` only where every
value can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .. import model
from ..binding.bind import Bindings, Bound
from ..binding.values import Numbers
from .cycles import targets
from .modified import Modified, modifiers_of
from .reach import BUDGET, Domain, Outcomes, Setting, UnknownError, reach
from .reach_code import STATE_NODES, Code, children, key_of
from .weights import SymbolDice

WINDOW = 200  # how many values of an open end are tried; the rest is left to bounds
MOST = 20_000  # a wider domain is left to bounds
FAR = 1_000_000
Lookup: TypeAlias = Callable[[str, tuple[Any, ...], str | None], tuple[Code, Mapping[str, Any]] | None]


@dataclass(slots=True)
class Names:
    """Names of the sheet are worked out once: as a domain, or as a let."""

    system: model.System
    bindings: Bindings
    modified: Modified = field(init=False)
    dice: SymbolDice = field(init=False)
    _domains: dict[str, Domain | None] = field(default_factory=dict)
    _lets: dict[str, Code] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dice = symbol_dice(self.system)
        self.modified = Modified(self.bound, self._domains, dict(self.system.header.stacking))
        for rule in self.system.rules.values():
            for modifier, level in modifiers_of(rule):
                if modifier.target in ("value", "track_max") and modifier.ref is not None:
                    for name in self.possible(rule, modifier.ref):
                        self.modified.learn(modifier.target, name, rule, modifier, level)

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
            for key, node in variables(todo.pop()):
                if key in domains or key in every:
                    continue
                own = self._of_spec(local[key]) if key in local and node[0] == "get" else self._of(key, node)
                if isinstance(own, Domain):
                    domains[key] = _with_far(own) if far else own
                elif own is not None:
                    every[key] = own
                    todo.append(own)
        return reach(code, domains, BUDGET, Setting(every, self.dice, lookup or self.cell))

    def reach_apart(self, code: Code, specs: Sequence[model.Spec] = ()) -> Outcomes | None:
        """Every result where each name may be anything in its own range, tied to nothing: more than can come, and
        quick, since nothing is asked about what a name rests on."""
        local = {spec.name: spec for spec in specs}
        domains: dict[str, Domain] = {}
        for key, node in variables(code):
            known = node[0] == "get" and key not in local
            domain = self._loose(key) if known else None
            if domain is None:
                return None
            domains[key] = domain
        return reach(code, domains, BUDGET, Setting({}, self.dice, self.cell))

    # --- names -----------------------------------------------------------------------------------------------------

    def _of_spec(self, spec: model.Spec) -> Domain | Code | None:
        """A parameter: its domain, or the code of a number between limits that rest on other names."""
        match spec.type:
            case "int":
                low, high = self.numbers(spec.min), self.numbers(spec.max)
                if all(limit is None or limit.constant is not None for limit in (low, high)):
                    return window(low.low if low else None, high.high if high else None)
                return self._between(self.bound(spec.min), self.bound(spec.max))
            case "choice":
                return Domain(spec.of) if spec.of else None
            case "bool":
                return Domain((False, True))
            case _:
                return None

    def _between(self, low: Bound | None, high: Bound | None) -> Code | None:
        return None if low is None or high is None else ["range", low.code, high.code]

    def _of(self, key: str, node: Code) -> Domain | Code | None:
        """A name of the sheet or a question, by its domain or by the code of what it rests on."""
        if key in self._lets:
            return self._lets[key]
        if key not in self._domains:
            found = self._find(key, node)
            if found is not None and not isinstance(found, Domain):
                self._lets[key] = found
                return found
            self._domains[key] = found
        return self._domains[key]

    def _find(self, key: str, node: Code) -> Domain | Code | None:
        match node[0]:
            case "get":
                return self._of_sheet(key)
            case "of" if isinstance(node[2], str):
                rule = self.system.rules.get(node[2])
                if isinstance(rule, model.Stat) and not self.modified.touches("value", node[2]):
                    return self._of_spec(rule.spec)
                return self._loose(node[2])
            case "level" | "option" | "carried" if isinstance(node[1], str):
                return self._of_question(node)
            case _:
                return None

    def _of_sheet(self, name: str) -> Domain | Code | None:
        rule = self.system.rules.get(name)
        code: Code
        match rule:
            case model.Stat():
                domain = self._of_spec(rule.spec)
                if domain is None or not self.modified.touches("value", name):
                    return domain
                self._domains[f"{name} before"] = domain
                code = self.modified.code("value", name, ["get", f"{name} before"], None)
            case model.Derived():
                bound = self.bound(rule.formula)
                if bound is None:
                    return None
                code = self.modified.code("value", name, bound.code, rule.round)
                for word, limit in (("max", self.bound(rule.min)), ("min", self.bound(rule.max))):
                    code = code if code is None or limit is None else [word, code, limit.code]
            case model.Track():
                return self._of_track(rule)
            case _:
                return None
        return self._loose(name) if code is None else code

    def _of_track(self, rule: model.Track) -> Domain | Code | None:
        """Anything between its limits."""
        low, high = self.bound(rule.min), self.bound(rule.max)
        if rule.type != "int" or (rule.min and low is None) or (rule.max and high is None):
            return None
        if high is None:
            least = 0 if rule.min is None else self.numbers(rule.min)
            start = least.constant if isinstance(least, Numbers) else least
            return self._loose(rule.id) if start is None else window(start, None)
        top = self.modified.code("track_max", rule.id, high.code, None)
        return self._loose(rule.id) if top is None else ["range", 0 if low is None else low.code, top]

    def _loose(self, name: str) -> Domain | None:
        """A value by its range alone: tied to nothing, and not every number of it may come."""
        found = self.bindings.values.get(name)
        if found is None or not isinstance(found.value, Numbers) or not found.value.whole:
            return None
        return window(found.value.low, found.value.high, certain=False)

    def _of_question(self, node: Code) -> Domain | Code | None:
        rule = self.system.rules.get(node[1])
        if node[0] == "option" and isinstance(rule, model.Option):
            return self._of_spec(rule.spec)  # checks hold with every option, as set and flipped
        if node[0] == "level" and isinstance(rule, model.Condition):
            most = self.numbers(rule.max)
            return window(0, None if rule.stacking == "separate" else most.high if most else 1)
        if node[0] == "carried":
            return self._carried(node[1])
        return None

    def _carried(self, tag: str) -> Domain | None:
        tagged = [rule for rule in self.system.rules.values() if isinstance(rule, model.Condition) and tag in rule.tags]
        several = any(rule.stacking == "separate" or rule.params for rule in tagged)
        return window(0, None if several else len(tagged))

    # --- tables ----------------------------------------------------------------------------------------------------

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


def counted_with(system: model.System, symbol: str) -> list[str]:
    """All that a symbol counts as besides itself, through others too."""
    counts = {one.id: one.counts_as for one in system.symbols}
    found = [symbol]
    for one in found:
        found.extend(other for other in dict.fromkeys(counts.get(one, ())) if other not in found)
    return found[1:]


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
        {symbol.id: tuple(counted_with(system, symbol.id)) for symbol in system.symbols},
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


def window(low: Any, high: Any, certain: bool = True) -> Domain | None:
    """Whole numbers between two ends; of an open end, as many as are worth trying."""
    if low is None and high is None:
        return Domain(tuple(range(-WINDOW, WINDOW + 1)), complete=False, certain=certain)
    if low is None or high is None:
        begin = high - WINDOW if low is None else low
        return Domain(tuple(range(int(begin), int(begin) + WINDOW + 1)), complete=False, certain=certain)
    if high - low > MOST or high < low:
        return None
    return Domain(tuple(range(int(low), int(high) + 1)), certain=certain)


def variables(code: Code) -> Iterator[tuple[str, Code]]:
    """Names and questions in code, by the key the engine uses for them."""
    if not isinstance(code, list):
        return
    if code[0] == "get" or code[0] in STATE_NODES:
        yield key_of(code), code
        return
    for child in children(code):
        yield from variables(child)
