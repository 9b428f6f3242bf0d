"""Custom dice: pools of symbols, what cancels what, and how a pool is put together.

In: the dice and symbols of the rules, numbers of dice, a source. Out: a `SymbolPool`, immutable. A symbol may count as
others besides itself; two symbols cancel each other where either says so. The one rule: what cancels is a symbol with
all that counts as it, so a symbol that counts as another can lose that half of itself, and never its own, unless it
has a canceller of its own.
"""

from __future__ import annotations

from ..errors import BadInput, UnknownName
from .number_pools import Value, all_together, how_many, put_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from .dice import Dice


class DiceRules:
    """The custom dice of a system: `dice` are rules with `faces` (and `upgrades_to`), `symbols` say `cancels`,
    `counts_as` and `letter`, as the artifact holds them."""

    def __init__(self, dice: Mapping[str, Mapping[str, Any]], symbols: Mapping[str, Mapping[str, Any]]) -> None:
        self.dice = dice
        self.faces = {name: tuple(tuple(face) for face in rule["faces"]) for name, rule in dice.items()}
        self.symbols = tuple(symbols)
        self.letters = {rule["letter"]: name for name, rule in symbols.items() if rule.get("letter")}
        self.letter_of = {name: letter for letter, name in self.letters.items()}
        self.counts_as = {name: self._closure(name, symbols) for name in symbols}
        self.cancels: dict[str, set[str]] = {name: set() for name in symbols}
        for name, rule in symbols.items():
            other = rule.get("cancels")
            if other is not None:
                self.cancels[name].add(other)
                self.cancels.setdefault(other, set()).add(name)

    @staticmethod
    def _closure(name: str, symbols: Mapping[str, Mapping[str, Any]]) -> frozenset[str]:
        """All that a symbol counts as besides itself, through others too."""
        found: set[str] = set()
        todo = [name]
        while todo:
            for other in symbols.get(todo.pop(), {}).get("counts_as", ()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return frozenset(found - {name})

    def known(self, die: str) -> tuple[tuple[str, ...], ...]:
        """The faces of a die."""
        if die not in self.faces:
            raise UnknownName(f"there is no die {die}; there are {', '.join(sorted(self.faces)) or 'none'}")
        return self.faces[die]

    def rolled(self, shown: Iterable[str]) -> dict[str, int]:
        """How often each symbol shows, with what also counts as it."""
        found = dict.fromkeys(self.symbols, 0)
        for symbol in shown:
            found[symbol] = found.get(symbol, 0) + 1
            for other in self.counts_as.get(symbol, ()):
                found[other] = found.get(other, 0) + 1
        return found

    def net(self, rolled: Mapping[str, int]) -> dict[str, int]:
        """What is left of each symbol after cancelling."""
        return {
            symbol: max(0, number - sum(rolled.get(other, 0) for other in self.cancels.get(symbol, ())))
            for symbol, number in rolled.items()
        }


class SymbolPool(Value):
    """Custom dice as they fell: each a die's id and the place of its face. `shown` are the symbols of each face,
    `rolled_all` and `net_all` every symbol with its number before and after cancelling."""

    __slots__ = ("dice", "net_all", "rolled_all", "shown")
    dice: tuple[tuple[str, int], ...]
    net_all: dict[str, int]
    rolled_all: dict[str, int]
    shown: tuple[tuple[str, ...], ...]

    def __init__(self, rules: DiceRules, dice: tuple[tuple[str, int], ...]) -> None:
        shown = tuple(rules.faces[die][place] for die, place in dice)
        rolled = rules.rolled(symbol for face in shown for symbol in face)
        put_field(self, "dice", dice)
        put_field(self, "shown", shown)
        put_field(self, "rolled_all", rolled)
        put_field(self, "net_all", rules.net(rolled))

    def __hash__(self) -> int:
        return hash(self.dice)

    @property
    def size(self) -> int:
        return len(self.dice)

    def count_kind(self, die: str) -> int:
        return sum(1 for kind, _ in self.dice if kind == die)

    def rolled(self, symbol: str) -> int:
        """How often a symbol shows, with what counts as it, before cancelling."""
        return self._of(self.rolled_all, symbol)

    def net(self, symbol: str) -> int:
        """What is left of a symbol after cancelling."""
        return self._of(self.net_all, symbol)

    @staticmethod
    def _of(numbers: Mapping[str, int], symbol: str) -> int:
        if symbol not in numbers:
            raise UnknownName(f"no die shows {symbol}; there are {', '.join(numbers) or 'no symbols'}")
        return numbers[symbol]

    def __str__(self) -> str:
        shown = " ".join(
            f"{die}[{'+'.join(face) or '-'}]" for (die, _), face in zip(self.dice[:100], self.shown, strict=False)
        )
        return shown + (f" … and {len(self.dice) - 100} more" if len(self.dice) > 100 else "")


def throw(dice: Dice, count: Any, die: str, rules: DiceRules) -> SymbolPool:
    """`count` custom dice of one kind."""
    return throw_all(dice, {die: count}, rules)


def throw_all(dice: Dice, counts: Mapping[str, Any], rules: DiceRules) -> SymbolPool:
    """A pool of several kinds, thrown kind by kind in the order given."""
    for die, count in counts.items():
        rules.known(die)
        how_many(count, die)
    all_together(sum(counts.values()))
    fallen = [
        (die, dice.draw_face(die, rules.faces[die], rules.letters))
        for die, count in counts.items()
        for _ in range(count)
    ]
    return SymbolPool(rules, tuple(fallen))


def build(
    dice: Mapping[str, Mapping[str, Any]],
    counts: Mapping[str, int],
    *,
    add: Mapping[str, int] | None = None,
    upgrade: Mapping[str, int] | None = None,
    downgrade: Mapping[str, int] | None = None,
    put: Mapping[str, int] | None = None,
    notes: list[str] | None = None,
) -> dict[str, int]:
    """How many dice of each kind are thrown: `counts`, then dice added, then upgraded, then downgraded, then set.

    An upgrade turns one die into what it `upgrades_to`; with none left, a plain one is added, which the next upgrade
    turns. A downgrade turns one back; with none left nothing happens. Dice that cannot be taken away, because none
    are there, are told in `notes` with the rest. The dice come in the order of `counts`, upgraded ones behind their
    own.
    """
    found = {die: _number(number, die) for die, number in counts.items()}
    told = notes if notes is not None else []
    for die, number in (add or {}).items():
        after = found.get(die, 0) + _number(number, die)
        if after < 0:
            told.append(f"{-after} {die} less than there are: none left")
        found[die] = max(0, after)
    for die, number in (upgrade or {}).items():
        _upgrade(found, die, _better(dice, die), _number(number, die))
    for die, number in (downgrade or {}).items():
        plain = die if dice[die].get("upgrades_to") else _plainer(dice, die)
        left = _downgrade(found, plain, _better(dice, plain), _number(number, die))
        if left:
            told.append(f"{left} downgrade{'s' if left > 1 else ''} of {plain} without effect: nothing to downgrade")
    for die, number in (put or {}).items():
        found[die] = _number(number, die)
    for die, number in found.items():
        if number < 0:
            raise BadInput(f"a pool cannot hold {number} {die} dice")
    return _side_by_side(dice, found)


def _side_by_side(dice: Mapping[str, Mapping[str, Any]], found: Mapping[str, int]) -> dict[str, int]:
    """The same pool with upgraded dice right behind those they came from, as people lay them out."""
    placed: dict[str, int] = {}
    for die in found:
        behind: str | None = die
        while behind is not None and behind in found and behind not in placed:
            placed[behind] = found[behind]
            behind = dice.get(behind, {}).get("upgrades_to")
    return placed


def _number(number: Any, die: str) -> int:
    if type(number) is not int:
        raise BadInput(f"the number of {die} dice is a whole number, not {number}")
    return number


def _better(dice: Mapping[str, Mapping[str, Any]], die: str) -> str:
    better = dice.get(die, {}).get("upgrades_to")
    if better is None:
        raise BadInput(f"a {die} die cannot be upgraded: nothing says what it upgrades to")
    return str(better)


def _plainer(dice: Mapping[str, Mapping[str, Any]], die: str) -> str:
    """The die that upgrades to this one."""
    for name, rule in sorted(dice.items()):
        if rule.get("upgrades_to") == die:
            return name
    raise BadInput(f"a {die} die cannot be downgraded: no die upgrades to it")


def _upgrade(found: dict[str, int], plain: str, better: str, times: int) -> None:
    for _ in range(how_many(times, f"upgrades of {plain}")):
        if found.get(plain, 0) > 0:
            found[plain] -= 1
            found[better] = found.get(better, 0) + 1
        else:
            found[plain] = found.get(plain, 0) + 1


def _downgrade(found: dict[str, int], plain: str, better: str, times: int) -> int:
    turned = min(how_many(times, f"downgrades of {plain}"), found.get(better, 0))
    if turned:
        found[better] -= turned
        found[plain] = found.get(plain, 0) + turned
    return times - turned


def letters(face: Sequence[str], rules: DiceRules) -> str:
    """A face by the letters of its symbols: `sa`, `-` for a blank."""
    if all(symbol in rules.letter_of for symbol in face):
        return "".join(rules.letter_of[symbol] for symbol in face) or "-"
    return "+".join(face)
