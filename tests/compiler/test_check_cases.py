"""The checks of rules, case by case: the files under checks/ hold rules and every finding they must have.

A case is `== name`, the YAML of rules.yaml, `--`, then each finding with its notes and hint, or nothing.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesdata_compiler.binding.bind import bind
from rulesdata_compiler.checking.checks import check
from rulesdata_compiler.decoding import decode
from rulesdata_compiler.diagnostics import Finding, Findings
from rulesdata_compiler.reading import gather
from rulesdata_compiler.shaping import families, shape

SYSTEM = """
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


def cases() -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    for path in sorted((Path(__file__).parent / "checks").glob("*.txt")):
        for case in re.split(r"(?m)^== ", path.read_text(encoding="utf-8"))[1:]:
            name, rest = case.split("\n", 1)
            rules, expected = rest.split("\n--\n", 1)
            found.append((f"{path.stem}: {name}", rules, expected.strip("\n")))
    return found


def findings_of(rules: str) -> list[Finding]:
    files = [("rules.yaml", f"{rules}\n".encode())]
    if not rules.startswith("system:"):
        files.append(("system.yaml", SYSTEM.encode()))
    findings = Findings()
    collected = families.expand(gather.gather(files, findings), findings)
    system = decode.decode(collected, shape.check(collected, findings), findings)
    assert system is not None, list(findings)
    check(system, bind(system, findings), findings)
    return sorted(findings, key=lambda one: (one.span.sort_key() if one.span else ("", 0, 0), one.code))


def told(finding: Finding) -> list[str]:
    assert finding.span is not None
    lines = [f"{finding.code} {finding.span.line}:{finding.span.column} {finding.message}"]
    lines += [f"  note {note.span.line}:{note.span.column} {note.message}" for note in finding.notes]
    return lines + ([f"  hint {finding.hint}"] if finding.hint else [])


CASES = cases()


@pytest.mark.parametrize(("rules", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_findings(rules: str, expected: str) -> None:
    assert [line for finding in findings_of(rules) for line in told(finding)] == expected.splitlines()


def test_each_code_has_a_case() -> None:
    codes = {line.split()[0] for _, _, expected in CASES for line in expected.splitlines() if line[:1] == "R"}
    pages = Path(__file__).parents[2] / "compiler" / "rulesdata_compiler" / "pages"
    assert {path.stem for path in pages.glob("R6*.md")} <= codes
