"""Commands as people type them: what they print, as text and as JSON, and how they leave."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import lamps, typed
from rulesdata.__main__ import main

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "test_cli.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESDATA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def holds(found: Any, wanted: Any) -> bool:
    """Whether all that is wanted is found: every key of a mapping; everything else just so."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(key in found and holds(found[key], wanted[key]) for key in wanted)
    return type(found) is type(wanted) and bool(found == wanted)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["type"])
def test_a_command_prints_what_it_should(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lamps(tmp_path)
    monkeypatch.chdir(tmp_path)
    status = main(typed(case["type"]))
    out, err = capsys.readouterr()
    assert status == case.get("exit", 0), out + err
    if "prints" in case:
        assert out.rstrip("\n") == case["prints"].rstrip("\n")
    for part in case.get("holds", ()):
        assert part in out
    for part in case.get("says", ()):
        assert part in err
    if "json" in case:
        found = json.loads(out)
        assert holds(found, case["json"]), found
    if "only" in case:
        assert json.loads(out) == case["only"]
    assert "Traceback" not in err
    if status == 2:
        assert out == ""


def test_a_character_is_saved_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(typed("run shadowrun-4e record_damage Body=3 Willpower=6 amount=2 kind=stun --json")) == 0
    hero = json.loads(capsys.readouterr().out)["character"]
    Path("hero.json").write_text(json.dumps(hero), encoding="utf-8")
    words = typed("run shadowrun-4e record_damage amount=3 kind=stun --character hero.json")
    assert main(words) == 0
    assert json.loads(Path("hero.json").read_text(encoding="utf-8")) == hero
    assert main([*words, "--save"]) == 0
    assert json.loads(Path("hero.json").read_text(encoding="utf-8"))["tracks"]["stun"] == 5
    assert "saved hero.json" in capsys.readouterr().err
    assert main(typed("value shadowrun-4e wound_modifier --character hero.json --json")) == 0
    assert json.loads(capsys.readouterr().out) == {"value": -1}


def test_a_character_is_begun_by_saving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(typed("act shadowrun-4e Body=3 Willpower=6 --character ana.json --save")) == 0
    assert "ana.json: a new character\nsaved ana.json" in capsys.readouterr().err
    assert main(typed("run shadowrun-4e record_damage amount=3 kind=stun --character ana.json --save")) == 0
    assert json.loads(Path("ana.json").read_text(encoding="utf-8"))["tracks"]["stun"] == 3
    assert main(typed("run shadowrun-4e negate_glitch edge_points=0 --character bo.json --save")) == 1
    assert not Path("bo.json").exists()


def test_the_table_has_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = typed("run genesys-shadowrun spend_story_point side=players --character table=table.json --save")
    assert main([*words, "player_story_points=3"]) == 0
    assert main(words) == 0
    tracks = json.loads(Path("table.json").read_text(encoding="utf-8"))["tracks"]
    assert tracks == {"player_story_points": 1, "gm_story_points": 2}
    capsys.readouterr()
    assert main(typed("value genesys-shadowrun gm_story_points --character table=table.json")) == 0
    assert capsys.readouterr().out == "2\n"


@pytest.mark.parametrize("words", [["--help"], [], ["check", "-h"], ["value", "--help"], ["roll", "-h"]])
def test_help_is_on_stdout(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert "rulesdata" in out
    assert err == ""
    assert "exit status" in out.casefold() or words[:1] == ["check"]


def test_every_command_is_listed_and_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    table = "value roll lookup spend run act advance order band list show search test"
    for name in f"check build diff new schema explain {table}".split():
        assert f"  {name} " in out
        assert main([name, "--help"]) == 0
        assert "rulesdata " in capsys.readouterr().out
