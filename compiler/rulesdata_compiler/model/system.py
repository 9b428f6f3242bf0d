"""The system as a whole: its header, its rules by id, and where overlays changed them."""

from __future__ import annotations

from collections.abc import Mapping as MappingABC
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from ..source import Span
from .kinds import (
    Action,
    Bands,
    Condition,
    Derived,
    Die,
    Environment,
    Option,
    Procedure,
    Roll,
    Slot,
    Spend,
    Stat,
    Symbol,
    Table,
    Track,
    Trait,
)


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
