"""How long a check takes: of a made system of 1 MB and of 4 MB, against a bare C-parser load of the same text; and how
long cold commands take, against a bare interpreter.

The made system has derived values, tables with rows, conditions with modifiers and procedures with steps, in the
proportions of the shipped ones. Its check is everything `rulesdata check` does: shape, names, types, bounds, table
proofs, positions. Run `python tests/bench/bench_compile.py [--quick]`.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from rulesdata_compiler.checked import checked
from rulesdata_compiler.layers import Layer
from rulesdata_compiler.pipeline import compile_layers

HEADER = """\
system:
  id: made
  title: Made
  version: 1.0.0
  about: Made for measuring.
  sources: {book: The book}
  clock: {turn: 1}
  stacking: {worn: highest}
stats:
"""
STATS = 40
Files = list[tuple[str, bytes]]
BUNDLED = "shadowrun-4e"
ROOT = Path(__file__).resolve().parent.parent.parent


def made_system(megabytes: float) -> bytes:
    """A system of about that size in one file, without a finding."""
    return b"".join(data for _, data in made_files(megabytes))


def made_files(megabytes: float) -> list[tuple[str, bytes]]:
    """The same in files of about a megabyte each."""
    stats = "".join(
        f"  Stat{number}: {{title: Stat {number}, type: int, min: 1, max: 12}}\n" for number in range(STATS)
    )
    files, size, number = [("system.yaml", (HEADER + stats).encode("utf-8"))], 0.0, 0
    while size < megabytes:
        text, number = part(number, min(1.0, megabytes - size))
        size += len(text) / 1_000_000
        files.append((f"part_{len(files)}.yaml", text.encode("utf-8")))
    return files


def part(number: int, megabytes: float) -> tuple[str, int]:
    """Blocks from `number` on, by kind, up to a size; and the number of the next block."""
    sections: dict[str, list[str]] = {"derived": [], "tables": [], "conditions": [], "procedures": [], "tracks": []}
    size = 0
    while size < megabytes * 1_000_000:
        for kind, text in block(number).items():
            sections[kind].append(text)
            size += len(text)
        number += 1
    return "".join(f"{kind}:\n{''.join(texts)}" for kind, texts in sections.items()), number


def block(n: int) -> dict[str, str]:
    a, b = f"Stat{n % STATS}", f"Stat{(n * 7 + 3) % STATS}"
    rows = "".join(
        f"""\
      row_{r}:
        at: {10 * r + 1}-{10 * r + 10}
        title: Row {r} of table {n}
        text: What happens here is told in a sentence of a usual length, so that the text weighs what it would.
        effect: [{{add: {{track_{n}: {r + 1}}}}}]
"""
        for r in range(10)
    )
    return {
        "derived": f"""\
  value_{n}:
    title: Value {n}
    text: A value that follows from two others.
    formula: {n % 9 + 1} + ceil(({a} + {b}) / 2) + max(0, {a} - 3)
    source: book
""",
        "tracks": f"  track_{n}: {{title: Track {n}, text: What is left., max: value_{n}, source: book}}\n",
        "tables": f"""\
  table_{n}:
    title: Table {n}
    text: A table that is rolled on.
    roll: 1d100
    source: book
    rows:
{rows}""",
        "conditions": f"""\
  state_{n}:
    title: State {n}
    text: A state that lasts a while and makes things harder.
    stacking: longest
    lasts: {{unit: turn}}
    source: book
    modifiers:
      - {{value: value_{n}, add: -1, stack: worn}}
""",
        "procedures": f"""\
  procedure_{n}:
    title: Procedure {n}
    text: What is done step by step.
    source: book
    params: {{amount: {{type: int, min: 0, max: 40}}}}
    steps:
      - let: {{through: "max(0, amount - value_{n})"}}
      - add: {{track_{n}: through}}
      - when: track_{n} >= value_{n} and through > 0
        then: [{{apply: state_{n}, for: through}}, {{roll_on: table_{n}}}]
        else: [{{say: "Nothing came through of {{amount}}."}}]
""",
    }


def best(run: Callable[[], object], rounds: int) -> float:
    """The best of several runs, with the collector off, in seconds."""
    times = []
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
        gc.enable()
    return min(times)


def bare_parse(files: Files) -> None:
    for _, data in files:
        for _ in yaml.parse(data, Loader=yaml.CLoader):
            pass


def c_load(files: Files) -> None:
    for _, data in files:
        yaml.load(data, Loader=yaml.CSafeLoader)


def check(files: Files) -> None:
    compiled = compile_layers([Layer("made", tuple(files))])
    assert not list(compiled.findings), [item.message for item in compiled.findings][:3]


def growth(sizes: tuple[float, ...], rounds: int) -> None:
    print(f"{'size':>8} {'C events':>10} {'C load':>10} {'check':>10} {'x events':>9} {'x load':>7} {'s/MB':>7}")
    per_megabyte = []
    for size in sizes:
        files = made_files(size)
        events, load, ours = (best(partial(one, files), rounds) for one in (bare_parse, c_load, check))
        megabytes = sum(len(data) for _, data in files) / 1_000_000
        per_megabyte.append(ours / megabytes)
        print(
            f"{megabytes:7.2f}M {events:9.3f}s {load:9.3f}s {ours:9.3f}s {ours / events:9.1f} {ours / load:7.1f}"
            f" {ours / megabytes:7.2f}"
        )
    print(f"growth: a megabyte of the largest takes {per_megabyte[-1] / per_megabyte[0]:.2f} times one of the smallest")


def bare_python(folder: Path) -> tuple[str, dict[str, str]]:
    """An interpreter with nothing installed, and what makes it find this checkout: the finder of a package installed in
    place loads for every command, and would be measured with it."""
    venv.create(folder / "venv", with_pip=False)
    paths = [str(ROOT), str(ROOT / "compiler"), str(ROOT / "runtime")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "RULESDATA_CACHE": str(folder / "cache")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return str(folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"), env


def cold(rounds: int) -> None:
    """Cold commands on an artifact, on a bundled system and through the program file, against a bare interpreter."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        python, env = bare_python(folder)
        made, artifact, program = folder / "made.yaml", folder / "made.rules.json", folder / "made.py"
        made.write_bytes(made_system(0.05))
        here = [sys.executable, "-m", "rulesdata"]
        for words in (
            ["build", str(made), "-o", str(artifact)],
            ["build", str(made), "--target", "py", "-o", str(program)],
            ["value", BUNDLED, "physical_boxes", "Body=5"],
        ):
            subprocess.run([*here, *words], check=True, capture_output=True, env=env)
        given = [f"Stat{number}=5" for number in range(STATS)]
        rulesdata = [python, "-m", "rulesdata"]
        carried = [python, "-I", str(program)]
        commands = {
            "bare interpreter (limit)": [python, "-I", "-c", "pass"],
            "value, artifact": [*rulesdata, "value", str(artifact), "value_3", *given],
            "value --json, artifact": [*rulesdata, "value", str(artifact), "value_3", *given, "--json"],
            "roll a table, artifact": [*rulesdata, "roll", str(artifact), "table_3", "--seed", "1"],
            "roll dice, artifact": [*rulesdata, "roll", str(artifact), "4d6kh3", "--seed", "1"],
            "run, artifact": [*rulesdata, "run", str(artifact), "procedure_3", "amount=3", *given, "--seed", "1"],
            "value, bundled": [*rulesdata, "value", BUNDLED, "physical_boxes", "Body=5"],
            "roll with a sheet, bundled": [*rulesdata, "roll", BUNDLED, "test", "pool=6", "--seed", "1"],
            "value, program file": [*carried, "value", "value_3", *given],
            "roll a table, program file": [*carried, "roll", "table_3", "--seed", "1"],
            "roll dice, program file": [*carried, "roll", "4d6kh3", "--seed", "1"],
            "run, program file": [*carried, "run", "procedure_3", "amount=3", *given, "--seed", "1"],
            "check, nothing kept": [*here, "check", str(made), "--no-cache"],
            "check, nothing changed": [*here, "check", str(made)],
            "check, bundled, nothing kept": [*here, "check", BUNDLED, "--no-cache"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds + 1):  # the first fills Python's own cache of compiled modules
            for name, command in commands.items():
                start = time.perf_counter()
                subprocess.run(command, check=True, capture_output=True, cwd=folder, env=env)
                times[name].append(time.perf_counter() - start)
        limit = statistics.median(times["bare interpreter (limit)"][1:])
        for name, taken in times.items():
            middle = statistics.median(taken[1:])
            print(f"{name:<28} {middle * 1000:7.1f} ms  x {middle / limit:5.2f}")


def unchanged(size: float, rounds: int) -> None:
    """A check of what has not changed, in this process, against the bare parse of the same text."""
    with TemporaryDirectory() as name:
        os.environ["RULESDATA_CACHE"] = str(Path(name) / "cache")
        path = Path(name) / "made.yaml"
        data = made_system(size)
        path.write_bytes(data)
        checked(str(path))
        ours, events = best(lambda: checked(str(path)), rounds), best(lambda: bare_parse([("made.yaml", data)]), rounds)
        print(f"nothing changed: {ours * 1000:.1f} ms, x {ours / events:.3f} of the bare parse of {size:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a look only: small sizes, one round")
    parser.add_argument("--cold", action="store_true", help="the cold commands only")
    arguments = parser.parse_args()
    quick = arguments.quick
    if not arguments.cold:
        growth((0.1, 0.2) if quick else (1.0, 4.0), 1 if quick else 3)
        unchanged(0.1 if quick else 1.0, 1 if quick else 3)
    cold(2 if quick else 11)


if __name__ == "__main__":
    main()
