"""Ranges: which band a distance lies in, where a band ends, and how far it is from one to another.

In: a scope, the id of some bands, and a distance or bands. Out: a band's id, a distance, a number of moves. One rule
holds: a distance on the far edge of a band still lies in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers_text import brief, hint, listed, say
from ..errors import BadInput, MissingValue, NotAllowed, RulesError, UnknownName
from ..state.fitting import fit, number
from ..state.rulebook import Rule
from ..state.scope import Scope
from .play import in_force


def band(scope: Scope, bands_id: str, distance: Any, given: Mapping[str, Any] | None = None) -> str | None:
    """The band that a distance lies in; none past the last one where the rules say so."""
    rule, inner = _ready(scope, bands_id, given)
    title = _title(scope, bands_id)
    distance = number(distance, f"a distance in {title}", fractions=True)
    if distance < 0:
        raise BadInput(f"a distance in {title} is at least 0, not {say(distance)}")
    _measured(rule, inner, title)
    last: Rule | None = None
    for one in rule["bands"]:
        if "distance" not in one:
            continue
        last = one
        if distance <= inner.run(one["distance"]):
            return str(one["id"])
    if last is None:
        raise BadInput(f"the bands of {title} have no distances; name the band itself")
    match rule.get("beyond"):
        case "none":
            return None
        case "last":
            return str(rule["bands"][-1]["id"])  # one without a distance has no end
        case _:
            edge = f"{say(inner.run(last['distance']))}{_unit(rule)}"
            raise BadInput(f"{say(distance)}{_unit(rule)} is beyond the last band of {title}, which ends at {edge}")


def distance(scope: Scope, bands_id: str, band_id: Any, given: Mapping[str, Any] | None = None) -> Any:
    """The far edge of a band."""
    rule, inner = _ready(scope, bands_id, given)
    title = _title(scope, bands_id)
    one = rule["bands"][_place(rule, band_id, title)]
    _measured(rule, inner, title)
    if "distance" not in one:
        raise BadInput(f"{band_id} of {title} has no distance")
    return inner.run(one["distance"])


def moves(scope: Scope, bands_id: str, start: Any, end: Any, given: Mapping[str, Any] | None = None) -> Any:
    """The moves from one band to another: those of every band come into on the way, counted from the nearer to the
    farther whichever way one goes; inside one band what that band says, else none."""
    rule, inner = _ready(scope, bands_id, given)
    title = _title(scope, bands_id)
    near, far = sorted((_place(rule, start, title), _place(rule, end, title)))
    if near == far:
        within = rule["bands"][near].get("within", 0)
        return inner.run(within)
    total: Any = 0
    for one in rule["bands"][near + 1 : far + 1]:
        if "moves" not in one:
            raise BadInput(f"{title} does not say what it takes to come to {one['id']}")
        total += inner.run(one["moves"])
    return total


def edges(scope: Scope, bands_id: str, given: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Every band with its distances and moves, for people."""
    rule, inner = _ready(scope, bands_id, given)
    shape = []
    for one in rule["bands"]:
        told = {"id": one["id"], "title": one.get("title") or one["id"]}
        told.update({key: inner.run(one[key]) for key in ("distance", "moves", "within") if key in one})
        shape.append(told)
    return shape


def _ready(scope: Scope, bands_id: str, given: Mapping[str, Any] | None) -> tuple[Rule, Scope]:
    """The rule, and a scope with its parameters: given, else the default, else a name of the surroundings."""
    rule = scope.sheet.book.rule(bands_id, "bands")
    in_force(scope.sheet.book, bands_id, rule)
    specs = rule.get("params", ())
    names = [spec["name"] for spec in specs]
    for name in given or ():
        if name not in names:
            takes = f"it has {listed(names)}" if names else "it has none"
            raise UnknownName(f"{_title(scope, bands_id)} has no parameter {name}; {takes}.{hint(name, names)}")
    inner = Scope(scope.sheet, roles=scope.roles)
    for spec in specs:
        name = spec["name"]
        what = f"{name} of {_title(scope, bands_id)}"
        if given and name in given:
            inner[name] = fit(spec, given[name], what, inner)
        elif dict.__contains__(scope, name):
            inner[name] = scope[name]
        elif "default" in spec:
            inner[name] = inner.run(spec["default"])
        else:
            try:
                inner[name] = scope[name]
            except MissingValue:
                raise
            except RulesError:
                raise BadInput(f"{_title(scope, bands_id)} needs {name}") from None
    return rule, inner


def _title(scope: Scope, bands_id: str) -> str:
    return scope.sheet.book.title(bands_id)


def _measured(rule: Rule, scope: Scope, title: str) -> None:
    if "measured" in rule and not scope.run(rule["measured"]):
        raise NotAllowed(f"the distances of {title} are not in force; name the band itself")


def _place(rule: Rule, band_id: Any, title: str) -> int:
    ids = [one["id"] for one in rule["bands"]]
    if band_id not in ids:
        raise UnknownName(f"{title} has no band {brief(band_id)}; it has {listed(ids)}.{hint(band_id, ids)}")
    return ids.index(band_id)


def _unit(rule: Rule) -> str:
    return f" {rule['unit']}" if rule.get("unit") else ""
