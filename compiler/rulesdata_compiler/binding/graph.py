"""What depends on what, before anything is bound: the edges that `order.py` orders.

In: the syntax trees of all formulas that a value of the sheet can depend on. Out: edges from rule to rule, each with
the place of the reading. The one rule: an edge too many costs only order, an edge too few would hide a circle; so a
word counts as a read wherever it could be one, and right of `is`, as a choice and as a parameter it cannot.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..diagnostics import Note
from ..formulas.parse_limits import parts
from ..formulas.syntax import At, Call, Compare, Expr, Index, Member, Name
from ..model import AnyRule, Bands, Condition, Derived, Formula, Ref, Table, Track
from .lookup import key_specs
from .modifiers import Carried, Modifiers
from .order import Hop, Order, find_order
from .sheet import formulas_of_cells
from .world import LASTING, SHEET, World

Read = tuple[str, At]


def order_of(world: World, modifiers: Modifiers) -> Order:
    """The order of everything a sheet's values depend on."""
    edges: dict[str, list[Hop]] = {}
    for rule in world.rules.values():
        found = list(_edges(world, rule))
        if isinstance(rule, SHEET):
            for target in ("value", "track_max"):
                for carried in modifiers.of.get((target, rule.id), ()):
                    found.extend(_modifier_edges(world, rule, carried))
        if found or isinstance(rule, (*SHEET, Table, Bands)):
            edges[rule.id] = found
    _implied(world, edges)
    return find_order(edges)


def tell_circles(world: World, order: Order) -> None:
    """Report each circle once, every hop with its place."""
    for circle in order.circles:
        first = circle[0]
        way = " → ".join(f"`{edge.reader}`" for edge in circle) + f" → `{first.reader}`"
        tracks = [edge.reader for edge in circle if isinstance(world.rules.get(edge.reader), Track)]
        if len(circle) == 1:
            message = f"`{first.reader}` depends on itself"
        else:
            message = f"these values depend on each other in a circle: {way}"
        if tracks and len(circle) == 1:
            message = f"the limits of `{first.reader}` depend on `{first.reader}` itself"
        hint = "one of them must be worked out without the others"
        if tracks:
            hint = "a track's minimum, maximum and start may not depend on the track, not even by way of other values"
        notes = tuple(Note(edge.span, edge.text) for edge in circle) if len(circle) > 1 else ()
        world.error(first.reader, "T515", message, first.span, notes=notes, hint=hint)
    world.broken.update(order.members)


# --- edges -----------------------------------------------------------------------------------------------------


def _edges(world: World, rule: AnyRule) -> Iterator[Hop]:
    """What a rule's own formulas read, as far as values depend on them."""
    match rule:
        case Derived():
            formulas: list[Formula | None] = [rule.formula, rule.min, rule.max]
        case Track(min=low, max=high, start=start):
            formulas = [low, high, start]
        case Condition(while_=while_, max=most):
            formulas = [while_, most]
        case Table():
            formulas = [*formulas_of_cells(rule), *(row.when for row in rule.rows)]
        case Bands(bands=bands, measured=measured):
            formulas = [measured, *(part for band in bands for part in (band.distance, band.moves, band.within))]
        case _:
            return
    hidden = hidden_names(rule)
    for formula in formulas:
        for target, at in _reads(world, formula, rule.id, hidden):
            assert formula is not None
            yield Hop(rule.id, target, formula.span(*at), f"`{rule.id}` reads `{target}` here")


def _modifier_edges(world: World, rule: AnyRule, carried: Carried) -> Iterator[Hop]:
    """What a modifier of a value reads, and the condition that carries it, since that can come by itself."""
    modifier, carrier = carried.modifier, carried.rule
    hidden = hidden_names(carrier)
    formulas: list[Formula | None] = [modifier.when, modifier.at_least, modifier.at_most]
    formulas += [named.formula for verb in (modifier.set, modifier.add, modifier.multiply) for named in verb]
    for formula in formulas:
        for target, at in _reads(world, formula, carrier.id, hidden):
            assert formula is not None
            text = f"`{carrier.id}` changes `{rule.id}` and reads `{target}` here"
            if target != carrier.id:
                yield Hop(rule.id, target, formula.span(*at), text)
    if isinstance(carrier, Condition):
        yield Hop(rule.id, carrier.id, modifier.span, f"`{carrier.id}` changes `{rule.id}` here")


def _implied(world: World, edges: dict[str, list[Hop]]) -> None:
    """A condition that others bring or suspend depends on them."""
    for rule in world.rules.values():
        if not isinstance(rule, LASTING):
            continue
        refs: list[tuple[Ref, str]] = [(ref, "implies") for ref in rule.implies]
        refs += [(ref, "suspends") for ref in rule.suspends]
        if isinstance(rule, Condition):
            refs += [(ref, "implies") for level in rule.levels for ref in level.implies]
        for ref, verb in refs:
            if ref.name in world.rules and ref.name != rule.id:
                edge = Hop(ref.name, rule.id, ref.span, f"`{rule.id}` {verb} `{ref.name}` here")
                edges.setdefault(ref.name, []).append(edge)


def hidden_names(rule: AnyRule) -> frozenset[str]:
    """Names that mean something of the rule itself."""
    names = {spec.name for spec in getattr(rule, "params", ())}
    if isinstance(rule, LASTING):
        names.update(track.id for track in rule.tracks)
    if isinstance(rule, Table):
        names.update(spec.name for spec in rule.by)
        names.add("result")
    return frozenset(names)


def _reads(world: World, formula: Formula | None, rule: str, hidden: frozenset[str]) -> list[Read]:
    expr = world.expr(formula, rule) if formula is not None else None
    return [] if expr is None else list(reads(world, expr, hidden))


def reads(world: World, expr: Expr, hidden: frozenset[str]) -> Iterator[Read]:
    """The rules an expression reads, each with its place in the formula."""
    match expr:
        case Name(name=name, at=at):
            if name not in hidden and world.is_value(name):
                yield name, at
        case Index(name=family, key=key, at=at):
            yield from _family(world, family, key, at, hidden)
        case Member(of=of):
            if isinstance(of, Call):
                yield from reads(world, of, hidden)
        case Compare(operands=operands, operators=operators):
            words = [operator in ("is", "is not") for operator in operators]
            for place, operand in enumerate(operands):
                if not (place and words[place - 1] and isinstance(operand, Name)):
                    yield from reads(world, operand, hidden)
        case Call():
            yield from _call(world, expr, hidden)
        case _:
            for part in parts(expr):
                yield from reads(world, part, hidden)


def _family(world: World, family: str, key: Expr, at: At, hidden: frozenset[str]) -> Iterator[Read]:
    members = world.families.get(family, {})
    if isinstance(key, Name) and key.name in members:
        yield members[key.name], at
        return
    for rule_id in members.values():
        yield rule_id, at
    yield from reads(world, key, hidden)


def _call(world: World, call: Call, hidden: frozenset[str]) -> Iterator[Read]:
    first = call.args[0] if call.args else None
    values: tuple[Expr, ...] = (*call.args[1:], *(value for _, value in call.named))
    match call.name, first:
        case (("has" | "level" | "remaining"), Name(name=name, at=at)):
            if isinstance(world.rules.get(name), LASTING) and name not in hidden:
                yield name, at
        case (("has" | "level" | "remaining"), Index(name=family, key=key, at=at)):
            yield from _family(world, family, key, at, hidden)
        case "carried", Name(name=tag, at=at):
            for rule_id in world.tags.get(tag, ()):
                if isinstance(world.rules[rule_id], Condition):
                    yield rule_id, at
        case ("lookup", Name(name=name, at=at)) if isinstance(table := world.rules.get(name), Table):
            yield name, at
            specs = key_specs(table)
            choices = {place for place, spec in enumerate(specs) if spec.type not in ("int", "fraction")}
            values = tuple(
                value for place, value in enumerate(values) if not (place in choices and isinstance(value, Name))
            )
            for spec in specs[len(call.args) - 1 :]:
                if spec.name not in hidden and world.is_value(spec.name):
                    yield spec.name, at
        case (("band" | "distance" | "moves"), Name(name=name, at=at)):
            if isinstance(world.rules.get(name), Bands):
                yield name, at
            values = values if call.name == "band" else ()
        case (("option" | "elapsed" | "overflow" | "net" | "rolled"), _):
            values = ()
        case _:
            values = call.args
    for value in values:
        yield from reads(world, value, hidden)
