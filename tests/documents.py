"""The pages of docs/ and the README as test cases.

In: a Markdown page. Out: its fenced blocks in order. `yaml file=NAME` is a file of the page's folder, `yaml below=NAME`
goes right below its own first line there; a plain `yaml` block stands for itself, beside the standard header of
`gallery.SYSTEM` where it has none. `sh` blocks are typed in that folder, and a `text` block right behind one is what it
shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

_FENCE = re.compile(r"^```(\w+)[ ]?(.*)\n((?s:.*?))^```$", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, what stands behind it (`file=NAME`), its text, and its line on the page."""

    language: str
    info: str
    text: str
    line: int
    shows: str | None = None

    def named(self, key: str) -> str | None:
        found = re.search(rf"\b{key}=(\S+)", self.info)
        return found[1] if found else None


def blocks(path: Path) -> list[Block]:
    """The blocks of a page in order; the text behind a shell block is part of it."""
    text = path.read_text(encoding="utf-8")
    found: list[Block] = []
    end = -1
    for fence in _FENCE.finditer(text):
        language, info, inner = fence[1], fence[2], fence[3]
        line = text.count("\n", 0, fence.start()) + 1
        last = found[-1] if found else None
        if language == "text" and last is not None and last.language == "sh" and _near(text[end : fence.start()]):
            found[-1] = Block("sh", last.info, last.text, last.line, inner)
        else:
            found.append(Block(language, info, inner, line))
        end = fence.end()
    return found


def _near(between: str) -> bool:
    """Whether a text block belongs to the shell block before it: at most one short paragraph lies between."""
    return len(between.strip().splitlines()) <= 1


def table(path: Path, *head: str) -> list[tuple[str, ...]]:
    """The rows of every table of a page with these words at its top; code marks and escaped bars are taken off."""
    rows: list[tuple[str, ...]] = []
    inside = False
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = tuple(_plain(cell) for cell in _CELL.split(line)[1:-1]) if line.startswith("|") else ()
        if not cells:
            inside = False
        elif cells == head:
            inside = True
        elif inside and not set("".join(cells)) <= set("-: "):
            rows.append(cells)
    return rows


def _plain(cell: str) -> str:
    text = cell.strip().replace("\\|", "|")
    return text[1:-1] if text.startswith("`") and text.find("`", 1) == len(text) - 1 else text
