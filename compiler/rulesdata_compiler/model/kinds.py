"""The kinds of rules, one class each. Field names are the words of the YAML and of the artifact."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..source import Span
from .parts import Formula, Named, Ref, Requirement, Rule, Source, Spec, Template
from .steps import Modifier, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Stat(Rule):
    spec: Spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived(Rule):
    formula: Formula
    unit: str | None = None
    min: Formula | None = None
    max: Formula | None = None
    round: str | None = None


@dataclass(frozen=True, slots=True)
class Reset:
    """`resets: {each: day, to: 0}`; `each` is a clock unit, a scene or another event."""

    each: tuple[str, ...]
    to: Formula
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Track(Rule):
    """`over`: where what does not fit goes: `lost`, `error`, or a track. `shrinks`: what happens when the maximum
    falls below the value: `clamp` or `keep`. `scope`: `character` or `table`."""

    type: str = "int"
    min: Formula | None = None
    max: Formula | None = None
    start: Formula | None = None
    unit: str | None = None
    resets: tuple[Reset, ...] = ()
    over: str | Ref = "lost"
    shrinks: str = "clamp"
    scope: str = "character"


@dataclass(frozen=True, slots=True)
class Symbol:
    id: str
    span: Span = field(compare=False)
    title: str | None = None
    cancels: str | None = None
    counts_as: tuple[str, ...] = ()
    letter: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Die(Rule):
    faces: tuple[tuple[str, ...], ...]
    upgrades_to: str | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Who acts when. `by`: formulas, the highest first, then the next. `ties`: `choose`, `together`, `reroll`.
    `slots`: `character` or `team`."""

    by: tuple[Formula, ...]
    ties: str
    slots: str = "character"


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Rule):
    params: tuple[Spec, ...] = ()
    let: tuple[Named, ...] = ()
    value: Formula | None = None
    pool: tuple[Named, ...] = ()
    upgrade: tuple[Named, ...] = ()
    downgrade: tuple[Named, ...] = ()
    results: tuple[Named, ...] = ()
    ranking: Ranking | None = None
    like: str | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """Whole numbers from `low` to `high`, both included; None is open. `text` is the key in normal spelling."""

    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Again:
    """Roll again: `times` times, or while `when` holds, `at_most` times, then `then` (none or a row id)."""

    times: Formula | None = None
    when: Formula | None = None
    at_most: Formula | None = None
    then: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row. `at`: intervals or choices of the first key; None where the row is never rolled or is a decision.
    `second` holds a two-key table's cells: (key, cell). `cells`: declared columns by name (text is a raw text)."""

    id: str
    span: Span = field(compare=False)
    at: tuple[Interval | str, ...] | None = None
    at_span: Span | None = field(default=None, compare=False)
    weight: Formula | None = None
    when: Formula | None = None
    otherwise: bool = False
    title: str | None = None
    text: Template | None = None
    effect: tuple[Step, ...] = ()
    again: Again | None = None
    cells: tuple[tuple[str, Formula | str | None], ...] = ()
    second: tuple[tuple[Interval | str, Formula | str | None, Span], ...] = ()
    option: Formula | None = None
    ruling: Template | None = None
    source: tuple[Source, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Rule):
    """`form`: rolled, weighted, by, by_two, decision. `columns` holds `value` for the short forms with one cell."""

    form: str
    roll: Formula | None = None
    by: tuple[Spec, ...] = ()
    params: tuple[Spec, ...] = ()
    columns: tuple[Spec, ...] = ()
    rows: tuple[Row, ...] = ()
    below: str | None = None
    above: str | None = None
    overlap: bool = False
    again: Again | None = None
    may_be_given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend(Rule):
    """`cost`: any one of several prices, each symbols with amounts. `roles` as a procedure's."""

    context: tuple[str, ...]
    cost: tuple[tuple[Named, ...], ...]
    when: Formula | None = None
    repeatable: bool = False
    limit: Formula | None = None
    params: tuple[Spec, ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    effect: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Band:
    """One band: `distance` its far edge, `moves` what it takes to come here from the nearer neighbour, `within` to
    move inside it."""

    id: str
    span: Span = field(compare=False)
    title: str | None = None
    text: Template | None = None
    distance: Formula | None = None
    moves: Formula | None = None
    within: Formula | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands(Rule):
    """`measured`: distances are in force only while this holds. `beyond`: none, last or error past the last band."""

    bands: tuple[Band, ...]
    params: tuple[Spec, ...] = ()
    unit: str | None = None
    measured: Formula | None = None
    beyond: str | None = None


@dataclass(frozen=True, slots=True)
class Lasts:
    """`lasts: {unit: turn}`, `{until: end of next own turn}`, or with `for` a default length."""

    unit: str | None = None
    until: str | None = None
    for_: Formula | None = None


@dataclass(frozen=True, slots=True)
class End:
    """What ends a condition: `event` (an event), `after_roll` (a roll with one of these tags), `any_action_but`."""

    what: str
    names: tuple[str, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Each:
    """When effects recur: clock unit, scene or event, at its `start`, `end`, or plain."""

    unit: str
    moment: str | None
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Forbid:
    """`what`: name (a slot, action or tag), or lower (a condition whose level may not fall)."""

    what: str
    name: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Level:
    number: int
    span: Span = field(compare=False)
    title: str | None = None
    text: Template | None = None
    modifiers: tuple[Modifier, ...] = ()
    forbids: tuple[Forbid, ...] = ()
    implies: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting(Rule):
    """What conditions, traits and environments share."""

    params: tuple[Spec, ...] = ()
    tracks: tuple[Track, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    forbids: tuple[Forbid, ...] = ()
    implies: tuple[Ref, ...] = ()
    suspends: tuple[Ref, ...] = ()
    each: tuple[Each, ...] = ()
    every: Formula | None = None
    entry: tuple[Step, ...] = ()
    effect: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Lasting):
    """`ends`: what ends it; `never` says that nothing does. `while_`: comes and goes; `starts`: comes and stays."""

    stacking: str
    max: Formula | None = None
    cumulative: bool | None = None
    levels: tuple[Level, ...] = ()
    while_: Formula | None = None
    starts: Formula | None = None
    lasts: Lasts | None = None
    until: Formula | None = None
    ends: tuple[End, ...] = ()
    never: bool = False
    at_end: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait(Lasting):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment(Lasting):
    pass


@dataclass(frozen=True, slots=True)
class More:
    """One way to buy a further use of a slot: `steps` that pay (must be payable in full), or another `slot`'s use."""

    id: str
    span: Span = field(compare=False)
    title: str | None = None
    when: Formula | None = None
    slot: str | None = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """How much a turn allows: `free` uses each `each`, bought ones up to the `cap`. None is unlimited."""

    id: str
    span: Span = field(compare=False)
    title: str | None = None
    text: Template | None = None
    each: str = "turn"
    free: Formula | None = None
    cap: Formula | None = None
    more: tuple[More, ...] = ()
    unpinned: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Rule):
    """`slot` with `cost` uses of it; several (slot, cost) where an action takes from several."""

    slots: tuple[tuple[str, Formula | None], ...] = ()
    requires: tuple[Requirement, ...] = ()
    params: tuple[Spec, ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    effect: tuple[Step, ...] = ()
    outside_turn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Rule):
    """`roles`: (role, kind of sheet or "")."""

    roles: tuple[tuple[str, str], ...] = ()
    params: tuple[Spec, ...] = ()
    requires: tuple[Requirement, ...] = ()
    results: tuple[Named, ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Rule):
    spec: Spec
    value: str | None = None  # as an overlay set it; None is the default
