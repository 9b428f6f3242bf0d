"""The documentation is true: every example in it compiles, every command in it shows what the page says."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
from pathlib import Path

import pytest
from documents import DOCS, ROOT, Block, blocks, table
from gallery import SYSTEM

import rulesdata
from rulesdata.__main__ import main
from rulesdata_compiler import Compiled, compile_system, report

PAGES = sorted(path for path in [*DOCS.glob("*.md"), ROOT / "README.md"])
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#([^)\s]*))?\)|\]\(#([^)\s]+)\)")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_examples_of_a_page_hold(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULESDATA_CACHE", "")
    monkeypatch.setenv("NO_COLOR", "1")
    for block in blocks(path):
        where = f"{path.name}:{block.line}"
        match block.language:
            case "yaml":
                try_yaml(block, where, tmp_path)
            case "sh":
                try_shell(block, where)
            case "json":
                json.loads(block.text)
            case "python":
                exec(compile(block.text, where, "exec"), {})
            case other:
                assert other == "text", f"{where}: nobody tests a block of {other}"


def try_yaml(block: Block, where: str, folder: Path) -> None:
    name, more = block.named("file"), block.named("more")
    if name is None and more is None:
        alone = folder / f"alone-{block.line}"
        alone.mkdir()
        (alone / "rules.yaml").write_text(block.text, encoding="utf-8")
        if not re.search(r"^system:", block.text, re.MULTILINE):
            (alone / "system.yaml").write_bytes(SYSTEM)
        clean(compile_system(str(alone)), where)
        return
    path = folder / (name or more or "")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a" if more else "w", encoding="utf-8") as file:
        file.write(block.text)
    if re.search(r"^house_rules:", path.read_text(encoding="utf-8"), re.MULTILINE):
        extends = re.search(r"^ *extends: *([\w-]+)|extends: ([\w-]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert extends, where
        base = extends[1] or extends[2]
        clean(compile_system(base if (ROOT / "rulesdata" / base).is_dir() else str(folder / base), [str(path)]), where)
    else:
        clean(compile_system(str(path.parent)), where)


def clean(compiled: Compiled, where: str) -> None:
    assert not len(compiled.findings), f"{where}\n{report(compiled)}"


def try_shell(block: Block, where: str) -> None:
    said = ""
    for line in block.text.splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] != ["rulesdata"]:
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = main(words[1:])
        said += out.getvalue()
        assert status == 0 or (status == 1 and block.shows is not None), f"{where}: {line}\n{out.getvalue()}"
    if block.shows is not None:
        assert said.strip() == block.shows.strip(), where


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_links_lead_somewhere(path: Path) -> None:
    for file, anchor, here in LINK.findall(path.read_text(encoding="utf-8")):
        target = path if here else (path.parent / file)
        assert target.exists(), f"{path.name} links to {file}"
        if (anchor or here) and target.suffix == ".md":
            assert (anchor or here) in anchors(target), f"{path.name} links to {file}#{anchor or here}"


def anchors(path: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
