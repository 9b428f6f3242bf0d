"""What a formula sees in play: a Scope that can roll dice and belongs to a rule.

In: a play, the sheet that owns bare names, the roles, and local values. Out: a mapping with everything prepared
formulas call. One rule holds: dice that were thrown are kept in the play (`thrown`), in the order they were thrown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..answers_text import render
from ..errors import BadInput, UnknownName
from ..formulas.pools import Pool, roll_digits, roll_pool
from ..formulas.symbols import SymbolPool, throw_all
from ..records import dataclass
from ..state.rulebook import ref_name
from ..state.scope import Scope

if TYPE_CHECKING:
    from ..state.character import Instance
    from ..state.sheet import Sheet
    from .play import Play

AnyPool = TypeVar("AnyPool", Pool, SymbolPool)


@dataclass(frozen=True, slots=True)
class Target:
    """What a reference in a step means: a rule's id on a sheet; `holder` is the instance whose own track it is."""

    sheet: Sheet
    name: str
    holder: Instance | None = None


class Frame(Scope):
    """The names of one list of steps. `rule` is the id of the rule the steps belong to."""

    __slots__ = ("play", "rule")

    def __init__(
        self,
        play: Play,
        sheet: Sheet,
        rule: str,
        names: Mapping[str, Any] | None = None,
        *,
        roles: Mapping[str, Sheet] | None = None,
        instance: Instance | None = None,
        named: Mapping[str, Instance] | None = None,
    ) -> None:
        super().__init__(sheet, names, roles=roles, instance=instance, named=named)
        self.play = play
        self.rule = rule

    def child(self, named: Mapping[str, Instance] | None = None) -> Frame:
        """The names so far, for a list of steps inside this one; what that list adds does not come back."""
        inner = Frame(self.play, self.sheet, self.rule, roles=self.roles, named=named or self.named)
        inner.instance = self.instance
        inner.update(self)
        return inner

    def text(self, template: str | Sequence[Any] | None) -> str:
        """A text with its formulas worked out."""
        return render(template, self)

    def of(self, role: str, name: str) -> Any:
        """`role.name`, or a column of a row and the like where a result is kept under that name."""
        if role not in self.roles and role not in self.named and dict.__contains__(self, role):
            return self.field(role, name)
        return super().of(role, name)

    # --- references -------------------------------------------------------------------------------------------

    def target(self, ref: Any, to: str | None = None) -> Target:
        """What a reference names; `to` is the role the step acts on."""
        name = ref_name(ref, self)
        sheet = self.bearer(to)
        of = None if isinstance(ref, str) else ref.get("of")
        if of is None:
            return Target(sheet, name)
        if of in self.roles:
            return Target(self.roles[of], name)
        if of in self.named:
            return Target(sheet, name, sheet.current(self.named[of]))
        if self.instance is not None and self.instance.id == of and sheet is self.sheet:
            return Target(sheet, name, sheet.current(self.instance))
        carried = sheet.instances(of)
        if not carried:
            raise UnknownName(f"{sheet.book.title(of)} is not carried, so its {name} cannot change")
        return Target(sheet, name, carried[0])

    # --- dice -------------------------------------------------------------------------------------------------

    def roll(self, count: int, sides: int, mods: Any) -> Pool:
        return self._kept(roll_pool(self.play.dice, count, sides, mods))

    def digits(self, sides: Any) -> Pool:
        return self._kept(roll_digits(self.play.dice, sides))

    def draw(self, sides: int, what: str) -> int:
        """One number from 1 to `sides`, for a choice by weight."""
        pool = self._kept(Pool(sides, (self.play.dice.draw(sides, what),)))
        return int(pool.total)

    def throw(self, count: int, die: str) -> SymbolPool:
        return self.throw_all({die: count})

    def throw_all(self, counts: Mapping[str, int]) -> SymbolPool:
        """Custom dice of several kinds in one pool."""
        return self._kept(throw_all(self.play.dice, counts, self.play.rules.dice_rules))

    def _kept(self, pool: AnyPool) -> AnyPool:
        self.play.thrown.append(pool)
        return pool

    def net(self, pool: Any, symbol: str) -> int:
        return self._symbols(pool).net(symbol)

    def rolled(self, pool: Any, symbol: str) -> int:
        return self._symbols(pool).rolled(symbol)

    def _symbols(self, pool: Any) -> SymbolPool:
        """A pool of symbols: the one meant, that of a roll kept under a name, or the roll's own."""
        found = self["pool"] if pool is None else getattr(pool, "pool", pool)
        if not isinstance(found, SymbolPool):
            raise BadInput("symbols are read of a pool of custom dice, and this is none")
        return found
