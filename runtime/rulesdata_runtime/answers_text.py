"""Values and sentences as people read them.

In: values, lists of words, texts of the artifact. Out: plain text. One rule holds: nothing here decides anything, it
only words what others found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from .plainly import brief as brief
from .plainly import say as say
from .plainly import to_plain as to_plain

if TYPE_CHECKING:
    from .state.scope import Scope

Number: TypeAlias = int | Fraction
Value: TypeAlias = int | Fraction | bool | str | None


def signed(value: Any) -> str:
    """A number with its sign: `+2`, `-1`."""
    number = isinstance(value, int | Fraction) and not isinstance(value, bool)
    return f"+{value}" if number and value >= 0 else say(value)


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    found = list(words)
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def span(low: Any, high: Any) -> str:
    """The words for a range: `from 1 to 6`, `at least 1`, `at most 6`."""
    if low is not None and high is not None:
        return f"from {say(low)} to {say(high)}"
    return f"at least {say(low)}" if low is not None else f"at most {say(high)}"


def hint(name: object, known: Iterable[str]) -> str:
    """` Did you mean x?` with a space before it, or nothing."""
    from .search import did_you_mean, nearest

    return did_you_mean(nearest(brief(name), known))


def render(template: str | Sequence[Any] | None, scope: Scope) -> str:
    """A text with its formulas worked out for the character of `scope`."""
    if template is None or isinstance(template, str):
        return template or ""
    parts = [part if isinstance(part, str) else say(scope.run(part["code"])) for part in template]
    return "".join(parts)


_NUMBER = re.compile(r"[-+−–]?(?:\d{1,400}(?:/\d{1,400})?|\d{0,400}\.\d{1,400})", re.ASCII)


def number_from(text: str) -> Number | None:
    """A number written by hand: `7`, `-1`, `7/2`, `0.5`; None where it is none."""
    found = text.strip()
    if _NUMBER.fullmatch(found) is None:
        return None
    try:
        return whole(Fraction(found.replace("−", "-").replace("–", "-")))
    except ZeroDivisionError:
        return None


def whole(value: Number) -> Number:
    """A fraction with denominator 1 is a whole number."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
