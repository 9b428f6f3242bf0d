"""The character file.

In: a Character, or the file's data and perhaps other rules than it was saved under. Out: plain data, or a Character
with sentences on what changed. One rule holds: what these rules do not know, or no longer allow, is kept aside under
`unknown` and told, never dropped; writing the character again writes it back.

    {"format": "rulesdata-character", "version": 1, "system": {"id", "version", "fingerprint"}, "name", "sheet",
     "values": {name: value}, "tracks": {name: number},
     "conditions", "traits", "environments": [{"id", "number", "with", "tracks", "level", "remaining", "until", "age"}],
     "used": {slot: uses}, "clock": {unit: time}, "happened": {event: {unit: time}}, "started": [id],
     "options": {name: value}, "unknown": {...}}

Fractions are texts, "7/2". What is empty is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..answers_text import Number, Value, listed, say, span, to_plain
from ..errors import BadInput, MissingValue, RulesError
from ..play.doors import person
from .character import Character, Instance, Until, Values, fixed
from .fitting import fit, fit_all, number
from .rulebook import Rule, Rulebook
from .sheet import Sheet

FORMAT = "rulesdata-character"
VERSION = 1
_KINDS = {"conditions": "condition", "traits": "trait", "environments": "environment"}


# --- writing ---------------------------------------------------------------------------------------------------


def write_saved(rules: Any, character: Character) -> dict[str, Any]:
    """See character.to_json."""
    person(character)
    book = Rulebook.of(rules)
    options = {name: book.option(name) for name in book.of_kind("option")}
    body: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "system": _system(book),
        "name": character.name,
        "sheet": character.sheet,
        "values": character.values,
        "tracks": character.tracks,
        "conditions": [_instance(one) for one in character.conditions],
        "traits": [_instance(one) for one in character.traits],
        "environments": [_instance(one) for one in character.environments],
        "used": character.used,
        "clock": character.clock,
        "happened": character.happened,
        "started": list(character.started),
        "options": options,
        "unknown": character.unknown,
    }
    found: dict[str, Any] = to_plain({name: value for name, value in body.items() if value not in (None, "", [], {})})
    return found


def _system(book: Rulebook) -> dict[str, Any]:
    found = {"id": book.header.get("id"), "version": book.header.get("version")}
    if book.artifact.get("fingerprint"):
        found["fingerprint"] = book.artifact["fingerprint"]
    return found


def _instance(one: Instance) -> dict[str, Any]:
    body: dict[str, Any] = {"id": one.id, "number": one.number}
    if one.params:
        body["with"] = one.params
    if one.tracks:
        body["tracks"] = one.tracks
    if one.level != 1:
        body["level"] = one.level
    if one.remaining is not None:
        body["remaining"] = one.remaining
    if one.until is not None:
        until = one.until
        body["until"] = {"moment": until.moment, "unit": until.unit, "left": until.left, "who": until.who}
    if one.age:
        body["age"] = one.age
    return body


# --- reading ---------------------------------------------------------------------------------------------------


def read_saved(rules: Any, data: Any) -> tuple[Character, tuple[str, ...]]:
    """See character.from_json."""
    book = Rulebook.of(rules)
    body = _opened(data)
    notices = _other_rules(book, body)
    reader = _Reader(book, body, notices)
    character = reader.read()
    return character, tuple(notices)


def _opened(data: Any) -> Mapping[str, Any]:
    if isinstance(data, str | bytes):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError):
            raise BadInput("this is no character file: it is not JSON, or it breaks off") from None
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise BadInput(f'this is no character file: it does not say "format": "{FORMAT}"')
    version = data.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise BadInput("this character file does not say the version of its format")
    if version > VERSION:
        raise BadInput(f"this character file has format version {version}, and this program reads up to {VERSION}")
    lists = (*_KINDS, "started")
    for field in (*lists, "values", "tracks", "used", "clock", "happened", "options", "unknown", "system"):
        if field in data and not isinstance(data[field], list if field in lists else Mapping):
            raise BadInput(f"this character file is damaged: {field} is no {'list' if field in lists else 'mapping'}")
    return data


def _other_rules(book: Rulebook, body: Mapping[str, Any]) -> list[str]:
    """What to say first where the character was saved under other rules."""
    saved = body.get("system") or {}
    now = _system(book)
    if saved.get("id") != now["id"]:
        return [f"saved under the system {say(saved.get('id'))}, read under {say(now['id'])}"]
    if saved.get("version") != now["version"]:
        return [f"saved under version {say(saved.get('version'))} of {now['id']}, read under {say(now['version'])}"]
    if saved.get("fingerprint") != now.get("fingerprint"):
        return [f"the rules of {now['id']} have changed since the character was saved"]
    return []


class _Reader:
    """Reads one file. `aside` collects what cannot be used, in the shape of the file."""

    def __init__(self, book: Rulebook, body: Mapping[str, Any], notices: list[str]) -> None:
        self.book = book
        self.body = body
        self.notices = notices
        kind = _text(body, "sheet") or ""
        self.aside: dict[str, Any] = {}
        self.last = 0
        self.numbers: set[int] = set()
        if kind and kind not in book.sheets:
            self.put_aside("sheet", None, kind, f"the rules no longer have the sheet {say(kind)}")
            kind = ""
        self.sheet = Sheet(book, Character(sheet=kind))

    def put_aside(self, field: str, name: str | None, value: Any, why: str) -> None:
        if name is None:
            if isinstance(value, Mapping):
                self.aside.setdefault(field, []).append(value)
            else:
                self.aside[field] = value
        else:
            self.aside.setdefault(field, {})[name] = value
        self.notices.append(f"{why}; kept aside")

    def read(self) -> Character:
        self.merge_unknown()
        values = self.each("values", "stat", self.stat)
        self.sheet.values = values
        tracks = self.each("tracks", "track", lambda name, value: _counted(self.book.rules[name], value, name))
        self.sheet.tracks = tracks
        self.last = max((_whole(raw) for field in _KINDS for raw in self.body.get(field) or ()), default=0)
        held = {kind: self.instances(field, kind) for field, kind in _KINDS.items()}
        self.sheet.held = {one.number: one for kind in held.values() for one in kind}
        self.options()
        self.sheet.memo.clear()
        for name in list(tracks):
            self.limit(name)
        return Character(
            sheet=self.sheet.character.sheet,
            values=Values(values),
            tracks=Values(self.sheet.tracks),
            conditions=tuple(map(fixed, held["condition"])),
            traits=tuple(map(fixed, held["trait"])),
            environments=tuple(map(fixed, held["environment"])),
            used=Values(self.each("used", "", self.slot)),
            clock=Values(self.each("clock", "", self.unit)),
            happened=Values({event: Values(times) for event, times in self.happened().items()}),
            name=_text(self.body, "name"),
            started=tuple(name for name in self.book.of_kind("condition") if name in self.body.get("started", ())),
            unknown=Values(self.aside),
        )

    def merge_unknown(self) -> None:
        """What was kept aside before is looked at again: the rules may have it back."""
        before = self.body.get("unknown") or {}
        body = dict(self.body)
        for field, kept in before.items():
            if isinstance(kept, Mapping) and field not in (*_KINDS, "sheet", "name", "unknown"):
                body[field] = {**kept, **(body.get(field) or {})}
            elif isinstance(kept, list) and field in _KINDS:
                body[field] = [*(body.get(field) or ()), *kept]
            else:
                self.aside.setdefault(field, kept)
        self.body = body

    def each(self, field: str, kind: str, read: Callable[[str, Any], Any]) -> dict[str, Any]:
        """Every named value of a field that still fits."""
        found: dict[str, Any] = {}
        for name, value in (self.body.get(field) or {}).items():
            if kind and self.book.kind(name) != kind:
                self.put_aside(field, name, value, f"the rules no longer have the {kind} {name}")
                continue
            try:
                found[name] = read(name, value)
            except MissingValue:
                found[name] = value
            except RulesError as problem:
                self.put_aside(field, name, value, problem.message)
        return found

    def stat(self, name: str, value: Any) -> Value:
        return fit(self.book.rules[name]["spec"], value, name, self.sheet.frame())

    def slot(self, name: str, value: Any) -> int:
        if name not in self.book.slots:
            raise BadInput(f"the rules no longer have the slot {name}")
        return _from(0, value, f"how often {name} was used")

    def unit(self, name: str, value: Any) -> Number:
        if name not in self.book.units and name not in self.book.scenes:
            raise BadInput(f"the clock no longer has {name}")
        return _time(value, name)

    def happened(self) -> dict[str, dict[str, Number]]:
        def times(event: str, value: Any) -> dict[str, Number]:
            if not isinstance(value, Mapping):
                raise BadInput(f"when {event} happened is damaged")
            return {unit: _time(time, unit) for unit, time in value.items()}

        return self.each("happened", "", times)

    def instances(self, field: str, kind: str) -> list[Instance]:
        found: list[Instance] = []
        for raw in self.body.get(field) or ():
            rule_id = raw.get("id") if isinstance(raw, Mapping) else None
            if not isinstance(rule_id, str):
                raise BadInput(f"this character file is damaged: {field} has an entry without an id")
            if self.book.kind(rule_id) != kind:
                self.put_aside(field, None, raw, f"the rules no longer have the {kind} {say(rule_id)}")
                continue
            try:
                made = self.instance(rule_id, raw)
                alike = any(one.id == rule_id and one.params == made.params for one in found)
                if alike and self.book.rules[rule_id].get("stacking", "separate") != "separate":
                    raise BadInput(f"{self.book.title(rule_id)} stands there twice")
                found.append(made)
            except RulesError as problem:
                self.put_aside(field, None, raw, problem.message)
        return found

    def instance(self, rule_id: str, raw: Mapping[str, Any]) -> Instance:
        book = self.book
        rule = book.rules[rule_id]
        title = book.title(rule_id)
        for part in ("with", "tracks"):
            if not isinstance(raw.get(part, {}), Mapping):
                raise BadInput(f"{part} of {title} is damaged")
        params = fit_all(rule.get("params", ()), raw.get("with", {}), title, self.sheet.frame())
        own = {track["id"]: track for track in rule.get("tracks", ())}
        kept: Mapping[str, Any] = raw.get("tracks", {})
        if gone := [name for name in kept if name not in own]:
            raise BadInput(f"{title} no longer has {listed(gone)}")
        tracks = {name: _counted(own[name], value, name) for name, value in kept.items()}
        made = Instance(rule_id, self.number(raw), params, tracks)
        scope = self.sheet.frame(instance=made)
        for name, track in own.items():
            if name not in tracks:
                tracks[name] = scope.run(track.get("start", track.get("min", 0)))
            elif (held := self.held_to(name, tracks[name], made)) is not None:
                tracks[name] = held
        level = _from(1, raw.get("level", 1), f"the level of {title}")
        if rule.get("stacking") == "levels" and "max" in rule:
            highest = int(self.sheet.frame().run(rule["max"]))
            if level > highest:
                self.notices.append(f"{title} was at level {level}, and the highest is now {highest}: set to that")
                level = highest
        remaining = raw.get("remaining")
        return Instance(
            rule_id,
            made.number,
            params,
            tracks,
            level,
            None if remaining is None else _from(1, remaining, f"what remains of {title}"),
            self.until(raw.get("until"), title),
            _from(0, raw.get("age", 0), f"the age of {title}"),
        )

    def number(self, raw: Mapping[str, Any]) -> int:
        """The number of an instance; a new one where it has none, or where what was kept aside has come back."""
        found = _whole(raw)
        if found < 1 or found in self.numbers:
            found = self.last = self.last + 1
        self.numbers.add(found)
        return found

    def until(self, raw: Any, title: str) -> Until | None:
        match raw:
            case None:
                return None
            case {"moment": "start" | "end" as which, "unit": str(unit), "left": int(left)} if unit in self.book.units:
                who = raw.get("who")
                if left >= 1 and (who is None or isinstance(who, str)):
                    return Until(which, unit, left, who)
        raise BadInput(f"until when {title} lasts is not said in the units of these rules")

    def options(self) -> None:
        known = self.book.of_kind("option")
        for name, value in (self.body.get("options") or {}).items():
            if name not in known:
                self.notices.append(f"the rules no longer have the option {name}, which was {say(value)}")
            elif to_plain(self.book.option(name)) != value:
                now = say(self.book.option(name))
                self.notices.append(f"the option {name} was {say(value)} and is now {now}")

    def limit(self, name: str) -> None:
        """A track of the sheet, held to its limits."""
        held = self.held_to(name, self.sheet.tracks[name])
        if held is not None:
            self.sheet.tracks[name] = held
            self.sheet.memo.clear()

    def held_to(self, name: str, value: Number, holder: Instance | None = None) -> Number | None:
        """What a track beyond its limits is set to; None where it stays. Both are told."""
        try:
            low, high = self.sheet.limits(name, holder)
        except MissingValue:
            return None
        if low <= value and (high is None or value <= high):
            return None
        rule = self.sheet.track_rule(name, holder)
        kept = rule.get("shrinks") == "keep" and value > low
        now = value if kept else max(low, value if high is None else min(value, high))
        what = "left as it is" if kept else f"set to {now}"
        self.notices.append(f"{rule.get('title') or name} was {value}, and it is {span(low, high)} now: {what}")
        return None if kept else now


def _text(body: Mapping[str, Any], field: str) -> str | None:
    value = body.get(field)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"this character file is damaged: {field} is no text")
    return value


def _whole(raw: Any) -> int:
    """The number of an instance as it was saved; 0 where there is none."""
    found = raw.get("number") if isinstance(raw, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else 0


def _from(least: int, value: Any, what: str) -> int:
    """A whole number that is not below `least`."""
    found = int(number(value, what))
    if found < least:
        raise BadInput(f"{what} is {span(least, None)}, not {found}")
    return found


def _counted(track: Rule, value: Any, name: str) -> Number:
    return number(value, name, fractions=track.get("type", "int") == "fraction")


def _time(value: Any, unit: str) -> Number:
    found = number(value, unit, fractions=True)
    if found < 0:
        raise BadInput(f"the clock does not stand before its start: {unit} {found}")
    return found
