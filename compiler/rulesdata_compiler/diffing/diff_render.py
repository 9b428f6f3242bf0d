"""A comparison for people: as text for the terminal, as Markdown to post, as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .diff import Consequence, Diff, Value

MOST_EXAMPLES = 12


def render(found: Diff, form: str) -> str:
    """`form` is text, markdown or json; the text ends with a line break."""
    match form:
        case "json":
            return json.dumps(_json(found), ensure_ascii=False, indent=2) + "\n"
        case "markdown":
            return "\n".join(_markdown(found)) + "\n"
    return "\n".join(_text(found)) + "\n"


def _text(found: Diff) -> Iterator[str]:
    yield f"{found.after}, compared with {found.before}"
    if found.empty:
        yield "nothing changes"
        return
    if found.values:
        yield ""
        yield f"changed values: {len(found.values)}"
        for value in found.values:
            yield f"  {value.name}: {_change(value)}"
            if value.why:
                yield f"    why: {value.why}"
            if value.place is not None:
                yield f"    {':'.join(map(str, value.place))}" + (f" ({value.layer})" if value.layer else "")
    if found.consequences:
        yield ""
        yield "what comes out differently"
        for one in found.consequences:
            yield from _lines(one)
    if found.examples:
        yield ""
        yield f"worked examples that change: {len(found.examples)}"
        for one in found.examples[:MOST_EXAMPLES]:
            yield f"  {one.title} ({one.rule}): {'; '.join(one.lines)}"
        if len(found.examples) > MOST_EXAMPLES:
            yield f"  and {len(found.examples) - MOST_EXAMPLES} more"


def _lines(one: Consequence) -> Iterator[str]:
    if len(one.lines) == 1:
        yield f"  {one.rule}: {one.lines[0]}"
        return
    yield f"  {one.rule}:"
    for line in one.lines:
        yield f"    {line}"


def _change(value: Value) -> str:
    if value.before is None:
        return f"new: {value.after}"
    if value.after is None:
        return f"gone, was {value.before}"
    return f"{value.after}, was {value.before}"


def _markdown(found: Diff) -> Iterator[str]:
    yield f"# {_safe(found.title)}: what changes"
    yield ""
    yield f"{_safe(found.after)}, compared with {_safe(found.before)}."
    if found.empty:
        yield ""
        yield "Nothing changes."
        return
    if found.values:
        yield ""
        yield "| rule | now | before | why | where |"
        yield "| --- | --- | --- | --- | --- |"
        for value in found.values:
            place = f"{value.place[0]}, line {value.place[1]}" if value.place is not None else ""
            told = [_cell(_safe(text)) for text in (value.why or "", place)]
            cells = [_code(value.name), _code(value.after), _code(value.before), *told]
            yield f"| {' | '.join(cells)} |"
    if found.consequences:
        yield ""
        yield "## What comes out differently"
        yield ""
        for one in found.consequences:
            yield f"- **{_safe(one.title)}** (`{one.rule}`)"
            yield from (f"  - {_safe(line)}" for line in one.lines)
    if found.examples:
        yield ""
        yield "## Worked examples that change"
        yield ""
        for one in found.examples:
            yield f"- {_safe(one.title)} (`{one.rule}`): {_safe('; '.join(one.lines))}"


def _code(text: str | None) -> str:
    """A value in a cell of a table; backticks would end it."""
    if text is None:
        return "–"
    return f"`{_cell(text).replace('`', chr(39))}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _safe(text: str) -> str:
    """Text that no sign of Markdown or HTML changes."""
    for sign in "\\`*_[]<>#":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ")


def _json(found: Diff) -> dict[str, Any]:
    return {
        "version": 1,
        "before": found.before,
        "after": found.after,
        "values": [_value(value) for value in found.values],
        "consequences": [
            {"rule": one.rule, "title": one.title, "kind": one.kind, "lines": list(one.lines)}
            for one in found.consequences
        ],
        "examples": [{"rule": one.rule, "title": one.title, "lines": list(one.lines)} for one in found.examples],
    }


def _value(value: Value) -> dict[str, Any]:
    file, line, column = value.place if value.place is not None else (None, None, None)
    return {
        "address": list(value.address),
        "before": value.before,
        "after": value.after,
        "layer": value.layer,
        "file": file,
        "line": line,
        "column": column,
        "why": value.why,
    }
