"""Wrong calls, every door with every kind of thing that does not belong there: one RulesError, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, RulesError, UnknownName
from rulesdata_runtime.formulas.dice import as_dice
from rulesdata_runtime.rules import Rules

from .artifacts import change
from .play_artifacts import rules, step, whole

R = rules(
    {
        "wound": {"title": "Wound", "params": [whole("amount", 0, 99)], "steps": [change("add", "wounds", 1)]},
        "tend": {"title": "Tend", "roles": [["healer", ""], ["patient", ""]], "steps": []},
        "refuse": {"title": "Refuse", "steps": [step("stop", text="No")]},
    },
    actions={"aim": {"title": "Aim", "effect": []}},
)
HERO = R.character(Strength=3, Will=3)
HUGE = 10**5_000

# Things of every kind, of which hardly any is right anywhere.
THINGS: list[Any] = [
    None,
    "",
    "NaN",
    "9" * 5_000,
    "1e9999999",
    "٣",
    "1_000",
    "0x10",
    "--5",
    "²",
    float("nan"),
    float("inf"),
    3.5,
    Fraction(7, 2),
    HUGE,
    -HUGE,
    True,
    b"3",
    [],
    {},
    [[]],
    {3: 4},
    [None],
    (1, 2),
    complex(1, 2),
    object(),
    {"id": []},
]

# Every door of the rules, with one thing in one of its places.
DOORS: dict[str, Callable[[Rules, Any], Any]] = {
    "value name": lambda r, x: r.value(x),
    "value character": lambda r, x: r.value("boxes", x, Strength=3),
    "value given": lambda r, x: r.value("boxes", Strength=x),
    "explain name": lambda r, x: r.explain(x),
    "explain given": lambda r, x: r.explain("boxes", Strength=x),
    "function name": lambda r, x: r.function(x),
    "function mapping": lambda r, x: r.function("boxes")(x),
    "function value": lambda r, x: r.function("boxes")({"Strength": x}),
    "function with defaults": lambda r, x: r.function("double")(x),
    "function by sheet": lambda r, x: r.function("tired")(x),
    "character stat": lambda r, x: r.character(Strength=x),
    "character track": lambda r, x: r.character(Strength=3, wounds=x),
    "character name": lambda r, x: r.character(name=x),
    "character sheet": lambda r, x: r.character(sheet=x),
    "character conditions": lambda r, x: r.character(conditions=x),
    "character condition": lambda r, x: r.character(conditions=[x]),
    "character level": lambda r, x: r.character(conditions={"weary": x}),
    "character details": lambda r, x: r.character(conditions={"weary": {"level": x}}),
    "character traits": lambda r, x: r.character(traits={"vest": x}),
    "character own track": lambda r, x: r.character(traits="vest", **{"vest.sp": x}),
    "saved": lambda r, x: r.saved(x),
    "loaded": lambda r, x: r.loaded(x),
    "run name": lambda r, x: r.run(x, HERO),
    "run character": lambda r, x: r.run("wound", x, amount=1),
    "run parameter": lambda r, x: r.run("wound", HERO, amount=x),
    "run dice": lambda r, x: r.roll("test", HERO, pool=2, dice=x),
    "run choices": lambda r, x: r.run("wound", HERO, amount=1, choices=x),
    "run given": lambda r, x: r.run("wound", HERO, given=x),
    "run table": lambda r, x: r.run("wound", HERO, amount=1, table=x),
    "roll name": lambda r, x: r.roll(x),
    "roll parameter": lambda r, x: r.roll("test", pool=x, dice=1),
    "roll character": lambda r, x: r.roll("test", x, pool=1, dice=1),
    "roll against": lambda r, x: r.roll("test", HERO, pool=1, dice=1, against=x),
    "roll tags": lambda r, x: r.roll("test", HERO, pool=1, dice=1, tags=x),
    "roll tag": lambda r, x: r.roll("test", HERO, pool=1, dice=1, tags=[x]),
    "roll a die": lambda r, x: r.roll("test", pool=1, dice=[x]),
    "roll digits": lambda r, x: r.roll("spot", dice=[x]),
    "roll custom die": lambda r, x: r.roll("1d[good]", dice=[x]),
    "roll_on name": lambda r, x: r.roll_on(x),
    "roll_on character": lambda r, x: r.roll_on("omens", x),
    "roll_on plus": lambda r, x: r.roll_on("omens", HERO, plus=x, dice=1),
    "roll_on row": lambda r, x: r.roll_on("injury", HERO, row=x, dice=1),
    "picker": lambda r, x: r.picker(x),
    "lookup name": lambda r, x: r.lookup(x, 3),
    "lookup key": lambda r, x: r.lookup("fall_damage", x),
    "lookup word": lambda r, x: r.lookup("range", x, 3),
    "lookup rolled": lambda r, x: r.lookup("gap", x),
    "lookup column": lambda r, x: r.lookup("fall_damage", 3, column=x),
    "lookup character": lambda r, x: r.lookup("fall_damage", 3, character=x),
    "spend context": lambda r, x: r.spend(x),
    "spend symbol": lambda r, x: r.spend("fight", edge=x),
    "spend most": lambda r, x: r.spend("fight", edge=1, most=x).plans,
    "buy list": lambda r, x: r.buy("fight", x, HERO, edge=1),
    "buy item": lambda r, x: r.buy("fight", [x], HERO, edge=1),
    "buy price": lambda r, x: r.buy("fight", [{"id": "rest_a_bit", "cost": x}], HERO, edge=1),
    "band name": lambda r, x: r.band(x, 3),
    "band distance": lambda r, x: r.band("personal", x, HERO),
    "band character": lambda r, x: r.band("personal", 3, x, Strength=3),
    "moves": lambda r, x: r.moves("personal", x, "short", HERO),
    "advance character": lambda r, x: r.advance(x, "turn"),
    "advance unit": lambda r, x: r.advance(HERO, x),
    "advance count": lambda r, x: r.advance(HERO, "turn", x),
    "advance others": lambda r, x: r.advance(HERO, "turn", 1, others=x),
    "actions": lambda r, x: r.actions(x),
    "act character": lambda r, x: r.act(x, "aim"),
    "act name": lambda r, x: r.act(HERO, x),
    "act own_turn": lambda r, x: r.act(HERO, "aim", own_turn=x),
    "order name": lambda r, x: r.order(x, {"ann": HERO}),
    "order who": lambda r, x: r.order("initiative", x),
    "order one": lambda r, x: r.order("initiative", {"ann": x, "bob": 3}),
    "order result": lambda r, x: r.order("initiative", {"ann": {"value": x}, "bob": 3}),
    "order teams": lambda r, x: r.order("rush", {"ann": HERO}, teams=x, dice=1),
    "search": lambda r, x: r.search(x),
    "show": lambda r, x: r.show(x),
}


@pytest.mark.parametrize("door", DOORS)
def test_nothing_but_a_sentence_comes_back(door: str) -> None:
    for thing in THINGS:
        said = answer(door, thing)
        assert said is None or 0 < len(said) < 6_000


def answer(door: str, thing: object) -> str | None:
    """What a refusal says; None where there is none."""
    try:
        DOORS[door](R, thing)
    except RulesError as problem:
        return problem.message
    return None


# What must be refused, not only survived.
@pytest.mark.parametrize("text", ["", "٣", "３", "1_000", "1e3", "0x3", "+-3", "3 3", "1/0", "²", "nan", "9" * 401])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"Strength is a whole number, not|which no value may be"):
        R.value("boxes", Strength=text)


@pytest.mark.parametrize(("text", "value"), [("3", 3), (" 3 ", 3), ("+3", 3), ("−0", 0), ("6/2", 3), ("3.0", 3)])
def test_what_is_a_number_is_taken(text: str, value: int) -> None:
    assert R.value("Luck", Strength=3, Luck=text) == value


@pytest.mark.parametrize(
    ("door", "thing", "says"),
    [
        ("value name", ["x"], "a rule is named by its id, a text, not by a list"),
        ("run character", "bob", r"a character, made with rules.character\(...\), not bob"),
        ("roll tags", "test", "tags is a list of texts"),
        ("roll tag", "nope", "no roll and no modifier has the tag nope"),
        ("advance count", -1, "turn: how many is a whole number of at least 0, not -1"),
        ("order result", "many", "many is no number"),
        ("buy price", 5, "rest_a_bit has no price 5; there is 1 edge"),
        ("roll digits", -24, "a d66 shows 2 digits"),
        ("function mapping", None, "a formula reads values by name"),
    ],
)
def test_the_sentence(door: str, thing: object, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        DOORS[door](R, thing)


def test_the_clock_ends_where_numbers_do() -> None:
    assert R.advance(HERO, "turn", 2**53 - 1).character.clock == {"turn": 2**53 - 1}
    for count in (2**53, HUGE):
        with pytest.raises(RulesError, match="the clock counts to 9,007,199,254,740,991"):
            R.advance(HERO, "turn", count)


def test_events_stop_before_they_would_take_for_ever() -> None:
    with pytest.raises(RulesError, match="at most 100,000 times in one go"):
        R.advance(HERO, "rest", 1_000_000)


def test_results_of_people_may_be_texts() -> None:
    assert R.order("march", {"ann": "7", "bob": {"value": "12"}}).names == ("bob", "ann")


def test_a_name_with_a_dot_is_led_back_to_its_role() -> None:
    with pytest.raises(UnknownName, match=r"Did you mean healer\.Strength\?"):
        R.run("tend", **{"heeler.Strength": 3})


def test_leftover_dice_do_not_hide_why_it_stopped() -> None:
    with pytest.raises(BadInput, match="No, so 1 number of those given is left over: 3"):
        R.run("refuse", HERO, dice=[3])


# --- values beside a character ------------------------------------------------------------------------------------


def test_values_beside_a_character_are_checked_with_it() -> None:
    with pytest.raises(BadInput, match="wounds is from 0 to 10, not 99"):
        R.value("wounds", HERO, wounds=99)
    with pytest.raises(BadInput, match="Weary is carried already"):
        R.value("tired", R.character(Strength=3, conditions="weary"), conditions="weary")
    with pytest.raises(BadInput, match="Weary is carried already"):
        R.character(conditions="weary, weary")
    assert len(R.character(conditions=[{"slowed": {"by": 1}}, {"slowed": {"by": 1}}]).conditions) == 2
    assert R.run("wound", HERO, name="Ann", amount=1).character.name == "Ann"


def test_what_belongs_to_the_table_goes_there() -> None:
    assert R.value("story", story=7) == 7
    assert R.value("story", R.character(story=7)) == 7
    out = R.advance(R.character(Strength=3, story=7), "turn")
    assert out.table is not None
    assert out.table.tracks == {"story": 7}
    assert "story" not in out.character.tracks
    with pytest.raises(BadInput, match="Story is one for all, and is given as 7 and as 6"):
        R.advance(R.character(story=7), "turn", 1, others={"bob": R.character(story=6)})


@pytest.mark.parametrize("given", [[-24], ["٢٤"], ["240"], ["2"]])
def test_digit_dice_take_their_digits_alone(given: list[Any]) -> None:
    with pytest.raises(BadInput):
        as_dice(given).draw_digits((6, 6))
