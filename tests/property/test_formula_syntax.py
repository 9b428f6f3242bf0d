"""What holds for every formula: text to syntax and back."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from rulesdata_compiler.codes import CODES
from rulesdata_compiler.formulas.parse import Problem, parse
from rulesdata_compiler.formulas.phrase import phrase
from rulesdata_compiler.formulas.show import show
from rulesdata_compiler.formulas.syntax import Expr

from .formulas import expressions, scraps, spellings


@given(expressions())
def test_what_is_shown_is_read_back(expr: Expr) -> None:
    assert parse(show(expr)) == expr


@given(st.data())
def test_other_spellings_mean_the_same(data: st.DataObject) -> None:
    expr = data.draw(expressions())
    text = data.draw(spellings(expr))
    assert parse(text) == expr


@given(expressions())
def test_every_formula_can_be_said_in_one_line(expr: Expr) -> None:
    said = phrase(expr, {})
    assert said
    assert said.count("(") == said.count(")") or '"' in show(expr)


@given(expressions())
def test_syntax_survives_a_pickle(expr: Expr) -> None:
    assert pickle.loads(pickle.dumps(expr)) == expr


def holds(text: str) -> None:
    """A formula, or one problem with a place that can be shown."""
    found = parse(text)
    if not isinstance(found, Problem):
        assert parse(show(found)) == found
        return
    assert found.code in CODES
    assert 0 <= found.start <= found.end <= len(text)
    assert found.start < found.end or not text
    assert "\n" not in found.message + (found.hint or "")


@given(scraps())
def test_scraps_are_read_or_refused(text: str) -> None:
    holds(text)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    holds(text)


@given(
    expressions(12), st.integers(0, 400), st.sampled_from(["", "(", ")", "!", "=", " d6", "'", "if ", "é", "²", "."])
)
def test_a_formula_with_one_slip_is_read_or_refused(expr: Expr, place: int, slip: str) -> None:
    text = show(expr)
    at = place % (len(text) + 1)
    holds(text[:at] + slip + text[at + 1 :])
