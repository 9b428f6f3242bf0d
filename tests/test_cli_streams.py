"""Where output goes and what becomes of it: pipes, encodings, colours, interrupts, hostile names."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import PATHS, call, lamps, typed

ESC = b"\x1b["


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESDATA_CACHE", str(tmp_path / "cache"))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    broken = lamps(tmp_path, "broken") / "system.yaml"
    broken.write_text(broken.read_text(encoding="utf-8").replace("ceil(Wits", "ceil(Wist"), encoding="utf-8")
    lamps(tmp_path)
    return tmp_path


def test_findings_are_results_and_go_to_stdout(home: Path) -> None:
    done = call("check", "broken", cwd=home)
    assert done.returncode == 1
    assert done.stdout.startswith(b"broken/system.yaml:5:71: error[N401]")
    assert done.stdout.rstrip().splitlines()[-1].startswith(b"lamps: 1 error, 0 warnings; read 1 file")
    assert done.stderr == b""


def test_play_with_broken_rules_is_refused_on_stderr(home: Path) -> None:
    done = call("value", "broken", "oil", "Wits=3", cwd=home)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"error[N401]" in done.stderr
    assert done.stderr.rstrip().endswith(b"these rules have errors, so nothing was played")


def test_build_of_broken_rules_writes_nothing(home: Path) -> None:
    done = call("build", "broken", "-o", "out.json", cwd=home)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"nothing was written" in done.stderr
    assert not (home / "out.json").exists()


@pytest.mark.parametrize(
    ("words", "env", "coloured"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
def test_colour(home: Path, words: list[str], env: dict[str, str], coloured: bool) -> None:
    done = call("check", "broken", *words, cwd=home, env=env)
    assert (ESC in done.stdout) is coloured


@pytest.mark.parametrize("words", [["list", "shadowrun-4e"], ["schema", "file"], ["explain", "R601"]])
def test_a_closed_pipe_is_no_error(home: Path, words: list[str]) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}
    command = [sys.executable, "-m", "rulesdata", *words]
    with subprocess.Popen(command, cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_output_never_fails_for_a_letter(home: Path, encoding: str) -> None:
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    words = typed("run shadowrun-4e record_damage Body=3 Willpower=6 amount=2 kind=stun")
    done = call(*words, cwd=home, env=env)
    assert done.returncode == 0, done.stderr
    assert (b"\\u2192" in done.stdout) is (encoding != "utf-8")


def test_names_cannot_steer_a_terminal(home: Path) -> None:
    text = (home / "lamps" / "system.yaml").read_text(encoding="utf-8")
    hostile = text.replace("title: Oil", 'title: "\\e]0;owned\\a[bold]\\rOil"')
    (home / "lamps" / "system.yaml").write_text(hostile, encoding="utf-8")
    for words in (
        ["list", "lamps"],
        ["show", "lamps", "oil"],
        ["value", "lamps", "oil", "Wits=3", "--explain"],
        ["check", "lamps"],
    ):
        done = call(*words, cwd=home)
        assert b"\x1b" not in done.stdout + done.stderr
        assert b"\r" not in done.stdout.replace(b"\r\n", b"\n")


def test_words_of_the_call_cannot_either(home: Path) -> None:
    for words in (
        ["value", "lamps", "\x1b[31moil"],
        ["check", "\x1b[31mlamps"],
        ["\x1b[31mcheck"],
        ["list", "lamps", "--\x1b[31m"],
    ):
        done = call(*words, cwd=home)
        assert (done.returncode, done.stdout, b"\x1b" in done.stderr) == (2, b"", False), words


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize(
    "words", [["check", "--no-cache", "shadowrun-4e", "cyberpunk-red"], ["build", "shadowrun-4e", "-o", "x.json"]]
)
def test_an_interrupt_leaves_quietly(home: Path, words: list[str]) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}
    script = (
        "import sys; from rulesdata_compiler.cli import main; print('ready', flush=True); sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, *words]
    with subprocess.Popen(command, cwd=home, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert err.strip() == b"interrupted"
    assert [path.name for path in home.iterdir() if path.name.startswith(("x.json", ".x"))] == []


def test_the_locale_changes_nothing(home: Path) -> None:
    told = set()
    for locale in ("C", "de_DE.UTF-8", "tr_TR.UTF-8"):
        env = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "utf-8"}
        done = call("value", "shadowrun-4e", "physical_boxes", "Body=5", "--explain", cwd=home, env=env)
        told.add((done.returncode, done.stdout))
    assert len(told) == 1
