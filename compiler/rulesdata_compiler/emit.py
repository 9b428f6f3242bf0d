"""The body, sealed: one artifact, the same bytes on every machine for the same rules.

In: the body of `lower.py`. Out: bytes with a fingerprint of the composed rules (not of files: LF and CRLF, and one
file or ten, make the same fingerprint) and a checksum. Texts can be left out.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rulesdata_runtime.artifact import seal

# What only people read. Ids, formulas and results stay: the rules work the same without these.
TEXT_KEYS = frozenset({"text", "ruling", "about", "aliases"})
# Where things stand in files, and what proves them: no part of what the rules say.
PLACE_KEYS = frozenset({"place", "span", "files", "examples", "before_span", "unpinned"})
BY_ID = frozenset({"rules", "symbols", "slots"})


def emit(body: dict[str, Any], *, texts: bool = True) -> bytes:
    """Seal a body. `texts=False` leaves out what only people read."""
    kept = body if texts else _trim(body, TEXT_KEYS)
    return seal({**kept, "fingerprint": fingerprint(body)})


def fingerprint(body: dict[str, Any]) -> str:
    """SHA-256 of what the rules say, without the places where they say it."""
    bare = _trim(body, PLACE_KEYS, places=True)
    told = json.dumps(bare, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(told.encode("utf-8")).hexdigest()


def _trim(body: dict[str, Any], keys: frozenset[str], *, places: bool = False) -> dict[str, Any]:
    """The body without some fields. Ids spelled like a field are no fields, so maps by id are entered, not trimmed."""
    return {
        key: {name: _without(item, keys, places) for name, item in value.items()}
        if key in BY_ID
        else _without(value, keys, places)
        for key, value in body.items()
        if key not in keys
    }


def _without(value: Any, keys: frozenset[str], places: bool) -> Any:
    match value:
        case dict():
            return {
                key: _without(item, keys, places)
                for key, item in value.items()
                if key not in keys and not (places and key == "at" and _is_place(item))
            }
        case list():
            return [_without(item, keys, places) for item in value]
    return value


def _is_place(value: Any) -> bool:
    """Whether an `at` is a place (file, line, column) and not a row's keys."""
    match value:
        case [str(), int(), int()]:
            return True
    return False
