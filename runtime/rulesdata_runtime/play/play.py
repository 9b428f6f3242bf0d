"""One play: the characters in it, the dice, the answers of the people at the table, and the log.

In: the rules, a sheet for every role, a source of dice, and answers by the id of the choice or question. Out: changed
sheets and a log of everything that was done. One rule holds: every step is counted, so that any play ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BadInput, LimitReached, NeedsAnswer, NotAllowed, RulesError
from ..records import dataclass, field
from ..search import did_you_mean, nearest
from .rolled import as_json

if TYPE_CHECKING:
    from ..rules import Rules
    from ..state.rulebook import Rulebook
    from ..state.sheet import Sheet

STEPS = 100_000
"""Steps in one play, at most."""
DEPTH = 60
"""Rules that call each other, at most."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One thing that happened: by which rule and step, where that stands, and what it changed."""

    rule: str
    step: str
    text: str
    source: str | None = None
    place: str | None = None
    who: str | None = None
    before: object = None
    after: object = None

    def to_json(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"rule": self.rule, "step": self.step, "text": self.text}
        for name in ("source", "place", "who", "before", "after"):
            value = getattr(self, name)
            if value is not None:
                shape[name] = as_json(value)
        return shape


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody at the table must answer. `kind`: choice (one of `options`), value (of `spec`), purchases (any
    number of `options`). Options are ids with titles, those that are possible now."""

    id: str
    kind: str
    title: str
    by: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    wanted: str = ""
    spec: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        who = f" by {self.by}" if self.by else ""
        match self.kind:
            case "choice":
                listed = ", ".join(id_ if id_ == title else f"{id_} ({title})" for id_, title in self.options)
                return f"{self.title}: choose{who} one of {listed}; answer with {self.id}=..."
            case "purchases":
                listed = ", ".join(id_ if id_ == title else f"{id_} ({title})" for id_, title in self.options)
                return (
                    f"{self.title}: spend{who} on any of {listed}; answer {self.id} with a list of ids, an empty one"
                    " to spend nothing"
                )
            case _:
                return f"{self.title}: wanted{who} {self.wanted}; answer with {self.id}=..."


class Stop(Exception):  # noqa: N818 - no error: it ends the innermost run
    """`stop`: raised by the step, caught where the run began."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Play:
    """What is shared by everything that happens in one call: cast, dice, answers, log, and the count of steps."""

    def __init__(
        self,
        rules: Rules,
        cast: Mapping[str, Sheet],
        dice: Any,
        answers: Mapping[str, Any] | None = None,
        table: Sheet | None = None,
        ask: Callable[[Question], Any] | None = None,
        budget: int = STEPS,
    ) -> None:
        self.rules = rules
        self.cast = dict(cast)
        self.dice = dice
        self.table = table
        self.ask = ask
        self.log: list[LogEntry] = []
        self.budget = budget
        self.left = budget
        self.nested: dict[int, int] = {}
        self.depth = 0
        self.thrown: list[Any] = []
        self._answers: dict[str, Any] = dict(answers or {})
        self._asked: dict[str, int] = {}

    # --- counting and telling ---------------------------------------------------------------------------------

    def tick(self, rule: str) -> None:
        """Count one step; too many end the play."""
        self.left -= 1
        if self.left < 0:
            raise LimitReached(f"{rule}: more than {self.budget:,} steps in one go; this play would not end")

    def deeper(self, title: str) -> None:
        """One call inside another; whoever calls this takes it back."""
        self.depth += 1
        if self.depth > DEPTH:
            self.depth -= 1
            raise LimitReached(f"{title}: rules that call each other more than {DEPTH} deep")

    def everybody(self) -> list[Sheet]:
        """The sheets of the cast, each once."""
        return list({id(sheet): sheet for sheet in self.cast.values()}.values())

    def name_of(self, sheet: Sheet | None) -> str | None:
        """The role of a sheet, for the log; None where there is only one character."""
        if sheet is None or len(self.cast) < 2:
            return None
        for role, other in self.cast.items():
            if other is sheet:
                return role
        return sheet.character.name

    def note(
        self,
        rule: str,
        step: str,
        text: str,
        at: Sequence[Any] | None = None,
        who: Sheet | None = None,
        before: object = None,
        after: object = None,
    ) -> None:
        """Write a line into the log."""
        self.log.append(
            LogEntry(rule, step, text, self.rules.source_of(rule), place_of(at), self.name_of(who), before, after)
        )

    # --- answers ----------------------------------------------------------------------------------------------

    def given(self, name: str) -> bool:
        """Whether an answer for `name` is there, without using it up."""
        if name not in self._answers:
            return False
        answer = self._answers[name]
        return not isinstance(answer, list | tuple) or self._asked.get(name, 0) < len(answer)

    def answer(self, question: Question, fit: Callable[[Any], Any]) -> Any:
        """The answer to a question, made to fit: the one given, else asked for, else NeedsAnswer.

        A list answers one asking after the other; a single answer serves every time. Purchases are a list in
        themselves, so several of those are a list of lists.
        """
        if question.id in self._answers:
            return fit(self._next(question))
        if self.ask is None:
            raise NeedsAnswer(str(question))
        return fit(self.ask(question))

    def _next(self, question: Question) -> Any:
        answer = self._answers[question.id]
        if not isinstance(answer, list | tuple):
            return answer
        if question.kind == "purchases" and not any(isinstance(part, list | tuple) for part in answer):
            return answer
        place = self._asked.get(question.id, 0)
        if place >= len(answer):
            if self.ask is not None:
                return self.ask(question)
            times = "once" if place == 1 else f"{place} times"
            raise NeedsAnswer(f"{question} (answered {times}, and asked again)")
        self._asked[question.id] = place + 1
        return answer[place]

    def finish(self) -> None:
        """The end of a play: dice and lists of answers given by hand are used up, or it is an error."""
        self.dice.finish()
        for name, used in self._asked.items():
            left = self._answers[name][used:]
            if left:
                shown = ", ".join(map(str, left))
                raise BadInput(f"{name} was asked {'once' if used == 1 else f'{used} times'}; left over: {shown}")

    def choose(self, question: Question) -> str:
        """The id of an option of a choice."""
        ids = [option for option, _ in question.options]

        def fit(answer: Any) -> str:
            if answer not in ids:
                raise BadInput(
                    f"{question.title}: {answer} is not open now; {question.id} is one of {', '.join(ids)}."
                    f"{did_you_mean(nearest(str(answer), ids))}"
                )
            return str(answer)

        return str(self.answer(question, fit))

    # --- bounded cycles ---------------------------------------------------------------------------------------

    def enter(self, step: Mapping[str, Any], most: int | None) -> bool:
        """Begin a step that may lead back to itself; False where it is under way `most` times already."""
        running = self.nested.get(id(step), 0)
        if most is not None and running >= most:
            return False
        self.nested[id(step)] = running + 1
        return True

    def leave(self, step: Mapping[str, Any]) -> None:
        self.nested[id(step)] -= 1


def in_force(book: Rulebook, rule_id: str, rule: Mapping[str, Any]) -> None:
    """Refuse a rule of an option that is off."""
    if "option" in rule and not book.in_force(rule):
        raise NotAllowed(f"{book.title(rule_id)} belongs to an option that is off")


def place_of(at: Sequence[Any] | None) -> str | None:
    """`file:line:column` of a rule or step."""
    return ":".join(str(part) for part in at) if at else None


def placed(problem: RulesError, at: Sequence[Any] | None) -> RulesError:
    """The same error with its place, if it had none."""
    if problem.place is None:
        problem.place = place_of(at)
    return problem
