"""Plain dice by chance, as fast as they get: generated rollers that keep every die.

In: the terms of a notation. Out: a function that gives the total and the faces as a plain tuple. Each die is drawn by
`getrandbits` and drawn again while it is too high, so no face is likelier than another. A roll that comes often, with
few combinations, is looked up whole: one draw picks a ready-made result. The one rule: rollers are for chance only;
seeded dice and dice given by hand go die by die (pools.py), with the same results for the same faces.
"""

from __future__ import annotations

import os
from itertools import product

from .dice import Dice, Random
from .generate import defined
from .pools import MOST_EXPLOSIONS, roll_digits, roll_pool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    Roller: TypeAlias = Callable[[], tuple[int, tuple[int, ...]]]

AT_ONCE = 128  # combinations up to which the results are made at once
AFTER_A_WHILE = 1_300  # and after this many rolls of the same text
A_WHILE = 200
UNROLLED = 12  # dice written out one by one

_generator = Random()
_bits = _generator.getrandbits
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_generator.seed)  # a child must not roll its parent's dice


class Term:
    """One term of a notation: `count` dice of `sides`, or with `sides` 0 the number `count` itself."""

    __slots__ = ("count", "digits", "minus", "mods", "sides")

    def __init__(self, minus: bool, count: int, sides: int, mods: dict[str, Any], digits: tuple[int, ...] = ()) -> None:
        self.minus = minus
        self.count = count
        self.sides = sides
        self.mods = mods
        self.digits = digits


def roller(terms: Sequence[Term], keep: Callable[[Roller], None]) -> Roller:
    """The fastest roller for these terms. `keep` is told of a faster one once making it has paid."""
    combinations = 1
    for term in terms:
        for sides in term.digits or (term.sides,) * term.count:
            if sides:
                combinations *= sides
            if combinations > AFTER_A_WHILE:
                break
    if any(not term.mods.keys() <= {"keep"} for term in terms):
        combinations = AFTER_A_WHILE + 1
    if combinations <= AT_ONCE:
        return _looked_up(terms)
    slow = _generated(terms)
    if combinations > AFTER_A_WHILE:
        return slow
    left = A_WHILE

    def counting() -> tuple[int, tuple[int, ...]]:
        nonlocal left
        left -= 1
        if left == 0:
            keep(_looked_up(terms))
        return slow()

    return counting


class _Faces(Dice):
    """Faces already decided, and a record of those drawn by chance."""

    def __init__(self, faces: Sequence[int] | None = None) -> None:
        self.faces = faces
        self.drawn: list[int] = []

    def draw(self, sides: int, what: str = "") -> int:
        if self.faces is not None:
            self.drawn.append(self.faces[len(self.drawn)])
        else:
            needed = (sides - 1).bit_length()
            while (face := _bits(needed) if needed else 0) >= sides:
                pass
            self.drawn.append(face + 1)
        return self.drawn[-1]


def evaluated(terms: Sequence[Term], dice: Dice) -> tuple[int, tuple[int, ...]]:
    """Total and faces, die by die; digit dice are the number that they make."""
    total = 0
    faces: tuple[int, ...] = ()
    for term in terms:
        value = term.count
        if term.sides:
            pool = roll_digits(dice, term.digits) if term.digits else roll_pool(dice, value, term.sides, term.mods)
            value, faces = pool.total, faces + pool.faces
        total += -value if term.minus else value
    return total, faces


def _looked_up(terms: Sequence[Term]) -> Roller:
    """One draw picks one of all results."""
    ranges = [
        range(1, sides + 1) for term in terms if term.sides for sides in term.digits or (term.sides,) * term.count
    ]
    results = [evaluated(terms, _Faces(faces)) for faces in product(*ranges)]
    needed = (len(results) - 1).bit_length()
    table = results + [None] * (2**needed - len(results))
    if not needed:
        return lambda: results[0]
    source = f"def made():\n while (r := Table[Bits({needed})]) is None:\n  pass\n return r\n"
    return defined(source, {"__builtins__": {}, "Bits": _bits, "Table": table})


def _generated(terms: Sequence[Term]) -> Roller:
    """A function written for these terms; what it is not worth writing for goes die by die."""
    writer = _Roller()
    for term in terms:
        if not writer.term(term):
            return lambda: evaluated(terms, _Faces())
    helpers = {"Bits": _bits, "Explode": explode, "Max": max, "Min": min, "Sorted": sorted, "Sum": sum}
    return defined(writer.source(), {"__builtins__": {}, **helpers})


class _Roller:
    """Writes a roller: `lines` draw, `totals` and `faces` are source for the result."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.totals: list[str] = []
        self.faces: list[str] = []
        self.constant = 0
        self.names = 0

    def name(self) -> str:
        self.names += 1
        return f"d{self.names}"

    def source(self) -> str:
        total = "".join(self.totals) + (f" + {self.constant}" if self.constant else "")
        body = "\n".join(f" {line}" for line in self.lines)
        return f"def made():\n{body}\n return {total.removeprefix(' + ') or '0'}, {' + '.join(self.faces) or '()'}\n"

    def term(self, term: Term) -> bool:
        """Add a term; False where it has none of the forms below."""
        if not term.sides:
            self.constant += -term.count if term.minus else term.count
            return True
        if term.digits or term.sides == 1 or not 0 < term.count <= UNROLLED:
            return False
        match sorted(term.mods):
            case []:
                return self.unrolled(term)
            case ["keep"]:
                return self.keeping(term)
            case ["explode"]:
                return self.exploding(term)
        return False

    def add(self, term: Term, total: str) -> None:
        self.totals.append(f" {'-' if term.minus else '+'} {total}")

    def drawing(self, name: str, sides: int) -> str:
        return f"while ({name} := Bits({(sides - 1).bit_length()})) >= {sides}: pass"

    def draw(self, term: Term) -> list[str]:
        """A name for each die; what it holds is one less than the face."""
        names = [self.name() for _ in range(term.count)]
        self.lines.extend(self.drawing(name, term.sides) for name in names)
        self.faces.append(f"({''.join(f'{name} + 1, ' for name in names)})")
        return names

    def unrolled(self, term: Term) -> bool:
        """Every die counts."""
        for name in self.draw(term):
            self.add(term, name)
        self.constant += -term.count if term.minus else term.count
        return True

    def keeping(self, term: Term) -> bool:
        """The highest or the lowest dice count."""
        word, number = term.mods["keep"]
        number = number if word[0] == "k" else term.count - number
        names = self.draw(term)
        listed = ", ".join(names)
        best, rest = ("Max", "Min") if word in ("kh", "dl") else ("Min", "Max")
        if number == len(names):
            total = f"({' + '.join(names)})"
        elif number == 1 and len(names) == 2:
            first, second = names
            total = f"({first} if {first} {'>' if best == 'Max' else '<'} {second} else {second})"
        elif number == 1:
            total = f"{best}({listed})"
        elif number == len(names) - 1:
            total = f"({' + '.join(names)} - {rest}({listed}))"
        else:
            part = f"-{number}:" if best == "Max" else f":{number}"
            total = f"Sum(Sorted(({listed}))[{part}])"
        self.add(term, total)
        self.constant += -number if term.minus else number
        return True

    def exploding(self, term: Term) -> bool:
        """Dice of the highest face bring further ones: in a second look, which most rolls do not need."""
        self.draw(term)
        faces, held = self.faces.pop(), self.name()
        self.lines.append(f"{held} = {faces}")
        self.lines.append(f"if {term.sides} in {held}: {held} = Explode({held}, {term.sides})")
        self.faces.append(held)
        self.add(term, f"Sum({held})")
        return True


def explode(faces: tuple[int, ...], sides: int) -> tuple[int, ...]:
    """The faces with the dice that explosions bring, each behind the die that brought it."""
    found: list[int] = []
    needed = (sides - 1).bit_length()
    for face in faces:
        found.append(face)
        shown, left = face, MOST_EXPLOSIONS
        while shown == sides and left:
            while (low := _bits(needed)) >= sides:
                pass
            shown = low + 1
            found.append(shown)
            left -= 1
    return tuple(found)
