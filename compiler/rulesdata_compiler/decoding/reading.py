"""What a run of decoding carries along: where findings go, and whether the rule at hand has failed.

In: nothing. Out: `Reading`, handed to every reader of the decode files. A rule that failed is left out of the model,
and what reads it is left alone by later stages.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import Findings, Note
from ..source import Span


@dataclass(slots=True)
class Reading:
    """`failed` is raised by every error, even one that another member of a family has already reported."""

    findings: Findings
    failed: bool = False
    member: tuple[str, Span] | None = None  # the id of a family's member, and where the family stands

    def error(
        self, code: str, message: str, span: Span | None, *, notes: tuple[Note, ...] = (), hint: str | None = None
    ) -> None:
        """Record a finding about the rule at hand."""
        self.failed = True
        if self.member is not None:
            notes = (*notes, Note(self.member[1], f"in {self.member[0]}, a member of this family"))
        self.findings.add(code, message, span, notes=notes, hint=hint)
