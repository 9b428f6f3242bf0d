"""The `py` target: one file, nothing installed, the same answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import typed

from rulesdata_compiler import compile_system
from rulesdata_compiler.program import program


@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> Path:
    artifact = compile_system("shadowrun-4e").artifact
    assert artifact is not None
    folder = tmp_path_factory.mktemp("carried")
    (folder / "sr4.py").write_bytes(program(artifact, "sr4.py"))
    (folder / "sr4.rules.json").write_bytes(artifact)
    return folder


def run(folder: Path, *words: str, flags: tuple[str, ...] = ("-I", "-S")) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *flags, *words]
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False, timeout=60)


def test_it_runs_without_anything_installed(carried: Path) -> None:
    done = run(carried, "sr4.py", "value", "physical_boxes", "Body=5")
    assert (done.returncode, done.stdout, done.stderr) == (0, "11\n", "")


@pytest.mark.parametrize(
    "words",
    [
        "value physical_boxes Body=5 --explain",
        "roll test pool=6 --seed 4 --json",
        "roll 4d6kh3 --seed 4 --json",
        "run record_damage Body=3 Willpower=6 stun=6 amount=8 kind=stun --json",
        "advance turn 2 Body=3 Willpower=3 physical=10 overflow_boxes=1 --json",
        "act --json",
        "lookup falling_damage 7",
        "search falling",
        "show falling_damage",
        "list tables",
        "value oil",
    ],
)
def test_it_answers_as_the_command_does(carried: Path, words: str) -> None:
    name, *rest = words.split()
    done = run(carried, "sr4.py", name, *rest)
    other = run(carried, "-m", "rulesdata", name, "sr4.rules.json", *rest, flags=())
    assert (done.returncode, done.stdout, done.stderr) == (other.returncode, other.stdout, other.stderr)


def test_its_sources_work_without_the_compiled_modules(carried: Path) -> None:
    """As on another Python, and in development mode."""
    words = typed("sr4.py run record_damage Body=3 Willpower=6 amount=2 kind=stun --json")
    usual = run(carried, *words)
    assert run(carried, *words, flags=("-I", "-S", "-X", "dev")).stdout == usual.stdout
    text = (carried / "sr4.py").read_text(encoding="utf-8")
    other = text.replace("_MAGIC = b", "_MAGIC = b'another' or b", 1)
    assert other != text
    (carried / "other.py").write_text(other, encoding="utf-8")
    assert run(carried, "other.py", *words[1:]).stdout == usual.stdout


def test_it_can_be_imported(carried: Path) -> None:
    script = (
        "import sys; sys.path.insert(0, '.'); import sr4; r = sr4.RULES\n"
        "print(r.value('physical_boxes', Body=5), r.roll('test', pool=2, dice=[5, 6]).results['hits'])\n"
        "import rulesdata_runtime.rules as m; print(m.__spec__.origin, 'class Rules' in sr4.source(m.__name__))\n"
        "print(sr4.artifact() == open('sr4.rules.json', 'rb').read())"
    )
    done = run(carried, "-c", script)
    assert done.stdout.split() == ["11", "2", "<rulesdata_runtime.rules>", "True", "True"], done.stderr


def test_help_shows_how_this_file_is_called(carried: Path) -> None:
    done = run(carried, "sr4.py", "--help")
    assert done.stdout.startswith("commands:")
    done = run(carried, "sr4.py", "roll", "--help")
    assert done.stdout.startswith("usage: sr4.py roll NAME [name=value...]")
    assert "SYSTEM" not in done.stdout
    assert "--house" not in done.stdout
    done = run(carried, "sr4.py", "valeu")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Did you mean value?" in done.stderr


def test_the_artifact_opens_with_the_runtime_alone(carried: Path) -> None:
    runtime = Path(__file__).resolve().parent.parent / "runtime"
    script = (
        f"import sys; sys.path.insert(0, {str(runtime)!r})\n"
        "from rulesdata_runtime.rules import Rules\n"
        "rules = Rules.open('./sr4.rules.json')\n"
        "print(rules.value('physical_boxes', Body=5))\n"
        "hero = rules.character(Body=3, Willpower=3)\n"
        "rules.roll('test', pool=3); rules.run('record_damage', hero, amount=1, kind='stun')\n"
        "known = set(sys.stdlib_module_names) | {'rulesdata_runtime', '__main__', 'sitecustomize'}\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - known))"
    )
    done = run(carried, "-c", script)
    assert done.stdout == "11\n[]\n", done.stderr


@pytest.mark.parametrize(
    "words", ["value {0} physical_boxes Body=5", "roll {0} test pool=5 --seed 1", "roll {0} 4d6kh3"]
)
def test_a_cold_command_on_an_artifact_loads_little(carried: Path, words: str) -> None:
    done = run(carried, "-X", "importtime", "-m", "rulesdata", *words.format("sr4.rules.json").split(), flags=())
    assert done.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    heavy = {"lark", "jsonschema", "yaml", "click", "jinja2", "rulesdata_compiler", "argparse", "dataclasses", "json"}
    assert loaded & heavy == set()
    if words.startswith("value"):
        heavy = {"re", "typing", "enum", "fractions", "pathlib", "rulesdata_runtime.state.sheet"} - _of_site(carried)
        assert loaded & heavy == set()


def _of_site(folder: Path) -> set[str]:
    """What this Python loads for itself, such as for packages installed in place."""
    done = run(folder, "-c", "import sys, runpy; print(*sys.modules)", flags=())
    return set(done.stdout.split())


def test_no_code_is_in_the_artifact(carried: Path) -> None:
    def texts(value: object) -> list[str]:
        if isinstance(value, dict):
            return [text for key, part in value.items() for text in (key, *texts(part))]
        if isinstance(value, list):
            return [text for part in value for text in texts(part)]
        return [value] if isinstance(value, str) else []

    data = (carried / "sr4.rules.json").read_text(encoding="utf-8")
    for text in texts(json.loads(data)):
        assert "lambda" not in text.split()
        assert "__" not in text
        assert "import(" not in text
