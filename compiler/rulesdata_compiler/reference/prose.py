"""Markdown that authors write -> blocks and runs.

In: prose, with `{formula}` in it. Out: blocks. The one rule: whatever Markdown cannot mean here stays the text it is:
HTML, pictures, addresses that are not of the web or of mail. Titles of rules in the prose become links, each once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .. import model
from .names import CLOSE, OPEN, Names, Speech, marked, unmark
from .view import (
    Block,
    Break,
    Fenced,
    Grid,
    GridRow,
    Items,
    Leaning,
    Link,
    NewLine,
    Outside,
    Para,
    Piece,
    Plain,
    Quote,
    Run,
    Strong,
    Typed,
    run,
    words,
)

_SPECIAL = re.compile(r"[\\`*_\[\]<>#|~\n]|^\s|^[-+=]|^\d+[.)]")
_WEB = re.compile(r"(?:https?://|mailto:)[^\s]", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NO_PLACE = re.compile(f"[{OPEN}{CLOSE}]")


class _Markdown(MarkdownIt):
    """The parser, with our own say on where links may lead."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name is the parser's
        return _allowed(url)


@cache
def _markdown() -> MarkdownIt:
    made = _Markdown("commonmark", {"html": False}).enable("table")
    # Entities would turn what is typed into something else; web addresses are checked by `_allowed` alone.
    made.disable(["entity", "html_block", "html_inline", "reference"])
    return made


def _allowed(href: str) -> bool:
    """Rules by their id, the web and mail; no pictures, no scripts, no files, no `//host`."""
    if _NO_PLACE.search(href) or "%EF%B7%90" in href:
        return False
    return bool(_WEB.match(href)) or bool(re.fullmatch(r"#?[A-Za-z_][A-Za-z0-9_]*", href))


class Prose:
    """Reads the prose of one system."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._titles = _Titles(names)

    def blocks(self, template: model.Template | None, speech: Speech, own_id: str = "") -> tuple[Block, ...]:
        """The blocks of a text."""
        if template is None:
            return ()
        source, pieces = self._source(template, speech)
        linked = self._titles.linking(own_id)
        if not _SPECIAL.search(source):
            line = _linked(marked(source, pieces), linked)
            return (Para(line),) if line else ()
        reader = _Reader(_markdown().parse(source), pieces, linked, self._names)
        return reader.blocks()

    def line(self, template: model.Template | None, speech: Speech, own_id: str = "") -> Run:
        """A text as one line, for the cell of a table or a step."""
        found = self.blocks(template, speech, own_id)
        made = [_flat(block) for block in found]
        return run(*[part for line in made if line for part in (line, " ")][:-1])

    def text(self, text: str, speech: Speech) -> tuple[Block, ...]:
        """Prose without formulas."""
        pieces: list[Piece] = []
        source = unmark(text)
        if not _SPECIAL.search(source):
            return (Para(run(source)),)
        return _Reader(_markdown().parse(source), pieces, run, self._names).blocks()

    def _source(self, template: model.Template, speech: Speech) -> tuple[str, list[Piece]]:
        parts, pieces = [], []
        for part in template.parts:
            if isinstance(part, str):
                parts.append(unmark(part))
            else:
                pieces.append(speech.formula(part))
                parts.append(f"{OPEN}{len(pieces) - 1}{CLOSE}")
        return "".join(parts).strip(), pieces  # type: ignore[return-value]  # a Said is a piece


def _flat(block: Block) -> Run:
    match block:
        case Para(line):
            return line
        case Items(items):
            lines = [_flat(inner) for item in items for inner in item]
            return run(*[part for line in lines for part in (line, "; ")][:-1])
        case Quote(blocks):
            return run(*[part for inner in blocks for part in (_flat(inner), " ")][:-1])
        case Fenced(text):
            return run(Typed(" ".join(text.split())))
        case Grid(rows=rows):
            return run("; ".join(", ".join(words(cell) for cell in row.cells) for row in rows))
        case _:
            return ()


class _Titles:
    """Finds titles of rules in prose, the longest first."""

    def __init__(self, names: Names) -> None:
        known: dict[str, str | None] = {}
        for rule_id, title in names.titles.items():
            spellings = {title}
            if " " in title:
                spellings.add(title[:1].lower() + title[1:])
            for spelling in spellings:
                known[spelling] = None if spelling in known else rule_id  # a title that two rules have leads nowhere
        # By their first two words, so that many titles that begin alike cost nothing.
        self._by_words: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for title, rule in known.items():
            first = _WORD.match(title)
            if rule is not None and first is not None and len(title) > 2:
                second = _WORD.search(title, first.end())
                key = first[0], second[0] if second is not None else ""
                self._by_words.setdefault(key, []).append((title, rule))
        for found in self._by_words.values():
            found.sort(key=lambda pair: -len(pair[0]))
        self._names = names

    def _beginning(self, first: str, second: str) -> list[tuple[str, str]]:
        return self._by_words.get((first, second), [])

    def linking(self, own_id: str) -> Callable[[str], Run]:
        """A function that puts links into plain text; each rule is linked once, the rule itself never."""
        seen = {own_id}

        def link(text: str) -> Run:
            made: list[str | Piece] = []
            done = 0
            found = [(word[0], word.start()) for word in _WORD.finditer(text)]
            for place, (word, start) in enumerate(found):
                if start < done:
                    continue
                following = found[place + 1][0] if place + 1 < len(found) else ""
                for title, rule_id in (*self._beginning(word, following), *self._beginning(word, "")):
                    end = start + len(title)
                    if text.startswith(title, start) and _ends(text, end, " " in title):
                        if rule_id not in seen:
                            seen.add(rule_id)
                            made += [text[done:start], Link(title, self._names.anchors[rule_id])]
                            done = end
                        break
            return run(*made, text[done:])

        return link


def _ends(text: str, end: int, several: bool) -> bool:
    """Whether a title ends here: not inside a word, nor, where it is one word, before another that begins large."""
    rest = text[end : end + 2]
    return not rest[:1].isalnum() and (several or not (rest[:1] == " " and rest[1:].isupper()))


def _linked(line: Run, link: Callable[[str], Run]) -> Run:
    return run(*[link(piece.text) if isinstance(piece, Plain) else piece for piece in line])


class _Reader:
    """Walks the tokens of a text, once, in order."""

    def __init__(self, tokens: list[Token], pieces: list[Piece], link: Callable[[str], Run], names: Names) -> None:
        self._tokens = tokens
        self._pieces = pieces
        self._link = link
        self._names = names
        self._at = 0

    def blocks(self, end: str = "") -> tuple[Block, ...]:
        made: list[Block] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token.type == end:
                break
            match token.type:
                case "paragraph_open":
                    made.append(Para(self._line()))
                case "heading_open":
                    made.append(Para((Strong(self._line()),)))
                case "bullet_list_open":
                    made.append(Items(self._items("bullet_list_close")))
                case "ordered_list_open":
                    made.append(Items(self._items("ordered_list_close"), int(token.attrs.get("start", 1))))
                case "blockquote_open":
                    made.append(Quote(self.blocks("blockquote_close")))
                case "fence" | "code_block":
                    made.append(Fenced(_typed(token.content, self._pieces).rstrip("\n")))
                case "hr":
                    made.append(Break())
                case "table_open":
                    made.append(self._grid())
        return tuple(made)

    def _items(self, end: str) -> tuple[tuple[Block, ...], ...]:
        made = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token.type == end:
                break
            made.append(self.blocks("list_item_close"))
        return tuple(made)

    def _line(self) -> Run:
        """The inline token that follows, and past its closing token."""
        token = self._tokens[self._at]
        self._at += 2
        return self._inline(token)

    def _grid(self) -> Grid:
        rows: list[list[Run]] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            match token.type:
                case "table_close":
                    break
                case "tr_open":
                    rows.append([])
                case "inline":
                    rows[-1].append(self._inline(token))
        return Grid("", tuple(rows[0]), tuple(GridRow(tuple(row)) for row in rows[1:]))

    def _inline(self, token: Token) -> Run:
        children = token.children or []
        made, _ = self._pieces_of(children, 0, "")
        return made

    def _pieces_of(self, tokens: list[Token], at: int, end: str) -> tuple[Run, int]:
        made: list[Piece | Run | str] = []
        while at < len(tokens):
            token = tokens[at]
            at += 1
            if token.type == end:
                break
            match token.type:
                case "text" | "text_special":
                    made.append(_linked(marked(token.content, self._pieces), self._link))
                case "softbreak":
                    made.append(" ")
                case "hardbreak":
                    made.append(NewLine())
                case "code_inline":
                    made.append(Typed(_typed(token.content, self._pieces)))
                case "em_open":
                    inner, at = self._pieces_of(tokens, at, "em_close")
                    made.append(Leaning(inner))
                case "strong_open":
                    inner, at = self._pieces_of(tokens, at, "strong_close")
                    made.append(Strong(inner))
                case "link_open":
                    inner, at = self._pieces_of(tokens, at, "link_close")
                    made.append(self._to(str(token.attrs.get("href", "")), inner))
                case "image":
                    title = f' "{token.attrs["title"]}"' if token.attrs.get("title") else ""
                    made.append(f"![{token.content}]({token.attrs.get('src', '')}{title})")
        return run(*made), at

    def _to(self, href: str, inner: Run) -> Piece | Run:
        if _WEB.match(href):
            return Outside(inner, href) if inner else run(f"[]({href})")
        rule_id = href.removeprefix("#")
        if rule_id in self._names.anchors:
            return Link(words(inner) or self._names.title(rule_id), self._names.anchors[rule_id])
        return run("[", inner, f"]({href})")


def _typed(text: str, pieces: list[Piece]) -> str:
    """Code as it was typed: a formula in it stands in braces again."""
    return words(
        run(*["{" + getattr(piece, "typed", "") + "}" if piece in pieces else piece for piece in marked(text, pieces)])
    )
