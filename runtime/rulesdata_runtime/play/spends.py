"""What a result can buy: the offers, and every full way to spend it.

In: a purse (how many of each symbol there are) and offers, each with any of several prices. Out: purchases. One rule
holds: a way to spend is a plan only if it keeps within the purse and its limits, and nothing more could be bought.

Plans are multisets of purchases (offer and price), each found once: offers are taken in a fixed order, and for each
the numbers bought at its prices are tried. What was left although it could be bought again must be out of reach at
the end; only its cheapest prices have to be remembered. So the number of completions depends on few things (offer,
purse, prices that must be out of reach) and is counted once for each; listing follows only branches that complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import BadInput, LimitReached
from ..records import dataclass, field

PLANS = 100_000
"""Plans listed at most."""
WORK = 1_000_000
"""Branches looked at while counting, at most."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing to buy. `prices` are those known; `limit` None is as often as one can pay. `needs` are names whose
    values were not given, so that its condition or a price is open; `text` says what it does."""

    id: str
    title: str
    prices: tuple[Mapping[str, int], ...]
    limit: int | None = 1
    needs: tuple[str, ...] = ()
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        shape: dict[str, Any] = {
            "id": self.id,
            "title": self.title,
            "cost": [dict(price) for price in self.prices],
        }
        if self.text:
            shape["text"] = self.text
        if self.limit is not None and self.limit != 1:
            shape["limit"] = self.limit
        if self.limit is None:
            shape["repeatable"] = True
        if self.needs:
            shape["needs"] = list(self.needs)
        return shape


@dataclass(frozen=True, slots=True)
class Purchase:
    """An offer bought once, and what was paid."""

    id: str
    cost: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "cost": dict(self.cost)}


@dataclass(frozen=True, slots=True)
class Spending:
    """What a purse can buy. `plans` are made when first asked for, and only once."""

    context: str
    purse: Mapping[str, int]
    options: tuple[Offer, ...]
    most: int = PLANS
    _made: list[tuple[tuple[Purchase, ...], ...]] = field(default_factory=list, repr=False, compare=False)

    @property
    def total(self) -> int:
        """How many full ways there are."""
        return _Planner(self.purse, self.options).total()

    @property
    def plans(self) -> tuple[tuple[Purchase, ...], ...]:
        if not self._made:
            planner = _Planner(self.purse, self.options)
            total = planner.total()
            if total > self.most:
                raise LimitReached(
                    f"there are {total:,} full ways to spend this result in {self.context}, more than the"
                    f" {self.most:,} that are listed; ask for the options alone, or spend a part first"
                )
            self._made.append(tuple(planner.plans()))
        return self._made[0]

    def to_json(self, plans: bool = True) -> dict[str, Any]:
        shape: dict[str, Any] = {"options": [offer.to_json() for offer in self.options]}
        if plans:
            shape["plans"] = [[purchase.to_json() for purchase in plan] for plan in self.plans]
        return shape


def affordable(purse: Mapping[str, int], offers: Sequence[Offer]) -> tuple[Offer, ...]:
    """The offers that can be bought at once, each with the prices that the purse covers."""
    found = []
    for offer in offers:
        prices = tuple(price for price in offer.prices if covers(purse, price))
        if (prices or (offer.needs and not offer.prices)) and offer.limit != 0:
            found.append(Offer(offer.id, offer.title, prices, offer.limit, offer.needs, offer.text))
    return tuple(found)


def covers(purse: Mapping[str, int], price: Mapping[str, int]) -> bool:
    return all(purse.get(symbol, 0) >= amount for symbol, amount in price.items())


def pay(
    purse: Mapping[str, int], offers: Sequence[Offer], wanted: Sequence[tuple[str, Mapping[str, int] | None]]
) -> list[Purchase]:
    """Pay for what was picked: the price that was named, else prices such that all of it can be paid.

    Prices stand in the order of preference; the first combination that fits is taken.
    """
    by_id = {offer.id: offer for offer in offers}
    counts: dict[str, int] = {}
    for offer_id, _ in wanted:
        counts[offer_id] = counts.get(offer_id, 0) + 1
    for offer_id, count in counts.items():
        limit = by_id[offer_id].limit
        if limit is not None and count > limit:
            often = "once" if limit == 1 else f"{limit} times"
            raise BadInput(f"{offer_id} can be bought {often}, not {count} times")
    chosen = _assign(dict(purse), [(by_id[offer_id], price) for offer_id, price in wanted])
    if chosen is None:
        have = ", ".join(f"{symbol} {amount}" for symbol, amount in purse.items() if amount) or "nothing"
        asked = ", ".join(f"{offer_id} ({_prices(by_id[offer_id])})" for offer_id, _ in wanted)
        raise BadInput(f"this costs more than there is: {asked}; to spend: {have}")
    return chosen


def _prices(offer: Offer) -> str:
    return " or ".join(" and ".join(f"{n} {symbol}" for symbol, n in price.items()) for price in offer.prices)


def _assign(purse: dict[str, int], wanted: Sequence[tuple[Offer, Mapping[str, int] | None]]) -> list[Purchase] | None:
    """Prices for all of `wanted`, or None. What failed with a purse is not tried again with the same one."""
    failed: set[tuple[int, tuple[int, ...]]] = set()
    symbols = sorted(purse)

    def follow(place: int) -> list[Purchase] | None:
        if place == len(wanted):
            return []
        state = (place, tuple(purse[symbol] for symbol in symbols))
        if state in failed:
            return None
        offer, named = wanted[place]
        for price in (named,) if named is not None else offer.prices:
            if not covers(purse, price):
                continue
            for symbol, amount in price.items():
                purse[symbol] -= amount
            rest = follow(place + 1)
            for symbol, amount in price.items():
                purse[symbol] += amount
            if rest is not None:
                return [Purchase(offer.id, price), *rest]
        failed.add(state)
        return None

    return follow(0)


_Vector = tuple[int, ...]
_State = tuple[int, _Vector, frozenset[_Vector]]
"""Place of the next offer, purse, prices that must be out of reach in the end."""
_Branch = tuple[list[Purchase], _State]


class _Planner:
    """Counts and lists plans; amounts are vectors over the symbols in play."""

    def __init__(self, purse: Mapping[str, int], offers: Sequence[Offer]) -> None:
        self.symbols = sorted({symbol for offer in offers for price in offer.prices for symbol in price})
        self.purse = tuple(max(0, purse.get(symbol, 0)) for symbol in self.symbols)
        usable = []
        for offer in offers:
            vectors = sorted({self._vector(price) for price in offer.prices}, key=lambda v: (-sum(v), v))
            prices = [vector for vector in vectors if _fits(vector, self.purse)]
            if not prices or offer.limit == 0:
                continue
            # What costs nothing could be had for ever: once is what a plan says of it.
            limit = 1 if offer.limit is None and not any(prices[-1]) else offer.limit
            usable.append((offer.id, tuple(prices), limit))
        usable.sort(key=lambda item: (-sum(item[1][0]), item[0]))
        self.offers = usable
        self.priced = [
            [Purchase(offer_id, {s: n for s, n in zip(self.symbols, price, strict=True) if n}) for price in prices]
            for offer_id, prices, _ in usable
        ]
        self.known: dict[_State, tuple[int, list[_Branch]]] = {}
        self.work = 0

    def _vector(self, price: Mapping[str, int]) -> _Vector:
        return tuple(price.get(symbol, 0) for symbol in self.symbols)

    def total(self) -> int:
        return self._ways((0, self.purse, frozenset()))[0] if self.offers else 0

    def _ways(self, state: _State) -> tuple[int, list[_Branch]]:
        """How many ways there are to go on from an offer so that nothing banned can be paid in the end, and the
        branches that have any: what is bought, and the state after it."""
        known = self.known.get(state)
        if known is not None:
            return known
        place, purse, banned = state
        if place == len(self.offers):
            return (0 if any(_fits(price, purse) for price in banned) else 1), []
        _, prices, limit = self.offers[place]
        total, branches = 0, []
        for counts, left in _numbers(prices, purse, limit):
            self.work += 1
            if self.work > WORK:
                raise LimitReached(
                    f"counting the ways to spend this result takes more than {WORK:,} steps; spend a part first"
                )
            full = limit is not None and sum(counts) >= limit
            after = (place + 1, left, banned if full else _least(banned, prices))
            ways, _ = self._ways(after)
            if ways:
                total += ways
                bought = [
                    purchase for purchase, count in zip(self.priced[place], counts, strict=True) for _ in range(count)
                ]
                branches.append((bought, after))
        self.known[state] = total, branches
        return total, branches

    def plans(self) -> Iterator[tuple[Purchase, ...]]:
        if self.offers:
            yield from self._list((0, self.purse, frozenset()), [])

    def _list(self, state: _State, bought: list[Purchase]) -> Iterator[tuple[Purchase, ...]]:
        if state[0] == len(self.offers):
            yield tuple(bought)
            return
        for more, after in self._ways(state)[1]:
            yield from self._list(after, bought + more)


def _fits(price: _Vector, purse: _Vector) -> bool:
    return all(amount <= have for amount, have in zip(price, purse, strict=True))


def _least(banned: frozenset[_Vector], prices: Sequence[_Vector]) -> frozenset[_Vector]:
    """The prices of which none costs at least as much as another: if those are out of reach, all are."""
    every = banned.union(prices)
    return frozenset(price for price in every if not any(other != price and _fits(other, price) for other in every))


def _numbers(prices: Sequence[_Vector], purse: _Vector, limit: int | None) -> Iterator[tuple[_Vector, _Vector]]:
    """How often to buy at each price, most first: (numbers, purse after)."""
    if not prices:
        yield (), purse
        return
    price = prices[0]
    most = min((have // amount for amount, have in zip(price, purse, strict=True) if amount), default=1)
    if limit is not None:
        most = min(most, limit)
    for count in range(most, -1, -1):
        left = tuple(have - amount * count for amount, have in zip(price, purse, strict=True))
        for rest, after in _numbers(prices[1:], left, None if limit is None else limit - count):
            yield (count, *rest), after
