"""Everything that a result can buy, by price.

In: the spends of a system. Out: one table for each context. The one rule: cheapest first, by the symbols' order; a
price that is worked out stands behind those that are plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from . import model
from .reference_anchors import safe
from .reference_names import Names, Speech, own_names, spaced
from .reference_prose import Prose
from .reference_view import Grid, GridRow, RuleView, Run, joined, run


def spends_by_price(names: Names, prose: Prose) -> Iterator[RuleView]:
    """A view for each context: what can be bought, under its price."""
    contexts: dict[str, list[model.Spend]] = {}
    for rule in names.system.rules.values():
        if isinstance(rule, model.Spend):
            for context in rule.context:
                contexts.setdefault(context, []).append(rule)
    for context, spends in sorted(contexts.items()):
        yield RuleView(
            anchor=f"spends.{safe(context)}",
            id="",
            kind="spends by price",
            title=f"What can be bought: {spaced(context)}",
            blocks=(_grid(names, prose, spends),),
        )


def _grid(names: Names, prose: Prose, spends: list[model.Spend]) -> Grid:
    priced: dict[Run, list[model.Spend]] = {}
    order: dict[Run, tuple[int, Fraction, str]] = {}
    for rule in spends:
        speech = Speech(names, own_names(rule))
        for price in rule.cost:
            line = joined([run(speech.said(each.formula), " ", names.link(each.name)) for each in price], " + ")
            priced.setdefault(line, []).append(rule)
            order.setdefault(line, _order(names, speech, price))
    rows = []
    for line in sorted(priced, key=lambda each: order[each]):
        bought = []
        for rule in sorted(priced[line], key=lambda each: (names.titles[each.id].casefold(), each.id)):
            bought.append(run(names.link(rule.id), " (again and again)" if rule.repeatable else ""))
        rows.append(GridRow((line, joined(bought, "; "))))
    return Grid("", (run("Price"), run("Buys")), tuple(rows), led=True)


def _order(names: Names, speech: Speech, price: tuple[model.Named, ...]) -> tuple[int, Fraction, str]:
    symbols = list(names.symbols)
    first = price[0].name
    place = symbols.index(first) if first in symbols else len(symbols)
    amounts = [speech.number(each.formula) for each in price]
    if any(amount is None for amount in amounts):
        return place, Fraction(10**9), price[0].formula.text
    return place, sum((Fraction(amount) for amount in amounts if amount is not None), Fraction(0)), first
