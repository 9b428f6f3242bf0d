"""Steps: effects and procedures, one after the other.

In: a play, a frame, and steps as the artifact holds them. Out: a play that went on: changed sheets, log, names in the
frame. A list of steps sees the names of the list around it; what it makes is gone at its end. Every kind of step is
one function in the table `HANDLERS`; what hangs together stands in `step_*.py`.
"""

from __future__ import annotations

from ..errors import BadInput, LimitReached
from .frame import Frame
from .play import Play, Stop
from .step_answers import do_ask, do_choose
from .step_changes import do_apply, do_change, do_event, do_remove
from .step_list import HANDLERS, Step, run_steps
from .step_rolls import do_roll, do_roll_on, do_run
from .step_spend import do_spend

REPEATS = 1_000
"""Rounds of one `repeat`, at most."""

__all__ = ["HANDLERS", "run_steps"]


def do_let(play: Play, frame: Frame, step: Step) -> None:
    for name, code in step["names"]:
        frame[name] = frame.run(code)


def do_when(play: Play, frame: Frame, step: Step) -> None:
    branch = step.get("then", ()) if frame.run(step["when"]) else step.get("else", ())
    if branch:
        run_steps(play, frame.child(), branch)


def do_repeat(play: Play, frame: Frame, step: Step) -> None:
    times = frame.run(step["times"])
    if times < 0:
        raise BadInput(f"repeat: {times} is less than nothing; write max(0, ...) if that can happen")
    if times > REPEATS:
        raise LimitReached(f"repeat: {times} rounds, at most {REPEATS:,} are done")
    for _ in range(times):
        run_steps(play, frame.child(), step.get("do", ()))


def do_each_trait(play: Play, frame: Frame, step: Step) -> None:
    sheet = frame.bearer(step.get("to"))
    for trait in sheet.tagged_traits(step["tag"]):
        run_steps(play, frame.child({**frame.named, "trait": trait}), step.get("do", ()))


def do_say(play: Play, frame: Frame, step: Step) -> None:
    play.note(frame.rule, "say", frame.text(step["text"]), step.get("at"), frame.bearer(step.get("to")))


def do_stop(play: Play, frame: Frame, step: Step) -> None:
    text = frame.text(step["text"])
    play.note(frame.rule, "stop", text, step.get("at"), frame.bearer(step.get("to")))
    raise Stop(text)


HANDLERS.update(
    {
        "let": do_let,
        "change": do_change,
        "apply": do_apply,
        "remove": do_remove,
        "roll": do_roll,
        "roll_on": do_roll_on,
        "spend": do_spend,
        "run": do_run,
        "when": do_when,
        "repeat": do_repeat,
        "each_trait": do_each_trait,
        "choose": do_choose,
        "ask": do_ask,
        "say": do_say,
        "stop": do_stop,
        "event": do_event,
    }
)
