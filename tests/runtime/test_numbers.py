"""Numbers: what the arithmetic of the rules gives, and what a formula says where there is nothing to give."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdata_runtime.errors import ArtifactError, BadInput, LimitReached, NoValue, UnknownName
from rulesdata_runtime.formulas import numbers
from rulesdata_runtime.formulas.code import prepare

STYLES = ("generate", "closures")
NO_CODE: list[Any] = [
    ["nonsense", 1],
    [],
    [1, 2],
    ["+"],
    ["get"],
    ["get", 3],
    ["neg", 1, 2],
    ["frac", 1, 0],
    ["frac", 1.5, 2],
    ["roll", 1, 0, {}],
    ["roll", 1, 6, {"keep": ["most", 1]}],
    ["roll", 1, 6, {"r": [0]}],
    ["digits", [0, 6]],
    ["chain", ["<"], [1, 2, 3]],
    ["chain", ["<", "="], [1, 2, 3]],
    ["count", 1, ["<"], []],
    ["has", "x", [], None],
    ["lookup", "t", 3, None],
    1.5,
    {"a": 1},
]


def test_whole_values_are_whole_numbers() -> None:
    assert type(numbers.whole(Fraction(4, 2))) is int
    assert numbers.whole(Fraction(1, 2)) == Fraction(1, 2)
    assert numbers.whole(True) is True
    assert numbers.whole("text") == "text"
    assert numbers.whole(None) is None
    assert numbers.quotient(6, 3) == 2
    assert type(numbers.quotient(Fraction(3, 2), Fraction(1, 2))) is int
    assert numbers.quotient(7, 2) == Fraction(7, 2)


@given(st.fractions(max_denominator=50))
def test_halves_round_away_from_zero(value: Fraction) -> None:
    away = numbers.rounded(value)
    assert abs(away - value) <= Fraction(1, 2)
    if abs(away - value) == Fraction(1, 2):
        assert abs(away) > abs(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), (" -3 ", -3), ("−3", -3), ("7/2", Fraction(7, 2)), ("4/2", 2), ("0.1", Fraction(1, 10)), ("+2", 2)],
)
def test_texts_that_spell_numbers(text: str, value: Any) -> None:
    read = numbers.read(text)
    assert (type(read), read) == (type(value), value)


@pytest.mark.parametrize("text", ["", "x", "1e9", "1/0", "nan", "inf", "1_000", "٣", "1" * 50, "0x10"])
def test_texts_that_spell_none(text: str) -> None:
    with pytest.raises(BadInput, match="is not a number; whole numbers, fractions"):
        numbers.read(text)


def test_numbers_have_a_limit() -> None:
    assert numbers.limited(Fraction(2**53 - 1, 2)) == Fraction(2**53 - 1, 2)
    for far in (2**53, -(2**53), Fraction(1, 2**53), Fraction(2**53, 3)):
        with pytest.raises(LimitReached, match=r"beyond 2\^53 - 1"):
            numbers.limited(far)


def test_values_as_people_and_json_write_them() -> None:
    assert [numbers.show(value) for value in (None, True, False, 3, Fraction(7, 2), "arm")] == [
        *("none", "yes", "no", "3", "7/2", "arm")
    ]
    assert [numbers.plain(value) for value in (None, True, 3, Fraction(7, 2), "arm")] == [None, True, 3, "7/2", "arm"]


@pytest.mark.parametrize("style", STYLES)
class TestErrors:
    def test_division_by_zero(self, style: Any) -> None:
        for code in (["/", 1, ["get", "x"]], ["floor", ["/", 1, ["get", "x"]]], ["mod", 1, ["get", "x"]], ["/", 1, 0]):
            with pytest.raises(NoValue, match=r"^a formula divides by 0$"):
                prepare(code, style)({"x": 0})

    def test_a_missing_name(self, style: Any) -> None:
        with pytest.raises(UnknownName, match=r"^x has no value here, and a formula needs one$"):
            prepare(["+", [1, ["get", "x"]]], style)({})

    def test_values_of_the_wrong_kind(self, style: Any) -> None:
        run = prepare(["+", [["get", "y"], ["get", "x"]]], style)
        with pytest.raises(BadInput, match=r"^x is none, and a formula needs a number there$"):
            run({"x": None, "y": 1})
        with pytest.raises(BadInput, match=r"^x is left, and a formula needs a number there$"):
            run({"x": "left", "y": 1})
        with pytest.raises(BadInput, match=r"3\.5 is a floating-point number"):
            run({"x": 2.5, "y": 1})

    def test_a_plain_mapping_has_no_character(self, style: Any) -> None:
        with pytest.raises(BadInput, match=r"^a formula asks for has of a character"):
            prepare(["has", "lit", {}, None], style)({})

    def test_a_key_error_of_somebody_else_stays_one(self, style: Any) -> None:
        class Broken(dict[str, Any]):
            def __missing__(self, name: str) -> Any:
                raise KeyError(name)

        with pytest.raises(KeyError):
            prepare(["get", "x"], style)(Broken())

    def test_crossed_ends(self, style: Any) -> None:
        with pytest.raises(NoValue, match=r"not above the high one, not 3 and 5/2"):
            prepare(["clamp", ["get", "x"], 3, ["/", 5, ["get", "x"]]], style)({"x": 2})

    def test_the_number_limit(self, style: Any) -> None:
        run = prepare(["limit", ["*", [["get", "x"], ["get", "x"]]]], style)
        assert run({"x": 94906265}) == 94906265**2
        with pytest.raises(LimitReached, match=r"2\^53 - 1"):
            run({"x": 94906267})

    @pytest.mark.parametrize("code", NO_CODE)
    def test_what_is_no_code_is_a_damaged_artifact(self, style: Any, code: Any) -> None:
        with pytest.raises(ArtifactError, match="damaged"):
            prepare(code, style)

    def test_depth_is_no_trouble(self, style: Any) -> None:
        code: Any = ["get", "x"]
        for _ in range(50):
            code = ["abs", ["round", ["/", ["+", [code, 1]], 3]]]
        assert prepare(code, style)({"x": 1}) in (0, 1)
        for _ in range(20_000):
            code = ["neg", code]
        with pytest.raises(ArtifactError, match="nested too deeply"):
            prepare(code, style)

    def test_a_long_flat_sum(self, style: Any) -> None:
        assert prepare(["+", [["get", "x"]] * 1_999], style)({"x": 2}) == 3_998
        chain: Any = ["get", "x"]
        for _ in range(900):
            chain = ["-", chain, 1]
        assert prepare(chain, style)({"x": 2}) == -898

    def test_names_are_only_ever_keys(self, style: Any) -> None:
        for name in ("']or[1", "\\", "\n", "v", "__class__", "{x}", "%s", "名", "\ud800"):
            assert prepare(["get", name], style)({name: 5}) == 5
            assert prepare(["==", ["get", "x"], name], style)({"x": name}) is True
            assert prepare(["member", name, ["get", "x"]], style)({"x": "k", f"{name}[k]": 4}) == 4
