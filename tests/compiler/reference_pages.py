"""A small system with every kind, and helpers that read the pages made of it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml

from rulesdata_compiler import Compiled, compile_system, report
from rulesdata_compiler.reference.pages import html_page, markdown_pages

APART = {"dt", "dd", "td", "th", "li", "p", "h1", "h2", "h3", "h4"}
VOID = {"meta", "br", "hr", "link", "img", "input"}

SYSTEM: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("lamp_house.yaml").read_text(encoding="utf-8"))


def write(folder: Path, system: dict[str, Any]) -> Path:
    """The system as a folder; JSON is YAML."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "system.yaml").write_text(
        json.dumps({"system": system["system"]}, ensure_ascii=False, indent=1), encoding="utf-8"
    )
    rest = {kind: rules for kind, rules in system.items() if kind != "system"}
    (folder / "rules.yaml").write_text(json.dumps(rest, ensure_ascii=False, indent=1), encoding="utf-8")
    return folder


def compiled(folder: Path, system: dict[str, Any] | None = None) -> Compiled:
    made = compile_system(str(write(folder, system or SYSTEM)), prove=False)
    assert made.system is not None
    assert not made.findings.errors, report(made)
    return made


class Page(HTMLParser):
    """All that a browser would see: every start tag with its attributes, the text, and whether tags nest."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.badly: list[str] = []
        self.shown: list[str] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.badly.append(tag)
        if tag in APART:
            self.shown.append(" ")

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.shown.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.shown).split())

    def ids(self) -> list[str]:
        return [str(attrs["id"]) for _, attrs in self.tags if "id" in attrs]

    def targets(self) -> list[str]:
        return [str(attrs["href"]) for tag, attrs in self.tags if tag == "a"]


__all__ = ["SYSTEM", "Page", "compiled", "html_page", "markdown_pages", "write"]
