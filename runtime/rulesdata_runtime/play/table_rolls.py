"""Tables that are rolled on, with what their rows do.

In: a play, a frame for the table (its owner, roles and parameters), what is added, and perhaps a row that somebody
names instead of rolling. Out: the total and the rows found, their effects done. One rule holds: a row is found once
its `again` has been settled, and only then its effect follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..answers_text import say
from ..errors import BadInput
from ..search import said
from ..state.fitting import fit_all
from ..state.modifiers import for_roll
from ..state.rulebook import Rule
from ..state.sheet import Sheet
from .frame import Frame
from .play import Play, Question, in_force
from .rolled import Rolled
from .rolls import value_of, with_modifiers
from .step_list import run_steps
from .tables import Table, table_of

AGAIN = 100
"""Rolls that one `again` adds, where it does not say."""


def roll_on(
    play: Play,
    table_id: str,
    sheet: Sheet,
    *,
    roles: Mapping[str, Sheet] | None = None,
    given: Mapping[str, Any] | None = None,
    plus: Any = 0,
    row: str | None = None,
    tags: Iterable[str] = (),
    effects: bool = True,
    answer: str | None = None,
) -> Rolled:
    """Roll on a table, or take the row that was named. `answer` is a second name under which a row may be given."""
    table = table_of(sheet.book, table_id)
    if table.form not in ("rolled", "weighted"):
        raise BadInput(f"{table.title} is not rolled on but looked up")
    in_force(sheet.book, table_id, table.rule)
    if table.form == "weighted" and plus:
        raise BadInput(f"{table.title} goes by weight; nothing is added to it")
    frame = Frame(play, sheet, table_id, roles=roles)
    params = fit_all(table.params, given or {}, table.title, frame)
    play.tick(table_id)
    mark = len(play.thrown)
    rolling = _Rolling(play, table, frame, plus, tuple(tags), effects)
    row = row or _named_row(play, table, answer)
    play.deeper(table.title)
    try:
        if row is not None:
            rolling.take(table.row(row))
        else:
            rolling.once()
    finally:
        play.depth -= 1
    rows = tuple(rolling.told)
    results = {name: value for name, value in (rows[0] if rows else {}).items() if name not in ("id", "title", "text")}
    return Rolled(
        table_id,
        rolling.totals[0] if rolling.totals else rolling.total,
        tuple(play.thrown[mark:]),
        results,
        rows[0] if rows else None,
        rows,
        params=params,
        counted=rolling.counted,
        not_counted=rolling.not_counted,
    )


def _named_row(play: Play, table: Table, answer: str | None) -> str | None:
    """The row that somebody gave for a table that people may choose from."""
    if not table.rule.get("may_be_given"):
        return None
    for name in (answer, table.id):
        if name is not None and play.given(name):
            rows = tuple((row["id"], said(row.get("title")) or row["id"]) for row in table.rows)
            return play.choose(Question(name, "choice", table.title, None, rows))
    return None


class _Rolling:
    """One `roll_on`, with the rolls that follow from it."""

    def __init__(self, play: Play, table: Table, frame: Frame, plus: Any, tags: tuple[str, ...], effects: bool) -> None:
        self.play, self.table, self.frame = play, table, frame
        self.plus, self.tags, self.effects = plus, tags, effects
        self.total: Any = None
        self.told: list[dict[str, Any]] = []
        self.totals: list[Any] = []
        self.counted: tuple[Any, ...] = ()
        self.not_counted: tuple[Any, ...] = ()

    def once(self) -> None:
        """One roll: its rows, each with what it does."""
        for row in self._settled():
            self.take(row)

    def take(self, row: Rule) -> None:
        """A row found or named: its effect, and the rolls that it asks for."""
        frame = self.frame.child()
        told = self.table.told(frame, row)
        self.told.append(told)
        self.totals.append(self.total)
        self.play.note(
            self.table.id,
            "row",
            self._words(row, told),
            row.get("place") or self.table.rule.get("at"),
            frame.sheet,
            after=row["id"],
        )
        frame["row"] = told
        if self.effects and row.get("effect"):
            run_steps(self.play, frame, row["effect"])
        again = row.get("again", {})
        if "times" in again:
            self._more(frame.run(again["times"]))

    def _more(self, times: int) -> None:
        self.play.deeper(self.table.title)
        try:
            for _ in range(times):
                self.once()
        finally:
            self.play.depth -= 1

    def _words(self, row: Rule, told: Mapping[str, Any]) -> str:
        title = told.get("title") or told.get("text") or row["id"]
        rolled = "" if self.total is None else f", {say(self.total)}"
        return f"{self.table.title}{rolled}: {title}"

    def _settled(self) -> list[Rule]:
        """Roll until `again` is content."""
        rows = self._rolled()
        counts: dict[int, int] = {}
        while True:
            again = self._again(rows)
            if again is None:
                return rows
            most = self.frame.run(again["at_most"]) if "at_most" in again else AGAIN
            counts[id(again)] = counts.get(id(again), 0) + 1
            if counts[id(again)] > most:
                then = again.get("then")
                text = f"{self.table.title}: rolled again {most} times without anything new"
                self.play.note(self.table.id, "again", text, self.table.rule.get("at"), self.frame.sheet)
                return [] if then in (None, "none") else [self.table.row(then)]
            self.play.tick(self.table.id)
            rows = self._rolled()

    def _again(self, rows: list[Rule]) -> Rule | None:
        """The `again` by which these rows do not stand."""
        for row in rows:
            written: tuple[Rule | None, ...] = (row.get("again"), self.table.rule.get("again"))
            for again in written:
                if again and "when" in again:
                    inner = self.frame.child()
                    inner["row"] = self.table.told(inner, row)
                    if inner.run(again["when"]):
                        return again
        return None

    def _rolled(self) -> list[Rule]:
        table, frame = self.table, self.frame
        if table.form == "weighted":
            return [self._weighed()]
        total = value_of(frame.run(table.rule["roll"])) + self.plus
        on_roll = for_roll(frame.sheet, (*table.rule.get("tags", ()), table.id, *self.tags), frame)
        total = with_modifiers(on_roll, "value", total)
        self.counted, self.not_counted = on_roll.counted, on_roll.not_counted
        self.total = total
        frame["result"] = total
        rows = table.found(total, f"the roll gave {say(total)}")
        if not rows:
            self.play.note(table.id, "row", f"{table.title}, {say(total)}: nothing", table.rule.get("at"), frame.sheet)
        return rows

    def _weighed(self) -> Rule:
        """A row by weight: one number from 1 to the sum of the weights."""
        weights = [(row, self.frame.run(row.get("weight", 0))) for row in self.table.rows]
        for row, weight in weights:
            if weight < 0:
                raise BadInput(f"row {row['id']} of {self.table.title} weighs {say(weight)}, less than nothing")
        whole = sum(weight for _, weight in weights)
        if not whole:
            raise BadInput(f"no row of {self.table.title} weighs anything, so none can come up")
        drawn = self.total = self.frame.draw(whole, self.table.title)
        self.frame["result"] = drawn
        for row, weight in weights:
            drawn -= weight
            if drawn <= 0:
                return row
        raise AssertionError("the weights add up to their sum")
