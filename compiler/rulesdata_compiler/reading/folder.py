"""The files of a system's folder.

In: a path. Out: the name (relative, with `/`) and the bytes of every YAML file below it, in order of name. Nothing
outside the folder is ever opened: links are refused, and so is whatever is neither a file nor a folder. Hidden files
and folders are left alone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ..diagnostics import Findings
from ..source import Source, Span
from .prescan import MOST_BYTES

MOST_FILES = 5_000
MOST_TOTAL = 64 * 1024 * 1024


def read_folder(path: str | os.PathLike[str], findings: Findings) -> list[tuple[str, bytes]]:
    """Every `*.yaml` below a folder; for the path of a file that file."""
    root = Path(path)
    if root.is_file():
        data = _read(root, root.name, findings)
        return [] if data is None else [(root.name, data)]
    found: list[tuple[str, bytes]] = []
    total = 0
    for name, file in sorted(_files(root, "", findings), key=lambda pair: pair[0]):
        if len(found) == MOST_FILES:
            findings.add(
                "Y148",
                f"this folder has more than {MOST_FILES:,} YAML files, and the rest is not read",
                _place(name),
                hint="put rules together in fewer files, or take out what does not belong to this system",
            )
            break
        data = _read(file, name, findings)
        if data is None:
            continue
        total += len(data)
        if total > MOST_TOTAL:
            findings.add(
                "Y148",
                f"the YAML files of this folder have more than {MOST_TOTAL:,} bytes (64 MiB), and the rest is not read",
                _place(name),
                hint="take out what does not belong to this system",
            )
            break
        found.append((name, data))
    return found


def _files(folder: Path, prefix: str, findings: Findings) -> Iterator[tuple[str, Path]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        name = prefix.rstrip("/") or _text(folder.name) or "."
        _unreadable(name, "folder", error, findings)
        return
    for entry in entries:
        name = prefix + _text(entry.name)
        is_yaml = entry.name.endswith(".yaml")
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            if is_yaml or Path(entry.path).is_dir():
                _refused(name, "is a link, and links are not followed", "put the file itself here", findings)
        elif entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path), f"{name}/", findings)
        elif is_yaml and not entry.is_file(follow_symlinks=False):
            _refused(name, "is no ordinary file", "put an ordinary file here", findings)
        elif is_yaml:
            yield name, Path(entry.path)
        elif entry.name.lower().endswith((".yaml", ".yml")):
            findings.add(
                "Y149",
                f"{name} is not read: only names that end in .yaml are",
                _place(name),
                hint=f"rename it to {name[: name.rindex('.')]}.yaml",
            )


def _read(path: Path, name: str, findings: Findings) -> bytes | None:
    """The bytes, at most one more than a file may have: whoever decodes them will say so."""
    try:
        # O_NONBLOCK: should the file have become a pipe since it was listed, opening it must not wait for a writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                _refused(name, "is no ordinary file", "put an ordinary file here", findings)
                return None
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        _unreadable(name, "file", error, findings)
        return None


def _refused(name: str, what: str, hint: str, findings: Findings) -> None:
    findings.add("Y146", f"{name} {what}", _place(name), hint=hint)


def _unreadable(name: str, what: str, error: OSError, findings: Findings) -> None:
    why = "it does not exist" if isinstance(error, FileNotFoundError) else "you may not read it"
    if not isinstance(error, FileNotFoundError | PermissionError):
        why = (error.strerror or "the system cannot read it").lower()
    findings.add(
        "Y147",
        f"the {what} {name} cannot be opened: {why}",
        _place(name),
        hint=f"look at the name of the {what} and at who may read it",
    )


def _place(name: str) -> Span:
    return Span(Source(name, ""), 0, 0)


def _text(name: str) -> str:
    """A file's name as text, whatever bytes the system has for it."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
