"""The typed system: all that a rules author can declare.

Made by `decode.py` from the composed tree, read by every later stage. Field names are the words of the YAML and of
the artifact. Everything is immutable; written order is kept where it counts, collections of rules are sorted by id.
A `Formula` is text with its place; its meaning is found later by `bind.py` (identity is what tells two apart).
"""

from __future__ import annotations

from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from .source import Span
from .tree import Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """Formula text and the scalar it stands in; `start` is its offset inside the scalar's text (`{}` in prose)."""

    text: str
    scalar: Scalar
    start: int = 0

    def span(self, begin: int = 0, end: int | None = None) -> Span:
        """The place in the file of `text[begin:end]`."""
        stop = len(self.text) if end is None else end
        return self.scalar.part(self.start + begin, self.start + stop)


@dataclass(frozen=True, slots=True)
class Template:
    """Prose with `{formula}` inside: literal texts and formulas in turn."""

    parts: tuple[str | Formula, ...]
    span: Span = field(compare=False)

    @property
    def plain(self) -> str:
        return "".join(part if isinstance(part, str) else "{" + part.text + "}" for part in self.parts)


@dataclass(frozen=True, slots=True)
class Ref:
    """A rule or value named by id: `charge`, `stress[kind]`, `target.charge`, `vest.wear`, `(found)`.

    `of` is what stands before a dot (a role; or a trait, condition or environment whose own track is meant).
    `chosen` says that `name` is a parameter, in parentheses, that holds the id.
    """

    name: str
    span: Span = field(compare=False)
    index: Formula | None = None
    of: str | None = None
    chosen: bool = False

    def __str__(self) -> str:
        inner = f"({self.name})" if self.chosen else self.name
        return (f"{self.of}." if self.of else "") + inner + (f"[{self.index.text}]" if self.index else "")


@dataclass(frozen=True, slots=True)
class Spec:
    """What a value may be: of a stat, parameter, column, option or question.

    `type` is int, fraction, bool, text, choice, or what a parameter may name: stat, track, condition, trait.
    `of` lists the choices; for condition and trait it may list the tags wanted.
    """

    name: str
    span: Span = field(compare=False)
    type: str = "int"
    of: tuple[str, ...] = ()
    min: Formula | None = None
    max: Formula | None = None
    default: Formula | None = None
    title: str | None = None
    text: Template | None = None
    unit: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A name bound to a formula: of a let, a result, a `with`."""

    name: str
    formula: Formula
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Source:
    """`damage, p. 163`: a source of the header and a place in it."""

    id: str
    place: str | None
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Requirement:
    """What must hold, and what to say where it does not."""

    that: Formula
    otherwise: Template | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that happens in an example: `verb` is advance, act, run, roll, roll_on; `name` a unit, event or rule."""

    verb: str
    name: str
    span: Span = field(compare=False)
    count: int = 1
    with_: tuple[tuple[str, object], ...] = ()
    choices: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example.

    `given` sets a character, `with_` the parameters; values are raw text read by the slot they land in. A name may
    carry a role: `owner.charge`. `play` is what happens, one move after the other; without it, what the kind of rule is
    for (a procedure is run, a roll rolled). `cells` are many cells of a table by their keys. `expect` names results, tracks, values, `conditions`, `row`, `total`.
    """

    span: Span = field(compare=False)
    title: str | None = None
    given: tuple[tuple[str, object], ...] = ()
    with_: tuple[tuple[str, object], ...] = ()
    dice: tuple[int | str, ...] = ()
    choices: tuple[tuple[str, object], ...] = ()
    play: tuple[Move, ...] = ()
    expect: tuple[tuple[str, object], ...] = ()
    cells: tuple[tuple[str, object], ...] = ()
    expect_error: str | None = None
    changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What every rule of every kind may carry. `unpinned` (`x-edges`) says why edges are left that no example
    notices: (field, reason), the field empty where it is for all of them."""

    id: str
    span: Span = field(compare=False)
    title: str | None = None
    text: Template | None = None
    source: tuple[Source, ...] = ()
    ruling: Template | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    option: Formula | None = None
    examples: tuple[Example, ...] = ()
    unpinned: tuple[tuple[str, str], ...] = ()
    renamed_from: tuple[str, ...] = ()
    family: tuple[str, str] | None = None  # (family id, member), where `for_each` made the rule


# --- modifiers -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Modifier:
    """One modifier.

    `target` is value, track_max, slot, roll or against. For value, track_max and slot `ref` names it; for roll and
    against `tags` are the tags wanted and `except_` those that exempt. Verbs: `set`, `add`, `multiply`, `upgrade`,
    `downgrade` map a key to a formula: key "" for a plain value; a die, `value` or a parameter for rolls; `free` or
    `cap` for slots. `forbid` stops the roll or slot.
    """

    target: str
    span: Span = field(compare=False)
    ref: Ref | None = None
    tags: tuple[str, ...] = ()
    except_: tuple[str, ...] = ()
    set: tuple[Named, ...] = ()
    add: tuple[Named, ...] = ()
    multiply: tuple[Named, ...] = ()
    upgrade: tuple[Named, ...] = ()
    downgrade: tuple[Named, ...] = ()
    forbid: bool = False
    at_least: Formula | None = None
    at_most: Formula | None = None
    round: str | None = None
    stack: str | None = None
    when: Formula | None = None
    id: str | None = None
    text: Template | None = None


# --- steps -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBase:
    """What every step may carry. `to` is a role: the step acts on that character."""

    span: Span = field(compare=False)
    id: str | None = None
    when: Formula | None = None
    to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(StepBase):
    """`let: {name: formula}`."""

    names: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(StepBase):
    """`add`, `subtract`, `set`: each target track with its formula."""

    verb: str
    tracks: tuple[tuple[Ref, Formula], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Apply(StepBase):
    """`apply: condition`. `for_` is the duration in the condition's unit, `until` a moment (`end of target turn`)."""

    ref: Ref
    for_: Formula | None = None
    level: Formula | None = None
    with_: tuple[Named, ...] = ()
    until: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove(StepBase):
    """`remove: condition` (whole), or with `level`, that many levels of it."""

    ref: Ref
    level: Formula | None = None
    with_: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RollStep(StepBase):
    """`roll: rolls-id`."""

    ref: Ref
    with_: tuple[Named, ...] = ()
    tags: tuple[str, ...] = ()
    by: str | None = None
    against: str | None = None
    as_: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOn(StepBase):
    """`roll_on: table`."""

    ref: Ref
    with_: tuple[Named, ...] = ()
    plus: Formula | None = None
    as_: str | None = None
    at_most: Formula | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendStep(StepBase):
    """`spend: context`: the owner of result `of` (a roll's name in these steps) buys from it."""

    context: str
    of: str | None = None
    with_: tuple[Named, ...] = ()
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(StepBase):
    """`run: procedure`. `roles` passes characters on: role of the callee, role here."""

    ref: Ref
    with_: tuple[Named, ...] = ()
    as_: str | None = None
    roles: tuple[tuple[str, str], ...] = ()
    at_most: Formula | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class When(StepBase):
    """`when: formula` with `then`, `else`."""

    then: tuple[Step, ...] = ()
    otherwise: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(StepBase):
    """`repeat: formula`, `do`."""

    times: Formula
    do: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EachTrait(StepBase):
    """`each_trait: tag`, `do`; inside, `trait.x` is a track or parameter of the trait at hand."""

    tag: str
    do: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooseOption:
    id: str
    span: Span = field(compare=False)
    title: str | None = None
    when: Formula | None = None
    text: Template | None = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(StepBase):
    """`choose: {id, by, options}`; `id` of the step is the name under which it is answered."""

    name: str
    by: str | None = None
    title: str | None = None
    options: tuple[ChooseOption, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(StepBase):
    """`ask: {name: spec}`."""

    specs: tuple[Spec, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(StepBase):
    text: Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop(StepBase):
    text: Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(StepBase):
    """`event: treated`: something declared in the header happens."""

    event: str


Step: TypeAlias = (
    Let
    | Change
    | Apply
    | Remove
    | RollStep
    | RollOn
    | SpendStep
    | Run
    | When
    | Repeat
    | EachTrait
    | Choose
    | Ask
    | Say
    | Stop
    | Event
)


# --- kinds -----------------------------------------------------------------------------------------------------


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
    team: bool = False
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


# --- the system ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Header:
    id: str
    title: str
    version: str
    span: Span = field(compare=False)
    about: str | None = None
    language: str = "en"
    sources: tuple[tuple[str, str], ...] = ()
    clock: tuple[tuple[str, tuple[Fraction, str] | None], ...] = ()
    scenes: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    stacking: tuple[tuple[str, str], ...] = ()
    sheets: tuple[tuple[str, tuple[str, ...]], ...] = ()
    extends: str | None = None
    chapters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    screens: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """One value that an overlay set: who, where, what stood there before, why."""

    address: tuple[str, ...]
    layer: str
    span: Span | None = field(compare=False)
    before: str | None
    after: str | None
    before_span: Span | None = field(default=None, compare=False)
    why: str | None = None


AnyRule: TypeAlias = (
    Stat
    | Derived
    | Track
    | Die
    | Roll
    | Table
    | Spend
    | Bands
    | Condition
    | Trait
    | Environment
    | Action
    | Procedure
    | Option
)


@dataclass(frozen=True, slots=True)
class System:
    """A whole system. `rules` maps every rule id, of every kind, to its rule. `broken` are the ids that are written
    but could not be made: what reads them is not to blame, and is skipped without a finding; `lost` are the plain words
    (tags, units, symbols) that they may have declared."""

    header: Header
    rules: MappingABC[str, AnyRule]
    symbols: tuple[Symbol, ...] = ()
    slots: tuple[Slot, ...] = ()
    layers: tuple[str, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    files: tuple[str, ...] = ()
    broken: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()


KINDS: dict[str, type] = {
    "stats": Stat,
    "derived": Derived,
    "tracks": Track,
    "dice": Die,
    "rolls": Roll,
    "tables": Table,
    "spends": Spend,
    "bands": Bands,
    "conditions": Condition,
    "traits": Trait,
    "environments": Environment,
    "actions": Action,
    "procedures": Procedure,
    "options": Option,
}
