"""Scopes of whole rules: roles, options in force, parameters, own tracks.

In: a rule. Out: the scope that all its formulas start from, made once. The one rule: a name that a rule makes must not
mean anything else; a clash is told with both places.
"""

from __future__ import annotations

from dataclasses import replace

from ..diagnostics import Note
from ..formulas.syntax import Text
from ..model import AnyRule, Bands, Formula, Lasting, Spec, Table, Track
from ..source import Span
from .ranges import compare, hull
from .scopes import Local, Scope, Want
from .values import BROKEN, Choices, Ids, Meaning, Numbers, Texts, Truths, Value, say
from .walk import slot, wanted
from .world import SHEET, WORDS, World, a

KINDS_OF_ID: dict[str, tuple[str, ...]] = {
    "stat": ("stat", "derived value"),
    "track": ("track",),
    "condition": ("condition",),
    "trait": ("trait",),
}


def declare(world: World, scope: Scope, name: str, found: Meaning, span: Span, what: str) -> Scope:
    """The scope with one more name; reports a name that means something else already."""
    clash: tuple[str, Span] | None = None
    rule = world.rules.get(name)
    if name in scope.locals:
        clash = scope.locals[name].what, scope.locals[name].span
    elif isinstance(rule, SHEET):
        clash = WORDS[type(rule)], rule.span
    elif name in world.families and isinstance(first := world.rules[next(iter(world.families[name].values()))], SHEET):
        clash = f"family of {WORDS[type(first)]}s", first.span
    if name in scope.roles:
        message = f"`{name}` is a role here, and cannot name {a(what)}"
        world.error(scope.rule, "N418", message, span, hint="choose another name")
        return scope
    if clash is not None:
        notes = (Note(clash[1], f"`{name}` is {a(clash[0])} here"),)
        message = f"`{name}` would mean two things: this {what}, and {a(clash[0])}"
        world.error(scope.rule, "N402", message, span, notes=notes, hint="give one of them another name")
        return scope  # what reads it means the elder one: no finding follows from this one
    world.made[scope.rule, name, span.start] = (what, span)
    return scope.with_locals(Local(name, found, span, what))


# --- specs -----------------------------------------------------------------------------------------------------


def with_specs(world: World, scope: Scope, specs: tuple[Spec, ...], what: str) -> Scope:
    """The scope with parameters, keys or answers; each sees those before it."""
    for spec in specs:
        scope = declare(world, scope, spec.name, spec_meaning(world, spec, scope), spec.span, what)
    return scope


def spec_meaning(world: World, spec: Spec, scope: Scope) -> Meaning:
    """What a value of a spec can be; binds its formulas and checks the names it lists."""
    known = world.specs.get(id(spec))
    if known is not None:
        return known
    low = slot(world, spec.min, "spec.min", scope.rule, scope, wanted_bound(spec, "least", "spec.min", scope.rule))
    high = slot(world, spec.max, "spec.max", scope.rule, scope, wanted_bound(spec, "greatest", "spec.max", scope.rule))
    found = Meaning(["get", spec.name], *_spec_values(world, spec, scope, low, high))
    if any(bound is not None and bound.broken for bound in (low, high)) or found.broken:
        found = BROKEN
    world.specs[id(spec)] = found
    if not found.broken:
        _check_default(world, spec, scope, found)
    return found


def wanted_bound(spec: Spec, end: str, place: str, rule: str) -> Want:
    kind = "number" if spec.type == "fraction" else "whole"
    return replace(wanted(place, rule), kind=kind, what=f"the {end} value of `{spec.name}`")


def _spec_values(
    world: World, spec: Spec, scope: Scope, low: Meaning | None, high: Meaning | None
) -> tuple[Value, Value]:
    match spec.type:
        case "int" | "fraction":
            return _span(world, spec, scope, low, high)
        case "bool":
            return Truths(), Truths()
        case "text":
            return Texts(), Texts()
        case "choice":
            choices = Choices(frozenset(spec.of) if spec.of else None)
            return choices, choices
    named_ids = _ids(world, spec, scope)
    if named_ids is None:
        return BROKEN.value, BROKEN.shown
    ids = Ids(spec.type, named_ids)
    return ids, ids


def _span(world: World, spec: Spec, scope: Scope, low: Meaning | None, high: Meaning | None) -> tuple[Value, Value]:
    ranges: list[Value] = []
    whole = spec.type != "fraction"
    for pick in ("value", "shown"):
        least = getattr(low, pick) if low is not None else None
        most = getattr(high, pick) if high is not None else None
        start = least.low if isinstance(least, Numbers) else None
        end = most.high if isinstance(most, Numbers) else None
        if start is not None and end is not None and start > end:
            message = f"`{spec.name}` is at least {say(start)} and at most {say(end)}: nothing lies between"
            world.error(scope.rule, "T513", message, spec.min.span() if spec.min else spec.span)
            return BROKEN.value, BROKEN.shown
        ranges.append(Numbers(start, end, whole))
    return ranges[0], ranges[1]


def _ids(world: World, spec: Spec, scope: Scope) -> frozenset[str] | None:
    """The ids a parameter can hold: of rules with one of the tags, or those listed; None where one is unknown."""
    kinds = KINDS_OF_ID.get(spec.type, ())
    rules = {rule_id: rule for rule_id, rule in world.rules.items() if WORDS[type(rule)] in kinds}
    if not spec.of:
        return frozenset(rules)
    if spec.type in ("condition", "trait"):
        tags = {tag for rule in rules.values() for tag in rule.tags}
        known = [
            world.word(scope.rule, "N411", f"{spec.type} with the tag", tag, spec.span, tags, "tag") for tag in spec.of
        ]
        found = frozenset(rule_id for rule_id, rule in rules.items() if not set(spec.of).isdisjoint(rule.tags))
    else:
        known = [world.word(scope.rule, "N403", spec.type, name, spec.span, rules, "choice") for name in spec.of]
        found = frozenset(spec.of)
    return found if all(known) else None


def _check_default(world: World, spec: Spec, scope: Scope, found: Meaning) -> None:
    if spec.type == "text" and spec.default is not None:
        _plain_text(world, spec.default)
    want = want_for(spec, found, f"the default of `{spec.name}`")
    default = slot(world, spec.default, "spec.default", scope.rule, scope, want)
    if default is None or spec.default is None or not isinstance(default.value, Numbers):
        return
    if isinstance(found.value, Numbers) and compare("<", default.value, found.value) is None:
        return
    assert isinstance(found.value, Numbers)
    joined = hull(found.value, default.value)
    if joined != found.value and default.value.constant is not None:
        message = f"the default of `{spec.name}` is {found.value}, not {default.value}"
        world.error(scope.rule, "T513", message, spec.default.span())


def _plain_text(world: World, default: Formula) -> None:
    """The default of a text is the text itself, as it stands."""
    text = default.text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    world.trees[default] = Text(text, (0, len(default.text)))


def want_for(spec: Spec, found: Meaning, what: str) -> Want:
    """What a parameter wants of a value that is given for it."""
    match found.value:
        case Numbers() as numbers:
            around = numbers if spec.type in ("int", "fraction") else None
            return Want("whole" if spec.type == "int" else "number", what, around=around)
        case Truths():
            return Want("truth", what)
        case Texts():
            return Want("text", what)
        case Choices(options=options):
            return Want("choice", what, options)
        case Ids(kind=kind, options=options):
            return Want("id", what, options, of=kind)
    return Want("broken", what)


# --- rules -----------------------------------------------------------------------------------------------------


def rule_scope(world: World, rule: AnyRule) -> Scope:
    """What every formula of a rule may read, before its own lets, results and steps."""
    known = world.scopes.get(rule.id)
    if known is not None:
        return known
    roles: tuple[tuple[str, str], ...] = getattr(rule, "roles", ())
    scope = Scope(
        rule.id,
        roles=tuple(role for role, _ in roles),
        sheets={role: kind for role, kind in roles if kind},
        options=world.switches(rule),
    )
    world.scopes[rule.id] = scope  # what parameters read of the rule itself while they are bound
    for role, _ in roles:
        if isinstance(other := world.rules.get(role), SHEET):
            notes = (Note(other.span, f"`{role}` is {a(WORDS[type(other)])} here"),)
            message = f"`{role}` would mean two things: a role, and {a(WORDS[type(other)])}"
            world.error(rule.id, "N402", message, rule.span, notes=notes, hint="give one of them another name")
    match rule:
        case Table():
            scope = with_specs(world, scope, rule.params, "parameter")
            scope = _with_keys(world, scope, rule)
        case Bands():
            scope = with_specs(world, scope, rule.params, "parameter")
        case Lasting():
            scope = with_specs(world, scope, rule.params, "parameter")
            world.scopes[rule.id] = scope
            for track in rule.tracks:
                found = own_track(world, scope, track)
                scope = declare(world, scope, track.id, found, track.span, "track")
        case _:
            scope = with_specs(world, scope, getattr(rule, "params", ()), "parameter")
    world.scopes[rule.id] = scope
    return scope


def _with_keys(world: World, scope: Scope, table: Table) -> Scope:
    """A table's keys: those that are names of the sheet are read from it where they are left out."""
    for spec in table.by:
        found = spec_meaning(world, spec, scope)
        if isinstance(world.rules.get(spec.name), SHEET):
            scope = scope.with_locals(Local(spec.name, found, spec.span, "key"))
        else:
            scope = declare(world, scope, spec.name, found, spec.span, "key")
        world.read.add((scope.rule, spec.name, spec.span.start))
    return scope


def own_track(world: World, scope: Scope, track: Track) -> Meaning:
    """A track of a trait, condition or environment; its range is the declared one."""
    key = id(track)
    if key not in world.specs:
        low = slot(world, track.min, "track.min", scope.rule, scope, track_want(track, "track.min"))
        high = slot(world, track.max, "track.max", scope.rule, scope, track_want(track, "track.max"))
        slot(world, track.start, "track.start", scope.rule, scope, track_want(track, "track.start"))
        world.specs[key] = Meaning(["get", track.id], *track_span(track, low, high))
    return world.specs[key]


def track_want(track: Track, place: str) -> Want:
    want = wanted(place, track.id)
    return replace(want, kind="number") if track.type == "fraction" else want


def track_span(track: Track, low: Meaning | None, high: Meaning | None) -> tuple[Value, Value]:
    """The ranges of a track between its limits."""
    ranges: list[Value] = []
    for pick in ("value", "shown"):
        least = getattr(low, pick) if low is not None else Numbers(0, 0)
        most = getattr(high, pick) if high is not None else Numbers()
        if not isinstance(least, Numbers) or not isinstance(most, Numbers):
            return BROKEN.value, BROKEN.shown
        ranges.append(Numbers(least.low, most.high, track.type != "fraction"))
    return ranges[0], ranges[1]
