"""Pools of dice with numbers, and what all pools share.

In: how many dice of how many sides, with modifiers, and a source of dice. Out: a `Pool`, immutable. Modifiers apply
die by die in one order: reroll once, raise to a minimum, explode (each new die goes the same way, at most 100 for one
die, and then the pool says so); at last some dice of the whole pool are kept. The one rule: a die that does not count
is still there to be seen.
"""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne

from ..errors import BadInput, LimitReached, NoValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from .dice import Dice

MOST_DICE = 1_000
MOST_IN_A_ROLL = 10_000
MOST_EXPLOSIONS = 100
COMPARE = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


class Value:
    """Immutable, compared and hashed by its fields."""

    __slots__: tuple[str, ...] = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a rolled pool does not change")

    __delattr__ = __setattr__  # type: ignore[assignment] # refuses alike

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in zip(self.__slots__, self._fields(), strict=True))
        return f"{type(self).__name__}({told})"


put_field = object.__setattr__  # how an immutable value is filled, once


class Die(Value):
    """One die as it fell. `value` is what counts, `rerolled` and `raised` what it showed before (None: no change);
    `exploded` says that it was rolled because the die before showed its highest face."""

    __slots__ = ("exploded", "kept", "raised", "rerolled", "sides", "value")
    sides: int
    value: int
    kept: bool
    rerolled: int | None
    raised: int | None
    exploded: bool

    def __init__(
        self,
        sides: int,
        value: int,
        kept: bool = True,
        rerolled: int | None = None,
        raised: int | None = None,
        exploded: bool = False,
    ) -> None:
        for name, held in zip(self.__slots__, (exploded, kept, raised, rerolled, sides, value), strict=True):
            put_field(self, name, held)

    def __str__(self) -> str:
        before = "".join(f"{old}→" for old in (self.rerolled, self.raised) if old is not None)
        text = f"{'!' if self.exploded else ''}{before}{self.value}"
        return text if self.kept else f"({text})"


class Pool(Value):
    """Dice with numbers. `faces` are their values in the order rolled, `dropped` the places of those that do not
    count, `exploded` the places of dice that an explosion brought; `rerolled` and `raised` are pairs of a place and
    what the die showed before. `stopped` says that explosions reached their limit. Digit dice are one number, and
    `digits` what each die showed."""

    __slots__ = ("digits", "dropped", "exploded", "faces", "raised", "rerolled", "sides", "stopped")
    digits: tuple[int, ...]
    dropped: frozenset[int]
    exploded: frozenset[int]
    faces: tuple[int, ...]
    raised: tuple[tuple[int, int], ...]
    rerolled: tuple[tuple[int, int], ...]
    sides: int
    stopped: bool

    def __init__(
        self,
        sides: int,
        faces: tuple[int, ...],
        dropped: frozenset[int] = frozenset(),
        exploded: frozenset[int] = frozenset(),
        rerolled: tuple[tuple[int, int], ...] = (),
        raised: tuple[tuple[int, int], ...] = (),
        stopped: bool = False,
        digits: tuple[int, ...] = (),
    ) -> None:
        put_field(self, "sides", sides)
        put_field(self, "faces", faces)
        put_field(self, "dropped", dropped)
        put_field(self, "exploded", exploded)
        put_field(self, "rerolled", rerolled)
        put_field(self, "raised", raised)
        put_field(self, "stopped", stopped)
        put_field(self, "digits", digits)

    @property
    def kept(self) -> tuple[int, ...]:
        """The values that count."""
        if not self.dropped:
            return self.faces
        return tuple(face for place, face in enumerate(self.faces) if place not in self.dropped)

    @property
    def total(self) -> int:
        return sum(self.kept)

    @property
    def size(self) -> int:
        return len(self.faces) - len(self.dropped)

    def highest(self) -> int:
        if not self.size:
            raise NoValue("no dice were rolled, so none is the highest")
        return max(self.kept)

    def lowest(self) -> int:
        if not self.size:
            raise NoValue("no dice were rolled, so none is the lowest")
        return min(self.kept)

    def count(self, operators: Sequence[str], bounds: Sequence[Any]) -> int:
        """How many kept dice hold every `die operator bound`."""
        left = list(self.kept)
        for operator, bound in zip(operators, bounds, strict=True):
            test = COMPARE[operator]
            left = [face for face in left if test(face, bound)]
        return len(left)

    @property
    def name(self) -> str:
        """`d6`; of digit dice `d66`."""
        return f"d{self.sides}"

    def dice(self) -> tuple[Die, ...]:
        """Each die with what became of it."""
        rerolled, raised = dict(self.rerolled), dict(self.raised)
        return tuple(
            Die(
                self.sides,
                face,
                place not in self.dropped,
                rerolled.get(place),
                raised.get(place),
                place in self.exploded,
            )
            for place, face in enumerate(self.faces)
        )

    def __str__(self) -> str:
        shown = " ".join(map(str, self.dice()[:100]))
        more = f" … and {len(self.faces) - 100} more" if len(self.faces) > 100 else ""
        return shown + more + (" (stopped at the limit)" if self.stopped else "")


def how_many(count: Any, what: str) -> int:
    """A number of dice, within the limits."""
    if type(count) is not int or count < 0:
        raise BadInput(f"the number of dice is a whole number from 0, not {count} ({what})")
    if count > MOST_DICE:
        raise LimitReached(f"at most {MOST_DICE:,} dice are rolled at once, not {count:,} ({what})")
    return count


def all_together(dice: int) -> None:
    """Refuse a roll that has grown too large."""
    if dice > MOST_IN_A_ROLL:
        raise LimitReached(f"a roll has at most {MOST_IN_A_ROLL:,} dice")


def roll_pool(dice: Dice, count: Any, sides: int, mods: Mapping[str, Any] | None = None) -> Pool:
    """`count` dice of `sides`, with the modifiers of a `roll` node."""
    name = f"d{sides}"
    count = how_many(count, name)
    if not mods:
        return Pool(sides, tuple(_plain(dice, count, sides, name)))
    if mods.keys() == {"keep"}:
        faces = tuple(_plain(dice, count, sides, name))
        return Pool(sides, faces, _dropped(faces, mods["keep"]))
    return _modified(dice, count, sides, mods)


def _plain(dice: Dice, count: int, sides: int, name: str) -> list[int]:
    return [dice.draw_only(sides, name)] if count == 1 else dice.draw_many(count, sides, name)


def _modified(dice: Dice, count: int, sides: int, mods: Mapping[str, Any]) -> Pool:
    again, least, explodes = mods.get("r", ()), mods.get("min", 1), mods.get("explode", False)
    faces: list[int] = []
    rerolled: list[tuple[int, int]] = []
    raised: list[tuple[int, int]] = []
    exploded: list[int] = []
    stopped = False
    for _ in range(count):
        for explosion in range(MOST_EXPLOSIONS + 1):
            place = len(faces)
            all_together(place + 1)
            face = dice.draw(sides, f"d{sides}")
            if face in again:
                rerolled.append((place, face))
                face = dice.draw(sides, f"d{sides}")
            if face < least:
                raised.append((place, face))
                face = least
            faces.append(face)
            if explosion:
                exploded.append(place)
            if not explodes or face < sides:
                break
            stopped = stopped or explosion == MOST_EXPLOSIONS
    shown = tuple(faces)
    drop = _dropped(shown, mods["keep"]) if "keep" in mods else frozenset()
    return Pool(sides, shown, drop, frozenset(exploded), tuple(rerolled), tuple(raised), stopped)


def _dropped(faces: tuple[int, ...], keep: Sequence[Any]) -> frozenset[int]:
    """The places of the dice that do not count; of equal dice the later ones."""
    word, number = keep
    number = min(number, len(faces))
    best_first = sorted(range(len(faces)), key=lambda place: -faces[place])
    worst_first = sorted(range(len(faces)), key=faces.__getitem__)
    match word:
        case "kh":
            return frozenset(best_first[number:])
        case "kl":
            return frozenset(worst_first[number:])
        case "dh":
            return frozenset(worst_first[len(faces) - number :])
        case _:
            return frozenset(best_first[len(faces) - number :])


def roll_digits(dice: Dice, sides: Sequence[int]) -> Pool:
    """Digit dice: one number, read from one die a digit."""
    digits = dice.draw_digits(sides, "d" + "".join(map(str, sides)))
    number = int("".join(map(str, digits)))
    return Pool(int("".join(map(str, sides))), (number,), digits=digits)
