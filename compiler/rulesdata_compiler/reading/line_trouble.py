"""Syntax errors in how lines and brackets fit together: indentation, lists, brackets and commas, comments between.

In: the vicinity of an error. Out: a `Trouble`. Most of these leave open what was meant, so the file is left there.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..diagnostics import Note
from .prescan import ODD_SPACES
from .pure import Seen
from .quoting import quoted
from .slips import shorten
from .text_trouble import begins_with, behind_bracket, behind_quote, colon_in_text
from .vicinity import COMMENT, KEY_LINE, Trouble, Vicinity

_TIGHT_KEY = re.compile(r"[^\s:#]+?(:)(?!//)(?=[^ \t\r\n:])")
_KEYED_KEY = re.compile(r"([^\s\[\]{}:,]+\[[^\[\]{}:,\n]*\]):(?=[ \t\r\n]|$)")
_TIGHT_DASH = re.compile(r"-(?=[^\s-])")
_DOCUMENT_END = re.compile(r"^\.\.\.", re.MULTILINE)
_ONE_COLUMN = "keys that belong together begin in the same column, and so do the lines of one text"


# --- brackets ---------------------------------------------------------------------------------------------------


def in_brackets(near: Vicinity) -> Trouble:
    """Inside `{...}` or `[...]` something stands where a comma or the closing bracket must be."""
    at, before = near.at, near.before(near.at)
    char = near.char(at)
    if before is not None and (comment := _cut_by_comment(near, before)):
        return comment
    if not char or before is None:
        return open_bracket(near, near.opened)
    if char in "]}":
        return misplaced(near)
    if char == ":" and before.start < near.first(at) and KEY_LINE.match(near.text, near.first(at)):
        # A key on a line of its own: either the bracket is not closed, or a comma is missing above.
        if near.width(at) <= near.width(near.opened):
            return open_bracket(near, near.opened)
        return _no_comma(before.start + len(near.rest(before.start)))
    if char == ":" and before.kind == "scalar" and not before.style:
        return colon_in_text(near, before.start, at)
    if not near.same_line(before.end, at):
        return _no_comma(before.end)
    if before.kind == "closed":
        return behind_bracket(near, before)
    if char == "[" and before.end == at and not before.style:
        return _formula_with_key(near, before)
    return behind_quote(near, before) if before.style else _no_comma(before.end)


def _formula_with_key(near: Vicinity, before: Seen) -> Trouble:
    """`{value: 1d6 + alarm[kind]}`: the square bracket of a formula, which begins a list in YAML."""
    end = near.value_end(before.start)
    if key := _KEYED_KEY.match(near.text, before.start, end):
        end = key.end(1)  # `{alarm[kind]: 1}`: only the key
    whole = near.text[before.start : end].rstrip()
    return Trouble(
        "Y120",
        "inside { } and [ ] a square bracket begins a list, so this formula is cut in two",
        before.start,
        before.start + len(whole),
        f"quote this formula: {quoted(whole)}",
        stand_ins=tuple(place for place in range(near.at, end) if near.char(place) in "[]{},"),
    )


def open_bracket(near: Vicinity, opened: int) -> Trouble:
    char = near.char(opened)
    return Trouble(
        "Y119",
        f"the {char} that begins here is never closed",
        opened,
        opened + 1,
        f"write {_closing(char)} at its end; if it begins a text, put the text in quotes",
    )


def misplaced(near: Vicinity) -> Trouble:
    """A comma or bracket where a value must be."""
    at, char = near.at, near.char(near.at)
    if not char:
        return open_bracket(near, near.parser.open[-1] if near.parser.open else near.opened)
    if char == ",":
        return Trouble("Y125", "there is nothing before this comma", at, at + 1, "delete the comma")
    closed = next((seen for seen in reversed(near.parser.seen) if seen.kind == "closed" and seen.end == at + 1), None)
    if closed is None or char not in "]}":
        return begins_with(near, at)
    opening = near.char(closed.start)
    return Trouble(
        "Y125",
        f"this {char} cannot close a {opening}",
        at,
        at + 1,
        f"write {_closing(opening)} here, or {'{' if char == '}' else '['} where it begins",
        near.note(closed.start, closed.start + 1, "it begins here"),
    )


def _closing(char: str) -> str:
    return "}" if char == "{" else "]"


def _no_comma(end: int) -> Trouble:
    return Trouble(
        "Y125", "there is no comma between two entries", end - 1, end, "write a comma behind the first of them"
    )


def _cut_by_comment(near: Vicinity, before: Seen) -> Trouble | None:
    """A `#` behind a text, which took the closing bracket with it."""
    closing, end = _closing(near.char(near.opened)), near.line_end(before.end)
    found = COMMENT.search(near.text, before.end, end)
    if found is None or closing not in near.text[found.end() : end]:
        return None
    return Trouble(
        "Y112",
        f"everything from # on is a comment, and so is the {closing} behind it",
        found.end() - 1,
        end,
        f"put the text in quotes, or the comment behind the {closing}",
        stand_ins=(found.end() - 1,),
    )


# --- lines --------------------------------------------------------------------------------------------------------


def no_colon(near: Vicinity) -> Trouble:
    """A line that must be a key, and has no colon with a space behind it."""
    start = near.opened
    line, end = near.rest(start), near.line_end(start)
    if line.startswith(tuple(ODD_SPACES)):
        return odd_space(near, start)
    if _TIGHT_DASH.match(near.text, start, end):
        return _tight_dash(near, start)
    if tight := _TIGHT_KEY.match(near.text, start, end):
        colon = tight.start(1)
        if near.char(colon + 1) in ODD_SPACES:
            return odd_space(near, colon + 1)
        return Trouble(
            "Y113",
            f"there is no space behind the colon, so {shorten(line)} is text and no key with a value",
            colon,
            colon + 1,
            f"write {near.text[start:colon]}: {near.rest(colon + 1)}",
        )
    return Trouble(
        "Y127",
        f"this line is neither a key with a colon nor part of a text: {shorten(line)}",
        start,
        start + len(line),
        "write a colon and a space behind the key; text that goes on is indented deeper than its key",
    )


def swallowed(near: Vicinity) -> Trouble | None:
    """A line without a colon that swallowed the key below it: both begin in one column."""
    at, before = near.at, near.before(near.at)
    if before is None or before.style or before.kind != "scalar" or near.same_line(before.start, at):
        return None
    if near.first(before.start) != before.start or near.width(before.start) != near.width(at):
        return None
    return no_colon(replace(near, opened=before.start))


def odd_space(near: Vicinity, at: int) -> Trouble:
    near.slips.odd_space(at)
    made = near.slips.found.pop()
    return Trouble(made.code, made.message, at, at + 1, made.hint)


def block_ends(near: Vicinity, mapping: bool) -> Trouble:
    """A line that does not belong to the mapping or list around it, or text behind a value."""
    at, before, char = near.at, near.before(near.at), near.char(near.at)
    if before is not None and near.same_line(before.end, at):
        if before.kind == "closed":
            return behind_bracket(near, before)
        if before.kind == "<alias>":
            return begins_with(near, before.start)
        if before.style in ("'", '"'):
            return behind_quote(near, before)
    if (
        before is not None
        and before.kind == "scalar"
        and not before.style
        and near.width(at) > near.width(before.start)
    ):
        found = COMMENT.search(near.text, before.end, near.line_end(before.end))
        if found and not near.text[before.end : found.start()].strip():
            return _comment_between(near, found.end() - 1)
    if char and char in "]},":
        return Trouble("Y125", f"nothing is open here that this {char} could belong to", at, at + 1, "delete it")
    if char == ":" and mapping:
        return Trouble("Y122", "there is no key before this colon", at, at + 1, "write a key before the colon")
    if near.width(at) == near.width(near.opened):
        if char == "-" and mapping:
            return _side_by_side(near, "a list item between keys")
        if not mapping:
            tight = _TIGHT_DASH.match(near.text, at)
            return _tight_dash(near, at) if tight else _side_by_side(near, "a key between list items")
    return _indentation(near, near.note(near.opened, near.line_end(near.opened), "it stands inside what begins here"))


def behind_document(near: Vicinity) -> Trouble:
    """Something behind the whole of the file's first value."""
    at, before = near.at, near.before(near.at)
    if _DOCUMENT_END.search(near.text, 0, at):
        fix = "delete the line with ..., or put what follows in a file of its own"
        message = "a second document begins here, and a file holds one"
        return Trouble("Y110", message, at, max(near.line_end(at), at + 1), fix)
    if before is not None and before.kind == "closed" and near.same_line(before.end, at):
        return behind_bracket(near, before)
    return _indentation(near, ())


def unknown(near: Vicinity) -> Trouble:
    at = min(near.at, max(len(near.text) - 1, 0))
    return Trouble(
        "Y128",
        "YAML cannot be read from here on",
        at,
        max(near.line_end(at), at + 1),
        "look at this line and the one above it; if this is text, put it in quotes",
    )


def _tight_dash(near: Vicinity, at: int) -> Trouble:
    if near.char(at + 1) in ODD_SPACES:
        return odd_space(near, at + 1)
    message = "there is no space behind the dash, so this is no list item"
    return Trouble("Y114", message, at, at + 1, f"write - {near.rest(at + 1)}")


def _comment_between(near: Vicinity, at: int) -> Trouble:
    return Trouble(
        "Y112",
        "the text goes on behind this comment, but a comment ends it",
        at,
        near.line_end(at),
        "put the text in quotes if the # belongs to it, or the comment on a line above the text",
        stand_ins=(at,),
    )


def _side_by_side(near: Vicinity, what: str) -> Trouble:
    return Trouble(
        "Y126",
        f"{what}: in one column there are either keys or list items",
        near.at,
        max(near.line_end(near.at), near.at + 1),
        "indent it to where it belongs",
        near.note(near.opened, near.line_end(near.opened), "the others begin here"),
    )


def _indentation(near: Vicinity, notes: tuple[Note, ...]) -> Trouble:
    message = "the indentation of this line fits no line above it"
    return Trouble("Y123", message, near.at, max(near.line_end(near.at), near.at + 1), _ONE_COLUMN, notes)
