"""What lasts on a character: conditions, traits, environments, and the modifiers of all that carries some.

In: the rule and its scope. Out: everything in it bound and checked. The one rule: a modifier of rolls reads only what
every roll it reaches declares, since it must count for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..model import (
    Action,
    AnyRule,
    Condition,
    Derived,
    Die,
    Environment,
    Forbid,
    Lasting,
    Modifier,
    Procedure,
    Ref,
    Requirement,
    Roll,
    Stat,
    Table,
    Track,
    Trait,
)
from ..source import Span
from .calling import moment
from .modifiers import Carried, bind_amount, bind_bounds, keyed, modifier_scope, modifiers_of
from .prose import prose
from .ranges import join
from .refs import rules_of
from .scopes import Local, Scope, Want
from .steps import known, steps
from .values import Meaning, Numbers, Value
from .walk import slot
from .world import LASTING, World, pinpoint

STATE = (Condition, Trait, Environment)


def requirements(world: World, items: Iterable[Requirement], place: str, scope: Scope) -> Scope:
    """What must hold before the first step; so the steps know it."""
    inside = scope
    for item in items:
        slot(world, item.that, place, scope.rule, scope)
        prose(world, item.otherwise, scope)
        inside = known(world, item.that, inside, True)
    return inside


def tick(world: World, rule: str, word: str, span: Span) -> None:
    """What recurs or resets does so with a unit of time, a scene or an event."""
    how = "unit" if word in world.units else "event"
    world.word(rule, "N412", "unit of time or event", word, span, world.units | world.events, how)


def lasting(world: World, item: AnyRule, scope: Scope) -> None:
    """A condition, trait or environment."""
    assert isinstance(item, LASTING)
    slot(world, item.every, "lasting.every", item.id, scope)
    for each in item.each:
        tick(world, item.id, each.unit, each.span)
    for ref in item.implies:
        _implied(world, item, scope, ref)
    for ref in item.suspends:
        rules_of(world, scope, ref, STATE, "suspends")
    _forbids(world, item, item.forbids)
    modifiers_on(world, item)
    for track in item.tracks:
        _own_track(world, item, track, scope)
    steps(world, item.entry, scope)
    steps(world, item.effect, scope)
    if isinstance(item, Condition):
        _condition(world, item, scope)


def _own_track(world: World, item: Lasting, track: Track, scope: Scope) -> None:
    prose(world, track.text, scope)
    for reset in track.resets:
        for each in reset.each:
            tick(world, item.id, each, reset.span)
        slot(world, reset.to, "track.reset", item.id, scope)
    if isinstance(track.over, Ref) and track.over.name not in scope.locals:
        rules_of(world, scope, track.over, (Track,), "change")


def _condition(world: World, item: Condition, scope: Scope) -> None:
    slot(world, item.max, "condition.max", item.id, scope)
    slot(world, item.while_, "condition.while", item.id, scope)
    slot(world, item.starts, "condition.starts", item.id, scope)
    slot(world, item.until, "condition.until", item.id, scope)
    if item.lasts is not None:
        slot(world, item.lasts.for_, "condition.lasts", item.id, scope)
        if item.lasts.unit is not None:
            world.word(item.id, "N412", "unit of time", item.lasts.unit, item.span, world.units, "unit")
        if item.lasts.until is not None:
            moment(world, scope, item.lasts.until, item.span)
    for end in item.ends:
        for name in end.names:
            code, what, known = _ends(world, end.what)
            world.word(item.id, code, what, name, end.span, known, "event")
    for level in item.levels:
        prose(world, level.text, scope)
        _forbids(world, item, level.forbids)
        for ref in level.implies:
            _implied(world, item, scope, ref)
    steps(world, item.at_end, scope)


def _implied(world: World, item: Lasting, scope: Scope, ref: Ref) -> None:
    """A condition that is implied: its parameters are those of the same name here, or their defaults."""
    own = {spec.name: spec.type for spec in item.params}
    for rule in rules_of(world, scope, ref, STATE, "implies") or ():
        for spec in rule.params if isinstance(rule, Condition) else ():
            if (spec.default is None or spec.name in own) and own.get(spec.name) != spec.type:
                message = f"`{rule.id}` needs `{spec.name}`, which `{item.id}` has not"
                hint = f"what is implied takes parameters by their name: give `{item.id}` a parameter `{spec.name}`"
                world.error(item.id, "N410", message, ref.span, hint=f"{hint} of the type {spec.type}")


def _ends(world: World, what: str) -> tuple[str, str, frozenset[str] | set[str]]:
    if what == "after_roll":
        return "N411", "roll with the tag", {tag for tags in world.roll_tags.values() for tag in tags}
    if what == "any_action_but":
        actions = [rule for rule in world.rules.values() if isinstance(rule, Action)]
        return "N403", "action", {rule.id for rule in actions} | {tag for rule in actions for tag in rule.tags}
    return "N412", "event", world.events


def _forbids(world: World, item: AnyRule, forbids: tuple[Forbid, ...]) -> None:
    """A slot, an action or a tag; or a condition whose level may not fall."""
    for forbid in forbids:
        if forbid.what == "lower":
            scope = Scope(item.id, options=world.switches(item))
            world.rule_named(scope, forbid.name, pinpoint(forbid.span, forbid.name), (Condition,), "forbids")
            continue
        known = {*world.slots, *world.tags, *(tag for tags in world.roll_tags.values() for tag in tags)}
        known.update(rule_id for rule_id, rule in world.rules.items() if isinstance(rule, Action | Procedure))
        world.word(item.id, "N412", "slot, action or tag", forbid.name, forbid.span, known, "forbids")


# --- modifiers -------------------------------------------------------------------------------------------------


def modifiers_on(world: World, item: AnyRule) -> None:
    """Bind and check every modifier a rule carries, those of its levels too."""
    for carried in modifiers_of(item):
        _modifier(world, carried)


def _modifier(world: World, carried: Carried) -> None:
    item, modifier = carried.rule, carried.modifier
    scope = modifier_scope(world, item)
    unknown: set[str] = set()
    reached: tuple[Scope, set[str]] | None = scope, unknown
    match modifier.target:
        case "value":
            _value(world, carried, scope)
        case "track_max" if modifier.ref is not None:
            rules_of(world, scope, modifier.ref, (Track,), "modifies")
        case "slot" if modifier.ref is not None:
            ref = modifier.ref
            world.word(item.id, "N413", "slot", ref.name, ref.span, world.slots, "slot")
            for _, named in keyed(modifier):
                if named.name not in ("free", "cap"):
                    hint = world.suggest(named.name, ("free", "cap")) or "a slot has `free` and `cap`"
                    world.error(item.id, "N409", f"a slot has no `{named.name}`", named.span, hint=hint)
        case _:
            reached = _on_rolls(world, item, modifier, scope)
            if reached is not None:
                scope, unknown = reached
    if modifier.stack is not None:
        groups = dict(world.system.header.stacking)
        world.word(item.id, "N414", "stacking group", modifier.stack, modifier.span, groups, "stacking")
    if reached is None:
        return
    slot(world, modifier.when, "modifier.when", item.id, scope)
    bind_bounds(world, carried, scope)
    wants = _wants(world, item, modifier)
    for verb, named in keyed(modifier):
        want = wants.get(named.name)
        if named.name in unknown:
            continue  # of what nobody knows, nobody knows what it takes
        if want is not None and verb in ("add", "multiply"):
            message = f"`{named.name}` of these rolls is no number, so nothing can be added to it"
            world.error(item.id, "T502", message, named.span, hint="use `set`")
            continue
        bind_amount(world, carried, verb, named, scope, want if verb == "set" else None)
    prose(world, modifier.text, scope)
    for rule in _reached(world, modifier):
        # What a modifier reads of the rolls it reaches is asked for with good reason.
        for spec in rule.params:
            if (item.id, spec.name, modifier.span.start) in world.read:
                world.read.add((rule.id, spec.name, spec.span.start))


def _wants(world: World, item: AnyRule, modifier: Modifier) -> dict[str, Want]:
    """What parameters of the rolls it reaches take that are no numbers: a choice, a yes or no, a text, an id."""
    found: dict[str, Want] = {}
    for rule in _reached(world, modifier):
        for spec in rule.params:
            want = world.answers.want_of(spec, f"the modifier of `{item.id}`")
            if want.kind not in ("whole", "number"):
                before = found.get(spec.name, want)
                both = want.options & before.options if want.options and before.options else want.options
                found[spec.name] = replace(want, options=both)
    return found


def _value(world: World, carried: Carried, scope: Scope) -> None:
    """To a stat or derived value."""
    item, modifier = carried.rule, carried.modifier
    ref = modifier.ref
    assert ref is not None
    target = world.rules.get(ref.name)
    if isinstance(target, Track) and not ref.chosen:
        message = f"`{ref.name}` is a track, and modifiers change stats and derived values"
        hint = f"write `track_max: {ref.name}` for its maximum; what it holds is changed by a step"
        world.error(item.id, "N404", message, ref.span, hint=hint)
        return
    rules = rules_of(world, scope, ref, (Stat, Derived), "modifies")
    for rule in rules or ():
        found = world.answers.value_of(rule.id)
        if found.broken:
            continue
        if not isinstance(found.shown, Numbers):
            if modifier.add or modifier.multiply:
                message = f"`{rule.id}` is no number, so nothing can be added to it"
                world.error(item.id, "T502", message, ref.span, hint="use `set`")
            continue


def _on_rolls(world: World, item: AnyRule, modifier: Modifier, scope: Scope) -> tuple[Scope, set[str]] | None:
    """To rolls with a tag: dice, `value`, or a parameter; formulas see the parameters all those rolls have. Also the
    keys that are none of these; None where nobody knows all of the rolls."""
    tags = {tag for tags in world.roll_tags.values() for tag in tags}
    fine = [world.word(item.id, "N411", "roll with the tag", tag, modifier.span, tags, "tag") for tag in modifier.tags]
    for tag in modifier.except_:
        world.word(item.id, "N411", "roll with the tag", tag, modifier.span, tags, "tag")
    if not all(fine) or world.lost.intersection(modifier.tags):
        world.broken.add(item.id)
        return None
    params = [_params(world, rule) for rule in _reached(world, modifier)]
    unknown = _keys(world, item, modifier, {name for known in params for name in known})
    everywhere = set.intersection(*(set(known) for known in params)) if params else set()
    shared: set[str] = set()
    for name in sorted(everywhere):
        value = _joined(known[name].value for known in params)
        shown = _joined(known[name].shown for known in params)
        if value is None or shown is None:
            continue  # a number here and a word there: nothing that one formula could read
        shared.add(name)
        if name not in scope.locals and not world.is_value(name):
            local = Local(name, Meaning(["get", name], value, shown), modifier.span, "parameter")
            scope = scope.with_locals(local)
    partly = {name for known in params for name in known} - shared
    return replace(scope, partly=frozenset(partly)), unknown


def _reached(world: World, modifier: Modifier) -> list[Roll | Table]:
    """The rolls and tables that a modifier counts for, by their tags; none for one that is no modifier of rolls."""
    found = [
        world.rules[rule_id]
        for rule_id, own in world.roll_tags.items()
        if own & set(modifier.tags) and not own & set(modifier.except_) and rule_id in world.rules
    ]
    return [rule for rule in found if isinstance(rule, Roll | Table)]


def _joined(values: Iterable[Value]) -> Value | None:
    """What a parameter can be over all rolls that have it."""
    found: Value | None = None
    for place, value in enumerate(values):
        found = value if place == 0 else None if found is None else join(found, value)
    return found


def _params(world: World, rule: Roll | Table) -> dict[str, Meaning]:
    return {spec.name: world.answers.spec_value(spec, rule.id) for spec in rule.params}


def _keys(world: World, item: AnyRule, modifier: Modifier, params: set[str]) -> set[str]:
    """What a modifier changes of rolls: dice and parameters; returns what is neither."""
    unknown: set[str] = set()
    dice = {rule_id for rule_id, rule in world.rules.items() if isinstance(rule, Die)}
    for verb, named in keyed(modifier):
        known = dice if verb in ("upgrade", "downgrade") else {*dice, *params, "value"}
        if named.name in known or (named.name == "" and verb not in ("upgrade", "downgrade")):
            if named.name in dice:
                world.use(item.id, named.name, named.span, "die")
            continue
        unknown.add(named.name)
        if named.name in world.silent:
            world.broken.add(item.id)
            continue
        what = "die" if verb in ("upgrade", "downgrade") else "die or parameter of these rolls"
        hint = world.suggest(named.name, known)
        world.error(item.id, "N413", f"there is no {what} `{named.name}`", named.span, hint=hint)
    return unknown
