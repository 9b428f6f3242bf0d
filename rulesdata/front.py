"""From a name to rules in memory: a bundled id, a folder, a YAML file or an artifact.

In: the name and house-rules files. Out: `Rules`. A folder that was compiled before, and has not changed since, opens
from the user's cache without the compiler; nothing is ever written beside the user's files.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rulesdata_runtime.artifact import open_artifact
from rulesdata_runtime.errors import BadInput, RulesError
from rulesdata_runtime.rules import Rules

KEPT = 64  # cached artifacts; the oldest go first


class Refused(RulesError):  # noqa: N818 - read aloud in `except Refused`
    """The rules have findings; `report` is the whole rendering for people."""

    code = "findings"

    def __init__(self, report: str) -> None:
        super().__init__(report)
        self.report = report


def load(system: str | os.PathLike[str], house: Sequence[str | os.PathLike[str]] = (), *, cache: bool = True) -> Rules:
    """Open a system for play.

    `system` is a bundled id (`"shadowrun-4e"`), a folder, a YAML file or an artifact; `house` are house-rules files.
    Raises Refused where the YAML has errors, ArtifactError for a damaged artifact, BadInput for a name that is nothing.
    """
    name = os.fspath(system)
    overlays = [os.fspath(path) for path in house]
    if is_artifact(Path(name)):
        if overlays:
            raise BadInput("house rules are laid over a folder of rules, and this is a finished artifact: name the folder")
        return Rules(open_artifact(Path(name)))
    kept = _cached(name, overlays) if cache else None
    if kept is not None and kept.is_file():
        try:
            return Rules(open_artifact(kept))
        except RulesError:
            kept.unlink(missing_ok=True)
    artifact = _compile(name, overlays)
    if kept is not None:
        _keep(kept, artifact)
    return Rules(open_artifact(artifact))


def is_artifact(path: Path) -> bool:
    """Whether a path is a file that is no YAML: then it has to be an artifact."""
    return path.is_file() and path.suffix not in {".yaml", ".yml"}


def _compile(name: str, overlays: list[str]) -> bytes:
    from rulesdata_compiler import NotFound, compile_system, report

    try:
        compiled = compile_system(name, overlays)
    except NotFound as problem:
        raise BadInput(str(problem)) from None
    if compiled.artifact is None:
        raise Refused(report(compiled))
    return compiled.artifact


# --- the cache ---------------------------------------------------------------------------------------------------


def _cached(name: str, overlays: list[str]) -> Path | None:
    """Where the artifact of just these bytes, made by just this version, is kept. None where that cannot be told."""
    folder = Path(name) if Path(name).exists() else Path(__file__).parent / name
    home = cache_folder()
    if home is None or not folder.exists():
        return None
    told = hashlib.sha256(_version())
    try:
        for path in [folder, *(Path(overlay) for overlay in overlays)]:
            for file in [path] if path.is_file() else sorted(path.rglob("*.y*ml")):
                data = file.read_bytes()
                if b"extends:" in data and path == folder:
                    return None
                relative = file.name if path.is_file() else file.relative_to(path).as_posix()
                told.update(f"\n{relative}\n{len(data)}\n".encode())
                told.update(data)
    except OSError:
        return None
    return home / f"{told.hexdigest()}.json"


def cache_folder() -> Path | None:
    """The user's cache folder for this program; RULESDATA_CACHE names another, or is empty for none."""
    chosen = os.environ.get("RULESDATA_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "rulesdata" if base and not base.startswith("~") else None


def _version() -> bytes:
    """What a cached artifact depends on besides the rules: the newest change of the program's own files."""
    import rulesdata_runtime

    roots = {Path(__file__).parent, Path(rulesdata_runtime.__file__).parent}
    compiler = Path(rulesdata_runtime.__file__).parent.parent
    for place in (compiler / "rulesdata_compiler", compiler.parent / "compiler" / "rulesdata_compiler"):
        if place.is_dir():
            roots.add(place)
    newest = max(entry.stat().st_mtime_ns for root in roots for entry in os.scandir(root) if entry.name.endswith((".py", ".lark")))
    return f"{newest}".encode()


def _keep(path: Path, artifact: bytes) -> None:
    """Write beside and replace; a cache that cannot be written is no error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as out:
            out.write(artifact)
        os.replace(temporary, path)
        entries = sorted(path.parent.glob("*.json"), key=lambda entry: entry.stat().st_mtime_ns)
        for old in entries[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return
