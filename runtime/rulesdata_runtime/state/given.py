"""A character from what somebody gives: names and values, in a call or on a command line.

In: a mapping of names to values, of the right type or as text. Out: a Character, checked against the rules. One rule
holds: a name or value that does not fit is refused with the nearest that would; what is not given stays open.

`conditions`, `traits` and `environments` are texts or lists: `lit, drowsy: 2`, `[lit, {drowsy: 2}]`,
`{fond: {with: {drink: tea}, level: 1, for: 3}}`. The number after a condition is its level where it has levels,
else how long it still lasts. `vest.wear: 2` sets a track that a trait, condition or environment has of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..answers_text import Number, brief, hint, listed, say, span
from ..errors import BadInput, MissingValue, UnknownName
from ..records import replace
from .character import Character
from .conditions import arrive, capped, freeze, length, twice
from .fitting import fit, fit_all, number
from .rulebook import Rule, Rulebook, pairs
from .sheet import Sheet

CARRIED = {"conditions": "condition", "traits": "trait", "environments": "environment"}
_OWN = ("with", "level", "for", "until", "tracks", "modifiers")


def read_given(rules: Any, given: Mapping[str, object], base: Character | None = None) -> Character:
    """See character.from_given."""
    book = Rulebook.of(rules)
    values = {name: value for name, value in given.items() if not _reserved(book, name)}
    base = base if base is not None else Character()
    kind = _kind(book, given.get("sheet")) if _reserved(book, "sheet") and "sheet" in given else base.sheet
    name = given.get("name", base.name) if _reserved(book, "name") else base.name
    if name is not None and not isinstance(name, str):
        raise BadInput(f"the name of a character is a text, not {brief(name)}")
    sheet = Sheet(book, replace(base, sheet=kind, name=name))
    _read_values(sheet, {name: value for name, value in values.items() if "." not in name})
    tracks = dict(sheet.tracks)
    for field, of_kind in CARRIED.items():
        if field in given and _reserved(book, field):
            for rule_id, details in _entries(given[field], of_kind):
                _carry(sheet, rule_id, of_kind, details)
    for dotted in values:
        if "." in dotted:
            _own_track(sheet, dotted, values[dotted])
    # What is carried may have moved the limits, and tracks with them: what counts is what was given.
    sheet.tracks = tracks
    sheet.memo.clear()
    for track, value in tracks.items():
        if track in given:
            _check_track(sheet, track, value)
    return freeze(sheet)


def _reserved(book: Rulebook, name: str) -> bool:
    """`sheet`, `name` and the like, where the rules have no value of that name."""
    return name in (*CARRIED, "sheet", "name") and book.kind(name) not in ("stat", "track")


def _kind(book: Rulebook, given: object) -> str:
    if not isinstance(given, str) or given not in book.sheets:
        kinds = listed(book.sheets, "or") if book.sheets else "the rules have only one kind"
        raise BadInput(f"there is no sheet {brief(given)}: {kinds}.{hint(given, book.sheets)}")
    return given


def _read_values(sheet: Sheet, given: Mapping[str, object]) -> None:
    book = sheet.book
    stats, tracks = book.of_kind("stat"), book.of_kind("track")
    for name, value in given.items():
        if name in stats or name in tracks:
            rule = stats.get(name) or tracks[name]
            if not book.in_force(rule):
                raise BadInput(f"{name} belongs to an option that is off")
            if not sheet.on_sheet(name):
                raise BadInput(f"a {sheet.kind} has no {name}")
            if name in stats:
                sheet.values[name] = fit(rule["spec"], value, name, sheet.frame())
            else:
                sheet.tracks[name] = number(value, name, fractions=rule.get("type", "int") == "fraction")
        elif book.kind(name) == "derived":
            raise BadInput(f"{name} is worked out from other values and cannot be given")
        else:
            known = [*stats, *tracks, *CARRIED]
            raise UnknownName(f"a character has no {brief(name)}.{hint(name, known)}")
    sheet.memo.clear()


# --- conditions, traits, environments --------------------------------------------------------------------------


def _entries(given: object, kind: str) -> Iterator[tuple[str, object]]:
    """Each id with its details: None, a number, or a mapping."""
    if isinstance(given, str):
        for entry in _split(given):
            yield _entry(entry, kind)
    elif isinstance(given, Mapping):
        yield from given.items()
    elif isinstance(given, Iterable):
        for one in given:
            if isinstance(one, str):
                yield _entry(one, kind)
            elif isinstance(one, Mapping):
                yield from one.items()
            else:
                raise BadInput(f"{brief(one)} is no {kind}; write its id, or its id with details")
    elif given is not None:
        raise BadInput(f"{kind}s are a list, not {brief(given)}")


def _split(text: str) -> list[str]:
    """At the commas that are outside parentheses."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", text) if part.strip()]


_ENTRY = re.compile(r"(?P<id>[^\s:(]+)\s*(?:\((?P<with>[^()]*)\))?\s*(?::\s*(?P<count>[-−]?\d+))?")


def _entry(text: str, kind: str) -> tuple[str, object]:
    """`lit`, `drowsy: 2`, `fond(drink: tea): 3`."""
    found = _ENTRY.fullmatch(text.strip())
    if found is None:
        raise BadInput(f"{text} is no {kind}; write for example drowsy: 2, or fond(drink: tea)")
    details: dict[str, object] = {}
    if found["with"] is not None:
        for part in re.split(r"[,;]", found["with"]):
            name, sign, value = (piece.strip() for piece in part.replace("=", ":").partition(":"))
            if not sign:
                raise BadInput(f"{text}: write each parameter as name: value")
            details.setdefault("with", {})[name] = value  # type: ignore[index]  # the mapping made just here
    if found["count"] is not None:
        count = int(found["count"].replace("−", "-"))
        return found["id"], {**details, "": count} if details else count
    return found["id"], details or None


def _carry(sheet: Sheet, rule_id: str, kind: str, given: object) -> None:
    """One condition, trait or environment, as it was given."""
    book = sheet.book
    rule = book.rule(rule_id, kind)
    title = book.title(rule_id)
    if not book.in_force(rule):
        raise BadInput(f"{title} belongs to an option that is off")
    details = _details(rule, kind, title, given)
    scope = sheet.frame()
    params = fit_all(rule.get("params", ()), details["with"], title, scope)
    tracks = {name: number(value, f"{name} of {title}") for name, value in pairs(details.get("tracks"))}
    for name in tracks:
        own = [track["id"] for track in rule.get("tracks", ())]
        if name not in own:
            raise UnknownName(f"{title} has no track {name}.{hint(name, own)}")
    level, remaining, until = 1, None, None
    if kind == "condition":
        if "level" in details:
            if rule["stacking"] != "levels":
                raise BadInput(f"{title} has no levels")
            level = int(number(details["level"], f"the level of {title}"))
            if level < 1 or capped(rule, level, scope) != level:
                highest = capped(rule, level, scope) if level > 0 else None
                raise BadInput(f"the level of {title} is {span(1, highest)}, not {level}")
        remaining, until = length(sheet, rule, title, details.get("for"), details.get("until"), scope)
        if remaining is not None and remaining < 1:
            raise BadInput(f"{title} lasts at least 1 more, not {remaining}")
        if twice(sheet, rule, rule_id, params):
            raise BadInput(f"{title} is carried already, and it does not come twice")
    arrive(sheet, rule_id, params, tracks=tracks, level=level, remaining=remaining, until=until)


def _details(rule: Rule, kind: str, title: str, given: object) -> dict[str, Any]:
    """Details by name: `with`, `tracks`, and for conditions `level`, `for`, `until`."""
    params = [spec["name"] for spec in rule.get("params", ())]
    if given is None:
        return {"with": {}}
    details: dict[str, Any] = dict(given) if isinstance(given, Mapping) else {"": given}
    if "" in details:
        count = details.pop("")
        if kind != "condition":
            if len(params) != 1:
                raise BadInput(f"{title}: {brief(count)} of what? It has {listed(params) or 'no parameters'}")
            return {"with": {params[0]: count}}
        levels = rule["stacking"] == "levels"
        if not levels and "unit" not in (rule.get("lasts") or {}):
            raise BadInput(f"{title} has neither levels nor a time it lasts, so {brief(count)} means nothing for it")
        details["level" if levels else "for"] = count
    # Parameters and tracks of its own may stand beside `with`, as long as no detail has their name.
    own = [track["id"] for track in rule.get("tracks", ())]
    found: dict[str, Any] = {}
    for part in ("with", "tracks"):
        inner = details.pop(part, None) or {}
        if not isinstance(inner, Mapping):
            raise BadInput(f"{title}: {part} names values, and {brief(inner)} names none")
        found[part] = dict(inner)
    for name, value in details.items():
        if name in params and name not in _OWN:
            found["with"][name] = value
        elif name in own and name not in _OWN:
            found["tracks"][name] = value
        elif kind == "condition" and name in ("level", "for", "until"):
            found[name] = value
        else:
            known = [*params, *own, *(("level", "for", "until") if kind == "condition" else ())]
            raise UnknownName(f"{title} has no {name}.{hint(name, known)}")
    return found


def _own_track(sheet: Sheet, dotted: str, value: object) -> None:
    rule_id, _, name = dotted.partition(".")
    carried = sheet.instances(rule_id)
    if not carried:
        raise UnknownName(f"{dotted}: no {rule_id} is carried.{hint(rule_id, [one.id for one in sheet.held.values()])}")
    rule = sheet.track_rule(name, carried[0])
    given = number(value, dotted, fractions=rule.get("type", "int") == "fraction")
    low, high = sheet.limits(name, carried[0])
    if given < low or (high is not None and given > high):
        raise BadInput(f"{dotted} is {span(low, high)}, not {given}")
    sheet.held[carried[0].number] = replace(carried[0], tracks={**carried[0].tracks, name: given})


def _check_track(sheet: Sheet, name: str, value: Number) -> None:
    """A given track within its limits, as far as what these need was given too."""
    try:
        low, high = sheet.limits(name)
    except MissingValue:
        return
    if sheet.book.rules[name].get("shrinks") == "keep":
        high = None
    if value < low or (high is not None and value > high):
        raise BadInput(f"{name} is {span(low, high)}, not {say(value)}")
