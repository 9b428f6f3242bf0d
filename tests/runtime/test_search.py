"""Searching rules by words, and the nearest names."""

from __future__ import annotations

from typing import Any

from rulesdata_runtime.search import Index, distance, nearest, plain, said

RULES: dict[str, dict[str, Any]] = {
    "lamp_oil": {
        "kind": "table",
        "title": "Oil for lamps",
        "text": "What lamp drinks.",
        "tags": ["light"],
    },
    "torch": {
        "kind": "trait",
        "title": "Torch",
        "aliases": ["flambeau"],
        "text": ["Burns ", {"said": "x"}],
    },
    "alarm": {"kind": "condition", "title": "Alarm", "text": "The whole house wakes; every lamp is lit."},
    "fatigue": {"kind": "condition", "title": "Fatigué", "rows": [{"title": "Worn out"}]},
}
INDEX = Index(RULES)


def ids(words: str, **more: Any) -> list[str]:
    return [found.id for found in INDEX.find(words, **more)]


def test_titles_come_before_texts() -> None:
    assert ids("lamp") == ["lamp_oil", "alarm"]


def test_every_word_counts_and_most_words_are_better_than_few() -> None:
    assert ids("lamp drinks") == ["lamp_oil"]
    assert ids("wakes torch") == ["torch", "alarm"]


def test_beginnings_accents_aliases_rows_and_slips() -> None:
    assert ids("tor") == ["torch"]
    assert ids("fatigue") == ids("Fatigué") == ["fatigue"]
    assert ids("flambeau") == ["torch"]
    assert ids("worn") == ["fatigue"]
    assert ids("trch") == ["torch"]
    assert ids("alram")[0] == "alarm"


def test_an_exact_id_is_first_and_kinds_narrow() -> None:
    assert ids("lamp oil")[0] == "lamp_oil"
    assert ids("lamp", kind="condition") == ["alarm"]
    assert ids("") == []
    assert ids("zeppelin") == []


def test_distances_count_swaps_once() -> None:
    assert distance("lamp", "lmap", 2) == 1
    assert distance("lamp", "lamp", 2) == 0
    assert distance("lamp", "zeppelin", 2) == 3


def test_nearest_names() -> None:
    assert nearest("Strenght", ["Strength", "Will", "Luck"]) == ("Strength",)
    assert nearest("strength", ["Strength"]) == ("Strength",)
    assert nearest("xyz", ["Strength", "Will"]) == ()
    assert nearest("boxes", ["stun_boxes", "body_boxes"]) == ("body_boxes", "stun_boxes")


def test_texts_without_their_formulas() -> None:
    assert said(["Burns ", {"said": "2 * x"}, "."]) == "Burns {2 * x}."
    assert plain("CAFÉ") == "cafe"


def test_a_thousand_rules_are_quick() -> None:
    many = Index(
        {f"rule_{n}": {"kind": "table", "title": f"Rule number {n}", "text": "word " * 40} for n in range(1000)}
    )
    assert len(many.find("rule numbr 77")) == 11
