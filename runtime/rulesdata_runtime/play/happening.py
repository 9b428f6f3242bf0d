"""What follows from a change, a roll, or an event.

In: a play and the sheet to which something happened. Out: the sheet settled: conditions have come and gone by
themselves, what came has done its entry steps, and the log tells it. One rule holds: whoever changes a sheet in play
calls `follow`, so that nothing stays out of date between two steps.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..answers_text import say
from ..errors import RulesError
from ..state.clock import happen as _happen
from ..state.clock import run_effect
from ..state.sheet import Sheet
from .play import Play, placed
from .rolls import tags_of, whole_roll

_WORDS = {"came": "comes", "went": "goes", "ended": "ends"}


def follow(play: Play, sheet: Sheet, *, shared: bool = False) -> None:
    """Bring a sheet up to date after a change. `shared`: what changed belongs to the whole table."""
    if shared:
        for other in play.everybody():
            if other is not sheet:
                other.changed()
                _settle(play, other)
    _settle(play, sheet)


def _settle(play: Play, sheet: Sheet) -> None:
    while True:
        done = sheet.settle()
        for what, rule_id in done:
            text = f"{sheet.book.title(rule_id)} {_WORDS.get(what, what)}"
            play.note(rule_id, what, text, sheet.book.rules[rule_id].get("at"), sheet)
        shrunk, sheet.shrunk = sheet.shrunk, []
        for change in shrunk:
            text = f"{sheet.book.title(change.track)} {say(change.before)} → {say(change.after)}, its limit has moved"
            play.note(
                change.track,
                "limit",
                text,
                sheet.book.rules[change.track].get("at"),
                sheet,
                change.before,
                change.after,
            )
        arrivals = sheet.take_arrivals()
        if not (done or shrunk or arrivals):
            return
        for one in arrivals:
            rule = sheet.book.rules[one.id]
            if rule.get("entry"):
                play.deeper(sheet.book.title(one.id))
                try:
                    run_effect(play, sheet, one, rule["entry"])
                except RulesError as problem:
                    raise placed(problem, rule.get("at")) from problem.__cause__
                finally:
                    play.depth -= 1


def happen(play: Play, sheet: Sheet, event: str, mark: int | None = None) -> None:
    """An event happens to a character: a declared one, or a procedure that went through."""
    _happen(play, sheet, event, mark=mark)


def after_roll(play: Play, sheet: Sheet, roll_id: str, more: Iterable[str] = (), mark: int | None = None) -> None:
    """A roll was made: what ends with one of its tags ends."""
    _happen(play, sheet, mark=mark, roll=tags_of(whole_roll(sheet.book, roll_id), roll_id, more))
