"""One formula being bound: where its findings go, and how a value is made to fit its place.

In: the meaning of an expression and what is wanted of it. Out: the meaning in the wanted kind (the sum of dice where
a number is wanted), or a finding. The one rule: what is broken passes through in silence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..diagnostics import Note
from ..formulas.syntax import At, Expr, Name
from ..model import Derived, Formula
from ..source import Span
from .ranges import beyond, compare, safe, total
from .scopes import Scope, Want
from .values import (
    BROKEN,
    Choices,
    Ids,
    Maybe,
    Meaning,
    Nones,
    Numbers,
    Pool,
    Record,
    Texts,
    Truths,
    Value,
    describe,
    say,
)
from .world import World, a, named

Walker = Callable[["Site", Expr, Scope, Want | None], Meaning]


@dataclass(slots=True)
class Site:
    """A formula of a rule. `seen` keeps what each expression meant, for the conditions that narrow others."""

    world: World
    formula: Formula
    rule: str
    walker: Walker
    reads: set[str] = field(default_factory=set)
    seen: dict[int, Meaning] = field(default_factory=dict)

    def walk(self, expr: Expr, scope: Scope, want: Want | None = None) -> Meaning:
        return self.walker(self, expr, scope, want)

    def span(self, at: At) -> Span:
        return self.formula.span(*at)

    def text(self, at: At) -> str:
        """The author's words, without brackets around them."""
        return bare(self.formula.text[at[0] : at[1]].strip())

    def error(
        self, code: str, message: str, at: At, *, hint: str | None = None, notes: tuple[Note, ...] = ()
    ) -> Meaning:
        """Report an error at a part of the formula; what it gives is broken."""
        self.world.error(self.rule, code, message, self.span(at), notes=notes, hint=hint)
        return BROKEN

    # --- kinds -------------------------------------------------------------------------------------------------

    def number(self, expr: Expr, scope: Scope) -> Meaning:
        return self.as_number(self.walk(expr, scope), expr)

    def truth(self, expr: Expr, scope: Scope) -> Meaning:
        found = self.walk(expr, scope, Want("truth", "this"))
        if found.broken or isinstance(found.value, Truths):
            return found
        return self.mismatch(found.value, expr, "a yes or no is wanted here")

    def as_number(self, found: Meaning, expr: Expr, wanted: str = "a number is wanted here") -> Meaning:
        """The sum of dice; numbers as they are."""
        match found.value, found.shown:
            case Numbers(), _:
                return found
            case Pool() as pool, Pool() as shown if not pool.dice:
                return Meaning(["sum", found.code], total(pool), total(shown))
        return found if found.broken else self.mismatch(found.value, expr, wanted)

    def mismatch(self, value: Value, expr: Expr, wanted: str, near: str | None = None) -> Meaning:
        """Report a value of the wrong kind, with the cure that kind has."""
        text = self.text(expr.at)
        hint: str | None = None
        match value:
            case Nones() | Maybe():
                can = "there is nothing" if isinstance(value, Nones) else f"`{text}` can be none"
                if isinstance(value, Maybe):
                    hint = f"ask first: `if {text} is none then … else …`"
                return self.error("T509", f"{wanted}, and {can}", expr.at, hint=hint)
            case Record(fields=fields):
                hint = f"name a part of it: `{text}.{fields[0][0]}`" if fields else None
                return self.error("T502", f"{wanted}, and `{text}` is {describe(value)}", expr.at, hint=hint)
            case Pool():
                hint = "ask for what they show: `net(symbol)`, `rolled(symbol)`, `size(…)`"
                return self.error("T514", f"{wanted}, and custom dice have no sum", expr.at, hint=hint)
            case Numbers() if "yes or no" in wanted:
                hint = f"compare it, as in `{text} > 0`"
                return self.error("T502", f"{wanted}, and `{text}` is {_kind(value)}", expr.at, hint=hint)
            case Ids(kind="stat", options=options):
                some = ", ".join(sorted(options)[:3])
                hint = (
                    f"let the parameter be a choice, and read a family by it: `for_each: [{some}]`, `formula: (each)`"
                )
                return self.error("T502", f"{wanted}, and `{text}` is {_kind(value)}", expr.at, hint=hint)
            case Truths() if "number" in wanted:
                hint = f"turn it into a number: `if {text} then 1 else 0`"
                return self.error("T502", f"{wanted}, and `{text}` is {describe(value)}", expr.at, hint=hint)
        return self.error("T502", f"{wanted}, and `{text}` is {_kind(value)}", expr.at, hint=near)

    # --- places ------------------------------------------------------------------------------------------------

    def fit(self, found: Meaning, expr: Expr, want: Want) -> Meaning:
        """The meaning as its place wants it."""
        if found.broken:
            return found
        value, shown = found.value, found.shown
        if want.none and isinstance(value, Nones):
            return found
        if want.none and isinstance(value, Maybe) and isinstance(shown, Maybe):
            inner = self.fit(Meaning(found.code, value.of, shown.of), expr, want)
            return inner if inner.broken else Meaning(inner.code, Maybe(inner.value), Maybe(inner.shown))
        match want.kind:
            case "whole" | "number":
                return self._fit_number(found, expr, want)
            case "truth":
                ok = isinstance(value, Truths)
                wanted = f"{want.what} wants a yes or no"
            case "text":
                ok = isinstance(value, Texts | Choices)
                wanted = f"{want.what} wants a text"
            case "choice":
                return self._fit_choice(found, expr, want)
            case "id":
                ok = isinstance(value, Ids) and value.kind == want.of and bool(value.options & (want.options or set()))
                wanted = f"{want.what} wants the name of {a(want.of)}"
            case "scalar":
                if isinstance(value, Pool) and not value.dice:
                    return self.as_number(found, expr)
                ok = not isinstance(value, Record | Pool | Nones | Maybe) or (want.none and isinstance(value, Nones))
                wanted = f"{want.what} wants one value"
            case _:
                ok = not isinstance(value, Record)
                wanted = f"{want.what} wants a value"
        return found if ok else self.mismatch(value, expr, wanted)

    def _fit_number(self, found: Meaning, expr: Expr, want: Want) -> Meaning:
        kind = "a whole number" if want.kind == "whole" else "a number"
        found = self.as_number(found, expr, f"{want.what} wants {kind}")
        if not isinstance(found.value, Numbers):
            return found
        if want.kind == "whole" and not found.value.whole:
            return self.fraction(expr, f"{want.what} wants a whole number")
        return self._fit_range(found, found.value, expr, want)

    def fraction(self, expr: Expr, wanted: str) -> Meaning:
        """A fraction where a whole number is wanted: the cure in the author's own words."""
        text = self.text(expr.at)
        notes: tuple[Note, ...] = ()
        rule = self.world.rules.get(expr.name) if isinstance(expr, Name) else None
        if isinstance(rule, Derived):
            # Where it is made it is rounded once for all who read it, so it is told once.
            if rule.id in self.world.unrounded:
                self.world.broken.add(self.rule)
                return BROKEN
            self.world.unrounded.add(rule.id)
            notes = (Note(rule.formula.span(), f"`{text}` is made here, and can be rounded here for all who read it"),)
        return self.error(
            "T501",
            f"{wanted}, and `{text}` can be a fraction",
            expr.at,
            notes=notes,
            hint=f"say how to round: `ceil({text})` goes up, `floor({text})` goes down",
        )

    def _fit_range(self, found: Meaning, value: Numbers, expr: Expr, want: Want) -> Meaning:
        text, within, around = self.text(expr.at), want.within, want.around
        if around is not None and self.outside(value, around):
            return self.error("T513", f"{want.what} is {around}, {_and_this(text, value)}", expr.at)
        if within is None or within.low is None:
            return found
        if value.low is None or value.low < within.low:
            message = f"{want.what} is {say(within.low)} or more, {_and_this(text, value)}"
            hint = None if value.constant is not None else f"write `max({within.low}, {text})`"
            return self.error("T517", message, expr.at, hint=hint)
        return found

    def _fit_choice(self, found: Meaning, expr: Expr, want: Want) -> Meaning:
        value, text = found.value, self.text(expr.at)
        if isinstance(value, Ids) and want.options is not None and value.options <= want.options:
            return found
        if not isinstance(value, Choices):
            one_of = f"one of {named(sorted(want.options))}" if want.options else "a choice"
            near = self.world.suggest(expr.name, want.options or ()) if isinstance(expr, Name) else None
            return self.mismatch(value, expr, f"{want.what} wants {one_of}", near)
        if value.options is None or want.options is None or value.options <= want.options:
            return found
        extra = sorted(value.options - want.options)
        message = f"`{text}` can be {named(extra)}, and {want.what} knows only {named(sorted(want.options))}"
        hint = self.world.suggest(extra[0], want.options - (value.options or set()))
        return self.error("N405", message, expr.at, hint=hint)

    # --- limits ------------------------------------------------------------------------------------------------

    def limited(self, found: Meaning, expr: Expr) -> Meaning:
        """With a `limit` node around the code where the range does not prove the number small enough."""
        if not isinstance(found.value, Numbers) or safe(found.value):
            return found
        if beyond(found.value):
            text = self.text(expr.at)
            return self.error("T506", f"`{text}` is always beyond ±(2^53 − 1), the largest whole number", expr.at)
        return Meaning(["limit", found.code], found.value, found.shown)

    def outside(self, value: Numbers, around: Numbers) -> bool:
        """Whether no number of the one range lies in the other."""
        return compare("<", value, around) is True or compare(">", value, around) is True


def _and_this(text: str, value: Numbers) -> str:
    """`not 30`; `and this can be 2 to 9`."""
    return f"not {value}" if value.constant is not None else f"and `{text}` can be {value}"


def bare(text: str) -> str:
    """Without a pair of brackets around the whole."""
    while text.startswith("(") and text.endswith(")"):
        depth = 0
        for place, char in enumerate(text):
            depth += (char == "(") - (char == ")")
            if not depth and place < len(text) - 1:
                return text
        text = text[1:-1].strip()
    return text


def _kind(value: Value) -> str:
    if isinstance(value, Ids):
        return f"the name of a {value.kind}, not its value"
    return describe(value)
