"""Commands as tests type them: in this process where that will do, in a process of their own where streams matter."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATHS = [str(ROOT), str(ROOT / "compiler"), str(ROOT / "runtime")]

LAMPS = """\
system: {id: lamps, title: Lamps in the dark, version: 0.1.0, about: A game about lamps., sources: {us: Our table}}
stats:
  Wits: {title: Wits, min: 1, max: 6}
derived:
  oil: {title: Oil, text: How long the lamp burns., formula: 3 + ceil(Wits / 2), source: us}
tables:
  noise:
    title: A noise in the dark
    roll: 1d6
    rows: {1-3: Wind, 4-5: Footsteps, 6: Something breathes}
"""


def lamps(folder: Path, name: str = "lamps") -> Path:
    """A small system in a folder of its own."""
    made = folder / name
    made.mkdir()
    (made / "system.yaml").write_text(LAMPS, encoding="utf-8", newline="\n")
    return made


def typed(line: str) -> list[str]:
    """The words of a command line."""
    return line.split()


def call(*words: str, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """`rulesdata WORDS` in a process of its own."""
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(PATHS), **(env or {})}
    command = [sys.executable, "-m", "rulesdata", *words]
    return subprocess.run(command, cwd=cwd, env=surroundings, capture_output=True, check=False, timeout=120)
