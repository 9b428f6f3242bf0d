"""The calls of `Rules` that spend a result: what can be bought, and buying it.

In: the rules, a context, the symbols of a result, and what conditions may read. Out: offers with plans, or an outcome.
One rule holds: a name that neither the symbols nor the spends of the context know is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..answers_text import hint, listed
from ..errors import UnknownName
from ..state.character import Character
from ..state.fitting import number
from .calls import ALONE, answerable, begin, finish, merged, sort
from .offers import contexts, offers, read_names
from .outcome import Outcome
from .play import Play, Question
from .spends import PLANS, Spending, affordable
from .step_spend import spend as spend_step

if TYPE_CHECKING:
    from ..rules import Rules


def spend(
    rules: Rules,
    context: str,
    character: Character | None,
    *,
    names: Mapping[str, Any],
    dice: Any = None,
    choices: Mapping[str, Any] | None = None,
    ask: Callable[[Question], Any] | None = None,
    table: Character | None = None,
    given: Mapping[str, Any] | None = None,
    most: int = PLANS,
) -> Spending:
    """See Rules.spend."""
    purse, known, play = _begin(
        rules, context, character, names, dice=dice, choices=choices, ask=ask, table=table, given=given
    )
    owner = play.cast[ALONE]
    roles = {role: sheet for role, sheet in play.cast.items() if role != ALONE}
    priced = offers(play, owner, context, known, roles)
    return Spending(context, purse, affordable(purse, [one.offer for one in priced.values()]), most)


def buy(
    rules: Rules,
    context: str,
    wanted: Sequence[Any] | str,
    character: Character | None,
    *,
    names: Mapping[str, Any],
    dice: Any = None,
    choices: Mapping[str, Any] | None = None,
    ask: Callable[[Question], Any] | None = None,
    table: Character | None = None,
    given: Mapping[str, Any] | None = None,
) -> Outcome:
    """See Rules.buy."""
    answers = {**(choices or {}), context: wanted}
    purse, known, play = _begin(
        rules, context, character, names, dice=dice, choices=answers, ask=ask, table=table, given=given, settle=True
    )
    owner = play.cast[ALONE]
    roles = {role: sheet for role, sheet in play.cast.items() if role != ALONE}
    bought = spend_step(play, owner, context, purse, known, roles, {}, context)
    left = {symbol: amount for symbol, amount in purse.items() if amount}
    return finish(rules, play, {"bought": [purchase.to_json() for purchase in bought], "left": left})


def _begin(
    rules: Rules,
    context: str,
    character: Character | None,
    names: Mapping[str, Any],
    *,
    dice: Any,
    choices: Mapping[str, Any] | None,
    ask: Callable[[Question], Any] | None,
    table: Character | None,
    given: Mapping[str, Any] | None,
    settle: bool = False,
) -> tuple[dict[str, int], dict[str, Any], Play]:
    """Sort the names of a call: symbols to spend, values that conditions and prices read, roles, answers."""
    book = rules.book
    known = contexts(book)
    if context not in known:
        raise UnknownName(f"nothing is bought in {context}; there is {listed(known)}.{hint(context, known)}")
    spends = [book.rules[spend_id] for spend_id in known[context]]
    symbols = {*rules.dice_rules.symbols, *(name for rule in spends for price in rule["cost"] for name, _ in price)}
    roles = {role for rule in spends for role, _ in rule.get("roles", ())}
    params = {spec["name"] for rule in spends for spec in rule.get("params", ())}
    answers = {name for name in answerable(book) if name in names and name not in symbols | params}
    read = {name for rule in spends for code in _formulas(rule) for name in read_names(code)} - roles
    purse: dict[str, int] = {}
    values: dict[str, Any] = dict(given or {})
    rest: dict[str, Any] = {}
    people: dict[str, Character] = {}
    for name, value in names.items():
        if name in symbols:
            purse[name] = int(number(value, name))
        elif isinstance(value, Character):
            people[name] = value
        elif name in params or (name in read and book.kind(name) is None):
            values[name] = value
        else:
            rest[name] = value
    for name in people:
        if name not in roles:
            raise UnknownName(f"{context} knows no role {name}.{hint(name, roles)}")
    nearest = [*symbols, *params]
    for name in rest:
        if name not in answers and book.kind(name) not in ("stat", "track") and "." not in name:
            raise UnknownName(
                f"{context} knows no {name}; it is paid with {listed(sorted(symbols))}.{hint(name, nearest)}"
            )
    call = sort(book, context, {}, [] if character is None else [character], rest, answers=choices)
    cast = {ALONE: merged(rules, character, call.own.get(ALONE, {})), **people}
    play = begin(rules, cast, dice=dice, answers=call.answers, ask=ask, table=table, settle=settle)
    return purse, values, play


def _formulas(rule: Mapping[str, Any]) -> list[Any]:
    return [
        *(rule[field] for field in ("when", "limit") if field in rule),
        *(code for price in rule["cost"] for _, code in price),
    ]
