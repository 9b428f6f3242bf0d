"""Texts made safe for a page.

In: any text. Out: the same text as people read it, in Markdown's spelling, or with hidden signs made visible. The one
rule: what is shown is what was typed.
"""

from __future__ import annotations

import re

# Signs that turn the direction of what follows, or that nobody sees: shown by their number, so that nothing hides.
_HIDDEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufdd0\ufdd1]"
)
# What Markdown, its tables, or Obsidian (tags, comments, highlights, formulas, templates) would take for its own.
_OWN = re.compile(
    r"[\\`*\[\]|$^]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=~)~|%(?=%)|(?<=%)%|=(?==)|(?<==)=|\{(?=[{%])|(?<=[{%])\{|(?<!\S)#"
)
_SPACES = re.compile(r"\s*[\r\n]+\s*")


def visible(text: str) -> str:
    """Hidden signs by their number."""
    return _HIDDEN.sub(lambda found: f"‹U+{ord(found[0]):04X}›", text) if _HIDDEN.search(text) else text


def escaped(text: str) -> str:
    """Text on one line of Markdown."""
    plain = _SPACES.sub(" ", visible(text))
    plain = _OWN.sub(lambda found: "\\" + found[0], plain)
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def code(text: str) -> str:
    """Text as code, in as many backticks as it needs; a bar would end the cell of a table."""
    plain = _SPACES.sub(" ", visible(text))
    longest = longest_ticks(plain)
    ticks = "`" * (longest + 1)
    space = " " if longest or plain.startswith(" ") or not plain.strip() else ""
    return f"{ticks}{space}{plain}{space}{ticks}" if "|" not in plain else escaped(plain)


def longest_ticks(text: str) -> int:
    """How many backticks stand together at most."""
    return max((len(run) for run in re.findall("`+", text)), default=0)
