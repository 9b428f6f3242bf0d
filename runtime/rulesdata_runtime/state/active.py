"""What is in force on a character right now.

In: a sheet. Out: the conditions, traits and environments that count, with what they imply, and which of them are
suspended. One rule holds: conditions that come by themselves are judged by their formula each time, so that nobody
has to bring a sheet up to date before asking it.

`reaching` keeps that affordable: only automatic conditions that can touch what is asked are judged at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ..answers_text import listed
from ..errors import MissingValue, RulesError
from ..records import dataclass, replace
from .character import Instance
from .fitting import fit_all
from .rulebook import LASTING, Rule, Rulebook, is_open, parts, ref_name

if TYPE_CHECKING:
    from .sheet import Sheet


@dataclass(frozen=True, slots=True)
class Active:
    """One instance in force; with `suspended_by` (a rule's id) it is carried and counts for nothing."""

    instance: Instance
    rule: Rule
    suspended_by: str | None = None


def at_level(rule: Rule, field: str, level: int) -> Iterator[tuple[Any, int | None]]:
    """The items of `field` (modifiers, forbids, implies) with the level from which they count, where they do not yet.

    What stands on the rule itself counts at every level. Of the written levels count all up to the present one where
    they are `cumulative`, else the highest of those.
    """
    for item in rule.get(field, ()):
        yield item, None
    levels = rule.get("levels", ())
    top = max((one["number"] for one in levels if one["number"] <= level), default=0)
    for one in levels:
        counts = one["number"] == top or (one["number"] < top and bool(rule.get("cumulative")))
        for item in one.get(field, ()):
            yield item, None if counts else one["number"]


def in_force(rule: Rule, field: str, level: int) -> Iterator[Any]:
    return (item for item, missing in at_level(rule, field, level) if missing is None)


def holds(sheet: Sheet, rule_id: str) -> bool | None:
    """Whether the formula of an automatic condition holds; None where a value that it needs was not given."""
    rule = sheet.book.rules[rule_id]
    key = ("holds", rule_id)
    if key not in sheet.memo:
        try:
            with sheet.working(rule_id):
                found = bool(sheet.frame().run(rule["while"] if "while" in rule else rule["starts"]))
            sheet.memo[key] = found
            sheet.doubts.pop(rule_id, None)
        except MissingValue as problem:
            sheet.memo[key] = None
            sheet.doubts[rule_id] = f"whether {sheet.book.title(rule_id)} holds is open: {problem.message}"
    known: bool | None = sheet.memo[key]
    return known


def comes(sheet: Sheet, rule_id: str) -> bool | None:
    """Whether an automatic condition is to be there now although it is not carried yet."""
    if "while" not in sheet.book.rules[rule_id] and rule_id in sheet.started:
        return False
    return holds(sheet, rule_id)


def active(sheet: Sheet, automatic: frozenset[str]) -> tuple[Active, ...]:
    """Everything in force, in order of arrival; of the automatic conditions only those named are judged."""
    key = ("active", automatic)
    found: tuple[Active, ...] | None = sheet.memo.get(key)
    if found is None:
        found = sheet.memo[key] = tuple(_settle_suspended(sheet, _carried(sheet, automatic)))
    return found


def _carried(sheet: Sheet, automatic: frozenset[str]) -> list[Instance]:
    rules = sheet.book.rules
    carried = [
        one
        for one in sheet.held.values()
        if "while" not in rules[one.id] or one.id not in automatic or holds(sheet, one.id) is not False
    ]
    there = {one.id for one in carried}
    last = sheet.next_number
    for rule_id in sorted(automatic - there):
        if comes(sheet, rule_id):
            carried.append(Instance(rule_id, last, implied_by=rule_id))
            last += 1
    if sheet.acting is not None:
        carried.append(sheet.acting)
    return carried


def _settle_suspended(sheet: Sheet, carried: list[Instance]) -> Iterable[Active]:
    """Add what is implied, and find what is suspended: what a suspended rule implies or suspends does not count."""
    suspended: dict[str, str] = {}
    ever: set[str] = set()
    for _ in range(len(carried) + 2):
        found: dict[str, str] = {}
        everything: list[Active] = []
        queue = list(carried)
        there = {_alike(one) for one in carried}
        for one in queue:  # grows while it is read: what is implied may imply more
            rule = sheet.book.rules[one.id]
            by = suspended.get(one.id)
            everything.append(Active(one, rule, by))
            if by is not None:
                continue
            scope = sheet.frame(instance=one)
            for ref in in_force(rule, "implies", one.level):
                implied = _implied(sheet, ref_name(ref, scope), one)
                if _alike(implied) not in there:
                    there.add(_alike(implied))
                    queue.append(implied)
            for ref in rule.get("suspends", ()):
                found.setdefault(ref_name(ref, scope), one.id)
        if found.keys() == suspended.keys():
            return [replace(one, suspended_by=found.get(one.instance.id)) for one in everything]
        suspended = found
        ever |= found.keys()
    titles = sorted(sheet.book.title(name) for name in ever)
    raise RulesError(f"{listed(titles)} suspend each other; the rules do not say which of them counts")


def _implied(sheet: Sheet, rule_id: str, by: Instance) -> Instance:
    """What an instance implies. Its parameters are those of the same name there, else their defaults."""
    specs = sheet.book.rules[rule_id].get("params")
    if not specs:
        return Instance(rule_id, by.number, implied_by=by.id)
    names = [spec["name"] for spec in specs]
    passed = {name: value for name, value in by.params.items() if name in names}
    params = fit_all(specs, passed, sheet.book.title(rule_id), sheet.frame())
    return Instance(rule_id, by.number, params, implied_by=by.id)


def _alike(one: Instance) -> tuple[str, frozenset[tuple[str, Any]]]:
    """What tells instances apart where one of a kind is enough."""
    return one.id, frozenset(one.params.items())


def reaching(book: Rulebook, key: tuple[Any, ...], hit: Callable[[Rule], bool]) -> frozenset[str]:
    """The automatic conditions that can bear on a question: those for whose rule `hit` holds, those that imply one,
    and those that suspend one of all these. Kept under `key`."""
    if key in book.reached:
        return book.reached[key]
    automatic = book.automatic()
    found: set[str] = set()
    if automatic:
        lasting = book.of_kind(*LASTING)
        found = {rule_id for rule_id, rule in lasting.items() if hit(rule)}
        while True:
            more = {
                rule_id
                for rule_id, rule in lasting.items()
                if rule_id not in found
                and any(
                    is_open(ref) or ref_name(ref) in found
                    for ref in (*parts(rule, "implies"), *parts(rule, "suspends"))
                )
            }
            if not more:
                break
            found |= more
    book.reached[key] = frozenset(found & automatic.keys())
    return book.reached[key]


# --- questions -------------------------------------------------------------------------------------------------


def carrying(sheet: Sheet, rule_id: str) -> list[Instance]:
    """See Sheet.carrying. A condition that comes by itself is an error to ask for where that cannot be told."""
    rule = sheet.book.rule(rule_id, *LASTING)
    automatic = reaching(sheet.book, ("has", rule_id), lambda other: other is rule)
    found = [one.instance for one in active(sheet, automatic) if one.instance.id == rule_id]
    if not found and rule_id in automatic and comes(sheet, rule_id) is None:
        raise MissingValue(rule_id, sheet.doubts[rule_id])
    return found


def carried(sheet: Sheet, tag: str) -> int:
    """See Sheet.carried."""
    automatic = reaching(sheet.book, ("tag", tag), lambda rule: tag in rule.get("tags", ()))
    return sum(
        tag in one.rule.get("tags", ())
        for one in active(sheet, automatic)
        if one.instance.implied_by in (None, one.instance.id) and sheet.book.kind(one.instance.id) == "condition"
    )


def forbidden(sheet: Sheet, name: str, what: str = "name") -> str | None:
    """See Sheet.forbidden."""

    def forbids(item: Rule) -> bool:
        return bool(item["name"] == name and item.get("what", "name") == what)

    automatic = reaching(
        sheet.book, ("forbids", what, name), lambda rule: any(forbids(item) for item in parts(rule, "forbids"))
    )
    for one in active(sheet, automatic):
        counts = one.suspended_by is None
        if counts and any(forbids(item) for item in in_force(one.rule, "forbids", one.instance.level)):
            return f"{sheet.book.title(one.instance.id)} forbids it"
    return None
