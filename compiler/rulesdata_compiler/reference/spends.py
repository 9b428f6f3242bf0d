"""Everything that a result can buy, by price.

In: the spends of a system. Out: one view with a table for each context. The one rule: cheapest first, by the symbols'
order; a price that is worked out stands behind those that are plain numbers.
"""

from __future__ import annotations

from fractions import Fraction

from .. import model
from .names import Names, Speech, own_names, spaced
from .view import Grid, GridRow, Portion, RuleView, Run, joined, run


def spends_by_price(names: Names) -> RuleView:
    """What can be bought in each context, under its price."""
    contexts: dict[str, list[model.Spend]] = {}
    for rule in names.system.rules.values():
        if isinstance(rule, model.Spend):
            for context in rule.context:
                contexts.setdefault(context, []).append(rule)
    portions = tuple(Portion(spaced(context), (_grid(names, spends),)) for context, spends in sorted(contexts.items()))
    return RuleView("page.spends", "", "spends", "What results can buy", blocks=portions)


def price_words(price: tuple[model.Named, ...], speech: Speech) -> Run:
    """`3 Gleam + 1 Halo`; `(what it is worth) × Gleam` where the amount is worked out."""
    made = []
    for each in price:
        between = " " if speech.number(each.formula) is not None else " × "
        made.append(run(speech.said(each.formula), between, speech.names.link(each.name)))
    return joined(made, " + ")


def _grid(names: Names, spends: list[model.Spend]) -> Grid:
    priced: dict[Run, list[model.Spend]] = {}
    order: dict[Run, tuple[int, Fraction, str]] = {}
    for rule in spends:
        speech = Speech(names, own_names(rule))
        for price in rule.cost:
            line = price_words(price, speech)
            priced.setdefault(line, []).append(rule)
            order.setdefault(line, _order(names, speech, price))
    rows = []
    for line in sorted(priced, key=lambda each: order[each]):
        bought = [
            run(names.link(rule.id), " (again and again)" if rule.repeatable else "")
            for rule in sorted(priced[line], key=lambda each: (names.titles[each.id].casefold(), each.id))
        ]
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
