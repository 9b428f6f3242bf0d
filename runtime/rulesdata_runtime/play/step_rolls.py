"""Steps that call another rule: `roll`, `roll_on`, `run`.

In: a step and its frame. Out: what was called has happened, and its results stand in the frame under the name that
`as` gives, else under the id of the rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..state.rulebook import ref_name
from ..state.sheet import Sheet
from .frame import Frame
from .happening import after_roll
from .play import Play
from .procedures import run_procedure
from .rolls import roll, words
from .step_list import Step
from .table_rolls import roll_on


def _with(frame: Frame, step: Step) -> dict[str, Any]:
    return {name: frame.run(code) for name, code in step.get("with", ())}


def do_roll(play: Play, frame: Frame, step: Step) -> None:
    roll_id = ref_name(step["ref"], frame)
    who = frame.bearer(step.get("by") or step.get("to"))
    against = frame.bearer(step["against"]) if "against" in step else None
    mark = who.stamp
    rolled = roll(
        play,
        roll_id,
        who,
        _with(frame, step),
        roles=frame.roles,
        against=against,
        tags=step.get("tags", ()),
        ranged=False,
    )
    frame[step.get("as") or roll_id] = rolled.kept(who)
    play.note(frame.rule, "roll", words(rolled, who.book), step.get("at"), who, after=rolled.total)
    for one in rolled.counted:
        play.note(roll_id, "modifier", str(one), who.book.rules[roll_id].get("at"), who)
    after_roll(play, who, roll_id, step.get("tags", ()), mark)


def do_roll_on(play: Play, frame: Frame, step: Step) -> None:
    table_id = ref_name(step["ref"], frame)
    sheet = frame.bearer(step.get("to"))
    given = _with(frame, step)
    plus = frame.run(step["plus"]) if "plus" in step else 0
    most = frame.run(step["at_most"]) if "at_most" in step else None
    if not play.enter(step, most):
        text = f"{sheet.book.title(table_id)}: not rolled on again, at most {most} times"
        play.note(frame.rule, "roll_on", text, step.get("at"), sheet)
        return
    try:
        rolled = roll_on(
            play, table_id, sheet, roles=frame.roles, given=given, plus=plus, answer=step.get("as") or step.get("id")
        )
    finally:
        play.leave(step)
    frame[step.get("as") or table_id] = rolled.kept(sheet)


def do_run(play: Play, frame: Frame, step: Step) -> None:
    procedure_id = ref_name(step["ref"], frame)
    most = frame.run(step["at_most"]) if "at_most" in step else None
    given = _with(frame, step)
    if not play.enter(step, most):
        title = frame.sheet.book.title(procedure_id)
        play.note(frame.rule, "run", f"{title}: not run again, at most {most} times", step.get("at"), frame.sheet)
        return
    try:
        done = run_procedure(play, procedure_id, _roles(frame, step, procedure_id), given)
    finally:
        play.leave(step)
    frame[step.get("as") or procedure_id] = done.results


def _roles(frame: Frame, step: Step, procedure_id: str) -> Mapping[str, Sheet]:
    """Who plays what in the procedure that is called: as the step says; else `to` is its first role, roles of the
    same name pass on, and whoever owns the names here is its first role."""
    rule = frame.sheet.book.rule(procedure_id, "procedure")
    names = [name for name, _ in rule.get("roles", ())]
    said = dict(step.get("roles", ()))
    roles: dict[str, Sheet] = {}
    for place, name in enumerate(names):
        if name in said:
            roles[name] = frame.bearer(said[name])
        elif place == 0 and "to" in step:
            roles[name] = frame.bearer(step["to"])
        elif name in frame.roles:
            roles[name] = frame.roles[name]
        elif place == 0:
            roles[name] = frame.sheet
    if not names:
        roles[""] = frame.bearer(step.get("to"))
    return roles
