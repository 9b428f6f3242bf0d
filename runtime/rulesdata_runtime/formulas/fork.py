"""Every way a play can go: the same play over every outcome of its dice.

In: a function that plays with the dice it is given. Out: pairs of a probability and what the play gave; the
probabilities are exact and add up to 1. The one rule: the play must do the same with the same dice. It is run from
the start once for each path, with a script of what the dice show; the script then steps on like an odometer.
"""

from __future__ import annotations

from ..errors import LimitReached
from .dice import ScriptedDice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction
    from typing import TypeVar

    from .dice import Dice

    T = TypeVar("T")

LIMIT = 100_000


def outcomes(play: Callable[[Dice], T], limit: int = LIMIT) -> Iterator[tuple[Fraction, T]]:
    """Every outcome of `play` with its probability; equal results may come more than once.

    Raises LimitReached before the path after the `limit`-th.
    """
    from fractions import Fraction

    script: list[int] = []
    for _ in range(limit):
        dice = ScriptedDice(script)
        result = play(dice)
        ways, of = 1, 1
        for _, _, weight, whole in dice.taken:
            ways *= weight
            of *= whole
        yield Fraction(ways, of), result
        script = [branch for branch, _, _, _ in dice.taken]
        while script and script[-1] + 1 == dice.taken[len(script) - 1][1]:
            script.pop()
        if not script:
            return
        script[-1] += 1
    raise LimitReached(f"there are more than {limit:,} ways for the dice to fall")
