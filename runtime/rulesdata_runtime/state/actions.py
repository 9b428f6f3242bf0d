"""Actions: what is legal now, and doing it.

In: a play, a sheet, and the id of an action. Out: each action with whether it is allowed, why not, and what it takes;
or the action done. One rule holds: `act` does nothing that `legal` says is not allowed, and its refusal has the same
words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..answers_text import render
from ..errors import MissingValue, NotAllowed
from ..records import dataclass
from ..search import said
from .fitting import fit_all
from .modifiers import acting
from .rulebook import Rule
from .slots import Way, one_by_one, pay, state, ways, why_not

if TYPE_CHECKING:
    from ..play.frame import Frame
    from ..play.play import Play
    from .sheet import Sheet


@dataclass(frozen=True, slots=True)
class ActionState:
    """An action as it stands: `reason` says why it is not allowed; `cost` are uses of slots, and `pay` the ways to
    buy those that are no longer free (slot, way, title). `open` are requirements that depend on what is given."""

    id: str
    title: str
    allowed: bool
    reason: str | None = None
    cost: tuple[tuple[str, int], ...] = ()
    pay: tuple[tuple[str, str, str], ...] = ()
    open: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"id": self.id, "title": self.title, "allowed": self.allowed}
        if self.reason is not None:
            shape["reason"] = self.reason
        if self.cost:
            shape["cost"] = dict(self.cost)
        if self.pay:
            shape["pay"] = [{"slot": slot, "id": way, "title": title} for slot, way, title in self.pay]
        if self.open:
            shape["open"] = list(self.open)
        return shape


def legal(play: Play, sheet: Sheet, *, own_turn: bool = True) -> list[ActionState]:
    """Every action of the rules, by id, with whether it is allowed now."""
    book = sheet.book
    return [
        look(play, sheet, action_id, own_turn=own_turn)
        for action_id, rule in book.of_kind("action").items()
        if book.in_force(rule)
    ]


def look(play: Play, sheet: Sheet, action_id: str, *, own_turn: bool = True) -> ActionState:
    """One action as it stands, before anything is given for its parameters."""
    try:
        return _look(play, sheet, action_id, own_turn)
    except MissingValue as problem:
        reason = f"it cannot be told: {problem.message}"
        return ActionState(action_id, sheet.book.title(action_id), False, reason)


def _look(play: Play, sheet: Sheet, action_id: str, own_turn: bool) -> ActionState:
    from ..play.frame import Frame

    book = sheet.book
    rule = book.rule(action_id, "action")
    frame = Frame(play, sheet, action_id)
    missing = {spec["name"] for spec in rule.get("params", ()) if "default" not in spec}
    roles = [name for name, _ in rule.get("roles", ())]
    for spec in rule.get("params", ()):
        if "default" in spec and not _reads(spec["default"], missing):
            frame[spec["name"]] = frame.run(spec["default"])
        else:
            missing.add(spec["name"])
    frame.roles = {roles[0]: sheet} if roles else {}
    cost, unknown = _cost(frame, rule, missing | set(roles[1:]))
    reason = _refusal(sheet, action_id, rule, own_turn)
    waiting: list[str] = []
    for requirement in rule.get("requires", ()):
        text = said(requirement.get("else")) or "its requirement holds"
        if _reads(requirement["that"], missing | set(roles[1:])):
            waiting.append(text)
        elif reason is None and not frame.run(requirement["that"]):
            reason = _unmet(requirement, frame)
    if reason is None:
        reason = why_not(play, sheet, cost)
    to_pay: list[tuple[str, str, str]] = []
    if reason is None:
        for slot_id, uses, later in one_by_one(cost):
            if state(sheet, slot_id).bought(uses):
                to_pay += [(slot_id, way.id, way.title) for way in ways(play, sheet, slot_id, later)[0]]
    return ActionState(
        action_id,
        book.title(action_id),
        reason is None,
        reason,
        tuple(cost.items()),
        tuple(to_pay),
        (*waiting, *unknown),
    )


def act(
    play: Play,
    sheet: Sheet,
    action_id: str,
    given: Mapping[str, Any] | None = None,
    *,
    roles: Mapping[str, Sheet] | None = None,
    own_turn: bool = True,
) -> Frame:
    """Do an action: pay its slots, run its effect, and let it be an event. The frame holds what its steps made."""
    from ..play.frame import Frame
    from ..play.happening import follow
    from ..play.play import Stop
    from ..play.procedures import check_roles
    from ..play.step_list import run_steps
    from .clock import happen

    book = sheet.book
    rule = book.rule(action_id, "action")
    title = book.title(action_id)
    if not book.in_force(rule):
        raise NotAllowed(f"{title} belongs to an option that is off")
    first = next((name for name, _ in rule.get("roles", ())), None)
    cast = {**({first: sheet} if first is not None else {}), **(roles or {})}
    follow(play, sheet)
    mark = sheet.stamp
    frame = Frame(play, sheet, action_id, roles=check_roles(rule, title, cast))
    params = fit_all(rule.get("params", ()), given or {}, title, frame)
    reason = _refusal(sheet, action_id, rule, own_turn)
    for requirement in rule.get("requires", ()):
        if reason is None and not frame.run(requirement["that"]):
            reason = _unmet(requirement, frame)
    cost, _ = _cost(frame, rule, set())
    reason = reason or why_not(play, sheet, cost)
    if reason is not None:
        raise NotAllowed(f"{title}: {reason}")
    play.note(action_id, "act", title, rule.get("at"), sheet)
    for slot_id, uses, later in one_by_one(cost):
        _take(play, sheet, slot_id, uses, later)
    sheet.acting = acting(action_id, params)
    sheet.memo.clear()
    play.deeper(title)
    try:
        run_steps(play, frame, rule.get("effect", ()))
    except Stop:
        pass
    finally:
        play.depth -= 1
        sheet.acting = None
        sheet.memo.clear()
    follow(play, sheet)
    happen(play, sheet, mark=mark, action=(action_id, *rule.get("tags", ())))
    return frame


def _refusal(sheet: Sheet, action_id: str, rule: Rule, own_turn: bool) -> str | None:
    """Why an action is refused whatever is given for it."""
    if not own_turn and not rule.get("outside_turn"):
        return "only in one's own turn"
    for name in (action_id, *rule.get("tags", ())):
        if reason := sheet.forbidden(name):
            return reason
    return None


def _unmet(requirement: Rule, frame: Frame) -> str:
    if "else" in requirement:
        return render(requirement["else"], frame)
    from .shown import show

    return f"needs {show(requirement['that'])}"


def _cost(frame: Frame, rule: Rule, missing: set[str]) -> tuple[dict[str, int], list[str]]:
    """Uses of slots; a slot whose number depends on what is not given yet counts once and is told."""
    found: dict[str, int] = {}
    waiting: list[str] = []
    for slot_id, code in rule.get("slots", ()):
        if code is not None and _reads(code, missing):
            waiting.append(f"how many of {frame.sheet.book.title(slot_id)} it takes")
            found[slot_id] = 1
        else:
            uses = 1 if code is None else frame.run(code)
            if uses > 0:
                found[slot_id] = found.get(slot_id, 0) + uses
    return found, waiting


def _reads(code: Any, names: set[str]) -> bool:
    """Whether a formula reads one of some names, as its own or as a role."""
    if isinstance(code, dict):
        return any(_reads(part, names) for part in code.values())
    if not names or not isinstance(code, list):
        return False
    return any(part in names if isinstance(part, str) else _reads(part, names) for part in code[1:])


def _take(play: Play, sheet: Sheet, slot_id: str, uses: int, later: Mapping[str, int]) -> None:
    """Use a slot, and buy what is not free: where there are several ways, the player says which."""
    for _ in range(state(sheet, slot_id).bought(uses)):
        found, _ = ways(play, sheet, slot_id, later)
        way = found[0] if len(found) == 1 else _asked(play, sheet, slot_id, found)
        play.note(slot_id, "buy", f"{sheet.book.title(slot_id)}: {way.title}", None, sheet)
        pay(play, sheet, way)
    sheet.used[slot_id] = sheet.used.get(slot_id, 0) + uses


def _asked(play: Play, sheet: Sheet, slot_id: str, found: list[Way]) -> Way:
    from ..play.play import Question

    title = f"{sheet.book.title(slot_id)}, one more"
    options = tuple((way.id, way.title) for way in found)
    chosen = play.choose(Question(slot_id, "choice", title, play.name_of(sheet), options))
    return next(way for way in found if way.id == chosen)
