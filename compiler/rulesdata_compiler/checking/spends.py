"""Spends nobody can afford, that cost nothing, or that state a price twice.

In: the system, the codes of the prices. Out: findings at the price. The one rule: a symbol is out of reach only where
no die of the system shows it, nor anything that counts as it.
"""

from __future__ import annotations

from .. import model
from ..diagnostics import Findings, Note
from .names import Names, counted_with


def check_spends(names: Names, findings: Findings) -> None:
    broken = names.bindings.broken
    unsure = names.system.broken or any(isinstance(names.system.rules.get(name), model.Die) for name in broken)
    shown = None if unsure else _shown(names.system)
    for rule in names.system.rules.values():
        if isinstance(rule, model.Spend):
            _check_spend(rule, names, shown, findings)


def _shown(system: model.System) -> frozenset[str] | None:
    """Every symbol some die can give; None where a system has no dice of its own and gives symbols another way."""
    faces = {
        symbol
        for rule in system.rules.values()
        if isinstance(rule, model.Die)
        for face in rule.faces
        for symbol in face
    }
    if not faces:
        return None
    counted = {other for symbol in faces for other in counted_with(system, symbol)}
    return frozenset(faces | counted)


def _check_spend(rule: model.Spend, names: Names, shown: frozenset[str] | None, findings: Findings) -> None:
    seen: dict[object, model.Named] = {}
    for price in rule.cost:
        bounds = [names.bound(named.formula) for named in price]
        for named in price:
            if shown is not None and named.name not in shown and any(s.id == named.name for s in names.system.symbols):
                findings.add(
                    "R650",
                    f"nobody can ever pay this: no die shows `{named.name}`, nor anything that counts as it",
                    named.span,
                    hint="put the symbol on a face, or ask another price",
                )
        if not price or any(bound is None for bound in bounds):
            continue
        costs = [names.numbers(named.formula) for named in price]
        if all(cost is not None and cost.low is not None and cost.low <= 0 for cost in costs):
            free = all(cost is not None and cost.high is not None and cost.high <= 0 for cost in costs)
            cost = costs[0]
            findings.add(
                "R651",
                f"`{rule.id}` costs nothing" if free else f"`{rule.id}` can cost nothing: its price is {cost}",
                price[0].formula.span(),
                hint="a price is 1 or more; what is free is no spend"
                if free
                else f"write `max(1, {price[0].formula.text})`",
            )
        key = tuple(sorted((named.name, repr(bound.code)) for named, bound in zip(price, bounds, strict=True) if bound))
        if key in seen:
            first = seen[key]
            said = " and ".join(f"{named.formula.text} {named.name}" for named in price)
            notes = (Note(first.span, "the first time"),)
            findings.add("R652", f"`{rule.id}` states the same price twice: {said}", price[0].span, notes=notes)
        else:
            seen[key] = price[0]
