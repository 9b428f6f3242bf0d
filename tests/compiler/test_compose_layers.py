"""Several layers: their order, what brings which along, systems that start from others, characters between rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from overlays import RULES, SYSTEM, composed, house, layers

from rulesdata_compiler import Compiled, Findings, NotFound, compile_system, report
from rulesdata_compiler.layers import find_layers
from rulesdata_compiler.pipeline import compile_layers
from rulesdata_runtime.artifact import open_artifact
from rulesdata_runtime.rules import Rules
from rulesdata_runtime.state.character import from_json, to_json


def change(text: str, **more: str) -> str:
    return house(f"change:\n  {text}\n", **more)


def rules(*houses: str) -> Rules:
    compiled = composed(*houses)
    assert report(compiled) == ""
    assert compiled.artifact is not None
    return Rules(open_artifact(compiled.artifact))


def _body(compiled: Compiled) -> dict[str, Any]:
    assert compiled.body is not None, report(compiled)
    return compiled.body


# --- order ---------------------------------------------------------------------------------------------------------


def test_the_order_of_the_command_line_never_matters() -> None:
    one = change("derived: {boxes: {formula: base + 1, examples: changed}}", id_="one")
    two = change("options: {glow: 4}", id_="two", extends="one")
    three = change("options: {glow: base + 1}", id_="three", more="  after: [two, nobody]\n")
    assert (
        composed(one, two, three).artifact == composed(three, two, one).artifact == composed(two, three, one).artifact
    )


def test_who_comes_after_wins() -> None:
    first = change("options: {glow: 4}", id_="zebra")
    then = change("options: {glow: 5}", id_="apple", more="  after: zebra\n")
    assert rules(then, first).book.option("glow") == 5


# --- layers on the disk --------------------------------------------------------------------------------------------


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "demo"
    (folder / "house").mkdir(parents=True)
    (folder / "system.yaml").write_text(SYSTEM)
    (folder / "rules.yaml").write_text(RULES)
    (folder / "house" / "bright.yaml").write_text(change("options: {glow: 9}", id_="bright"))
    return folder


def test_what_extends_others_brings_them_along(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "friday.yaml").write_text(change("options: {lanterns: on}", extends="bright"))
    compiled = compile_system("demo", ["friday.yaml"])
    assert report(compiled) == ""
    assert _body(compiled)["layers"] == ["demo", "bright", "friday"]
    assert compiled.shown["bright.yaml"] == "demo/house/bright.yaml"


def test_house_rules_of_the_system_by_name_and_a_slip_in_it(demo: Path) -> None:
    assert _body(compile_system("demo", ["bright"]))["layers"] == ["demo", "bright"]
    with pytest.raises(NotFound) as slip:
        find_layers("demo", ["brigt"], Findings())
    assert str(slip.value) == "there is no house-rules file brigt; did you mean bright?"


def test_files_of_one_name_are_told_apart(demo: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "one" / "house.yaml").write_text(change("options: {glow: 4}", id_="first"))
    (tmp_path / "two" / "house.yaml").write_text(change("options: {lanterns: on}", id_="second"))
    compiled = compile_system("demo", ["one", "two/house.yaml"])
    assert report(compiled) == ""
    assert _body(compiled)["files"] == ["rules.yaml", "system.yaml", "first/house.yaml", "second/house.yaml"]
    assert compiled.shown["second/house.yaml"] == "two/house.yaml"


def test_a_system_starts_from_another(demo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "system.yaml").write_text(
        "system: {id: other, title: Other, version: 2.0.0, extends: demo, scenes: [feast]}\n"
        "conditions: {sad: {title: Sad, text: So sad., stacking: ignore, ends: never}}\n"
        "change: {derived: {boxes: {formula: base + 1, examples: changed}}}\n"
        "remove: {conditions: [lit], options: [glow, lanterns]}\n"
    )
    compiled = compile_system("other", [])
    assert report(compiled) == ""
    body = _body(compiled)
    assert (body["system"]["id"], body["system"]["scenes"]) == ("other", ["encounter", "feast"])
    assert ("sad" in body["rules"], "lit" in body["rules"], body["layers"]) == (True, False, ["demo", "other"])


def test_systems_in_a_circle(demo: Path, tmp_path: Path) -> None:
    for name, base in (("one", "two"), ("two", "one")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "system.yaml").write_text(
            f"system: {{id: {name}, title: X, version: 1.0.0, extends: {base}}}\n"
        )
    with pytest.raises(NotFound) as circle:
        find_layers("one", [], Findings())
    assert str(circle.value) == "systems extend each other in a circle: one extends two extends one"


def test_seventeen_deep_is_too_deep() -> None:
    houses = [change("options: {glow: 1}", id_="h00")]
    houses += [
        change(f"options: {{glow: {2 + number % 2}}}", id_=f"h{number:02}", extends=f"h{number - 1:02}")
        for number in range(1, 17)
    ]
    findings = compile_layers(layers(*houses), Findings()).findings
    assert [finding.code for finding in findings] == ["H705", "H705"]
    assert "more than 16 deep: h15 extends h14" in findings.items[0].message


# --- characters ----------------------------------------------------------------------------------------------------


def test_a_character_made_under_other_rules_is_told_what_changed() -> None:
    before = rules(change("options: {lanterns: on}"))
    hero = before.character(strength=6, wounds=10, conditions=["lit", {"dazed": {"for": 3}}])
    saved = to_json(before, hero)
    after = rules(
        change("derived: {boxes: {formula: base - 2, examples: changed}}"),
        house("remove:\n  conditions: [lit]\n  options: [glow, lanterns]\n", id_="monday"),
    )
    loaded, notices = from_json(after, saved)
    assert [one.id for one in loaded.conditions] == ["dazed"]
    assert loaded.tracks["wounds"] == 8
    assert notices == (
        "the rules of demo have changed since the character was saved",
        "the rules no longer have the condition lit; kept aside",
        "the rules no longer have the option glow, which was 3",
        "the rules no longer have the option lanterns, which was yes",
        "Wounds was 10, and it is from 0 to 8 now: set to 8",
    )
    back, _ = from_json(before, to_json(after, loaded))
    assert sorted(one.id for one in back.conditions) == ["dazed", "lit"]
