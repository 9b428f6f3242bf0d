"""What changed, value by value and by consequence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from overlays import RULES, composed, house

from rulesdata_compiler import report
from rulesdata_compiler.cli import main
from rulesdata_compiler.diffing.diff import Diff, diff
from rulesdata_compiler.diffing.diff_render import render


def between(*houses: str, old: str = RULES, new: str = RULES) -> Diff:
    before, after = composed(rules=old), composed(*houses, rules=new)
    assert report(before) == ""
    assert report(after) == ""
    return diff(before, after)


def lines(found: Diff) -> dict[str, tuple[str, ...]]:
    return {one.rule: one.lines for one in found.consequences}


def change(text: str) -> str:
    return house(f"change:\n  {text}\n")


@pytest.mark.parametrize(
    ("formula", "line"),
    [
        ("base + 2", "+2 for every strength"),
        ("base - 1/2 * 2", "-1 for every strength"),
        ("base + (if strength >= 3 then 1 else 0)", "+1 for strength 3 and more"),
        ("base + (if strength <= 2 then 1 else 0)", "+1 for strength 2 and less"),
        ("base + (if strength == 4 then 3 else 0)", "+3 for strength 4"),
    ],
)
def test_a_value_in_words(formula: str, line: str) -> None:
    assert lines(between(change(f'derived: {{boxes: {{formula: "{formula}", examples: changed}}}}')))["boxes"] == (
        line,
    )


def test_a_value_by_a_choice() -> None:
    found = between(change('derived: {boxes: {formula: "base + (if kind is torch then 1 else 0)"}}'))
    assert lines(found)["boxes"] == ("+1 for kind torch",)


def test_a_value_by_two_inputs_at_once() -> None:
    found = between(change('derived: {boxes: {formula: "base + (if kind is torch and strength > 4 then 1 else 0)"}}'))
    assert lines(found)["boxes"] == (
        "+1 in 2 of 12 combinations of kind and strength; with kind torch, strength 5: 12, was 11",
    )


def test_rows_that_move() -> None:
    found = between(
        change("tables: {mishap: {rows: {trip: {at: 1-3}, burn: {at: 4, days: 3}}}, fall: {rows: {4-6: 4}}}")
    )
    assert lines(found)["mishap"] == ("3 was Burn, is Trip", "Burn: days is 3, was 2")
    assert lines(found)["fall"] == ("4-6 was 3, is 4",)


def test_a_roll_by_its_odds() -> None:
    found = between(change("rolls: {test: {results: {hits: count(thrown >= 4)}}}"))
    assert lines(found)["test"] == (
        "hits with pool 1: 0.5 on average, was 0.33 on average",
        "hits with pool 4: about 2.02 on average, was about 1.34 on average",
        "hits with pool 10: about 4.97 on average, was about 3.26 on average",
        "hits with pool 20: about 9.86 on average, was about 6.5 on average",
    )


def test_a_procedure_and_the_examples() -> None:
    found = between(change("procedures: {hurt: {steps: {fill: {add: {wounds: base + 1}}}, examples: changed}}"))
    assert lines(found)["hurt"] == (
        "comes out otherwise in 12 of 15 runs that were tried; with amount 0 and the lowest stats: "
        "left is 8, was 9; wounds is 1, was 0",
    )
    assert [(one.title, one.lines) for one in found.examples] == [("A blow", ("left is 7, was 8",))]


def test_words_alone_have_no_consequence() -> None:
    found = between(change("derived: {boxes: {title: Health, why: Nicer}}"))
    assert (len(found.values), found.consequences, found.examples) == (1, (), ())


def test_two_versions_without_house_rules() -> None:
    new = RULES.replace("8 + ceil", "9 + ceil").replace("expect: {boxes: 11}", "expect: {boxes: 12}")
    new = new.replace("expect: {left: 8}", "expect: {left: 9}").replace(
        "burn: {at: 3-4, title: Burn", "burn: {at: 3-4, title: Fire"
    )
    found = between(new=new)
    assert [(value.name, value.before, value.after) for value in found.values] == [
        ("boxes.formula", "8 + ceil(strength / 2)", "9 + ceil(strength / 2)"),
        ("boxes.examples.A strong one.expect.boxes", "11", "12"),
        ("hurt.examples.A blow.expect.left", "8", "9"),
        ("mishap.rows.burn.title", "Burn", "Fire"),
    ]
    assert lines(found)["boxes"] == ("+1 for every strength",)
    assert found.values[0].place == ("rules.yaml", 8, 14)


def test_nothing_changes() -> None:
    assert render(between(), "text") == "demo 1.0.0, compared with demo 1.0.0\nnothing changes\n"


WHOLE = change("derived: {boxes: {formula: base + 2, why: Tougher | harder, examples: changed}}")


def test_as_text() -> None:
    assert render(between(WHOLE), "text") == (
        "demo 1.0.0 with friday, compared with demo 1.0.0\n"
        "\n"
        "changed values: 1\n"
        "  boxes.formula: base + 2, was 8 + ceil(strength / 2)\n"
        "    why: Tougher | harder\n"
        "    friday.yaml:6:30 (friday)\n"
        "\n"
        "what comes out differently\n"
        "  boxes: +2 for every strength\n"
        "  hurt: comes out otherwise in 15 of 15 runs that were tried; "
        "with amount 0 and the lowest stats: left is 11, was 9\n"
        "\n"
        "worked examples that change: 2\n"
        "  A strong one (boxes): boxes is 13, was 11\n"
        "  A blow (hurt): left is 10, was 8\n"
    )


def test_as_markdown() -> None:
    assert render(between(WHOLE), "markdown") == (
        "# Demo: what changes\n"
        "\n"
        "demo 1.0.0 with friday, compared with demo 1.0.0.\n"
        "\n"
        "| rule | now | before | why | where |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| `boxes.formula` | `base + 2` | `8 + ceil(strength / 2)` | Tougher \\| harder | friday.yaml, line 6 |\n"
        "\n"
        "## What comes out differently\n"
        "\n"
        "- **Boxes** (`boxes`)\n"
        "  - +2 for every strength\n"
        "- **Getting hurt** (`hurt`)\n"
        "  - comes out otherwise in 15 of 15 runs that were tried; "
        "with amount 0 and the lowest stats: left is 11, was 9\n"
        "\n"
        "## Worked examples that change\n"
        "\n"
        "- A strong one (`boxes`): boxes is 13, was 11\n"
        "- A blow (`hurt`): left is 10, was 8\n"
    )


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from overlays import SYSTEM

    monkeypatch.chdir(tmp_path)
    for folder, rules in (("old", RULES.replace("max: 9", "max: 8")), ("demo", RULES)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "system.yaml").write_text(SYSTEM)
        (tmp_path / folder / "rules.yaml").write_text(rules)
    (tmp_path / "friday.yaml").write_text(WHOLE)
    assert main(["diff", "demo", "--house", "friday.yaml", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["version"], told["before"], told["after"]) == (1, "demo 1.0.0", "demo 1.0.0 with friday")
    assert told["values"] == [
        {
            "address": ["derived", "boxes", "formula"],
            "before": "8 + ceil(strength / 2)",
            "after": "base + 2",
            "layer": "friday",
            "file": "friday.yaml",
            "line": 6,
            "column": 30,
            "why": "Tougher | harder",
        }
    ]
    assert main(["diff", "demo", "--against", "old"]) == 0
    assert "glow.max: 9, was 8" in capsys.readouterr().out
    assert main(["diff", "demo"]) == 2
    assert "say what to compare with: --house FILE, or --against OLD" in capsys.readouterr().err
    (tmp_path / "friday.yaml").write_text(change("derived: {boxes: {formula: 1}}"))
    assert main(["diff", "demo", "--house", "friday.yaml"]) == 1
    assert capsys.readouterr().err.endswith("rules with errors cannot be compared\n")


def test_what_an_option_switches() -> None:
    found = lines(between(change("options: {lanterns: on}")))
    assert found["lit"] == ("in force now, was switched off",)


def test_long_texts_are_told_where_they_differ() -> None:
    long = "word " * 60
    old = RULES.replace("text: Boxes fill.", f"text: {long}old end.")
    found = between(change(f"procedures: {{hurt: {{text: {long}new end.}}}}"), old=old, new=old)
    told = [(value.before, value.after) for value in found.values]
    assert told == [("…" + "word " * 8 + "old end.", "…" + "word " * 8 + "new end.")]


def test_the_header_by_name_and_reasons_without_markup() -> None:
    found = between(change("system: {title: Ours, why: <i>so_it|is}"))
    assert [value.name for value in found.values] == ["system.title"]
    assert "| \\<i\\>so\\_it\\|is | friday.yaml, line 6 |" in render(found, "markdown")


def test_a_rare_result_of_a_roll_is_not_missed() -> None:
    found = lines(
        between(change("rolls: {test: {results: {hits: count(thrown >= 5) + (if sum(thrown) == 1 then 1 else 0)}}}"))
    )
    assert found["test"][0] == "hits with pool 1: 0.5 on average, was 0.33 on average"


def test_a_change_that_no_run_shows_is_told_as_such() -> None:
    found = between(change("procedures: {hurt: {steps: {fill: {when: amount != 3}}, examples: changed}}"))
    assert lines(found)["hurt"] == ("changed, and what was tried does not show it",)
