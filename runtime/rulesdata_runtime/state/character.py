"""A character: what is written down about somebody between two moments of play.

In: what a person gives (`from_given`) or a saved file (`from_json`). Out: a frozen Character. One rule holds: a
Character only ever holds names and values that the rules know; what they do not know is kept aside under `unknown`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..answers_text import Number, Value
from ..records import dataclass, field, replace


class Values(dict[str, Any]):
    """Values by name that stay as they are: a dictionary to read, to copy and to write into a file."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> Any:
        raise TypeError("a character never changes; rules.run and its like give a new one")

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # what never changes has a hash
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Values, (dict(self),)


EMPTY: Mapping[str, Any] = Values()


@dataclass(frozen=True, slots=True)
class Until:
    """A moment at which something ends: the `left`-th `start` or `end` of a `unit` of time of `who` (None: the
    bearer's own)."""

    moment: str
    unit: str
    left: int = 1
    who: str | None = None

    def __str__(self) -> str:
        whose = "own" if self.who is None else self.who
        return f"{self.moment} of {'next ' if self.left > 1 else ''}{whose} {self.unit}"


@dataclass(frozen=True, slots=True)
class Instance:
    """A condition, trait or environment on a character.

    `number` tells instances apart and is their order of arrival. `remaining` counts in the condition's unit, None is
    without an end in time. `age` counts intervals of its recurring effect since it was last due. `implied_by` is the
    rule that brings an instance which is not carried itself.
    """

    id: str
    number: int
    params: Mapping[str, Value] = field(default_factory=lambda: EMPTY)
    tracks: Mapping[str, Number] = field(default_factory=lambda: EMPTY)
    level: int = 1
    remaining: int | None = None
    until: Until | None = None
    age: int = 0
    implied_by: str | None = None


@dataclass(frozen=True, slots=True)
class Character:
    """`values` are stats, `tracks` those that were given or have changed (the rest stand at their start).

    `clock` is the time that has passed by the root unit of each chain of units; `happened` the clock when an event
    last happened; `started` the conditions whose `starts` was true when last looked at (they come when it
    becomes true); `unknown` what these rules do not know, as it was saved.
    """

    sheet: str = ""
    values: Mapping[str, Value] = field(default_factory=lambda: EMPTY)
    tracks: Mapping[str, Number] = field(default_factory=lambda: EMPTY)
    conditions: tuple[Instance, ...] = ()
    traits: tuple[Instance, ...] = ()
    environments: tuple[Instance, ...] = ()
    used: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    clock: Mapping[str, Number] = field(default_factory=lambda: EMPTY)
    happened: Mapping[str, Mapping[str, Number]] = field(default_factory=lambda: EMPTY)
    name: str | None = None
    started: tuple[str, ...] = ()
    unknown: Mapping[str, Any] = field(default_factory=lambda: EMPTY)

    @property
    def instances(self) -> tuple[Instance, ...]:
        """Everything carried, in order of arrival."""
        return tuple(sorted((*self.conditions, *self.traits, *self.environments), key=lambda one: one.number))


def fixed(instance: Instance) -> Instance:
    """The same instance with values that stay as they are."""
    if isinstance(instance.params, Values) and isinstance(instance.tracks, Values):
        return instance
    return replace(instance, params=Values(instance.params), tracks=Values(instance.tracks))


def from_given(rules: Any, given: Mapping[str, object], base: Character | None = None) -> Character:
    """A character from names and values: stats, tracks, `conditions`, `traits`, `environments`, `sheet`, `name`; they
    are added to `base`, if there is one."""
    from .given import read_given

    return read_given(rules, given, base)


def to_json(rules: Any, character: Character) -> dict[str, Any]:
    """The character file, as plain data."""
    from .saved import write_saved

    return write_saved(rules, character)


def from_json(rules: Any, data: Any) -> tuple[Character, tuple[str, ...]]:
    """A character from a character file (plain data, text or bytes), and what changed since, in words."""
    from .saved import read_saved

    return read_saved(rules, data)
