"""What a misfit is called: schema errors in a GM's words.

In: one error of jsonschema, with the marked node and key it is about. Out: a finding at the very characters. The one
rule: one slip, one finding, and it says what was found and what is wanted.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..diagnostics import Findings
from ..nearest import did_you_mean, suggest
from ..reading.scalars import plain, suggest_number
from ..source import Span
from ..tree import Mapping, Node, Scalar, Sequence
from .schemas import Schema, resolve

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

TYPE_WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a group of `key: value` lines",
    "null": "nothing",
}
# What people write from habit, and how it is called here where the nearest spelling does not lead there.
OTHER_WORDS = {
    "desc": "text",
    "description": "text",
    "duration": "lasts",
    "from": "to",
    "label": "title",
    "max": "at_most",
    "min": "at_least",
    "name": "title",
    "target": "to",
    "if": "when",
}
OTHER_VALUES = {
    "checkbox": "bool",
    "float": "fraction",
    "list": "choice",
    "truth": "bool",
    "yes/no": "bool",
    "boolean": "bool",
    "decimal": "fraction",
    "enum": "choice",
    "integer": "int",
    "number": "int",
    "string": "text",
}
_LONGEST_SHOWN = 40
_PRICE = re.compile(r"(\d+)[ \t]+([^\W\d]\w*)\Z")
_MOST_LISTED = 12
COMMON = frozenset(
    {"source", "ruling", "tags", "aliases", "option", "examples", "renamed_from", "for_each", "id", "before", "behind"}
)


def name_of(schema: Schema) -> str:
    """What one thing of several branches is called in a sentence."""
    named = title(schema)
    return named if "," not in named else "this item"


def title(schema: Schema) -> str:
    """What a schema calls the thing it describes."""
    named: str | None = schema.get("title")
    if named is not None:
        return named
    kinds = schema.get("type", "object")
    return " or ".join(TYPE_WORDS[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))


def found(node: Node) -> str:
    """What stands in the file: `the text "ten"`, `the number 5`, `a list`."""
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Mapping):
        return "a group of `key: value` pairs"
    value = plain(node)
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"the word {node.text}"
    if isinstance(value, (int, Fraction)) or not isinstance(value, str):
        return f"the number {node.text}"
    shown = value if len(value) <= _LONGEST_SHOWN else value[: _LONGEST_SHOWN - 1] + "…"
    return f'the text "{" ".join(shown.split())}"'


def wrong_type(node: Node, schema: Schema, findings: Findings) -> None:
    """The value is of another sort than the slot wants."""
    wanted = title(schema)
    if isinstance(node, Mapping) and _braces(node) and _takes_text(schema):
        findings.add(
            "S221",
            f"{wanted} is wanted here, and an opening brace begins a group of keys in YAML",
            node.span,
            hint=f"put the whole text in quotes: {_quoted(node)}",
        )
        return
    if isinstance(node, Scalar) and plain(node) is None:
        findings.add("S203", f"{wanted} is wanted here, and there is nothing", node.span)
        return
    hint = None
    if isinstance(node, Scalar) and schema.get("type") == "integer" and (bare := suggest_number(node.text)):
        hint = f"write {bare}"
    elif isinstance(node, (Mapping, Scalar)) and schema.get("type") == "array":
        hint = "begin each item of the list with `- `, or put the list in square brackets"
    elif isinstance(node, Scalar) and _takes_pairs(schema) and (priced := _PRICE.match(node.text)):
        hint = f"write {{{priced[2]}: {priced[1]}}}"
    elif isinstance(node, Scalar) and schema.get("properties"):
        hint = f"write its fields, as in {{{_first_field(schema)}: ...}}"
    findings.add("S203", f"{wanted} is wanted here, and this is {found(node)}", node.span, hint=hint)


def tell(error: ValidationError, node: Node, at: Span, findings: Findings, suggested: set[str]) -> None:
    """One error of jsonschema about `node`; `at` is where a missing field is told."""
    schema: Any = error.schema
    if error.absolute_schema_path and "propertyNames" in error.relative_schema_path and isinstance(error.instance, str):
        _bad_key(error.instance, node, schema, findings)
        return
    match error.validator:
        case "additionalProperties" if isinstance(node, Mapping):
            _unknown_keys(node, schema, findings, suggested)
        case "required" if isinstance(node, Mapping):
            _missing(node, schema, at, findings, suggested)
        case "enum":
            _not_among(node, schema, findings)
        case "pattern" if isinstance(node, Scalar):
            _malformed(node, schema, findings)
        case "type":
            wrong_type(node, schema, findings)
        case "minLength":
            findings.add("S203", f"{title(schema)} is wanted here, and there is nothing", node.span)
        case "minItems" | "minProperties":
            findings.add("S207", f"this is empty: {title(schema)} is wanted here", node.span)
        case "maxItems" | "maxProperties":
            findings.add("S207", _too_many(schema), node.span)
        case "uniqueItems" if isinstance(node, Sequence):
            _twice(node, findings)
        case _:
            findings.add("S207", f"{title(schema)} from {schema.get('minimum', 0)} is wanted here", node.span)


def unknown_key(key: Scalar, what: str, fields: Schema, taken: set[str], findings: Findings) -> list[str]:
    """A key that is no field of `what`; returns the fields that may have been meant."""
    free = [name for name in fields if name not in taken]
    meant = suggest(key.text, free)
    hint = did_you_mean(key.text, free)
    if not meant and (glued := _glued(key, free)):
        meant, hint = glued
    other = OTHER_WORDS.get(key.text.casefold())
    if not meant and other in free:
        meant, hint = [other], f"did you mean {other}?"
    hint = hint or did_you_mean(key.text, taken) or _listed(free)
    findings.add("S201", f"`{key.text}` is not a field of {what}", key.span, hint=hint)
    return meant


def _glued(key: Scalar, free: list[str]) -> tuple[list[str], str] | None:
    """`rows:{1-4`: a field whose colon touches what follows, which YAML takes for one key."""
    name, colon, rest = key.text.partition(":")
    return ([name], f"write a space behind the colon: {name}: {rest}") if colon and rest and name in free else None


def _unknown_keys(node: Mapping, schema: Schema, findings: Findings, suggested: set[str]) -> None:
    fields: Schema = schema.get("properties", {})
    if not fields:
        return
    taken = {entry.key.text for entry in node}
    if "options" in fields and "options" not in taken and _options_outside(node, fields, findings):
        suggested.add("options")
        return
    for entry in node:
        if entry.key.text in fields or entry.key.text.startswith("x-"):
            continue
        if entry.key.text in {"then", "else"} and "when" in fields:
            findings.add(
                "S201",
                f"`{entry.key.text}` is not a field of {title(schema)}",
                entry.key.span,
                hint="a step does one thing: put what is done here under `then` as a step of its own",
            )
            continue
        suggested.update(unknown_key(entry.key, title(schema), fields, taken, findings)[:1])


def _options_outside(node: Mapping, fields: Schema, findings: Findings) -> bool:
    """A choice whose options stand beside its fields instead of under `options`: one slip, however many they are."""
    strange = [entry for entry in node if entry.key.text not in fields and not entry.key.text.startswith("x-")]
    if not strange or not all(isinstance(entry.value, Mapping) for entry in strange):
        return False
    listed = ", ".join(entry.key.text for entry in strange)
    said = "what may be chosen stands under `options`"
    findings.add("S202", said, strange[0].key.span, hint=f"write options: and under it {listed}")
    return True


def _missing(node: Mapping, schema: Schema, at: Span, findings: Findings, suggested: set[str]) -> None:
    for field in schema["required"]:
        if node.entry(field) is None and field not in suggested:
            fields = schema.get("properties", {})
            about = fields.get(field, {})
            said = about.get("description") or resolve(about).get("description", "") if about else ""
            findings.add("S202", f"{title(schema)} needs `{field}`", at, hint=f"{field}: {said}" if said else None)


def _not_among(node: Node, schema: Schema, findings: Findings) -> None:
    options = [option for option in schema["enum"] if isinstance(option, str)]
    truth = True in schema["enum"]
    if not isinstance(node, Scalar) or truth or plain(node) is None:
        hint = None
        if truth and isinstance(node, Scalar):
            hint = did_you_mean(node.text.lower(), options) or (
                f"write {node.text.lower()}" if node.text.lower() in options else None
            )
        what = found(node)
        findings.add("S203", f"{title(schema)} is wanted here, and this is {what}", node.span, hint=hint)
        return
    other = OTHER_VALUES.get(node.text)
    near = f"did you mean {other}?" if other in options else did_you_mean(node.text, options)
    listed = ", ".join(options[:-1]) + f" or {options[-1]}" if len(options) > 1 else options[0]
    findings.add("S204", f"`{node.text}` is not known here: {listed} is wanted", node.span, hint=near)


def _bad_key(text: str, node: Node, schema: Schema, findings: Findings) -> None:
    entry = node.entry(text) if isinstance(node, Mapping) else None
    if entry is not None:
        _malformed(entry.key, schema, findings)


def _malformed(node: Scalar, schema: Schema, findings: Findings) -> None:
    about = schema.get("description")
    findings.add("S205", f'{title(schema)} is wanted here, and "{node.text}" is none', node.span, hint=about)


def _too_many(schema: Schema) -> str:
    most = schema.get("maxItems", schema.get("maxProperties", 1))
    return f"at most {most} {'entry fits' if most == 1 else 'entries fit'} here: {title(schema)}"


def _twice(node: Sequence, findings: Findings) -> None:
    seen: set[object] = set()
    for item in node:
        if isinstance(item, Scalar):
            if item.text in seen:
                findings.add("S207", f"`{item.text}` stands twice in this list", item.span)
            seen.add(item.text)


def _listed(names: list[str]) -> str | None:
    """The fields there are, those that anything may carry left out."""
    own = [name for name in names if name not in COMMON] or names
    if not own:
        return None
    return f"the fields are {', '.join(own[:_MOST_LISTED])}" + (" and more" if len(own) > _MOST_LISTED else "")


def _first_field(schema: Schema) -> str:
    required = schema.get("required")
    return str(required[0] if required else next(iter(schema["properties"])))


def _takes_pairs(schema: Schema) -> bool:
    branches = [resolve(option) for option in schema.get("anyOf", [schema])]
    return any("object" in branch.get("type", ()) for branch in branches)


def _takes_text(schema: Schema) -> bool:
    kinds = schema.get("type", ())
    return "string" in kinds and "object" not in kinds and "array" not in kinds


def _braces(node: Mapping) -> bool:
    return node.span.text[:1] == "{"


def _quoted(node: Mapping) -> str:
    """The line from the brace on, in quotes, as it should be written."""
    source = node.span.source
    line, column = source.position(node.span.start)
    rest = source.line(line)[column - 1 :].rstrip()
    shown = rest if len(rest) <= _LONGEST_SHOWN else rest[: _LONGEST_SHOWN - 1] + "…"
    return "'" + shown.replace("'", "''") + "'" if '"' in shown else f'"{shown}"'
