"""The step `spend`: the owner of a result buys from it.

In: the step, the roll it belongs to, and the answer: what is bought, by id. Out: the purchases paid from the symbols
of the roll, and their effects done in the order named. What was spent is gone for any later step that spends the
same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import BadInput
from ..state.sheet import Sheet
from .frame import Frame
from .offers import Priced, buy, offers, wanted_list
from .play import Play, Question
from .rolled import Kept
from .spends import Purchase, affordable, pay
from .step_list import Step


def do_spend(play: Play, frame: Frame, step: Step) -> None:
    kept = _result(frame, step)
    owner = frame.bearer(step["by"]) if "by" in step else kept.owner or frame.sheet
    names = {**kept, **kept.rolled.params, **{name: frame.run(code) for name, code in step.get("with", ())}}
    spend(play, owner, step["context"], kept.purse, names, frame.roles, step, frame.rule)


def _result(frame: Frame, step: Step) -> Kept:
    """The roll whose symbols are spent: the one named, else the last one that has any."""
    if "of" in step:
        kept = frame[step["of"]]
        if not isinstance(kept, Kept) or kept.pool is None:
            raise BadInput(f"{step['of']} is no roll with symbols, so nothing can be bought from it")
        return kept
    for value in reversed(list(frame.values())):
        if isinstance(value, Kept) and value.pool is not None:
            return value
    raise BadInput(f"spend {step['context']}: no roll with symbols was made before")


def spend(
    play: Play,
    owner: Sheet,
    context: str,
    purse: dict[str, int],
    names: Mapping[str, Any],
    roles: Mapping[str, Sheet],
    step: Step,
    rule: str,
) -> list[Purchase]:
    """Ask what is bought, pay it from `purse`, and let it happen."""
    priced = offers(play, owner, context, names, roles)
    open_now = affordable(purse, [one.offer for one in priced.values()])
    if not open_now:
        play.note(rule, "spend", f"{context}: nothing to buy with {_purse(purse)}", step.get("at"), owner)
        return []
    options = tuple((offer.id, offer.title) for offer in open_now if not offer.needs)
    useful = {symbol for offer in open_now for price in offer.prices for symbol in price}
    title = f"Spend {_purse({symbol: n for symbol, n in purse.items() if symbol in useful})}"
    question = Question(step.get("id") or context, "purchases", title, play.name_of(owner), options)
    wanted = play.answer(question, lambda answer: wanted_list(answer, priced))
    bought = pay(purse, [one.offer for one in priced.values()], wanted)
    for purchase in bought:
        for symbol, amount in purchase.cost.items():
            purse[symbol] -= amount
    for purchase in bought:
        _happen(play, priced[purchase.id], purchase, owner, step, rule)
    return bought


def _happen(play: Play, priced: Priced, purchase: Purchase, owner: Sheet, step: Step, rule: str) -> None:
    cost = _purse(purchase.cost)
    play.note(rule, "spend", f"{priced.offer.title} ({cost})", step.get("at"), owner, after=purchase.id)
    buy(play, priced)


def _purse(purse: Mapping[str, int]) -> str:
    return " and ".join(f"{amount} {symbol}" for symbol, amount in purse.items() if amount > 0) or "nothing"
