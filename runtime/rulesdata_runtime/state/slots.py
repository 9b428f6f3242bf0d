"""How much a turn allows: uses of slots, free and bought.

In: a sheet and a slot of the rules. Out: what is left of it, and the ways to buy a further use that can be paid in
full. One rule holds: a payment is tried on a copy first; what cannot be paid whole is not offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..answers_text import listed
from ..errors import NotAllowed
from ..records import dataclass
from .modifiers import combine, on_value, stack
from .rulebook import Rule

if TYPE_CHECKING:
    from ..play.play import Play
    from .sheet import Sheet


@dataclass(frozen=True, slots=True)
class SlotState:
    """A slot as it stands. `free` None is without a limit, `cap` None too; `forbidden` is the reason."""

    id: str
    title: str
    each: str
    used: int
    free: int | None
    cap: int | None
    forbidden: str | None = None

    @property
    def left(self) -> int | None:
        """Free uses left."""
        return None if self.free is None else max(0, self.free - self.used)

    def bought(self, uses: int) -> int:
        """How many of so many further uses must be bought."""
        return 0 if self.free is None else max(0, self.used + uses - max(self.free, self.used))

    def refuses(self, uses: int) -> str | None:
        """Why so many further uses are not allowed, bought or not."""
        if self.forbidden is not None:
            return self.forbidden
        if self.cap is not None and self.used + uses > self.cap:
            return f"{self.title}: no more than {self.cap} each {self.each}"
        return None


@dataclass(frozen=True, slots=True)
class Way:
    """A way to buy one further use of a slot."""

    id: str
    title: str
    slot: str | None
    steps: tuple[Rule, ...]


def state(sheet: Sheet, slot_id: str) -> SlotState:
    """A slot with its modifiers."""
    book = sheet.book
    slot = book.slots[slot_id]
    scope = sheet.frame()
    found, _ = on_value(sheet, "slot", slot_id)
    title = book.title(slot_id)
    limits: dict[str, int | None] = {}
    for key in ("free", "cap"):
        base = scope.run(slot[key]) if key in slot else None
        mine = [one for one in found if one.key == key or (base is not None and one.verb in ("at_least", "at_most"))]
        if base is None and not any(one.verb == "set" for one in mine):
            limits[key] = None  # without a limit, whatever is added to it
        else:
            limits[key] = combine(base, mine, book.stacking, what=f"{title}, {key}").value
    counted, _ = stack([one for one in found if one.verb == "forbid"], book.stacking)
    forbidden = f"{counted[0].title} forbids it" if counted else sheet.forbidden(slot_id)
    return SlotState(
        slot_id,
        title,
        slot.get("each", "turn"),
        sheet.used.get(slot_id, 0),
        limits["free"],
        limits["cap"],
        forbidden,
    )


def why_not(play: Play, sheet: Sheet, needs: Mapping[str, int]) -> str | None:
    """Why the slots do not allow so many uses; None where they do. Payments are tried one after another."""
    trial = copy_of(sheet) if needs else sheet
    for slot_id, uses, later in one_by_one(needs):
        now = state(trial, slot_id)
        if reason := now.refuses(uses):
            return reason
        for _ in range(now.bought(uses)):
            open_ways, reasons = ways(play, trial, slot_id, later)
            if not open_ways:
                used = f"{now.title}: the {now.free} of this {now.each} {'is' if now.free == 1 else 'are'} used up"
                if now.free == 0:
                    used = f"{now.title}: none is free"
                return f"{used}; {listed(reasons, 'and')}" if reasons else used
            pay(play, trial, open_ways[0], dry=True)
        trial.used[slot_id] = trial.used.get(slot_id, 0) + uses
    return None


def one_by_one(needs: Mapping[str, int]) -> Iterator[tuple[str, int, dict[str, int]]]:
    """Each slot with its uses and what will be taken after it."""
    later = dict(needs)
    for slot_id, uses in needs.items():
        del later[slot_id]
        yield slot_id, uses, dict(later)


def ways(play: Play, sheet: Sheet, slot_id: str, needs: Mapping[str, int] | None = None) -> tuple[list[Way], list[str]]:
    """The ways to buy one further use that can be paid now, and why the others cannot. `needs` are uses of other
    slots that the action itself will take."""
    found: list[Way] = []
    reasons: list[str] = []
    for more in sheet.book.slots[slot_id].get("more", ()):
        other = more.get("slot")
        title = more.get("title") or (sheet.book.title(other) if other is not None else more.get("id", ""))
        way = Way(more.get("id") or str(other), str(title), other, tuple(more.get("steps", ())))
        if "when" in more and not sheet.frame().run(more["when"]):
            continue
        if reason := _refused(play, sheet, way, needs or {}):
            reasons.append(f"{way.title}: {reason}")
        else:
            found.append(way)
    return found, reasons


def _refused(play: Play, sheet: Sheet, way: Way, needs: Mapping[str, int]) -> str | None:
    """Why a way cannot be paid now."""
    if way.slot is not None:
        other = state(sheet, way.slot)
        uses = 1 + needs.get(way.slot, 0)
        if reason := other.refuses(uses):
            return reason
        if other.bought(uses):
            return "nothing of it is left"
    trial = copy_of(sheet)
    trial.strict = True
    try:
        _try_steps(play, trial, way.steps)
    except NotAllowed as problem:
        return problem.message
    return None


def pay(play: Play, sheet: Sheet, way: Way, *, dry: bool = False) -> None:
    """Buy one further use. `dry` changes tracks and nothing else: no dice, no questions."""
    from ..play.happening import follow

    sheet.strict = True
    try:
        if way.slot is not None:
            sheet.used[way.slot] = sheet.used.get(way.slot, 0) + 1
        if dry:
            _try_steps(play, sheet, way.steps)
        else:
            from ..play.frame import Frame
            from ..play.step_list import run_steps

            run_steps(play, Frame(play, sheet, way.id), way.steps)
    finally:
        sheet.strict = False
    if not dry:
        follow(play, sheet)


def _try_steps(play: Play, sheet: Sheet, steps: Iterable[Rule]) -> None:
    """The changes among some steps, on a copy; other steps cost nothing."""
    from ..play.frame import Frame

    frame = Frame(play, sheet, "")
    for step in steps:
        if step["step"] == "when":
            _try_steps(play, sheet, step.get("then" if frame.run(step["when"]) else "else", ()))
        elif step["step"] == "change" and ("when" not in step or frame.run(step["when"])):
            for ref, code in step["tracks"]:
                target = frame.target(ref)
                target.sheet.change(target.name, step["verb"], frame.run(code), target.holder)


def copy_of(sheet: Sheet) -> Sheet:
    """A sheet to try something on."""
    from .sheet import Sheet as Copy

    table = sheet.table
    other: Any = None if table is None else Copy(table.rules, table.freeze())
    made = Copy(sheet.rules, sheet.freeze(), table=other)
    made.acting = sheet.acting
    return made
