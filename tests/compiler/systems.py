"""Systems for tests: YAML text to bindings, and findings in one line each."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from rulesdata_compiler.binding.bind import Bindings, Bound, bind
from rulesdata_compiler.decoding.decode import decode
from rulesdata_compiler.diagnostics import Finding, Findings
from rulesdata_compiler.model import Derived, System
from rulesdata_compiler.reading.gather import gather
from rulesdata_compiler.shaping import families, shape

HEADER = """\
system:
  id: demo
  title: Demo
  version: 1.0.0
  about: A demo.
  sources: {book: The book}
  clock: {turn: 1, minute: 20 turn, day: 100 minute}
  scenes: [encounter]
  events: [mended]
  stacking: {best: highest, worst: lowest, all: sum}
"""

# Names that most cases need; whole numbers unless said otherwise.
SHEET = """\
stats:
  Force: {type: int, min: 1, max: 12}
  Calm: {type: int, min: 0, max: 6, default: 0}
  Free: {type: int}
  Half: {type: fraction, min: 0, max: 10}
  Known: {type: bool, default: no}
  Word: {type: text, default: none}
  Mood: {type: choice, of: [calm, angry, glad], default: calm}
tracks:
  charge: {max: 10}
  oil: {max: Force}
"""


def bound(text: str, header: str = HEADER) -> tuple[System, Bindings, list[Finding]]:
    """A system with its bindings; what was found before binding must be nothing."""
    findings = Findings()
    collected = gather([("rules.yaml", dedent(text).encode()), ("system.yaml", header.encode())], findings)
    collected = families.expand(collected, findings)
    broken = shape.check(collected, findings)
    system = decode(collected, broken, findings)
    assert system is not None
    assert [told(finding) for finding in findings] == []
    return system, bind(system, findings, broken), list(findings)


def told(finding: Finding) -> str:
    """A finding in one line: code, message, the text it points at, notes, hint."""
    place = f" @{finding.span.text}" if finding.span is not None else ""
    notes = "".join(f" (note {note.message} @{note.span.text})" for note in finding.notes)
    hint = f" → {finding.hint}" if finding.hint else ""
    return f"{finding.code} {finding.message}{place}{notes}{hint}"


def derived(formula: str, more: str = "") -> tuple[System, Bindings, list[Finding]]:
    """One derived value `x` on a sheet with the usual names."""
    quoted = formula.replace("'", "''")
    return bound(f"{SHEET}derived:\n  x: {{formula: '{quoted}'}}\n{more}")


def value(formula: str, more: str = "") -> Bound:
    """The binding of a formula over the usual names; it must be sound."""
    system, bindings, findings = derived(formula, more)
    assert [told(finding) for finding in findings] == []
    rule = system.rules["x"]
    assert isinstance(rule, Derived)
    return bindings.of[rule.formula]


def complaints(text: str, header: str = HEADER) -> list[str]:
    """All findings of a system, in one line each."""
    return [told(finding) for finding in bound(text, header)[2]]


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Cases of a file: YAML, and the findings expected, in lines that begin with `>`."""
    for block in text.split("\n---\n"):
        lines = block.strip("\n").splitlines()
        yield (
            "\n".join(line for line in lines if not line.startswith(">")),
            [line.removeprefix("> ") for line in lines if line.startswith(">")],
        )
