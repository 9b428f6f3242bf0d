"""Findings: what is wrong with a rules file, where, why, and how to mend it.

A user's mistake is a value: stages return what they made and append to a `Findings` collector. Nothing is raised.
`render.py` turns findings into text, JSON, GitHub or SARIF lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .codes import CODES
from .source import Span


@dataclass(frozen=True, slots=True)
class Note:
    """A further place involved, with a few words (`first defined here`)."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `message` says what was found and what was expected; `hint` is a cure one can follow.
    Findings with the same `cause` are one mistake: the first is told, with the places of the others."""

    code: str
    message: str
    span: Span | None
    notes: tuple[Note, ...] = ()
    hint: str | None = None
    cause: str | None = field(default=None, compare=False)

    @property
    def severity(self) -> str:
        return CODES[self.code].severity


@dataclass(slots=True)
class Findings:
    """Collects the findings of one run; one place and code is reported once."""

    items: list[Finding] = field(default_factory=list)
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    def add(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        notes: tuple[Note, ...] = (),
        hint: str | None = None,
        cause: str | None = None,
    ) -> None:
        """Record a finding. `code` must stand in `codes.CODES`; a KeyError here is a bug of ours."""
        finding = Finding(code, message, span, notes, hint, cause)
        _ = finding.severity
        key = (code, message, span.sort_key() if span else None)
        if key not in self._seen:
            self._seen.add(key)
            self.items.append(finding)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def errors(self) -> int:
        return sum(1 for item in self.items if item.severity == "error")
