"""The error gallery: every code has a page with a bad file, the exact words it gets, and a good file that passes.

`RULESDATA_UPDATE=1` writes what the compiler says now into the pages; the diff is then read by a person.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from gallery import PAGES, Page, load_page, pages

from rulesdata_compiler import Compiled, compile_system
from rulesdata_compiler.codes import CODES
from rulesdata_compiler.render import render_text

# Said by the runtime, which tests/runtime/test_artifact.py covers.
OF_THE_RUNTIME = {"A901", "A902", "A903", "A904"}


def compiled(files: dict[str, bytes], folder: Path) -> Compiled:
    """Compile a page's files, as files of a folder: those with `house_rules:` are overlays over the rest."""
    base, house = folder / "demo", folder / "house"
    overlays = []
    for name, data in sorted(files.items()):
        over = re.search(rb"^house_rules:", data, re.MULTILINE) is not None
        path = (house if over else base) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        overlays += [str(path)] if over else []
    return compile_system(str(base), overlays)


def told(files: dict[str, bytes], folder: Path) -> str:
    return render_text(compiled(files, folder).findings)


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == set(CODES)


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_a_page_bears_the_title_of_its_code(path: Path) -> None:
    page = load_page(path)
    assert (page.code, page.title) == (path.stem, CODES[path.stem].title)


@pytest.mark.parametrize(
    "path", [path for path in pages() if path.stem not in OF_THE_RUNTIME], ids=lambda path: path.stem
)
def test_the_bad_file_gets_these_words_and_the_good_one_none(path: Path, tmp_path: Path) -> None:
    page = load_page(path)
    if page.bad:
        says = told(page.bad, tmp_path / "bad")
        if os.environ.get("RULESDATA_UPDATE"):
            update(path, page, says)
        else:
            assert says.strip() == page.says.strip()
        assert f"[{page.code}]" in says
    if page.good:
        assert told(page.good, tmp_path / "good") == ""


def update(path: Path, page: Page, says: str) -> None:
    text = path.read_text(encoding="utf-8")
    before, mark, after = text.partition("## Says\n")
    fresh = re.sub(r"^```text\n.*?^```$", lambda _: f"```text\n{says.strip()}\n```", after, count=1, flags=re.M | re.S)
    path.write_text(before + mark + fresh, encoding="utf-8")
