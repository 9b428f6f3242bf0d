"""The pages of the formula codes: what they say is what the whole compiler says, and their good files compile clean."""

from __future__ import annotations

from pathlib import Path

import pytest
from gallery import load_page, pages

from rulesdata_compiler import compile_system
from rulesdata_compiler.codes import CODES
from rulesdata_compiler.render import render_text


def said(files: dict[str, bytes], folder: Path) -> str:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return render_text(compile_system(str(folder)).findings)


@pytest.mark.parametrize("path", pages("F"), ids=lambda path: path.stem)
def test_page(path: Path, tmp_path: Path) -> None:
    page = load_page(path)
    assert (page.code, page.title) == (path.stem, CODES[page.code].title)
    assert page.says.count(f"[{page.code}]") == 1
    if page.bad:
        assert said(page.bad, tmp_path / "bad") == page.says
    assert said(page.good, tmp_path / "good") == ""


def test_every_formula_code_has_a_page() -> None:
    assert [path.stem for path in pages("F")] == [code for code in CODES if code.startswith("F")]
