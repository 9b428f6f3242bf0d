"""The commands that write house rules: `house` and `new`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from overlays import RULES, SYSTEM, house

from rulesdata_compiler import compile_system, report
from rulesdata_compiler.cli import main


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "system.yaml").write_text(SYSTEM)
    (folder / "rules.yaml").write_text(RULES)
    return tmp_path


def change(*words: str) -> int:
    return main(["house", "demo", *words, "--house", "friday.yaml"])


def test_a_first_change_makes_the_file(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert change("boxes", "formula", "base + 2", "--why", "Tougher: by two", "--examples-changed", "--yes") == 0
    told = capsys.readouterr()
    written = (
        "# House rules: what this table plays differently, and why.\n"
        "house_rules:\n"
        "  id: friday\n"
        "  title: Friday\n"
        "  extends: demo\n"
        "\n"
        "change:\n"
        "  derived:\n"
        "    boxes:\n"
        "      formula: base + 2\n"
        "      was: 8 + ceil(strength / 2)\n"
        '      why: "Tougher: by two"\n'
        "      examples: changed\n"
    )
    assert (demo / "friday.yaml").read_text() == written
    lines = "".join(f"+{line}\n" for line in written.splitlines())
    assert told.out == f"--- friday.yaml\n+++ friday.yaml\n@@ -0,0 +1,13 @@\n{lines}"
    assert told.err == "wrote friday.yaml\n"
    assert report(compile_system("demo", ["friday.yaml"])) == ""


def test_what_would_have_errors_is_not_written(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert change("boxes", "formula", "base + 2", "--yes") == 1
    told = capsys.readouterr().err
    assert "error[H724]: with this 2 worked examples come out otherwise" in told
    assert told.endswith(
        "nothing was written: the rules would have errors\n--examples-changed says that this is what you want\n"
    )
    assert not (demo / "friday.yaml").exists()


def test_without_yes_and_without_a_terminal_nothing_is_written(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert change("glow", "value", "4") == 2
    assert capsys.readouterr().err == "nothing was written; --yes writes it\n"
    assert change("glow", "value", "4", "--dry-run") == 0
    assert not (demo / "friday.yaml").exists()


def test_undo_puts_the_file_before_back(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = house("change:\n  options: {glow: 4}   # brighter\n").encode().replace(b"\n", b"\r\n")
    (demo / "friday.yaml").write_bytes(first)
    assert change("boxes", "unit", "spots", "--yes") == 0
    after = (demo / "friday.yaml").read_bytes()
    assert after == first + (b"  derived:\r\n    boxes:\r\n      unit: spots\r\n      was: boxes\r\n")
    assert (demo / "friday.yaml.bak").read_bytes() == first
    assert main(["house", "demo", "--house", "friday.yaml", "--undo"]) == 0
    assert (demo / "friday.yaml").read_bytes() == first
    assert main(["house", "demo", "--house", "friday.yaml", "--undo"]) == 2
    assert capsys.readouterr().err.endswith("no file before friday.yaml is kept\n")


def test_undo_of_a_first_change_takes_the_file_away(demo: Path) -> None:
    assert change("glow", "value", "4", "--yes") == 0
    assert main(["house", "demo", "--house", "friday.yaml", "--undo"]) == 0
    assert not (demo / "friday.yaml").exists()


def test_rows_parameters_and_several_fields(demo: Path) -> None:
    assert change("mishap", "rows.trip.title", "Stumble", "--why", "Kinder", "--yes") == 0
    assert change("fall", "rows.04-06", "4", "--why", "Harder", "--yes") == 0
    assert change("test", "params.pool.max", "30", "--yes") == 0
    assert change("boxes", "max", "20", "--yes") == 0
    assert change("boxes", "min", "3", "--yes") == 0
    assert (demo / "friday.yaml").read_text().partition("change:\n")[2] == (
        "  tables:\n"
        "    mishap:\n"
        "      rows:\n"
        "        trip:\n"
        "          title: Stumble\n"
        "          was: Trip\n"
        "          why: Kinder\n"
        "    fall:\n"
        "      rows:\n"
        "        04-06: 4\n"
        "      why: Harder\n"
        "  rolls:\n"
        "    test:\n"
        "      params:\n"
        "        pool:\n"
        "          max: 30\n"
        "          was: 20\n"
        "  derived:\n"
        "    boxes:\n"
        "      max: 20\n"
        "      min: 3\n"
    )


def test_a_second_change_brings_was_up_to_date(demo: Path) -> None:
    (demo / "friday.yaml").write_text(house("change:\n  stats: {strength: {max: 7, was: 6}}\n"))
    assert change("strength", "max", "8", "--yes") == 0
    assert change("strength", "min", "0", "--yes") == 0
    assert "{strength: {max: 8, was: {max: 6, min: 1}, min: 0}}" in (demo / "friday.yaml").read_text()


def test_an_unknown_rule(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert change("boxs", "formula", "1", "--yes") == 2
    assert capsys.readouterr().err == "rulesdata: there is no rule boxs; did you mean boxes?\n"


def test_what_is_there_already_keeps_the_file_before(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert change("glow", "value", "4", "--yes") == 0
    assert change("glow", "value", "5", "--yes") == 0
    before = (demo / "friday.yaml.bak").read_bytes()
    capsys.readouterr()
    assert change("glow", "value", "5", "--yes") == 0
    assert capsys.readouterr() == ("", "nothing to write: friday.yaml says so already\n")
    assert (demo / "friday.yaml.bak").read_bytes() == before


def test_a_negative_number_is_a_value(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert change("boxes", "min", "-12", "--yes") == 0
    assert "min: -12\n" in (demo / "friday.yaml").read_text()
    capsys.readouterr()
    assert change("boxes", "min", "-12", "--yess") == 2


def test_a_field_misspelt_is_told_before_what_was(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (demo / "friday.yaml").write_text(house("change:\n  stats: {strength: {max: 7, was: 6}}\n"))
    assert change("strength", "mxa", "8", "--yes") == 1
    told = capsys.readouterr().err
    assert "a stat has no field `mxa` to change" in told
    assert "H714" not in told


# --- new -----------------------------------------------------------------------------------------------------------


def test_a_new_system_passes(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "My Game"]) == 0
    assert capsys.readouterr().err == "wrote My Game/system.yaml\nnext: rulesdata check My Game\n"
    compiled = compile_system("My Game")
    assert report(compiled) == ""
    assert compiled.system is not None
    assert compiled.system.header.id == "my-game"
    assert (demo / "My Game/.schema/file.json").is_file()


def test_new_house_rules_pass_as_they_are_and_uncommented(demo: Path) -> None:
    assert main(["new", "friday", "--house", "demo"]) == 0
    assert report(compile_system("demo", ["friday"])) == ""
    text = (demo / "friday/house.yaml").read_text()
    assert text.partition("change:\n")[2].partition("\n\n")[0] == (
        "  # derived:\n"
        "  #   boxes:\n"
        "  #     formula: base + 1\n"
        "  #     was: 8 + ceil(strength / 2)\n"
        "  #     why: Everybody here is a little tougher.\n"
        "  #     examples: changed  # the official examples may come out otherwise\n"
        "  # options:\n"
        "  #   glow: {value: 4, was: 3, why: We like it better so., examples: changed}\n"
        "  # tables:\n"
        "  #   mishap:\n"
        "  #     rows:\n"
        "  #       trip: {title: Trip (ours)}"
    )
    (demo / "friday/house.yaml").write_text(re.sub(r"^  # ", "  ", text, flags=re.MULTILINE))
    compiled = compile_system("demo", ["friday/house.yaml"])
    assert report(compiled) == ""
    assert compiled.system is not None
    assert len(compiled.system.provenance) == 5


def test_nothing_is_overwritten(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "demo"]) == 2
    assert capsys.readouterr().err == (
        "rulesdata: demo/rules.yaml is there already, and nothing is overwritten: name another folder\n"
    )
    assert main(["new", "demo/system.yaml"]) == 2
    assert capsys.readouterr().err == "rulesdata: demo/system.yaml is a file: name a folder\n"
