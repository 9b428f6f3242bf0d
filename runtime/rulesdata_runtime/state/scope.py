"""What a formula sees: local names, then the sheet of the character it is about.

In: a sheet, local values, the other roles, and the trait, condition or environment whose text is being read. Out: a
mapping with the methods that prepared formulas call. `Frame` (play) is a Scope that can also roll dice and keep
results. One rule holds: reading never changes the sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import BadInput, RulesError, UnknownName

if TYPE_CHECKING:
    from .character import Instance
    from .sheet import Sheet


class Scope(dict[str, Any]):
    """Local names, with what is not among them asked of the sheet."""

    __slots__ = ("instance", "named", "roles", "sheet")

    def __init__(
        self,
        sheet: Sheet,
        names: Mapping[str, Any] | None = None,
        *,
        roles: Mapping[str, Sheet] | None = None,
        instance: Instance | None = None,
        named: Mapping[str, Instance] | None = None,
    ) -> None:
        """`instance` is what the formula belongs to: its parameters and tracks are bare names. `named` are instances
        with a name of their own, such as `trait` in `each_trait`."""
        super().__init__(instance.params if instance is not None else ())
        if names:
            # What a rule declares itself wins over what the surroundings offer (a roll's parameters).
            for name, value in names.items():
                self.setdefault(name, value)
        self.sheet = sheet
        self.roles: Mapping[str, Sheet] = roles or {}
        self.instance = instance
        self.named: Mapping[str, Instance] = named or {}

    def __missing__(self, name: str) -> Any:
        if self.instance is not None and name in self.instance.tracks:
            return self.sheet.current(self.instance).tracks[name]
        return self.sheet.value(name)

    def run(self, code: Any) -> Any:
        """The value of a formula here."""
        return self.sheet.book.run(code, self)

    def bearer(self, role: str | None) -> Sheet:
        """The sheet of a role; without one the bearer's own."""
        if role is None:
            return self.sheet
        if role not in self.roles:
            raise UnknownName(f"nobody plays the role {role}")
        return self.roles[role]

    # --- names with a dot ------------------------------------------------------------------------------------

    def of(self, role: str, name: str) -> Any:
        """`role.name`: of another character, or a track or parameter of a trait, condition or environment."""
        if role in self.roles:
            return self.roles[role].value(name)
        return self.sheet.of_instance(self.named_instance(role), name)

    def named_instance(self, name: str) -> Instance:
        if name in self.named:
            return self.sheet.current(self.named[name])
        if self.instance is not None and self.instance.id == name:
            return self.sheet.current(self.instance)
        carried = self.sheet.instances(name)
        if not carried:
            raise BadInput(f"{self.sheet.book.title(name)} is not carried, so it has no values")
        return carried[0]

    def field(self, base: str, name: str) -> Any:
        """`roll.total`: a result kept under a name."""
        kept = self[base]
        if not isinstance(kept, Mapping) or name not in kept:
            raise UnknownName(f"{base} has no {name}")
        return kept[name]

    # --- state -----------------------------------------------------------------------------------------------

    def has(self, name: str, params: Mapping[str, Any] | None = None, role: str | None = None) -> bool:
        return self.bearer(role).has(name, params)

    def level(self, name: str, role: str | None = None) -> int:
        if self.instance is not None and self.instance.id == name and role is None:
            return self.sheet.current(self.instance).level
        return self.bearer(role).level(name)

    def remaining(self, name: str, role: str | None = None) -> int:
        return self.bearer(role).remaining(name)

    def carried(self, tag: str, role: str | None = None) -> int:
        return self.bearer(role).carried(tag)

    def elapsed(self, event: str, role: str | None = None) -> int:
        return self.bearer(role).elapsed(event)

    def overflow(self, track: str, role: str | None = None) -> Any:
        return self.bearer(role).overflow(track)

    def option(self, name: str) -> Any:
        return self.sheet.book.option(name)

    def same(self, left: str, right: str) -> bool:
        return self.bearer(left) is self.bearer(right)

    # --- tables and bands ------------------------------------------------------------------------------------

    def lookup(self, table: str, keys: Any, column: str | None = None) -> Any:
        from ..play import tables

        return tables.lookup(self, table, keys, column)

    def band(self, bands: str, distance: Any) -> Any:
        from ..play import bands as ranges

        return ranges.band(self, bands, distance)

    def distance(self, bands: str, band: Any) -> Any:
        from ..play import bands as ranges

        return ranges.distance(self, bands, band)

    def moves(self, bands: str, start: Any, end: Any) -> Any:
        from ..play import bands as ranges

        return ranges.moves(self, bands, start, end)

    # --- dice: only where there is play ----------------------------------------------------------------------

    def roll(self, count: int, sides: int, mods: Any) -> Any:
        raise RulesError("dice are rolled only in play, not for a value of the sheet")

    def digits(self, sides: Any) -> Any:
        raise RulesError("dice are rolled only in play, not for a value of the sheet")

    def throw(self, count: int, die: str) -> Any:
        raise RulesError("dice are rolled only in play, not for a value of the sheet")

    def net(self, pool: Any, symbol: str) -> Any:
        raise RulesError("symbols are read only in play, not for a value of the sheet")

    def rolled(self, pool: Any, symbol: str) -> Any:
        raise RulesError("symbols are read only in play, not for a value of the sheet")
