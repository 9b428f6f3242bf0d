"""Modifiers and steps: what changes a value or a roll, and what is done one thing after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ..source import Span
from .parts import Formula, Named, Ref, Spec, Template


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
