"""Ranges against values: whatever a formula gives at the table lies in the range that binding told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdata_compiler.binding.values import Maybe, Numbers, Truths, Value
from rulesdata_runtime.formulas.code import prepare

from .systems import derived

NAMES = {"Force": range(1, 13), "Calm": range(7), "charge": range(11), "Free": range(-40, 41)}


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """One more layer of a formula over numbers."""
    two = st.tuples(inner, inner)
    tests = st.tuples(inner, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner).map(" ".join)
    both = st.tuples(tests, st.sampled_from(["and", "or"]), tests).map(lambda t: f"({t[0]}) {t[1]} not ({t[2]})")
    return st.one_of(
        two.map(lambda t: f"({t[0]} + {t[1]})"),
        two.map(lambda t: f"({t[0]} - {t[1]})"),
        two.map(lambda t: f"({t[0]} * {t[1]})"),
        two.map(lambda t: f"({t[0]} / max(1, {t[1]}))"),
        two.map(lambda t: f"(if {t[1]} != 0 then {t[0]} / ({t[1]}) else 0)"),
        two.map(lambda t: f"min({t[0]}, {t[1]})"),
        two.map(lambda t: f"max({t[0]}, {t[1]})"),
        two.map(lambda t: f"mod({t[0]}, 1 + abs({t[1]}))"),
        st.tuples(st.sampled_from(["ceil", "floor", "round", "abs", "-"]), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(tests | both, inner, inner).map(lambda t: f"(if {t[0]} then {t[1]} else {t[2]})"),
    )


LEAVES = st.sampled_from([*NAMES, "Half", "0", "1", "2", "7", "1/3", "0.5"])
FORMULAS = st.recursive(LEAVES, grown, max_leaves=8)
SHEETS = st.fixed_dictionaries(
    {
        **{name: st.sampled_from(numbers) for name, numbers in NAMES.items()},
        "Half": st.fractions(0, 10, max_denominator=8).map(lambda x: x.numerator if x.denominator == 1 else x),
    }
)


def holds(value: Value, found: Any) -> bool:
    match value:
        case Numbers():
            whole = isinstance(found, int) or not value.whole
            parts = value.denominator is None or Fraction(found).denominator <= value.denominator
            return value.holds(found) and whole and parts
        case Truths(known=known):
            return known is None or known == found
        case Maybe(of=inner):
            return found is None or holds(inner, found)
    raise TypeError(type(value).__name__)


@settings(max_examples=150, deadline=None)
@given(FORMULAS, st.lists(SHEETS, min_size=4, max_size=4))
def test_every_value_lies_in_its_range(formula: str, sheets: list[dict[str, Any]]) -> None:
    system, bindings, findings = derived(formula)
    codes = {finding.code for finding in findings}
    assert codes <= {"T503", "T506"}  # a divisor that can be 0 for all that is known, or a number beyond the limit
    bound = bindings.of.get(system.rules["x"].formula)  # type: ignore[union-attr]  # `x` is a derived value
    if bound is None:
        assert codes
        return
    run = prepare(bound.code)
    for sheet in sheets:
        found = run(sheet)
        assert holds(bound.value, found), f"{formula} gives {found}, outside {bound.value}"


@pytest.mark.parametrize("formula", ["if Calm > 0 then 10 / Calm else 0", "if Free != 3 then 10 / (Free - 3) else 0"])
def test_what_a_test_says_of_a_divisor(formula: str) -> None:
    _, _, findings = derived(formula)
    assert [finding.code for finding in findings] == ([] if "Calm" in formula else ["T503"])
