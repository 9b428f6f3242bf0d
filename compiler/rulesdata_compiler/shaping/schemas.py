"""The JSON Schemas under schemas/, opened once.

In: nothing but the files beside the package. Out: documents and definitions by reference, written as
`common.json#/$defs/text` everywhere, so that one spelling serves editors, jsonschema and our own code.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]

PACKAGE = "rulesdata_compiler.schemas"


@cache
def document(name: str) -> Schema:
    """One schema file as data."""
    loaded: Schema = json.loads((resources.files(PACKAGE) / name).read_text(encoding="utf-8"))
    return loaded


@cache
def names() -> tuple[str, ...]:
    """All schema files for what authors write, sorted."""
    files = (item.name for item in resources.files(PACKAGE).iterdir())
    return tuple(sorted(name for name in files if name.endswith(".json") and name != ARTIFACT))


@cache
def definition(reference: str) -> Schema:
    """What a reference points at: `stats.json` or `common.json#/$defs/text`."""
    name, _, place = reference.partition("#/")
    found = document(name)
    for part in place.split("/") if place else ():
        found = found[part]
    return found


def resolve(schema: Schema) -> Schema:
    """The schema itself, or what its `$ref` leads to."""
    while "$ref" in schema:
        schema = definition(schema["$ref"])
    return schema


def reference_of(kind: str, rule_id: str) -> str:
    """The reference of the schema for one entry of a collection."""
    if (kind, rule_id) in RESERVED:
        return f"parts.json#/$defs/{rule_id}"
    return f"{kind}.json"


ARTIFACT = "artifact.json"
"""The schema of what the compiler writes; it has nothing to do with the rest."""
RESERVED = frozenset({("dice", "symbols"), ("actions", "slots")})
