"""Modifiers: their formulas bound, and what they can do to a value.

In: the modifiers of conditions, traits, environments and actions. Out: for a value, its range with all of them. The
one rule: each source counts at most once, at its highest level, but a condition that is carried `separate` any number
of times; and any source can be absent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..model import Action, AnyRule, Condition, Modifier, Named
from .ranges import ROUNDINGS, each_end, greatest, hull, least, plus, times
from .refs import possible
from .scope import rule_scope
from .scopes import Scope, Want
from .values import Meaning, Numbers, Value, point
from .walk import slot, wanted
from .world import LASTING, World

NOTHING = point(0)


@dataclass(frozen=True, slots=True)
class Carried:
    """A modifier and the rule that carries it; `level` where it belongs to one level of a condition."""

    rule: AnyRule
    modifier: Modifier
    level: int | None = None


def modifiers_of(rule: AnyRule) -> Iterator[Carried]:
    """Every modifier of a rule, those of its levels too."""
    if isinstance(rule, (*LASTING, Action)):
        for modifier in rule.modifiers:
            yield Carried(rule, modifier)
    if isinstance(rule, Condition):
        for level in rule.levels:
            for modifier in level.modifiers:
                yield Carried(rule, modifier, level.number)


@dataclass(slots=True)
class Modifiers:
    """All modifiers of a system that change a value or the maximum of a track, by what they change."""

    world: World
    of: dict[tuple[str, str], list[Carried]] = field(default_factory=dict)
    of_rolls: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule in self.world.rules.values():
            for carried in modifiers_of(rule):
                modifier = carried.modifier
                if modifier.ref is not None and modifier.target in ("value", "track_max"):
                    for name in possible(self.world, rule, modifier.ref):
                        self.of.setdefault((modifier.target, name), []).append(carried)
                elif modifier.target in ("roll", "against"):
                    self._reach(modifier)

    def _reach(self, modifier: Modifier) -> None:
        """Remember what a modifier changes of the rolls it reaches."""
        keys = {named.name or "value" for _, named in keyed(modifier)}
        for roll, tags in self.world.roll_tags.items():
            if tags & set(modifier.tags) and not tags & set(modifier.except_):
                self.of_rolls.setdefault(roll, set()).update(keys)

    def applied(self, target: str, name: str, base: Value, rounding: str | None = None) -> Value:
        """The range of a value after whatever modifiers can do to it."""
        carried = self.of.get((target, name), ())
        if not carried or not isinstance(base, Numbers):
            return base
        effects = [effect for one in carried for effect in self._effects(one)]
        value = base
        for effect in effects:
            if effect.verb == "set":
                value = hull(value, effect.amount)
        value = self._added(value, [effect for effect in effects if effect.verb == "add"])
        for effect in effects:
            if effect.verb == "multiply":
                value = _multiplied(value, effect, rounding)
        for effect in effects:
            if effect.verb == "at_least":
                value = hull(value, greatest([value, effect.amount]))
            elif effect.verb == "at_most":
                value = hull(value, least([value, effect.amount]))
        return value

    def _effects(self, carried: Carried) -> Iterator[Effect]:
        world, modifier, rule = self.world, carried.modifier, carried.rule
        scope = modifier_scope(world, rule)
        often = isinstance(rule, Condition) and rule.stacking == "separate"
        bounds = bind_bounds(world, carried, scope)
        for verb, named in keyed(modifier):
            found = bind_amount(world, carried, verb, named, scope)
            if isinstance(found.value, Numbers):
                yield Effect(carried, verb, found.value, often, bounds)
        for verb, amount in bounds.items():
            yield Effect(carried, verb, amount, often)

    def _added(self, value: Numbers, adds: list[Effect]) -> Numbers:
        """What the additions can come to, by stacking group; one with a lower limit of its own goes no lower."""
        free = [effect for effect in adds if not effect.bounds]
        held = [effect for effect in adds if effect.bounds]
        plain = plus(value, self._sum(free))
        if not held:
            return plain
        everything = plus(value, self._sum(adds))
        low, high = everything, everything
        for effect in held:
            if "at_least" in effect.bounds:
                low = greatest([low, effect.bounds["at_least"]])
            if "at_most" in effect.bounds:
                high = least([high, effect.bounds["at_most"]])
        return hull(plain, Numbers(low.low, high.high, everything.whole, everything.parts))

    def _sum(self, adds: list[Effect]) -> Numbers:
        groups: dict[str, list[Effect]] = {}
        total = NOTHING
        policies = dict(self.world.system.header.stacking)
        for effect in adds:
            group = effect.carried.modifier.stack
            if group is not None and policies.get(group) in ("highest", "lowest"):
                groups.setdefault(group, []).append(effect)
        # Of a group with one survivor any member can be the one that counts.
        for effects in groups.values():
            one = NOTHING
            for effect in effects:
                one = hull(one, effect.amount)
            total = plus(total, one)
        grouped = {id(effect) for effects in groups.values() for effect in effects}
        for source in _by_source([effect for effect in adds if id(effect) not in grouped]):
            total = plus(total, source)
        return total


@dataclass(frozen=True, slots=True)
class Effect:
    """One verb of one modifier, with its range. `often`: any number of times at once."""

    carried: Carried
    verb: str
    amount: Numbers
    often: bool = False
    bounds: dict[str, Numbers] = field(default_factory=dict)


def _by_source(adds: list[Effect]) -> Iterator[Numbers]:
    """What each source adds, absent or present: of levels that do not add up only one counts."""
    exclusive: dict[str, Numbers] = {}
    for effect in adds:
        rule = effect.carried.rule
        amount = hull(NOTHING, effect.amount)
        if effect.often:
            amount = Numbers(
                0 if amount.low == 0 else None, 0 if amount.high == 0 else None, amount.whole, amount.parts
            )
        if effect.carried.level is not None and isinstance(rule, Condition) and not rule.cumulative:
            exclusive[rule.id] = hull(exclusive.get(rule.id, NOTHING), amount)
        else:
            yield amount
    yield from exclusive.values()


def _multiplied(value: Numbers, effect: Effect, rounding: str | None) -> Numbers:
    product = times(value, effect.amount)
    if effect.often:
        product = Numbers(0 if value.low is not None and value.low >= 0 else None, None, product.whole, product.parts)
    how = effect.carried.modifier.round or rounding
    return hull(value, each_end(product, ROUNDINGS[how]) if how in ROUNDINGS else product)


# --- binding ---------------------------------------------------------------------------------------------------


def modifier_scope(world: World, rule: AnyRule) -> Scope:
    """What the formulas of a rule's modifiers read: they count only while it is carried."""
    return replace(rule_scope(world, rule), carried=rule.id)


def keyed(modifier: Modifier) -> Iterator[tuple[str, Named]]:
    """Each verb with each of its amounts."""
    for verb in ("set", "add", "multiply", "upgrade", "downgrade"):
        for named in getattr(modifier, verb):
            yield verb, named


def bind_amount(
    world: World, carried: Carried, verb: str, named: Named, scope: Scope, want: Want | None = None
) -> Meaning:
    """The amount of a verb: a whole number where it counts things; `want` where it is no number at all."""
    rule, modifier = carried.rule, carried.modifier
    what = f"the modifier of `{rule.id}`"
    place = "modifier"
    if modifier.target == "slot":
        place = "modifier.slot"
    elif verb in ("upgrade", "downgrade") or (
        modifier.target in ("roll", "against") and named.name not in ("", "value")
    ):
        place = "modifier.dice"
    if verb == "multiply":
        place = "modifier"
    wanted_here = want or replace(wanted(place, rule.id), what=what)
    found = slot(world, named.formula, place, rule.id, scope, wanted_here)
    assert found is not None
    return found


def bind_bounds(world: World, carried: Carried, scope: Scope) -> dict[str, Numbers]:
    """`at_least` and `at_most`."""
    bounds: dict[str, Numbers] = {}
    for verb in ("at_least", "at_most"):
        found = slot(world, getattr(carried.modifier, verb), "modifier.bound", carried.rule.id, scope)
        if found is not None and isinstance(found.value, Numbers):
            bounds[verb] = found.value
    return bounds
