"""The rules of an artifact, indexed for the questions a character's state asks.

In: an opened artifact. Out: rules by kind, prepared formulas, clock units with their lengths, options, and which
rules can touch which value. One rule holds: what is made here depends on the artifact alone, never on a character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from ..answers_text import Number, Value, hint, number_from, say, whole
from ..errors import RulesError, UnknownName
from ..records import dataclass

Rule = Mapping[str, Any]

SINGULAR = {
    "stats": "stat",
    "tracks": "track",
    "dice": "die",
    "rolls": "roll",
    "tables": "table",
    "spends": "spend",
    "conditions": "condition",
    "traits": "trait",
    "environments": "environment",
    "actions": "action",
    "procedures": "procedure",
    "options": "option",
}
LASTING = ("condition", "trait", "environment")
VALUES = ("stat", "derived", "track")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of time: `length` of it in its root, the unit without a ratio that it is counted from."""

    name: str
    root: str
    length: Fraction


def pairs(found: Any) -> Iterator[tuple[str, Any]]:
    """Named things, written as an object or as a list of pairs."""
    if isinstance(found, Mapping):
        yield from found.items()
    else:
        yield from found or ()


def ref_name(ref: Any, scope: Any = None) -> str:
    """The id that a reference names; `scope` answers parameters and family members."""
    if isinstance(ref, str):
        return ref
    name: str = ref["name"]
    if ref.get("chosen"):
        name = scope[name]
    if "index" in ref:
        name = f"{name}[{say(scope.run(ref['index']))}]"
    return name


def is_open(ref: Any) -> bool:
    """Whether a reference is known only in play: a parameter or a family member by formula."""
    return not isinstance(ref, str) and (bool(ref.get("chosen")) or "index" in ref)


class Rulebook:
    """See the module. `Rulebook.of` takes an artifact, a Rulebook, or anything that has one as `book`."""

    def __init__(self, artifact: Mapping[str, Any]) -> None:
        self.artifact = artifact
        self.rules: Mapping[str, Rule] = artifact.get("rules", {})
        self.header: Mapping[str, Any] = artifact.get("system", {})
        self.slots: dict[str, Rule] = dict(_by_id(artifact.get("slots", {})))
        self.stacking: dict[str, str] = dict(pairs(self.header.get("stacking")))
        self.scenes: tuple[str, ...] = tuple(self.header.get("scenes", ()))
        self.sheets: dict[str, tuple[str, ...]] = {name: tuple(has) for name, has in pairs(self.header.get("sheets"))}
        self.units: dict[str, Unit] = _units(self.header.get("clock"))
        self.reached: dict[tuple[Any, ...], frozenset[str]] = {}
        self.touched: dict[tuple[str, str], bool] = {}
        self._moving: tuple[str, ...] | None = None
        self._events: dict[str, None] | None = None
        self._timed: frozenset[str] | None = None
        self._automatic: dict[str, Rule] | None = None
        self._prepared: dict[int, tuple[Any, Callable[[Any], Any]]] = {}
        self._options: dict[str, Value] = {}
        self._of_kind: dict[str, dict[str, Rule]] = {}
        for rule_id, rule in self.rules.items():
            kind = rule["kind"]
            self._of_kind.setdefault(SINGULAR.get(kind, kind), {})[rule_id] = rule

    @classmethod
    def of(cls, rules: Any) -> Rulebook:
        if isinstance(rules, Rulebook):
            return rules
        if isinstance(rules, Mapping):
            return cls(rules)
        book = getattr(rules, "book", None)
        if isinstance(book, Rulebook):
            return book
        made = cls(rules.artifact)
        rules.book = made
        return made

    def share(self, other: Rulebook) -> None:
        """Take over what was found out about rules that differ from these in numbers and signs alone."""
        self.reached, self.touched = other.reached, other.touched
        self._moving, self._events, self._timed = other.moving_tracks(), other.events(), other.timed_events()

    # --- looking up ------------------------------------------------------------------------------------------

    def of_kind(self, *kinds: str) -> dict[str, Rule]:
        if len(kinds) == 1:
            return self._of_kind.get(kinds[0], {})
        return {rule_id: rule for kind in kinds for rule_id, rule in self._of_kind.get(kind, {}).items()}

    def kind(self, rule_id: str) -> str | None:
        rule = self.rules.get(rule_id)
        return None if rule is None else SINGULAR.get(rule["kind"], rule["kind"])

    def rule(self, rule_id: str, *kinds: str) -> Rule:
        """A rule of one of these kinds; an error with the nearest ids where there is none."""
        if self.kind(rule_id) in kinds:
            return self.rules[rule_id]
        what = " or ".join(kinds)
        raise UnknownName(f"there is no {what} {rule_id}.{hint(rule_id, self.of_kind(*kinds))}")

    def title(self, rule_id: str) -> str:
        rule = self.rules.get(rule_id) or self.slots.get(rule_id)
        return str(rule["title"]) if rule and rule.get("title") else rule_id

    def place(self, rule_id: str) -> str | None:
        at = self.rules.get(rule_id, {}).get("at")
        return f"{at[0]}:{at[1]}:{at[2]}" if at else None

    def tags(self, rule_id: str) -> tuple[str, ...]:
        return tuple(self.rules.get(rule_id, {}).get("tags", ()))

    # --- formulas and options --------------------------------------------------------------------------------

    def run(self, code: Any, scope: Any) -> Any:
        """The value of a formula of the artifact."""
        if not isinstance(code, list):
            return code
        known = self._prepared.get(id(code))
        if known is None:
            # The code itself is kept beside what was made of it: an id is free again once its list is gone.
            known = self._prepared[id(code)] = (code, _prepare(code))
        return known[1](scope)

    def option(self, name: str) -> Value:
        if name not in self._options:
            rule = self.rule(name, "option")
            spec = rule["spec"]
            raw = rule.get("value")
            self._options[name] = _option(spec, raw) if raw is not None else self.run(spec.get("default", False), {})
        return self._options[name]

    def in_force(self, rule: Rule) -> bool:
        """Whether the option that a rule belongs to is on."""
        code = rule.get("option")
        return code is None or bool(self.run(code, _Options(self)))

    # --- what touches what -----------------------------------------------------------------------------------

    def automatic(self) -> dict[str, Rule]:
        """Conditions that come by themselves."""
        if self._automatic is None:
            self._automatic = {
                rule_id: rule
                for rule_id, rule in self.of_kind("condition").items()
                if ("while" in rule or "starts" in rule) and self.in_force(rule)
            }
        return self._automatic

    def moving_tracks(self) -> tuple[str, ...]:
        """Tracks whose limits can change in play."""
        if self._moving is None:
            maxed = {
                None if is_open(one["ref"]) else ref_name(one["ref"])
                for rule in self.of_kind(*LASTING, "action").values()
                for one in parts(rule, "modifiers")
                if one["target"] == "track_max"
            }
            self._moving = tuple(
                name
                for name, rule in self.of_kind("track").items()
                if isinstance(rule.get("max"), list) or isinstance(rule.get("min"), list) or maxed & {name, None}
            )
        return self._moving

    def events(self) -> dict[str, None]:
        """What can happen besides time: declared events, scenes, procedures, actions, rolls and their tags."""
        if self._events is None:
            rolls = self.of_kind("roll")
            self._events = dict.fromkeys(
                [
                    *self.scenes,
                    *self.header.get("events", ()),
                    *self.of_kind("procedure", "action"),
                    *rolls,
                    *(
                        tag
                        for rule in (*rolls.values(), *self.of_kind("action").values())
                        for tag in rule.get("tags", ())
                    ),
                ]
            )
        return self._events

    def timed_events(self) -> frozenset[str]:
        """The events of which some formula asks how long ago they were."""
        if self._timed is None:
            found: set[str] = set()
            todo: list[Any] = [self.rules, self.slots]
            while todo:
                match todo.pop():
                    case ["elapsed", str(event), *_]:
                        found.add(event)
                    case list(inner):
                        todo.extend(inner)
                    case dict(inner):
                        todo.extend(inner.values())
            self._timed = frozenset(found)
        return self._timed


def roll_tags(book: Rulebook) -> dict[str, None]:
    """What a roll can be tagged with: the tags and ids of rolls and tables, those that steps add, and those that
    modifiers ask for."""
    found = dict.fromkeys(book.of_kind("roll", "table"))
    todo: list[Any] = [*book.rules.values(), *book.slots.values()]
    for rule in book.of_kind("roll", "table").values():
        found.update(dict.fromkeys(rule.get("tags", ())))
    while todo:
        match todo.pop():
            case list(inner):
                todo.extend(inner)
            case dict(inner):
                todo.extend(inner.values())
                if inner.get("step") in ("roll", "roll_on") or inner.get("target") in ("roll", "against"):
                    found.update(dict.fromkeys((*inner.get("tags", ()), *inner.get("except", ()))))
    return found


def parts(rule: Rule, field: str) -> Iterator[Any]:
    """The items of a list that a rule has for itself and for its levels: modifiers, forbids, implies."""
    yield from rule.get(field, ())
    for level in rule.get("levels", ()):
        yield from level.get(field, ())


class _Options(dict[str, Any]):
    """What a formula over options alone may ask."""

    def __init__(self, book: Rulebook) -> None:
        super().__init__()
        self.option = book.option


def _prepare(code: Any) -> Callable[[Any], Any]:
    from ..formulas.code import prepare

    return prepare(code)


def _by_id(found: Any) -> Iterable[tuple[str, Rule]]:
    if isinstance(found, Mapping):
        return found.items()
    return [(item["id"], item) for item in found]


def _option(spec: Rule, raw: Any) -> Value:
    """An option as an overlay wrote it."""
    kind = spec.get("type", "bool" if isinstance(spec.get("default"), bool) else "int")
    if kind == "bool" and isinstance(raw, str):
        return raw.casefold() in ("yes", "on", "true")
    if kind in ("int", "fraction") and isinstance(raw, str):
        return number_from(raw)
    return raw  # type: ignore[no-any-return]  # the compiler checked it against the spec


def ratio(found: Any) -> Number:
    """An exact number of the artifact outside formulas: whole, `"7/2"`, or a pair."""
    if isinstance(found, int):
        return found
    if isinstance(found, str):
        return Fraction(found)
    return whole(Fraction(*found[-2:]))


def _units(clock: Any) -> dict[str, Unit]:
    raw: dict[str, tuple[Number, str] | None] = {}
    for name, value in pairs(clock):
        raw[name] = (ratio(value[0]), value[1]) if isinstance(value, list | tuple) and value else None
    units: dict[str, Unit] = {}
    for name in raw:
        length, root, seen = Fraction(1), name, {name}
        while (step := raw.get(root)) is not None:
            length, root = length * step[0], step[1]
            if root in seen:
                raise RulesError(f"the clock unit {name} is counted in itself")
            seen.add(root)
        units[name] = Unit(name, root, length)
    return units
