"""Where dice come from: chance, a seed, or the numbers that people at the table rolled.

In: how many sides, or the faces of a custom die. Out: what the die shows. The one rule: one die after another, in the
order in which formulas ask, so that the same source gives the same roll everywhere. Seeded dice are the Mersenne
Twister as Python seeds it with a whole number: of each 32-bit word the top bits are taken, as many as the sides need
(3 for a d6, none for a d1), and drawn again while they are not below the number of sides; one more is the face.
"""

from __future__ import annotations

from ..errors import BadInput
from ..plainly import brief, digits

try:
    from _random import Random as Random  # what random.Random is made of, without the milliseconds of its module
except ImportError:  # pragma: no cover - other Pythons than CPython and PyPy
    from random import Random as Random  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any


class Dice:
    """A source of dice. A source of its own need only say `draw`. `what` names the die for messages."""

    def draw(self, sides: int, what: str = "") -> int:
        """One die: 1 to `sides`."""
        raise NotImplementedError

    def draw_only(self, sides: int, what: str = "") -> int:
        """The only die of a throw; by hand, `00` of one d100 is read as 100."""
        return self.draw(sides, what)

    def draw_many(self, count: int, sides: int, what: str = "") -> list[int]:
        """`count` dice, one after another."""
        return [self.draw(sides, what) for _ in range(count)]

    def draw_digits(self, sides: Sequence[int], what: str = "") -> tuple[int, ...]:
        """One die for each digit."""
        return tuple(self.draw(part, what) for part in sides)

    def draw_face(self, die: str, faces: Sequence[Sequence[str]], letters: Mapping[str, str]) -> int:
        """The place, from 0, of a custom die's face. `letters` is what each letter on a die stands for."""
        return self.draw(len(faces), die) - 1

    def finish(self) -> None:
        """All is rolled. Dice given by hand refuse to be left over."""


class GeneratorDice(Dice):
    """Dice from any generator with `getrandbits`, such as `random.Random(7)`."""

    def __init__(self, generator: Any) -> None:
        self.bits: Callable[[int], int] = generator.getrandbits

    def draw(self, sides: int, what: str = "") -> int:
        bits, needed = self.bits, (sides - 1).bit_length()
        if not needed:
            return 1
        while (face := bits(needed)) >= sides:
            pass
        return face + 1


class SystemDice(GeneratorDice):
    """Dice by chance; every source is seeded anew by the operating system."""

    def __init__(self) -> None:
        super().__init__(Random())


class SeededDice(GeneratorDice):
    """The same dice for the same seed, on every machine, in every runtime."""

    def __init__(self, seed: int) -> None:
        if type(seed) is not int or seed < 0:
            raise BadInput(f"a seed is a whole number from 0, not {brief(seed)}")
        super().__init__(Random(seed))


class GivenDice(Dice):
    """The numbers that people rolled, in order. Every one must be used, and none may be missing.

    A d66 takes 24. A custom die takes the number of its face, from 1, or what the face shows: symbols joined by `+`,
    their letters, or `-` for a blank.
    """

    def __init__(self, values: Iterable[int | str]) -> None:
        self.values = list(values)
        self.used = 0

    def draw(self, sides: int, what: str = "") -> int:
        number = self._number(what or f"d{sides}")
        if not 1 <= number <= sides:
            raise self._refuse(f"a {what or f'd{sides}'} shows 1 to {sides}")
        return number

    def draw_only(self, sides: int, what: str = "") -> int:
        if sides == 100 and self.used < len(self.values) and brief(self.values[self.used]).strip() in ("0", "00"):
            self.used += 1
            return 100
        return self.draw(sides, what)

    def draw_many(self, count: int, sides: int, what: str = "") -> list[int]:
        missing = count - (len(self.values) - self.used)
        if missing > 0:
            raise self._missing(missing, f"{count}{what or f'd{sides}'}")
        return super().draw_many(count, sides, what)

    def draw_digits(self, sides: Sequence[int], what: str = "") -> tuple[int, ...]:
        name = what or "d" + "".join(map(str, sides))
        number = self._number(name)
        shown = [int(digit) for digit in str(number)] if 0 < number < 10 ** len(sides) else []
        if len(shown) != len(sides) or any(not 1 <= d <= most for d, most in zip(shown, sides, strict=True)):
            raise self._refuse(f"a {name} shows {len(sides)} digits, {' and '.join(f'1 to {most}' for most in sides)}")
        return tuple(shown)

    def draw_face(self, die: str, faces: Sequence[Sequence[str]], letters: Mapping[str, str]) -> int:
        text = brief(self._next(die)).strip()
        number = digits(text)
        if number is not None:
            if not 1 <= number <= len(faces):
                raise self._refuse(f"a {die} die has faces 1 to {len(faces)}")
            return number - 1
        shown = _symbols(text, {symbol for face in faces for symbol in face}, letters)
        for place, face in enumerate(faces):
            if shown is not None and sorted(face) == shown:
                return place
        known = dict.fromkeys("+".join(face) or "-" for face in faces)
        raise self._refuse(f"a {die} die shows {', '.join(known)}")

    def finish(self) -> None:
        left = self.values[self.used :]
        if left:
            shown = ", ".join(map(brief, left[:10])) + (" …" if len(left) > 10 else "")
            raise BadInput(
                f"{_numbers(len(left))} of those given {'is' if len(left) == 1 else 'are'} left over: {shown}"
            )

    def _next(self, what: str) -> int | str:
        if self.used == len(self.values):
            raise self._missing(1, f"a {what}")
        self.used += 1
        return self.values[self.used - 1]

    def _number(self, what: str) -> int:
        value = self._next(what)
        if type(value) is int:
            return value
        text = str(value).strip()
        number = digits(text)
        if number is not None:
            return number
        raise self._refuse(f"a {what} wants a number")

    def _missing(self, count: int, what: str) -> BadInput:
        given = f"{len(self.values)} given, " if self.values else ""
        return BadInput(
            f"{_numbers(count)} more {'is' if count == 1 else 'are'} needed for the dice: {given}{what} next"
        )

    def _refuse(self, why: str) -> BadInput:
        return BadInput(f"die {self.used} of those given is {brief(self.values[self.used - 1])}, but {why}")


class RecordingDice(Dice):
    """Another source, written down: `given` replays it as dice given by hand."""

    def __init__(self, source: Dice) -> None:
        self.source = source
        self.given: list[int] = []

    def draw(self, sides: int, what: str = "") -> int:
        self.given.append(self.source.draw(sides, what))
        return self.given[-1]

    def draw_only(self, sides: int, what: str = "") -> int:
        self.given.append(self.source.draw_only(sides, what))
        return self.given[-1]

    def draw_many(self, count: int, sides: int, what: str = "") -> list[int]:
        found = self.source.draw_many(count, sides, what)
        self.given.extend(found)
        return found

    def draw_digits(self, sides: Sequence[int], what: str = "") -> tuple[int, ...]:
        found = self.source.draw_digits(sides, what)
        self.given.append(int("".join(map(str, found))))
        return found

    def draw_face(self, die: str, faces: Sequence[Sequence[str]], letters: Mapping[str, str]) -> int:
        place = self.source.draw_face(die, faces, letters)
        self.given.append(place + 1)
        return place

    def finish(self) -> None:
        self.source.finish()


class ScriptedDice(Dice):
    """One path through a tree of outcomes: branch `script[i]` at the i-th draw, the first branch beyond its end.

    `taken` holds, for every draw, the branch, how many branches there were, and the weight of the branch and of all.
    Equal faces of a custom die are one branch.
    """

    def __init__(self, script: Sequence[int] = ()) -> None:
        self.script = script
        self.taken: list[tuple[int, int, int, int]] = []

    def draw(self, sides: int, what: str = "") -> int:
        branch = self._branch()
        self.taken.append((branch, sides, 1, sides))
        return branch + 1

    def draw_face(self, die: str, faces: Sequence[Sequence[str]], letters: Mapping[str, str]) -> int:
        alike: dict[tuple[str, ...], list[int]] = {}
        for place, face in enumerate(faces):
            alike.setdefault(tuple(sorted(face)), []).append(place)
        branch = self._branch()
        places = list(alike.values())[branch]
        self.taken.append((branch, len(alike), len(places), len(faces)))
        return places[0]

    def _branch(self) -> int:
        drawn = len(self.taken)
        return self.script[drawn] if drawn < len(self.script) else 0


def as_dice(source: Any = None) -> Dice:
    """A source of dice from what a caller gives: nothing (chance), a seed, a `random.Random`, numbers, or a Dice."""
    if source is None:
        return SystemDice()
    if isinstance(source, Dice):
        return source
    if type(source) is int:
        return SeededDice(source)
    if hasattr(source, "getrandbits"):
        return GeneratorDice(source)
    if isinstance(source, str):
        return GivenDice(source.replace(",", " ").split())
    if isinstance(source, list | tuple):
        return GivenDice(source)
    raise BadInput("dice are a seed (a whole number), a list of numbers, or a generator such as random.Random(7)")


def _numbers(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"


def _symbols(text: str, known: set[str], letters: Mapping[str, str]) -> list[str] | None:
    """The symbols a text spells, sorted: names joined by `+`, or letters; None where it spells none."""
    if text in ("-", "–", "−", "blank"):
        return []
    parts = [part.strip() for part in text.split("+")]
    by_name = {symbol.casefold(): symbol for symbol in known}
    if all(part.casefold() in by_name for part in parts):
        return sorted(by_name[part.casefold()] for part in parts)
    if not all(parts):
        return None
    spelled = [letters.get(letter) for part in parts for letter in part]
    found = [symbol for symbol in spelled if symbol is not None]
    return sorted(found) if len(found) == len(spelled) else None
