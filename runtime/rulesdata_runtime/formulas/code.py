"""Code made ready to run.

In: the code of a formula. Out: a function of a mapping, made at the first call for that code and kept. The one rule:
both implementations answer alike; `style` chooses, and nothing else depends on it.

The mapping holds the values under their names. Where a formula asks for more than names, the mapping has the methods:
of, field, roll, digits, throw, net, rolled, has, level, remaining, carried, elapsed, option, same, overflow, lookup,
band, distance, moves.
"""

from __future__ import annotations

from .generate import function as _by_source
from .operands import damaged
from .operands import names as names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from .operands import Code

    Formula: TypeAlias = Callable[[Mapping[str, Any]], Any]

MOST_KEPT = 8_192
_kept: dict[tuple[str, str, frozenset[str]], Formula] = {}


def prepare(code: Code, style: str = "generate", whole: frozenset[str] = frozenset()) -> Formula:
    """The function that evaluates `code`; `style` is `generate` or `closures`.

    Values of the names in `whole` are taken to be whole numbers, which saves a look at some results. Code that the
    node table does not know is refused: the artifact is damaged.
    """
    try:
        key = (style, repr(code), whole)
        found = _kept.get(key)
        if found is None:
            found = _make(code, style, whole)
            if len(_kept) >= MOST_KEPT:
                _kept.clear()
            _kept[key] = found
        return found
    except RecursionError:
        raise damaged("a formula is nested too deeply") from None


def _make(code: Code, style: str, whole: frozenset[str]) -> Formula:
    if style == "generate":
        try:
            return _by_source(code, whole)
        except (SyntaxError, MemoryError, RecursionError):
            pass  # nested more deeply than Python's compiler reads; closures do not mind
    from .closures import function as by_closures

    return by_closures(code)
