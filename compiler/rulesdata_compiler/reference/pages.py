"""The reference: a compiled system as pages that people read.

In: a compiled system. Out: the bytes of one HTML page, or of a folder of Markdown. The one rule: the same input gives
the same bytes; nothing of the machine, the day or the order of a set gets in.
"""

from __future__ import annotations

from ..pipeline import Compiled, collector_off
from .book import book
from .view import Book


def html_page(compiled: Compiled) -> bytes:
    """One HTML page: opens from a folder, prints, asks for nothing from outside."""
    from .html import page

    with collector_off():
        return page(_book(compiled))


def markdown_pages(compiled: Compiled) -> dict[str, bytes]:
    """A folder of Markdown, a file for each chapter, by relative path; also a vault for Obsidian."""
    from .markdown import pages

    with collector_off():
        return pages(_book(compiled))


def _book(compiled: Compiled) -> Book:
    if compiled.system is None or compiled.bindings is None:
        raise ValueError("only a system without errors has a reference")
    return book(compiled.system, compiled.bindings)
