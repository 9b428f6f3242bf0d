"""Rolled tables: every result has a row, every row a result, and no result two rows.

In: a table whose rows are found by a roll. Out: at most one finding for missing results, one for each roll that goes
further with `plus`, one a row that overlaps or that no roll can reach. The one rule: what can come is the reach of
the roll with all that modifies it, never that of the printed dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from .. import model
from ..binding.bind import Bound
from ..binding.values import Numbers
from ..binding.world import steps_of
from ..diagnostics import Findings, Note
from ..source import Span
from .cycles import targets
from .intervals import Run, common, listed, merge, of_numbers, them, told, without
from .names import Names
from .tables import Rows, in_force

PAIRS = 2_000  # sums tried of a roll and what a step adds


@dataclass(frozen=True, slots=True)
class Reached:
    """`sure` can come; `maybe` cannot be ruled out. Together they hold all that can."""

    sure: tuple[Run, ...]
    maybe: tuple[Run, ...] = ()

    @property
    def all(self) -> list[Run]:
        return merge([*self.sure, *self.maybe])


def check_rolled_tables(names: Names, findings: Findings) -> None:
    """Every rolled table, with all that steps add to a roll on it."""
    further: dict[str, list[tuple[model.AnyRule, model.Formula]]] = {}
    rolling = {use.rule_id for use in names.bindings.uses if use.how == "roll_on"}
    for rule_id in sorted(rolling & names.system.rules.keys()):
        rule = names.system.rules[rule_id]
        for step in steps_of(rule):
            if isinstance(step, model.RollOn) and step.plus is not None:
                for target in targets(names.system, step.ref):
                    further.setdefault(target, []).append((rule, step.plus))
    for rule in names.system.rules.values():
        if isinstance(rule, model.Table) and rule.form == "rolled":
            _check_table(rule, further.get(rule.id, []), names, findings)


def _check_table(
    table: model.Table, further: list[tuple[model.AnyRule, model.Formula]], names: Names, findings: Findings
) -> None:
    bound = names.bound(table.roll)
    if bound is None or table.roll is None or not isinstance(bound.value, Numbers) or not table.rows:
        return
    plain = reached(bound, bound.value, table.params, names)
    more = [
        (plus, found) for rule, plus in further if (found := _with_plus(rule, plus, bound, plain, names)) is not None
    ]
    everything = merge([*plain.all, *(run for _, found in more for run in found.all)])
    before: list[Run] = []
    for rows in in_force(table, names):
        covered = cover(table, rows.rows)
        missing = without(plain.all, covered)
        if missing and missing != before:
            _tell_missing(rows, plain, covered, table.roll.span(), findings)
            before = missing
        for formula, found in more:
            if without(without(found.all, covered), missing):
                rest = Reached(tuple(without(found.sure, missing)), tuple(without(found.maybe, missing)))
                note = Note(table.span, f"`{table.id}` is declared here")
                _tell_missing(rows, rest, covered, formula.span(), findings, note)
        if not table.overlap:
            check_overlaps(rows, everything, findings)
    for row in table.rows:
        _check_reachable(row, everything, findings)


# --- what can come -----------------------------------------------------------------------------------------------


def reached(bound: Bound, value: Numbers, params: Sequence[model.Spec], names: Names) -> Reached:
    """The results of a roll; by bounds where they cannot be enumerated."""
    outcomes = names.reach(bound.code, params)
    numbers = [] if outcomes is None else [int(number) for number in outcomes.numbers()]
    if outcomes is None or not numbers:
        return Reached((), ((_int(value.low), _int(value.high)),))
    runs = tuple(of_numbers(numbers))
    if not outcomes.complete:
        ends = without([(_int(value.low), _int(value.high))], [(numbers[0], numbers[-1])])
        inner = without([(numbers[0], numbers[-1])], runs)
        opened = tuple(run for run in ends if None in run)
        closed = tuple(run for run in ends if None not in run)
        if outcomes.certain:
            return Reached(tuple(merge([*runs, *opened])), tuple(merge([*inner, *closed])) if closed else ())
        return Reached((), tuple(merge([*runs, *ends, *inner])))
    return Reached(runs) if outcomes.certain else Reached((), runs)


def _with_plus(
    rule: model.AnyRule, formula: model.Formula, bound: Bound, plain: Reached, names: Names
) -> Reached | None:
    """What a `roll_on` with `plus` can give."""
    plus = names.bound(formula)
    if plus is None or not isinstance(plus.value, Numbers):
        return None
    added = reached(plus, plus.value, getattr(rule, "params", ()), names)
    return _sums(plain, added, tied=bool(plus.reads & bound.reads))


def _sums(first: Reached, second: Reached, tied: bool) -> Reached:
    """Every sum of one and the other."""
    pairs = len(first.all) * len(second.all)
    if pairs > PAIRS:
        return Reached((), ((_sum(first.all[0][0], second.all[0][0]), _sum(first.all[-1][1], second.all[-1][1])),))
    sure = merge(_added(first.sure, second.sure))
    every = merge(_added(first.all, second.all))
    return Reached((), tuple(every)) if tied else Reached(tuple(sure), tuple(without(every, sure)))


def _added(first: Iterable[Run], second: Sequence[Run]) -> list[Run]:
    return [(_sum(a[0], b[0]), _sum(a[1], b[1])) for a in first for b in second]


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _int(end: object) -> int | None:
    return end if isinstance(end, int) else None


# --- rows --------------------------------------------------------------------------------------------------------


def runs_of(row: model.Row) -> list[Run]:
    """The numbers a row stands for."""
    return merge((at.low, at.high) for at in row.at or () if isinstance(at, model.Interval))


def cover(table: model.Table, rows: Iterable[model.Row]) -> list[Run]:
    """What rows and `outside` cover."""
    return with_outside(table, merge(run for row in rows for run in runs_of(row)))


def with_outside(table: model.Table, covered: list[Run]) -> list[Run]:
    """Covered numbers, and what the table says of those below and above."""
    if not covered:
        return covered
    low, high = covered[0][0], covered[-1][1]
    if table.below is not None and low is not None:
        covered = merge([(None, low - 1), *covered])
    if table.above is not None and high is not None:
        covered = merge([*covered, (high + 1, None)])
    return covered


def check_overlaps(rows: Rows, within: Sequence[Run] | None, findings: Findings) -> None:
    """No number under two rows; only numbers `within` count. Rows are told by those written before them."""
    places = {id(row): place for place, row in enumerate(rows.rows)}
    clashes: dict[int, dict[int, list[Run]]] = {}
    open_: list[tuple[Run, model.Row]] = []
    for run, row in sorted(_all_runs(rows.rows), key=lambda one: (one[0][0] is not None, one[0][0] or 0)):
        open_ = [(other, its) for other, its in open_ if other[1] is None or run[0] is None or other[1] >= run[0]]
        for other, its in open_:
            both = common([run], [other])
            if its is not row and (within is None or (both := common(both, within))):
                first, second = sorted((places[id(row)], places[id(its)]))
                clashes.setdefault(second, {}).setdefault(first, []).extend(both)
        open_.append((run, row))
    for place in sorted(clashes):
        found = [(rows.rows[first], merge(both)) for first, both in sorted(clashes[place].items())]
        _tell_overlap(rows, rows.rows[place], found, findings)


def _all_runs(rows: Iterable[model.Row]) -> list[tuple[Run, model.Row]]:
    return [(run, row) for row in rows for run in runs_of(row)]


def _tell_overlap(rows: Rows, row: model.Row, clashes: list[tuple[model.Row, list[Run]]], findings: Findings) -> None:
    others = ", ".join(f"`{other.id}`" for other, _ in clashes[:-1])
    named = f"{others} and `{clashes[-1][0].id}`" if others else f"`{clashes[-1][0].id}`"
    both = merge(run for _, found in clashes for run in found)
    findings.add(
        "R602",
        rows.said(f"row `{row.id}` covers {listed(both)}, which {named} {'cover' if others else 'covers'} too"),
        row.at_span or row.span,
        notes=tuple(
            Note(other.at_span or other.span, f"`{other.id}` covers {listed(runs_of(other))}") for other, _ in clashes
        ),
        hint="move the border between them, or say `overlap: all` on the table if each of them applies",
    )


def _check_reachable(row: model.Row, everything: Sequence[Run], findings: Findings) -> None:
    mine = runs_of(row)
    if mine and not common(mine, everything):
        findings.add(
            "R603",
            f"no roll can reach row `{row.id}` ({listed(mine)}): the roll gives {said(everything)}",
            row.at_span or row.span,
            hint="`at: none` keeps a row that is only named and never rolled",
        )


def said(runs: Sequence[Run]) -> str:
    """What a roll gives, in words: its runs where they are few, its ends where they are many."""
    shown = runs if len(runs) <= 3 else [(runs[0][0], runs[-1][1])]
    return told(shown).replace("-", " to ") if all(run[0] is None or run[0] >= 0 for run in shown) else told(shown)


# --- missing -----------------------------------------------------------------------------------------------------


def _tell_missing(
    rows: Rows,
    found: Reached,
    covered: Sequence[Run],
    span: Span,
    findings: Findings,
    note: Note | None = None,
) -> None:
    sure, maybe = without(found.sure, covered), without(found.maybe, covered)
    missing = sure or maybe
    if sure:
        message = f"the roll can give {told(missing)}, and no row covers {them(missing)}"
    else:
        message = f"it cannot be ruled out that the roll gives {told(missing)}, and no row covers {them(missing)}"
    notes = tuple(
        Note(row.at_span or row.span, f"row `{row.id}` covers {listed(runs_of(row))}")
        for row in _near(rows.rows, missing)
    )
    findings.add(
        "R601",
        rows.said(message),
        span,
        notes=(*((note,) if note else ()), *notes),
        hint=hint(missing, covered, sure=bool(sure)),
    )


def _near(rows: Sequence[model.Row], missing: Sequence[Run]) -> list[model.Row]:
    """The row just below the first hole: the one to widen, if any."""
    low = missing[0][0]
    if low is None:
        return []
    return list(islice((row for row in rows if any(run[1] == low - 1 for run in runs_of(row))), 1))


def hint(missing: Sequence[Run], covered: Sequence[Run], sure: bool = True) -> str:
    """The row that would close the hole, and what to say of the ends."""
    cure = f"add a row for {listed(missing)}" if len(missing) <= 3 else "add rows for them"
    if covered:
        low, high = covered[0][0], covered[-1][1]
        above = [high is not None and run[0] is not None and run[0] > high for run in missing]
        below = [low is not None and run[1] is not None and run[1] < low for run in missing]
        ends = [*(["below: first"] if any(below) else []), *(["above: last"] if any(above) else [])]
        if all(a or b for a, b in zip(above, below, strict=True)):
            cure += f", or say `outside: {{{', '.join(ends)}}}`"
    return cure if sure else f"{cure}; or hold the roll with `clamp(…)`, or give the values in it a `min` and `max`"
