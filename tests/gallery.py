"""The pages of the error codes as test cases.

In: a page under compiler/rulesdata_compiler/pages. Out: its bad files, what the compiler must say about them, and its
good files. A block without `system:` or `house_rules:` at its top is `rules.yaml`, beside a standard `system.yaml`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGES = Path(__file__).parent.parent / "compiler" / "rulesdata_compiler" / "pages"

SYSTEM = b"""\
system:
  id: demo
  title: Demo
  version: 1.0.0
  about: A demo.
  sources: {book: The book}
  clock: {turn: 1, minute: 20 turn}
  scenes: [encounter]
  events: [treated]
  stacking: {best: highest, all: sum, each_once: once}
"""

_TITLE = re.compile(r"# (\w\d{3}) (.+)")
_FENCE = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADER = re.compile(rb"^(?:system|house_rules):", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """`bad` and `good` map file names to bytes; `bad` is empty where only words can show the mistake."""

    code: str
    title: str
    bad: dict[str, bytes]
    says: str
    good: dict[str, bytes]


def load_page(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    title = _TITLE.match(text)
    assert title, f"{path.name} does not begin with '# CODE Title'"
    parts = dict(_sections(text))
    says = _FENCE.search(parts["Says"])
    assert says, f"{path.name} has no text under Says"
    return Page(title[1], title[2], _files(parts["Bad"]), says[3], _files(parts["Good"]))


def pages(letters: str = "YSFNTRHEA") -> list[Path]:
    """The pages of some stages, by the first letter of their code."""
    return sorted(path for path in PAGES.glob("*.md") if path.name[0] in letters)


def _sections(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        yield name.strip(), body


def _files(section: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for kind, name, body in _FENCE.findall(section):
        if kind == "text":
            continue
        data = ast.literal_eval(body.strip()) if kind == "bytes" else body.encode()
        assert isinstance(data, bytes)
        files[name or ("system.yaml" if _HEADER.search(data) else "rules.yaml")] = data
    headers = [_HEADER.search(data) for data in files.values()]
    # House rules need something to lie over: beside other rules, a system too.
    lone = [header for header in headers if header is None or header.group() == b"system:"]
    if files and "system.yaml" not in files and (lone or not any(headers)) and not any(lone):
        files["system.yaml"] = SYSTEM
    return files
