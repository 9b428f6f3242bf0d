"""The picture of the README: an error as the compiler tells it, and results as the table gets them.

In: two commands, run as anybody would run them. Out: `error-and-result.svg`. The one rule: every line in the picture is
one that a command wrote; run this file again after messages have changed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

SLIPS = """\
system: {id: lamps, title: Lamps in the dark, version: 0.1.0, about: A game about lamps.}
stats:
  Wits: {title: Wits, min: 1, max: 6}
derived:
  oil: {title: Oil, formula: 3 + ceil(Wist / 2)}
tables:
  noise:
    title: A noise in the dark
    roll: 1d6
    rows: {1-3: Wind, 5-6: Footsteps}
"""
ERROR = ["rulesdata check lamps"]
RESULT = [
    "rulesdata value shadowrun-4e physical_boxes Body=5 --explain",
    "rulesdata run shadowrun-4e record_damage Body=3 Willpower=6 stun=6 amount=8 kind=stun",
]
COLOURS = {"1;31": "red", "1;33": "yellow", "1;34": "blue", "1": "bold"}

SIZE, LINE, GAP, PAD = 13, 19, 18, 16
COLUMN = SIZE * 0.6
STYLE = """\
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
text { fill: #1f2328; white-space: pre }
.window { fill: #f6f8fa; stroke: #d1d9e0 }
.typed, .bold { font-weight: bold }
.prompt { fill: #818b98 }
.red { fill: #c4151f; font-weight: bold }
.yellow { fill: #8a5a00; font-weight: bold }
.blue { fill: #0b5bd3; font-weight: bold }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .window { fill: #151b23; stroke: #3d444d }
  .prompt { fill: #9198a1 }
  .red { fill: #ff7b72 }
  .yellow { fill: #e3b341 }
  .blue { fill: #79c0ff }
}
"""


def typed(command: str, folder: Path) -> list[str]:
    """The lines that a command shows on a terminal."""
    settings = {**os.environ, "TERM": "xterm", "RULESDATA_CACHE": "", "PYTHONIOENCODING": "utf-8"}
    for name in ("NO_COLOR", "FORCE_COLOR"):
        settings.pop(name, None)
    ours, theirs = os.openpty()
    words = [sys.executable, "-m", *command.split()]
    with subprocess.Popen(
        words, cwd=folder, env=settings, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
    ) as run:
        os.close(theirs)
        shown = b"".join(read(ours))
    os.close(ours)
    text = shown.decode("utf-8").replace("\r\n", "\n").rstrip("\n")
    if run.returncode not in (0, 1) or "Traceback" in text:
        raise SystemExit(f"{command}\n{text}")
    return text.split("\n")


def read(terminal: int) -> Iterator[bytes]:
    """What arrives on a terminal until the other end is closed, which Linux tells by an error."""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            return
        if not part:
            return
        yield part


def spans(line: str) -> Iterator[str]:
    """A line with its colours as classes."""
    tint = ""
    for part in re.split(r"\x1b\[([\d;]*)m", line):
        if part in COLOURS or part in ("0", ""):
            tint = COLOURS.get(part, "")
        elif tint:
            yield f'<tspan class="{tint}">{escape(part, quote=False)}</tspan>'
        else:
            yield escape(part, quote=False)


def window(commands: list[str], folder: Path, top: int) -> tuple[list[str], int, int]:
    """A window with its lines, where it ends, and how many columns it needs."""
    lines: list[str] = []
    columns = 0
    for place, command in enumerate(commands):
        lines += [""] if place else []
        lines.append(f'<tspan class="prompt">$ </tspan><tspan class="typed">{escape(command)}</tspan>')
        shown = typed(command, folder)
        lines += ["".join(spans(line)) for line in shown]
        bare = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in shown]
        columns = max([columns, len(command) + 2, *map(len, bare)])
    height = len(lines) * LINE + 2 * PAD - (LINE - SIZE)
    drawn = [f'<rect class="window" x="1" y="{top}" width="WIDTH" height="{height}" rx="8"/>']
    for number, line in enumerate(lines):
        if line:
            drawn.append(f'<text x="{PAD}" y="{top + PAD + SIZE - 2 + number * LINE}">{line}</text>')
    return drawn, top + height, columns


def picture() -> str:
    """The whole picture."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "lamps").mkdir()
        (folder / "lamps" / "system.yaml").write_text(SLIPS, encoding="utf-8")
        error, middle, wide = window(ERROR, folder, 1)
        result, bottom, wider = window(RESULT, folder, middle + GAP)
    inner = round(max(wide, wider) * COLUMN) + 2 * PAD
    body = "\n".join([*error, *result]).replace("WIDTH", str(inner))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{inner + 2}" height="{bottom + 1}" '
        f'viewBox="0 0 {inner + 2} {bottom + 1}" role="img">\n'
        "<title>An error, as the compiler tells it, and results, as the table gets them</title>\n"
        f"<style>\n{STYLE}</style>\n{body}\n</svg>\n"
    )


if __name__ == "__main__":
    Path(__file__).with_name("error-and-result.svg").write_text(picture(), encoding="utf-8")
