"""Values in plain words and plain data, with nothing to load for it.

In: a value of the runtime. Out: the words a rules author would write for it, or what JSON can hold.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def say(value: Any) -> str:
    """A value as a rules author would write it."""
    if value is None:
        return "none"
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, str | int):
        return str(value)
    if hasattr(value, "items"):
        return "named values"
    if isinstance(value, list | tuple):
        return "a list"
    return str(value)


def brief(value: Any) -> str:
    """A value of whatever type for a message: a long one is cut, an empty one in quotes."""
    if isinstance(value, int) and value.bit_length() > 1_000:
        return "a number of very many digits"
    if value == "" and isinstance(value, str):
        return "''"
    text = say(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def digits(text: str) -> int | None:
    """The whole number that a text spells in plain digits, with a minus perhaps; None where it spells none.

    Other scripts' digits are none, and neither is what is too long to be any value of the rules.
    """
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) <= 400 else None


def to_plain(value: Any) -> Any:
    """A value for JSON: fractions become `"7/2"`."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, list | tuple):
        return [to_plain(inner) for inner in value]
    if hasattr(value, "items"):
        return {key: to_plain(inner) for key, inner in value.items()}
    return str(value) if hasattr(value, "denominator") else value
