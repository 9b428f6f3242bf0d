"""A quick yes or no: does plain data fit a schema?

In: a reference to a schema. Out: a function that answers for plain data as `scalars.plain` makes it. It is built of
closures from the same JSON files that jsonschema reads, and knows only the keywords those files use: another one is
refused at once. jsonschema is asked only where the answer is no, for the places.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

from .schemas import Schema, definition

Fits: TypeAlias = Callable[[Any], bool]

ANNOTATIONS = frozenset({"$schema", "$defs", "title", "description"})
TYPES: dict[str, frozenset[type]] = {
    "string": frozenset({str}),
    "number": frozenset({int, float, Fraction, Decimal}),
    "integer": frozenset({int}),
    "boolean": frozenset({bool}),
    "array": frozenset({list}),
    "object": frozenset({dict}),
    "null": frozenset({type(None)}),
}


@cache
def fits(reference: str) -> Fits:
    """The check for a referenced schema."""
    return compiled(definition(reference))


def compiled(schema: Schema) -> Fits:
    """The check for one schema: all of its keywords hold."""
    if "$ref" in schema:
        return _later(schema["$ref"])
    checks: list[Fits] = []
    left = set(schema) - ANNOTATIONS
    if "enum" in left:
        checks.append(_enum(schema["enum"]))
    if "anyOf" in left:
        checks.append(_any_of([compiled(item) for item in schema["anyOf"]]))
    if "type" in left:
        checks.append(_types(schema["type"]))
    if left & OBJECT:
        checks.append(_object(schema))
    if left & ARRAY:
        checks.append(_array(schema))
    if left & SCALAR:
        checks.append(_scalar(schema))
    unknown = left - OBJECT - ARRAY - SCALAR - {"enum", "anyOf", "type"}
    if unknown:
        raise ValueError(f"schema keywords that shape_fits does not know: {', '.join(sorted(unknown))}")
    if not checks:
        return lambda value: True
    return checks[0] if len(checks) == 1 else _all_of(tuple(checks))


OBJECT = frozenset(
    {
        "properties",
        "patternProperties",
        "additionalProperties",
        "required",
        "propertyNames",
        "minProperties",
        "maxProperties",
    }
)
ARRAY = frozenset({"items", "minItems", "maxItems", "uniqueItems"})
SCALAR = frozenset({"pattern", "minLength", "minimum", "maximum"})


def _later(reference: str) -> Fits:
    """Definitions refer to each other in circles, so a reference is followed at its first use."""
    known: list[Fits] = []

    def check(value: Any) -> bool:
        if not known:
            known.append(fits(reference))
        return known[0](value)

    return check


def _all_of(checks: tuple[Fits, ...]) -> Fits:
    def check(value: Any) -> bool:
        for each in checks:  # noqa: SIM110 - a loop is faster than a generator here
            if not each(value):
                return False
        return True

    return check


def _any_of(checks: list[Fits]) -> Fits:
    def check(value: Any) -> bool:
        for each in checks:  # noqa: SIM110 - as above
            if each(value):
                return True
        return False

    return check


def _enum(options: list[Any]) -> Fits:
    wanted = frozenset((isinstance(option, bool), option) for option in options)

    def check(value: Any) -> bool:
        return not isinstance(value, (dict, list)) and (isinstance(value, bool), value) in wanted

    return check


def _types(names: str | list[str]) -> Fits:
    listed = [names] if isinstance(names, str) else names
    wanted = frozenset[type]().union(*(TYPES[name] for name in listed))
    if len(wanted) == 1:
        (only,) = wanted
        return lambda value: type(value) is only
    return lambda value: type(value) in wanted


def _object(schema: Schema) -> Fits:
    required: tuple[str, ...] = tuple(schema.get("required", ()))
    known = {key: compiled(value) for key, value in schema.get("properties", {}).items()}
    patterns = [
        (re.compile(pattern).search, compiled(value)) for pattern, value in schema.get("patternProperties", {}).items()
    ]
    extra_schema = schema.get("additionalProperties", True)
    extra = compiled(extra_schema) if isinstance(extra_schema, dict) else None
    closed = extra_schema is False
    name_fits = compiled(schema["propertyNames"]) if "propertyNames" in schema else None
    least, most = schema.get("minProperties", 0), schema.get("maxProperties")

    def other(key: str, value: Any) -> bool:
        for matches, check in patterns:
            if matches(key):
                return check(value)
        return not closed and (extra is None or extra(value))

    def check(value: Any) -> bool:
        if type(value) is not dict:
            return True
        for key in required:
            if key not in value:
                return False
        if len(value) < least or (most is not None and len(value) > most):
            return False
        for key, item in value.items():
            if name_fits is not None and not name_fits(key):
                return False
            field = known.get(key)
            if not (field(item) if field is not None else other(key, item)):
                return False
        return True

    return check


def _array(schema: Schema) -> Fits:
    items = compiled(schema["items"]) if "items" in schema else None
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    unique = schema.get("uniqueItems", False)

    def check(value: Any) -> bool:
        if type(value) is not list:
            return True
        if len(value) < least or (most is not None and len(value) > most):
            return False
        if items is not None:
            for item in value:
                if not items(item):
                    return False
        if unique:
            seen = [(isinstance(item, bool), item) for item in value]
            return all(item not in seen[:place] for place, item in enumerate(seen))
        return True

    return check


def _scalar(schema: Schema) -> Fits:
    pattern = re.compile(schema["pattern"]).search if "pattern" in schema else None
    length = schema.get("minLength", 0)
    least, most = schema.get("minimum"), schema.get("maximum")

    def check(value: Any) -> bool:
        if isinstance(value, str):
            return len(value) >= length and (pattern is None or pattern(value) is not None)
        if isinstance(value, (int, float, Fraction, Decimal)) and not isinstance(value, bool):
            return (least is None or value >= least) and (most is None or value <= most)
        return True

    return check
