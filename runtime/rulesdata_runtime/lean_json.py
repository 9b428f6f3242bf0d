"""JSON read strictly and written plainly, without the milliseconds that Python's own module takes to load.

In: a text, or plain data. Out: the other. The C parts that `json` is made of do the work; where they are missing or
changed, `json` itself does. Both answer alike.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

_SPACE = " \t\n\r"


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of whose keys none may stand twice."""
    if len(found := dict(pairs)) == len(pairs):
        return found
    raise ValueError("a key stands twice")


def no_float(text: str) -> NoReturn:
    """Numbers with a point, and words such as NaN, are refused."""
    raise ValueError(f"{text} is no exact number")


class _Strictly:
    """What the scanner looks at."""

    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(once)
    array_hook = None
    parse_float = staticmethod(no_float)
    parse_int = int
    parse_constant = staticmethod(no_float)


def read(text: str) -> Any:
    """The value of a JSON text without fractional numbers and repeated keys. Raises ValueError, RecursionError."""
    scan = _scanner()
    if scan is None:
        import json

        return json.loads(text, object_pairs_hook=once, parse_float=no_float, parse_constant=no_float)
    try:
        value, end = scan(text, len(text) - len(text.lstrip(_SPACE)))
    except StopIteration:
        raise ValueError("it is no JSON") from None
    if text[end:].strip(_SPACE):
        raise ValueError("it is no JSON")
    return value


def _scanner() -> Callable[[str, int], tuple[Any, int]] | None:
    try:
        from _json import make_scanner

        settings: Any = _Strictly
        made: Callable[[str, int], tuple[Any, int]] = make_scanner(settings)
    except (ImportError, AttributeError, TypeError):  # pragma: no cover - a Python whose json is made otherwise
        return None
    return made


def write(value: Any) -> str:
    """Plain data as `json.dumps(value, ensure_ascii=False)` writes it."""
    match value:
        case None:
            return "null"
        case True:
            return "true"
        case False:
            return "false"
        case int():
            return str(value)
        case str():
            return _quoted(value)
        case dict():
            return "{" + ", ".join(f"{_quoted(str(key))}: {write(part)}" for key, part in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(write, value)) + "]"
    raise TypeError(f"{type(value).__name__} is no plain data")


def _quoted(text: str) -> str:
    try:
        from _json import encode_basestring

        told: str = encode_basestring(text)
    except ImportError:  # pragma: no cover - a Python whose json is made otherwise
        import json

        told = json.dumps(text, ensure_ascii=False)
    return told
