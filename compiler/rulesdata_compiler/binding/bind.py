"""Binding: what every name in every formula means, of which kind and in which range each value is, and its code.

In: a System. Out: `Bindings`, which every later stage reads: a `Bound` for each formula that is sound, the order of
derived values, and every use of one rule by another. The one rule: a mistake is one finding. A rule with a mistake and
whatever reads it have no bindings, are listed as broken, and are passed over from then on.

The way: the syntax trees tell what depends on what, so values are bound in that order and circles are told first.
Then rolls, since steps read their results; procedures, each after those it runs; and all the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ..diagnostics import Findings
from ..formulas.syntax import Expr
from ..model import Bands, Derived, Formula, Procedure, Roll, Run, System, Table
from . import graph as bind_graph
from . import kinds as bind_kinds
from .header import header
from .lookalikes import find_lookalikes
from .modifiers import Modifiers
from .order import Hop, find_order
from .sheet import Sheet
from .values import Code, Meaning, Value
from .world import SHEET, LocalName, Use, World, steps_of

__all__ = ["Bindings", "Bound", "LocalName", "Use", "bind"]


@dataclass(frozen=True, slots=True)
class Bound:
    """A formula that is sound. `value` is its range with all that modifiers can do, for checks; `shown` without, for
    people. `reads` are the stats, derived values, tracks, conditions and tables it names itself."""

    code: Code
    value: Value
    shown: Value
    reads: frozenset[str]
    expr: Expr


@dataclass(frozen=True, slots=True)
class Bindings:
    """What binding found. `of` knows formulas by identity; `values` are the ranges of the sheet's names.

    `order` lists the derived values, each after those it reads. `broken` are the rules that had a finding or read one
    that had; `names` are those made inside rules, with whether anything reads them.
    """

    of: Mapping[Formula, Bound]
    uses: tuple[Use, ...]
    order: tuple[str, ...]
    values: Mapping[str, Meaning]
    broken: frozenset[str]
    names: tuple[LocalName, ...]

    def refs(self, how: Collection[str] | None = None) -> dict[str, dict[str, Use]]:
        """For each rule the ids it uses, each with its first use; of all kinds of use, or of some."""
        found: dict[str, dict[str, Use]] = {}
        for use in self.uses:
            if how is None or use.how in how:
                found.setdefault(use.rule_id, {}).setdefault(use.target_id, use)
        return found


def bind(
    system: System, findings: Findings, broken: Collection[tuple[str, str]] = (), lost: Collection[str] = ()
) -> Bindings:
    """Bind a whole system. `broken` are rules (kind, id) that an earlier stage refused, `lost` words that they may have
    declared: who names them is not told again."""
    words = frozenset(lost)
    silent = {rule_id for _, rule_id in broken} | words
    world = World(system, findings, silent=silent - set(system.rules), lost=words)
    header(world)
    find_lookalikes(world)
    modifiers = Modifiers(world)
    order = bind_graph.order_of(world, modifiers)
    bind_graph.tell_circles(world, order)
    sheet = Sheet(world, modifiers, order.members)
    world.answers = sheet
    for rule_id in order.order:
        rule = world.rules.get(rule_id)
        if isinstance(rule, SHEET):
            sheet.value_of(rule_id)
        elif isinstance(rule, Table):
            sheet.cells(rule)
        elif isinstance(rule, Bands):
            bind_kinds.bands(world, rule)
    _rules(world)
    for slot in system.slots:
        bind_kinds.turn_slot(world, slot)
    return _bindings(world, sheet, order.order)


def _rules(world: World) -> None:
    """All rules: rolls, then what is carried (whose names steps read), then procedures in order, then the rest."""
    first = [rule for rule in world.rules.values() if isinstance(rule, Roll)]
    edges = {rule_id: _runs(world, rule) for rule_id, rule in world.rules.items() if isinstance(rule, Procedure)}
    order = [world.rules[rule_id] for rule_id in find_order(edges).order if rule_id in edges]
    last = [rule for rule in world.rules.values() if not isinstance(rule, Roll | Procedure)]
    for rule in (*first, *order, *last):
        bind_kinds.rule(world, rule)


def _runs(world: World, rule: Procedure) -> list[Hop]:
    """The procedures that a procedure runs itself."""
    return [
        Hop(rule.id, step.ref.name, step.ref.span, "")
        for step in steps_of(rule)
        if isinstance(step, Run) and isinstance(world.rules.get(step.ref.name), Procedure)
    ]


def _bindings(world: World, sheet: Sheet, order: tuple[str, ...]) -> Bindings:
    of: dict[Formula, Bound] = {}
    for formula, found in world.meanings.items():
        expr = world.trees.get(formula)
        if expr is not None and not found.broken:
            reads = frozenset(world.sites[formula].reads)
            of[formula] = Bound(found.code, found.value, found.shown, reads, expr)
    names = tuple(
        LocalName(rule_id, name, what, span, (rule_id, name, start) in world.read)
        for (rule_id, name, start), (what, span) in world.made.items()
    )
    derived = tuple(rule_id for rule_id in order if isinstance(world.rules.get(rule_id), Derived))
    values = {rule_id: found for rule_id, found in sheet.values.items() if not found.broken}
    return Bindings(of, tuple(world.uses), derived, values, frozenset(world.broken), names)
