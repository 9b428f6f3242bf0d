"""Whether what came out is what an example asks for, and both as people would write them.

In: a value as an example has it (numbers, texts, yes and no, lists, mappings) and the runtime's value. Out: a truth, or
words. The one rule: the value that came out decides how the wanted one is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers_text import number_from, say
from ..state.fitting import TRUTHS

_MISSING = object()


def agree(wanted: Any, got: Any) -> bool:
    """Whether a value is the one an example asks for; yes/no and numbers are read by what came out."""
    if isinstance(wanted, list):
        return isinstance(got, list | tuple) and sorted(map(_key, wanted)) == sorted(map(_key, got))
    if isinstance(wanted, Mapping):
        return isinstance(got, Mapping) and all(agree(value, got.get(name, _MISSING)) for name, value in wanted.items())
    if isinstance(got, bool):
        truth: object = TRUTHS.get(wanted.casefold()) if isinstance(wanted, str) else wanted
        return truth is got
    if got is None:
        return wanted is None or wanted == "none"
    if isinstance(wanted, bool):
        return False
    if isinstance(got, str):
        return str(wanted) == got
    if isinstance(wanted, str):
        wanted = number_from(wanted)
    same: bool = wanted == got
    return same


def _key(value: Any) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}={part}" for name, part in sorted(value.items()))
    return str(value)


def written(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(written(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {written(part)}" for name, part in value.items()) + "}"
    return str(say(value))
