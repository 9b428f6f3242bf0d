"""Searching rules by words, and the nearest names."""

from __future__ import annotations

import time

from rulesdata_runtime.search import Index, distance, nearest, plain, said

RULES = {
    "lamp_oil": {"kind": "table", "title": "Oil for lamps", "text": "What a lamp drinks in an hour.", "tags": ["light"]},
    "torch": {"kind": "trait", "title": "Torch", "aliases": ["flambeau"], "text": ["Burns ", {"said": "2 * x"}, " hours."]},
    "alarm": {"kind": "condition", "title": "Alarm", "text": "The whole house wakes; every lamp is lit."},
    "fatigue": {"kind": "condition", "title": "Fatigué", "rows": [{"title": "Worn out"}]},
}
INDEX = Index(RULES)


def ids(words, **more):
    return [found.id for found in INDEX.find(words, **more)]


def test_titles_come_before_texts():
    assert ids("lamp") == ["lamp_oil", "alarm"]


def test_every_word_counts_and_most_words_are_better_than_few():
    assert ids("lamp hour") == ["lamp_oil"]
    assert ids("house torch") == ["alarm", "torch"] or set(ids("house torch")) == {"alarm", "torch"}


def test_beginnings_accents_aliases_rows_and_slips():
    assert ids("tor") == ["torch"]
    assert ids("fatigue") == ids("Fatigué") == ["fatigue"]
    assert ids("flambeau") == ["torch"]
    assert ids("worn") == ["fatigue"]
    assert ids("trch") == ["torch"]
    assert ids("alram")[0] == "alarm"


def test_an_exact_id_is_first_and_kinds_narrow():
    assert ids("lamp oil")[0] == "lamp_oil"
    assert ids("lamp", kind="condition") == ["alarm"]
    assert ids("") == []
    assert ids("zeppelin") == []


def test_distances_count_swaps_once():
    assert distance("lamp", "lmap", 2) == 1
    assert distance("lamp", "lamp", 2) == 0
    assert distance("lamp", "zeppelin", 2) == 3


def test_nearest_names():
    assert nearest("Strenght", ["Strength", "Will", "Luck"]) == ("Strength",)
    assert nearest("strength", ["Strength"]) == ("Strength",)
    assert nearest("xyz", ["Strength", "Will"]) == ()
    assert nearest("boxes", ["stun_boxes", "body_boxes"]) == ("body_boxes", "stun_boxes")


def test_texts_without_their_formulas():
    assert said(["Burns ", {"said": "2 * x"}, "."]) == "Burns {2 * x}."
    assert plain("CAFÉ") == "cafe"


def test_a_thousand_rules_are_quick():
    many = Index({f"rule_{n}": {"kind": "table", "title": f"Rule number {n}", "text": "word " * 40} for n in range(1000)})
    begin = time.perf_counter()
    assert len(many.find("rule numbr 77")) == 20
    assert time.perf_counter() - begin < 2
