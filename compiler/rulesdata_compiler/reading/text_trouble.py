"""Syntax errors that come from text without quotes: a colon inside it, a first character of YAML's own, quotes inside.

In: the vicinity of an error. Out: a `Trouble` whose hint is the text in quotes. All of these can be stepped over.
"""

from __future__ import annotations

import re

from .pure import Seen
from .quoting import quoted
from .slips import shorten
from .vicinity import KEY_LINE, Trouble, Vicinity

_NAMES = {",": "a comma", ":": "a colon", "-": "a dash", "?": "a question mark", "'": "an apostrophe"}
_QUOTE_IT = "put the text in quotes"
_GLUED = re.compile(r"([^\W\d][\w-]*):[{\[]")
_OPENING = {"}": "{", "]": "["}


def begins_with(near: Vicinity, at: int) -> Trouble:
    """A value that begins with a character that has a meaning in YAML."""
    char, whole = near.char(at), near.value(at + 1)
    fix = f"{_QUOTE_IT}: {quoted(char + whole)}"
    if char == "-":
        fix += "; for a list, begin it on the next line"
    return Trouble(
        "Y116",
        f"text that begins with {_NAMES.get(char, char)} must stand in quotes",
        at,
        at + 1,
        fix,
        stand_ins=(at, *near.colons(at + 1, near.value_end(at + 1))),
    )


def directive(near: Vicinity) -> Trouble:
    """A line that begins with `%`."""
    at = near.opened
    return Trouble(
        "Y116",
        "a line that begins with % is an instruction to YAML, and none is used here",
        at,
        at + 1,
        "delete the line; if it begins with a key, put the key in quotes",
        stand_ins=(at,),
    )


def tag(near: Vicinity) -> Trouble:
    at, whole = near.opened, near.value(near.opened)
    return Trouble(
        "Y109",
        f"{shorten(whole.split(' ')[0])} is a tag, and tags are not used here",
        at,
        at + 1,
        f"delete it; if it belongs to the text, put the text in quotes: {quoted(whole)}",
        stand_ins=(at, *near.colons(at, near.value_end(at))),
    )


def second_colon(near: Vicinity) -> Trouble | None:
    """A colon where no key can be: in plain text, behind closing quotes or brackets."""
    at, before = near.at, near.before(near.at)
    if before is None or not near.same_line(before.end, at):
        return None
    if before.kind == "closed":
        return behind_bracket(near, before)
    if before.style:
        return behind_quote(near, before)
    first = near.first(at)
    if before.start < first and (key := KEY_LINE.match(near.text, first)) and key.end() - 1 == at:
        return deeper_key(near, before, first, at)
    return colon_in_text(near, before.start, at)


def colon_in_text(near: Vicinity, start: int, at: int) -> Trouble:
    """`desc: Roll: 2d6`."""
    key = near.first(start)
    if not near.flow and (glued := _GLUED.match(near.text, key, start)):
        colon = glued.end(1)
        return Trouble(
            "Y113",
            f"there is no space behind the colon, so {shorten(near.text[key:at])} is text and no key with a value",
            colon,
            colon + 1,
            f"write {near.text[key:colon]}: {near.rest(colon + 1)}",
            stand_ins=near.colons(at, max(near.value_end(at), at + 1)) or (at,),
        )
    if near.same_line(start, at):
        before = "" if near.flow else near.text[near.first(start) : start]
        whole = near.value(start)
        fix = f"{_QUOTE_IT}: {before}{quoted(whole)}"
        closing = whole[-1:] if not near.flow else ""
        if closing in ("}", "]") and whole.count(closing) > whole.count(_OPENING[closing]):
            fix = f"if it is no text, write {_OPENING[closing]} where {closing} was opened; else {fix}"
    else:
        fix = "put the whole text in quotes, or begin it with > on the line of its key"
    return Trouble(
        "Y111",
        "there is a colon inside this text, and YAML takes what stands before it for a key",
        at,
        at + 1,
        fix,
        stand_ins=near.colons(at, max(near.value_end(at), at + 1)) or (at,),
    )


def deeper_key(near: Vicinity, above: Seen, first: int, colon: int) -> Trouble:
    """A key on a line of its own, indented deeper than the value above it; so are the lines that follow it."""
    key = near.text[first:colon].rstrip()
    end = near.block_end(colon)
    return Trouble(
        "Y123",
        f"{key} is indented deeper than the key above it, so it is read as part of that key's text",
        first,
        first + len(key),
        "give it the indentation of the key above; if it belongs to the text, put the text in quotes",
        near.note(above.start, near.line_end(above.start), "the text begins here"),
        near.colons(colon, end),
    )


def behind_bracket(near: Vicinity, seen: Seen) -> Trouble:
    """Text behind `[...]` or `{...}` that began a value."""
    char, end = near.char(seen.start), near.value_end(seen.end)
    return Trouble(
        "Y116",
        f"a value that begins with {char} ends at its {'}' if char == '{' else ']'}, and more text follows",
        seen.start,
        seen.end,
        f"{_QUOTE_IT}: {quoted(near.text[seen.start : end].rstrip())}",
        stand_ins=(seen.start, *near.colons(seen.start, end)),
    )


def behind_quote(near: Vicinity, seen: Seen) -> Trouble:
    """Text behind closing quotes: an apostrophe closed them too early, or quotes above were never closed."""
    sign, start, at = near.char(seen.start), seen.start, near.at
    if not near.same_line(start, seen.end):
        return Trouble(
            "Y117",
            f"the text in quotes that begins here goes on to the next {sign}, further down",
            start,
            start + 1,
            "close the quotes at the end of the text",
            near.note(seen.end - 1, seen.end, "the quotes are closed here"),
            (start, *near.colons(start, near.line_end(start))),
        )
    end = near.value_end(seen.end)
    whole = near.text[start:end].rstrip()
    if whole.endswith(sign) and len(whole) > seen.end - start:
        inner = whole[1:-1]
        if sign == "'":
            fix = f"an apostrophe inside single quotes is written twice; or use double quotes: {quoted(inner)}"
        else:
            fix = f"text with quotes in it stands in single quotes: {quoted(inner)}"
    else:
        fix = f"put all of the text in quotes: {quoted(whole)}"
    return Trouble(
        "Y118",
        "the quotes are closed, and more text follows",
        at,
        max(end, at + 1),
        fix,
        near.note(start, start + 1, "the quotes begin here"),
        (start, *near.colons(start, end)),
    )


def open_quote(near: Vicinity) -> Trouble:
    sign = near.char(near.opened)
    return Trouble(
        "Y117",
        f"the quotes that begin here are never closed: there is no second {sign}",
        near.opened,
        near.opened + 1,
        f"close them at the end of the text: {near.rest(near.opened)}{sign}",
    )


def escape(near: Vicinity) -> Trouble:
    start = near.text.rfind("\\", near.opened, near.at + 1)
    end = max(min(near.at + 1, near.line_end(start)), start + 1)
    return Trouble(
        "Y124",
        f"{near.text[start:end]} is no escape that YAML knows; inside double quotes a \\ begins one",
        start,
        end,
        "write \\\\ for a \\, or put the text in single quotes",
        stand_ins=(start,),
    )
