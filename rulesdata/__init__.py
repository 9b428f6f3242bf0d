"""Rules of tabletop games as data: the bundled systems, and the front door to compiler and runtime.

>>> import rulesdata
>>> rules = rulesdata.load("shadowrun-4e")
>>> rules.value("physical_boxes", Body=5)
11

What the runtime needs is standard library only; the compiler is imported the first time a folder is not yet known.
"""

from __future__ import annotations

from rulesdata_runtime.errors import (
    ArtifactError,
    BadInput,
    LimitReached,
    NeedsAnswer,
    NotAllowed,
    RulesError,
    UnknownName,
)
from rulesdata_runtime.rules import Rules

from .front import Refused, load

__all__ = [
    "ArtifactError",
    "BadInput",
    "LimitReached",
    "NeedsAnswer",
    "NotAllowed",
    "Refused",
    "Rules",
    "RulesError",
    "UnknownName",
    "load",
]
