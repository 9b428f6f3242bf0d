"""Steps: what each reads and changes, and the names it leaves for those behind it.

In: a list of steps and the scope around it. Out: the scope at its end. The one rule: names and what is known of values
go from each step to the next; what a step makes is gone at the end of its list, and what is known of a character is
forgotten after any step that could change one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from ..formulas.parse_limits import parts
from ..formulas.syntax import Call, Expr, Member, Name
from ..model import (
    Apply,
    Ask,
    Change,
    Choose,
    Condition,
    EachTrait,
    Environment,
    Event,
    Formula,
    Let,
    Remove,
    Repeat,
    RollOn,
    RollStep,
    Run,
    Say,
    SpendStep,
    Step,
    Stop,
    Trait,
    When,
)
from . import calling as bind_calling
from .compare import narrow, throws
from .names import own_names
from .prose import prose
from .ranges import join, magnitude
from .refs import rules_of, track_of
from .scope import declare, with_specs
from .scopes import Local, Scope, Want
from .values import BROKEN, NATURAL, Choices, Meaning, Numbers, Record, say
from .walk import slot, wanted
from .world import World, pinpoint

ROUNDS = 1_000
STATE = (Condition, Trait, Environment)


def steps(world: World, items: tuple[Step, ...], scope: Scope) -> Scope:
    """Bind a list of steps, one after the other."""
    for item in items:
        scope = _step(world, item, scope)
    return scope


def _step(world: World, item: Step, scope: Scope) -> Scope:
    _roles(world, item, scope)
    if item.when is None:
        return _done(world, item, scope)
    slot(world, item.when, "step.when", scope.rule, scope)
    broken = world.meanings[item.when].broken
    inner = replace(scope, unsure=True) if broken else known(world, item.when, scope, True)
    after = _when(world, item, scope, inner) if isinstance(item, When) else _done(world, item, inner)
    # Names that a guarded step makes are there behind it too; what its `when` says holds only inside.
    left = {expr: said for expr, said in scope.narrowed.items() if expr in after.narrowed}
    unsure = scope.unsure or (after.unsure and not broken)
    after = replace(after, narrowed=left, options=scope.options, unsure=unsure)
    stops = isinstance(item, Stop) or (isinstance(item, When) and _ends(item.then) and not item.otherwise)
    if stops and broken:
        return replace(after, unsure=True)
    return known(world, item.when, after, False) if stops else after


def _ends(items: tuple[Step, ...]) -> bool:
    return bool(items) and isinstance(items[-1], Stop) and items[-1].when is None


def known(world: World, formula: Formula, scope: Scope, truth: bool) -> Scope:
    """What a `when` that was bound says of the steps behind it."""
    site, expr = world.sites.get(formula), world.expr(formula, scope.rule)
    if site is None or expr is None or world.meanings[formula].broken:
        return scope
    return narrow(site, scope, expr, truth)


def _roles(world: World, item: Step, scope: Scope) -> None:
    """Every role a step names must be one of its rule."""
    for role in (item.to, getattr(item, "by", None), getattr(item, "against", None)):
        if role is not None:
            check_role(world, scope, role, item)


def check_role(world: World, scope: Scope, role: str, item: Step) -> None:
    if role in scope.roles or (not scope.roles and role == ""):
        return
    hint = world.suggest(role, scope.roles)
    if hint is None and not scope.roles:
        hint = "roles are declared by a procedure, an action or a spend: `roles: [owner, guest]`"
    world.error(scope.rule, "N408", f"there is no role `{role}` here", pinpoint(item.span, role), hint=hint)


def _done(world: World, item: Step, scope: Scope) -> Scope:
    match item:
        case Let():
            return _let(world, item, scope)
        case Change():
            return settled(_change(world, item, scope))
        case Apply():
            _apply(world, item, scope)
            return settled(scope)
        case Remove():
            _remove(world, item, scope)
            return settled(scope)
        case RollStep():
            return settled(bind_calling.roll(world, item, scope))
        case RollOn():
            return settled(bind_calling.roll_on(world, item, scope))
        case SpendStep():
            bind_calling.spend(world, item, scope)
            return settled(scope)
        case Run():
            return settled(bind_calling.run(world, item, scope))
        case When():
            return scope  # always guarded, so bound in `_step`
        case Repeat():
            _repeat(world, item, scope)
            return settled(scope)
        case EachTrait():
            _each_trait(world, item, scope)
            return settled(scope)
        case Choose():
            return _choose(world, item, scope)
        case Ask():
            for spec in item.specs:
                if spec.by is not None:
                    check_role(world, scope, spec.by, item)
            return with_specs(world, scope, item.specs, "answer")
        case Say() | Stop():
            prose(world, item.text, scope)
            return scope
        case Event():
            world.word(scope.rule, "N412", "event", item.event, item.span, world.system.header.events, "event")
            return settled(scope)
    assert_never(item)


def settled(scope: Scope) -> Scope:
    """After a change: what was said of a character's values no longer holds; of the rule's own names it does."""
    left = {expr: said for expr, said in scope.narrowed.items() if _stays(expr, scope)}
    return replace(scope, narrowed=left) if len(left) != len(scope.narrowed) else scope


def _stays(expr: Expr, scope: Scope) -> bool:
    match expr:
        case Name(name=name):
            return name in scope.locals and scope.locals[name].what != "track"
        case Member(of=Name(name=name)):
            return name in scope.locals
        case Call(name="lookup", args=args):
            return all(_stays(arg, scope) or not isinstance(arg, Name) for arg in args[1:])
        case Call() | Member():
            return False
    return not throws(expr) and all(_stays(part, scope) for part in parts(expr))


# --- single steps ----------------------------------------------------------------------------------------------


def _let(world: World, item: Let, scope: Scope) -> Scope:
    for name in item.names:
        want = Want("value", f"`{name.name}`")
        found = slot(world, name.formula, "step.let", scope.rule, scope, want)
        assert found is not None
        kept = found if found.broken else Meaning(["get", name.name], found.value, found.shown)
        scope = declare(world, scope, name.name, kept, name.span, "let")
    return scope


def _change(world: World, item: Change, scope: Scope) -> Scope:
    """`add`, `subtract`, `set`; what does not fit is never more than what was to be changed."""
    found: list[tuple[str, Numbers]] = []
    for ref, formula in item.tracks:
        changed = track_of(world, scope, ref, item.to)
        kind = "number" if changed is not None and not changed.span.whole else "whole"
        want = replace(wanted("step.amount", scope.rule), kind=kind, what=f"what `{ref}` changes by")
        amount = slot(world, formula, "step.amount", scope.rule, scope, want)
        if changed is None:
            scope = replace(scope, unsure=True)
        if changed is None or amount is None:
            continue
        over = NATURAL if kind == "whole" else Numbers(0, None, False)
        if item.verb != "set" and isinstance(amount.value, Numbers):
            over = Numbers(0, magnitude(amount.value).high, kind == "whole")
        found.append((changed.name, over))
    for name, over in found:
        scope = scope.changed(name, over)
    return scope


def _apply(world: World, item: Apply, scope: Scope) -> None:
    rules = rules_of(world, scope, item.ref, (Condition,), "apply")
    slot(world, item.for_, "step.for", scope.rule, scope)
    slot(world, item.level, "step.level", scope.rule, scope)
    bind_calling.given(world, scope, rules or (), item.with_, item.ref.span, complete=True)
    if item.until is not None:
        bind_calling.moment(world, scope, item.until, item.span)


def _remove(world: World, item: Remove, scope: Scope) -> None:
    kinds = (Condition,) if item.ref.chosen else STATE
    rules = rules_of(world, scope, item.ref, kinds, "remove")
    slot(world, item.level, "step.level", scope.rule, scope)
    bind_calling.given(world, scope, rules or (), item.with_, item.ref.span, complete=False)


def _when(world: World, item: When, outer: Scope, inner: Scope) -> Scope:
    """Branches, each knowing what the test says."""
    assert item.when is not None
    then = steps(world, item.then, inner)
    other = steps(world, item.otherwise, known(world, item.when, outer, False))
    return _rejoined(outer, [(item.then, then), (item.otherwise, other)])


def _rejoined(scope: Scope, branches: list[tuple[tuple[Step, ...], Scope]]) -> Scope:
    """Behind branches: what they changed has an overflow; if any changed something, that is forgotten."""
    overflow = dict(scope.overflow)
    for _, after in branches:
        for name, amount in after.overflow.items():
            before = overflow.get(name)
            joined = amount if before is None or before == amount else join(before, amount)
            overflow[name] = joined if isinstance(joined, Numbers) else amount
    scope = replace(scope, overflow=overflow)
    quiet = (Let, Say, Stop, Ask)
    return scope if all(isinstance(one, quiet) for items, _ in branches for one in items) else settled(scope)


def _repeat(world: World, item: Repeat, scope: Scope) -> None:
    want = replace(wanted("step.repeat", scope.rule), within=Numbers(0, None))
    found = slot(world, item.times, "step.repeat", scope.rule, scope, want)
    if found is not None and isinstance(found.value, Numbers):
        high = found.value.high
        if high is None or high > ROUNDS:
            text = item.times.text
            most = "has no upper limit" if high is None else f"can be {say(high)}"
            message = f"`repeat` goes {say(ROUNDS)} rounds at most, and `{text}` {most}"
            hint = f"write `min({text}, {ROUNDS})`, or less"
            world.error(scope.rule, "T518", message, item.times.span(), hint=hint)
    steps(world, item.do, settled(scope))


def _each_trait(world: World, item: EachTrait, scope: Scope) -> None:
    """Inside, `trait` has what every trait with the tag has."""
    tagged = [world.rules[rule_id] for rule_id in world.tags.get(item.tag, ())]
    traits = [rule for rule in tagged if isinstance(rule, Trait)]
    if not traits:
        known_tags = {tag for rule in world.rules.values() if isinstance(rule, Trait) for tag in rule.tags}
        world.word(scope.rule, "N411", "trait with the tag", item.tag, item.span, known_tags, "tag")
        return
    world.use(scope.rule, item.tag, item.span, "tag")
    shared: dict[str, Meaning] = {}
    for place, trait in enumerate(traits):
        own = own_names(world, trait)
        if not place:
            shared = own
        shared = {name: _either(shared[name], own[name]) for name in shared if name in own}
    fields = tuple((name, Meaning(["of", "trait", name], one.value, one.shown)) for name, one in shared.items())
    record = Record(f"any trait with the tag `{item.tag}`", fields)
    trait_name = Local("trait", Meaning(None, record, record), item.span, "trait")
    inner = replace(settled(scope).with_locals(trait_name), trait=item.tag)
    steps(world, item.do, inner)


def _either(a: Meaning, b: Meaning) -> Meaning:
    value, shown = join(a.value, b.value), join(a.shown, b.shown)
    return BROKEN if value is None or shown is None else Meaning(a.code, value, shown)


def _choose(world: World, item: Choose, scope: Scope) -> Scope:
    """Each option is a branch; which was taken can be asked behind it under the name of the choice."""
    branches: list[tuple[tuple[Step, ...], Scope]] = []
    for option in item.options:
        inner = scope
        if option.when is not None:
            slot(world, option.when, "step.when", scope.rule, scope)
            inner = known(world, option.when, scope, True)
        if option.text is not None:
            prose(world, option.text, scope)
        branches.append((option.steps, steps(world, option.steps, inner)))
    after = _rejoined(scope, branches)
    taken = Choices(frozenset(option.id for option in item.options))
    if item.name in after.locals or world.is_value(item.name):
        return after
    return after.with_locals(Local(item.name, Meaning(["get", item.name], taken, taken), item.span, "choice"))
