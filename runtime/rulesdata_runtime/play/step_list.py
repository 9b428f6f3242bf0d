"""A list of steps, done in order: the one loop behind effects, procedures and bought things.

In: a play, a frame and steps as the artifact holds them. Out: a play that went on. `HANDLERS` has one function for
each kind of step; `steps.py` fills it, so that the files of the steps need not know each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import LimitReached, RulesError
from .play import Play, placed

if TYPE_CHECKING:
    from .frame import Frame

Step: TypeAlias = Mapping[str, Any]

HANDLERS: dict[str, Callable[[Play, Frame, Step], None]] = {}


def run_steps(play: Play, frame: Frame, steps: Sequence[Step]) -> None:
    """Do the steps in order. `Stop` ends them and whatever called them, up to the innermost run."""
    if not HANDLERS:
        from . import steps as _fills_the_table  # noqa: F401 - the table fills itself when it is imported
    for step in steps:
        play.tick(frame.rule)
        kind = step["step"]
        try:
            if kind != "when" and "when" in step and not frame.run(step["when"]):
                continue
            HANDLERS[kind](play, frame, step)
        except RulesError as problem:
            raise placed(problem, step.get("at")) from problem.__cause__
        except RecursionError:
            raise LimitReached(f"{frame.rule}: steps inside each other, deeper than can be followed") from None
