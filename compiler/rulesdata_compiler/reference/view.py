"""The pages of the reference as plain, immutable data: what stands on them, not how it looks.

Made from the checked model by the other `reference_*` files, laid out by `reference_html.py` and
`reference_markdown.py`. A tree of its own, because two notations show the same pages, and because then no text of a
rule is ever taken for notation: a layout escapes the texts here, and nothing else reaches a page.

A line is a run of pieces; a rule is a column of blocks. `to` is always an anchor, without `#`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

# --- lines ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plain:
    text: str


@dataclass(frozen=True, slots=True)
class Own:
    """A name that the rule itself made: a parameter, a local value, a role."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to an anchor."""

    text: str
    to: str


@dataclass(frozen=True, slots=True)
class Typed:
    """Something as its author typed it."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A formula in words, and as it was typed."""

    run: Run
    typed: str


@dataclass(frozen=True, slots=True)
class Strong:
    run: Run


@dataclass(frozen=True, slots=True)
class Leaning:
    """Emphasis."""

    run: Run


@dataclass(frozen=True, slots=True)
class Outside:
    """A link out of the pages; only web and mail addresses get here."""

    run: Run
    href: str


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line break that the author wrote."""


Piece: TypeAlias = Plain | Own | Link | Typed | Said | Strong | Leaning | Outside | NewLine
Run: TypeAlias = tuple[Piece, ...]
Part: TypeAlias = "str | Piece | Run"

NOTHING: Run = ()


def run(*parts: Part) -> Run:
    """Texts, pieces and runs as one run; neighbouring plain texts become one."""
    made: list[Piece] = []
    for part in parts:
        pieces = (Plain(part),) if isinstance(part, str) else part if isinstance(part, tuple) else (part,)
        for piece in pieces:
            last = made[-1] if made else None
            if isinstance(piece, Plain) and isinstance(last, Plain):
                made[-1] = Plain(last.text + piece.text)
            elif not isinstance(piece, Plain) or piece.text:
                made.append(piece)
    return tuple(made)


def joined(runs: Iterable[Part], between: str = ", ", last: str | None = None) -> Run:
    """Several runs in one: `a, b and c` with `last=" and "`."""
    items = list(runs)
    made: list[Part] = []
    for place, item in enumerate(items):
        if place:
            made.append(last if last is not None and place == len(items) - 1 else between)
        made.append(item)
    return run(*made)


def sentence(line: Run, stop: str = ".") -> Run:
    """The line with a capital letter, if it begins with plain text, and a stop."""
    if line and isinstance(line[0], Plain):
        line = (Plain(line[0].text[:1].upper() + line[0].text[1:]), *line[1:])
    last = line[-1] if line else None
    if isinstance(last, Plain) and last.text.rstrip()[-1:] in {".", "!", "?", ":", "”"}:
        return line
    return run(line, stop)


def words(line: Run) -> str:
    """The bare words of a line."""
    made = []
    for piece in line:
        match piece:
            case Plain() | Own() | Link() | Typed():
                made.append(piece.text)
            case Said() | Strong() | Leaning() | Outside():
                made.append(words(piece.run))
            case NewLine():
                made.append(" ")
    return "".join(made)


# --- blocks --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Para:
    form: ClassVar[str] = "para"
    run: Run


@dataclass(frozen=True, slots=True)
class Items:
    """A list; numbered from `start` if that is given."""

    form: ClassVar[str] = "items"
    items: tuple[tuple[Block, ...], ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    form: ClassVar[str] = "quote"
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Fenced:
    """Text in which every space counts."""

    form: ClassVar[str] = "fenced"
    text: str


@dataclass(frozen=True, slots=True)
class Break:
    form: ClassVar[str] = "break"


@dataclass(frozen=True, slots=True)
class GridRow:
    cells: tuple[Run, ...]
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. `figures` are the places of columns that hold numbers; the first column heads its row if `led`."""

    form: ClassVar[str] = "grid"
    label: str
    heads: tuple[Run, ...]
    rows: tuple[GridRow, ...]
    figures: frozenset[int] = frozenset()
    led: bool = False


@dataclass(frozen=True, slots=True)
class Equation:
    """A name and its formula: in words, as typed (empty where that says the same), and its range."""

    label: Run
    said: Run
    typed: str = ""
    range: str = ""


@dataclass(frozen=True, slots=True)
class Equations:
    form: ClassVar[str] = "equations"
    items: tuple[Equation, ...]
    lead: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    label: str
    run: Run


@dataclass(frozen=True, slots=True)
class Facts:
    form: ClassVar[str] = "facts"
    items: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Steps below a step, with the words that lead to them."""

    label: Run
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class StepView:
    run: Run
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Steps:
    form: ClassVar[str] = "steps"
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of a die, in order."""

    form: ClassVar[str] = "faces"
    faces: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Portion:
    """Blocks under a small heading."""

    form: ClassVar[str] = "portion"
    label: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ExampleView:
    title: str
    given: Run
    result: Run


Block: TypeAlias = Para | Items | Quote | Fenced | Break | Grid | Equations | Facts | Steps | Faces | Portion


def row_anchors(columns: Iterable[tuple[Block, ...]]) -> Iterator[str]:
    """The anchors of all rows of tables."""
    for blocks in columns:
        for block in blocks:
            if isinstance(block, Grid):
                yield from (row.anchor for row in block.rows if row.anchor)
            elif isinstance(block, Portion):
                yield from row_anchors([block.blocks])


# --- pages ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChangeView:
    """One value that house rules set: which, what stood there, what stands there, why, and where that is written."""

    what: str
    before: str | None
    after: str | None
    why: str
    layer: str
    place: str


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule. `anchors` are further names under which it is found; `state` is a word where it is not in force."""

    anchor: str
    id: str
    kind: str
    title: str
    text: tuple[Block, ...] = ()
    blocks: tuple[Block, ...] = ()
    ruling: tuple[Block, ...] = ()
    examples: tuple[ExampleView, ...] = ()
    source: Run = ()
    tags: Run = ()
    aliases: tuple[str, ...] = ()
    used_by: Run = ()
    changes: tuple[ChangeView, ...] = ()
    anchors: tuple[str, ...] = ()
    members: Run = ()
    state: str = ""
    only_if: Run = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """Rules under a title; `file` names its page where every chapter is one."""

    anchor: str
    file: str
    title: str
    rules: tuple[RuleView, ...]


@dataclass(frozen=True, slots=True)
class Screen:
    """Rules in brief, to be printed on a sheet of their own."""

    anchor: str
    file: str
    title: str
    rules: tuple[RuleView, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in the index: where it leads, and what it is."""

    name: str
    to: str
    what: str


@dataclass(frozen=True, slots=True)
class Letter:
    letter: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class LayerView:
    """The house rules of one file: all that they change, each with the rule it belongs to."""

    id: str
    changes: tuple[tuple[Run, ChangeView], ...]


@dataclass(frozen=True, slots=True)
class Book:
    """Everything, in reading order."""

    id: str
    title: str
    version: str
    language: str
    about: tuple[Block, ...]
    facts: tuple[Fact, ...]
    layers: tuple[LayerView, ...]
    chapters: tuple[Chapter, ...]
    screens: tuple[Screen, ...]
    letters: tuple[Letter, ...]
    tags: tuple[TagEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class TagEntry:
    """A tag and the rules that have it."""

    name: str
    anchor: str
    rules: Run


PAGE_CONTENTS, PAGE_INDEX, PAGE_TAGS, PAGE_HOUSE = "page.contents", "page.index", "page.tags", "page.house-rules"
