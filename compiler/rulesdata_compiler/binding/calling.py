"""Steps that call another rule: `roll`, `roll_on`, `run`, `spend`, and what is given to it.

In: the step and its scope. Out: the scope with the result under its name. The one rule: what is given must be what the
callee declares: every parameter known, each of its kind, none missing without a default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..model import AnyRule, Named, Procedure, Roll, RollOn, RollStep, Run, Spec, SpendStep, Table
from ..source import Span
from .lookup import or_none, plain_cell
from .refs import rules_of
from .scope import declare, rule_scope
from .scopes import Local, Scope
from .values import ANY, BROKEN, Maybe, Meaning, Numbers, Record, Value
from .walk import slot
from .world import World, a, named, pinpoint


def given(
    world: World,
    scope: Scope,
    rules: Iterable[AnyRule],
    with_: tuple[Named, ...],
    span: Span,
    *,
    complete: bool,
    specs: tuple[Spec, ...] | None = None,
    who: str = "",
) -> None:
    """Bind what is given to a rule, or to any of several, against its parameters."""
    targets: list[tuple[str, tuple[Spec, ...]]] = [(who, specs)] if specs is not None else []
    for rule in rules:
        targets.append((f"`{rule.id}`", getattr(rule, "params", ())))
        rule_scope(world, rule)  # binds the bounds of its parameters
    if not targets:
        for item in with_:
            slot(world, item.formula, "step.with", scope.rule, scope)
        return
    for who, params in targets:
        known = {spec.name: spec for spec in params}
        for item in with_:
            if item.name not in known:
                has = f"it takes {named(known, 'and')}" if known else "it takes none"
                hint = world.suggest(item.name, known) or has
                world.error(scope.rule, "N409", f"{who} has no parameter `{item.name}`", item.span, hint=hint)
                continue
            want = world.answers.want_of(known[item.name], f"the parameter `{item.name}` of {who}")
            slot(world, item.formula, "step.with", scope.rule, scope, want)
        if complete:
            _missing(world, scope, who, known, {item.name for item in with_}, span)


def _missing(world: World, scope: Scope, who: str, known: dict[str, Spec], said: set[str], span: Span) -> None:
    missing = [name for name, spec in known.items() if name not in said and spec.default is None]
    if len(said - known.keys()) >= len(missing):
        return  # given under names that are wrong, which has been told
    if missing:
        hint = f"give it under `with:`, as in `with: {{{missing[0]}: …}}`, or declare a `default`"
        verb = "is" if len(missing) == 1 else "are"
        together = " and ".join(f"`{name}`" for name in missing)
        world.error(scope.rule, "N410", f"{who} needs {together}, which {verb} not given", span, hint=hint)


def moment(world: World, scope: Scope, text: str, span: Span) -> None:
    """`end of guest turn`: its role and its unit of time."""
    # `decode.py` has seen to the words; `whose` and the unit are names.
    *_, role, unit = text.split()
    if role != "own" and role not in scope.roles:
        hint = world.suggest(role, [*scope.roles, "own"]) or "write `own` for whoever has it"
        world.error(scope.rule, "N408", f"there is no role `{role}` here", pinpoint(span, role), hint=hint)
    world.word(scope.rule, "N412", "unit of time", unit, span, world.units, "unit")


def keep(world: World, scope: Scope, name: str | None, rule: AnyRule, record: Record, span: Span) -> Scope:
    """The scope with a result under the name that `as` gives, else under the rule's own id."""
    found = Meaning(["get", name or rule.id], record, record)
    if name is None:
        return scope.with_locals(Local(rule.id, found, span, "result"))
    return declare(world, scope, name, found, pinpoint(span, name), "result")


def _keep_broken(world: World, scope: Scope, name: str | None, span: Span) -> Scope:
    return scope if name is None else scope.with_locals(Local(name, BROKEN, span, "result"))


def fields(base: str, found: Iterable[tuple[str, Meaning]]) -> tuple[tuple[str, Meaning], ...]:
    return tuple(
        (name, one if one.broken else Meaning(["field", base, name], one.value, one.shown)) for name, one in found
    )


# --- roll ------------------------------------------------------------------------------------------------------


def roll(world: World, item: RollStep, scope: Scope) -> Scope:
    rules = rules_of(world, scope, item.ref, (Roll,), "roll")
    given(world, scope, rules or (), item.with_, item.ref.span, complete=True)
    for tag in item.tags:
        world.use(scope.rule, tag, item.span, "adds_tag")
    if not rules or not isinstance(rules[0], Roll):
        return _keep_broken(world, scope, item.as_, item.span)
    rule = rules[0]
    results = fields(item.as_ or rule.id, results_of_roll(world, rule).items())
    return keep(world, scope, item.as_, rule, Record("the result of a roll", results), item.span)


def results_of_roll(world: World, rule: Roll) -> dict[str, Meaning]:
    """What a roll leaves: its results, and `total` and `value` where it has a value."""
    found = {item.name: world.meanings.get(item.formula, BROKEN) for item in rule.results}
    if rule.value is not None:
        value = world.meanings.get(rule.value, BROKEN)
        total = value if value.broken else Meaning(None, opened(world, rule, value.value), value.shown)
        found.update(total=total, value=total)
    return found


def opened(world: World, rule: Roll, value: Value) -> Value:
    """The value of a roll without bounds where modifiers add to it."""
    if isinstance(value, Numbers) and "value" in world.answers.changed(rule.id):
        return Numbers(None, None, value.whole, value.parts)
    return value


# --- roll_on ---------------------------------------------------------------------------------------------------


def roll_on(world: World, item: RollOn, scope: Scope) -> Scope:
    rules = rules_of(world, scope, item.ref, (Table,), "roll_on")
    slot(world, item.plus, "step.plus", scope.rule, scope)
    slot(world, item.at_most, "step.at_most", scope.rule, scope)
    given(world, scope, rules or (), item.with_, item.ref.span, complete=True)
    if not rules or not isinstance(rules[0], Table):
        return _keep_broken(world, scope, item.as_, item.span)
    table = rules[0]
    if table.form not in ("rolled", "weighted"):
        message = f"`{table.id}` is looked up, not rolled on"
        hint = f"read it with `lookup({table.id}, …)`, or give it a `roll`"
        world.error(scope.rule, "T519", message, item.ref.span, hint=hint)
    return keep(world, scope, item.as_, table, row_record(world, table, item.as_ or table.id), item.span)


def row_record(world: World, table: Table, base: str, *, at_hand: bool = False) -> Record:
    """What a row that was found leaves: its id, the number rolled, its columns. `at_hand` is a row that is there:
    for its own `again` and effect it is never none."""
    found: dict[str, Meaning] = {}
    row, total = plain_cell(table, "row"), Meaning(None, ANY, ANY)
    assert row is not None
    empty = not at_hand and (
        "none" in (table.below, table.above)
        or any(
            again is not None and again.when is not None for again in (table.again, *(one.again for one in table.rows))
        )
    )
    wrap: Callable[[Meaning], Meaning] = or_none if empty else lambda one: one
    found["row"] = wrap(row)
    found["total"] = total if table.form == "rolled" else wrap(total)
    for column, cell in world.answers.cells(table).items():
        found[column] = wrap(cell)
    for spec in table.columns:
        found.setdefault(spec.name, BROKEN)
    return Record("a row of a table", fields(base, found.items()))


# --- run, spend ------------------------------------------------------------------------------------------------


def run(world: World, item: Run, scope: Scope) -> Scope:
    rules = rules_of(world, scope, item.ref, (Procedure,), "run")
    slot(world, item.at_most, "step.at_most", scope.rule, scope)
    given(world, scope, rules or (), item.with_, item.ref.span, complete=True)
    if not rules or not isinstance(rules[0], Procedure):
        return _keep_broken(world, scope, item.as_, item.span)
    rule = rules[0]
    _pass_roles(world, item, rule, scope)
    if item.as_ is not None and any(result.formula not in world.meanings for result in rule.results):
        message = f"`{rule.id}` runs again from inside itself here, and its results are not known yet"
        hint = "leave out `as`, and keep what is needed in a track"
        world.error(scope.rule, "T515", message, item.ref.span, hint=hint)
        return _keep_broken(world, scope, item.as_, item.span)
    found = {result.name: world.meanings.get(result.formula, BROKEN) for result in rule.results}
    record = Record("the result of a procedure", fields(item.as_ or rule.id, found.items()))
    return keep(world, scope, item.as_, rule, record, item.span)


def _pass_roles(world: World, item: Run, rule: Procedure, scope: Scope) -> None:
    """`roles: {theirs: ours}`; each role of the callee must be somebody here."""
    theirs = [role for role, _ in rule.roles]
    said = dict(item.roles)
    hint: str | None = None
    for their, our in item.roles:
        if their not in theirs:
            hint = world.suggest(their, theirs) or (f"it has {named(theirs, 'and')}" if theirs else "it has no roles")
            world.error(scope.rule, "N408", f"`{rule.id}` has no role `{their}`", pinpoint(item.span, their), hint=hint)
        if our not in scope.roles:
            hint = world.suggest(our, scope.roles)
            world.error(scope.rule, "N408", f"there is no role `{our}` here", pinpoint(item.span, our), hint=hint)
    missing = [role for place, role in enumerate(theirs) if place and role not in said and role not in scope.roles]
    if missing:
        message = f"`{rule.id}` needs somebody in the role {named(missing)}"
        hint = f"write `roles: {{{missing[0]}: …}}` with {a('role')} of this rule"
        world.error(scope.rule, "N408", message, item.ref.span, hint=hint)


def spend(world: World, item: SpendStep, scope: Scope) -> None:
    """`spend: context`, with what the spends of that context take."""
    if not world.word(scope.rule, "N403", "spend with the context", item.context, item.span, world.contexts, "spend"):
        return
    spends = world.contexts[item.context]
    merged: dict[str, Spec] = {}
    for rule in spends:
        rule_scope(world, rule)
        for spec in rule.params:
            merged.setdefault(spec.name, spec)
    given(
        world,
        scope,
        (),
        item.with_,
        item.span,
        complete=bool(merged),
        specs=tuple(merged.values()),
        who=f"a spend of `{item.context}`",
    )
    if item.of is not None:
        local = scope.locals.get(item.of)
        if local is None or not isinstance(local.meaning.value, Record):
            rolls = [name for name, one in scope.locals.items() if isinstance(one.meaning.value, Record | Maybe)]
            hint = world.suggest(item.of, rolls)
            message = f"there is no roll `{item.of}` here whose symbols could be spent"
            world.error(scope.rule, "N408", message, pinpoint(item.span, item.of), hint=hint)
        else:
            world.read.add((scope.rule, item.of, local.span.start))
