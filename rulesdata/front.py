"""From a name to rules in memory: a bundled id, a folder, a YAML file or an artifact.

In: the name and house-rules files. Out: `Rules`. A folder that was compiled before, and has not changed since, opens
from the user's cache without the compiler. Modules are imported where they are needed: an artifact should not wait.
"""

from __future__ import annotations

import os

from rulesdata_runtime.errors import BadInput, RulesError
from rulesdata_runtime.rules import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Refused(RulesError):  # noqa: N818 - read aloud in `except Refused`
    """The rules have findings; `report` is the whole rendering for people."""

    code = "findings"

    def __init__(self, report: str) -> None:
        super().__init__(report)
        self.report = report


def load(system: str | os.PathLike[str], house: Sequence[str | os.PathLike[str]] = (), *, cache: bool = True) -> Rules:
    """Open a system for play.

    `system` is a bundled id (`"shadowrun-4e"`), a folder, a YAML file or an artifact; `house` are house-rules files,
    or names of house rules that come with the system. What was compiled is kept in the user's cache folder
    (`RULESDATA_CACHE` names another, and nothing for none); `cache=False` neither looks there nor writes.

    Raises `Refused` where the YAML has errors (`.report` tells them all), `ArtifactError` for an artifact that is
    damaged or too new, and `BadInput` for a name that is nothing, with what may have been meant.

    >>> load("shadowrun-4e").value("physical_boxes", Body=5)
    11
    """
    name = os.fspath(system)
    overlays = [os.fspath(path) for path in house]
    if is_artifact(name):
        if overlays:
            raise BadInput(
                f"house rules are laid over a folder of rules, and {name} is a finished artifact: name the folder "
                f"that it was built from, or build it again with `rulesdata build FOLDER --house {overlays[0]}`"
            )
        return Rules.open(_path(name))
    kept = None
    if cache:
        from . import cache as caching

        kept = caching.cached(name, overlays)
        if kept is not None and os.path.isfile(kept):
            try:
                return Rules.open(_path(kept))
            except RulesError:
                caching.forget(kept)
    artifact = _compile(name, overlays)
    if kept is not None:
        caching.keep(kept, artifact)
    return Rules.open(artifact)


def is_artifact(name: str) -> bool:
    """Whether a name is that of a file that is no YAML: then it has to be an artifact."""
    return not name.endswith((".yaml", ".yml")) and os.path.isfile(name)


def _path(name: str) -> str:
    """A path that cannot be taken for the text of an artifact."""
    return os.path.abspath(name)


def _compile(name: str, overlays: list[str]) -> bytes:
    from rulesdata_compiler import NotFound, compile_system, report

    try:
        compiled = compile_system(name, overlays)
    except NotFound as problem:
        raise BadInput(str(problem)) from None
    if compiled.artifact is None:
        raise Refused(report(compiled))
    return compiled.artifact
