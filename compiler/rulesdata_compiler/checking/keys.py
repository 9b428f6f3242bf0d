"""Tables by a number, a choice, or two of them: no hole between rows, no choice without a row.

In: a table that is looked up. Out: findings at the rows, and at lookups that go past the end. The one rule: a key's
declared range must be covered; what lies beyond the rows is an error only where something can ask for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import model
from ..diagnostics import Findings, Note
from ..nearest import did_you_mean, suggest
from ..source import Span
from .intervals import Run, listed, merge, them, told, without
from .names import Names
from .rolled import check_overlaps, cover, hint, runs_of, with_outside
from .tables import Rows, in_force

SAID = {"true": "yes", "false": "no"}


def check_keyed(table: model.Table, names: Names, findings: Findings) -> None:
    before: set[str] = set()
    for rows in in_force(table, names):
        first = table.by[0]
        if first.type == "int":
            _check_numbers(table, first, rows, names, findings, before)
            check_overlaps(rows, None, findings)
        elif first.type in ("choice", "bool"):
            _check_choices(table, first, rows, findings)
    if table.form == "by_two" and len(table.by) == 2:
        for row in table.rows:
            _check_cells(table, table.by[1], row, names, findings)


def _check_numbers(
    table: model.Table, spec: model.Spec, rows: Rows, names: Names, findings: Findings, before: set[str]
) -> None:
    covered = cover(table, rows.rows)
    missing = holes(covered, spec, names)
    if not missing or listed(missing) in before:
        return
    before.add(listed(missing))
    findings.add(
        "R604",
        rows.said(f"`{spec.name}` can be {told(missing)}, and no row covers {them(missing)}"),
        _before(rows.rows, missing) or table.span,
        hint=hint(missing, covered),
    )


def holes(covered: Sequence[Run], spec: model.Spec, names: Names) -> list[Run]:
    """What lies between covered runs, and what the key's own limits allow beyond them."""
    if not covered:
        return []
    low, high = names.numbers(spec.min), names.numbers(spec.max)
    begin = low.low if low is not None and isinstance(low.low, int) else covered[0][0]
    end = high.high if high is not None and isinstance(high.high, int) else covered[-1][1]
    return without([(begin, end)], covered)


def _before(rows: Sequence[model.Row], missing: Sequence[Run]) -> Span | None:
    """The key next to the hole."""
    low, high = missing[0]
    for row in rows:
        if any(
            (low is not None and run[1] == low - 1) or (high is not None and run[0] == high + 1) for run in runs_of(row)
        ):
            return row.at_span or row.span
    return None


def _check_choices(table: model.Table, spec: model.Spec, rows: Rows, findings: Findings) -> None:
    choices = _choices(spec)
    seen: dict[str, model.Row] = {}
    for row in rows.rows:
        for at in row.at or ():
            if not isinstance(at, str):
                continue
            if choices and at not in choices:
                _tell_no_choice(spec, at, choices, row.at_span or row.span, findings)
            elif at in seen:
                note = Note(seen[at].at_span or seen[at].span, f"`{seen[at].id}` covers it already")
                message = rows.said(f"row `{row.id}` covers `{at}`, which `{seen[at].id}` covers too")
                findings.add("R602", message, row.at_span or row.span, notes=(note,), hint="one row for each choice")
            seen.setdefault(at, row)
    missing = _missing(choices, seen)
    if missing and seen:
        it = "them" if missing[1:] else "it"
        findings.add(
            "R605",
            rows.said(f"`{spec.name}` can be {_either(missing)}, and `{table.id}` has no row for {it}"),
            table.span,
            hint="add the row; a cell that holds nothing is `none`",
        )


def _choices(spec: model.Spec) -> tuple[str, ...]:
    return spec.of if spec.type == "choice" else ("true", "false")


def _missing(choices: Sequence[str], written: Iterable[str]) -> list[str]:
    """Choices without a row; one that was only misspelt has its row."""
    written = list(written)
    missing = [choice for choice in choices if choice not in written]
    for word in written:
        if word not in choices:
            meant = suggest(word, missing)[:1]
            missing = [choice for choice in missing if choice not in meant]
    return missing


def _either(choices: Sequence[str]) -> str:
    quoted = [f"`{SAID.get(choice, choice)}`" for choice in choices]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _check_cells(table: model.Table, spec: model.Spec, row: model.Row, names: Names, findings: Findings) -> None:
    """The second key inside one row."""
    numbers = [(at.low, at.high, span) for at, _, span in row.second if isinstance(at, model.Interval)]
    words = [(at, span) for at, _, span in row.second if isinstance(at, str)]
    if spec.type == "int" and numbers:
        missing = holes(with_outside(table, merge((low, high) for low, high, _ in numbers)), spec, names)
        if missing:
            _tell_no_cell(row, spec, told(missing), them(missing), findings)
        _check_cell_overlaps(row, numbers, findings)
    elif spec.type in ("choice", "bool") and words:
        choices = _choices(spec)
        for at, span in words:
            if choices and at not in choices:
                _tell_no_choice(spec, at, choices, span, findings)
        gone = _missing(choices, [at for at, _ in words])
        if gone:
            _tell_no_cell(row, spec, _either(gone), "them" if gone[1:] else "it", findings)


def _tell_no_cell(row: model.Row, spec: model.Spec, what: str, it: str, findings: Findings) -> None:
    message = f"`{spec.name}` can be {what}, and row `{row.id}` has no cell for {it}"
    findings.add("R607", message, row.span, hint="add the cell; one that holds nothing is `none`")


def _tell_no_choice(spec: model.Spec, at: str, choices: Sequence[str], span: Span, findings: Findings) -> None:
    message = f"`{spec.name}` is never `{at}`: it is {_either(choices)}"
    findings.add("R606", message, span, hint=did_you_mean(at, choices) or "take it out, or add the choice")


def _check_cell_overlaps(
    row: model.Row, numbers: Sequence[tuple[int | None, int | None, Span]], findings: Findings
) -> None:
    for place, (low, high, span) in enumerate(numbers):
        for other_low, other_high, other_span in numbers[:place]:
            begins = max((end for end in (low, other_low) if end is not None), default=None)
            ends = min((end for end in (high, other_high) if end is not None), default=None)
            if begins is None or ends is None or begins <= ends:
                both = listed([(begins, ends)])
                note = Note(other_span, "the first of the two")
                message = f"two cells of row `{row.id}` cover {both}"
                findings.add("R602", message, span, notes=(note,), hint="move the border between them")
                break
