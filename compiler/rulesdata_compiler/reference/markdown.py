"""The book as a folder of Markdown: a file for each chapter, an index, the screens.

In: a `Book`. Out: files by relative path. The one rule: every text is escaped, so that nothing of a rule can break a
page. Links are relative, with anchors that a browser and Obsidian both find: each rule has an `<a id>`, and below its
title a small heading that is the anchor's very text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .escape import code, escaped, longest_ticks, visible
from .view import (
    Block,
    Book,
    Break,
    ChangeView,
    Chapter,
    Equation,
    Equations,
    ExampleView,
    Faces,
    Facts,
    Fenced,
    Grid,
    GridRow,
    Items,
    Leaning,
    Link,
    NewLine,
    Outside,
    Own,
    Para,
    Plain,
    Portion,
    Quote,
    RuleView,
    Run,
    Said,
    Steps,
    StepView,
    Strong,
    Typed,
    row_anchors,
    run,
)

_INDENT = "    "


def pages(book: Book) -> dict[str, bytes]:
    """All files."""
    where: dict[str, str] = {}
    for chapter in book.chapters:
        for view in chapter.rules:
            for anchor in _anchors(view):
                where[anchor] = chapter.file
    where |= {tag.anchor: "names" for tag in book.tags}
    made = {"index": _index(book, where), "names": _names(book, where)}
    for chapter in book.chapters:
        made[chapter.file] = _chapter(chapter, where)
    if book.screens:
        made["screens"] = _screens(book, where)
    if book.layers:
        made["house-rules"] = _house(book, where)
    return {f"{name}.md": ("\n".join(lines).rstrip() + "\n").encode("utf-8", "replace") for name, lines in made.items()}


def _anchors(view: RuleView) -> Iterator[str]:
    yield view.anchor
    yield from view.anchors
    yield from row_anchors([view.blocks])


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes runs and blocks for one file; `where` tells in which file an anchor stands."""

    file: str
    where: dict[str, str]
    anchored: bool = True

    # --- lines -----------------------------------------------------------------------------------------------------

    def inline(self, line: Run) -> str:
        return "".join(map(self._piece, line))

    def _piece(self, piece: object) -> str:
        match piece:
            case Plain(text):
                return escaped(text)
            case Own(text):
                return f"*{escaped(text)}*"
            case Link(text, to):
                return self.link(text, to)
            case Typed(text):
                return code(text)
            case Said(said):
                return self.inline(said)
            case Strong(said):
                return f"**{self.inline(said)}**"
            case Leaning(said):
                return f"*{self.inline(said)}*"
            case Outside(said, href):
                return f"[{self.inline(said)}](<{_address(href)}>)"
            case NewLine():
                return " "
        raise TypeError(f"no Markdown for {type(piece).__name__}")

    def link(self, text: str, to: str) -> str:
        file = self.where.get(to)
        if file is None:
            return escaped(text)
        return f"[{escaped(text)}]({'' if file == self.file else f'{file}.md'}#{to})"

    # --- blocks ----------------------------------------------------------------------------------------------------

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """The lines of blocks, with an empty line behind each."""
        for block in blocks:
            yield from self._block(block)
            yield ""

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Para(line):
                yield _first(self.inline(line))
            case Items(items, start):
                for number, item in enumerate(items, start or 1):
                    yield from self._item("- " if start is None else f"{number}. ", item)
            case Quote(inner):
                for quoted in self.blocks(inner):
                    yield f"> {quoted}".rstrip()
            case Fenced(text):
                fence = "`" * max(3, 1 + longest_ticks(text))
                yield from (fence, *visible(text).splitlines(), fence)
            case Break():
                yield "---"
            case Grid():
                yield from self._grid(block)
            case Equations(equations, lead):
                for equation in equations:
                    yield self._equation(equation, lead)
            case Facts(facts):
                for fact in facts:
                    yield f"- **{escaped(fact.label)}:** {self.inline(fact.run)}"
            case Steps(steps):
                yield from self._steps(steps, "")
            case Faces(faces):
                yield from self._grid(_faces(faces))
            case Portion(label, inner):
                yield f"**{escaped(label)}**"
                yield ""
                yield from list(self.blocks(inner))[:-1]

    def _item(self, mark: str, blocks: tuple[Block, ...]) -> Iterator[str]:
        lines = list(self.blocks(blocks))[:-1] or [""]
        yield mark + lines[0]
        yield from (f"{_INDENT}{line}".rstrip() for line in lines[1:])

    def _equation(self, item: Equation, lead: bool) -> str:
        said = self.inline(item.said)
        line = f"**{said}**" if lead else said
        if item.label:
            line = f"- {self.inline(item.label)}: {line}"
        if item.typed:
            line += f" {code(item.typed)}"
        return _first(f"{line} ({escaped(item.range)})" if item.range else line, keep=bool(item.label) or lead)

    def _steps(self, steps: tuple[StepView, ...], indent: str) -> Iterator[str]:
        for number, step in enumerate(steps, 1):
            yield f"{indent}{number}. {self.inline(step.run)}"
            for branch in step.branches:
                below = indent + _INDENT
                if branch.label:
                    yield ""
                    yield f"{below}{_first(self.inline(branch.label))}"
                    yield ""
                yield from self._steps(branch.steps, below)

    def _grid(self, grid: Grid) -> Iterator[str]:
        yield _row([self.inline(head) for head in grid.heads])
        yield _row(["---:" if place in grid.figures else "---" for place in range(len(grid.heads))])
        for row in grid.rows:
            cells = [self.inline(cell) for cell in row.cells]
            if row.anchor and self.anchored and cells:
                cells[0] = f'<a id="{row.anchor}"></a>{cells[0]}'
            yield _row(cells)

    # --- rules -----------------------------------------------------------------------------------------------------

    def rule(self, view: RuleView) -> Iterator[str]:
        if self.anchored:
            yield "".join(f'<a id="{anchor}"></a>' for anchor in (view.anchor, *view.anchors))
            yield ""
        yield f"## {escaped(view.title) if self.anchored else self.link(view.title, view.anchor)}"
        yield ""
        if self.anchored:
            yield f"###### {view.anchor}"
            yield ""
        marks = [escaped(view.kind), *(["off"] if view.state else []), *(["house rule"] if view.changes else [])]
        if self.anchored:
            yield f"*{', '.join(marks)}*"
            yield ""
        if view.members:
            yield f"One each for {self.inline(view.members)}; shown here for the first of them."
            yield ""
        if view.only_if:
            yield f"In force only while {self.inline(view.only_if)} is on."
            yield ""
        yield from self.blocks(view.text)
        yield from self.blocks(view.blocks)
        if view.ruling:
            yield from self._headed("Ruling", list(self.blocks(view.ruling))[:-1])
        if view.changes:
            yield from self._headed("House rules", (f"- {self.change(item)}" for item in view.changes))
        if view.examples:
            yield from self._headed("Examples", (f"- {self._example(item)}" for item in view.examples))
        yield from self._footer(view)

    def _headed(self, label: str, lines: Iterable[str]) -> Iterator[str]:
        yield f"**{label}**"
        yield ""
        yield from lines
        yield ""

    def _footer(self, view: RuleView) -> Iterator[str]:
        also = run(", ".join(view.aliases)) if view.aliases else ()
        told = [
            ("Source", view.source),
            ("Tags", view.tags),
            ("Also", also),
            ("On it hang" if view.kind == "option" else "Used by", view.used_by),
        ]
        lines = [f"- {label}: {self.inline(line)}" for label, line in told if line]
        if lines:
            yield from (*lines, "")

    def _example(self, item: ExampleView) -> str:
        title = f"*{escaped(item.title)}.* " if item.title else ""
        given = f"{self.inline(item.given)} " if item.given else ""
        return f"{title}{given}→ **{self.inline(item.result)}**"

    def change(self, item: ChangeView) -> str:
        what = f"**{escaped(item.what)}**"
        if item.before is None:
            line = f"{what} is new" + (f": {code(item.after)}" if item.after else "")
        elif item.after is None:
            line = f"{what} is taken out; it was {code(item.before)}"
        else:
            line = f"{what}: {code(item.after)} instead of {code(item.before)}"
        why = f". {escaped(item.why)}" if item.why else ""
        return f"{line}{why} ({escaped(joined_words(item.layer, item.place))})"


def joined_words(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


# --- files ---------------------------------------------------------------------------------------------------------


def _front(title: str, aliases: Iterable[str] = ()) -> Iterator[str]:
    """Front matter: a title, and the names under which Obsidian finds the file."""
    yield "---"
    yield f"title: {_quoted(title)}"
    names = list(dict.fromkeys(aliases))
    if names:
        yield "aliases:"
        yield from (f"  - {_quoted(name)}" for name in names)
    yield "---"
    yield ""
    yield f"# {escaped(title)}"
    yield ""


def _chapter(chapter: Chapter, where: dict[str, str]) -> list[str]:
    writer = Writer(chapter.file, where)
    names = [name for view in chapter.rules for name in (view.title, *view.aliases)]
    lines = list(_front(chapter.title, names))
    for view in chapter.rules:
        lines += writer.rule(view)
    return lines


def _index(book: Book, where: dict[str, str]) -> list[str]:
    writer = Writer("index", where)
    lines = list(_front(book.title))
    layers = "".join(f", with {escaped(layer.id)}" for layer in book.layers)
    lines += [f"{escaped(book.id)}, version {escaped(book.version)}{layers}", ""]
    lines += writer.blocks(book.about)
    if book.facts:
        lines += writer.blocks([Facts(book.facts)])
    if book.layers:
        lines += ["- [House rules](house-rules.md)"]
    for chapter in book.chapters:
        lines.append(f"- [{escaped(chapter.title)}]({chapter.file}.md)")
        lines += [f"{_INDENT}- {writer.link(view.title, view.anchor)}" for view in chapter.rules]
    if book.screens:
        lines.append("- [Screens](screens.md)")
    lines.append("- [All names](names.md)")
    return lines


def _names(book: Book, where: dict[str, str]) -> list[str]:
    writer = Writer("names", where)
    lines = list(_front("All names"))
    for letter in book.letters:
        lines += [f"## {escaped(letter.letter)}", ""]
        lines += [f"- {writer.link(entry.name, entry.to)}: {escaped(entry.what)}" for entry in letter.entries]
        lines.append("")
    if book.tags:
        lines += ["## Tags", ""]
        for tag in book.tags:
            lines.append(f'- <a id="{tag.anchor}"></a>{escaped(tag.name)}: {writer.inline(tag.rules)}')
    return lines


def _screens(book: Book, where: dict[str, str]) -> list[str]:
    writer = Writer("screens", where, anchored=False)
    lines = list(_front("Screens"))
    for screen in book.screens:
        lines += [f"# {escaped(screen.title)}", ""]
        for view in screen.rules:
            lines += writer.rule(view)
    return lines


def _house(book: Book, where: dict[str, str]) -> list[str]:
    writer = Writer("house-rules", where)
    lines = list(_front("House rules"))
    for layer in book.layers:
        lines += [f"## {escaped(layer.id)}", ""]
        for name, item in layer.changes:
            lines.append(f"- {writer.inline(name)}{', ' if name else ''}{writer.change(item)}")
        lines.append("")
    return lines


# --- small things --------------------------------------------------------------------------------------------------


def _faces(faces: tuple[Run, ...]) -> Grid:
    rows = tuple(GridRow((run(str(number)), face)) for number, face in enumerate(faces, 1))
    return Grid("", (run("Face"), run("Symbols")), rows)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace(chr(10), ' ') for cell in cells)} |"


def _first(line: str, *, keep: bool = False) -> str:
    """A paragraph's line whose beginning cannot be taken for a list, a heading or a rule."""
    if keep or not line:
        return line
    digits = len(line) - len(line.lstrip("0123456789"))
    if 0 < digits < len(line) and line[digits] in ".)":
        return f"{line[:digits]}\\{line[digits:]}"
    return f"\\{line}" if line[0] in "-+=" else line


def _address(href: str) -> str:
    return href.replace("<", "%3C").replace(">", "%3E").replace("|", "%7C").replace("\n", "%0A")


def _quoted(text: str) -> str:
    return json.dumps(visible(text), ensure_ascii=False)
