"""Time and events: what recurs, what runs out, what ends, what is set back.

In: a play, a sheet, and a unit of time, a scene or an event. Out: the sheet as it stands afterwards, every effect run.
One rule holds, the order within one moment: effects at the end of the unit; time passes, effects that recur in the
order in which their conditions came; durations fall; what has ended ends; resets, and slots are free again; effects
at the start of the next unit. What came in this very moment waits for the next one.

A bigger unit passes when its ratio of small ones has gone by since the clock of the character started; to pass a big
one is to pass all the small ones inside it. Moments at which nothing is due are skipped, so that a day of short turns
costs no more than what happens in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..answers_text import Number, brief, hint, whole
from ..errors import BadInput, LimitReached, RulesError, UnknownName
from ..records import dataclass, replace
from .active import active
from .character import Instance
from .fitting import LIMIT
from .rulebook import Rule, Unit

if TYPE_CHECKING:
    from ..play.play import Play
    from .sheet import Sheet


@dataclass(frozen=True, slots=True)
class Moment:
    """What happens now: `names` of units that pass or of events; for a roll its tags, for an action its names. What
    was touched after `mark` came in this moment. `units` tells whether time passes."""

    names: frozenset[str]
    mark: int
    roll: frozenset[str] = frozenset()
    action: frozenset[str] = frozenset()
    units: bool = False


# --- the doors -------------------------------------------------------------------------------------------------


def advance(play: Play, sheet: Sheet, unit: str, n: int = 1) -> None:
    """`n` units of time pass for a character, or a scene or event happens `n` times."""
    from ..play.happening import follow

    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise BadInput(f"{unit}: how many is a whole number of at least 0, not {brief(n)}")
    book = sheet.book
    sheet.fill()
    follow(play, sheet)
    if unit in book.units:
        _pass(play, sheet, book.units[unit], n)
        return
    if unit not in book.events():
        known = [*book.units, *book.events()]
        raise UnknownName(f"the clock has no {unit}, and it is no scene or event.{hint(unit, known)}")
    if n > play.left:
        raise LimitReached(f"{unit}: at most {play.left:,} times in one go")
    for _ in range(n):
        play.tick(unit)
        happen(play, sheet, unit)


def happen(
    play: Play,
    sheet: Sheet,
    *events: str,
    mark: int | None = None,
    roll: Iterable[str] = (),
    action: Iterable[str] = (),
) -> None:
    """An event happens to a character: a declared one, a scene, a procedure; a roll with its tags; an action with its
    id and tags. `mark` is the sheet's `stamp` when it began: what has come since is not touched."""
    tags, names = frozenset(roll), frozenset(action)
    everything = frozenset(events) | tags | names
    for event in sorted(everything & sheet.book.timed_events()):
        sheet.happened[event] = dict(sheet.clock)
        sheet.memo.clear()
    moment = Moment(everything, sheet.stamp if mark is None else mark, tags, names)
    play.deeper(" ".join(sorted(everything)))
    try:
        _moment(play, sheet, moment)
    finally:
        play.depth -= 1


# --- time ------------------------------------------------------------------------------------------------------


def _pass(play: Play, sheet: Sheet, unit: Unit, n: int) -> None:
    """Let `n` of a unit pass, from one moment at which something is due to the next."""
    chain = sorted((one for one in sheet.book.units.values() if one.root == unit.root), key=lambda one: one.length)
    target = sheet.clock.get(unit.root, 0) + n * unit.length
    if target > LIMIT:
        raise LimitReached(f"the clock counts to 9,007,199,254,740,991 (2^53 - 1) of {unit.root} and no further")
    while True:
        now: Number = sheet.clock.get(unit.root, 0)
        due = [
            (now // one.length + k) * one.length for one in chain if (k := _due_in(play, sheet, one.name)) is not None
        ]
        at = min((moment for moment in due if moment <= target), default=target)
        done = {one.name: int(at // one.length - now // one.length) for one in chain}
        passing = frozenset(one.name for one in chain if at % one.length == 0 and at > now)
        if due and at in due:
            _skip(sheet, {name: count - (name in passing) for name, count in done.items()})
            play.tick(unit.name)
            _moment(play, sheet, Moment(passing, sheet.stamp, units=True), unit.root, whole(Fraction(at)))
        else:
            _skip(sheet, done)
            sheet.clock[unit.root] = whole(Fraction(at))
            sheet.memo.clear()
        if at >= target:
            return


def _due_in(play: Play, sheet: Sheet, unit: str) -> int | None:
    """After how many of a unit something is due; None where nothing is."""
    book = sheet.book
    found: list[int] = []
    for one in sheet.held.values():
        rule = book.rules[one.id]
        if any(each["unit"] == unit for each in rule.get("each", ())) and rule.get("effect"):
            found.append(max(1, _every(sheet, one, rule) - one.age))
        if one.remaining is not None and (rule.get("lasts") or {}).get("unit") == unit:
            found.append(max(1, one.remaining))
    if any(_recurs(one.rule, unit) for one in active(sheet, frozenset()) if one.instance.implied_by is not None):
        found.append(1)
    if _awaited(play, sheet, unit) or any(_ends_with(book.rules[one.id], unit) for one in sheet.held.values()):
        found.append(1)
    if any(unit in reset["each"] for reset, _, _ in _resets(sheet, pending=True)):
        found.append(1)
    if any(sheet.used.get(name) for name, slot in book.slots.items() if slot.get("each", "turn") == unit):
        found.append(1)
    return min(found, default=None)


def _recurs(rule: Rule, unit: str) -> bool:
    return bool(rule.get("effect")) and any(each["unit"] == unit for each in rule.get("each", ()))


def _ends_with(rule: Rule, unit: str) -> bool:
    return any(end["what"] == "event" and unit in end["names"] for end in rule.get("ends", ()))


def _every(sheet: Sheet, one: Instance, rule: Rule) -> int:
    if "every" not in rule:
        return 1
    every = sheet.frame(instance=one).run(rule["every"])
    if not isinstance(every, int) or every < 1:
        raise RulesError(f"{sheet.book.title(one.id)} recurs every {every}; that is no number of times from 1")
    return every


def _skip(sheet: Sheet, counts: dict[str, int]) -> None:
    """Units that pass without anything being due: counters go on, nothing else."""
    for one in list(sheet.held.values()):
        rule = sheet.book.rules[one.id]
        counted = sum(counts.get(each["unit"], 0) for each in rule.get("each", ()))
        if counted and rule.get("effect"):
            one = replace(one, age=one.age + counted)
        gone = counts.get((rule.get("lasts") or {}).get("unit", ""), 0)
        if gone and one.remaining is not None:
            one = replace(one, remaining=one.remaining - gone)
        sheet.held[one.number] = one
    sheet.memo.clear()


# --- one moment ------------------------------------------------------------------------------------------------


def _moment(play: Play, sheet: Sheet, moment: Moment, root: str | None = None, at: Number = 0) -> None:
    _effects(play, sheet, moment, "end")
    _awaited_moments(play, sheet, moment, "end")
    if root is not None:
        sheet.clock[root] = at
        sheet.memo.clear()
    _effects(play, sheet, moment, None)
    ended = list(_durations(sheet, moment))
    for one, expired in [*ended, *((one, False) for one in _by_event(play, sheet, moment))]:
        end(play, sheet, one, expired=expired)
    _set_back(play, sheet, moment)
    _awaited_moments(play, sheet, moment, "start")
    _effects(play, sheet, moment, "start")


def _fresh(sheet: Sheet, one: Instance, moment: Moment) -> bool:
    return sheet.touched.get(one.number, 0) > moment.mark


def _effects(play: Play, sheet: Sheet, moment: Moment, when: str | None) -> None:
    """Effects that recur with what passes now, in the order in which they came."""
    for one in active(sheet, frozenset()):
        carried = sheet.current(one.instance)
        times = sum(each["unit"] in moment.names and each.get("moment") == when for each in one.rule.get("each", ()))
        effect = one.rule.get("effect")
        if not times or not effect or _fresh(sheet, carried, moment):
            continue
        if carried.number not in sheet.held or sheet.held[carried.number].id != carried.id:
            if carried.implied_by is None:
                continue  # something before it in this moment took it away
            if "every" in one.rule:
                raise RulesError(
                    f"{sheet.book.title(carried.id)} is only implied by {sheet.book.title(carried.implied_by)}, so the"
                    " time since it came is not counted; apply it instead"
                )
        else:
            age, every = carried.age + times, _every(sheet, carried, one.rule)
            sheet.held[carried.number] = carried = replace(carried, age=0 if age >= every else age)
            sheet.memo.clear()
            if age < every:
                continue
        if one.suspended_by is None:
            run_effect(play, sheet, carried, effect)


def run_effect(play: Play, sheet: Sheet, instance: Instance, steps: Any) -> None:
    """Run steps of a condition, trait or environment; a `stop` in them ends only them."""
    from ..play.frame import Frame
    from ..play.happening import follow
    from ..play.play import Stop
    from ..play.step_list import run_steps

    play.tick(instance.id)
    with suppress(Stop):
        run_steps(play, Frame(play, sheet, instance.id, instance=instance), steps)
    follow(play, sheet)


def _durations(sheet: Sheet, moment: Moment) -> Iterator[tuple[Instance, bool]]:
    """Durations fall by what passes; what runs out is yielded."""
    for one in list(sheet.held.values()):
        unit = (sheet.book.rules[one.id].get("lasts") or {}).get("unit")
        if one.remaining is None or unit not in moment.names or _fresh(sheet, one, moment):
            continue
        now = sheet.held[one.number] = replace(one, remaining=one.remaining - 1)
        if now.remaining is not None and now.remaining <= 0:
            yield now, True
    sheet.memo.clear()


def _by_event(play: Play, sheet: Sheet, moment: Moment) -> list[Instance]:
    """What ends with what happens now."""
    found: list[Instance] = []
    for one in sheet.held.values():
        if _fresh(sheet, one, moment):
            continue
        if any(_meant(ending, moment) for ending in sheet.book.rules[one.id].get("ends", ())):
            if reason := sheet.forbidden(one.id, "lower"):
                play.note(one.id, "ends", f"{sheet.book.title(one.id)} stays: {reason}", None, sheet)
            else:
                found.append(one)
    return found


def _meant(ending: Rule, moment: Moment) -> bool:
    names = ending["names"]
    match ending["what"]:
        case "after_roll":
            return not moment.roll.isdisjoint(names)
        case "any_action_but":
            return bool(moment.action) and moment.action.isdisjoint(names)
        case _:
            return not moment.names.isdisjoint(names)


def end(play: Play, sheet: Sheet, one: Instance, *, expired: bool) -> None:
    """End an instance; what its time runs out for does its `at_end`."""
    from ..play.happening import follow
    from .conditions import drop

    if sheet.held.get(one.number) is None:
        return
    drop(sheet, one)
    play.note(one.id, "ends", f"{sheet.book.title(one.id)} ends", None, sheet)
    at_end = sheet.book.rules[one.id].get("at_end", ())
    if expired and at_end:
        run_effect(play, sheet, one, at_end)
    else:
        follow(play, sheet)


def _awaited(play: Play, sheet: Sheet, unit: str) -> list[tuple[Sheet, Instance]]:
    """What lasts until a moment of this character's unit: on this sheet, and on others that name it."""
    found: list[tuple[Sheet, Instance]] = []
    others = [other for other in play.cast.values() if other is not sheet]
    names = {sheet.character.name, *(role for role, other in play.cast.items() if other is sheet)} - {None}
    for other in (sheet, *others):
        for one in other.held.values():
            mine = one.until is not None and (one.until.who is None if other is sheet else one.until.who in names)
            if mine and one.until is not None and one.until.unit == unit:
                found.append((other, one))
    return found


def _awaited_moments(play: Play, sheet: Sheet, moment: Moment, which: str) -> None:
    for unit in sorted(moment.names):
        for other, one in _awaited(play, sheet, unit):
            came_now = other is sheet and _fresh(sheet, one, moment)
            if one.until is None or one.until.moment != which or came_now or other.held.get(one.number) != one:
                continue
            if one.until.left > 1:
                other.held[one.number] = replace(one, until=replace(one.until, left=one.until.left - 1))
                other.memo.clear()
            else:
                end(play, other, one, expired=True)


# --- set back --------------------------------------------------------------------------------------------------


def _resets(sheet: Sheet, *, pending: bool = False) -> Iterator[tuple[Rule, str, Instance | None]]:
    """The resets of tracks, with the track and the instance whose own it is; `pending` only where it would change."""
    places: list[tuple[str, Rule, Instance | None]] = [
        (name, rule, None) for name, rule in sheet.book.of_kind("track").items() if rule.get("resets")
    ]
    places += [
        (track["id"], track, one)
        for one in sheet.held.values()
        for track in sheet.book.rules[one.id].get("tracks", ())
        if track.get("resets")
    ]
    for name, rule, holder in places:
        if holder is None and name not in sheet.tracks and (rule.get("scope") != "table" or sheet.table is None):
            continue  # it stands at its start, and what that needs is not known
        for reset in rule["resets"]:
            if pending:
                scope = sheet.frame(instance=holder)
                now = sheet.value(name) if holder is None else holder.tracks[name]
                if now == scope.run(reset["to"]):
                    continue
            yield reset, name, holder


def _set_back(play: Play, sheet: Sheet, moment: Moment) -> None:
    from ..play.happening import follow

    tracks = sheet.book.of_kind("track").values()
    if any(not moment.names.isdisjoint(reset["each"]) for track in tracks for reset in track.get("resets", ())):
        sheet.fill()  # one that nothing has changed yet is set back like any other
    for reset, name, holder in list(_resets(sheet)):
        if moment.names.isdisjoint(reset["each"]):
            continue
        change = sheet.change(name, "set", sheet.frame(instance=holder).run(reset["to"]), holder)
        if change.before != change.after:
            title = sheet.book.title(name) if holder is None else f"{sheet.book.title(holder.id)}, {name}"
            text = f"{title} {change.before} → {change.after}"
            play.note(name if holder is None else holder.id, "reset", text, None, sheet, change.before, change.after)
            if holder is None and sheet.book.rules[name].get("scope") == "table":
                follow(play, sheet, shared=True)
    for name, slot in sheet.book.slots.items():
        if slot.get("each", "turn") in moment.names:
            sheet.used.pop(name, None)
    follow(play, sheet)
