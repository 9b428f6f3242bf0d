"""Rolls without a character: what most people at a table ask for, without waiting for the rest.

In: a roll of an artifact, and its parameters. Out: the same `Rolled` as with an empty character. One rule holds: a
roll is made here only if nothing but its parameters and dice can matter: it reads no value of a sheet, and no
condition that comes by itself changes rolls. Everything else, and every mistake, is left to the whole way.
"""

from __future__ import annotations

from ..formulas.code import prepare
from ..formulas.number_pools import roll_digits, roll_pool
from ..formulas.symbols import DiceRules, SymbolPool, build, throw_all
from .plans import PLAIN
from .rolled import Rolled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from ..formulas.dice import Dice
    from ..formulas.number_pools import Pool
    from ..rules import Rules

    Rule: TypeAlias = Mapping[str, Any]
    Formula: TypeAlias = Callable[[Any], Any]

_DICE = ("roll", "digits", "throw", "sum", "size", "highest", "lowest", "count", "count_kind", "net", "rolled")
NODES = (PLAIN | frozenset(_DICE)) - {"member", "option"}


class BareRoll:
    """A roll ready to be made."""

    __slots__ = ("die_rules", "downgrade", "lets", "params", "pool", "results", "rule_id", "upgrade", "value")

    def __init__(self, rules: Rules, rule_id: str, rule: Rule) -> None:
        self.rule_id = rule_id
        self.params = [
            (spec["name"], spec.get("min"), spec.get("max"), spec.get("default")) for spec in rule.get("params", ())
        ]
        self.lets = {name: _ready(code) for name, code in rule.get("let", ())}
        self.pool, self.upgrade, self.downgrade = (
            [(name, _ready(code)) for name, code in rule.get(field, ())] for field in ("pool", "upgrade", "downgrade")
        )
        self.value = _ready(rule["value"]) if "value" in rule else None
        self.results = [(name, _ready(code)) for name, code in rule.get("results", ())]
        self.die_rules = rules.dice_rules if self.pool else None

    def fitted(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """The parameters, or None where one does not fit as it is."""
        found = {}
        for name, low, high, default in self.params:
            value = given.get(name, default)
            if type(value) is not int or (low is not None and value < low) or (high is not None and value > high):
                return None
            found[name] = value
        return found if given.keys() <= found.keys() else None

    def roll(self, params: dict[str, Any], dice: Dice) -> Rolled:
        frame = Bare(params, self.lets, dice)
        pool = None
        if self.pool:
            assert self.die_rules is not None
            counts, upgrade, downgrade = (
                {name: code(frame) for name, code in named} for named in (self.pool, self.upgrade, self.downgrade)
            )
            thrown = build(self.die_rules.dice, counts, upgrade=upgrade, downgrade=downgrade)
            pool = frame["pool"] = throw_all(dice, thrown, self.die_rules)
            frame.thrown.append(pool)
        total = None
        if self.value is not None:
            total = frame["value"] = number_of(self.value(frame))
        results = {}
        for name, code in self.results:
            results[name] = frame[name] = number_of(code(frame))
        return Rolled(self.rule_id, total, tuple(frame.thrown), results, params=params, pool=pool)


class Bare(dict[str, "Any"]):
    """The names of a roll: parameters, and lets that are drawn when they are first read."""

    __slots__ = ("dice", "lets", "thrown")

    def __init__(self, params: dict[str, Any], lets: dict[str, Formula], dice: Dice) -> None:
        super().__init__(params)
        self.lets = lets
        self.dice = dice
        self.thrown: list[Pool | SymbolPool] = []

    def __missing__(self, name: str) -> Any:
        value = self[name] = self.lets[name](self)
        return value

    def roll(self, count: int, sides: int, mods: Any) -> Pool:
        pool = roll_pool(self.dice, count, sides, mods)
        self.thrown.append(pool)
        return pool

    def digits(self, sides: Any) -> Pool:
        pool = roll_digits(self.dice, sides)
        self.thrown.append(pool)
        return pool

    def net(self, pool: Any, symbol: str) -> int:
        found: SymbolPool = self["pool"] if pool is None else pool
        return found.net(symbol)

    def rolled(self, pool: Any, symbol: str) -> int:
        found: SymbolPool = self["pool"] if pool is None else pool
        return found.rolled(symbol)


def number_of(value: Any) -> Any:
    """Of dice their sum."""
    return value.total if hasattr(value, "dropped") else value


def _ready(code: Any) -> Formula:
    return prepare(code)


def plain_roll(text: str, dice: Dice, die_rules: DiceRules | None) -> Rolled:
    """Dice as people write them."""
    from ..formulas import notation

    thrown = notation.roll(text, dice, die_rules)
    pools = thrown.pools if thrown.symbols is None else (thrown.symbols,)
    return Rolled(text, thrown.total, pools, pool=thrown.symbols)


def bare_roll(rules: Rules, roll_id: str) -> BareRoll | None:
    """The roll without a character, or None where more than its parameters can matter."""
    rule = whole_rule(rules.rules, roll_id)
    if rule is None or "option" in rule or rules.plans.automatic_rolls():
        return None
    known = {"value", "pool"}
    for spec in rule.get("params", ()):
        constant = all(type(spec.get(field, 0)) is int for field in ("min", "max", "default"))
        if spec.get("type", "int") != "int" or not constant:
            return None
        known.add(spec["name"])
    for field in ("let", "results"):
        known.update(name for name, _ in rule.get(field, ()))
    fields = ("let", "pool", "upgrade", "downgrade", "results")
    codes = [code for field in fields for _, code in rule.get(field, ())]
    return BareRoll(rules, roll_id, rule) if alone([*codes, rule.get("value")], known) else None


def whole_rule(rules: Mapping[str, Rule], roll_id: str, seen: tuple[str, ...] = ()) -> Rule | None:
    """A roll with what it takes from the one it is `like`; None where that leads nowhere."""
    rule = rules.get(roll_id)
    if rule is None or rule["kind"] not in ("roll", "rolls") or roll_id in seen:
        return None
    if "like" not in rule:
        return rule
    other = whole_rule(rules, rule["like"], (*seen, roll_id))
    if other is None:
        return None
    return {**{name: part for name, part in other.items() if name not in OWN}, **rule}


OWN = ("id", "kind", "at", "title", "text", "source", "ruling", "aliases", "option", "examples", "like", "family")
"""What a roll says of itself alone, even where it is `like` another."""


def alone(codes: list[Any], known: set[str]) -> bool:
    """Whether formulas read these names only, and ask nothing of a character."""
    todo = list(codes)
    while todo:
        match todo.pop():
            case ["get", str(name)]:
                if name not in known:
                    return False
            case ["frac" | "digits", *_]:
                pass
            case ["roll", count, _, _] | ["throw", count, _]:
                todo.append(count)
            case ["chain", _, operands]:
                todo.extend(operands)
            case ["count", pool, _, bounds]:
                todo += [pool, *bounds]
            case ["count_kind" | "net" | "rolled", pool, str()]:
                todo.append(pool)
            case [str(node), *parts]:
                if node not in NODES:
                    return False
                todo.extend(parts)
            case list(parts):
                todo.extend(parts)
    return True
