"""The documentation is true: every example in it compiles, every command in it shows what the page says.

`RULESDATA_UPDATE=1` writes what the commands show now into the pages; the diff is then read by a person.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import runpy
import shlex
from pathlib import Path

import pytest
import rulesdata
from documents import DOCS, ROOT, Block, blocks, table
from gallery import SYSTEM
from rulesdata.__main__ import main
from written import WRITTEN, between

from rulesdata_compiler import Compiled, compile_system, report

PAGES = sorted(path for path in [*DOCS.glob("*.md"), ROOT / "README.md"])
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#([^)\s]*))?\)|\]\(#([^)\s]+)\)")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_examples_of_a_page_hold(
    path: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULESDATA_CACHE", str(tmp_path_factory.getbasetemp() / "cache-of-the-docs"))
    monkeypatch.setenv("NO_COLOR", "1")
    for block in blocks(path):
        where = f"{path.name}:{block.line}"
        match block.language:
            case "yaml":
                try_yaml(block, where, tmp_path)
            case "sh":
                try_shell(block, where, path)
            case "json":
                json.loads(block.text)
                if block.named("file"):
                    (tmp_path / str(block.named("file"))).write_text(block.text, encoding="utf-8")
            case "python":
                exec(compile(block.text, where, "exec"), {})
            case other:
                assert other == "text", f"{where}: nobody tests a block of {other}"


def try_yaml(block: Block, where: str, folder: Path) -> None:
    name, more = block.named("file"), block.named("below")
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
    if more:
        # The block's first line stands in the file already; the rest goes right below it.
        before, mark, after = path.read_text(encoding="utf-8").partition(block.text.splitlines(keepends=True)[0])
        assert mark, where
        path.write_text(before + block.text + after, encoding="utf-8")
    else:
        path.write_text(block.text, encoding="utf-8")
    if "bad" in block.info.split():
        return
    if re.search(r"^house_rules:", path.read_text(encoding="utf-8"), re.MULTILINE):
        extends = re.search(r"^ *extends: *([\w-]+)|extends: ([\w-]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert extends, where
        base = extends[1] or extends[2]
        clean(compile_system(base if (ROOT / "rulesdata" / base).is_dir() else str(folder / base), [str(path)]), where)
    else:
        clean(compile_system(str(path.parent)), where)


def clean(compiled: Compiled, where: str) -> None:
    assert not len(compiled.findings), f"{where}\n{report(compiled)}"


def try_shell(block: Block, where: str, page: Path) -> None:
    said = ""
    for line in block.text.replace(" && ", "\n").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] != ["rulesdata"]:
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = main(words[1:])
        said += out.getvalue()
        assert status == 0 or (status == 1 and block.shows is not None), f"{where}: {line}\n{out.getvalue()}"
    if block.shows is not None and os.environ.get("RULESDATA_UPDATE"):
        shown = said.strip() + "\n"
        text = page.read_text(encoding="utf-8")
        before, mark, after = text.partition(f"```sh\n{block.text}```")
        assert mark, where
        page.write_text(
            before + mark + after.replace(f"```text\n{block.shows}```", f"```text\n{shown}```", 1), encoding="utf-8"
        )
    elif block.shows is not None:
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


# --- the tables of formulas ----------------------------------------------------------------------------------------

FORMULAS = DOCS / "formulas.md"


def formula_system(folder: Path, formula: str) -> Compiled:
    """The system of the page, and one roll more whose result is the formula."""
    page = blocks(FORMULAS)
    system = next(block.text for block in page if block.language == "yaml")
    (folder / "system.yaml").write_text(system, encoding="utf-8")
    quoted = formula.replace("'", "''")
    rule = f"rolls:\n  page:\n    title: Page\n    results:\n      it: '{quoted}'\n"
    (folder / "page.yaml").write_text(rule, encoding="utf-8")
    return compile_system(str(folder))


GIVES: list[tuple[str, ...]] = [(formula, "", gives) for formula, gives in table(FORMULAS, "formula", "gives")]


@pytest.mark.parametrize(("formula", "dice", "gives"), GIVES + table(FORMULAS, "formula", "dice", "gives"))
def test_a_formula_gives_what_the_page_says(formula: str, dice: str, gives: str, tmp_path: Path) -> None:
    compiled = formula_system(tmp_path, formula)
    assert compiled.artifact is not None, report(compiled)
    rules = rulesdata.Rules.open(compiled.artifact)
    given = json.loads(next(block.text for block in blocks(FORMULAS) if block.language == "json"))
    rolled = rules.roll("page", rules.character(**given), dice=dice)
    found = rolled.results["it"]
    shown = ("yes" if found else "no") if isinstance(found, bool) else str(found)
    assert shown == gives


@pytest.mark.parametrize(("written", "says", "instead"), table(FORMULAS, "you write", "it says", "write instead"))
def test_a_formula_is_refused_as_the_page_says(written: str, says: str, instead: str, tmp_path: Path) -> None:
    messages = [finding.message for finding in formula_system(tmp_path, written).findings]
    if os.environ.get("RULESDATA_UPDATE"):
        text = FORMULAS.read_text(encoding="utf-8")
        cell = written.replace("|", "\\|")
        fresh = "; ".join(messages).replace("|", "\\|")
        FORMULAS.write_text(
            text.replace(f"| `{cell}` | {says.replace('|', chr(92) + '|')} |", f"| `{cell}` | {fresh} |"),
            encoding="utf-8",
        )
        return
    assert messages == [says]
    assert not formula_system(tmp_path, instead).findings.errors


# --- parts written from the code -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", WRITTEN)
def test_what_is_written_from_the_code_is_up_to_date(mark: str) -> None:
    name, write = WRITTEN[mark]
    before, part, after = between(DOCS / name, mark)
    fresh = write() + "\n"
    if os.environ.get("RULESDATA_UPDATE"):
        (DOCS / name).write_text(before + fresh + after, encoding="utf-8")
    else:
        assert part == fresh


def test_the_picture_shows_what_the_commands_show() -> None:
    made = runpy.run_path(str(DOCS / "picture.py"))
    assert (DOCS / "error-and-result.svg").read_text(encoding="utf-8") == made["picture"]()
