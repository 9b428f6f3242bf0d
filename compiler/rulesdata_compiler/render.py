"""Findings as text for people, and as JSON, GitHub or SARIF lines for machines.

In: findings, and how files are to be called. Out: text that ends with a line break, or nothing. At most a hundred
findings are shown, the most basic ones, in order of place; the rest is counted. Nothing that a rules file holds can
command a terminal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any, Protocol

from .codes import CODES
from .diagnostics import Finding, Findings
from .excerpt import excerpt, printable
from .source import Span

MOST_SHOWN = 100

_STAGES = "YSFNTRHEA"
_RED, _YELLOW, _BLUE, _BOLD, _PLAIN = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1m", "\x1b[0m"


class Checked(Protocol):
    """What a run left: its findings, the paths of its files, and what it read."""

    @property
    def findings(self) -> Findings: ...
    @property
    def shown(self) -> Mapping[str, str]: ...
    @property
    def counts(self) -> Any: ...


def chosen(
    findings: Iterable[Finding], files: Sequence[str] = (), limit: int | None = MOST_SHOWN
) -> tuple[list[Finding], int]:
    """The findings to show, by file and place, and how many are left out. The most basic ones stay."""
    order = {name: index for index, name in enumerate(files)}

    def place(finding: Finding) -> tuple[int, str, int, int]:
        span = finding.span
        if span is None:
            return (-1, "", 0, _STAGES.find(finding.code[0]))
        name = span.source.name
        return (order.get(name, len(order)), name, span.start, _STAGES.find(finding.code[0]))

    every = sorted(findings, key=place)
    if limit is None or len(every) <= limit:
        return every, 0
    kept = sorted(every, key=lambda finding: (finding.severity != "error", _STAGES.find(finding.code[0])))[:limit]
    return sorted(kept, key=place), len(every) - limit


def render_text(
    findings: Iterable[Finding],
    *,
    shown: Mapping[str, str] | None = None,
    colour: bool = False,
    files: Sequence[str] = (),
    limit: int | None = MOST_SHOWN,
) -> str:
    """Each finding with its line and a marker, the other places and the cure. `shown` maps file names to paths."""
    listed, more = chosen(findings, files, limit)
    paint = _Paint(colour, shown or {})
    blocks = [paint.finding(finding) for finding in listed]
    if more:
        blocks.append(f"and {more:,} more finding{'' if more == 1 else 's'} not shown\n")
    return "\n".join(blocks)


class _Paint:
    """Writes one finding. Without colour every sign is the same, only bare."""

    def __init__(self, colour: bool, shown: Mapping[str, str]) -> None:
        self.colour, self.shown = colour, shown

    def finding(self, finding: Finding) -> str:
        tint = _RED if finding.severity == "error" else _YELLOW
        head = self.tinted(tint, f"{finding.severity}[{finding.code}]")
        place = f"{_where(finding.span, self.shown)}: " if finding.span else ""
        lines = [f"{self.tinted(_BOLD, place)}{head}: {self.tinted(_BOLD, printable(finding.message))}"]
        lines += self.lines(finding.span, tint)
        for note in finding.notes:
            where = _where(note.span, self.shown)
            lines.append(f"{self.tinted(_BLUE, 'note')}: {where}: {printable(note.message)}")
            lines += self.lines(note.span, _BLUE)
        if finding.hint:
            told = "\n      ".join(printable(line) for line in finding.hint.split("\n"))
            lines.append(f"{self.tinted(_BLUE, 'hint')}: {told}")
        return "\n".join(lines) + "\n"

    def lines(self, span: Span | None, tint: str) -> list[str]:
        """The source line and the marker; nothing where the file has no text to show."""
        if span is None or not span.source.text:
            return []
        part, number = excerpt(span), str(span.line)
        gutter = f"{number:>4} | "
        marker = " " * part.before + self.tinted(tint, "^" * part.width)
        return [(gutter + part.text).rstrip(), f"{'':>{len(gutter) - 2}}| {marker}"]

    def tinted(self, tint: str, text: str) -> str:
        return f"{tint}{text}{_PLAIN}" if self.colour and text else text


def render_many(form: str, done: Iterable[Checked], *, limit: int | None = MOST_SHOWN) -> str:
    """The findings of several runs in one of the forms `json`, `github`, `sarif`, `text`."""
    runs = list(done)
    match form:
        case "json":
            return _line(_json(runs, limit))
        case "sarif":
            return _line(_sarif(runs, limit))
        case "github":
            return "".join(_github(runs, limit))
        case "text":
            return "\n".join(told for run in runs if (told := render_text(run.findings, shown=run.shown, limit=limit)))
    raise ValueError(f"no such form: {form}")


def as_data(finding: Finding, shown: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A finding as plain data."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        **_place(finding.span, shown or {}),
        "message": finding.message,
        "hint": finding.hint,
        "notes": [{**_place(note.span, shown or {}), "message": note.message} for note in finding.notes],
    }


def _json(runs: Sequence[Checked], limit: int | None) -> dict[str, Any]:
    listed: list[dict[str, Any]] = []
    counts: dict[str, int] = {"errors": 0, "warnings": 0, "not_shown": 0}
    for run in runs:
        found, more = chosen(run.findings, limit=limit)
        listed += [as_data(finding, run.shown) for finding in found]
        counts["not_shown"] += more
        counts["errors"] += run.findings.errors
        counts["warnings"] += len(run.findings) - run.findings.errors
        for name, count in _counted(run.counts).items():
            counts[name] = counts.get(name, 0) + count
    return {"version": 1, "findings": listed, "counts": counts}


def _counted(counts: Any) -> dict[str, int]:
    if is_dataclass(counts) and not isinstance(counts, type):
        counts = asdict(counts)
    return dict(counts or {})


def _github(runs: Sequence[Checked], limit: int | None) -> Iterable[str]:
    for run in runs:
        found, more = chosen(run.findings, limit=limit)
        for finding in found:
            parts = [f"title={_property(f'{finding.code} {CODES[finding.code].title}')}"]
            if finding.span:
                at = _place(finding.span, run.shown)
                parts = [f"file={_property(at['file'])}", f"line={at['line']}", f"col={at['column']}", *parts]
            told = finding.message
            for note in finding.notes:
                told += f"\nnote: {_where(note.span, run.shown)}: {note.message}"
            told += f"\nhint: {finding.hint}" if finding.hint else ""
            yield f"::{finding.severity} {','.join(parts)}::{_data(told)}\n"
        if more:
            yield f"::notice::and {more:,} more findings not shown\n"


def _sarif(runs: Sequence[Checked], limit: int | None) -> dict[str, Any]:
    results: list[dict[str, Any]] = []
    used: set[str] = set()
    for run in runs:
        for finding in chosen(run.findings, limit=limit)[0]:
            used.add(finding.code)
            result: dict[str, Any] = {
                "ruleId": finding.code,
                "level": finding.severity,
                "message": {"text": finding.message + (f"\nhint: {finding.hint}" if finding.hint else "")},
            }
            if finding.span:
                result["locations"] = [{"physicalLocation": _physical(finding.span, run.shown)}]
            if finding.notes:
                result["relatedLocations"] = [
                    {
                        "id": index,
                        "message": {"text": note.message},
                        "physicalLocation": _physical(note.span, run.shown),
                    }
                    for index, note in enumerate(finding.notes, 1)
                ]
            results.append(result)
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code].title},
            "defaultConfiguration": {"level": CODES[code].severity},
        }
        for code in sorted(used)
    ]
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "rulesdata", "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }


def _physical(span: Span, shown: Mapping[str, str]) -> dict[str, Any]:
    from urllib.parse import quote  # a slow import that only this form needs

    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(max(span.end, span.start))
    return {
        "artifactLocation": {"uri": quote(shown.get(span.source.name, span.source.name))},
        "region": {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column},
    }


def _place(span: Span | None, shown: Mapping[str, str]) -> dict[str, Any]:
    if span is None:
        return {"file": None, "line": None, "column": None}
    line, column = span.source.position(span.start)
    return {"file": shown.get(span.source.name, span.source.name), "line": line, "column": column}


def _where(span: Span, shown: Mapping[str, str]) -> str:
    at = _place(span, shown)
    return f"{printable(at['file'])}:{at['line']}:{at['column']}"


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _data(text: str) -> str:
    return printable_lines(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def printable_lines(text: str) -> str:
    """Printable text that keeps its line breaks."""
    return "\n".join(printable(line) for line in text.split("\n"))
