"""The book as one HTML page.

In: a `Book`. Out: the page's bytes. The one rule: HTML is written in the templates and in `inline` below and nowhere
else; every text of a rule is escaped, and no template is ever made from one. The page asks for nothing from outside
and runs no script; its policy says so to the browser.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib import resources

from jinja2 import DictLoader, Environment, StrictUndefined, Template
from markupsafe import Markup

from .escape import visible
from .view import (
    PAGE_CONTENTS,
    PAGE_HOUSE,
    PAGE_INDEX,
    PAGE_TAGS,
    Book,
    Leaning,
    Link,
    NewLine,
    Outside,
    Own,
    Plain,
    Run,
    Said,
    Strong,
    Typed,
    words,
)

_PARTS = ("page.html.j2", "blocks.html.j2", "rule.html.j2")


def page(book: Book) -> bytes:
    """The whole page, in UTF-8."""
    style = _template_text("style.css")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    made = _page().render(
        book=book,
        style=Markup(style),  # our own file, the very text whose digest the policy names
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        contents=PAGE_CONTENTS,
        index=PAGE_INDEX,
        tags=PAGE_TAGS,
        house=PAGE_HOUSE,
    )
    # Hidden signs are told by their number, at once in the whole page: what stands for them means nothing to HTML.
    return visible(made).encode("utf-8", "replace")


@cache
def _page() -> Template:
    environment = Environment(
        loader=DictLoader({name: _template_text(name) for name in _PARTS}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["inline"] = inline
    environment.filters["words"] = words
    return environment.get_template("page.html.j2")


def _template_text(name: str) -> str:
    found = resources.files(__package__).joinpath("templates", name)
    return found.read_text(encoding="utf-8").replace("\r\n", "\n")


def inline(line: Run) -> Markup:
    """A run as HTML."""
    return Markup("".join(map(_piece, line)))


def _piece(piece: object) -> str:
    match piece:
        case Plain(text):
            return escape(text)
        case Own(text):
            return f"<i>{escape(text)}</i>"
        case Link(text, to):
            return f'<a href="#{escape(to)}">{escape(text)}</a>'
        case Typed(text):
            return f"<code>{escape(text)}</code>"
        case Said(said, typed):
            inner = "".join(map(_piece, said))
            plain = words(said) == typed or typed.isdigit()
            return inner if plain else f'<span title="{escape(typed)}">{inner}</span>'
        case Strong(said):
            return f"<strong>{''.join(map(_piece, said))}</strong>"
        case Leaning(said):
            return f"<em>{''.join(map(_piece, said))}</em>"
        case Outside(said, href):
            return f'<a href="{escape(href)}" rel="noopener noreferrer">{"".join(map(_piece, said))}</a>'
        case NewLine():
            return "<br>"
    raise TypeError(f"no HTML for {type(piece).__name__}")
