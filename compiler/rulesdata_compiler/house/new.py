"""A system, or house rules, to start from.

In: a folder that is not there yet, or is empty of such files; for house rules also a system. Out: files that pass
`check` as they are. What stands in comments passes as well once the signs are taken off: it is made from the system's
own rules, and tried before it is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from rulesdata_runtime.errors import BadInput
from rulesdata_runtime.files import write_whole

from ..diagnostics import Findings
from ..layers import Layer, NotFound, find_layers
from ..model import Derived, Option, System, Table
from ..pipeline import Compiled, compile_layers
from .house import house_id
from .splice import spelled

SCHEMA = ".schema"
MODELINE = f"# yaml-language-server: $schema={SCHEMA}/file.json\n"
TRIES = 8

NEW_SYSTEM = """\
{modeline}# A system of rules. Every file ending in .yaml below this folder belongs to it; split it as you like.
#   rulesdata check {folder}
#   rulesdata value {folder} boxes vigour=5 --explain
#   rulesdata roll {folder} test pool=6
system:
  id: {id}
  title: {title}
  version: 0.1.0
  about: What these rules are for, in a sentence or two.

# What a character sheet says.
stats:
  vigour: {{title: Vigour, text: How strong one is., type: int, min: 1, max: 6}}

# What follows from it. Examples are run by every check.
derived:
  boxes:
    title: Boxes
    text: How many blows one can take.
    formula: 8 + ceil(vigour / 2)
    examples:
      - {{title: Half of 5 is rounded up, given: {{vigour: 5}}, expect: {{boxes: 11}}}}

# What is rolled.
rolls:
  test:
    title: Test
    text: Fives and sixes are hits.
    params: {{pool: {{type: int, min: 0, max: 20}}}}
    let: {{thrown: (pool)d6}}
    results: {{hits: count(thrown >= 5)}}
"""

NEW_HOUSE = """\
{modeline}# House rules over {system}. What you write here is laid over the official rules; those stay as they are.
#   rulesdata check {named} --house {folder}
#   rulesdata diff {named} --house {folder}
house_rules:
  id: {id}
  title: {title}
  extends: {system}

# Below change: stand rules that are there, by kind and id, and only the fields that are different.
# `base` is the formula that yours replaces, `was` what it said when you wrote this: an update that
# touches it will tell you. Take "# " off the lines you want.
change:
{change}
# New rules stand below add:, what goes below remove:, by kind and id.
# add:
#   conditions:
#     some_id: {{title: ..., text: ..., stacking: ignore, ends: never}}
# remove:
#   conditions: [some_id]
"""


def new_system(folder: Path) -> list[Path]:
    """Write a system of a few lines. Raises BadInput where something is in the way."""
    name = house_id(folder.resolve())
    text = NEW_SYSTEM.format(modeline=MODELINE, folder=folder.as_posix(), id=name, title=_title(name))
    return _write(folder, "system.yaml", text)


def new_house(folder: Path, system: str) -> list[Path]:
    """Write house rules over a system. Raises BadInput, NotFound."""
    layers = find_layers(system, [], Findings())
    base = compile_layers(layers, Findings())
    if base.system is None or base.artifact is None:
        raise NotFound(f"{system} has errors: rulesdata check {system} tells them")
    name = house_id(folder.resolve())
    if name == base.system.header.id:
        name += "-house"
    blocks = [block for found in (_derived, _options, _tables) if (block := _first(found(base.system), layers, base))]
    text = NEW_HOUSE.format(
        modeline=MODELINE,
        system=base.system.header.id,
        named=system,
        folder=folder.as_posix(),
        id=name,
        title=_title(name),
        change="\n".join("\n".join(_commented(block)) for block in blocks) + "\n" if blocks else "",
    )
    return _write(folder, "house.yaml", text)


def _write(folder: Path, name: str, text: str) -> list[Path]:
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is a file: name a folder")
    there = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
    if there:
        raise BadInput(f"{there[0]} is there already, and nothing is overwritten: name another folder")
    schema = folder / SCHEMA
    schema.mkdir(parents=True, exist_ok=True)
    for entry in sorted(resources.files("rulesdata_compiler.schemas").iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".json"):
            write_whole(schema / entry.name, entry.read_bytes())
    write_whole(folder / name, text.encode())
    return [folder / name]


def _title(name: str) -> str:
    return spelled(name.replace("-", " ").capitalize(), flow=False)


# --- examples from the system's own rules ------------------------------------------------------------------------


def _derived(system: System) -> Iterator[list[str]]:
    """A value that is one more."""
    rules = [rule for rule in system.rules.values() if isinstance(rule, Derived) and rule.family is None]
    # A formula that reads something shows best what `base` is.
    for rule in sorted(rules, key=lambda rule: rule.formula.text.strip("-").isdecimal()):
        if len(rule.formula.text) < 60:
            yield [
                "derived:",
                f"  {rule.id}:",
                "    formula: base + 1",
                f"    was: {spelled(rule.formula.text, flow=False)}",
                "    why: Everybody here is a little tougher.",
                "    examples: changed  # the official examples may come out otherwise",
            ]


def _options(system: System) -> Iterator[list[str]]:
    """An option that is set otherwise."""
    for rule in system.rules.values():
        if isinstance(rule, Option) and rule.spec.default is not None:
            now = rule.spec.default.text.strip()
            now = {"true": "yes", "false": "no"}.get(now, now)
            other = {"yes": "no", "on": "off", "no": "yes", "off": "on"}.get(now)
            if rule.spec.type == "choice":
                other = next((choice for choice in rule.spec.of if choice != now), None)
            elif rule.spec.type == "int" and now.isdecimal():
                other = str(int(now) + 1)
            if other is not None:
                yield [
                    "options:",
                    f"  {rule.id}: {{value: {other}, was: {now}, why: We like it better so., examples: changed}}",
                ]


def _tables(system: System) -> Iterator[list[str]]:
    """A row that is called otherwise."""
    for rule in system.rules.values():
        row = next((row for row in rule.rows if row.title), None) if isinstance(rule, Table) else None
        if row is not None and rule.family is None:
            yield [
                "tables:",
                f"  {rule.id}:",
                "    rows:",
                f"      {spelled(row.id, flow=True)}: {{title: {spelled(f'{row.title} (ours)', flow=True)}}}",
            ]


def _first(blocks: Iterator[list[str]], layers: list[Layer], base: Compiled) -> list[str] | None:
    """The first that passes when it is laid over the system."""
    assert base.system is not None
    header = f"house_rules: {{id: a-try, extends: {base.system.header.id}}}\nchange:\n"
    for _, block in zip(range(TRIES), blocks, strict=False):
        text = header + "".join(f"  {line}\n" for line in block)
        over = Layer("a-try", (("a-try.yaml", text.encode()),), True, {}, "a-try")
        if not compile_layers([*layers, over], Findings()).findings.errors:
            return block
    return None


def _commented(block: list[str]) -> list[str]:
    return [f"  # {line}" for line in block]
