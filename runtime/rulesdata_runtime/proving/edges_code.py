"""The edges inside one formula: every number in it, one up and one down, every comparison and rounding, turned over.

In: the code of a formula. Out: for each nudge the place inside the code, what stands there instead, and the nudge in
words. One rule holds: what comes out still is code, and differs from the formula in one place.

Where one side of a comparison is a whole number, only the number is nudged: `x >= 4` says of whole numbers what
`x > 3` says. A die only loses a side: dice that are dealt out never show a side that was not there before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ..answers_text import say
from ..formulas.operands import COMPARISONS

Path = tuple[Any, ...]

_OPPOSITE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_ROUNDED = {"ceil": "floor", "floor": "ceil", "round": "floor"}
_WORDS = {"==": "is", "!=": "is not"}
_NAMES_ONLY = frozenset(
    ("get", "of", "field", "level", "remaining", "carried", "elapsed", "option", "same", "overflow")
)
_MANY = frozenset(("+", "*", "min", "max", "and", "or"))


class Nudge(NamedTuple):
    """`path` leads to what is replaced by `value`; `token` is what a reader sees there, `now` what it becomes, `nth`
    which of the equal tokens of the formula it is, where there are several (else 0)."""

    path: Path
    value: Any
    token: str
    now: str
    nth: int = 0

    @property
    def told(self) -> str:
        """`8 to 9`, `the second 2 to 3`."""
        which = f"the {_ORDINALS[self.nth - 1]} " if 0 < self.nth <= len(_ORDINALS) else ""
        return f"{which}{self.token} to {self.now}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def nudges(code: Any) -> list[Nudge]:
    """Every nudge of a formula, in the order in which it is read."""
    found = list(_inside(code, ()))
    spots: dict[str, list[Path]] = {}
    for one in found:
        if one.path not in spots.setdefault(one.token, []):
            spots[one.token].append(one.path)
    counts = Counter({token: len(paths) for token, paths in spots.items()})
    return [one._replace(nth=spots[one.token].index(one.path) + 1) if counts[one.token] > 1 else one for one in found]


def replaced(data: Any, path: Path, value: Any) -> Any:
    """A copy of plain data with another value at a path; all that is not on the way there is shared."""
    if not path:
        return value
    first, *rest = path
    copy = list(data) if isinstance(data, list | tuple) else dict(data)
    copy[first] = replaced(data[first], tuple(rest), value)
    return copy


def limits(code: Any, path: Path) -> bool:
    """Whether the number at a path is what the whole formula is held to: `0` of `max(0, x)`, or the formula itself."""
    for step in path:
        if isinstance(code, list) and code and isinstance(code[0], str) and code[0] not in ("min", "max", "clamp"):
            return False
        code = code[step]
    return True


def is_whole(code: Any) -> bool:
    """Whether code is a whole number written out."""
    return type(code) is int


def _inside(code: Any, path: Path) -> Iterator[Nudge]:
    if is_whole(code):
        yield from numbers(code, path)
    if not isinstance(code, list) or not code:
        return
    match code:
        case ["frac", int(top), int(bottom)]:
            for step in (1, -1):
                now = Fraction(top + step, bottom)
                whole = now.denominator == 1
                value: Any = now.numerator if whole else ["frac", now.numerator, now.denominator]
                yield Nudge(path, value, f"{top}/{bottom}", str(now))
            return
        case [str(sign), left, right] if sign in COMPARISONS:
            if not is_whole(left) and not is_whole(right):
                texts = any(part is None or isinstance(part, str | bool) for part in (left, right))
                yield _turned(sign, (*path, 0), texts)
        case ["chain", list(signs), list(parts)]:
            for place, sign in enumerate(signs):
                if not is_whole(parts[place]) and not is_whole(parts[place + 1]):
                    yield _turned(sign, (*path, 1, place))
        case ["count", _, list(signs), list(bounds)]:
            for place, sign in enumerate(signs):
                if not is_whole(bounds[place]):
                    yield _turned(sign, (*path, 2, place))
        case ["roll", _, int(sides), mods]:
            yield from _fewer(sides, (*path, 2))
            yield from _of_modifiers(mods or {}, (*path, 3))
        case ["digits", list(dice)]:
            for place, sides in enumerate(dice):
                yield from _fewer(sides, (*path, 1, place))
            return
        case [str(name), _] if name in _ROUNDED:
            yield Nudge((*path, 0), _ROUNDED[name], name, _ROUNDED[name])
    for below, part in _parts(code):
        yield from _inside(part, (*path, *below))


def _parts(code: list[Any]) -> Iterator[tuple[Path, Any]]:
    """The code inside a node, each with its way there."""
    name = code[0]
    if name in _NAMES_ONLY:
        return
    match code:
        case ["chain", _, list(parts)]:
            yield from (((2, place), part) for place, part in enumerate(parts))
        case ["count", pool, _, list(bounds)]:
            yield (1,), pool
            yield from (((3, place), part) for place, part in enumerate(bounds))
        case ["roll", count, *_]:
            yield (1,), count
        case ["lookup", _, list(keys), *_]:
            yield from (((2, place), part) for place, part in enumerate(keys))
        case ["has", _, params, *_]:
            yield from (((2, key), part) for key, part in (params or {}).items())
        case [_, list(parts)] if name in _MANY and not (parts and isinstance(parts[0], str)):
            yield from (((1, place), part) for place, part in enumerate(parts))
        case _:
            yield from (((place,), part) for place, part in enumerate(code) if place)


def numbers(number: int, path: Path) -> Iterator[Nudge]:
    """A whole number, one up and one down."""
    for now in (number + 1, number - 1):
        yield Nudge(path, now, say(number), say(now))


def _turned(sign: str, path: Path, words: bool = False) -> Nudge:
    now = _OPPOSITE[sign]
    return Nudge(path, now, _WORDS[sign] if words else sign, _WORDS[now] if words else now)


def _fewer(sides: int, path: Path) -> Iterator[Nudge]:
    if sides > 1:
        yield Nudge(path, sides - 1, f"d{sides}", f"d{sides - 1}")


def _of_modifiers(mods: Mapping[str, Any], path: Path) -> Iterator[Nudge]:
    for place, face in enumerate(mods.get("r", ())):
        for now in (face + 1, face - 1):
            if now > 0:
                yield Nudge((*path, "r", place), now, f"r{face}", f"r{now}")
    if "min" in mods:
        for now in (mods["min"] + 1, mods["min"] - 1):
            if now > 0:
                yield Nudge((*path, "min"), now, f"min{mods['min']}", f"min{now}")
    if "keep" in mods:
        word, count = mods["keep"]
        for now in (count + 1, count - 1):
            if now > 0:
                yield Nudge((*path, "keep", 1), now, f"{word}{count}", f"{word}{now}")
