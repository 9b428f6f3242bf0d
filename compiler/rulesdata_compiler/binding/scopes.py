"""What each formula may read, and what it must give.

In: nothing; this file holds the types. `SLOTS` is the one table of the places a formula can stand in: what is wanted
there and whether dice may fall. A `Scope` is what the names in one formula mean; it is never changed, only extended,
so that a name made inside a list of steps is gone at its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..formulas.syntax import Expr
from ..source import Span
from .values import Exact, Meaning, Numbers

YES_NO = {"yes": True, "no": False, "on": True, "off": False}


@dataclass(frozen=True, slots=True)
class Want:
    """What a place wants: `kind` is whole, number, truth, text, choice, id, scalar (any of these), value (dice too:
    anything that can be kept under a name), broken (nobody knows, since it was reported). `options` are the choices,
    or the ids of an `id`, whose kind of rule is `of`.

    `what` names the place in messages: `the maximum of charge`. `none` says that an empty value will do. What can fall
    below `within` is an error; of `around` a value must only have something in common with.
    """

    kind: str
    what: str
    options: frozenset[str] | None = None
    of: str = ""
    none: bool = False
    within: Numbers | None = None
    around: Numbers | None = None


class Slot(NamedTuple):
    """`kind` as in `Want`; `phrase` what messages call it; `dice` whether they may be thrown there."""

    kind: str
    phrase: str
    dice: bool = False
    within: Numbers | None = None


COUNT = Numbers(0, None)
ONE_OR_MORE = Numbers(1, None)

SLOTS: dict[str, Slot] = {
    # declarations
    "option": Slot("truth", "the option"),
    "spec.min": Slot("number", "the least value"),
    "spec.max": Slot("number", "the greatest value"),
    "spec.default": Slot("scalar", "the default"),
    "prose": Slot("scalar", "the text"),
    "derived.formula": Slot("scalar", "the value"),
    "derived.min": Slot("number", "the least value"),
    "derived.max": Slot("number", "the greatest value"),
    "track.min": Slot("whole", "the minimum"),
    "track.max": Slot("whole", "the maximum"),
    "track.start": Slot("whole", "the start"),
    "track.reset": Slot("whole", "the reset"),
    # rolls, tables, spends, bands
    "roll.let": Slot("value", "the let", dice=True),
    "roll.value": Slot("number", "the value", dice=True),
    "roll.pool": Slot("whole", "the number of dice", dice=True),
    "roll.result": Slot("scalar", "the result", dice=True),
    "roll.ranking": Slot("number", "the ranking"),
    "table.roll": Slot("whole", "the roll", dice=True),
    "row.weight": Slot("whole", "the weight", within=ONE_OR_MORE),
    "row.when": Slot("truth", "`when`"),
    "row.cell": Slot("scalar", "the cell", dice=True),
    "again.times": Slot("whole", "how often to roll again", within=COUNT),
    "again.when": Slot("truth", "whether to roll again"),
    "again.at_most": Slot("whole", "the limit of rolling again", within=ONE_OR_MORE),
    "spend.cost": Slot("whole", "the price", within=COUNT),
    "spend.when": Slot("truth", "`when`"),
    "spend.limit": Slot("whole", "the limit", within=COUNT),
    "bands.measured": Slot("truth", "whether distances are measured"),
    "band.distance": Slot("number", "the distance"),
    "band.moves": Slot("whole", "the moves", within=COUNT),
    "band.within": Slot("whole", "the moves within", within=COUNT),
    # what lasts
    "condition.while": Slot("truth", "`while`"),
    "condition.starts": Slot("truth", "`starts`"),
    "condition.until": Slot("truth", "`until`"),
    "condition.max": Slot("whole", "the greatest level", within=ONE_OR_MORE),
    "condition.lasts": Slot("whole", "the duration", within=COUNT),
    "lasting.every": Slot("whole", "the spacing", within=ONE_OR_MORE),
    "modifier": Slot("number", "the modifier"),
    "modifier.dice": Slot("whole", "the number of dice"),
    "modifier.bound": Slot("number", "the bound"),
    "modifier.when": Slot("truth", "`when`"),
    "modifier.slot": Slot("whole", "the number of uses"),
    # turns
    "action.requires": Slot("truth", "the requirement"),
    "action.cost": Slot("whole", "the cost", within=COUNT),
    "slot.free": Slot("whole", "the free uses", within=COUNT),
    "slot.cap": Slot("whole", "the cap", within=COUNT),
    "more.when": Slot("truth", "`when`"),
    "procedure.requires": Slot("truth", "the requirement"),
    "procedure.result": Slot("scalar", "the result"),
    # steps
    "step.when": Slot("truth", "`when`", dice=True),
    "step.let": Slot("value", "the let", dice=True),
    "step.amount": Slot("whole", "the amount", dice=True),
    "step.with": Slot("scalar", "the parameter", dice=True),
    "step.for": Slot("whole", "the duration", dice=True, within=COUNT),
    "step.level": Slot("whole", "the level", dice=True, within=COUNT),
    "step.plus": Slot("whole", "what is added to the roll", dice=True),
    "step.at_most": Slot("whole", "the limit", within=ONE_OR_MORE),
    "step.repeat": Slot("whole", "the number of rounds", dice=True),
}


@dataclass(frozen=True, slots=True)
class Local:
    """A name of one rule: `what` is parameter, let, result, answer, key, track, role."""

    name: str
    meaning: Meaning
    span: Span
    what: str


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What a condition that holds here says of an expression: bounds, the choices left, that it is not none, and
    one number that it is not."""

    bounds: Numbers | None = None
    options: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    some: bool = False
    apart: Exact | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of one place.

    `no_dice` is the reason why dice may not fall, or empty. `options` are the options known to be on (`x`) or off
    (`not x`). `narrowed` is what conditions around say. `overflow` holds the tracks changed before. `constant` is
    the reason why nothing of a character may be read. `carried` is the rule whose modifiers these are, `partly` are
    parameters that only some of the rolls they reach have. In `option:`, `switches`, bare names are options.
    `unsure`: a test around or a step before is broken, so that more may be known than can be told.
    """

    rule: str
    locals: Mapping[str, Local] = field(default_factory=dict)
    roles: tuple[str, ...] = ()
    sheets: Mapping[str, str] = field(default_factory=dict)
    no_dice: str = ""
    options: frozenset[str] = frozenset()
    narrowed: Mapping[Expr, Narrowed] = field(default_factory=dict)
    overflow: Mapping[str, Numbers] = field(default_factory=dict)
    constant: str = ""
    carried: str = ""
    trait: str = ""
    partly: frozenset[str] = frozenset()
    switches: bool = False
    unsure: bool = False

    def with_locals(self, *locals_: Local) -> Scope:
        return replace(self, locals={**self.locals, **{local.name: local for local in locals_}})

    def changed(self, track: str, overflow: Numbers) -> Scope:
        return replace(self, overflow={**self.overflow, track: overflow})

    @property
    def bearer_sheet(self) -> str:
        """The kind of sheet of bare names: that of the first role."""
        return self.sheets.get(self.roles[0], "") if self.roles else ""
