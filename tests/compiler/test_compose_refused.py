"""What house rules are refused for, word for word: the cases stand in house_cases.txt.

A case is a title behind `===`, one or more files of house rules with `+++` between them, `---`, and all that is said.
The rules below them are those of overlays.py. `RULESDATA_UPDATE=1` writes what is said now; a person reads the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from overlays import house, said

CASES = Path(__file__).with_name("house_cases.txt")


def cases() -> list[tuple[str, list[str], str]]:
    found = []
    for block in CASES.read_text(encoding="utf-8").split("=== ")[1:]:
        title, _, rest = block.partition("\n")
        files, _, words = rest.partition("---\n")
        found.append((title.strip(), files.split("+++\n"), words.strip()))
    return found


def laid_over(files: list[str]) -> str:
    names = ["friday", "monday", "sunday"]
    return said(*(text if "house_rules" in text else house(text, names[index]) for index, text in enumerate(files)))


@pytest.mark.parametrize(("title", "files", "words"), cases(), ids=[title for title, _, _ in cases()])
def test_what_is_said(title: str, files: list[str], words: str) -> None:
    if os.environ.get("RULESDATA_UPDATE"):
        update(title, files)
    else:
        assert laid_over(files).strip() == words


def test_the_cases_stand_on_fine_rules() -> None:
    assert said() == ""


def update(title: str, files: list[str]) -> None:
    text = CASES.read_text(encoding="utf-8")
    head, mark, rest = text.partition(f"=== {title}\n")
    _, _, after = rest.partition("\n=== ")
    words = laid_over(files).strip()
    block = "+++\n".join(files) + f"---\n{words}\n"
    CASES.write_text(head + mark + block + (f"\n=== {after}" if after else ""), encoding="utf-8")
