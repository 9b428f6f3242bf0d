"""What a play hands back: new characters, the log and the results; or a roll with its dice.

Both are plain values; `to_json` gives the shapes that the command line prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .play import LogEntry, as_json

if TYPE_CHECKING:
    from .character import Character
    from .sheet import Sheet


@dataclass(frozen=True, slots=True)
class Outcome:
    """`character` is that of the first role, `characters` are all by role. `stopped` is the text of the `stop` that
    ended the procedure, if one did."""

    character: Character
    characters: Mapping[str, Character]
    log: tuple[LogEntry, ...]
    results: Mapping[str, Any]
    stopped: str | None = None
    table: Character | None = None
    said: Any = field(default=None, repr=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """{"character", "log", "results"}; "characters" where there are several, "table" where there is one."""
        shape: dict[str, Any] = {
            "character": self._character(self.character),
            "log": [entry.to_json() for entry in self.log],
            "results": as_json(self.results),
        }
        if len(self.characters) > 1:
            shape["characters"] = {role: self._character(one) for role, one in self.characters.items()}
        if self.table is not None:
            shape["table"] = self._character(self.table)
        if self.stopped is not None:
            shape["stopped"] = self.stopped
        return shape

    def _character(self, character: Character) -> Any:
        return self.said(character)


@dataclass(frozen=True, slots=True)
class Face:
    """A die as it fell: its name (`d6`, a custom die's id), the face, the symbols on it, and whether it was kept."""

    die: str
    face: int
    symbols: tuple[str, ...] | None = None
    kept: bool = True

    def __str__(self) -> str:
        if self.symbols is not None:
            return f"{self.die}[{'+'.join(self.symbols) or '-'}]"
        return str(self.face) if self.kept else f"({self.face})"

    def to_json(self) -> object:
        if self.symbols is not None:
            return {"die": self.die, "symbols": list(self.symbols)}
        return self.face


class Kept(dict[str, Any]):
    """A roll under its name in a list of steps. `purse` holds the symbols not yet spent, `owner` is who rolled."""

    rolled: Rolled
    owner: Sheet | None
    purse: dict[str, int]

    @property
    def pool(self) -> Any:
        """The custom dice of the roll."""
        return self.rolled.pool


@dataclass(frozen=True, slots=True)
class Rolled:
    """A roll. `total` is its value, None where it has none. `row` is the table row found (id, title, text, columns).
    `symbols` are those rolled and what is left after cancelling. `counted` and `not_counted` tell of modifiers."""

    rule: str
    total: Any
    dice: tuple[Face, ...] = ()
    results: Mapping[str, Any] = field(default_factory=dict)
    row: Mapping[str, Any] | None = None
    rows: tuple[Mapping[str, Any], ...] = ()
    symbols: Mapping[str, Mapping[str, int]] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    counted: tuple[Any, ...] = ()
    not_counted: tuple[Any, ...] = ()
    character: Character | None = None
    characters: Mapping[str, Character] = field(default_factory=dict)
    log: tuple[LogEntry, ...] = ()
    pool: Any = field(default=None, repr=False, compare=False)
    said: Any = field(default=None, repr=False, compare=False)

    def kept(self, owner: Sheet | None = None) -> Kept:
        """What steps read under the name of this roll: `x.hits`, `x.total`, `x.row` and the row's columns."""
        kept = Kept(self.results)
        kept["total"] = kept["value"] = self.total
        kept["row"] = None if self.row is None else self.row["id"]
        kept.rolled = self
        kept.owner = owner
        kept.purse = dict(self.symbols["net"]) if self.symbols is not None else {}
        return kept

    def to_json(self) -> dict[str, Any]:
        """{"total", "dice", "results", "row"}; further keys only where there is something to say."""
        shape: dict[str, Any] = {
            "total": as_json(self.total),
            "dice": [face.to_json() for face in self.dice],
            "results": as_json(self.results),
            "row": as_json(self.row),
        }
        dropped = [place for place, face in enumerate(self.dice) if not face.kept]
        if dropped:
            shape["dropped"] = dropped
        if len(self.rows) > 1:
            shape["rows"] = as_json(self.rows)
        if self.symbols is not None:
            shape["symbols"] = as_json(self.symbols)
        if self.counted:
            shape["modifiers"] = [as_json(one) for one in self.counted]
        if self.not_counted:
            shape["not_counted"] = [as_json(one) for one in self.not_counted]
        if self.log:
            shape["log"] = [entry.to_json() for entry in self.log]
        if self.character is not None and self.said is not None:
            shape["character"] = self.said(self.character)
        return shape
