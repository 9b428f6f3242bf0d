"""What is on offer for a result: the spends of a context, priced for the one who spends.

In: a play, who spends, the roles, a context, and the names that conditions and prices may read (results of the roll,
parameters). Out: offers, and the frame of each, in which its effect is done. One rule holds: where a value that an
offer needs was not given, it is not left out: it stands there with what it `needs`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ..answers_text import brief, hint, listed, say
from ..errors import BadInput, MissingValue, UnknownName
from ..records import dataclass
from ..search import said
from ..state.fitting import fit
from ..state.rulebook import Rule, Rulebook
from ..state.sheet import Sheet
from .frame import Frame
from .play import Play
from .spends import Offer
from .step_list import run_steps


@dataclass(frozen=True, slots=True)
class Priced:
    """An offer with the frame of its effect."""

    offer: Offer
    frame: Frame
    rule: Rule


def contexts(book: Rulebook) -> dict[str, list[str]]:
    """Every context with the ids of its spends."""
    found: dict[str, list[str]] = {}
    for spend_id, rule in book.of_kind("spend").items():
        for context in contexts_of(rule):
            found.setdefault(context, []).append(spend_id)
    return found


def contexts_of(rule: Rule) -> Sequence[str]:
    context = rule.get("context", ())
    return (context,) if isinstance(context, str) else context


def offers(
    play: Play,
    owner: Sheet,
    context: str,
    names: Mapping[str, Any],
    roles: Mapping[str, Sheet],
) -> dict[str, Priced]:
    """The spends of a context whose condition holds, or is open because a value was not given."""
    book = owner.book
    known = contexts(book)
    if context not in known:
        raise UnknownName(f"nothing is bought in {context}; there is {listed(known)}.{hint(context, known)}")
    found: dict[str, Priced] = {}
    for spend_id in known[context]:
        rule = book.rules[spend_id]
        if book.in_force(rule):
            priced = _priced(play, owner, spend_id, rule, names, roles)
            if priced is not None:
                found[spend_id] = priced
    return found


def _priced(
    play: Play,
    owner: Sheet,
    spend_id: str,
    rule: Rule,
    names: Mapping[str, Any],
    roles: Mapping[str, Sheet],
) -> Priced | None:
    book = owner.book
    title = book.title(spend_id)
    declared = [role for role, _ in rule.get("roles", ())]
    played = {**roles, **({declared[0]: owner} if declared else {})}
    frame = Frame(play, owner, spend_id, names, roles=played)
    needs: dict[str, None] = dict.fromkeys(role for role in declared if role not in played)
    for spec in rule.get("params", ()):
        name = spec["name"]
        if name in names:
            frame[name] = fit(spec, names[name], f"{name} of {title}", frame)
        elif "default" in spec:
            frame[name] = frame.run(spec["default"])
        else:
            needs[name] = None
    unknown: dict[str, None] = {}

    def worked(code: Any) -> Any:
        """A value, or None where something that it reads is not there."""
        missing = [name for name in read_names(code) if name in needs or not _there(frame, name)]
        if missing:
            unknown.update(dict.fromkeys(missing))
            return None
        return frame.run(code)

    # Each part is looked at even after one fails: what it needs is told either way.
    held = [worked(part) is not False for part in all_of(rule.get("when", True))]
    if not all(held):
        return None
    prices = []
    for price in rule["cost"]:
        amounts = {symbol: worked(code) for symbol, code in price}
        if None not in amounts.values():
            for symbol, amount in amounts.items():
                if amount < 0:
                    raise BadInput(f"{title} costs {say(amount)} {symbol}, less than nothing")
            prices.append({symbol: amount for symbol, amount in amounts.items() if amount})
    limit = worked(rule["limit"]) if "limit" in rule else None if rule.get("repeatable") else 1
    text = said(rule.get("text"))
    return Priced(Offer(spend_id, title, tuple(prices), limit, tuple({**unknown, **needs}), text), frame, rule)


def all_of(code: Any) -> list[Any]:
    """The parts of a condition that must all hold: one that does not settles it, whatever else is open."""
    match code:
        case ["and", [list(), *_] as parts] | ["and", *parts]:
            return [one for part in parts for one in all_of(part)]
        case _:
            return [code]


def read_names(code: Any) -> list[str]:
    """The names and roles that a formula reads and that may be missing."""
    found: dict[str, None] = {}
    todo = [code]
    while todo:
        match todo.pop():
            case ["get", str(name)]:
                found[name] = None
            case ["of" | "of_member", str(role), *_]:
                found[role] = None
            case ["field", str(base), str()]:
                found[base] = None
            case list(parts):
                todo.extend(parts)
            case dict(parts):
                todo.extend(parts.values())
    return sorted(found)


def _there(frame: Frame, name: str) -> bool:
    """Whether a name has a value: local, a role, what is carried, or a value of the sheet."""
    if dict.__contains__(frame, name) or name in frame.roles:
        return True
    if frame.sheet.book.kind(name) in ("condition", "trait", "environment"):
        return bool(frame.sheet.instances(name))
    try:
        frame[name]
    except (MissingValue, UnknownName):
        return False
    return True


Wanted: TypeAlias = tuple[str, Mapping[str, int] | None]
"""What is to be bought, and at which of its prices."""


def wanted_list(answer: Any, open_offers: Mapping[str, Priced]) -> list[Wanted]:
    """Purchases as people write them: an id, `id:symbol` for one of its prices, or `{id, cost}`."""
    items = answer.split(",") if isinstance(answer, str) else answer
    if isinstance(items, Mapping):
        items = [items]
    if not isinstance(items, list | tuple):
        raise BadInput(f"what is bought is a list of ids, not {brief(answer)}")
    found: list[Wanted] = []
    for item in items:
        if isinstance(item, Mapping):
            offer_id, cost = brief(item.get("id")), item.get("cost")
        else:
            offer_id, _, symbol = brief(item).strip().partition(":") if item else ("", "", "")
            cost = symbol or None
        if not offer_id:
            continue
        if offer_id not in open_offers:
            raise BadInput(
                f"{offer_id} cannot be bought now; there is {_listed(open_offers)}.{hint(offer_id, open_offers)}"
            )
        found.append((offer_id, _price(open_offers[offer_id].offer, cost)))
    return found


def _listed(open_offers: Mapping[str, Priced]) -> str:
    return listed(open_offers) or "nothing"


def _price(offer: Offer, cost: Any) -> Mapping[str, int] | None:
    """The price that was meant: by one of its symbols, or written out."""
    if cost is None:
        return None
    for price in offer.prices:
        if price == cost or (isinstance(cost, str) and cost in price):
            return price
    raise BadInput(f"{offer.id} has no price {_told(cost)}; there is {_prices(offer)}")


def _told(cost: Any) -> str:
    if isinstance(cost, Mapping):
        return " and ".join(f"{brief(amount)} {symbol}" for symbol, amount in cost.items()) or "of nothing"
    return brief(cost)


def _prices(offer: Offer) -> str:
    return listed(map(_told, offer.prices), "or") or "none that can be paid"


def buy(play: Play, priced: Priced) -> None:
    """What was bought happens."""
    if priced.offer.needs:
        raise BadInput(f"{priced.offer.title} needs {listed(priced.offer.needs)}")
    play.deeper(priced.offer.title)
    try:
        run_steps(play, priced.frame.child(), priced.rule.get("effect", ()))
    finally:
        play.depth -= 1
