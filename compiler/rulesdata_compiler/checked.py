"""What a check has to say, and what it need not find out again.

In: the name of a system and house rules over it. Out: its findings and counts. The one rule: only what was found
without any finding is kept, under everything that it depends on (`rulesdata/cache.py`), so that "fine" is never stale.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from . import compile_system
from .diagnostics import Findings
from .pipeline import Compiled, Counts
from .render import render_text


@dataclass(frozen=True, slots=True)
class Checked:
    """A system's id, its findings, and how much was read."""

    id: str | None
    findings: Findings
    counts: Counts
    shown: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, compiled: Compiled) -> Checked:
        found = compiled.system.header.id if compiled.system else None
        return cls(found, compiled.findings, compiled.counts, compiled.shown)

    def told(self, colour: bool) -> str:
        """All findings, then the line that says what was read."""
        errors, warnings = self.findings.errors, len(self.findings) - self.findings.errors
        verdict = "fine" if not len(self.findings) else f"{_many(errors, 'error')}, {_many(warnings, 'warning')}"
        told = render_text(self.findings, shown=self.shown, colour=colour)
        return f"{told}{self.id or 'nothing to check'}: {verdict}; read {self.counts.sentence()}\n"


def checked(name: str, house: Sequence[str] = (), *, cache: bool = True) -> Checked:
    """Check a system, or recall that it was fine and has not changed since. Raises NotFound."""
    from rulesdata import cache as caching

    kept = caching.cached(name, house, "checked") if cache else None
    if kept is not None and (known := _recalled(kept)) is not None:
        return known
    found = Checked.of(compile_system(name, house))
    if kept is not None and found.id is not None and not len(found.findings):
        caching.keep(kept, json.dumps({"id": found.id, "counts": asdict(found.counts)}).encode("utf-8"))
    return found


def _recalled(path: str) -> Checked | None:
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        return Checked(str(data["id"]), Findings(), Counts(**data["counts"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
