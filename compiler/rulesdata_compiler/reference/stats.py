"""Stats in a row as one table: what a sheet says, at a glance.

In: stats that stand together in a chapter. Out: one view with a row for each. The one rule: a stat that has more to
say than fits a row, by examples or by house rules, keeps a place of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from .. import model
from .names import Speech, own_names
from .prose import Prose
from .spec import default_words, kind_words
from .tables import figures
from .view import Grid, GridRow, Leaning, Para, RuleView, Run, Strong, joined, run

_FEWEST = 3


def fits_a_row(rule: model.AnyRule, view: RuleView) -> bool:
    return isinstance(rule, model.Stat) and not view.examples and not view.changes and rule.option is None


def stats_table(rules: Sequence[model.Stat], views: Sequence[RuleView], speech: Speech, prose: Prose) -> RuleView:
    """The table; sources are told once where all stats have the same."""
    columns: list[tuple[str, list[Run]]] = [
        ("Stat", [run(Strong(run(view.title))) for view in views]),
        ("Values", [kind_words(rule.spec, Speech(speech.names, own_names(rule))) for rule in rules]),
        ("Default", [default_words(rule.spec, speech) for rule in rules]),
        ("Meaning", [_meaning(rule, view, speech, prose) for rule, view in zip(rules, views, strict=True)]),
        ("Used by", [view.used_by for view in views]),
    ]
    sources = {view.source for view in views}
    if len(sources) > 1:
        columns.append(("Source", [view.source for view in views]))
    kept = [column for column in columns if any(column[1])]
    rows = tuple(GridRow(tuple(column[1][place] for column in kept), view.anchor) for place, view in enumerate(views))
    grid = Grid("", tuple(run(head) for head, _ in kept), rows, figures(rows) - {0}, led=True)
    return RuleView(
        anchor=f"sheet.{views[0].anchor}",
        id="",
        kind="stats",
        title="On the sheet",
        blocks=(grid,),
        source=views[0].source if len(sources) == 1 else (),
    )


def enough(count: int) -> bool:
    return count >= _FEWEST


def _meaning(rule: model.Stat, view: RuleView, speech: Speech, prose: Prose) -> Run:
    parts = [prose.line(rule.text, speech, rule.id)]
    if view.ruling:
        parts.append(run(Leaning(run("Ruling: ")), joined([b.run for b in view.ruling if isinstance(b, Para)], " ")))
    if view.aliases:
        parts.append(run(f"Also {', '.join(view.aliases)}."))
    if view.tags:
        parts.append(run("Tags: ", view.tags))
    return joined([part for part in parts if part], " ")
