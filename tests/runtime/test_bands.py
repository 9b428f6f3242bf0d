"""Bands: where a distance lies, how far a band goes, and moves between bands."""

from __future__ import annotations

import pytest

from rulesdata_runtime.errors import BadInput, MissingValue, NotAllowed, UnknownName

from .artifacts import f, say
from .play_artifacts import rules, steps, when

R = rules()
HERO = R.character(Strength=3)
IDS = ("engaged", "short", "medium", "long")


@pytest.mark.parametrize(
    ("distance", "band"),
    [(0, "engaged"), (3, "engaged"), (4, "short"), (9, "short"), (10, "medium"), (36, "long"), (37, None)],
)
def test_a_far_edge_still_lies_in_its_band(distance: int, band: str | None) -> None:
    assert R.band("personal", distance, HERO) == band


def test_distances_are_numbers_that_fit() -> None:
    with pytest.raises(BadInput, match="at least 0, not -1"):
        R.band("personal", -1, HERO)
    with pytest.raises(BadInput, match="is a number, not far"):
        R.band("personal", "far", HERO)
    with pytest.raises(MissingValue, match="Strength is not given"):
        R.band("personal", 3)
    assert R.band("personal", 3, Strength=4) == "engaged"


def test_moves_are_the_same_both_ways_and_add_up() -> None:
    steps_ = {"short": 1, "medium": 1, "long": 2}
    for i, start in enumerate(IDS):
        for j, end in enumerate(IDS):
            wanted = sum(steps_[name] for name in IDS[min(i, j) + 1 : max(i, j) + 1])
            if i == j:
                wanted = 1 if start == "short" else 0
            assert R.moves("personal", start, end, HERO) == wanted
    with pytest.raises(UnknownName, match=r"Ranges has no band shrot.* Did you mean short"):
        R.moves("personal", "shrot", "long", HERO)


def test_beyond_parameters_and_what_is_not_measured() -> None:
    assert R.band("scaled", 15) == "far"
    assert R.band("scaled", 15, scale=2) == "near"
    with pytest.raises(BadInput, match="21 is beyond the last band of Scaled, which ends at 20"):
        R.band("scaled", 21)
    with pytest.raises(NotAllowed, match="the distances of Scaled are not in force"):
        R.band("scaled", 5, scale=0)
    with pytest.raises(BadInput, match="the bands of Vague have no distances"):
        R.band("vague", 5)
    assert R.moves("vague", "there", "here") == 1
    last = rules(bands={"last": {"title": "Last", "beyond": "last", "bands": [{"id": "a", "distance": 5}]}})
    assert last.band("last", 99) == "a"
    endless = rules(
        bands={"far": {"title": "Far", "beyond": "last", "bands": [{"id": "a", "distance": 5}, {"id": "b"}]}}
    )
    assert [endless.band("far", distance) for distance in (5, 6, 99)] == ["a", "b", "b"]


def test_in_formulas() -> None:
    made = steps(
        when("band_is", say("near")),
    )
    made.rules["go"]["steps"][0]["when"] = ["==", ["band", "personal", f("Strength * 2")], "short"]
    assert [entry.text for entry in made.run("go", HERO).log] == ["near"]
    made.rules["go"]["results"] = [
        ["edge", ["distance", "personal", "long"]],
        ["far", ["moves", "personal", "engaged", "long"]],
    ]
    assert rules({"go": made.rules["go"]}).run("go", HERO).results == {"edge": 36, "far": 4}
