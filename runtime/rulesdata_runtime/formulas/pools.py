"""Dice that were rolled, with all that an explanation needs: the front door to both kinds of pool.

`roll_pool` and `roll_digits` give a `Pool` of numbers (number_pools.py), `throw` and `throw_all` a `SymbolPool` of
custom dice, and `build` says how many of those are thrown (symbols.py).
"""

from __future__ import annotations

from .number_pools import MOST_DICE, MOST_EXPLOSIONS, MOST_IN_A_ROLL, Die, Pool, all_together, roll_digits, roll_pool
from .symbols import DiceRules, SymbolPool, build, letters, throw, throw_all

__all__ = [
    "MOST_DICE",
    "MOST_EXPLOSIONS",
    "MOST_IN_A_ROLL",
    "DiceRules",
    "Die",
    "Pool",
    "SymbolPool",
    "all_together",
    "build",
    "letters",
    "roll_digits",
    "roll_pool",
    "throw",
    "throw_all",
]
