"""Files written whole or not at all.

In: a path and bytes. Out: the file, replaced in one step; a crash, a full disk or a kill leaves the old file or the
new one, never a mix, and nothing beside it.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from .errors import RulesError

PATIENCE = 2.0  # seconds to wait for a program that holds the target open (Windows)

STALE = 60.0  # seconds after which a file half written is nobody's any more


class CannotWrite(RulesError):  # noqa: N818 - read aloud in `except CannotWrite`
    """The file could not be written; the old one, if any, is untouched."""

    code = "write"


def write_whole(path: Path, data: bytes) -> None:
    """Write beside, flush to the disk, replace. Raises CannotWrite with a plain sentence."""
    if path.is_symlink():
        path = path.resolve()  # the file is replaced, not the link that leads to it
    prefix = f".{path.name[:40]}."
    try:
        _sweep(path.parent, prefix)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=".part")
    except OSError as problem:
        raise CannotWrite(f"cannot write {path}: {_reason(problem)}") from None
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(temporary, _mode(path))
        _replace(temporary, path)
    except OSError as problem:
        raise CannotWrite(f"cannot write {path}: {_reason(problem)}; the file before is untouched") from None
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _sweep(folder: Path, prefix: str) -> None:
    """Take away what a killed program left of an earlier try."""
    for entry in os.scandir(folder):
        if entry.name.startswith(prefix) and entry.name.endswith(".part"):
            with suppress(OSError):
                if time.time() - entry.stat(follow_symlinks=False).st_mtime > STALE:
                    os.unlink(entry.path)


def _replace(temporary: str, path: Path) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            os.replace(temporary, path)
            return
        except PermissionError:
            if path.is_dir() or time.monotonic() > until:
                raise
            time.sleep(0.05)


def _mode(path: Path) -> int:
    """The mode of the file that is replaced, or what a new file would get (mkstemp makes private ones)."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _reason(problem: OSError) -> str:
    return problem.strerror or str(problem)
