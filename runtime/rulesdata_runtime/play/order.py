"""Who acts when: a ranking by several keys, ties as the rules say, and slots that a team may share.

In: a play, a roll with a `ranking`, and who takes part: sheets that roll, or results that people give. Out: places in
order. One rule holds: a key is looked at only where those before it are equal, so results given by hand need no more
than what decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..answers_text import brief, listed, say
from ..errors import BadInput, LimitReached, RulesError, UnknownName
from ..records import dataclass, field
from ..search import did_you_mean, nearest
from ..state.sheet import Sheet
from .frame import Frame
from .play import Play, Question
from .rolled import Rolled, as_json
from .rolls import value_of, whole_roll, with_frame

REROLLS = 100
"""Rounds of rolling ties off, at most."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the order. `names` act here, together where there are several; with teams, `team` owns the place
    and any of `may` takes it."""

    rank: int
    names: tuple[str, ...]
    keys: tuple[Any, ...] = ()
    team: str | None = None
    may: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"rank": self.rank, "names": list(self.names), "keys": as_json(self.keys)}
        if self.team is not None:
            shape["team"] = self.team
            shape["may"] = list(self.may)
        return shape


@dataclass(frozen=True, slots=True)
class Order:
    """Places, the first to act first, and the rolls that led to them."""

    places: tuple[Place, ...]
    rolls: Mapping[str, Rolled] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody in order."""
        return tuple(name for place in self.places for name in place.names)

    def to_json(self) -> dict[str, Any]:
        return {
            "places": [place.to_json() for place in self.places],
            "rolls": {name: rolled.to_json() for name, rolled in self.rolls.items()},
        }


@dataclass(slots=True)
class Entrant:
    """One who takes part: the sheet, the frame of the roll or of the results given, and the keys known so far."""

    name: str
    sheet: Sheet
    frame: Frame
    rolled: bool
    keys: list[Any] = field(default_factory=list)


def order(
    play: Play,
    roll_id: str,
    who: Mapping[str, Sheet | Mapping[str, Any]],
    params: Mapping[str, Mapping[str, Any]],
    nobody: Sheet,
    teams: Mapping[str, str] | None = None,
) -> Order:
    """The order of everybody in `who`. `params` are the parameters of each one's roll, `nobody` an empty sheet for
    those who come with results alone; `teams` says who belongs to which."""
    ranked = _Ranked(play, roll_id, params, nobody, teams or {})
    ranked.enter(who)
    return ranked.order()


class _Ranked:
    def __init__(
        self, play: Play, roll_id: str, params: Mapping[str, Mapping[str, Any]], nobody: Sheet, teams: Mapping[str, str]
    ) -> None:
        self.play, self.roll_id, self.params, self.nobody, self.teams = play, roll_id, params, nobody, teams
        book = nobody.book
        self.title = book.title(roll_id)
        rule = whole_roll(book, roll_id)
        if "ranking" not in rule:
            known = [name for name in book.of_kind("roll") if "ranking" in whole_roll(book, name)]
            raise BadInput(f"{self.title} has no ranking.{did_you_mean(known[:3])}")
        self.ranking = rule["ranking"]
        self.by: Sequence[Any] = self.ranking["by"]
        self.shared = self.ranking.get("slots") == "team"
        self.rolls: dict[str, Rolled] = {}
        self.entrants: list[Entrant] = []

    def enter(self, who: Mapping[str, Sheet | Mapping[str, Any]]) -> None:
        for name in (*self.params, *self.teams):
            if name not in who:
                raise UnknownName(f"{name} does not take part.{did_you_mean(nearest(name, who))}")
        for name, one in who.items():
            if self.shared and name not in self.teams:
                raise BadInput(f"{self.title} gives places to teams; say to which {name} belongs")
            if isinstance(one, Sheet):
                self.entrants.append(self._rolled(name, one))
            else:
                self.entrants.append(
                    Entrant(name, self.nobody, Frame(self.play, self.nobody, self.roll_id, one), rolled=False)
                )

    def _rolled(self, name: str, sheet: Sheet) -> Entrant:
        rolled, frame = with_frame(self.play, self.roll_id, sheet, self.params.get(name, {}))
        self.rolls.setdefault(name, rolled)
        return Entrant(name, sheet, frame, rolled=True)

    def order(self) -> Order:
        places: list[Place] = []
        rank = 1
        for together in self._sorted(self.entrants, 0, 0):
            for group in self._taken(together):
                names = tuple(one.name for one in group)
                team = self.teams.get(names[0])
                may = tuple(name for name, other in self.teams.items() if other == team) if self.shared else ()
                places.append(Place(rank, names, tuple(group[0].keys), team, may))
                rank += len(group)
        return Order(tuple(places), self.rolls)

    def _taken(self, together: list[Entrant]) -> list[list[Entrant]]:
        """Equal ones share a place, unless places belong to teams: then each is a place of its own."""
        return [[one] for one in together] if self.shared else [together]

    def _key(self, one: Entrant, place: int) -> Any:
        while len(one.keys) <= place:
            try:
                key = value_of(one.frame.run(self.by[len(one.keys)]))
                if not isinstance(key, int | Fraction):
                    raise BadInput(f"{brief(key)} is no number")
                one.keys.append(key)
            except RulesError as problem:
                if one.rolled:
                    raise
                raise BadInput(f"{self.title}: the results of {one.name} do not decide: {problem.message}") from None
        return one.keys[place]

    def _sorted(self, group: list[Entrant], place: int, rounds: int) -> list[list[Entrant]]:
        """The group by its keys from `place` on, the highest first; equal ones as the ties say."""
        if len(group) == 1:
            self._first_key(group[0])
            return [group]
        if place == len(self.by):
            return self._tied(group, rounds)
        keyed: dict[Any, list[Entrant]] = {}
        for one in group:
            keyed.setdefault(self._key(one, place), []).append(one)
        return [equal for key in sorted(keyed, reverse=True) for equal in self._sorted(keyed[key], place + 1, rounds)]

    def _first_key(self, one: Entrant) -> None:
        if self.by and not one.keys:
            self._key(one, 0)

    def _tied(self, group: list[Entrant], rounds: int) -> list[list[Entrant]]:
        match self.ranking["ties"]:
            case "together":
                return [group]
            case "reroll":
                return self._rolled_off(group, rounds)
            case _:
                return self._chosen(group)

    def _rolled_off(self, group: list[Entrant], rounds: int) -> list[list[Entrant]]:
        by_hand = [one.name for one in group if not one.rolled]
        if by_hand:
            raise BadInput(f"{self.title}: {listed(one.name for one in group)} are equal; roll again for them")
        if rounds >= REROLLS:
            raise LimitReached(f"{self.title}: still equal after {REROLLS} further rolls")
        names = listed(one.name for one in group)
        self.play.note(self.roll_id, "reroll", f"{self.title}: {names} are equal and roll again")
        return self._sorted([self._rolled(one.name, one.sheet) for one in group], 0, rounds + 1)

    def _chosen(self, group: list[Entrant]) -> list[list[Entrant]]:
        """Somebody says who of equal ones comes first. Of one team it makes no difference."""
        left = list(group)
        found: list[list[Entrant]] = []
        while len(left) > 1 and not (self.shared and len({self.teams[one.name] for one in left}) == 1):
            names = tuple((one.name, one.name) for one in left)
            keys = ", ".join(say(key) for key in left[0].keys)
            question = Question(self.roll_id, "choice", f"{self.title}: equal at {keys}, who is first", None, names)
            chosen = self.play.choose(question)
            first = next(one for one in left if one.name == chosen)
            left.remove(first)
            found.append([first])
        return [*found, *([one] for one in left)]
