"""A fifth system, written in YAML alone: no line of code, no schema knows a word of it."""

from __future__ import annotations

import re
from pathlib import Path

import rulesdata

from rulesdata_compiler import compile_system

HERE = Path(__file__).resolve().parent
SYSTEM = HERE / "moth_and_lantern"
CODE = [HERE.parent.parent / name for name in ("compiler", "runtime", "schemas")]


def test_it_has_no_findings_and_its_examples_come_out() -> None:
    compiled = compile_system(str(SYSTEM))
    assert [finding.message for finding in compiled.findings] == []
    assert compiled.counts.examples >= 15


def test_it_plays() -> None:
    rules = rulesdata.load(SYSTEM)
    hero = rules.character(Wing=2, Feeler=2)
    rolled = rules.roll("wingbeat", hero, wind=2, dice=5)
    assert [face.die for face in rolled.dice] == ["luna", "luna", "ash", "ash"]
    assert rules.roll_on("omen", hero, dice=[7]).row["id"] == "flame"  # type: ignore[index]  # a row was found
    options = rules.spend("flight", gleam=2, soot=1).options
    assert {offer.id for offer in options} == {"settle", "smoulder"}
    assert rules.moves("reach", "glow", "gloom", hero) == 3
    tired = hero
    for _ in range(3):
        tired = rules.act(tired, "glide").character or tired
    assert rules.value("dust", tired) == 5
    state = next(one for one in rules.actions(tired) if one.id == "glide")
    assert not state.allowed


def test_no_code_knows_a_word_of_it() -> None:
    words = ["moth-and-lantern", "wingbeat", "shimmer", "luna", "dusted", "smoulder"]
    for folder in CODE:
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".py", ".json", ".lark", ".md"}:
                text = path.read_text(encoding="utf-8").casefold()
                assert [word for word in words if re.search(rf"\b{word}\b", text)] == [], path.name
