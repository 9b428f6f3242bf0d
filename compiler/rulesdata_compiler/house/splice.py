"""A YAML file edited by exchanging pieces of its text: comments, layout and line ends stay.

In: the bytes of a file, a way of keys, and a value. Out: the new bytes. The one rule: afterwards the file is read
again, and if anything but the value at the end of that way is another than before, the edit is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulesdata_runtime.errors import RulesError

from ..composing.words import row_key
from ..diagnostics import Findings
from ..reading.quoting import quoted
from ..reading.read import read
from ..reading.scalars import null
from ..source import Source
from ..tree import Entry, Mapping, Node, Scalar
from ..tree import Sequence as NodeSequence

BOM = b"\xef\xbb\xbf"
STEP = 2
_LINE_END = re.compile(r"\r\n|\n|\r")


class Refused(RulesError):  # noqa: N818 - read aloud in `except Refused`
    """The edit cannot be made without touching something else; the text says what."""

    code = "refused"


@dataclass(frozen=True, slots=True)
class Edit:
    """`text` in the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Sequence[Edit]) -> str:
    """All edits made; they may not overlap."""
    done = len(text) + 1
    for edit in sorted(edits, key=lambda each: (each.start, each.end), reverse=True):
        if edit.end > done:
            raise Refused("two edits want the same place")
        text = text[: edit.start] + edit.text + text[edit.end :]
        done = edit.start
    return text


def set_value(name: str, data: bytes, way: Sequence[str], value: str) -> bytes:
    """A file with one value set, its keys made where they are missing. `value` is text as people type it."""
    source, root = _read(name, data)
    spot, rest = _walk(root, way)
    edit = _edit(source, spot, rest, value, way, root)
    made = _encoded(apply(source.text, [edit]), data)
    _, after = _read(name, made)
    _only(root, after, tuple(way))
    return made


def spelled(value: str, *, flow: bool) -> str:
    """A value as YAML: as it is typed where YAML reads just that, in quotes where it would read something else."""
    for text in (value, quoted(value)):
        if "\n" in text:
            break
        for line in [f"k: {text}\n", f"{{k: {text}, z: 1}}\n"] if flow else [f"k: {text}\n"]:
            findings = Findings()
            root = read("value", line.encode(), findings)
            found = root.get("k") if root is not None else None
            if len(findings) or found is None or not _reads(found, value):
                break
        else:
            return text
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _reads(found: Node, value: str) -> bool:
    """Whether a node is what was typed: the same text, or a list or mapping written in brackets."""
    if isinstance(found, Scalar):
        return found.text == value.strip() and bool(found.text)
    return value.lstrip()[:1] in "[{"


# --- the place ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a way ends in a file: the mapping it has come to, and the entry in it, if that is there."""

    within: Mapping
    entry: Entry | None


def _walk(root: Mapping, way: Sequence[str]) -> tuple[_Spot, list[str]]:
    """As far as the way is there; and the keys that are missing behind it."""
    within = root
    for index, key in enumerate(way):
        entry = _find(within, key)
        if entry is None or index == len(way) - 1:
            return _Spot(within, entry), list(way[index if entry is None else index + 1 :])
        if isinstance(entry.value, Mapping):
            within = entry.value
        elif null(entry.value):
            return _Spot(within, entry), list(way[index + 1 :])
        else:
            raise Refused(f"{'.'.join(way[: index + 1])} is one value there, and has no {way[index + 1]} below it")
    raise Refused("there is nothing to set")


def _find(within: Mapping, key: str) -> Entry | None:
    found = within.entry(key)
    if found is not None:
        return found
    return next((entry for entry in within if row_key(entry.key.text) == row_key(key)), None)


def _edit(source: Source, spot: _Spot, rest: list[str], value: str, way: Sequence[str], root: Mapping) -> Edit:
    text, eol, step = source.text, _line_end(source.text), _step(root)
    if spot.entry is not None and not rest:
        return _replaced(source, spot.entry, value, way)
    flow = _in_brackets(text, spot.within)
    if spot.entry is not None:  # a key with nothing behind it
        if flow:
            return Edit(spot.entry.value.span.start, spot.entry.value.span.end, " " + _nested(rest, value))
        end = _end_of_line(text, spot.entry.key.span.end)
        indent = _indent(source, spot.within) + step
        return Edit(end, end, (eol if _open_end(text, end) else "") + _block(rest, value, indent, eol, step))
    if flow:
        return _into_brackets(text, spot.within, rest, value)
    last = spot.within.entries[-1] if spot.within.entries else None
    if last is None:
        raise Refused("there is no place to put it")
    indent = _indent(source, spot.within)
    end = len(text) if spot.within is root else _behind_comments(text, _end_of_line(text, _end_of(last)), indent)
    return Edit(end, end, (eol if _open_end(text, end) else "") + _block(rest, value, indent, eol, step))


def _replaced(source: Source, entry: Entry, value: str, way: Sequence[str]) -> Edit:
    old, text = entry.value, source.text
    flow = _inside_brackets(text, entry)
    if null(old) and old.span.start == old.span.end:
        at = old.span.start
        colon = text.find(":", entry.key.span.end)
        at = colon + 1 if colon >= 0 else at
        return Edit(at, at, " " + spelled(value, flow=flow))
    single = not isinstance(old, Scalar) and text[old.span.start] in "[{"
    if isinstance(old, Scalar) and old.style not in ("literal", "folded"):
        single = "\n" not in old.span.text and "\r" not in old.span.text
    if not single:
        raise Refused(f"{'.'.join(way)} is written over several lines there: change it by hand")
    return Edit(old.span.start, old.span.end, spelled(value, flow=flow))


def _into_brackets(text: str, within: Mapping, rest: list[str], value: str) -> Edit:
    told = f"{rest[0]}: {_nested(rest[1:], value) if rest[1:] else spelled(value, flow=True)}"
    if not within.entries:
        at = within.span.start + 1
        return Edit(at, at, told)
    at = _end_of(within.entries[-1])
    return Edit(at, at, f", {told}")


def _nested(rest: Sequence[str], value: str) -> str:
    """`{rows: {trip: {at: 1-3}}}`."""
    made = spelled(value, flow=True)
    for key in reversed(rest):
        made = f"{{{key}: {made}}}"
    return made


def _block(rest: Sequence[str], value: str, indent: int, eol: str, step: int) -> str:
    lines = [" " * (indent + step * depth) + f"{_key(key)}:" for depth, key in enumerate(rest)]
    lines[-1] += f" {spelled(value, flow=False)}"
    return "".join(line + eol for line in lines)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w–.+ -]*\w[\w+]*", key) and not key.startswith(("-", " ")) else quoted(key)


# --- text --------------------------------------------------------------------------------------------------------


def _in_brackets(text: str, node: Mapping) -> bool:
    return text[node.span.start : node.span.start + 1] == "{"


def _inside_brackets(text: str, entry: Entry) -> bool:
    """Whether an entry stands in a flow mapping: an opening brace in its line that is not closed before it."""
    line = max(text.rfind("\n", 0, entry.key.span.start), text.rfind("\r", 0, entry.key.span.start)) + 1
    before = text[line : entry.key.span.start]
    return before.count("{") > before.count("}") or before.strip() not in ("", "-")


def _end_of(entry: Entry) -> int:
    """The end of an entry; of one with nothing behind its key the end of the colon."""
    if null(entry.value) and entry.value.span.start == entry.value.span.end:
        text = entry.key.span.source.text
        colon = text.find(":", entry.key.span.end)
        return colon + 1 if colon >= 0 else entry.key.span.end
    value = entry.value
    if isinstance(value, Mapping) and value.entries and not _in_brackets(value.span.source.text, value):
        return _end_of(value.entries[-1])
    return value.span.end


def _end_of_line(text: str, at: int) -> int:
    """The place right behind the line that a place stands in."""
    if at > 0 and text[at - 1] in "\r\n":
        return at
    found = _LINE_END.search(text, at)
    return found.end() if found is not None else len(text)


def _behind_comments(text: str, end: int, indent: int) -> int:
    """The place behind comments that stand deeper than `indent`: they belong to what is above them."""
    at = end
    while at < len(text):
        behind = _end_of_line(text, at + 1)
        line = text[at:behind]
        said = line.strip()
        if said and not (said.startswith("#") and len(line) - len(line.lstrip(" ")) > indent):
            break
        at = behind
        end = at if said else end
    return end


def _open_end(text: str, at: int) -> bool:
    return at > 0 and text[at - 1] not in "\r\n"


def _indent(source: Source, within: Mapping) -> int:
    return within.entries[0].key.span.column - 1


def _step(root: Mapping) -> int:
    """How far the file indents."""
    for entry in root:
        if isinstance(entry.value, Mapping) and entry.value.entries:
            first = entry.value.entries[0].key.span
            if not _in_brackets(first.source.text, entry.value):
                return first.column - 1 or STEP
    return STEP


def _line_end(text: str) -> str:
    found = _LINE_END.search(text)
    return found.group() if found is not None else "\n"


# --- reading -----------------------------------------------------------------------------------------------------


def _read(name: str, data: bytes) -> tuple[Source, Mapping]:
    findings = Findings()
    root = read(name, data, findings)
    if root is None or findings.errors:
        first = next((finding for finding in findings if finding.severity == "error"), None)
        where = f", line {first.span.line}" if first is not None and first.span is not None else ""
        raise Refused(
            f"{name}{where} cannot be read: {first.message if first is not None else 'there is nothing in it'}"
        )
    return root.span.source, root


def _encoded(text: str, data: bytes) -> bytes:
    made = text.encode()
    return BOM + made if data.startswith(BOM) else made


def _only(before: Mapping, after: Mapping, way: tuple[str, ...]) -> None:
    """Refuse if a value elsewhere is another one now."""
    old, new = dict(_flat(before, ())), dict(_flat(after, ()))
    target = tuple(row_key(key) for key in way)
    for place in old.keys() | new.keys():
        inside = place[: len(target)] == target or target[: len(place)] == place
        if not inside and old.get(place) != new.get(place):
            raise Refused(f"this would also change {'.'.join(place)}: change the file by hand")


def _flat(node: Node, place: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
    """Every single value with its place."""
    match node:
        case Scalar():
            return [(place, f"{node.style in ('plain',) and null(node)}:{node.text}")]
        case Mapping():
            found = [(place, "{}")] if not node.entries else []
            for entry in node:
                found += _flat(entry.value, (*place, row_key(entry.key.text)))
            return found
        case NodeSequence():
            found = [(place, "[]")]
            for index, item in enumerate(node):
                found += _flat(item, (*place, f"#{index}"))
            return found
