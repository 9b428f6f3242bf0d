"""The same rules are the same bytes: on every machine, in every folder, however the files came there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import rulesdata
from commands import PATHS

from rulesdata_compiler import compile_system

SYSTEM = Path(rulesdata.__file__).parent / "shadowrun-4e"
SCRIPT = """
import sys, os, hashlib
from rulesdata_compiler import compile_system
from rulesdata_compiler.program import program
from rulesdata_compiler import editor
import json
artifact = compile_system(sys.argv[1], prove=False).artifact
schema = json.dumps(editor.folder(json.loads(artifact)["rules"]))
for data in (artifact, program(artifact), schema.encode()):
    print(hashlib.sha256(data).hexdigest())
"""


def made(system: Path, cwd: Path, **env: str) -> list[str]:
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS), **env}
    command = [sys.executable, "-c", SCRIPT, str(system)]
    done = subprocess.run(command, cwd=cwd, env=surroundings, capture_output=True, encoding="utf-8", check=True)
    return done.stdout.split()


def test_surroundings_change_nothing(tmp_path: Path) -> None:
    usual = made(SYSTEM, tmp_path, PYTHONHASHSEED="0")
    assert len(usual) == 3
    other = tmp_path / "other"
    other.mkdir()
    env = {
        "PYTHONHASHSEED": "77",
        "LC_ALL": "tr_TR.UTF-8",
        "TZ": "Asia/Kathmandu",
        "USER": "someone",
        "PYTHONUTF8": "0",
    }
    assert made(SYSTEM, other, **env) == usual


def as_written(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def with_crlf(path: Path, data: bytes) -> None:
    path.write_bytes(data.replace(b"\n", b"\r\n"))


def copy(target: Path, write: Callable[[Path, bytes], None] = as_written, *, backwards: bool = False) -> Path:
    target.mkdir(parents=True)
    for path in sorted(SYSTEM.glob("*.yaml"), reverse=backwards):
        write(target / path.name, path.read_bytes())
    return target


def artifact(path: Path, *, texts: bool = True) -> bytes:
    found = compile_system(str(path), prove=False, texts=texts).artifact
    assert found is not None
    return found


def test_where_and_in_which_order_files_were_made_changes_nothing(tmp_path: Path) -> None:
    one = copy(tmp_path / "one" / "same")
    two = copy(tmp_path / "two" / "deep" / "same", backwards=True)
    os.utime(two / "system.yaml", (1, 1))
    assert artifact(one) == artifact(two)
    assert str(tmp_path).encode() not in artifact(one)


def test_line_ends_change_nothing(tmp_path: Path) -> None:
    assert artifact(copy(tmp_path / "lf" / "same")) == artifact(copy(tmp_path / "crlf" / "same", with_crlf))


def test_the_fingerprint_is_of_what_the_rules_say(tmp_path: Path) -> None:
    whole = copy(tmp_path / "whole")
    moved = copy(tmp_path / "moved")
    rules = (moved / "character.yaml").read_text(encoding="utf-8")
    (moved / "character.yaml").unlink()
    (moved / "sheet.yaml").write_text(f"# Moved.\n\n\n{rules}", encoding="utf-8")
    changed = copy(tmp_path / "changed")
    (changed / "character.yaml").write_text(rules.replace("8 + ceil(Body", "9 - 1 + ceil(Body"), encoding="utf-8")
    found = {name: json.loads(artifact(tmp_path / name))["fingerprint"] for name in ("whole", "moved", "changed")}
    assert found["whole"] == found["moved"]
    assert found["whole"] != found["changed"]
    assert whole.is_dir()


def test_without_texts_the_rules_are_the_same(tmp_path: Path) -> None:
    long, short = artifact(SYSTEM), artifact(SYSTEM, texts=False)
    assert len(short) < len(long)
    assert json.loads(long)["fingerprint"] == json.loads(short)["fingerprint"]
    path = tmp_path / "short.rules.json"
    path.write_bytes(short)
    rules = rulesdata.load(path)
    assert rules.value("physical_boxes", Body=5) == 11
    assert rules.roll("test", pool=2, dice=[5, 1]).results["hits"] == 1
    assert rules.show("physical_boxes")["title"] == "Physical boxes"
    out = rules.run("record_damage", rules.character(Body=3, Willpower=6, stun=6), amount=8, kind="stun")
    assert out.character is not None
    assert out.character.tracks["stun"] == 11


@pytest.mark.slow
def test_a_system_built_twice_from_a_copied_tree(tmp_path: Path) -> None:
    shutil.copytree(SYSTEM, tmp_path / "a" / SYSTEM.name)
    assert made(tmp_path / "a" / SYSTEM.name, tmp_path) == made(SYSTEM, tmp_path / "a")
