"""What can go wrong at the table: small exceptions with a code, a sentence and, where known, a place in the rules.

`RulesError` is raised for everything a user of the runtime can cause; its text is what they see.
"""

from __future__ import annotations


class RulesError(Exception):
    """`message` says what is wrong and what to do. `code` is stable. `place` is `file:line:column` of the rule."""

    code = "play"

    def __init__(self, message: str, *, place: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class ArtifactError(RulesError):
    """The file is no artifact, damaged, or of a newer format."""

    code = "artifact"


class UnknownName(RulesError):  # noqa: N818 - read aloud in `except UnknownName`
    """An id or name that the rules do not have; `suggestions` are the nearest."""

    code = "unknown"


class BadInput(RulesError):  # noqa: N818 - read aloud in `except BadInput`
    """A value that does not fit: wrong type, out of range, missing, or left over."""

    code = "input"


class NoValue(RulesError):  # noqa: N818 - read aloud in `except NoValue`
    """A formula that has no answer: a division by zero, the highest of no dice, a clamp with its ends crossed."""

    code = "value"


class MissingValue(BadInput):
    """A value of the sheet that is needed and was not given; `name` is the stat or track."""

    def __init__(self, name: str, message: str, *, place: str | None = None) -> None:
        super().__init__(message, place=place)
        self.name = name


class NotAllowed(RulesError):  # noqa: N818 - read aloud in `except NotAllowed`
    """The rules refuse: a forbidden action, a full slot, a requirement that does not hold."""

    code = "refused"


class NeedsAnswer(RulesError):  # noqa: N818 - read aloud in `except NeedsAnswer`
    """A choice or question that was not answered; the message lists what may be answered."""

    code = "answer"


class LimitReached(RulesError):  # noqa: N818 - read aloud in `except LimitReached`
    """A stated limit: dice, steps, numbers; the message names it."""

    code = "limit"
