"""What rules are made of: formulas, prose, references, specs, examples, and what every rule may carry."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..source import Span
from ..tree import Scalar


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
    """One thing that happens in an example: `verb` is advance, act, run, roll or roll_on; `name` a unit or a rule."""

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
    for (a procedure is run, a roll rolled). `cells` are many cells of a table by their keys. `expect` names results,
    tracks, values, `conditions`, `row`, `total`.
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
