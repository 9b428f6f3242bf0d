"""Modifiers: found on what is in force, stacked, and applied in one fixed order.

In: a sheet and what is to be changed (a value, a track's maximum, a slot, a roll with tags). Out: the new value and,
for people, each modifier that counted and each that did not, with the reason. One rule holds: set, then add, then
multiply, then at_least and at_most; without a group all count, with one its policy decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from ..answers_text import Number, listed, say, signed, whole
from ..errors import RulesError
from ..records import dataclass, field
from .active import Active, active, at_level, reaching
from .character import Instance
from .rulebook import LASTING, Rule, Rulebook, is_open, parts, ref_name
from .shown import show

if TYPE_CHECKING:
    from .sheet import Sheet

KEYED = ("set", "add", "multiply", "upgrade", "downgrade")
CLAMPS = ("at_least", "at_most")


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that one modifier does: `verb` with `amount` to `key` ("" for a plain value). `source` is the rule,
    `line` the place of the modifier in it; both together are what `once` counts once."""

    source: str
    title: str
    verb: str
    amount: Any
    key: str = ""
    stack: str | None = None
    round: str | None = None
    line: int = 0
    number: int = 0

    def __str__(self) -> str:
        key = f" {self.key}" if self.key else ""
        match self.verb:
            case "add":
                return f"{self.title}: {signed(self.amount)}{key}"
            case "multiply":
                return f"{self.title}: × {say(self.amount)}{key}"
            case "forbid":
                return f"{self.title}: not allowed"
            case "at_least" | "at_most":
                return f"{self.title}: {self.verb.replace('_', ' ')} {say(self.amount)}{key}"
            case _:
                return f"{self.title}: {self.verb} {say(self.amount)}{key}"


@dataclass(frozen=True, slots=True)
class Left:
    """A modifier that did not count, and why."""

    title: str
    what: str
    reason: str
    source: str = ""

    def __str__(self) -> str:
        return f"{self.title}: {self.what}, {self.reason}" if self.what else f"{self.title}: {self.reason}"

    def to_json(self) -> dict[str, Any]:
        return {"source": self.source, "title": self.title, "what": self.what, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Result:
    """A value after its modifiers."""

    value: Any
    counted: tuple[Found, ...] = ()
    not_counted: tuple[Left, ...] = ()


@dataclass(frozen=True, slots=True)
class OnRoll:
    """What modifiers do to a roll: by verb and key (a die, `value`, a parameter). `forbidden` is the reason."""

    verbs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    counted: tuple[Found, ...] = ()
    not_counted: tuple[Left, ...] = ()
    forbidden: str | None = None

    def of(self, verb: str) -> Mapping[str, Any]:
        return self.verbs.get(verb, {})


# --- finding ---------------------------------------------------------------------------------------------------


def touched(book: Rulebook, target: str, name: str) -> bool:
    """Whether any rule has a modifier that can change this value, track maximum or slot."""
    key = (target, name)
    if key not in book.touched:
        book.touched[key] = any(
            _aims(one, target, name)
            for rule in book.of_kind(*LASTING, "action").values()
            for one in parts(rule, "modifiers")
        )
    return book.touched[key]


def _aims(modifier: Rule, target: str, name: str) -> bool:
    return modifier["target"] == target and (is_open(modifier["ref"]) or ref_name(modifier["ref"]) == name)


def on_value(sheet: Sheet, target: str, name: str) -> tuple[list[Found], list[Left]]:
    """The modifiers of a value, a track's maximum or a slot, before stacking."""
    book = sheet.book
    if not touched(book, target, name):
        return [], []
    automatic = reaching(
        book, (target, name), lambda rule: any(_aims(one, target, name) for one in parts(rule, "modifiers"))
    )
    found: list[Found] = []
    left: list[Left] = []
    for one in active(sheet, automatic):
        for line, modifier, level in _lines(one):
            if modifier["target"] == target and ref_name(modifier["ref"], sheet.frame(instance=one.instance)) == name:
                _read(sheet, one, line, modifier, level, None, found, left)
    return found, [*left, *_doubtful(sheet, automatic)]


def on_roll(
    sheet: Sheet, target: str, tags: Iterable[str], names: Mapping[str, Any] | None = None
) -> tuple[list[Found], list[Left]]:
    """The modifiers of a roll with these tags: `roll` for the one who rolls, `against` for the one rolled at.
    `names` are the parameters of the roll."""
    wanted = frozenset(tags)

    def aims(modifier: Rule) -> bool:
        return (
            modifier["target"] == target
            and not wanted.isdisjoint(modifier.get("tags", ()))
            and wanted.isdisjoint(modifier.get("except", ()))
        )

    automatic = reaching(sheet.book, (target, wanted), lambda rule: any(aims(one) for one in parts(rule, "modifiers")))
    found: list[Found] = []
    left: list[Left] = []
    for one in active(sheet, automatic):
        for line, modifier, level in _lines(one):
            if aims(modifier):
                _read(sheet, one, line, modifier, level, names, found, left)
    return found, [*left, *_doubtful(sheet, automatic)]


def _doubtful(sheet: Sheet, automatic: frozenset[str]) -> list[Left]:
    """Automatic conditions of which nobody can say whether they are there: they do not count, and are told."""
    doubts = sheet.doubts
    return [Left(sheet.book.title(name), "", doubts[name], name) for name in sorted(automatic & doubts.keys())]


def _lines(one: Active) -> Iterator[tuple[int, Rule, int | None]]:
    for line, (modifier, level) in enumerate(at_level(one.rule, "modifiers", one.instance.level)):
        yield line, modifier, level


def _read(
    sheet: Sheet,
    one: Active,
    line: int,
    modifier: Rule,
    level: int | None,
    names: Mapping[str, Any] | None,
    found: list[Found],
    left: list[Left],
) -> None:
    """What one modifier does, or why it does nothing."""
    book, instance = sheet.book, one.instance
    title = book.title(instance.id)
    reason: str | None = None
    if one.suspended_by is not None:
        reason = f"suspended by {book.title(one.suspended_by)}"
    elif level is not None:
        reason = f"belongs to level {level}, and the level is {instance.level}"
    scope = sheet.frame(names, instance=instance)
    if reason is None and "when" in modifier and not scope.run(modifier["when"]):
        reason = f"counts only when {show(modifier['when'])}"
    if reason is not None:
        left.append(Left(title, _words(modifier), reason, instance.id))
        return

    def add(verb: str, amount: Any, key: str = "", stack: str | None = None, round_: str | None = None) -> None:
        found.append(Found(instance.id, title, verb, amount, key, stack, round_, line, instance.number))

    for verb in KEYED:
        for key, code in modifier.get(verb, ()):
            add(verb, scope.run(code), key, modifier.get("stack"), modifier.get("round"))
    for verb in CLAMPS:
        if verb in modifier:
            add(verb, scope.run(modifier[verb]))
    if modifier.get("forbid"):
        add("forbid", True)


def _words(modifier: Rule) -> str:
    """A modifier as it is written, for one that was not worked out."""
    words = [f"{verb} {show(code)}{f' {key}' if key else ''}" for verb in KEYED for key, code in modifier.get(verb, ())]
    words += [f"{verb.replace('_', ' ')} {show(modifier[verb])}" for verb in CLAMPS if verb in modifier]
    return listed(words + (["forbids it"] if modifier.get("forbid") else []))


# --- stacking --------------------------------------------------------------------------------------------------


def stack(found: Sequence[Found], policies: Mapping[str, str]) -> tuple[list[Found], list[Left]]:
    """What survives its stacking group, in the order found. A clamp goes with the line that it stands on; of lines
    that are equally good one counts, and the clamps of all, so that it makes no difference which came first."""
    groups: dict[tuple[str, str, str], list[Found]] = {}
    for one in found:
        if one.stack is not None:
            groups.setdefault((one.stack, one.verb, one.key), []).append(one)
    lost: dict[int, str] = {}
    equal: set[int] = set()
    for (group, _, _), members in groups.items():
        match policies.get(group, "sum"):
            case "highest" | "lowest" as policy:
                pick = max if policy == "highest" else min
                best = pick(members, key=lambda one: one.amount)  # the first of equals
                for one in members:
                    if one is not best:
                        lost[id(one)] = f"only the {policy} of group {group} counts: {best.title} {say(best.amount)}"
                        if one.amount == best.amount:
                            equal.add(id(one))
            case "once":
                kept: dict[tuple[str, int], Found] = {}
                for one in members:
                    known = kept.setdefault((one.source, one.line), one)
                    if known is not one:
                        less, more = (known, one) if one.amount > known.amount else (one, known)
                        kept[one.source, one.line] = more
                        lost[id(less)] = f"group {group} counts each source once"
            case _:
                pass
    alive = {
        (one.source, one.line, one.number)
        for one in found
        if one.verb in KEYED and (id(one) not in lost or id(one) in equal)
    }
    lost_lines = {(one.source, one.line, one.number) for one in found if id(one) in lost}
    counted: list[Found] = []
    left: list[Left] = []
    for one in found:
        place = (one.source, one.line, one.number)
        if id(one) in lost:
            left.append(Left(one.title, str(one).partition(": ")[2], lost[id(one)], one.source))
        elif one.verb not in KEYED and place in lost_lines and place not in alive:
            left.append(Left(one.title, str(one).partition(": ")[2], "its modifier does not count", one.source))
        else:
            counted.append(one)
    return counted, left


def combine(
    base: Any, found: Sequence[Found], policies: Mapping[str, str], left: Iterable[Left] = (), what: str = "the value"
) -> Result:
    """`base` after its modifiers. A limit that the value keeps anyway is not told as having counted."""
    counted, lost = stack(found, policies)
    value, idle = _applied(base, counted, what)
    return Result(value, tuple(one for one in counted if id(one) not in idle), (*left, *lost))


def _applied(base: Any, counted: Sequence[Found], what: str) -> tuple[Any, set[int]]:
    """The value, and the limits that made no difference."""
    value = base
    idle: set[int] = set()
    sets = [one for one in counted if one.verb == "set"]
    if sets:
        value = sets[0].amount
        for one in sets[1:]:
            if one.amount != value:
                raise RulesError(
                    f"{sets[0].title} sets {what} to {say(value)} and {one.title} sets it to {say(one.amount)};"
                    " the rules do not say which of them counts"
                )
    for one in counted:
        if one.verb == "add":
            value = value + one.amount
    value = multiplied(value, [one for one in counted if one.verb == "multiply"], what)
    for verb, pick in (("at_least", max), ("at_most", min)):
        for one in counted:
            if one.verb == verb:
                held = pick(value, one.amount)
                if held == value:
                    idle.add(id(one))
                value = held
    return (whole(value) if isinstance(value, Fraction) else value), idle


def multiplied(value: Any, factors: Sequence[Found], what: str) -> Any:
    """All factors at once, rounded at the end: which of them came first makes no difference."""
    if not factors:
        return value
    for one in factors:
        value = value * one.amount
    ways: dict[Number, Found] = {}
    for one in factors:
        if one.round is not None or len(factors) == 1:
            ways.setdefault(rounded(value, one.round), one)
    if len(ways) > 1:
        first, second, *_ = ways.values()
        raise RulesError(
            f"{what} comes to {say(whole(value))}, which {first.title} rounds {_rounds(first)} and {second.title}"
            f" rounds {_rounds(second)}; the rules do not say which of them counts"
        )
    return next(iter(ways), whole(value))


def _rounds(one: Found) -> str:
    return "to the nearest" if one.round == "near" else str(one.round)


def rounded(value: Number, how: str | None) -> Number:
    """Up, down, or near (halves away from zero); without a word as it is."""
    value = whole(value)
    if isinstance(value, int):
        return value
    match how:
        case "up":
            return ceil(value)
        case "down":
            return floor(value)
        case "near":
            return floor(abs(value) + Fraction(1, 2)) * (1 if value > 0 else -1)
        case _:
            return value


def for_roll(
    sheet: Sheet,
    tags: Iterable[str],
    names: Mapping[str, Any] | None = None,
    *,
    against: Sheet | None = None,
) -> OnRoll:
    """Everything that changes a roll of `sheet` with these tags, made at `against`; amounts of one verb and key are
    added up (multiplied for `multiply`)."""
    tags = tuple(tags)
    found, left = on_roll(sheet, "roll", tags, names)
    if against is not None:
        more, less = on_roll(against, "against", tags, names)
        found, left = [*found, *more], [*left, *less]
    counted, lost = stack(found, sheet.book.stacking)
    verbs: dict[str, dict[str, Any]] = {}
    forbidden: str | None = None
    for one in counted:
        if one.verb == "forbid":
            forbidden = forbidden or f"{one.title} forbids it"
            continue
        keys = verbs.setdefault(one.verb, {})
        if one.key not in keys:
            keys[one.key] = one.amount
        elif one.verb == "set":
            if keys[one.key] != one.amount:
                raise RulesError(
                    f"{one.key or 'the roll'} is set to {say(keys[one.key])} and by {one.title} to {say(one.amount)};"
                    " the rules do not say which of them counts"
                )
        elif one.verb == "at_least":
            keys[one.key] = max(keys[one.key], one.amount)
        elif one.verb == "at_most":
            keys[one.key] = min(keys[one.key], one.amount)
        elif one.verb == "multiply":
            keys[one.key] = whole(keys[one.key] * one.amount)
        else:
            keys[one.key] = keys[one.key] + one.amount
    return OnRoll(verbs, tuple(counted), (*left, *lost), forbidden)


def acting(rule_id: str, params: Mapping[str, Any]) -> Instance:
    """An action while it is done: its modifiers count as long."""
    return Instance(rule_id, 0, params)
