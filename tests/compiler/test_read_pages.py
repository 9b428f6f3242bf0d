"""The pages of the reading codes: what they say is what the reader says, and their good files are read clean."""

from __future__ import annotations

from pathlib import Path

import pytest
from gallery import PAGES, load_page, pages

from rulesdata_compiler.codes import CODES
from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.reading.gather import gather, read_folder
from rulesdata_compiler.render import render_text

pytestmark = pytest.mark.usefixtures("parser")


def said(files: dict[str, bytes], folder: Path) -> str:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    findings = Findings()
    gather(read_folder(folder, findings), findings)
    return render_text(findings)


@pytest.mark.parametrize("path", pages("Y"), ids=lambda path: path.stem)
def test_page(path: Path, tmp_path: Path) -> None:
    page = load_page(path)
    assert (page.code, page.title) == (path.stem, CODES[page.code].title)
    assert f"[{page.code}]" in page.says
    if page.bad:
        assert said(page.bad, tmp_path / "bad") == page.says
    if page.good:
        assert said(page.good, tmp_path / "good") == ""


def test_every_reading_code_has_a_page() -> None:
    assert [path.stem for path in pages("Y")] == [code for code in CODES if code.startswith("Y")]
    assert PAGES.is_dir()
