"""Bands: how far each reaches, and what it takes to go from one to another.

In: bands of the model. Out: a grid of bands, and, where all moves are plain numbers, a grid of the moves between any
two. The one rule: moves are summed as the runtime sums them, over every band that is entered.
"""

from __future__ import annotations

from fractions import Fraction

from .. import model
from .anchors import safe
from .names import Speech, title_of
from .prose import Prose
from .tables import figures
from .view import NOTHING, Block, Fact, Facts, Grid, GridRow, Portion, Run, Strong, run

_BEYOND = {"none": "no band at all", "last": "still the last band", "error": "refused"}
_FEWEST = 3


def bands_blocks(rule: model.Bands, speech: Speech, prose: Prose) -> tuple[Block, ...]:
    """The blocks of one set of bands."""
    facts = []
    if rule.measured is not None:
        facts.append(Fact("Distances count while", speech.said(rule.measured)))
    if rule.beyond is not None:
        facts.append(Fact("Past the last", run(_BEYOND.get(rule.beyond, rule.beyond))))
    made: list[Block] = [Facts(tuple(facts))] if facts else []
    made.append(_bands(rule, speech, prose))
    between = _moves(rule, speech)
    return (*made, Portion("Moves from and to", (between,))) if between is not None else tuple(made)


def _bands(rule: model.Bands, speech: Speech, prose: Prose) -> Grid:
    anchor = speech.names.anchors[rule.id]
    unit = f", {rule.unit}" if rule.unit else ""
    names, distances, moves, within, texts = [], [], [], [], []
    for band in rule.bands:
        names.append(run(Strong(run(band.title or title_of(band.id)))))
        distances.append(speech.said(band.distance))
        moves.append(speech.said(band.moves))
        within.append(speech.said(band.within))
        texts.append(prose.line(band.text, speech, rule.id))
    columns: list[tuple[str, list[Run]]] = [
        ("Band", names),
        (f"Up to{unit}", distances),
        ("Moves to enter", moves),
        ("Moves within", within),
        ("Meaning", texts),
    ]
    kept = [column for column in columns if any(column[1])]
    rows = tuple(
        GridRow(tuple(column[1][place] or NOTHING for column in kept), f"{anchor}.{safe(band.id)}")
        for place, band in enumerate(rule.bands)
    )
    return Grid("", tuple(run(head) for head, _ in kept), rows, figures(rows) - {0}, led=True)


def _moves(rule: model.Bands, speech: Speech) -> Grid | None:
    """From each band to each other: the sum of what entering each one between them takes."""
    enter = [speech.number(band.moves) if band.moves is not None else None for band in rule.bands]
    if len(enter) < _FEWEST or any(number is None for number in enter[1:]):
        return None
    within = [speech.number(band.within) if band.within is not None else Fraction(0) for band in rule.bands]
    titles = [band.title or title_of(band.id) for band in rule.bands]
    rows = []
    for start, title in enumerate(titles):
        cells: list[Run] = []
        for goal in range(len(titles)):
            near, far = sorted((start, goal))
            steps = (
                within[start]
                if start == goal
                else sum(number for number in enter[near + 1 : far + 1] if number is not None)
            )
            cells.append(run("–" if steps is None else str(steps)))
        rows.append(GridRow((run(title), *cells)))
    made = tuple(rows)
    return Grid("", (run("From / to"), *(run(title) for title in titles)), made, figures(made) - {0}, led=True)
