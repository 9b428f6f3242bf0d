"""Bands whose far edges do not grow.

In: bands with distance formulas. Out: a finding at the first distance that can fail to lie beyond the one before it,
with the values that show it. The one rule: bounds decide first, then the stats they share are tried together.
"""

from __future__ import annotations

from .. import model
from ..binding.bind import Bound
from ..binding.values import Exact, Numbers, say
from ..diagnostics import Findings, Note
from .names import Names
from .reach_code import Code


def check_bands(names: Names, findings: Findings) -> None:
    for rule in names.system.rules.values():
        if isinstance(rule, model.Bands):
            _check_distances(rule, names, findings)


def _check_distances(rule: model.Bands, names: Names, findings: Findings) -> None:
    before: model.Band | None = None
    for band in rule.bands:
        if band.distance is None:
            continue
        if before is not None:
            _check_pair(rule, before, band, names, findings)
        before = band


def _check_pair(rule: model.Bands, near: model.Band, far: model.Band, names: Names, findings: Findings) -> None:
    first, second = names.bound(near.distance), names.bound(far.distance)
    if first is None or second is None or near.distance is None or far.distance is None:
        return
    if not isinstance(first.value, Numbers) or not isinstance(second.value, Numbers):
        return
    least, most = second.value.low, first.value.high
    if least is not None and most is not None and least > most:
        return
    grows: Code = ["<", first.code, second.code]
    for found in (names.reach_apart(grows, rule.params), names.reach(grows, rule.params)):
        if found is not None and False not in found.weights:
            return
    note = (Note(near.distance.span(), f"`{near.id}` reaches {first.value}"),)
    where = far.distance.span()
    if found is None or not found.certain:
        message = f"`{far.id}` lies behind `{near.id}`, and it cannot be ruled out that it reaches no farther"
        hint = f"write `max({near.distance.text} + 1, {far.distance.text})`, or give the values a range"
        findings.add("R660", f"{message} ({second.value})", where, notes=note, hint=hint)
        return
    findings.add(
        "R660",
        f"`{far.id}` lies behind `{near.id}` and must reach farther: {_shown(first, second, rule, near, names)}",
        where,
        notes=note,
        hint="distances grow from band to band, whatever the values on the sheet are",
    )


def _shown(first: Bound, second: Bound, rule: model.Bands, near: model.Band, names: Names) -> str:
    """A pair of distances that shows it, the nearest one."""
    fails: Code = [">=", first.code, second.code]
    lets = {"far edge": second.code, "near edge": first.code}
    ends = _numbers(["if", fails, ["get", "far edge"], None], rule, lets, names)
    if not ends:
        return "it can fail to"
    there: Code = ["and", fails, ["==", second.code, ends[0]]]
    nears = _numbers(["if", there, ["get", "near edge"], None], rule, lets, names)
    return f"it can end at {say(ends[0])} where `{near.id}` reaches {say(nears[0])}" if nears else "it can fail to"


def _numbers(code: Code, rule: model.Bands, lets: dict[str, Code], names: Names) -> list[Exact]:
    found = names.reach(code, rule.params, lets)
    return [] if found is None else [*found.numbers()]
