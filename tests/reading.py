"""What reading one text gives: the findings as short lines, and the tree as plain text, lists and mappings."""

from __future__ import annotations

from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.reading.read import read
from rulesdata_compiler.tree import Mapping, Node, Scalar

Told = tuple[str, str, str | None]  # `line:column CODE`, message, hint


def told(text: str) -> tuple[list[Told], object]:
    findings = Findings()
    root = read("a.yaml", text.encode("utf-8"), findings)
    said: list[Told] = []
    for item in findings:
        assert item.span is not None
        said.append((f"{item.span.line}:{item.span.column} {item.code}", item.message, item.hint))
    return sorted(said, key=lambda entry: [int(part) for part in entry[0].split()[0].split(":")]), data(root)


def data(node: Node | None) -> object:
    match node:
        case None:
            return None
        case Scalar():
            return node.text
        case Mapping():
            return {entry.key.text: data(entry.value) for entry in node}
    return [data(item) for item in node.items]
