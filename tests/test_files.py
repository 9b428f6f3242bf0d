"""Files are written whole or not at all, whatever goes wrong in between."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import PATHS, call, lamps

from rulesdata_runtime import files
from rulesdata_runtime.files import CannotWrite, write_whole

OLD, NEW = b"old\n" * 1000, b"new\n" * 2000


def alone(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_whole(path, OLD)
    assert path.read_bytes() == OLD
    write_whole(path, NEW)
    assert (path.read_bytes(), alone(tmp_path)) == (NEW, ["a.json"])


def test_what_a_killed_program_left_is_taken_away(tmp_path: Path) -> None:
    stale, fresh, other = (tmp_path / name for name in (".a.json.x1.part", ".a.json.x2.part", ".b.json.x1.part"))
    for path in (stale, fresh, other):
        path.write_bytes(OLD)
    for path in (stale, other):
        os.utime(path, (1, 1))
    write_whole(tmp_path / "a.json", NEW)
    assert alone(tmp_path) == [".a.json.x2.part", ".b.json.x1.part", "a.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_bytes(OLD)
    (tmp_path / "a.json").symlink_to("real.json")
    write_whole(tmp_path / "a.json", NEW)
    assert (tmp_path / "a.json").is_symlink()
    assert (tmp_path / "real.json").read_bytes() == NEW


@pytest.mark.skipif(sys.platform == "win32", reason="modes are others there")
def test_modes_are_those_of_any_new_file_and_of_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    before = os.umask(0o027)
    try:
        write_whole(path, OLD)
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o600)
        write_whole(path, NEW)
        assert path.stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def full(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(OLD)
    monkeypatch.setattr(os, where, full)
    with pytest.raises(CannotWrite, match=r"cannot write .*a\.json: .*; the file before is untouched"):
        write_whole(path, NEW)
    assert (path.read_bytes(), alone(tmp_path)) == (OLD, ["a.json"])


def test_a_target_that_somebody_holds_open_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(OLD)
    real, left = os.replace, [3]

    def held(source: str, target: Path) -> None:
        if left[0]:
            left[0] -= 1
            raise PermissionError(errno.EACCES, "in use")
        real(source, target)

    monkeypatch.setattr(os, "replace", held)
    write_whole(path, NEW)
    assert (path.read_bytes(), left) == (NEW, [0])


def test_waiting_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def held(*_: Any) -> None:
        raise PermissionError(errno.EACCES, "in use")

    monkeypatch.setattr(os, "replace", held)
    monkeypatch.setattr(files, "PATIENCE", 0.1)
    with pytest.raises(CannotWrite, match="in use"):
        write_whole(tmp_path / "a.json", NEW)
    assert alone(tmp_path) == []


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(CannotWrite):
        write_whole(tmp_path / "a", NEW)
    with pytest.raises(CannotWrite):
        write_whole(tmp_path / "missing" / "a", NEW)
    assert alone(tmp_path) == ["a"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(CannotWrite, match="Permission denied"):
        write_whole(closed / "a.json", NEW)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESDATA_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("cache")
def test_a_build_that_cannot_write_says_so(tmp_path: Path) -> None:
    lamps(tmp_path)
    (tmp_path / "file").write_bytes(OLD)
    for target in ("file/out.json", "lamps", "lamps/system.yaml", "out.yml"):
        done = call("build", "lamps", "-o", target, cwd=tmp_path)
        assert (done.returncode, done.stdout, b"Traceback" in done.stderr) == (2, b"", False), target
    assert (tmp_path / "file").read_bytes() == OLD
    assert not (tmp_path / "out.yml").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
def test_a_kill_at_any_moment_leaves_the_old_file_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    script = (
        "import sys; from pathlib import Path; from rulesdata_runtime.files import write_whole\n"
        "print('ready', flush=True)\n"
        f"path = Path({str(path)!r})\n"
        "while True: write_whole(path, b'new\\n' * 200000); write_whole(path, b'old\\n' * 100000)"
    )
    whole = {b"new\n" * 200000, b"old\n" * 100000}
    chance = random.Random(7)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}
    for _ in range(50):
        with subprocess.Popen([sys.executable, "-c", script], env=env, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(chance.random() * 0.05)
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert not path.exists() or path.read_bytes() in whole


@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_two_builds_at_once(tmp_path: Path) -> None:
    lamps(tmp_path)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS)}
    command = [sys.executable, "-m", "rulesdata", "build", "lamps", "-o", "out.json"]
    running = [subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE) for _ in range(4)]
    for process in running:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert sorted(name for name in alone(tmp_path) if "out" in name) == ["out.json"]
    assert call("value", "out.json", "oil", "Wits=5", cwd=tmp_path).stdout.strip() == b"6"
