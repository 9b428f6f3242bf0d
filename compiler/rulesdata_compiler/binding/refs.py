"""References: what `charge`, `alarm[kind]`, `owner.charge`, `lamp.oil`, `(found)` mean in steps and modifiers.

In: a reference and the scope it stands in. Out: the rules it can mean, or the range of the track. The one rule: each
reference is resolved here and nowhere else, so that an unknown one is told once.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..model import AnyRule, Ref, Spec, Track
from .ranges import hull
from .scopes import Scope, Want
from .values import ANY, Ids, Numbers, Record, Value
from .walk import bind_formula
from .world import LASTING, WORDS, World, a, listed, named

STAT_KINDS = ("stat", "derived value")


@dataclass(frozen=True, slots=True)
class Changed:
    """A track that a step changes: its range, whether it holds fractions, and the name `overflow` knows it by."""

    span: Numbers
    name: str


def possible(world: World, rule: AnyRule, ref: Ref) -> list[str]:
    """The ids a modifier's reference can mean, without a word about those it cannot."""
    if ref.chosen:
        specs: tuple[Spec, ...] = getattr(rule, "params", ())
        for spec in specs:
            if spec.name == ref.name and spec.type in ("stat", "track"):
                kinds = STAT_KINDS if spec.type == "stat" else ("track",)
                return [
                    rule_id
                    for rule_id, other in world.rules.items()
                    if WORDS[type(other)] in kinds and (not spec.of or rule_id in spec.of)
                ]
        return []
    if ref.index is None:
        return [ref.name]
    members = world.families.get(ref.name, {})
    return [members[ref.index.text]] if ref.index.text in members else list(members.values())


def rules_of(world: World, scope: Scope, ref: Ref, kinds: tuple[type, ...], how: str) -> list[AnyRule] | None:
    """The rules a reference can mean; None where it means none, which is reported."""
    if ref.of is not None and not known_role(world, scope, ref.of, ref):
        return None
    if ref.chosen:
        ids = _chosen(world, scope, ref, kinds)
        return None if ids is None else [world.rules[rule_id] for rule_id in sorted(ids)]
    if ref.index is not None:
        return _member(world, scope, ref, kinds, how)
    rule = world.rule_named(scope, ref.name, ref.span, kinds, how)
    return None if rule is None else [rule]


def known_role(world: World, scope: Scope, role: str, ref: Ref) -> bool:
    hint: str | None = None
    if role == "trait":
        message = "`trait` is the trait at hand inside `each_trait`, and this stands outside"
        hint = "name the trait itself, or put the step under `each_trait`"
        world.error(scope.rule, "N423", message, ref.span, hint=hint)
        return False
    if role in scope.roles:
        return True
    rule = world.rules.get(role)
    if isinstance(rule, LASTING):
        own = [track.id for track in rule.tracks]
        hint = world.suggest(ref.name, own) or (f"it has {named(own, 'and')}" if own else "it has no tracks")
        world.error(
            scope.rule, "N406", f"the {WORDS[type(rule)]} `{role}` has no track `{ref.name}`", ref.span, hint=hint
        )
        return False
    if role in world.silent:
        world.broken.add(scope.rule)
        return False
    hint = world.suggest(role, [*scope.roles, *world.ids(LASTING)])
    if hint is None and not scope.roles:
        hint = "roles are declared by a procedure, an action or a spend: `roles: [owner, guest]`"
    world.error(scope.rule, "N408", f"there is no role `{role}` here", ref.span, hint=hint)
    return False


def _chosen(world: World, scope: Scope, ref: Ref, kinds: tuple[type, ...]) -> frozenset[str] | None:
    """`(found)`: a parameter that holds an id."""
    words = [WORDS[kind] for kind in kinds]
    wanted = listed(a(word) for word in words)
    found, text = _local(world, scope, ref)
    if found is None:
        return None
    if isinstance(found, Ids) and (found.kind in words or (found.kind == "stat" and "derived value" in words)):
        return found.options
    message = f"`({text})` stands for what `{text}` holds, and that is not the name of {wanted}"
    hint = f"declare it with `type: {words[0]}`, or leave the brackets out"
    world.error(scope.rule, "T502", message, ref.span, hint=hint)
    return None


def _local(world: World, scope: Scope, ref: Ref) -> tuple[Value | None, str]:
    """The value of the name in brackets, `found` or `row.condition`."""
    base, _, part = ref.name.partition(".")
    local = scope.locals.get(base)
    if local is None:
        message = f"`({ref.name})` stands for what a parameter holds, and there is no parameter `{base}` here"
        world.error(scope.rule, "N401", message, ref.span, hint=world.suggest(base, scope.locals))
        return None, ref.name
    world.read.add((scope.rule, base, local.span.start))
    value = local.meaning.value
    if part and isinstance(value, Record):
        fields = dict(value.fields)
        if part not in fields:
            hint = world.suggest(part, fields)
            world.error(scope.rule, "N406", f"`{base}` has no `{part}`", ref.span, hint=hint)
            return None, ref.name
        value = fields[part].value
    return (None if local.meaning.broken else value), ref.name


def _member(world: World, scope: Scope, ref: Ref, kinds: tuple[type, ...], how: str) -> list[AnyRule] | None:
    """`alarm[kind]`: one member of a family, or any."""
    members = world.families.get(ref.name)
    if members is None:
        if ref.name in world.silent:
            world.broken.add(scope.rule)
        else:
            hint = world.suggest(ref.name, world.families)
            world.error(scope.rule, "N419", f"`{ref.name}` is no family of rules", ref.span, hint=hint)
        return None
    first = world.rules[next(iter(members.values()))]
    if not isinstance(first, kinds):
        wanted = listed(a(WORDS[kind]) for kind in kinds)
        message = f"`{ref.name}` is a family of {WORDS[type(first)]}s, and {wanted} is wanted here"
        world.error(scope.rule, "N404", message, ref.span)
        return None
    assert ref.index is not None
    key = bind_formula(world, ref.index, scope.rule, scope, Want("choice", f"`{ref.name}`", frozenset(members)))
    if key.broken:
        return None
    ids = [members[key.code]] if isinstance(key.code, str) and key.code in members else members.values()
    rules = [world.rules[rule_id] for rule_id in ids]
    for rule in rules:
        world.use(scope.rule, rule.id, ref.span, how)
        world.check_option(scope, rule, ref.span)
    return rules


# --- tracks ----------------------------------------------------------------------------------------------------


def track_of(world: World, scope: Scope, ref: Ref, to: str | None) -> Changed | None:
    """The track a step changes."""
    name = str(ref)
    if ref.of is None and not ref.chosen and ref.index is None and ref.name in scope.locals:
        local = scope.locals[ref.name]
        if local.what == "track":
            world.read.add((scope.rule, ref.name, local.span.start))
            return Changed(_span(local.meaning.value), name)
        message = f"`{ref.name}` is {a(local.what)} and keeps its value; only tracks can be changed"
        world.error(scope.rule, "N404", message, ref.span)
        return None
    if ref.of == "trait" and scope.trait:
        return _of_trait(world, scope, ref, name)
    if ref.of is not None and ref.of not in scope.roles:
        return _of_carried(world, scope, ref, name)
    rules = rules_of(world, scope, ref, (Track,), "change")
    if rules is None:
        return None
    spans: Numbers | None = None
    for rule in rules:
        found = world.answers.value_of(rule.id)
        if found.broken:
            world.broken.add(scope.rule)
            return Changed(ANY, name)
        span = _span(found.value)
        spans = span if spans is None else hull(spans, span)
        _on_sheet(world, scope, rule, ref, ref.of or to)
    return Changed(spans or ANY, f"{to}.{name}" if to and ref.of is None else name)


def _span(value: Value) -> Numbers:
    return value if isinstance(value, Numbers) else ANY


def _on_sheet(world: World, scope: Scope, rule: AnyRule, ref: Ref, role: str | None) -> None:
    kind = scope.sheets.get(role, "") if role else scope.bearer_sheet
    names = world.sheets.get(kind)
    if names and rule.id not in names and (not rule.family or rule.family[0] not in names):
        who = f"`{role}`" if role else "the first role"
        message = f"{who} is a sheet of the kind `{kind}`, which has no `{rule.id}`"
        world.error(scope.rule, "N424", message, ref.span)


def _of_trait(world: World, scope: Scope, ref: Ref, name: str) -> Changed | None:
    """`trait.oil`: a track that every trait with the tag has."""
    local = scope.locals["trait"]
    fields = dict(local.meaning.value.fields) if isinstance(local.meaning.value, Record) else {}
    found = fields.get(ref.name)
    if found is None or (isinstance(found.code, list) and found.code[0] != "of"):
        hint = world.suggest(ref.name, fields) or (f"they have {named(fields, 'and')}" if fields else None)
        message = f"not every trait with the tag `{scope.trait}` has a track `{ref.name}`"
        world.error(scope.rule, "N406", message, ref.span, hint=hint)
        return None
    return Changed(_span(found.value), name)


def _of_carried(world: World, scope: Scope, ref: Ref, name: str) -> Changed | None:
    """`lamp.oil`: a track of what is carried."""
    assert ref.of is not None
    rule = world.rules.get(ref.of)
    if isinstance(rule, LASTING):
        for track in rule.tracks:
            if track.id == ref.name:
                world.use(scope.rule, rule.id, ref.span, "change")
                world.check_option(scope, rule, ref.span)
                found = world.answers.own_track(rule.id, track)
                return Changed(_span(found.value), name)
    known_role(world, scope, ref.of, ref)
    return None
