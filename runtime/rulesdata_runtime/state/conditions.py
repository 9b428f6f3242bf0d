"""Conditions coming and going.

In: a sheet and what is applied, removed, or has become true. Out: the sheet changed, and what came and went. One rule
holds: how a condition meets itself is what its `stacking` says, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..answers_text import Number, listed
from ..errors import BadInput, LimitReached, MissingValue, NotAllowed
from ..records import dataclass, replace
from .active import comes, holds
from .character import EMPTY, Character, Instance, Until, Values, fixed
from .fitting import fit_all, number
from .rulebook import Rule

if TYPE_CHECKING:
    from .scope import Scope
    from .sheet import Sheet

ROUNDS = 100
"""Rounds in which conditions may bring and end each other until nothing changes, at most."""

_MOMENT = re.compile(r"(start|end) of (next )?(\w+) (\w+)")


@dataclass(frozen=True, slots=True)
class Removal:
    """What `remove` did: instances gone, those whose level fell (as they were), or why it was refused."""

    gone: tuple[Instance, ...] = ()
    lowered: tuple[Instance, ...] = ()
    refused: str | None = None

    def __bool__(self) -> bool:
        return bool(self.gone or self.lowered)


# --- coming ----------------------------------------------------------------------------------------------------


def apply(
    sheet: Sheet,
    rule_id: str,
    params: Mapping[str, Any] | None = None,
    level: int | None = None,
    for_: int | None = None,
    until: str | Until | None = None,
    roles: Mapping[str, Sheet] | None = None,
) -> Instance | None:
    """See Sheet.apply."""
    rule = sheet.book.rule(rule_id, "condition")
    title = sheet.book.title(rule_id)
    if not sheet.book.in_force(rule):
        raise NotAllowed(f"{title} belongs to an option that is off")
    sheet.fill()
    scope = sheet.frame()
    values = fit_all(rule.get("params", ()), params or {}, title, scope)
    stacking = rule["stacking"]
    if stacking == "levels":
        level = 1 if level is None else int(number(level, f"the level of {title}"))
    elif level not in (None, 1):
        raise BadInput(f"{title} has no levels")
    remaining, end = length(sheet, rule, title, for_, until, scope, roles)
    if remaining is not None and remaining <= 0:
        return None
    there = [one for one in sheet.instances(rule_id) if one.params == values]
    if stacking == "separate" or not there:
        level = capped(rule, 1 if level is None else level, scope)
        if level <= 0:
            return None
        return arrive(sheet, rule_id, values, level=level, remaining=remaining, until=end)
    old = there[0]
    match stacking:
        case "ignore":
            return None
        case "add":
            new = _added(old, remaining, end)
        case "levels":
            total = capped(rule, old.level + (level or 0), scope)
            if total <= 0:
                drop(sheet, old)
                return None
            new = replace(_longer(old, remaining, end), level=total)
        case _:
            new = _longer(old, remaining, end)
    keep(sheet, new)
    return None if new == old else new


def capped(rule: Rule, level: int, scope: Scope) -> int:
    return min(level, int(scope.run(rule["max"]))) if "max" in rule else level


def arrive(
    sheet: Sheet,
    rule_id: str,
    params: Mapping[str, Any],
    *,
    tracks: Mapping[str, Number] | None = None,
    level: int = 1,
    remaining: int | None = None,
    until: Until | None = None,
) -> Instance:
    """A new instance on the sheet; its own tracks stand at their start where none are given."""
    started: dict[str, Number] = dict(tracks or {})
    made = Instance(rule_id, sheet.next_number, dict(params), started, level, remaining, until)
    sheet.next_number += 1
    sheet.held[made.number] = made
    for track in sheet.book.rules[rule_id].get("tracks", ()):
        if track["id"] not in started:
            scope = sheet.frame(instance=made)
            started[track["id"]] = scope.run(track.get("start", track.get("min", 0)))
    keep(sheet, made)
    sheet.arrivals.append(made)
    return made


def keep(sheet: Sheet, instance: Instance) -> None:
    """Put an instance on the sheet as it is now; time that passes in this same moment does not count for it."""
    sheet.held[instance.number] = instance
    sheet.stamp += 1
    sheet.touched[instance.number] = sheet.stamp
    sheet.changed()


def _longer(old: Instance, remaining: int | None, until: Until | None) -> Instance:
    """Renewed to the longer time; without an end is longest. Two different moments cannot be compared: the new one."""
    if remaining is not None and old.remaining is not None:
        return replace(old, remaining=max(old.remaining, remaining))
    if until is not None and old.until is not None:
        same = replace(until, left=old.until.left) == old.until
        return replace(old, until=replace(until, left=max(until.left, old.until.left)) if same else until)
    if old.remaining is None and old.until is None:
        return old
    return replace(old, remaining=remaining, until=until)


def _added(old: Instance, remaining: int | None, until: Until | None) -> Instance:
    """Durations add up; with one that has no end there is none."""
    if remaining is not None and old.remaining is not None:
        return replace(old, remaining=old.remaining + remaining)
    if until is not None and old.until is not None and replace(until, left=old.until.left) == old.until:
        return replace(old, until=replace(until, left=until.left + old.until.left))
    return _longer(old, remaining, until)


def length(
    sheet: Sheet,
    rule: Rule,
    title: str,
    for_: int | None,
    until: str | Until | None,
    scope: Scope,
    roles: Mapping[str, Sheet] | None = None,
) -> tuple[int | None, Until | None]:
    """How long: units left, or the moment of its end; neither where nothing in time ends it."""
    lasts = rule.get("lasts") or {}
    if until is None and for_ is None:
        until, for_ = lasts.get("until"), scope.run(lasts["for"]) if "for" in lasts else None
    if until is not None:
        return None, until if isinstance(until, Until) else moment(sheet, until, roles or {})
    if for_ is not None:
        if "unit" not in lasts:
            raise BadInput(f"{title} does not last a number of turns or the like, so it cannot come for {for_}")
        return int(number(for_, f"how long {title} lasts")), None
    if "unit" in lasts:
        raise BadInput(f"{title} lasts some time; say how many of {lasts['unit']}")
    return None, None


def moment(sheet: Sheet, text: str, roles: Mapping[str, Sheet]) -> Until:
    """`end of next own turn`. A turn of one's own, or of the role that acts (the first), is under way: its end comes
    before that of the next. The turn of anybody else is still to come, so that `next` changes nothing."""
    found = _MOMENT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise BadInput(f"{text} is no moment; write for example: end of next own turn")
    which, next_, whose, unit = found.groups()
    if unit not in sheet.book.units:
        raise BadInput(f"{text}: the clock has no {unit}")
    if whose != "own" and whose not in roles:
        raise BadInput(f"{text}: nobody plays the role {whose}")
    other = sheet if whose == "own" else roles[whose]
    under_way = other is sheet or other is next(iter(roles.values()), sheet)
    left = 2 if which == "end" and next_ and under_way else 1
    who = None if other is sheet else other.character.name or whose
    return Until(which, unit, left, who)


def twice(sheet: Sheet, rule: Rule, rule_id: str, params: Mapping[str, Any]) -> bool:
    """Whether a condition that is carried once at most is there already, with the same parameters."""
    return rule.get("stacking") != "separate" and any(one.params == params for one in sheet.instances(rule_id))


# --- going -----------------------------------------------------------------------------------------------------


def drop(sheet: Sheet, instance: Instance) -> None:
    """Take an instance off the sheet."""
    sheet.fill()
    sheet.held.pop(instance.number, None)
    sheet.touched.pop(instance.number, None)
    sheet.changed()


def remove(sheet: Sheet, rule_id: str, params: Mapping[str, Any] | None = None, level: int | None = None) -> Removal:
    """See Sheet.remove. A level that may not fall stays, and the removal says why. Of what is carried separately
    `level` says how many go, the oldest first."""
    rule = sheet.book.rule(rule_id, "condition", "trait", "environment")
    wanted = [
        one
        for one in sheet.instances(rule_id)
        if all(one.params.get(name) == value for name, value in (params or {}).items())
    ]
    if level is not None and rule.get("stacking") == "separate":
        wanted, level = wanted[: max(0, level)], None
    if not wanted:
        return Removal()
    if reason := sheet.forbidden(rule_id, "lower"):
        return Removal(refused=f"{sheet.book.title(rule_id)} may not fall: {reason}")
    gone: list[Instance] = []
    lowered: list[Instance] = []
    for one in wanted:
        if level is not None and level <= 0:
            continue
        if level is not None and one.level > level:
            lowered.append(one)
            keep(sheet, replace(one, level=one.level - level))
        else:
            gone.append(one)
            drop(sheet, one)
    return Removal(tuple(gone), tuple(lowered))


# --- by themselves ---------------------------------------------------------------------------------------------


def settle(sheet: Sheet) -> list[tuple[str, str]]:
    """See Sheet.settle: rounds until nothing changes."""
    done: list[tuple[str, str]] = []
    for _ in range(ROUNDS):
        now = _round(sheet)
        if not now:
            return done
        done += now
    titles = sorted({sheet.book.title(rule_id) for _, rule_id in now})
    raise LimitReached(f"{listed(titles)} bring and end each other without an end ({ROUNDS} rounds)")


def _round(sheet: Sheet) -> list[tuple[str, str]]:
    done: list[tuple[str, str]] = []
    rules = sheet.book.rules
    for one in list(sheet.held.values()):
        rule = rules[one.id]
        if "while" in rule and holds(sheet, one.id) is False:
            drop(sheet, one)
            done.append(("went", one.id))
        elif "until" in rule and _ended(sheet, one, rule):
            drop(sheet, one)
            done.append(("ended", one.id))
    for rule_id, rule in sheet.book.automatic().items():
        if not sheet.instances(rule_id) and comes(sheet, rule_id):
            scope = sheet.frame()
            title = sheet.book.title(rule_id)
            values = fit_all(rule.get("params", ()), {}, title, scope)
            remaining, until = length(sheet, rule, title, None, None, scope)
            sheet.fill()
            arrive(sheet, rule_id, values, remaining=remaining, until=until)
            done.append(("came", rule_id))
        if "starts" in rule:
            held = holds(sheet, rule_id)
            if held:
                sheet.started.add(rule_id)
            elif held is False:
                sheet.started.discard(rule_id)
    return done


def _ended(sheet: Sheet, one: Instance, rule: Rule) -> bool:
    try:
        return bool(sheet.frame(instance=one).run(rule["until"]))
    except MissingValue as problem:
        sheet.doubts[one.id] = f"whether {sheet.book.title(one.id)} ends is open: {problem.message}"
        return False


def freeze(sheet: Sheet) -> Character:
    """See Sheet.freeze."""
    of_kind: dict[str | None, list[Instance]] = {}
    for number_ in sorted(sheet.held):
        one = sheet.held[number_]
        of_kind.setdefault(sheet.book.kind(one.id), []).append(fixed(one))
    return Character(
        sheet=sheet.character.sheet,
        values=Values(sheet.values),
        tracks=Values(sheet.tracks),
        conditions=tuple(of_kind.get("condition", ())),
        traits=tuple(of_kind.get("trait", ())),
        environments=tuple(of_kind.get("environment", ())),
        used=Values(sheet.used),
        clock=Values(sheet.clock),
        happened=Values({event: Values(times) for event, times in sheet.happened.items()}),
        name=sheet.character.name,
        started=tuple(sorted(sheet.started)),
        unknown=sheet.character.unknown or EMPTY,
    )
