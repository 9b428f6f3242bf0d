"""JSON Schemas for editors and other programs: of the rules' language, of a system's characters, of the artifact.

In: nothing, or the rules of a system. Out: schemas that need no network: either documents that refer to each other by
file name, for a folder, or one document that holds all it refers to. The ids of a system are offered as examples:
an editor then proposes them, and what is new is no mistake.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from rulesdata_runtime.state.rulebook import SINGULAR

from .shaping.schemas import ARTIFACT, Schema, definition, document, names

Rules: TypeAlias = Mapping[str, Mapping[str, Any]]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FRACTION = {"type": "string", "pattern": "^-?[0-9]+/[0-9]+$"}
# Where the id of a rule stands, and of which kinds it is then; elsewhere every id is offered.
_ID = "rule_name"


def kinds() -> tuple[str, ...]:
    """What there is a schema of, as a word of the command line."""
    return tuple(name.removesuffix(".json") for name in (*names(), ARTIFACT))


def folder(rules: Rules | None = None) -> dict[str, Schema]:
    """Every schema by file name; references stay as they are, from file to file."""
    made = {name: copy.deepcopy(document(name)) for name in names()}
    if rules:
        _offer(made["common.json"]["$defs"][_ID], rules)
    made[ARTIFACT] = copy.deepcopy(document(ARTIFACT))
    return made


def bundle(kind: str, rules: Rules | None = None) -> Schema:
    """One schema with everything it refers to inside."""
    made: Schema = {"$schema": DIALECT}
    parts: dict[str, Schema] = {}
    body = _inside(copy.deepcopy(document(f"{kind}.json")), parts, f"{kind}.json")
    made.update({key: value for key, value in body.items() if key != "$schema"})
    if parts:
        made["$defs"] = {**dict(sorted(parts.items())), **made.get("$defs", {})}
    if rules and f"common_{_ID}" in parts:
        _offer(parts[f"common_{_ID}"], rules)
    return made


def _inside(schema: Any, parts: dict[str, Schema], root: str) -> Any:
    """The schema with its references pointing into the same document; what they point at is put into `parts`."""
    if isinstance(schema, list):
        return [_inside(item, parts, root) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _inside(value, parts, root) for key, value in schema.items()}
    reference = made.get("$ref")
    if isinstance(reference, str) and not reference.startswith("#"):
        name = _part(reference)
        if name not in parts:
            parts[name] = {}  # taken, so that a definition may lead to itself
            inner = {key: value for key, value in definition(reference).items() if key not in ("$schema", "$defs")}
            parts[name] = _inside(copy.deepcopy(inner), parts, root)
        made["$ref"] = f"#/$defs/{name}"
    return made


def _part(reference: str) -> str:
    document_name, _, place = reference.partition("#/$defs/")
    stem = document_name.removesuffix(".json")
    return f"{stem}_{place}" if place else stem


def _offer(schema: Schema, rules: Rules) -> None:
    schema["examples"] = sorted(rules)


# --- characters ----------------------------------------------------------------------------------------------------


def character(artifact: Mapping[str, Any]) -> Schema:
    """The file of a character of a system, as the runtime writes it."""
    rules: Rules = artifact["rules"]
    header = artifact["system"]
    stats, tracks = _of(rules, "stat"), _of(rules, "track")
    clock = [unit for unit, _ in header.get("clock", ())]
    times = {"type": "object", "additionalProperties": {"type": "integer"}}
    properties: Schema = {
        "format": {"const": "rulesdata-character"},
        "version": {"const": 1},
        "system": {
            "description": "The rules under which it was saved.",
            "type": "object",
            "properties": {name: {"type": "string"} for name in ("id", "version", "fingerprint")},
        },
        "name": {"description": "What the character is called.", "type": "string"},
        "sheet": {"description": "Which kind of sheet it is.", "type": "string"},
        "values": {
            "description": "The stats.",
            "type": "object",
            "properties": {name: _spec(rule.get("spec", {}), _named(name, rule)) for name, rule in stats.items()},
            "additionalProperties": False,
        },
        "tracks": {
            "description": "The tracks as they stand.",
            "type": "object",
            "properties": {name: {**_named(name, rule), "anyOf": _number()} for name, rule in tracks.items()},
            "additionalProperties": False,
        },
        **{
            field: {"description": told, "type": "array", "items": _instance(_of(rules, kind))}
            for field, kind, told in (
                ("conditions", "condition", "The conditions it has."),
                ("traits", "trait", "The traits it has."),
                ("environments", "environment", "Where it is."),
            )
        },
        "used": {"description": "Uses of each slot since it was last filled.", **times},
        "clock": {
            "description": "Time gone by, by unit.",
            "type": "object",
            "properties": {unit: {"anyOf": _number()} for unit in clock},
            "additionalProperties": {"anyOf": _number()},
        },
        "happened": {"description": "How long ago events happened.", "type": "object"},
        "started": {
            "description": "Conditions that began by themselves.",
            "type": "array",
            "items": {"type": "string"},
        },
        "options": {"description": "The options that were in force.", "type": "object"},
        "unknown": {"description": "What these rules do not know, kept aside.", "type": "object"},
    }
    return {
        "$schema": DIALECT,
        "title": f"a character of {header.get('title') or header.get('id')}",
        "type": "object",
        "properties": properties,
        "required": ["format", "version"],
    }


def _of(rules: Rules, kind: str) -> dict[str, Mapping[str, Any]]:
    return {name: rule for name, rule in rules.items() if SINGULAR.get(rule["kind"], rule["kind"]) == kind}


def _named(name: str, rule: Mapping[str, Any]) -> Schema:
    title = rule.get("title")
    return {"title": title if isinstance(title, str) else name}


def _number() -> list[Schema]:
    return [{"type": "integer"}, dict(FRACTION)]


def _spec(spec: Mapping[str, Any], named: Schema) -> Schema:
    """A stat's value; bounds that hang on other values are the runtime's to check."""
    match spec.get("type", "int"):
        case "int":
            ends = {"minimum": spec.get("min"), "maximum": spec.get("max")}
            return {**named, "type": "integer", **{key: end for key, end in ends.items() if type(end) is int}}
        case "bool":
            return {**named, "type": "boolean"}
        case "choice":
            return {**named, "enum": list(spec.get("of", ()))}
        case "fraction":
            return {**named, "anyOf": _number()}
    return {**named, "type": "string"}


def _instance(rules: Iterable[str]) -> Schema:
    return {
        "type": "object",
        "properties": {
            "id": {"enum": sorted(rules)},
            "number": {"description": "Tells it from others on this character.", "type": "integer"},
            "with": {"description": "Its parameters.", "type": "object"},
            "tracks": {"description": "Its own tracks.", "type": "object"},
            "level": {"type": "integer"},
            "remaining": {"description": "How long it still lasts.", "anyOf": _number()},
            "until": {"description": "The moment at which it ends.", "type": "object"},
            "age": {"anyOf": _number()},
        },
        "required": ["id"],
    }
