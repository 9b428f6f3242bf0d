"""What holds for the repository as a whole: its layout, its packages, its seams."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
TOP = {
    "pyproject.toml",
    "README.md",
    "rulesdata",
    "compiler",
    "runtime",
    "schemas",
    "tests",
    "docs",
    "CHANGELOG.md",
    "LICENSE",
    "NOTICE",
}
CODE = [ROOT / "compiler", ROOT / "runtime", ROOT / "schemas"]
MOST_LINES = 400


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_the_top_level_is_what_it_should_be() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in names if not name.startswith(".")} <= TOP


def test_every_folder_of_code_is_a_listed_package() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    listed = {settings["package-dir"].get(name) for name in settings["packages"]}
    found = {
        init.parent.relative_to(ROOT).as_posix()
        for folder in (*CODE, ROOT / "rulesdata")
        for init in folder.rglob("__init__.py")
    }
    assert found == listed


def test_the_runtime_imports_the_standard_library_only() -> None:
    for path in sorted((ROOT / "runtime").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for name in names:
                assert name.partition(".")[0] in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_files_do_one_thing() -> None:
    """Files past 400 lines say that they do two things."""
    long = {}
    for path in tracked():
        if path.suffix == ".py":
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > MOST_LINES:
                long[path.relative_to(ROOT).as_posix()] = lines
    assert long == {}


def vocabulary() -> set[str]:
    """Ids of all shipped systems that only their games use: stats, tracks, conditions, symbols, tables, systems."""
    words: set[str] = set()
    for path in sorted((ROOT / "rulesdata").rglob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        words |= {str(data.get("system", {}).get("id", "system"))} - {"system"}
        for kind in ("stats", "tracks", "conditions", "tables"):
            words |= {str(name) for name in data.get(kind) or {}}
        words |= {str(name) for name in (data.get("dice") or {}).get("symbols", {})}
    return words


def test_no_game_lives_in_the_code() -> None:
    words = vocabulary()
    assert words
    pattern = re.compile(
        r"(?<![\w-])(" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")(?![\w-])"
    )
    found = []
    for folder in CODE:
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".py", ".lark", ".json", ".md", ".js", ".mjs", ".html", ".css"}:
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    found += [f"{path.relative_to(ROOT)}:{number}: {m.group()}" for m in pattern.finditer(line)]
    assert found == []


def test_nothing_of_the_workshop_is_in_the_repository() -> None:
    """No paths of a machine and no hosts of package registries."""
    pattern = re.compile(r"/wor[k]/|/tm[p]/bash_jobs|pyp[i]\.org|pythonhoste[d]|npmj[s]\.|debia[n]\.org|\.\./share[d]")
    for path in tracked():
        if path.suffix not in {".png", ".ico"}:
            assert not pattern.search(path.read_text(encoding="utf-8")), path
