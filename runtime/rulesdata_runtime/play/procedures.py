"""Procedures: a sequence of steps with parameters, roles and results.

In: a play, the procedure's id, a sheet for each role, parameters. Out: the results, and whether a `stop` ended it.
The first role owns bare names. A procedure that was stopped has only the results that were known by then, and is no
event: what ends with it, or recurs with it, waits until it goes through.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers_text import listed, render
from ..errors import BadInput, NotAllowed, UnknownName
from ..records import dataclass
from ..state.fitting import fit_all
from ..state.rulebook import Rule
from ..state.scope import Scope
from ..state.sheet import Sheet
from .frame import Frame
from .happening import happen
from .play import Play, Stop, in_force
from .rolls import value_of
from .step_list import run_steps


class Results(dict[str, Any]):
    """The results of a procedure; those it did not come to are an error to read."""

    title = ""

    def __missing__(self, name: str) -> Any:
        raise UnknownName(f"{self.title} was stopped before it came to {name}")


@dataclass(frozen=True, slots=True)
class Done:
    """`stopped` is the text of the `stop` that ended it."""

    results: Results
    stopped: str | None = None


def run_procedure(play: Play, procedure_id: str, roles: Mapping[str, Sheet], given: Mapping[str, Any]) -> Done:
    """Run it. Without roles of its own it belongs to the only sheet given, under any name."""
    owner = next(iter(roles.values()))
    book = owner.book
    rule = book.rule(procedure_id, "procedure")
    title = book.title(procedure_id)
    in_force(book, procedure_id, rule)
    mine = check_roles(rule, title, roles)
    frame = Frame(play, owner, procedure_id, roles=mine)
    fit_all(rule.get("params", ()), given, title, frame)
    require(rule, title, frame)
    mark = owner.stamp
    play.deeper(title)
    stopped: str | None = None
    try:
        run_steps(play, frame, rule.get("steps", ()))
    except Stop as stop:
        stopped = stop.text
    finally:
        play.depth -= 1
    results = Results()
    results.title = title
    for name, code in rule.get("results", ()):
        try:
            results[name] = value_of(frame.run(code))
        except UnknownName:
            if stopped is None:
                raise
            continue
        frame[name] = results[name]
    if stopped is None:
        happen(play, owner, procedure_id, mark)
    return Done(results, stopped)


def check_roles(rule: Rule, title: str, roles: Mapping[str, Sheet]) -> dict[str, Sheet]:
    """A sheet of the right kind for every role of a rule."""
    names = dict(rule.get("roles", ()))
    missing = [name for name in names if name not in roles]
    if missing:
        raise BadInput(f"{title} needs a character for {listed(missing)}")
    for name, kind in names.items():
        if kind and roles[name].kind != kind:
            raise BadInput(f"{title}: the role {name} is for a {kind}, and this is a {roles[name].kind or 'character'}")
    return {name: roles[name] for name in names}


def require(rule: Rule, title: str, scope: Scope) -> None:
    """What must hold before it begins."""
    for requirement in rule.get("requires", ()):
        if not scope.run(requirement["that"]):
            text = render(requirement["else"], scope) if "else" in requirement else "its requirement does not hold"
            raise NotAllowed(f"{title}: {text}")
