"""A roll as it is handed back: the dice, the total, the results, and the row of a table.

In: what was thrown and what came of it. Out: a plain value, and the JSON that the command line prints. One rule holds:
single dice are told only when somebody looks at them; most rolls are asked for their total.

Nothing is imported here that a roll at a cold start would have to wait for.
"""

from __future__ import annotations

from ..formulas.number_pools import Value, put_field
from ..formulas.symbols import SymbolPool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ..formulas.number_pools import Pool
    from ..state.character import Character
    from ..state.sheet import Sheet
    from .play import LogEntry


class Face(Value):
    """A die as it fell: its name (`d6`, a custom die's id), the face, the symbols on it, and whether it was kept."""

    __slots__ = ("die", "face", "kept", "symbols")
    die: str
    face: int
    kept: bool
    symbols: tuple[str, ...] | None

    def __init__(self, die: str, face: int, symbols: tuple[str, ...] | None = None, kept: bool = True) -> None:
        put_field(self, "die", die)
        put_field(self, "face", face)
        put_field(self, "kept", kept)
        put_field(self, "symbols", symbols)

    def __str__(self) -> str:
        if self.symbols is not None:
            return f"{self.die}[{'+'.join(self.symbols) or '-'}]"
        return str(self.face) if self.kept else f"({self.face})"

    def to_json(self) -> object:
        if self.symbols is not None:
            return {"die": self.die, "symbols": list(self.symbols)}
        return self.face


def faces(thrown: Iterable[Pool | SymbolPool]) -> tuple[Face, ...]:
    """The dice of some throws, one by one."""
    found: list[Face] = []
    for pool in thrown:
        if isinstance(pool, SymbolPool):
            for (die, place), shown in zip(pool.dice, pool.shown, strict=True):
                found.append(Face(die, place + 1, shown))
        else:
            name, dropped = pool.name, pool.dropped
            found += [Face(name, face, None, place not in dropped) for place, face in enumerate(pool.faces)]
    return tuple(found)


class Rolled(Value):
    """A roll. `total` is its value, None where it has none. `row` is the table row found (id, title, text, columns),
    `rows` are all of them. `symbols` are those rolled and what is left after cancelling; `pool` the custom dice.
    `counted` and `not_counted` tell of modifiers. `thrown` are the dice as pools, in the order thrown.

    `character`, `characters` and `log` stand where the roll was made for a character, `table` where the table keeps
    tracks of its own.
    """

    __slots__ = (
        "character",
        "characters",
        "counted",
        "log",
        "not_counted",
        "params",
        "pool",
        "results",
        "row",
        "rows",
        "rule",
        "said",
        "table",
        "thrown",
        "total",
    )
    character: Character | None
    characters: Mapping[str, Character]
    counted: tuple[Any, ...]
    log: tuple[LogEntry, ...]
    not_counted: tuple[Any, ...]
    params: Mapping[str, Any]
    pool: SymbolPool | None
    results: Mapping[str, Any]
    row: Mapping[str, Any] | None
    rows: tuple[Mapping[str, Any], ...]
    rule: str
    said: Any
    table: Character | None
    thrown: tuple[Pool | SymbolPool, ...]
    total: Any

    def __init__(
        self,
        rule: str,
        total: Any,
        thrown: tuple[Pool | SymbolPool, ...] = (),
        results: Mapping[str, Any] | None = None,
        row: Mapping[str, Any] | None = None,
        rows: tuple[Mapping[str, Any], ...] = (),
        params: Mapping[str, Any] | None = None,
        counted: tuple[Any, ...] = (),
        not_counted: tuple[Any, ...] = (),
        pool: SymbolPool | None = None,
    ) -> None:
        put_field(self, "rule", rule)
        put_field(self, "total", total)
        put_field(self, "thrown", thrown)
        put_field(self, "results", {} if results is None else results)
        put_field(self, "row", row)
        put_field(self, "rows", rows)
        put_field(self, "params", {} if params is None else params)
        put_field(self, "counted", counted)
        put_field(self, "not_counted", not_counted)
        put_field(self, "pool", pool)
        put_field(self, "character", None)
        put_field(self, "characters", {})
        put_field(self, "log", ())
        put_field(self, "said", None)
        put_field(self, "table", None)

    def told(
        self,
        log: tuple[LogEntry, ...],
        character: Character | None = None,
        characters: Mapping[str, Character] | None = None,
        said: Any = None,
        table: Character | None = None,
    ) -> Rolled:
        """The same roll with its log, and the characters and the table as they are after it. `said` writes one."""
        made = object.__new__(Rolled)
        for name in self.__slots__:
            put_field(made, name, getattr(self, name))
        put_field(made, "log", log)
        put_field(made, "character", character)
        put_field(made, "characters", characters or {})
        put_field(made, "said", said)
        put_field(made, "table", table)
        return made

    @property
    def dice(self) -> tuple[Face, ...]:
        """Every die, in the order they fell."""
        return faces(self.thrown)

    @property
    def symbols(self) -> dict[str, dict[str, int]] | None:
        """Every symbol as it was rolled, and what is left of it after cancelling; None without custom dice."""
        if self.pool is None:
            return None
        return {"rolled": dict(self.pool.rolled_all), "net": dict(self.pool.net_all)}

    def kept(self, owner: Sheet | None = None) -> Kept:
        """What steps read under the name of this roll: `x.hits`, `x.total`, `x.row` and the row's columns."""
        kept = Kept(self.results)
        kept["total"] = kept["value"] = self.total
        kept["row"] = None if self.row is None else self.row["id"]
        kept.rolled = self
        kept.owner = owner
        kept.purse = {} if self.pool is None else dict(self.pool.net_all)
        return kept

    def to_json(self) -> dict[str, Any]:
        """{"total", "dice", "results", "row"}; further keys only where there is something to say."""
        dice = self.dice
        shape: dict[str, Any] = {
            "total": as_json(self.total),
            "dice": [face.to_json() for face in dice],
            "results": as_json(self.results),
            "row": as_json(self.row),
        }
        dropped = [place for place, face in enumerate(dice) if not face.kept]
        if dropped:
            shape["dropped"] = dropped
        if len(self.rows) > 1:
            shape["rows"] = as_json(self.rows)
        if self.symbols is not None:
            shape["symbols"] = self.symbols
        if self.counted:
            shape["modifiers"] = [as_json(one) for one in self.counted]
        if self.not_counted:
            shape["not_counted"] = [as_json(one) for one in self.not_counted]
        if self.log:
            shape["log"] = [entry.to_json() for entry in self.log]
        if self.character is not None and self.said is not None:
            shape["character"] = self.said(self.character)
        if self.table is not None and self.said is not None:
            shape["table"] = self.said(self.table)
        return shape


class Kept(dict[str, "Any"]):
    """A roll under its name in a list of steps. `purse` holds the symbols not yet spent, `owner` is who rolled."""

    rolled: Rolled
    owner: Sheet | None
    purse: dict[str, int]

    @property
    def pool(self) -> SymbolPool | None:
        """The custom dice of the roll."""
        return self.rolled.pool


def as_json(value: Any) -> Any:
    """A value as JSON: fractions as `7/2`, collections by their parts, anything else in its own shape."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, dict):
        return {str(name): as_json(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(part) for part in value]
    if hasattr(value, "to_json"):
        return value.to_json()
    if hasattr(value, "items"):
        return {str(name): as_json(part) for name, part in value.items()}
    return str(value)
