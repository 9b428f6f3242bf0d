"""Reach: every result a formula can give, and in how many ways.

In: the code of a formula (JSON nodes, see the runtime's `nodes.py`), a domain for each name it reads, and the code of
its lets. Out: `Outcomes`, or None where the work exceeds the budget or a name has no domain: the caller then falls
back to bounds and says that something cannot be ruled out. The one rule: names used once are joined by convolution,
names used more than once are drawn once and enumerated jointly.

A variable is a name with a domain, a let, or a question about the character's state (`["has", ...]`), which is
named by its own code. A let that holds a pool is drawn as the tuple of all that is ever asked of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from .reach_code import (
    ASKS,
    FACES,
    NO_NAMES,
    OPERATIONS,
    POOL_NODES,
    STATE_NODES,
    Code,
    children,
    compose,
    feature_of,
    holds,
    key_of,
    nodes,
    operands,
    passed,
    pick,
)
from .weights import (
    FAILS,
    Feature,
    NumberDie,
    OutOfBudgetError,
    SymbolDice,
    Ways,
    Weights,
    digit_pool,
    number_die,
    number_pool,
    symbol_pool,
    whole,
)

Env: TypeAlias = dict[str, Any]

BUDGET = 200_000
MOST_DICE = 1_000


@dataclass(frozen=True, slots=True)
class Domain:
    """What a name may be. `complete`: nothing else is possible. `certain`: each of them is possible."""

    values: tuple[Any, ...]
    complete: bool = True
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Results with their weights. Weights are exact only where the engine was told to count."""

    weights: Mapping[Any, int]
    complete: bool = True
    certain: bool = True
    fails: int = 0

    def numbers(self) -> list[int | Fraction]:
        return sorted(key for key in self.weights if isinstance(key, (int, Fraction)))


@dataclass(frozen=True, slots=True)
class Setting:
    """What stands around a formula: lets by name, custom dice, and how a table's cell is found.

    `lookup(table, keys, column)` gives the code of the cell and the values of names it may read, or None.
    """

    lets: Mapping[str, Code] = field(default_factory=dict)
    dice: SymbolDice | None = None
    lookup: Callable[[str, tuple[Any, ...], str | None], tuple[Code, Mapping[str, Any]] | None] | None = None


class UnknownError(Exception):
    """A name without a domain."""


NOTHING = Setting()
TRUTHS = Domain((False, True))
FAILED: Weights = {FAILS: 1}


def reach(
    code: Code,
    domains: Mapping[str, Domain],
    budget: int = BUDGET,
    setting: Setting = NOTHING,
    *,
    counted: bool = False,
) -> Outcomes | None:
    """Every result of `code`; with `counted`, in how many ways (the domains' values being equally likely)."""
    engine = _Engine(domains, setting, Ways(counted, budget), [code, *setting.lets.values()])
    try:
        weights = dict(engine.scalar(code, {}))
    except (OutOfBudgetError, UnknownError):
        return None
    fails = weights.pop(FAILS, 0)
    used = [domains.get(name, TRUTHS) for name in engine.used]
    return Outcomes(weights, all(d.complete for d in used), all(d.certain for d in used), fails)


@dataclass(slots=True)
class _Engine:
    domains: Mapping[str, Domain]
    setting: Setting
    ways: Ways
    roots: list[Code]
    used: set[str] = field(default_factory=set)
    alive: list[Code] = field(default_factory=list)
    _direct: dict[int, frozenset[str]] = field(default_factory=dict)
    _names: dict[tuple[int, frozenset[str]], frozenset[str]] = field(default_factory=dict)
    _plans: dict[tuple[int, frozenset[str]], str | None] = field(default_factory=dict)
    _asked: dict[str, tuple[Feature, ...]] = field(default_factory=dict)
    _dice: dict[str, NumberDie] = field(default_factory=dict)
    _known: dict[tuple[Any, ...], Weights] = field(default_factory=dict)

    # --- names: memos go by id, since code is JSON and outlives the engine ---

    def direct(self, code: Code) -> frozenset[str]:
        """Names that stand in the code itself."""
        if not isinstance(code, list):
            return frozenset()
        found = self._direct.get(id(code))
        if found is None:
            own = code[0] == "get" or code[0] in STATE_NODES
            found = frozenset((key_of(code),)) if own else frozenset().union(*map(self.direct, children(code)))
            self._direct[id(code)] = found
        return found

    def names(self, code: Code, stop: frozenset[str]) -> frozenset[str]:
        """Names the code depends on, through lets; those in `stop` are not looked into."""
        if not isinstance(code, list):
            return frozenset()
        key = (id(code), stop)
        found = self._names.get(key)
        if found is None:
            out = set(self.direct(code))
            for name in self.direct(code):
                if name in self.setting.lets and name not in stop:
                    out |= self.names(self.setting.lets[name], stop)
            found = self._names[key] = frozenset(out)
        return found

    def find_shared(self, groups: Sequence[Sequence[Code]], fixed: frozenset[str]) -> str | None:
        """A name to draw first because two of `groups` depend on it; None where they are independent."""
        seen: set[str] = set()
        twice: set[str] = set()
        for group in groups:
            mine = {name for part in group for name in self.names(part, fixed)} - fixed
            twice |= seen & mine
            seen |= mine
        lets = sorted(name for name in twice if name in self.setting.lets)
        for name in lets:  # a let that hides all its own names from the rest is drawn whole
            inside = self.names(self.setting.lets[name], fixed) - fixed
            closed = fixed | {name}
            if not any(inside & self.names(part, closed) for group in groups for part in group):
                return name
        return min(twice - set(lets), default=lets[0] if lets else None)

    # --- evaluation ---

    def over(self, code: Code, groups: Sequence[Sequence[Code]], env: Env, go: Callable[[Env], Weights]) -> Weights:
        """Draw what the groups share, one name after another, then go on."""
        key = (id(code), frozenset(env))
        if key not in self._plans:
            self._plans[key] = self.find_shared(groups, key[1])
        name = self._plans[key]
        if name is None:
            return go(env)
        drawn: list[tuple[int, Weights]] = []
        for value, weight in self.draw(name, env).items():
            self.ways.spend(1)
            drawn.append((weight, FAILED if value is FAILS else self.over(code, groups, {**env, name: value}, go)))
        return self.ways.mix(drawn)

    def draw(self, name: str, env: Env) -> Weights:
        if name in self.setting.lets:
            code = self.setting.lets[name]
            if self.is_pool(code):
                features = self.asked(name)
                return self.ways.each(self.pool(code, env, features), lambda state: (features, state))
            return self.scalar(code, env)
        domain = self.domains.get(name) or (TRUTHS if name.startswith(('["has"', '["same"')) else None)
        if domain is None or not domain.values:
            raise UnknownError
        self.used.add(name)
        return dict.fromkeys(domain.values, 1)

    def remembered(self, code: Code, env: Env, extra: Any, make: Callable[[], Weights]) -> Weights:
        """The same code under the same values is worked out once."""
        fixed = frozenset(env)
        key = (id(code), extra, tuple((name, env[name]) for name in sorted(self.names(code, fixed) & fixed)))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = make()
        return found

    def scalar(self, code: Code, env: Env) -> Weights:
        """Results of code that is not a pool."""
        if not isinstance(code, list):
            return {code: 1}
        self.ways.spend(1)
        if code[0] == "frac":
            return {whole(Fraction(code[1], code[2])): 1}
        if code[0] == "get" or code[0] in STATE_NODES:
            name = key_of(code)
            return {env[name]: 1} if name in env else self.draw(name, env)
        return self.remembered(code, env, None, lambda: self.node(code, env))

    def node(self, code: Code, env: Env) -> Weights:
        parts = children(code)
        if code[0] == "if":
            return self.branch(code, env, self.scalar)
        go: Callable[[Env], Weights]
        match code[0]:
            case "+":
                go = partial(self.total, parts)
            case "and" | "or":
                go = partial(self.logic, parts, code[0] == "or")
            case "chain":
                go = partial(self.joined, parts, partial(holds, code[1]))
            case "range":
                go = partial(self.between, parts)
            case "lookup":
                go = partial(self.cell, code)
            case name if name in ASKS:
                go = partial(self.ask, code)
            case name if name in OPERATIONS:
                go = partial(self.joined, parts, OPERATIONS[name])
            case _:
                raise UnknownError
        return self.over(code, [(part,) for part in parts], env, go)

    def total(self, parts: Sequence[Code], env: Env) -> Weights:
        out: Weights = {0: 1}
        for part in parts:
            out = self.ways.add(out, self.scalar(part, env))
        return out

    def joined(self, parts: Sequence[Code], operation: Callable[..., Any], env: Env) -> Weights:
        """An operation over independent operands."""
        found = [self.scalar(part, env) for part in parts]
        if len(found) == 1:
            return self.ways.each(found[0], operation)
        if len(found) == 2:
            return self.ways.pair(found[0], found[1], operation)
        rows: Weights = {(): 1}
        for one in found:
            rows = self.ways.pair(rows, one, lambda row, value: (*row, value))
        return self.ways.each(rows, lambda row: operation(*row))

    def logic(self, parts: Sequence[Code], stop: bool, env: Env) -> Weights:
        """`and` and `or` evaluate no operand behind the one that decides."""
        out = self.scalar(parts[0], env)
        for part in parts[1:]:
            rest = [(w, {t: 1} if t is FAILS or t is stop else self.scalar(part, env)) for t, w in out.items()]
            out = self.ways.mix(rest)
        return out

    def between(self, parts: Sequence[Code], env: Env) -> Weights:
        """Any whole number between two."""

        def run(ends: tuple[int, int]) -> Weights:
            self.ways.spend(max(0, ends[1] - ends[0]))
            return dict.fromkeys(range(ends[0], ends[1] + 1), 1) or FAILED

        return self.mixed(self.joined(parts, lambda low, high: (low, high), env), run)

    def branch(self, code: Code, env: Env, go: Callable[[Code, Env], Weights]) -> Weights:
        """`if`: only the side taken is evaluated, so the two sides may share what they like."""

        def taken(inner: Env) -> Weights:
            return self.mixed(self.scalar(code[1], inner), lambda truth: go(code[2] if truth else code[3], inner))

        return self.over(code, [(code[1],), (code[2], code[3])], env, taken)

    def cell(self, code: Code, env: Env) -> Weights:
        """`lookup`: a cell that reads more than the table's keys is not followed."""
        lookup = self.setting.lookup
        if lookup is None:
            raise UnknownError

        def found(keys: Any) -> Weights:
            row = lookup(code[1], keys if isinstance(keys, tuple) else (keys,), code[3])
            if row is None:
                return FAILED
            cell, values = row
            self.alive.append(cell)
            if self.names(cell, NO_NAMES) - values.keys():
                raise UnknownError
            return self.scalar(cell, dict(values))

        return self.mixed(self.joined(code[2], lambda *row: row, env) if code[2] else {(): 1}, found)

    # --- pools ---

    def is_pool(self, code: Code) -> bool:
        if not isinstance(code, list):
            return False
        if code[0] == "get":
            return code[1] in self.setting.lets and self.is_pool(self.setting.lets[code[1]])
        return code[0] in POOL_NODES or (code[0] == "if" and self.is_pool(code[2]))

    def asked(self, name: str) -> tuple[Feature, ...]:
        """All that is asked anywhere of a pool kept under a name, also through lets that pass it on."""
        if name not in self._asked:
            found: dict[Feature, None] = {}
            for asking in (node for root in self.roots for node in nodes(root)):
                if asking[0] in ASKS and name in passed(asking[1]):
                    bounds = tuple(operands(asking, 2)) if asking[0] == "count" else ()
                    literal = not any(isinstance(bound, list) for bound in bounds)
                    found[feature_of(asking, bounds) if literal else FACES] = None
            for other, code in self.setting.lets.items():
                if name in passed(code):
                    found.update(dict.fromkeys(self.asked(other)))
            self._asked[name] = tuple(found)
        return self._asked[name]

    def ask(self, code: Code, env: Env) -> Weights:
        """What a question to a pool gives; the bounds of `count` may be rolled themselves."""
        bounds: Weights = {(): 1}
        if code[0] == "count":
            for bound in operands(code, 2):
                bounds = self.ways.pair(bounds, self.scalar(bound, env), lambda row, value: (*row, value))
        return self.mixed(bounds, lambda row: self.answers(code, env, feature_of(code, row)))

    def answers(self, code: Code, env: Env, feature: Feature) -> Weights:
        states = self.pool(code[1], env, (feature,))
        return self.ways.each(states, lambda state: FAILS if state[0] is None else state[0])

    def pool(self, code: Code, env: Env, features: tuple[Feature, ...]) -> Weights:
        """States of a pool: one value for each feature."""
        self.ways.spend(1)
        return self.remembered(code, env, features, lambda: self.new_pool(code, env, features))

    def new_pool(self, code: Code, env: Env, features: tuple[Feature, ...]) -> Weights:
        match code[0]:
            case "get" if code[1] in env:
                known, state = env[code[1]]
                return {pick(known, state, features): 1}
            case "get" if code[1] in self.setting.lets:
                return self.pool(self.setting.lets[code[1]], env, features)
            case "if":
                return self.branch(code, env, lambda side, inner: self.pool(side, inner, features))
            case "digits":
                return digit_pool(self.ways, code[1], features)
            case "roll":
                die = self.die(code[2], code[3] or {})
                return self.counted(self.scalar(code[1], env), lambda n: number_pool(self.ways, n, die, features))
            case "throw":
                return self.counted(self.scalar(code[1], env), lambda n: self.symbols({code[2]: n}, features))
            case "pool" if (dice := self.setting.dice) is not None:
                parts = children(code)
                go = partial(self.joined, parts, partial(compose, dice, code))
                counts = self.over(code, [(part,) for part in parts], env, go)
                return self.mixed(counts, lambda row: self.symbols(dict(row), features))
            case _:
                raise UnknownError

    def symbols(self, counts: Mapping[str, int], features: tuple[Feature, ...]) -> Weights:
        if self.setting.dice is None:
            raise UnknownError
        return symbol_pool(self.ways, self.setting.dice, counts, features)

    def die(self, sides: int, mods: Mapping[str, Any]) -> NumberDie:
        key = json.dumps([sides, mods], sort_keys=True)
        if key not in self._dice:
            self.ways.spend(sides)
            self._dice[key] = number_die(sides, mods)
        return self._dice[key]

    def counted(self, counts: Weights, make: Callable[[int], Weights]) -> Weights:
        return self.mixed(counts, lambda n: make(n) if 0 <= n <= MOST_DICE else FAILED)

    def mixed(self, choices: Weights, make: Callable[[Any], Weights]) -> Weights:
        return self.ways.mix([(weight, FAILED if one is FAILS else make(one)) for one, weight in choices.items()])
