"""Spends: offers, every full way to spend, and buying."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, LimitReached, NeedsAnswer, UnknownName
from rulesdata_runtime.play.spends import Offer, Spending, affordable, covers, pay

from .artifacts import say
from .play_artifacts import roll, rules, run, step, steps, with_

R = rules()


Purse = Mapping[str, int]
Plan = tuple[Any, ...]


def spending(purse: Purse, *offers: Offer, most: int = 100_000) -> Spending:
    return Spending("here", purse, affordable(purse, offers), most)


def shown(plans: Iterable[Any]) -> Counter[Plan]:
    return Counter(
        tuple(sorted((purchase.id, tuple(sorted(purchase.cost.items()))) for purchase in plan)) for plan in plans
    )


def by_hand(purse: Purse, offers: Sequence[Offer]) -> Counter[Plan]:
    """Every full way, slow and sure: all multisets within limits to which nothing can be added."""
    items = [(offer, price) for offer in offers for price in offer.prices]
    most = [offer.limit if offer.limit is not None else max(purse.values()) for offer, _ in items]
    found: Counter[Plan] = Counter()

    def fits(counts: Sequence[int]) -> bool:
        spent: Counter[str] = Counter()
        used: Counter[str] = Counter()
        for (offer, price), count in zip(items, counts, strict=True):
            used[offer.id] += count
            for symbol, amount in price.items():
                spent[symbol] += amount * count
        limits = {offer.id: 99 if offer.limit is None else offer.limit for offer, _ in items}
        return covers(purse, spent) and all(n <= limits[i] for i, n in used.items())

    for counts in product(*(range(n + 1) for n in most)):
        if not any(counts) or not fits(counts):
            continue
        if any(fits([n + (place == other) for other, n in enumerate(counts)]) for place in range(len(counts))):
            continue
        plan = [
            (offer.id, tuple(sorted(price.items())))
            for (offer, price), count in zip(items, counts, strict=True)
            for _ in range(count)
        ]
        found[tuple(sorted(plan))] += 1
    return found


A = Offer("a", "A", ({"edge": 1},), None)
B = Offer("b", "B", ({"edge": 2}, {"star": 1}))
C = Offer("c", "C", ({"edge": 3}, {"star": 1}), 2)
D = Offer("d", "D", ({"edge": 1, "star": 1},))


@pytest.mark.parametrize("purse", [{"edge": e, "star": s} for e in range(6) for s in range(3)], ids=str)
@pytest.mark.parametrize("offers", [(A,), (B, C), (A, B, C), (B, D), (C, D, A)], ids=lambda o: "".join(x.id for x in o))
def test_plans_are_all_full_ways_and_no_other(purse: dict[str, int], offers: tuple[Offer, ...]) -> None:
    found = spending(purse, *offers)
    plans = shown(found.plans)
    assert plans == by_hand(purse, [offer for offer in offers if offer in offers])
    assert set(plans.values()) <= {1}
    assert found.total == len(found.plans)


def test_big_results_are_quick_and_too_many_ways_are_refused_by_number() -> None:
    offers = [
        Offer(f"o{tier}{n}", "O", ({"edge": tier}, {"star": 1}), None if n == 0 else 1)
        for tier in (1, 2, 3)
        for n in range(5)
    ]
    found = spending({"edge": 30, "star": 10}, *offers)
    assert found.total > 10**6
    with pytest.raises(LimitReached, match=r"there are [\d,]+ full ways .* more than the 100,000"):
        found.plans  # noqa: B018


def test_what_costs_nothing_is_bought_once() -> None:
    free = Offer("free", "Free", ({},), None)
    assert shown(spending({"edge": 1}, free, A).plans) == Counter({(("a", (("edge", 1),)), ("free", ())): 1})


def test_paying_finds_prices_that_fit_together() -> None:
    bought = pay({"edge": 2, "star": 1}, [B, C], [("b", None), ("c", None)])
    assert [(one.id, dict(one.cost)) for one in bought] == [("b", {"edge": 2}), ("c", {"star": 1})]
    with pytest.raises(BadInput, match=r"costs more than there is: b \(2 edge or 1 star\), b .* to spend: edge 3"):
        pay({"edge": 3, "star": 0}, [Offer("b", "B", B.prices, 2)], [("b", None), ("b", None)])
    with pytest.raises(BadInput, match="b can be bought once, not 2 times"):
        pay({"edge": 9, "star": 0}, [B], [("b", None), ("b", None)])


def test_the_call_lists_options_and_plans() -> None:
    found = R.spend("fight", edge=3, lands=False).to_json()
    assert [option["id"] for option in found["options"]] == ["rest_a_bit", "show_off"]
    assert found["options"][0] == {"id": "rest_a_bit", "title": "Rest a bit", "cost": [{"edge": 1}], "repeatable": True}
    assert sorted([purchase["id"] for purchase in plan] for plan in found["plans"]) == [
        ["rest_a_bit"] * 3,
        ["show_off", "rest_a_bit"],
    ]


def test_what_was_not_given_leaves_an_option_open() -> None:
    found = R.spend("fight", edge=3, star=1)
    assert (found.options[0].id, found.options[0].needs) == ("wound_more", ("lands", "target"))
    target = R.character(Strength=3)
    sure = R.spend("fight", edge=3, lands=True, target=target)
    assert (sure.options[0].id, sure.options[0].needs) == ("wound_more", ())
    strong = R.spend("fight", edge=3, lands=True, target=R.character(Strength=6))
    assert "wound_more" not in [offer.id for offer in strong.options]
    cheap = R.spend("fight", edge=2, lands=True, rating=2, target=target)
    assert dict(cheap.options[0].prices[0]) == {"edge": 2}


def test_nothing_to_buy_is_no_plan() -> None:
    assert R.spend("fight", edge=0).to_json() == {"options": [], "plans": []}


def test_unknown_contexts_and_symbols() -> None:
    with pytest.raises(UnknownName, match=r"nothing is bought in figth.* Did you mean fight"):
        R.spend("figth", edge=1)
    with pytest.raises(UnknownName, match=r"fight knows no egde.* Did you mean edge"):
        R.spend("fight", egde=1)


def test_buying_happens() -> None:
    hero = R.character(Strength=3, Will=4, strain=2)
    out = R.buy("fight", ["rest_a_bit", "rest_a_bit", "show_off"], hero, edge=3, star=1, lands=False)
    assert out.character.tracks["strain"] == 0
    assert out.results == {
        "bought": [
            {"id": "rest_a_bit", "cost": {"edge": 1}},
            {"id": "rest_a_bit", "cost": {"edge": 1}},
            {"id": "show_off", "cost": {"star": 1}},
        ],
        "left": {"edge": 1},
    }
    target = R.character(Strength=3)
    out = R.buy("fight", "wound_more:star", hero, edge=3, star=1, lands=True, target=target)
    assert (out.characters["target"].tracks["wounds"], out.results["left"]) == (3, {"edge": 3})
    with pytest.raises(BadInput, match="costs more than there is"):
        R.buy("fight", ["show_off", "rest_a_bit"], hero, edge=2, lands=False)
    with pytest.raises(BadInput, match="Wound more needs lands and target"):
        R.buy("fight", "wound_more", hero, edge=3)
    with pytest.raises(BadInput, match=r"shwo_off cannot be bought now.* Did you mean show_off"):
        R.buy("fight", ["shwo_off"], hero, edge=2, lands=False)


FIGHT = {
    "title": "Go",
    "roles": [["me", ""], ["target", ""]],
    "steps": [
        roll("strike", "blow", **{"with": with_(skill="2", hard="0")}),
        step("spend", context="fight", of="blow", id="with_it"),
        step("spend", context="fight"),
    ],
}


def test_a_step_spends_the_symbols_of_its_roll_and_what_is_left_later() -> None:
    made = rules({"go": FIGHT})
    me, target = made.character(Strength=3, Will=4, strain=3), made.character(Strength=2, Will=2)
    dice = ["e+e", "star"]  # edge 2, star 1
    out = made.run("go", me, target, dice=dice, with_it=["wound_more"], fight=["rest_a_bit", "rest_a_bit"])
    assert out.characters["target"].tracks["wounds"] == 3
    assert out.characters["me"].tracks["strain"] == 1
    lines = [entry.text for entry in out.log if entry.step == "spend"]
    assert lines == ["Wound more (1 star)", "Rest a bit (1 edge)", "Rest a bit (1 edge)"]
    with pytest.raises(NeedsAnswer, match=r"Spend 2 edge and 1 star: spend .* wound_more \(Wound more\)"):
        made.run("go", me, target, dice=dice)
    out = made.run("go", me, target, dice=dice, with_it=[], fight=[])
    assert [entry for entry in out.log if entry.step == "spend"] == []


def test_a_step_with_nothing_to_buy_goes_on() -> None:
    made = steps(
        roll("strike", "blow", **{"with": with_(skill="1", hard="0")}),
        step("spend", context="trouble"),
        say("on"),
    )
    out = made.run("go", made.character(Strength=3), dice=["h+h"])
    assert [entry.text for entry in out.log[1:]] == ["trouble: nothing to buy with 2 hit", "on"]
    bad = steps(run("go2"), step("spend", context="trouble"))
    bad.rules["go2"] = {"kind": "procedure", "title": "Two"}
    with pytest.raises(BadInput, match="no roll with symbols was made before"):
        rules({"go": {"title": "Go", "steps": [step("spend", context="trouble")]}}).run("go", R.character(Strength=3))
