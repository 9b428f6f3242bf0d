"""Compiled systems kept for the next call, in the user's cache folder; nothing is written beside the user's files.

In: the name of a system and house-rules files. Out: the path at which the artifact of just these bytes, made by just
this program, is kept. The one rule: whatever could change what the compiler says is part of the path, so that an entry
is never stale; where that cannot be told without the compiler there is no path.

RULESDATA_CACHE names another folder; set to nothing, it turns the cache off. A cache that cannot be read or written
is no error.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEPT = 64  # cached artifacts; the oldest go first
MOST_BYTES = 64 * 2**20
MOST_LAYERS = 16
_EXTENDS = b"extends"


class Unknown(Exception):  # noqa: N818 - read aloud in `except Unknown`
    """What the compiler would read cannot be told from here."""


def cached(name: str, overlays: Sequence[str], what: str = "rules") -> str | None:
    """Where what was made of a system with house rules over it is kept, or would be: the `rules`, or its check."""
    home = cache_folder()
    if home is None:
        return None
    try:
        return os.path.join(home, f"{_digest(name, overlays)}.{what}.json")
    except (OSError, Unknown, ValueError):
        return None


def cache_folder() -> str | None:
    """The user's cache folder for this program; RULESDATA_CACHE names another, or is empty for none."""
    chosen = os.environ.get("RULESDATA_CACHE")
    if chosen is not None:
        return chosen or None
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or ""
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "rulesdata") if os.path.isabs(base) else None


def keep(path: str, artifact: bytes) -> None:
    """Keep an artifact, and let the oldest go."""
    from pathlib import Path

    from rulesdata_runtime.files import CannotWrite, write_whole

    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, artifact)
        entries = sorted(target.parent.glob("*.json"), key=lambda entry: entry.stat().st_mtime_ns)
        for old in entries[:-KEPT]:
            old.unlink(missing_ok=True)
    except (OSError, CannotWrite):
        return


def forget(path: str) -> None:
    """Drop an entry that turned out to be damaged."""
    try:
        os.unlink(path)
    except OSError:
        return


# --- what an artifact depends on -----------------------------------------------------------------------------------


def _digest(name: str, overlays: Sequence[str]) -> str:
    from rulesdata_runtime.artifact import sha256

    told = sha256(_program())
    left = MOST_BYTES
    for what, data in _inputs(name, overlays):
        left -= len(data)
        if left < 0:
            raise Unknown
        told.update(f"\n{what}\n{len(data)}\n".encode("utf-8", "surrogateescape"))
        told.update(data)
    digest: str = told.hexdigest()
    return digest


def _inputs(name: str, overlays: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Everything that is read for a system, in a fixed order: what it is called and its bytes."""
    own = os.path.dirname(os.path.abspath(__file__))
    system = name if os.path.exists(name) else os.path.join(own, name)
    if not os.path.exists(system):
        raise Unknown
    todo, seen = [system], {os.path.abspath(system)}
    while todo:
        path = todo.pop(0)
        yield f"system {os.path.basename(os.path.abspath(path))}", b""
        for what, data in _files(path):
            yield what, data
            for base in _extended(data):
                beside = os.path.join(os.path.dirname(os.path.abspath(path)), base)
                for place in (beside, base, os.path.join(own, base)):
                    full = os.path.abspath(place)
                    if os.path.exists(full) and full not in seen:
                        seen.add(full)
                        todo.append(full)
                    if len(seen) > MOST_LAYERS:
                        raise Unknown
    for overlay in overlays:
        yield f"house {os.path.basename(overlay)}", b""
        if not os.path.exists(overlay):
            continue  # it comes with the system, whose files are all read above
        further = False
        for what, data in _files(overlay):
            yield what, data
            further = further or any(True for _ in _extended(data))
        if further:  # others beside it are looked for by what they say
            for entry in _sorted(os.path.dirname(os.path.abspath(overlay))):
                if entry.name.endswith(".yaml") and entry.is_file(follow_symlinks=False):
                    yield f"beside {entry.name}", _read(entry.path)


def _files(path: str) -> Iterator[tuple[str, bytes]]:
    """The YAML files of a folder, and whatever else in it the compiler might have something to say of."""
    if not os.path.isdir(path):
        yield os.path.basename(path), _read(path)
        return
    todo = [("", path)]
    while todo:
        prefix, folder = todo.pop()
        for entry in _sorted(folder):
            name = prefix + entry.name
            yaml = entry.name.lower().endswith((".yaml", ".yml"))
            if entry.name.startswith("."):
                continue
            if entry.is_symlink():
                yield f"link {name}", b""
            elif entry.is_dir():
                todo.append((f"{name}/", entry.path))
            elif yaml:
                yield name, _read(entry.path) if entry.is_file() else b""


def _sorted(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _read(path: str) -> bytes:
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    raise Unknown


def _extended(data: bytes) -> Iterator[str]:
    """Everything in a file that could be the id after an `extends:` key; one too many does no harm."""
    at = data.find(_EXTENDS)
    while at >= 0:
        rest = data[at + len(_EXTENDS) : at + 200].lstrip(b"\"' \t")
        if rest.startswith(b":"):
            value = rest[1:].lstrip(b" \t")
            word = value[: min((place for mark in b"\r\n,}#" if (place := value.find(mark)) >= 0), default=len(value))]
            word = word.strip(b"\"' \t")
            if not word or word[:1] in b"|>&*!?[{" or not word.replace(b"-", b"").replace(b"_", b"").isalnum():
                raise Unknown
            yield word.decode("ascii", "replace")
        at = data.find(_EXTENDS, at + 1)


def _program() -> bytes:
    """The program's own files, by name, size and time: an artifact is kept for the very program that made it."""
    import rulesdata_runtime

    own = os.path.dirname(os.path.abspath(__file__))
    runtime = os.path.dirname(os.path.abspath(rulesdata_runtime.__file__))
    beside = os.path.dirname(runtime)
    roots = [own, runtime]
    for around in (beside, os.path.join(os.path.dirname(beside), "compiler")):
        compiler = os.path.join(around, "rulesdata_compiler")
        if os.path.isdir(compiler):
            roots.append(compiler)
    told: list[str] = []
    while roots:
        for entry in _sorted(roots.pop()):
            if entry.name.endswith((".py", ".lark")):
                state = entry.stat()
                told.append(f"{entry.name} {state.st_size} {state.st_mtime_ns}")
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                roots.append(entry.path)
    return "\n".join(told).encode("utf-8")
