"""The artifact: one JSON text that holds a checked system, and the door that every such text comes through.

    artifact   = '{"format":"rulesdata","version":[' MAJOR ',' MINOR '],"checksum":"' SHA "," body '}' NEWLINE
    SHA        = SHA-256, in hexadecimal, of all bytes of the file but these 64
    body       = the keys below, sorted, each `"key":value`

    fingerprint  text     of what the rules say; the same for the same rules, wherever they stand
    system       object   id, title, version, and the rest of the header
    layers       array    ids of the system and its overlays, in the order in which they were applied
    files        array    names of the files; a place (`at`) is [file, line, column]
    rules        object   id -> {"kind": ..., fields of that kind}
    symbols      object   id -> {"cancels", "counts_as", "letter", "title"}: what custom dice show
    slots        object   id -> {"each", "free", "cap", "more", "title"}: what a turn allows
    order        array    ids of derived values, each after those it reads
    provenance   array    what overlays set: address, layer, place, before, after, why

Formulas are code (nodes.py). Texts are UTF-8 without needless escapes, objects have sorted keys, arrays keep their
order, there are no spaces, no floating-point numbers, no key twice. So equal systems are equal bytes, and one hash of
the bytes proves the whole. A major version changes what old readers would misread; a minor one only adds.

The one rule: nothing in an artifact is ever run as Python, and nothing is used before the whole was proven whole.
"""

from __future__ import annotations

import os
import sys

from . import lean_json
from .errors import ArtifactError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

FORMAT = "rulesdata"
VERSION = (1, 0)
MOST_BYTES = 64 * 2**20

_START = b'{"format":"rulesdata","version":['
_CHECKSUM = b'],"checksum":"'
_SHA = 64
_OUTLINE: dict[str, type] = {
    "fingerprint": str,
    "system": dict,
    "layers": list,
    "files": list,
    "rules": dict,
    "symbols": dict,
    "slots": dict,
    "order": list,
    "provenance": list,
}
_NEEDED = ("system", "rules")
_CURE = "build it again with `rulesdata build`"


def seal(body: Mapping[str, Any]) -> bytes:
    """The artifact's bytes around a body of plain data; the same bytes for the same body."""
    import json

    kept = {key: value for key, value in body.items() if key not in ("format", "version", "checksum")}
    _refuse_floats(kept)
    told = json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    start = _START + ",".join(map(str, VERSION)).encode("ascii") + _CHECKSUM
    rest = b'",' + told[1:].encode("utf-8") + b"\n"
    return start + _checksum(start, rest) + rest


def open_artifact(
    source: bytes | str | Mapping[str, Any] | os.PathLike[str], notices: list[str] | None = None
) -> dict[str, Any]:
    """An artifact, checked whole: from a path, its bytes, its text, or what `json.loads` made of it.

    A text that begins with `{` is the artifact itself, any other names a file. Notices (a newer minor version) are
    appended to `notices`.
    """
    if isinstance(source, os.PathLike) or (isinstance(source, str) and not source.lstrip().startswith("{")):
        source = _read(source)
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    if not isinstance(source, bytes):
        try:
            source = seal_again(source)
        except (TypeError, ValueError, RecursionError, AttributeError):
            _refuse("A902", f"the artifact is damaged: it holds what no artifact can hold; {_CURE}")
    return _open(source, notices)


def seal_again(artifact: Mapping[str, Any]) -> bytes:
    """The bytes of an artifact already taken apart, with the version and checksum that it claims."""
    import json

    head = [artifact.get("format"), artifact.get("version"), artifact.get("checksum")]
    told = json.dumps(head, separators=(",", ":"))
    sealed = seal(artifact)
    rest = sealed[sealed.index(b'",', len(_START)) :]
    match head:
        case ["rulesdata", [int(major), int(minor)], str(checksum)] if checksum.isascii():
            return _START + b"%d,%d" % (major, minor) + _CHECKSUM + checksum.encode("ascii") + rest
    return told.encode("utf-8")


def _open(data: bytes, notices: list[str] | None) -> dict[str, Any]:
    start = data[:80]
    at = start.find(_CHECKSUM)
    major, comma, minor = start[len(_START) : at].partition(b",") if at > 0 else (b"", b"", b"")
    if not start.startswith(_START) or not comma or not major.isdigit() or not minor.isdigit():
        _refuse("A901", f"this is no rules artifact, or a damaged one; {_CURE}")
    version = (int(major), int(minor))
    begin = at + len(_CHECKSUM)
    rest = memoryview(data)[begin + _SHA :]
    whole = _checksum(data[:begin], rest) == data[begin : begin + _SHA]
    if version[0] > VERSION[0]:
        _refuse(
            "A903",
            f"the artifact has format {_dotted(version)}, and this program reads up to {_dotted(VERSION)}: "
            f"update rulesdata to one that reads {version[0]}.x, or {_CURE}",
        )
    if not whole:
        _refuse("A902", f"the artifact is damaged or was changed by hand (its checksum does not fit); {_CURE}")
    if version[0] < VERSION[0]:
        _refuse("A903", f"the artifact has the old format {_dotted(version)}; {_CURE}")
    if version > VERSION and notices is not None:
        notices.append(
            f"the artifact has format {_dotted(version)}, newer than this program's {_dotted(VERSION)}: "
            "what is new in it is left out of account"
        )
    found = _parsed(data)
    _check_outline(found)
    return found


def _parsed(data: bytes) -> dict[str, Any]:
    """The JSON of proven bytes, strictly: someone may have written the checksum too."""
    import gc

    was_on = gc.isenabled()
    gc.disable()  # it would walk again and again over what is being made and kept
    try:
        found = lean_json.read(data.decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        _refuse("A902", f"the artifact is damaged ({_reason(problem)}); {_CURE}")
    finally:
        if was_on:
            gc.enable()
    assert isinstance(found, dict)  # it begins with a brace
    return found


def _reason(problem: BaseException) -> str:
    if isinstance(problem, RecursionError):
        return "it is nested too deeply"
    ours = type(problem) is ValueError
    return str(problem) if ours else "it is no JSON"


def _check_outline(found: dict[str, Any]) -> None:
    for key in _NEEDED:
        if key not in found:
            _refuse("A902", f"the artifact is damaged (it has no {key}); {_CURE}")
    for key, wanted in _OUTLINE.items():
        if key in found and type(found[key]) is not wanted:
            _refuse("A902", f"the artifact is damaged (its {key} is of another kind); {_CURE}")
    for rule in found["rules"].values():
        if type(rule) is not dict or type(rule.get("kind")) is not str:
            _refuse("A902", f"the artifact is damaged (a rule in it has no kind); {_CURE}")


def _read(path: str | os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as problem:
        told = getattr(problem, "strerror", None) or str(problem)
        _refuse("A904", f"cannot read {os.fspath(path)}: {told}")
    if len(data) > MOST_BYTES:
        _refuse("A904", f"{os.fspath(path)} is larger than {MOST_BYTES // 2**20} MiB, the most an artifact may be")
    return data


def _checksum(start: bytes, rest: bytes | memoryview) -> bytes:
    found = sha256(start)
    found.update(rest)
    digest: str = found.hexdigest()
    return digest.encode("ascii")


def sha256(data: bytes) -> Any:
    """The hash from the module that hashlib has it from, unless hashlib is there already: it is quicker, but loading
    it takes longer than hashing a system."""
    if "hashlib" not in sys.modules:
        for module in ("_sha2", "_sha256"):
            try:
                return __import__(module).sha256(data)
            except ImportError:
                continue
    import hashlib

    return hashlib.sha256(data)


def _refuse_floats(value: Any) -> None:
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, float):
            raise TypeError(f"{part} is a floating-point number; an artifact holds exact ones")
        if isinstance(part, dict):
            for key in part:
                if type(key) is not str:
                    raise TypeError(f"{key!r} is no text, and keys of an artifact are")
            todo.extend(part.values())
        elif isinstance(part, list | tuple):
            todo.extend(part)


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def _refuse(code: str, message: str) -> NoReturn:
    problem = ArtifactError(message)
    problem.code = code
    raise problem from None
