"""Tables without a character: rolled on where nothing but dice can matter, and picked from at full speed.

In: a table of an artifact. Out: the same `Rolled` as with an empty character and no effects; or a plain function that
gives a row. One rule holds: whatever needs a sheet, parameters, an option or another roll is left to the whole way.
"""

from __future__ import annotations

from ..formulas.code import prepare
from .bare import Bare, alone, number_of
from .intervals import Keys, covering
from .rolled import Rolled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from ..formulas.dice import Dice
    from ..rules import Rules

    Rule: TypeAlias = Mapping[str, Any]

MOST_PICKED = 4_096
"""Equally likely rows that are listed for a picker, at most."""
_OPEN = ("params", "again", "option")


class BareTable:
    """A table ready to be rolled on; `told` are its rows with everything in them."""

    __slots__ = ("formula", "keys", "rule", "rule_id", "title", "told")

    def __init__(self, rule_id: str, rule: Rule) -> None:
        self.rule_id = rule_id
        self.rule = rule
        self.title = rule.get("title") or rule_id
        self.formula = prepare(rule["roll"])
        self.keys = Keys([row.get("at") for row in rule.get("rows", ())])
        self.told = [told(row) for row in rule.get("rows", ())]

    def rows(self, total: int) -> list[dict[str, Any]]:
        places = covering(self.keys, self.rule, total, f"the roll gave {total}", self.title)
        return [self.told[place] for place in (places if self.rule.get("overlap") else places[:1])]

    def fitted(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """No parameters: anything given is for the whole way to look at."""
        return None if given else {}

    def roll(self, params: dict[str, Any], dice: Dice) -> Rolled:
        frame = Bare({}, {}, dice)
        total = number_of(self.formula(frame))
        rows = tuple(self.rows(total))
        results = {}
        if rows:
            results = {name: value for name, value in rows[0].items() if name not in ("id", "title", "text")}
        return Rolled(self.rule_id, total, tuple(frame.thrown), results, rows[0] if rows else None, rows)


def told(row: Rule) -> dict[str, Any]:
    """A row with its texts and columns."""
    shape: dict[str, Any] = {"id": row["id"]}
    for name in ("title", "text"):
        if name in row:
            shape[name] = row[name] if isinstance(row[name], str) else "".join(row[name])
    shape.update(row.get("cells", ()))
    return shape


def bare_table(rules: Rules, table_id: str) -> BareTable | None:
    """The table without a character, or None where more than dice can matter."""
    rule = rules.rules[table_id]
    if rule.get("form") != "rolled" or any(name in rule for name in _OPEN) or rules.plans.automatic_rolls():
        return None
    for row in rule.get("rows", ()):
        text = row.get("text", "")
        written = all(isinstance(part, str) for part in text)
        if any(name in row for name in _OPEN) or not written or any(type(c) is list for _, c in row.get("cells", ())):
            return None
    return BareTable(table_id, rule) if alone([rule["roll"]], set()) else None


def picker(rules: Rules, table_id: str) -> Callable[[], Any]:
    """A function that gives a row by chance: from a list of equally likely ones where that is short, else rolled."""
    table = bare_table(rules, table_id)
    listed = None if table is None else _equally_likely(table)
    if listed is None:
        return lambda: rules.roll(table_id).row
    from ..formulas.dice import SystemDice

    bits, count = SystemDice().bits, len(listed)
    needed = (count - 1).bit_length()

    def pick() -> Any:
        while (place := bits(needed)) >= count:
            pass
        return listed[place]

    return pick


def _equally_likely(table: BareTable) -> list[Any] | None:
    """Every outcome as often as its share of a common number; None where that is large."""
    from math import lcm

    from ..errors import LimitReached
    from ..formulas.fork import outcomes

    try:
        found = [(chance, rolled.row) for chance, rolled in outcomes(lambda dice: table.roll({}, dice), MOST_PICKED)]
    except LimitReached:
        return None
    common = lcm(*(chance.denominator for chance, _ in found))
    if common > MOST_PICKED:
        return None
    return [row for chance, row in found for _ in range(chance.numerator * (common // chance.denominator))]
