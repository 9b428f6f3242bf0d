"""How a value came about, for people.

In: a sheet and the name of a stat, derived value or track. Out: a tree: the formula as it is written, worked out line
by line, the modifiers that counted and those that did not, the values it read, source, ruling, and what a house rule
changed. One rule holds: the tree is made of what the sheet really did; nothing is worked out a second way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..answers_text import listed, say, to_plain
from ..errors import MissingValue, RulesError
from ..records import dataclass, field
from ..search import said
from .active import active
from .modifiers import Found, Left
from .rulebook import Rule, Rulebook
from .sheet import Sheet
from .shown import show
from .steps_shown import lines

if TYPE_CHECKING:
    from .character import Character

BASE = re.compile(r"(?<![\w.])base(?!\w)")
DEPTH = 20
"""Levels of a tree that are told, at most."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One value. `formula` is as written, `lines` are its steps to the value before modifiers. `notes` are further
    sentences: where the value stands, what held it. `origin` tells what a house rule changed."""

    name: str
    title: str
    kind: str
    value: Any
    unit: str | None = None
    formula: str | None = None
    lines: tuple[str, ...] = ()
    counted: tuple[Found, ...] = ()
    not_counted: tuple[Left, ...] = ()
    notes: tuple[str, ...] = ()
    source: str | None = None
    ruling: str | None = None
    place: str | None = None
    origin: tuple[str, ...] = ()
    children: tuple[Explanation, ...] = field(default=())

    def text(self, *, ascii_only: bool = False) -> str:
        """The tree with indentation; `ascii_only` for places that print nothing else."""
        found = "\n".join(self._text(0))
        return _ascii(found) if ascii_only else found

    def __str__(self) -> str:
        return self.text()

    def _text(self, depth: int) -> Iterator[str]:
        pad = "  " * depth
        unit = f" {self.unit}" if self.unit else ""
        name = self.title if self.title == self.name else f"{self.title} ({self.name})"
        yield f"{pad}{name}: {say(self.value)}{unit}"
        inner = pad + "  "
        if self.formula is not None:
            yield inner + " = ".join(dict.fromkeys((self.formula, *self.lines)))
        for one in self.counted:
            yield f"{inner}counts: {one}"
        for left in self.not_counted:
            yield f"{inner}does not count: {left}"
        for note in self.notes:
            yield inner + note
        if self.source:
            yield f"{inner}source: {self.source}"
        if self.ruling:
            yield f"{inner}ruling: {self.ruling}"
        for line in self.origin:
            yield inner + line
        for child in self.children:
            yield from child._text(depth + 1)

    def to_json(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"name": self.name, "title": self.title, "kind": self.kind, "value": self.value}
        for key in ("unit", "formula", "source", "ruling", "place"):
            if getattr(self, key):
                shape[key] = getattr(self, key)
        for key in ("lines", "notes", "origin"):
            if getattr(self, key):
                shape[key] = list(getattr(self, key))
        if self.counted:
            shape["counted"] = [
                {"source": one.source, "title": one.title, "what": str(one).partition(": ")[2]} for one in self.counted
            ]
        if self.not_counted:
            shape["not_counted"] = [one.to_json() for one in self.not_counted]
        if self.children:
            shape["children"] = [child.to_json() for child in self.children]
        plain_shape: dict[str, Any] = to_plain(shape)
        return plain_shape


def explain(rules: Any, sheet: Sheet | Character, name: str) -> Explanation:
    """The tree of a value. Each value is told in full once; where it is read again, only what it is."""
    mine = sheet if isinstance(sheet, Sheet) else Sheet(rules, sheet)
    return _Teller(rules).tell(mine, name, 0)


class _Teller:
    """Makes one tree; `told` are the values that are told already."""

    def __init__(self, rules: Any) -> None:
        self.book = Rulebook.of(rules)
        self.told: set[tuple[int, str]] = set()

    def tell(self, sheet: Sheet, name: str, depth: int) -> Explanation:
        book = sheet.book
        rule = sheet.value_rule(name)
        kind = book.kind(name) or ""
        worked = sheet.worked(name)
        self.told.add((id(sheet), name))
        notes: list[str] = []
        formula: str | None = None
        steps: list[str] = []
        reads: list[tuple[str | None, str]] = []
        match kind:
            case "derived":
                formula = rule.get("said", {}).get("formula") or show(rule["formula"])
                steps, reads = lines(rule["formula"], sheet.frame())
            case "track":
                formula, steps, reads = self.track(sheet, name, rule, notes)
            case _:
                given = name in sheet.values
                notes.append("given" if given else "not given: its default")
        if worked.result.counted:
            notes.append(f"{say(worked.base)} before modifiers, {say(worked.result.value)} with them")
        notes += [f"held {cap} by its own limit" for cap in worked.caps]
        if not worked.caps and worked.value != worked.result.value:
            notes.append(f"{say(worked.result.value)} rounded {rule.get('round')}: {say(worked.value)}")
        return Explanation(
            name,
            book.title(name),
            kind,
            worked.value,
            rule.get("unit") or rule.get("spec", {}).get("unit"),
            formula,
            tuple(steps),
            worked.result.counted,
            worked.result.not_counted,
            tuple(notes),
            source_of(book, rule),
            said(rule.get("ruling")) or None,
            book.place(name),
            self.origin(sheet, name),
            tuple(self.children(sheet, reads, depth)),
        )

    def origin(self, sheet: Sheet, name: str) -> tuple[str, ...]:
        """What overlays changed, with the formula that they replaced worked out: `base: 8 + ceil(Might / 2) = 11`."""
        found = list(origin_of(sheet.book, name))
        for one in sheet.book.artifact.get("provenance", ()):
            if "code" in one and one["address"][1:] == [name, "formula"]:
                try:
                    told, _ = lines(one["code"], sheet.frame())
                except RulesError:
                    continue  # the formula below may ask for what is not given here
                found.append(f"base for {one['layer']}: " + " = ".join(dict.fromkeys((one["before"], *told))))
                if BASE.search(one["after"]):
                    now = say(sheet.worked(name).base)
                    found.append(f"{one['after']} = {BASE.sub(told[-1], one['after'])} = {now}")
        return tuple(found)

    def track(
        self, sheet: Sheet, name: str, rule: Rule, notes: list[str]
    ) -> tuple[str | None, list[str], list[tuple[str | None, str]]]:
        """A track: its start where it still stands there, and its range."""
        formula: str | None = None
        steps: list[str] = []
        reads: list[tuple[str | None, str]] = []
        if name in sheet.tracks:
            notes.append("as it stands now")
        elif "start" in rule:
            formula = rule.get("said", {}).get("start") or show(rule["start"])
            steps, reads = lines(rule["start"], sheet.frame())
            notes.append("at its start")
        else:
            notes.append("at its start, the lowest value")
        try:
            low, high = sheet.limits(name)
        except MissingValue as problem:
            notes.append(f"its limits are open: {problem.message}")
            return formula, steps, reads
        if high is None:
            notes.append(f"from {say(low)}, without a highest value")
            return formula, steps, reads
        text = f"from {say(low)} to {say(high)}"
        if isinstance(rule.get("max"), list):
            found, more = lines(rule["max"], sheet.frame())
            written = rule.get("said", {}).get("max") or show(rule["max"])
            text += f" (the highest is {' = '.join(dict.fromkeys((written, *found)))})"
            reads = [*reads, *more]
        notes.append(text)
        return formula, steps, reads

    def children(self, sheet: Sheet, reads: list[tuple[str | None, str]], depth: int) -> Iterator[Explanation]:
        """The values that were read, but for stats that stand as they were given: their line says it all."""
        for role, name in dict.fromkeys(reads):
            if role is not None or depth >= DEPTH:
                continue
            kind = sheet.book.kind(name)
            if kind not in ("stat", "derived", "track") or (kind == "stat" and not self.changed(sheet, name)):
                continue
            if (id(sheet), name) in self.told:
                yield Explanation(name, sheet.book.title(name), kind, sheet.value(name), notes=("told above",))
            else:
                yield self.tell(sheet, name, depth + 1)

    def changed(self, sheet: Sheet, name: str) -> bool:
        result = sheet.worked(name).result
        return bool(result.counted or result.not_counted)


def carried(sheet: Sheet) -> tuple[str, ...]:
    """What is in force on a character, one line each: level, time left, who suspends or implies it."""
    book = sheet.book
    found: list[str] = []
    for one in active(sheet, frozenset(book.automatic())):
        it = one.instance
        about = [f"{name} {say(value)}" for name, value in (*it.params.items(), *it.tracks.items())]
        if one.rule.get("stacking") == "levels":
            about.append(f"level {it.level}")
        if it.remaining is not None:
            about.append(f"{it.remaining} {(one.rule.get('lasts') or {}).get('unit', '')} left")
        if it.until is not None:
            about.append(f"until {it.until}")
        if it.implied_by not in (None, it.id):
            about.append(f"implied by {book.title(str(it.implied_by))}")
        if one.suspended_by is not None:
            about.append(f"suspended by {book.title(one.suspended_by)}")
        found.append(book.title(it.id) + (f" ({listed(about)})" if about else ""))
    return tuple(found)


def source_of(book: Rulebook, rule: Rule) -> str | None:
    """The sources of a rule: the titles that the header gives them, and the place."""
    titles = dict(book.header.get("sources") or ())
    found = []
    for one in rule.get("source", ()):
        title = titles.get(one["id"], one["id"])
        found.append(f"{title}, {one['place']}" if one.get("place") else title)
    return "; ".join(found) or None


def origin_of(book: Rulebook, name: str) -> tuple[str, ...]:
    """What overlays changed in a rule: who, from what, to what, why, and where that stands."""
    found = []
    for one in book.artifact.get("provenance", ()):
        if name not in one["address"]:
            continue
        place = one["address"][one["address"].index(name) + 1 :]
        what = ".".join(str(part) for part in place) or "the whole rule"
        before, after = one.get("before"), one.get("after")
        if what == "examples" and after == "changed":
            text = f"{one['layer']} says that the examples come out otherwise"
        elif before is None:
            text = f"{one['layer']} adds {what}"
        elif after is None:
            text = f"{one['layer']} takes {what} away, which was {before}"
        else:
            text = f"{one['layer']} changes {what} from {before} to {after}"
        if one.get("why"):
            text += f": {one['why']}"
        at = one.get("span") or one.get("at")
        found.append(text + (f" ({at[0]}:{at[1]}:{at[2]})" if isinstance(at, list) else ""))
    return tuple(found)


_SIGNS = str.maketrans({"×": "*", "→": "->", "−": "-", "–": "-", "…": "...", "’": "'", "“": '"', "”": '"', "·": "-"})


def _ascii(text: str) -> str:
    """Plain ASCII: signs get their look-alike, other letters are written as escapes."""
    return text.translate(_SIGNS).encode("ascii", "backslashreplace").decode("ascii")
