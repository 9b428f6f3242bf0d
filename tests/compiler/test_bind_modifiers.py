"""What modifiers can make of a value: ranges with them for checks, without for people."""

# ruff: noqa: E501 - cases read best on a line each

from __future__ import annotations

import pytest

from rulesdata_compiler.binding.values import Numbers

from .systems import bound, told

BASE = """
stats: {{Force: {{type: int, min: 1, max: 6}}}}
tracks: {{charge: {{max: 10}}, oil: {{max: Force}}}}
derived: {{guard: {{formula: Force + 1 {more}}}}}
traits: {{coat: {{modifiers: [{coat}]}}, hat: {{modifiers: [{hat}]}}}}
conditions:
  lit: {{stacking: {stacking}, ends: mended, modifiers: [{lit}]}}
"""


def guard(
    coat: str = "", hat: str = "", lit: str = "", stacking: str = "ignore", more: str = "", name: str = "guard"
) -> Numbers:
    text = BASE.format(coat=coat, hat=hat, lit=lit, stacking=stacking, more=more)
    text = text.replace("modifiers: []", "title: X")
    _, bindings, findings = bound(text)
    assert [told(finding) for finding in findings] == []
    found = bindings.values[name]
    assert isinstance(found.value, Numbers)
    if name == "guard":
        assert found.shown == Numbers(2, 7) or more
    return found.value


PLUS_2 = "{value: guard, add: 2}"
MINUS_3 = "{value: guard, add: -3}"


@pytest.mark.parametrize(
    ("given", "span"),
    [
        ({}, Numbers(2, 7)),
        ({"coat": PLUS_2}, Numbers(2, 9)),
        ({"coat": PLUS_2, "hat": MINUS_3}, Numbers(-1, 9)),
        ({"coat": "{value: guard, add: 2, stack: best}", "hat": "{value: guard, add: 5, stack: best}"}, Numbers(2, 12)),
        ({"coat": "{value: guard, add: 2, stack: all}", "hat": "{value: guard, add: 5, stack: all}"}, Numbers(2, 14)),
        (
            {"coat": "{value: guard, add: -2, stack: worst}", "hat": "{value: guard, add: -5, stack: worst}"},
            Numbers(-3, 7),
        ),
        ({"lit": MINUS_3, "stacking": "separate"}, Numbers(None, 7)),
        ({"lit": "{value: guard, add: -3, at_least: 1}", "stacking": "separate"}, Numbers(1, 7)),
        ({"coat": "{value: guard, add: -6, at_least: 0}"}, Numbers(0, 7)),
        ({"lit": "{value: guard, add: -level(lit)}", "stacking": "levels, cumulative: no, max: 4"}, Numbers(-2, 7)),
        ({"coat": "{value: guard, set: 20}"}, Numbers(2, 20)),
        ({"coat": "{value: guard, multiply: 2}"}, Numbers(2, 14)),
        ({"coat": "{value: guard, multiply: 3/4, round: down}"}, Numbers(1, 7)),
        ({"coat": "{value: guard, multiply: 1/2, round: up}", "hat": PLUS_2}, Numbers(1, 9)),
        ({"coat": PLUS_2, "more": ", max: 8"}, Numbers(2, 8)),
        ({"coat": MINUS_3, "more": ", min: 0"}, Numbers(0, 7)),
        ({"coat": "{value: guard, add: charge}"}, Numbers(2, 17)),
        ({"coat": "{value: Force, add: 2}"}, Numbers(2, 9)),
        ({"lit": "{value: Force, add: -1}", "stacking": "separate"}, Numbers(None, 7)),
    ],
)
def test_a_value_with_its_modifiers(given: dict[str, str], span: Numbers) -> None:
    assert guard(**given) == span


def test_the_maximum_of_a_track() -> None:
    assert guard(coat="{track_max: charge, add: 5}", name="charge") == Numbers(0, 15)
    assert guard(coat="{track_max: oil, multiply: 3/4, round: up}", name="oil") == Numbers(0, 6)


def test_levels_that_add_up_and_those_that_do_not() -> None:
    text = """
    derived: {{guard: {{formula: '10'}}}}
    conditions:
      worn:
        stacking: levels
        cumulative: {cumulative}
        ends: mended
        levels:
          1: {{title: One, modifiers: [{{value: guard, add: -1}}]}}
          2: {{title: Two, modifiers: [{{value: guard, add: -3}}]}}
    """
    for cumulative, low in (("yes", 6), ("no", 7)):
        _, bindings, findings = bound(text.format(cumulative=cumulative))
        assert [told(finding) for finding in findings] == []
        assert bindings.values["guard"].value == Numbers(low, 10)


def test_a_modifier_of_any_stat_of_a_kind() -> None:
    """`(which)` may be any stat the parameter allows, and no other."""
    _, bindings, findings = bound(
        """
        stats: {Force: {type: int, min: 2, max: 6}, Calm: {type: int, min: 2, max: 6}, Other: {type: int, min: 2, max: 6}}
        conditions:
          hurt:
            stacking: ignore
            ends: mended
            params: {which: {type: stat, of: [Force, Calm]}}
            modifiers: [{value: (which), add: -1}]
        """
    )
    assert [told(finding) for finding in findings] == []
    assert bindings.values["Force"].value == bindings.values["Calm"].value == Numbers(1, 6)
    assert bindings.values["Other"].value == Numbers(2, 6)


def test_checks_use_the_range_with_modifiers() -> None:
    """A count of dice that only a modifier makes negative is found."""
    _, _, findings = bound(
        """
        stats: {Force: {type: int, min: 1, max: 6}}
        traits: {coat: {modifiers: [{value: Force, add: -2}]}}
        rolls: {try: {let: {thrown: (Force)d6}, results: {hits: count(thrown >= 5)}}}
        """
    )
    assert [told(finding) for finding in findings] == [
        "T504 the number of dice can be negative: `Force`, it can be −1 @Force → write `(max(0, Force))d6`"
    ]


def test_a_roll_that_modifiers_change() -> None:
    """Its value has no bounds then; its parameters are held in their own range."""
    _, bindings, findings = bound(
        """
        traits: {coat: {modifiers: [{roll: [test], add: {value: 2, n: -9}}]}}
        rolls: {try: {params: {n: {type: int, min: 0, max: 6}}, let: {thrown: (n)d6}, value: 1d6, results: {good: value > 3, half: value}, tags: [test]}}
        """
    )
    assert [told(finding) for finding in findings] == []
    half = next(one for formula, one in bindings.of.items() if formula.text == "value")
    assert (half.value, half.shown) == (Numbers(), Numbers(1, 6))


def test_a_parameter_that_rolls_share_is_what_any_of_them_allows() -> None:
    """A `when` may name a choice that only one of the rolls has; numbers here and words there are nothing to read."""
    rolls = """
        rolls:
          try: {params: {how: {type: choice, of: [fast, slow]}, mark: {type: int}}, value: 1d6, tags: [test]}
          dare: {params: {how: {type: choice, of: [slow, blind]}, mark: {type: choice, of: [red]}}, value: 1d6, tags: [test]}
        traits: {coat: {modifiers: [{roll: [test], add: {value: 2}, when: WHEN}]}}
        """
    for when in ("how is fast", "how is slow", "how is blind"):
        assert [told(finding) for finding in bound(rolls.replace("WHEN", when))[2]] == []
    assert [finding.code for finding in bound(rolls.replace("WHEN", "how is loud"))[2]] == ["N405"]
    assert [finding.code for finding in bound(rolls.replace("WHEN", "mark > 2"))[2]] != []
