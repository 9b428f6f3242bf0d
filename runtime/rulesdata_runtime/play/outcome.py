"""What a play hands back: new characters, the log and the results.

A plain value; `to_json` gives the shape that the command line prints. Rolls stand in `rolled.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..records import dataclass, field
from .play import LogEntry
from .rolled import Face, Kept, Rolled, as_json

__all__ = ["Face", "Kept", "Outcome", "Rolled"]

if TYPE_CHECKING:
    from ..state.character import Character


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
