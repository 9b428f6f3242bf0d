"""Steps that somebody at the table answers: `choose` and `ask`.

In: the step, and the answers of the play. Out: the steps of the option that was chosen, done; or names with values in
the frame. Nothing is answered by default: what is not answered is an error that lists what is possible now.
"""

from __future__ import annotations

from functools import partial

from ..answers_text import Value, say, span
from ..errors import NotAllowed
from ..state.fitting import fit, wanted
from .frame import Frame
from .play import Play, Question
from .step_list import Step, run_steps


def do_choose(play: Play, frame: Frame, step: Step) -> None:
    options = {option["id"]: option for option in step.get("options", ())}
    possible = tuple(
        (option_id, option.get("title") or option_id)
        for option_id, option in options.items()
        if "when" not in option or frame.run(option["when"])
    )
    name, title = step["name"], step.get("title") or step["name"]
    if not possible:
        raise NotAllowed(f"{title}: none of {', '.join(options)} is possible now")
    question = Question(name, "choice", title, step.get("by"), possible)
    chosen = play.choose(question)
    option = options[chosen]
    who = frame.roles.get(step.get("by", ""), frame.sheet)
    play.note(frame.rule, "choose", f"{title}: {option.get('title') or chosen}", step.get("at"), who)
    frame[name] = chosen
    run_steps(play, frame.child(), option.get("steps", ()))


def do_ask(play: Play, frame: Frame, step: Step) -> None:
    for spec in step["specs"]:
        name = spec["name"]
        title = spec.get("title") or name
        by = spec.get("by")
        question = Question(name, "value", title, by, (), asked_for(spec, frame), spec)
        value = play.answer(question, partial(_fit, frame, spec))
        frame[name] = value
        who = frame.roles.get(by or "", frame.sheet)
        play.note(frame.rule, "ask", f"{title}: {say(value)}", step.get("at"), who, after=value)


def _fit(frame: Frame, spec: Step, answer: object) -> Value:
    return fit(spec, answer, spec["name"], frame)


def asked_for(spec: Step, frame: Frame) -> str:
    """What an answer may be: `a whole number from 0 to 3`."""
    if "min" not in spec and "max" not in spec:
        return wanted(spec)
    low, high = (frame.run(spec[end]) if end in spec else None for end in ("min", "max"))
    return f"{wanted(spec)} {span(low, high)}"
