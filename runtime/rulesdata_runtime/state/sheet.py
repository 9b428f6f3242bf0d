"""The working state of one character.

In: the rules and a frozen Character. Out: values with their modifiers, changes within the limits of tracks, and a new
frozen Character. One rule holds: a value is remembered until anything at all changes, then it is worked out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from ..answers_text import Number, hint, listed, say, whole
from ..errors import BadInput, MissingValue, NotAllowed, RulesError, UnknownName
from ..play.doors import person
from ..records import dataclass, replace
from . import conditions
from .active import carried, carrying, forbidden
from .character import Character, Instance, Until
from .modifiers import Result, combine, on_value, rounded, touched
from .rulebook import Rule, Rulebook, ref_name
from .scope import Scope


@dataclass(frozen=True, slots=True)
class Change:
    """A track before and after; `overflow` is what did not fit, `then` what it did to the track it went on to."""

    track: str
    before: Number
    after: Number
    overflow: Number = 0
    then: Change | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """How a value came about: `base` before its modifiers, `result` with them, `caps` what held it in the end."""

    base: Any
    result: Result
    value: Any
    caps: tuple[str, ...] = ()


def _after(verb: str, before: Number, amount: Number) -> Number:
    if verb == "set":
        return amount
    return before + amount if verb == "add" else before - amount


class Sheet:
    """See the module. `table` is the sheet that holds the tracks of the whole table, where there is one."""

    def __init__(self, rules: Any, character: Character | None = None, *, table: Sheet | None = None) -> None:
        self.rules = rules
        self.book = Rulebook.of(rules)
        self.character = character = person(character) if character is not None else Character()
        self.kind = character.sheet or next(iter(self.book.sheets), "")
        self.table = table
        self.values = dict(character.values)
        self.tracks = dict(character.tracks)
        self.held: dict[int, Instance] = {one.number: one for one in character.instances}
        self.used = dict(character.used)
        self.clock = dict(character.clock)
        self.happened = dict(character.happened)
        self.started = set(character.started)
        self.next_number = max(self.held, default=0) + 1
        self.acting: Instance | None = None
        self.strict = False  # while something is paid for: what does not fit is refused
        self.memo: dict[Any, Any] = {}
        self.doubts: dict[str, str] = {}
        self.overflows: dict[str, Number] = {}
        self.stamp = 0
        self.touched: dict[int, int] = {}
        self.arrivals: list[Instance] = []
        self.shrunk: list[Change] = []
        self._working: list[str] = []
        self._filled = False
        self._handed: set[str] = set()
        if table is not None:
            self._hand_over(table)

    def _hand_over(self, table: Sheet) -> None:
        """What a character brings of the table's own tracks goes to the table."""
        for name in [name for name in self.tracks if self.book.rules[name].get("scope") == "table"]:
            value, there = self.tracks.pop(name), table.tracks.get(name)
            if name in table._handed and there != value:
                raise BadInput(f"{self.book.title(name)} is one for all, and is given as {there} and as {value}")
            table.tracks[name] = value
            table._handed.add(name)

    # --- values ----------------------------------------------------------------------------------------------

    def frame(self, names: Mapping[str, Any] | None = None, *, instance: Instance | None = None) -> Scope:
        """What a formula of this sheet sees."""
        return Scope(self, names, instance=instance)

    def value(self, name: str) -> Any:
        """A stat, derived value or track, with its modifiers."""
        if name not in self.memo:
            self.memo[name] = self.worked(name).value
        return self.memo[name]

    def base(self, name: str) -> Any:
        """A value without its modifiers."""
        return self.worked(name).base

    def worked(self, name: str) -> Worked:
        """A value and how it came about."""
        rule = self.value_rule(name)
        with self.working(name):
            match self.book.kind(name):
                case "track":
                    found = self._track(name, rule)
                    return Worked(found, Result(found), found)
                case "stat":
                    base = self._stat(name, rule)
                case _:
                    base = self.frame().run(rule["formula"])
            if not touched(self.book, "value", name):
                result = Result(base)
            else:
                more, left = on_value(self, "value", name)
                result = combine(base, more, self.book.stacking, left, self.book.title(name))
            return self._capped(base, result, rule)

    def _capped(self, base: Any, result: Result, rule: Rule) -> Worked:
        """The derived value's own rounding and caps; a stat has none."""
        value = result.value
        caps: list[str] = []
        if "formula" in rule:
            if isinstance(value, Fraction):
                value = rounded(value, rule.get("round"))
            for bound, pick in (("min", max), ("max", min)):
                if bound in rule:
                    limit = self.frame().run(rule[bound])
                    if pick(value, limit) != value:
                        caps.append(f"{'at least' if bound == 'min' else 'at most'} {say(limit)}")
                        value = limit
        return Worked(base, result, value, tuple(caps))

    def value_rule(self, name: str) -> Rule:
        """The rule of a value's name."""
        if self.book.kind(name) in ("stat", "derived", "track"):
            return self.book.rules[name]
        raise UnknownName(f"there is no value {name}.{hint(name, self.book.of_kind('stat', 'derived', 'track'))}")

    def on_sheet(self, name: str) -> bool:
        """Whether this kind of sheet has a stat or track."""
        has = self.book.sheets.get(self.kind)
        return has is None or name in has or name.partition("[")[0] in has

    def _stat(self, name: str, rule: Rule) -> Any:
        if name in self.values:
            return self.values[name]
        if not self.on_sheet(name):
            raise MissingValue(name, f"a {self.kind} has no {name}")
        default = rule["spec"].get("default")
        if default is None:
            raise MissingValue(name, f"{name} is not given{self._wanted_by(name)}")
        return self.frame().run(default)

    def _wanted_by(self, name: str) -> str:
        users = [one for one in self._working if one != name]
        return f", and {self.book.title(users[-1])} needs it" if users else ""

    def _track(self, name: str, rule: Rule) -> Number:
        if rule.get("scope") == "table" and self.table is not None and self.table is not self:
            found: Number = self.table.value(name)
            return found
        if name in self.tracks:
            return self.tracks[name]
        if not self.on_sheet(name):
            raise MissingValue(name, f"a {self.kind} has no {name}")
        low: Number = self.frame().run(rule.get("min", 0))
        start: Number = low if "start" not in rule else self.frame().run(rule["start"])
        if start == low:
            return start  # no maximum is below the minimum, so nobody has to know it
        high = self.track_max(name)
        return start if high is None else min(start, high)

    @contextmanager
    def working(self, name: str) -> Iterator[None]:
        """Guard against values that need themselves; the error tells the loop hop by hop."""
        if name in self._working:
            loop = [self.book.title(one) for one in [*self._working[self._working.index(name) :], name]]
            raise RulesError(f"a value needs itself: {' needs '.join(loop)}", place=self.book.place(name))
        self._working.append(name)
        try:
            yield
        finally:
            self._working.pop()

    # --- tracks ----------------------------------------------------------------------------------------------

    def limits(self, name: str, holder: Instance | None = None) -> tuple[Number, Number | None]:
        """The lowest and highest value of a track now; no highest is None."""
        rule = self.track_rule(name, holder)
        scope = self.frame(instance=holder)
        low = scope.run(rule.get("min", 0))
        if "max" not in rule:
            return low, None
        high = scope.run(rule["max"])
        if holder is None and touched(self.book, "track_max", name):
            more, left = on_value(self, "track_max", name)
            high = combine(high, more, self.book.stacking, left, f"the maximum of {self.book.title(name)}").value
        if isinstance(high, Fraction) and rule.get("type", "int") == "int":
            raise RulesError(f"the maximum of {self.book.title(name)} is {high}, which is no whole number")
        return low, max(low, high)

    def track_max(self, name: str) -> Number | None:
        return self.limits(name)[1]

    def track_rule(self, name: str, holder: Instance | None = None) -> Rule:
        if holder is None:
            return self.book.rule(name, "track")
        tracks = {track["id"]: track for track in self.book.rules[holder.id].get("tracks", ())}
        if name not in tracks:
            raise UnknownName(f"{self.book.title(holder.id)} has no track {name}.{hint(name, tracks)}")
        found: Rule = tracks[name]
        return found

    def change(self, name: str, verb: str, amount: Number, holder: Instance | None = None) -> Change:
        """`add`, `subtract` or `set` a track; `holder` is the instance whose own track it is."""
        return self._change(name, verb, amount, holder, ())

    def _change(self, name: str, verb: str, amount: Number, holder: Instance | None, path: tuple[str, ...]) -> Change:
        rule = self.track_rule(name, holder)
        shared = self.table
        if holder is None and rule.get("scope") == "table" and shared is not None and shared is not self:
            done = shared._change(name, verb, amount, None, path)
            self.overflows[name] = done.overflow
            self.changed()
            return done
        if holder is None and name not in self.tracks and not self.on_sheet(name):
            raise NotAllowed(f"a {self.kind} has no {name}")
        self.fill()
        title = str(rule.get("title") or name)
        holder = None if holder is None else self.current(holder)
        before: Number = self.value(name) if holder is None else holder.tracks[name]
        target = whole(_after(verb, before, amount))
        if isinstance(target, Fraction) and rule.get("type", "int") == "int":
            raise BadInput(f"{title} counts in whole numbers, and {say(amount)} is none")
        low, high = self.limits(name, holder)
        if high is not None and verb != "set" and rule.get("shrinks") == "keep":
            high = max(high, before)
        after = max(low, target if high is None else min(target, high))
        overflow = target - after if target > after else after - target
        if overflow and (self.strict or rule.get("over") == "error"):
            limit = f"the most is {high}" if target > after else f"the least is {low}"
            raise NotAllowed(f"{title} is {before} and would become {target}, but {limit}")
        if holder is None:
            self.tracks[name] = after
        else:
            self.held[holder.number] = replace(holder, tracks={**holder.tracks, name: after})
        self.overflows[name] = overflow
        self.changed()
        over = rule.get("over", "lost")
        then = None
        # Only what is too much goes on: what a track lacks is read from overflow(track) by the rule that cares.
        if target > after and over not in ("lost", "error"):
            other = ref_name(over, self.frame())
            if other in (*path, name):
                loop = listed(self.book.title(one) for one in (*path, name))
                raise RulesError(f"what does not fit goes round in a circle: {loop}")
            then = self._change(other, "add", overflow, None, (*path, name))
        return Change(name, before, after, overflow, then)

    def overflow(self, name: str) -> Number:
        """What did not fit at the last change of a track; never negative."""
        return self.overflows.get(name, 0)

    def fill(self) -> None:
        """Write down where every track stands, before the first change: a start is taken once, not again later."""
        if self._filled:
            return
        self._filled = True
        for name, rule in self.book.of_kind("track").items():
            own = (rule.get("scope") == "table") == (self.kind == "table")
            if own and name not in self.tracks and self.on_sheet(name):
                try:
                    self.tracks[name] = self.value(name)
                except MissingValue:
                    continue  # stays open, and is an error for whoever asks

    def changed(self) -> None:
        """Forget what was worked out, and keep tracks inside limits that have moved."""
        self.memo.clear()
        for name in self.book.moving_tracks():
            if name not in self.tracks:
                continue
            before = self.tracks[name]
            try:
                low, high = self.limits(name)
            except MissingValue:
                continue
            keep = self.book.rules[name].get("shrinks") == "keep"
            after = max(low, before if high is None or keep else min(before, high))
            if after != before:
                self.tracks[name] = after
                self.shrunk.append(Change(name, before, after))
                self.memo.clear()

    # --- what is carried -------------------------------------------------------------------------------------

    def current(self, instance: Instance) -> Instance:
        """An instance as it is now; one that has gone, as it was."""
        now = self.held.get(instance.number)
        return now if now is not None and now.id == instance.id else instance

    def instances(self, rule_id: str) -> list[Instance]:
        """What is carried of a condition, trait or environment, in order of arrival."""
        return [one for one in self.held.values() if one.id == rule_id]

    def tagged_traits(self, tag: str) -> list[Instance]:
        book = self.book
        return [one for one in self.held.values() if book.kind(one.id) == "trait" and tag in book.tags(one.id)]

    def of_instance(self, instance: Instance, name: str) -> Any:
        now = self.current(instance)
        if name in now.params:
            return now.params[name]
        if name in now.tracks:
            return now.tracks[name]
        raise UnknownName(f"{self.book.title(now.id)} has no {name}.{hint(name, [*now.params, *now.tracks])}")

    def carrying(self, rule_id: str) -> list[Instance]:
        """What is there of a condition, trait or environment: carried, come by itself, or implied."""
        return carrying(self, rule_id)

    def has(self, rule_id: str, params: Mapping[str, Any] | None = None) -> bool:
        return any(
            all(one.params.get(name) == value for name, value in (params or {}).items())
            for one in self.carrying(rule_id)
        )

    def level(self, rule_id: str) -> int:
        """The highest level of a condition, 0 where it is not there."""
        return max((one.level for one in self.carrying(rule_id)), default=0)

    def remaining(self, rule_id: str) -> int:
        """The longest time left, 0 where not carried."""
        left = [one.remaining for one in self.instances(rule_id)]
        if None in left:
            raise RulesError(f"{self.book.title(rule_id)} has no end in time, so nothing of it remains")
        return max((one for one in left if one is not None), default=0)

    def carried(self, tag: str) -> int:
        """How many conditions with a tag are carried; those only implied by others do not count."""
        return carried(self, tag)

    def elapsed(self, event: str) -> int:
        """Whole units of the clock's first unit since an event last happened."""
        then = self.happened.get(event)
        if then is None:
            raise RulesError(f"{event} has not happened yet")
        unit = next(iter(self.book.units.values()), None)
        if unit is None:
            raise RulesError("the rules have no clock")
        return int((self.clock.get(unit.root, 0) - then.get(unit.root, 0)) // unit.length)

    def forbidden(self, name: str, what: str = "name") -> str | None:
        """Why a slot, action or tag is forbidden now; with `what` `lower` why a condition's level may not fall."""
        return forbidden(self, name, what)

    # --- coming and going ------------------------------------------------------------------------------------

    def apply(
        self,
        rule_id: str,
        params: Mapping[str, Any] | None = None,
        level: int | None = None,
        for_: int | None = None,
        until: str | Until | None = None,
        roles: Mapping[str, Sheet] | None = None,
    ) -> Instance | None:
        """Apply a condition as its stacking says. None where it changes nothing. What came anew is also among
        `arrivals`, for the caller to run its entry steps."""
        return conditions.apply(self, rule_id, params, level, for_, until, roles)

    def remove(
        self, rule_id: str, params: Mapping[str, Any] | None = None, level: int | None = None
    ) -> conditions.Removal:
        """Take a condition away, or that many levels of it."""
        return conditions.remove(self, rule_id, params, level)

    def settle(self) -> list[tuple[str, str]]:
        """Bring automatic conditions and ends by formula up to date; what changed, as (came|went|ended, id)."""
        return conditions.settle(self)

    def take_arrivals(self) -> list[Instance]:
        """What arrived since this was last asked."""
        found, self.arrivals = self.arrivals, []
        return found

    def freeze(self) -> Character:
        """The character as it is now."""
        return conditions.freeze(self)
