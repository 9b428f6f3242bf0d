"""What the values of a sheet can be: stats, derived values, tracks, and what tables and bands give.

In: the rules, in an order in which each comes after what it reads. Out: for each its range, with modifiers for checks
and without for people. The one rule: what stands in a circle has no value, and nobody who reads it is told again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..formulas.syntax import Name
from ..model import AnyRule, Bands, Condition, Derived, Formula, Interval, Row, Spec, Stat, Table, Track
from .compare import throws
from .lookup import key_specs
from .modifiers import Modifiers
from .numbers import held
from .ranges import ROUNDINGS, each_end, hull, join
from .scope import own_track, rule_scope, spec_meaning, track_span, track_want, want_for
from .scopes import Local, Narrowed, Scope, Want
from .values import ANY, BROKEN, NATURAL, Choices, Ids, Meaning, Nones, Numbers, Texts, Value
from .walk import slot
from .world import World, switched

FIXED = "what a sheet can hold is the same for every character"


@dataclass(slots=True)
class Sheet:
    """Values of the sheet by name, and cells by table. `circles` are the ids that depend on themselves."""

    world: World
    modifiers: Modifiers
    circles: frozenset[str] = frozenset()
    values: dict[str, Meaning] = field(default_factory=dict)
    tables: dict[str, dict[str, Meaning]] = field(default_factory=dict)
    tables_with_dice: set[str] = field(default_factory=set)
    doing: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for rule in self.world.rules.values():
            if isinstance(rule, Table) and any(self._throws(cell, rule.id) for cell in formulas_of_cells(rule)):
                self.tables_with_dice.add(rule.id)

    def _throws(self, formula: Formula, rule: str) -> bool:
        expr = self.world.expr(formula, rule)
        return expr is not None and throws(expr)

    # --- values ------------------------------------------------------------------------------------------------

    def value_of(self, name: str) -> Meaning:
        """A stat, derived value or track."""
        if name in self.circles or name in self.doing:
            return BROKEN
        if name not in self.values:
            self.doing.add(name)
            found = self._find(self.world.rules[name])
            same = found.value == found.shown  # one object then: what reads it works its range out once
            self.values[name] = Meaning(found.code, found.shown, found.shown) if same else found
            self.doing.discard(name)
        return self.values[name]

    def _find(self, rule: AnyRule) -> Meaning:
        match rule:
            case Stat():
                return self._stat(rule)
            case Derived():
                return self._derived(rule)
            case Track():
                return self._track(rule)
        raise TypeError(type(rule).__name__)

    def _stat(self, rule: Stat) -> Meaning:
        scope = replace(rule_scope(self.world, rule), constant=FIXED)
        found = spec_meaning(self.world, rule.spec, scope)
        if found.broken:
            return BROKEN
        value = self.modifiers.applied("value", rule.id, found.value)
        return Meaning(["get", rule.id], value, found.shown)

    def _derived(self, rule: Derived) -> Meaning:
        world, scope = self.world, rule_scope(self.world, rule)
        found = slot(world, rule.formula, "derived.formula", rule.id, scope)
        low = slot(world, rule.min, "derived.min", rule.id, scope)
        high = slot(world, rule.max, "derived.max", rule.id, scope)
        assert found is not None
        if found.broken or any(bound is not None and bound.broken for bound in (low, high)):
            return BROKEN
        if not isinstance(found.value, Numbers) or not isinstance(found.shown, Numbers):
            return Meaning(["get", rule.id], found.value, found.shown)
        # The limits hold what modifiers make of the value, not only the formula.
        value = self.modifiers.applied("value", rule.id, found.value, rule.round)
        shown = found.shown
        assert isinstance(value, Numbers)
        if rule.round in ROUNDINGS:
            value, shown = (each_end(one, ROUNDINGS[rule.round]) for one in (value, shown))
        return Meaning(["get", rule.id], *held(Meaning(None, value, shown), low, high))

    def _track(self, rule: Track) -> Meaning:
        world, scope = self.world, rule_scope(self.world, rule)
        low = slot(world, rule.min, "track.min", rule.id, scope, track_want(rule, "track.min"))
        high = slot(world, rule.max, "track.max", rule.id, scope, track_want(rule, "track.max"))
        if any(bound is not None and bound.broken for bound in (low, high)):
            return BROKEN
        if low is not None and high is not None and _crossed(low.shown, high.shown):
            assert rule.max is not None
            message = f"`{rule.id}` has a maximum of {high.shown} and a minimum of {low.shown}"
            world.error(rule.id, "T513", message, rule.max.span())
            return BROKEN
        if high is not None:
            high = Meaning(high.code, self.modifiers.applied("track_max", rule.id, high.value), high.shown)
        return Meaning(["get", rule.id], *track_span(rule, low, high))

    # --- specs -------------------------------------------------------------------------------------------------

    def spec_value(self, spec: Spec, rule: str) -> Meaning:
        """What a parameter of a rule can be."""
        if id(spec) not in self.world.specs:
            rule_scope(self.world, self.world.rules[rule])
        if id(spec) not in self.world.specs:
            scope = Scope(rule, constant=FIXED, options=frozenset())
            return spec_meaning(self.world, spec, scope)
        return self.world.specs[id(spec)]

    def want_of(self, spec: Spec, what: str) -> Want:
        found = self.world.specs.get(id(spec))
        if found is None:
            found = spec_meaning(self.world, spec, Scope("", constant=FIXED))
        return want_for(spec, found, what)

    def own_track(self, rule: str, track: Track) -> Meaning:
        return own_track(self.world, rule_scope(self.world, self.world.rules[rule]), track)

    # --- tables ------------------------------------------------------------------------------------------------

    def cells(self, table: Table) -> dict[str, Meaning]:
        """What each column can give, over all rows."""
        if table.id in self.circles:
            return {}
        if table.id not in self.tables:
            self.tables[table.id] = {}
            scope = table_scope(self.world, table)
            specs = {spec.name: spec for spec in table.columns}
            found: dict[str, Meaning] = {}
            for row in table.rows:
                inner = row_scope(self.world, scope, table, row)
                pairs = [*row.cells, *(("value", cell) for _, cell, _ in row.second)]
                for column, cell in pairs:
                    one = self._cell(table, row, specs.get(column), column, cell, inner)
                    found[column] = one if column not in found else _joined(found[column], one)
            self.tables[table.id] = found
        return self.tables[table.id]

    def _cell(
        self, table: Table, row: Row, spec: Spec | None, column: str, cell: Formula | str | None, scope: Scope
    ) -> Meaning:
        world, what = self.world, f"the column `{column}` of `{table.id}`"
        if cell is None:
            return Meaning(None, Nones(), Nones())
        if spec is not None:
            spec_meaning(world, spec, replace(rule_scope(world, table), constant=FIXED))
        want = self.want_of(spec, what) if spec is not None else Want("scalar", what)
        if isinstance(cell, Formula):
            found = slot(world, cell, "row.cell", table.id, scope, replace(want, none=True))
            assert found is not None
            return found
        if want.kind in ("choice", "id") and want.options is not None:
            code = "N405" if want.kind == "choice" else "N403"
            kind = f"choice of {what}" if want.kind == "choice" else want.of
            if not world.word(table.id, code, kind, cell, row.span, want.options, "choice"):
                return BROKEN
            word = frozenset((cell,))
            value: Value = Choices(word) if want.kind == "choice" else Ids(want.of, word)
            return Meaning(cell, value, value)
        return Meaning(cell, Texts(), Texts())

    # --- bands, conditions -------------------------------------------------------------------------------------

    def moves(self, bands: Bands) -> Numbers:
        """The most moves from one band to another."""
        total: Numbers = Numbers(0, 0)
        for band in bands.bands:
            for formula in (band.moves, band.within):
                found = self.world.meanings.get(formula) if formula is not None else None
                if found is not None and isinstance(found.value, Numbers):
                    high = found.value.high
                    total = Numbers(0, None if total.high is None or high is None else total.high + high)
        return total

    def level(self, condition: str) -> int | None:
        """The highest level of a condition; None where it has no end."""
        rule = self.world.rules[condition]
        if not isinstance(rule, Condition) or rule.stacking != "levels":
            return 1
        if rule.max is None:
            return max((level.number for level in rule.levels), default=0) or None
        found = slot(self.world, rule.max, "condition.max", rule.id, rule_scope(self.world, rule))
        value = found.value if found is not None else None
        return int(value.high) if isinstance(value, Numbers) and value.high is not None else None

    def changed(self, roll: str) -> frozenset[str]:
        """What modifiers change of a roll: `value`, custom dice, parameters."""
        return frozenset(self.modifiers.of_rolls.get(roll, ()))


def formulas_of_cells(table: Table) -> list[Formula]:
    cells = [cell for row in table.rows for _, cell in row.cells]
    cells += [cell for row in table.rows for _, cell, _ in row.second]
    return [cell for cell in cells if isinstance(cell, Formula)]


def _crossed(low: Value, high: Value) -> bool:
    return (
        isinstance(low, Numbers)
        and isinstance(high, Numbers)
        and low.low is not None
        and high.high is not None
        and low.low > high.high
    )


def _joined(a: Meaning, b: Meaning) -> Meaning:
    value, shown = join(a.value, b.value), join(a.shown, b.shown)
    return BROKEN if value is None or shown is None else Meaning(None, value, shown)


def table_scope(world: World, table: Table) -> Scope:
    """The scope of a table's rows: parameters, keys, and the number that was rolled, which modifiers can change."""
    scope = rule_scope(world, table)
    if table.form in ("rolled", "weighted") and "result" not in scope.locals:
        found = Meaning(["get", "result"], NATURAL if table.form == "weighted" else ANY, ANY)
        scope = scope.with_locals(Local("result", found, table.span, "result"))
    return scope


def row_scope(world: World, scope: Scope, table: Table, row: Row) -> Scope:
    """Inside a row its first key lies where the row stands, and the row's option is on."""
    if row.option is not None and (expr := world.expr(row.option, table.id)) is not None:
        scope = replace(scope, options=scope.options | switched(expr, bare=True))
    specs = key_specs(table)
    if not row.at or not specs or specs[0].name not in scope.locals:
        return scope
    words = frozenset(at for at in row.at if isinstance(at, str))
    bounds: Numbers | None = None
    for at in row.at:
        if isinstance(at, Interval):
            span = Numbers(at.low, at.high)
            bounds = span if bounds is None else hull(bounds, span)
    said = Narrowed(options=words) if words else Narrowed(bounds=bounds)
    return replace(scope, narrowed={**scope.narrowed, Name(specs[0].name): said})
