"""Each kind of rule: which formulas and references it has, and in which scope they stand.

In: a rule. Out: all its formulas bound, all its references checked. The one rule: written order is the order of
names; a let or result sees its elder brothers, and nobody else's.
"""

from __future__ import annotations

from dataclasses import replace

from ..model import (
    Action,
    Again,
    AnyRule,
    Bands,
    Derived,
    Die,
    Named,
    Option,
    Procedure,
    Ref,
    Roll,
    Row,
    Slot,
    Spend,
    Stat,
    Table,
    Track,
)
from .calling import opened, row_record
from .lasting import lasting, modifiers_on, requirements, tick
from .names import own_names
from .prose import prose
from .ranges import hull, plus
from .refs import rules_of
from .scope import declare, rule_scope, track_want
from .scopes import Local, Scope, Want
from .sheet import row_scope, table_scope
from .steps import steps
from .values import BROKEN, NATURAL, Meaning, Numbers, Pool, point
from .walk import slot, wanted
from .world import LASTING, World, pinpoint

LEAST_WORDS = frozenset(("first", "last", "none"))


def rule(world: World, item: AnyRule) -> None:
    """Bind one rule."""
    scope = rule_scope(world, item)
    _common(world, item, scope)
    match item:
        case Stat() | Option():
            world.answers.spec_value(item.spec, item.id)
        case Derived():
            world.answers.value_of(item.id)
        case Track():
            _track(world, item, scope)
        case Die():
            _die(world, item)
        case Roll():
            roll(world, item)
        case Table():
            _table(world, item)
        case Spend():
            _spend(world, item, scope)
        case Bands():
            bands(world, item)
        case Action():
            _action(world, item, scope)
        case Procedure():
            procedure(world, item)
        case _:
            assert isinstance(item, LASTING)
            own_names(world, item)
            lasting(world, item, scope)


def _common(world: World, item: AnyRule, scope: Scope) -> None:
    """What every rule can have: texts, a source, the option it belongs to."""
    plain = scope
    if isinstance(item, Table):
        plain = table_scope(world, item)
    prose(world, item.text, plain)
    prose(world, item.ruling, plain)
    sources = {source for source, _ in world.system.header.sources}
    for source in item.source:
        world.word(item.id, "N414", "source", source.id, source.span, sources, "source")
    if item.option is not None:
        slot(world, item.option, "option", item.id, replace(scope, switches=True))


# --- tracks, dice ----------------------------------------------------------------------------------------------


def _track(world: World, item: Track, scope: Scope) -> None:
    world.answers.value_of(item.id)
    slot(world, item.start, "track.start", item.id, scope, track_want(item, "track.start"))
    for reset in item.resets:
        for each in reset.each:
            tick(world, item.id, each, reset.span)
        slot(world, reset.to, "track.reset", item.id, scope, track_want(item, "track.reset"))
    if isinstance(item.over, Ref):
        rules_of(world, scope, item.over, (Track,), "change")


def _die(world: World, item: Die) -> None:
    for face in item.faces:
        for symbol in face:
            world.word(item.id, "N413", "symbol", symbol, item.span, world.symbols, "symbol")
    if item.upgrades_to is not None:
        dice = {rule_id for rule_id, other in world.rules.items() if isinstance(other, Die)}
        world.word(item.id, "N413", "die", item.upgrades_to, item.span, dice, "die")


# --- rolls -----------------------------------------------------------------------------------------------------


def roll(world: World, item: Roll) -> None:
    """Parameters, lets, pool, value, results, ranking: each sees those before it."""
    scope = rule_scope(world, item)
    if item.like is not None:  # what it takes over was written out by `decode.py`
        world.use(item.id, item.like, pinpoint(item.span, item.like), "like")
    scope = _lets(world, item.let, scope, "roll.let")
    pool = _pool(world, item, scope)
    if pool is not None:
        scope = scope.with_locals(Local("pool", pool, item.span, "pool"))
    if item.value is not None:
        found = slot(world, item.value, "roll.value", item.id, scope)
        assert found is not None
        value = opened(world, item, found.value)
        scope = scope.with_locals(Local("value", Meaning(["get", "value"], value, found.shown), item.span, "value"))
    for result in item.results:
        found = slot(world, result.formula, "roll.result", item.id, scope)
        assert found is not None
        scope = _declared(world, scope, result, found, "result")
        world.read.add((scope.rule, result.name, result.span.start))
    if item.ranking is not None:
        for formula in item.ranking.by:
            slot(world, formula, "roll.ranking", item.id, scope)


def _lets(world: World, lets: tuple[Named, ...], scope: Scope, place: str) -> Scope:
    for let in lets:
        found = slot(world, let.formula, place, scope.rule, scope, Want("value", f"`{let.name}`"))
        assert found is not None
        scope = _declared(world, scope, let, found, "let")
    return scope


def _declared(world: World, scope: Scope, item: Named, found: Meaning, what: str) -> Scope:
    if what == "result" and item.name in ("total", "dice", "row"):
        message = f"`{item.name}` is what every result has, and cannot name one"
        world.error(scope.rule, "N418", message, item.span, hint="choose another name")
    kept = found if found.broken else Meaning(["get", item.name], found.value, found.shown)
    return declare(world, scope, item.name, kept, item.span, what)


def _pool(world: World, item: Roll, scope: Scope) -> Meaning | None:
    """Custom dice; upgrades can add dice, and modifiers any number."""
    count: Numbers | None = None
    dice: set[str] = set()
    broken = False
    for verb in (item.pool, item.upgrade, item.downgrade):
        for named in verb:
            die = world.rule_named(scope, named.name, named.span, (Die,), "die")
            want = replace(
                wanted("roll.pool", scope.rule), within=Numbers(0, None), what=f"the number of `{named.name}`"
            )
            found = slot(world, named.formula, "roll.pool", scope.rule, scope, want)
            if die is None or found is None or not isinstance(found.shown, Numbers):
                broken = True
                continue
            dice |= _better(world, named.name)
            if verb is not item.downgrade:
                start = count or point(0)
                more = found.shown if verb is item.pool else hull(point(0), found.shown)
                count = plus(start, more)
    if broken or count is None:
        return BROKEN if broken else None
    shown = Pool(count, count, point(0), dice=frozenset(dice))
    every = frozenset(rule_id for rule_id, other in world.rules.items() if isinstance(other, Die))
    changed = world.answers.changed(scope.rule) & every
    value = Pool(NATURAL, NATURAL, point(0), dice=every) if changed else shown
    return Meaning(["get", "pool"], value, shown)


def _better(world: World, name: str) -> set[str]:
    """A die and all that it can be upgraded to or downgraded from."""
    found = {name}
    while True:
        more = set(found)
        for rule_id, other in world.rules.items():
            if isinstance(other, Die) and other.upgrades_to is not None and {rule_id, other.upgrades_to} & found:
                more |= {rule_id, other.upgrades_to}
        if more == found:
            return found
        found = more


# --- tables ----------------------------------------------------------------------------------------------------


def _table(world: World, item: Table) -> None:
    scope = rule_scope(world, item)
    slot(world, item.roll, "table.roll", item.id, scope)
    for spec in item.columns:
        world.answers.spec_value(spec, item.id)
    inner = table_scope(world, item)
    world.answers.cells(item)
    record = row_record(world, item, "row", at_hand=True)
    with_row = inner.with_locals(Local("row", Meaning(["get", "row"], record, record), item.span, "row"))
    for row in item.rows:
        _row(world, item, row, row_scope(world, inner, item, row), row_scope(world, with_row, item, row))
    _again(world, item, item.again, with_row)
    for word in (item.below, item.above):
        if word is not None and word not in LEAST_WORDS:
            _row_id(world, item, word)


def _row(world: World, item: Table, row: Row, scope: Scope, with_row: Scope) -> None:
    slot(world, row.weight, "row.weight", item.id, scope)
    slot(world, row.when, "row.when", item.id, scope)
    if row.option is not None:
        slot(world, row.option, "option", item.id, replace(scope, switches=True))
    prose(world, row.text, scope)
    prose(world, row.ruling, scope)
    sources = {source for source, _ in world.system.header.sources}
    for source in row.source:
        world.word(item.id, "N414", "source", source.id, source.span, sources, "source")
    steps(world, row.effect, with_row)
    _again(world, item, row.again, with_row)


def _again(world: World, item: Table, again: Again | None, scope: Scope) -> None:
    if again is None:
        return
    slot(world, again.times, "again.times", item.id, scope)
    slot(world, again.when, "again.when", item.id, scope)
    slot(world, again.at_most, "again.at_most", item.id, scope)
    if again.then not in (None, "none"):
        assert again.then is not None
        _row_id(world, item, again.then)


def _row_id(world: World, item: Table, word: str) -> None:
    world.word(item.id, "N403", "row", word, item.span, {row.id for row in item.rows}, "row")


# --- spends, bands, turns --------------------------------------------------------------------------------------


def _spend(world: World, item: Spend, scope: Scope) -> None:
    for price in item.cost:
        for named in price:
            world.word(item.id, "N413", "symbol", named.name, named.span, world.symbols, "symbol")
            slot(world, named.formula, "spend.cost", item.id, scope)
    slot(world, item.when, "spend.when", item.id, scope)
    slot(world, item.limit, "spend.limit", item.id, scope)
    sheets(world, item.id, item.roles, item)
    steps(world, item.effect, scope)


def bands(world: World, item: Bands) -> None:
    scope = rule_scope(world, item)
    slot(world, item.measured, "bands.measured", item.id, scope)
    for band in item.bands:
        slot(world, band.distance, "band.distance", item.id, scope)
        slot(world, band.moves, "band.moves", item.id, scope)
        slot(world, band.within, "band.within", item.id, scope)
        prose(world, band.text, scope)


def _action(world: World, item: Action, scope: Scope) -> None:
    for name, cost in item.slots:
        world.word(item.id, "N413", "slot", name, item.span, world.slots, "slot")
        slot(world, cost, "action.cost", item.id, scope)
    sheets(world, item.id, item.roles, item)
    scope = requirements(world, item.requires, "action.requires", scope)
    modifiers_on(world, item)
    steps(world, item.effect, scope)


def procedure(world: World, item: Procedure) -> None:
    """Steps, then results, which see every name of the steps."""
    scope = rule_scope(world, item)
    sheets(world, item.id, item.roles, item)
    scope = steps(world, item.steps, requirements(world, item.requires, "procedure.requires", scope))
    for result in item.results:
        found = slot(world, result.formula, "procedure.result", item.id, scope)
        assert found is not None
        if result.formula.text.strip() != result.name:  # else it hands on what the name means anyway
            scope = _declared(world, scope, result, found, "result")
            world.read.add((scope.rule, result.name, result.span.start))


def sheets(world: World, rule_id: str, roles: tuple[tuple[str, str], ...], item: AnyRule) -> None:
    for _, kind in roles:
        if kind:
            world.word(rule_id, "N403", "kind of sheet", kind, item.span, world.sheets, "sheet")


def turn_slot(world: World, item: Slot) -> None:
    """A slot of the turn: how many uses, and how further ones are bought."""
    scope = Scope(item.id)
    world.word(item.id, "N412", "unit of time", item.each, item.span, world.units | world.events, "unit")
    slot(world, item.free, "slot.free", item.id, scope)
    slot(world, item.cap, "slot.cap", item.id, scope)
    prose(world, item.text, scope)
    for more in item.more:
        slot(world, more.when, "more.when", item.id, scope)
        if more.slot is not None:
            world.word(item.id, "N413", "slot", more.slot, more.span, world.slots, "slot")
        steps(world, more.steps, scope)
