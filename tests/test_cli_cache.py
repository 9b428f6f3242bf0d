"""What is kept between calls is never stale, and never in the way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import rulesdata
from commands import lamps, typed
from rulesdata import cache, front
from rulesdata.__main__ import main

HOUSE = """\
house_rules: {id: bright, title: Bright lamps, version: 1.0.0, extends: lamps, about: More oil.}
change:
  derived:
    oil: {formula: base + 1, why: Longer evenings}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESDATA_CACHE", str(tmp_path / "kept"))
    monkeypatch.chdir(tmp_path)
    lamps(tmp_path)
    return tmp_path


def kept(home: Path) -> int:
    return len(list((home / "kept").glob("*"))) if (home / "kept").exists() else 0


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the systems that were compiled."""
    found: list[str] = []
    real = front._compile

    def watched(name: str, overlays: list[str]) -> bytes:
        found.append(name)
        return real(name, overlays)

    monkeypatch.setattr(front, "_compile", watched)
    return found


def oil(*house: str) -> int:
    value = rulesdata.load("lamps", house).value("oil", Wits=5)
    assert isinstance(value, int)
    return value


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_second_call_compiles_nothing(home: Path, compiled: list[str]) -> None:
    assert [oil(), oil()] == [6, 6]
    assert (compiled, kept(home)) == (["lamps"], 1)


def test_a_changed_file_is_compiled_anew(home: Path, compiled: list[str]) -> None:
    assert oil() == 6
    edit(home / "lamps" / "system.yaml", "3 + ceil", "4 + ceil")
    assert oil() == 7
    (home / "lamps" / "more.yaml").write_text("tables: {t: {title: T, roll: 1d2, rows: {1-2: A}}}", encoding="utf-8")
    assert "t" in rulesdata.load("lamps").rules
    assert len(compiled) == 3


def test_a_changed_overlay_is_compiled_anew(home: Path, compiled: list[str]) -> None:
    (home / "bright.yaml").write_text(HOUSE, encoding="utf-8")
    assert [oil(), oil("bright.yaml"), oil("bright.yaml")] == [6, 7, 7]
    edit(home / "bright.yaml", "base + 1", "base + 2")
    assert oil("bright.yaml") == 8
    assert len(compiled) == 3


def test_a_changed_program_compiles_anew(home: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert oil() == 6
    monkeypatch.setattr(cache, "_program", lambda: b"another")
    assert oil() == 6
    assert len(compiled) == 2


def test_a_changed_base_is_compiled_anew(home: Path, compiled: list[str]) -> None:
    child = home / "child"
    child.mkdir()
    (child / "system.yaml").write_text(
        "system: {id: child, title: Child, version: 1.0.0, about: More., extends: lamps, sources: {b: B}}\n"
        "derived: {wick: {title: Wick, text: More., formula: oil + 1, source: b}}\n",
        encoding="utf-8",
    )

    def wick() -> object:
        return rulesdata.load("child").value("wick", Wits=5)

    assert [wick(), wick()] == [7, 7]
    assert compiled == ["child"]
    edit(home / "lamps" / "system.yaml", "3 + ceil", "5 + ceil")
    assert wick() == 9
    assert compiled == ["child", "child"]


def test_what_cannot_be_foreseen_is_not_kept(home: Path) -> None:
    edit(home / "lamps" / "system.yaml", "id: lamps,", "id: lamps, extends: >")
    assert cache.cached("lamps", ()) is None


def test_a_damaged_entry_is_made_again(home: Path, compiled: list[str]) -> None:
    assert oil() == 6
    (entry,) = (home / "kept").iterdir()
    entry.write_bytes(entry.read_bytes()[:-9])
    assert [oil(), oil()] == [6, 6]
    assert len(compiled) == 2


def test_a_cache_that_cannot_be_written_is_no_error(
    home: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_bytes(b"")
    monkeypatch.setenv("RULESDATA_CACHE", str(home / "file" / "below"))
    assert [oil(), oil()] == [6, 6]
    assert len(compiled) == 2


def test_the_cache_can_be_turned_off(home: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert rulesdata.load("lamps", cache=False).value("oil", Wits=5) == 6
    assert main(typed("value lamps oil Wits=5 --no-cache")) == 0
    assert main(typed("check lamps --no-cache")) == 0
    assert kept(home) == 0
    monkeypatch.setenv("RULESDATA_CACHE", "")
    assert oil() == 6
    assert (len(compiled), kept(home)) == (3, 0)


def test_the_oldest_entries_go(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "KEPT", 2)
    for number in range(4):
        cache.keep(str(home / "kept" / f"{number}.json"), b"{}")
        os.utime(home / "kept" / f"{number}.json", (number, number))
    assert sorted(path.name for path in (home / "kept").iterdir()) == ["2.json", "3.json"]


def test_a_check_is_recalled_only_while_nothing_changed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [main(["check", "lamps"]), main(["check", "lamps"])] == [0, 0]
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    edit(home / "lamps" / "system.yaml", "ceil(Wits", "ceil(Wist")
    assert [main(["check", "lamps"]), main(["check", "lamps"])] == [1, 1]
    assert capsys.readouterr().out.count("error[N401]") == 2


def test_house_rules_over_an_artifact_are_refused_with_a_way_out(home: Path) -> None:
    assert main(typed("build lamps -o lamps.rules.json")) == 0
    assert rulesdata.load("lamps.rules.json").value("oil", Wits=5) == 6
    way_out = "finished artifact: name the folder that it was built from, or build it again"
    with pytest.raises(rulesdata.BadInput, match=way_out):
        rulesdata.load("lamps.rules.json", house=["bright.yaml"])


def test_what_load_raises(home: Path) -> None:
    with pytest.raises(rulesdata.BadInput, match="did you mean lamps"):
        rulesdata.load("lmaps")
    edit(home / "lamps" / "system.yaml", "ceil(Wits", "ceil(Wist")
    with pytest.raises(rulesdata.Refused) as refused:
        rulesdata.load("lamps")
    assert "error[N401]" in refused.value.report
    (home / "x.json").write_text("{}", encoding="utf-8")
    with pytest.raises(rulesdata.ArtifactError, match="no rules artifact"):
        rulesdata.load("x.json")
