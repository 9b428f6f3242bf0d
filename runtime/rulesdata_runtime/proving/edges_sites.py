"""Where the edges of a system stand: a walk over its rules.

In: an artifact. Out: every edge: the rule, the field, the place in the file, the nudge in words, and what the rule
becomes by it. One rule holds: texts, tags, examples and the declared ranges of what people enter have no edges; all
else that counts has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..records import dataclass, replace
from ..state.rulebook import SINGULAR, Rule
from ..state.shown import show
from .edges_code import Nudge, Path, limits, nudges, replaced
from .edges_rows import kept, moved

FORMULAS = frozenset(
    (
        "default",
        "start",
        "formula",
        "value",
        "min",
        "max",
        "roll",
        "weight",
        "while",
        "starts",
        "until",
        "when",
        "that",
        "limit",
        "measured",
        "distance",
        "moves",
        "within",
        "every",
        "times",
        "for",
        "level",
        "plus",
        "at_least",
        "at_most",
        "free",
        "cap",
        "to",
    )
)
NAMED = ("let", "names", "with", "pool", "upgrade", "downgrade", "set", "add", "multiply", "results")
INNER = frozenset(
    (
        "lasts",
        "again",
        "tracks",
        "levels",
        "modifiers",
        "requires",
        "resets",
        "bands",
        "rows",
        "options",
        "more",
        "entry",
        "effect",
        "steps",
        "then",
        "else",
        "do",
        "at_end",
    )
)
SPECS = ("params", "specs")
_SKIP = frozenset(("said", "bounds", "title", "text", "ruling", "source", "tags", "aliases"))


@dataclass(frozen=True, slots=True)
class Site:
    """One nudge of one value. `section` is `rules` or `slots`, `changes` are paths inside the rule with the new
    values, `same` the other members of a family that are written in the same place."""

    section: str
    id: str
    where: str
    what: str
    place: str | None
    changes: tuple[tuple[Path, Any], ...]
    same: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """The field of the rule that is changed."""
        return str(self.changes[0][0][0])

    @property
    def told(self) -> str:
        return f"{self.where}: {self.what}"

    def applied(self, artifact: Mapping[str, Any]) -> dict[str, Any]:
        """The artifact with this edge moved."""
        changed = dict(artifact[self.section])
        for rule_id in (self.id, *self.same):
            for path, value in self.changes:
                changed[rule_id] = replaced(changed[rule_id], path, value)
        return {**artifact, self.section: changed}


def edges(artifact: Mapping[str, Any], in_force: Callable[[Rule], bool]) -> Iterator[Site]:
    """Every edge, rule by rule; what a family has in common comes once. `in_force` tells rows that replace each other
    apart."""
    rules: Mapping[str, Rule] = artifact.get("rules", {})
    seen: dict[tuple[Any, ...], int] = {}
    found: list[Site] = []
    for rule_id, rule in rules.items():
        family = (rule.get("family") or [rule_id])[0]
        for edge in _Walk(artifact, "rules", rule_id, rule, in_force).edges():
            key = (family, edge.place, edge.where, str(edge.changes))
            if key in seen:
                known = found[seen[key]]
                found[seen[key]] = replace(known, same=(*known.same, rule_id))
            else:
                seen[key] = len(found)
                found.append(edge)
    yield from found
    slots = artifact.get("slots", {})
    for slot_id, slot in slots.items() if isinstance(slots, Mapping) else ():
        yield from _Walk(artifact, "slots", slot_id, slot, in_force).edges()


class _Walk:
    """One rule under way."""

    def __init__(
        self, artifact: Mapping[str, Any], section: str, rule_id: str, rule: Rule, in_force: Callable[[Rule], bool]
    ) -> None:
        self.rules: Mapping[str, Rule] = artifact.get("rules", {})
        self.section = section
        self.id = rule_id
        self.rule = rule
        self.in_force = in_force

    def edges(self) -> Iterator[Site]:
        place = _place(self.rule.get("at"))
        kind = SINGULAR.get(self.rule.get("kind", ""), self.rule.get("kind"))
        shape = dict(self.rule)
        if kind == "roll" and self.rule.get("like") in self.rules:
            # What a roll has from another one is written there, and nudged there.
            other = self.rules[self.rule["like"]]
            shape = {key: part for key, part in shape.items() if other.get(key) != part or key == "kind"}
        if kind in ("stat", "option"):
            yield from self._spec(self.rule["spec"], ("spec",), "", place)
        elif kind == "table":
            yield from self._fields(shape, (), "", place, skip=("rows", "by"))
            yield from self._table(place)
        else:
            yield from self._fields(shape, (), "", place)

    # --- fields -----------------------------------------------------------------------------------------------

    def _fields(
        self, held: Mapping[str, Any], path: Path, where: str, place: str | None, skip: Iterable[str] = ()
    ) -> Iterator[Site]:
        """Everything in an object: formulas, named formulas, and objects inside."""
        for key, part in held.items():
            if key in _SKIP or key in skip:
                continue
            at, name = (*path, key), f"{where}.{key}" if where else key
            if key in SPECS and isinstance(part, list):
                for number, spec in enumerate(part):
                    yield from self._spec(spec, (*at, number), f"{name}.{spec['name']}", place)
            elif key == "tracks" and held.get("step") == "change":
                yield from self._change(held, at, where, place)
            elif key == "slots":
                yield from self._pairs(part, at, f"{where}.slot" if where else "slot", place)
            elif key == "cost":
                for number, price in enumerate(part):
                    yield from self._pairs(price, (*at, number), name, place)
            elif key == "ranking":
                for number, code in enumerate(part.get("by", ())):
                    yield from self._code(code, (*at, "by", number), f"{name}.{number + 1}", place)
            elif key == "with" and held.get("step") == "roll":
                yield from self._held(held, at, name, place)
            elif key in NAMED:
                yield from self._pairs(part, at, name, place)
            elif key in INNER:
                yield from self._inner(part, at, name, place)
            elif key in FORMULAS:
                yield from self._code(part, at, name, place, _floor(self.rule, held, key))

    def _inner(self, part: Any, path: Path, where: str, place: str | None) -> Iterator[Site]:
        if isinstance(part, Mapping):
            yield from self._fields(part, path, where, place)
        elif isinstance(part, list):
            for number, item in enumerate(part):
                if isinstance(item, Mapping) and "said" not in item:
                    name = item.get("id") or item.get("number") or number + 1
                    yield from self._fields(item, (*path, number), f"{where}.{name}", _place(item.get("at")) or place)

    def _spec(self, spec: Mapping[str, Any], path: Path, where: str, place: str | None) -> Iterator[Site]:
        """The default of what people may leave out, inside its own range."""
        at = (*path, "default")
        for edge in self._code(spec.get("default"), at, f"{where}.default".lstrip("."), place):
            spot, value = edge.changes[0]
            if spot != at or not _outside(value, spec.get("min"), spec.get("max")):
                yield edge

    def _pairs(self, part: Any, path: Path, where: str, place: str | None) -> Iterator[Site]:
        items = part.items() if isinstance(part, Mapping) else enumerate(part)
        for key, item in items:
            name, code, at = (key, item, (*path, key)) if isinstance(part, Mapping) else (*item, (*path, key, 1))
            yield from self._code(code, at, f"{where}.{name}" if name else where, place)

    def _held(self, step: Mapping[str, Any], path: Path, where: str, place: str | None) -> Iterator[Site]:
        """What a step gives to a roll is held to the roll's own ranges: a limit past those changes nothing."""
        params = self.rules.get(step["ref"]["name"], {}).get("params", ())
        ranges = {spec["name"]: (spec.get("min"), spec.get("max")) for spec in params}
        codes = dict(step["with"])
        for edge in self._pairs(step["with"], path, where, place):
            spot, value = edge.changes[0]
            name = step["with"][spot[len(path)]][0]
            if not limits(codes[name], spot[len(path) + 2 :]) or not _outside(value, *ranges.get(name, (None, None))):
                yield edge

    def _change(self, step: Mapping[str, Any], path: Path, where: str, place: str | None) -> Iterator[Site]:
        for number, (ref, code) in enumerate(step["tracks"]):
            name = f"{where}.{step['verb']}.{ref['name']}"
            least = self._least(ref) if step["verb"] == "set" else None
            yield from self._code(code, (*path, number, 1), name, place, least)

    def _least(self, ref: Mapping[str, Any]) -> int | None:
        """The lowest value of the track that a step sets; less than that is set as that."""
        tracks = [
            track
            for rule in (self.rules.get(ref.get("of") or "", {}), self.rule)
            for track in rule.get("tracks", ())
            if track.get("id") == ref["name"]
        ]
        tracks += [rule for rule in self.rules.values() if (rule.get("family") or [None])[0] == ref["name"]]
        held = self.rules.get(ref["name"]) or next(iter(tracks), None)
        return None if held is None else _lowest(held)

    def _code(self, code: Any, path: Path, where: str, place: str | None, least: int | None = None) -> Iterator[Site]:
        """The edges of a formula. `least`: a number written out that is held to it anyway is not nudged below."""
        for nudge in nudges(code):
            if least is not None and not nudge.path and type(nudge.value) is int and nudge.value < least:
                continue
            yield self._edge(where, self._what(code, nudge), place, (((*path, *nudge.path), nudge.value),))

    def _what(self, code: Any, nudge: Nudge) -> str:
        return nudge.told if not isinstance(code, list) or code[0] == "frac" else f"{show(code)}: {nudge.told}"

    def _edge(self, where: str, what: str, place: str | None, changes: tuple[tuple[Path, Any], ...]) -> Site:
        return Site(self.section, self.id, where, what, place, changes)

    # --- tables -----------------------------------------------------------------------------------------------

    def _table(self, place: str | None) -> Iterator[Site]:
        rule = self.rule
        rows = list(enumerate(rule.get("rows", ())))
        for number, row in rows:
            at = _place(row.get("place")) or place
            where = f"rows.{row['id']}"
            yield from self._fields(row, ("rows", number), where, at, skip=("weight",))
            yield from self._pairs(row.get("cells", ()), ("rows", number, "cells"), where, at)
            yield from self._second(number, row, where, at)
        usual = [(number, row) for number, row in rows if self.in_force(row)]
        yield from self._between(usual, place)
        if len(usual) < len(rows):
            # The rows that an option puts in the place of others.
            others = [(number, row) for number, row in rows if "option" not in row or not self.in_force(row)]
            known = {edge.told for edge in self._between(usual, place)}
            yield from (edge for edge in self._between(others, place) if edge.told not in known)

    def _between(self, rows: list[tuple[int, Rule]], place: str | None) -> Iterator[Site]:
        """The edges between rows that stand side by side."""
        rule = self.rule
        last = max((number for number, row in rows if "weight" in row), default=None)
        for number, row in rows:
            at, where = _place(row.get("place")) or place, f"rows.{row['id']}.weight"
            for edge in self._code(row.get("weight"), ("rows", number, "weight"), where, at):
                # Dice that are dealt out cannot show that the last row has become longer.
                if number != last or type(row["weight"]) is not int or edge.changes[0][1] < row["weight"]:
                    yield edge
        ats = [row.get("at") for _, row in rows]
        for one in moved(ats, rule.get("below"), rule.get("above"), bool(rule.get("overlap"))):
            changed: dict[Path, list[Any]] = {}
            for spot, key in kept(one.ends):
                number, row = rows[spot.row]
                at_path = ("rows", number, "at")
                changed[at_path] = _with_key(changed.get(at_path) or list(row["at"] or ()), spot.key, key)
            loser = rows[one.loser][1]
            to = None if one.to is None else rows[one.to][1]["id"]
            yield self._edge(
                f"rows.{loser['id']}",
                _moved_told(one.number, to, loser["id"]),
                _place(loser.get("place")) or place,
                tuple((path, [key for key in keys if key is not None]) for path, keys in changed.items()),
            )

    def _second(self, number: int, row: Rule, where: str, place: str | None) -> Iterator[Site]:
        cells = row.get("second", ())
        names = [_key_told(cell[0]) for cell in cells]
        for spot, cell in enumerate(cells):
            at = ("rows", number, "second", spot, 1)
            yield from self._code(cell[1], at, f"{where}.{names[spot]}", place)
        rule = self.rule
        for one in moved([[cell[0]] for cell in cells], rule.get("below"), rule.get("above")):
            if one.to not in (None, one.loser) and cells[one.to][1:] == cells[one.loser][1:]:
                continue  # both sides of the border say the same
            now: list[Any] = list(cells)
            for spotted, key in kept(one.ends):
                now[spotted.row] = None if key is None else [key, *cells[spotted.row][1:]]
            to = None if one.to is None else names[one.to]
            yield self._edge(
                f"{where}.{names[one.loser]}",
                _moved_told(one.number, to, names[one.loser]),
                place,
                ((("rows", number, "second"), [cell for cell in now if cell is not None]),),
            )


def _with_key(keys: list[Any], place: int, key: Any) -> list[Any]:
    return [key if number == place else one for number, one in enumerate(keys)]


def _moved_told(number: int, to: str | None, loser: str) -> str:
    if to is None:
        return f"{number} is no longer in it"
    return f"{number} comes to it" if to == loser else f"{number} goes to {to}"


def _key_told(key: Any) -> str:
    """A key of a row as its author wrote it."""
    if not isinstance(key, list):
        return str(key)
    low, high = key
    if low is None or high is None:
        return f"{low}+" if high is None else f"..{high}"
    return str(low) if low == high else f"{low}-{high}"


def _floor(rule: Rule, held: Mapping[str, Any], key: str) -> int | None:
    """The least that a formula's value can be where it is held to a track: what a track starts with or goes back to."""
    if key == "start":
        return _lowest(held)
    if key == "to" and "each" in held:
        return _lowest(rule)
    return None


def _outside(value: Any, low: Any, high: Any) -> bool:
    """Whether a number lies beyond limits that are written out."""
    if type(value) is not int:
        return False
    return (type(low) is int and value < low) or (type(high) is int and value > high)


def _lowest(track: Mapping[str, Any]) -> int | None:
    low = track.get("min", 0)
    return low if type(low) is int else None


def _place(at: Any) -> str | None:
    match at:
        case [str(), int(), int()]:
            return ":".join(map(str, at))
    return None
