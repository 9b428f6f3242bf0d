"""Steps that change a character: `add`, `subtract`, `set`, `apply`, `remove`, `event`.

In: a step and its frame. Out: a changed sheet, a line in the log with the values before and after, and everything
that follows at once: conditions that come or go by themselves and the entry steps of what has come.
"""

from __future__ import annotations

from typing import Any

from ..answers_text import say
from ..state.character import Instance
from ..state.sheet import Change, Sheet
from .frame import Frame
from .happening import follow, happen
from .play import Play
from .step_list import Step


def do_change(play: Play, frame: Frame, step: Step) -> None:
    for ref, code in step["tracks"]:
        target = frame.target(ref, step.get("to"))
        amount = frame.run(code)
        change = target.sheet.change(target.name, step["verb"], amount, target.holder)
        note_change(play, frame.rule, step["verb"], target.sheet, change, step, target.holder)
        follow(play, target.sheet, shared=_shared(target.sheet, target.name, target.holder))


def _shared(sheet: Sheet, name: str, holder: Instance | None) -> bool:
    return holder is None and sheet.book.rules[name].get("scope") == "table"


def note_change(
    play: Play, rule: str, verb: str, sheet: Sheet, change: Change, step: Step, holder: Instance | None = None
) -> None:
    """A change in the log, and those that its overflow led to."""
    book = sheet.book
    title = book.title(change.track)
    if holder is not None:
        title = f"{book.title(holder.id)}, {change.track}"
    text = f"{title} {say(change.before)} → {say(change.after)}"
    if change.overflow:
        text += f" ({say(change.overflow)} did not fit)"
    play.note(rule, verb, text, step.get("at"), sheet, change.before, change.after)
    if change.then is not None:
        note_change(play, rule, "over", sheet, change.then, step)


def do_apply(play: Play, frame: Frame, step: Step) -> None:
    target = frame.target(step["ref"], step.get("to"))
    sheet, name = target.sheet, target.name
    had = sheet.instances(name)
    made = sheet.apply(
        name,
        {key: frame.run(code) for key, code in step.get("with", ())},
        frame.run(step["level"]) if "level" in step else None,
        frame.run(step["for"]) if "for" in step else None,
        step.get("until"),
        frame.roles,
    )
    before = max((one.level for one in had), default=0)
    after = max((one.level for one in sheet.instances(name)), default=0)
    if made is not None:
        text = f"{sheet.book.title(name)}{_about(sheet, made)}"
    elif had:
        text = f"{sheet.book.title(name)}: already there" if after else f"{sheet.book.title(name)}: gone"
    else:
        text = f"{sheet.book.title(name)}: for no time at all"
    play.note(frame.rule, "apply", text, step.get("at"), sheet, before, after)
    follow(play, sheet)


def _about(sheet: Sheet, made: Instance) -> str:
    """What tells this instance from others: its parameters, level and time."""
    parts = [f"{name} {say(value)}" for name, value in made.params.items()]
    rule = sheet.book.rules[made.id]
    if rule.get("stacking") == "levels":
        parts.append(f"level {made.level}")
    if made.remaining is not None:
        parts.append(f"{made.remaining} {(rule.get('lasts') or {}).get('unit', 'units')}")
    if made.until is not None:
        parts.append(f"until {made.until}")
    return f" ({', '.join(parts)})" if parts else ""


def do_remove(play: Play, frame: Frame, step: Step) -> None:
    target = frame.target(step["ref"], step.get("to"))
    sheet, name = target.sheet, target.name
    params = {key: frame.run(code) for key, code in step.get("with", ())}
    level = frame.run(step["level"]) if "level" in step else None
    before = max((one.level for one in sheet.instances(name)), default=0)
    removal = sheet.remove(name, params, level)
    after = max((one.level for one in sheet.instances(name)), default=0)
    title = sheet.book.title(name)
    text = removal.refused or (
        f"{title}: not there" if not removal else f"{title} falls to level {after}" if after else f"{title} ends"
    )
    play.note(frame.rule, "remove", text, step.get("at"), sheet, before, after)
    follow(play, sheet)


def do_event(play: Play, frame: Frame, step: Step) -> None:
    sheet = frame.bearer(step.get("to"))
    play.note(frame.rule, "event", sheet.book.title(step["event"]), step.get("at"), sheet)
    happen(play, sheet, step["event"])


def amounts(pairs: Any) -> str:
    """`2 a and 1 b`, for a price."""
    return " and ".join(f"{say(amount)} {name}" for name, amount in dict(pairs).items())
