"""One change written into a file of house rules, as a person would write it.

In: a system, a rule, a field, a value, and the file. Out: the file before and after; writing it and putting it back is
done here as well. The one rule: the file stays its owner's. Nothing else in it changes, the file before is kept beside
it until the next change succeeds, and what would not pass `check` is not written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from rulesdata_runtime.errors import BadInput
from rulesdata_runtime.files import write_whole

from ..composing.compose import compose
from ..composing.family import Families
from ..composing.nodes import say
from ..composing.words import CHANGED, ID_FIELDS, NOUNS, PROSE_FIELDS, WAS, WHY, find
from ..diagnostics import Findings
from ..layers import Layer, NotFound, find_layers
from ..nearest import did_you_mean
from ..pipeline import Compiled, compile_layers
from ..reading import gather
from ..tree import Entry, Mapping, Node, Scalar
from .splice import Refused, set_value, spelled

BACKUP = ".bak"
# Between keys; row keys such as ..0 and -7..-1 hold dots of their own.
_DOT = re.compile(r"\.(?=\.\.)|(?<!\.)\.(?!\.)")


@dataclass(frozen=True, slots=True)
class Plan:
    """A change that is not made yet. `before` is None for a file that is not there; `checked` is what check says."""

    path: Path
    before: bytes | None
    after: bytes
    checked: Compiled

    def shown(self) -> str:
        """The change as a unified diff."""
        old = (self.before or b"").decode("utf-8").splitlines()
        new = self.after.decode("utf-8").splitlines()
        return "\n".join(unified_diff(old, new, str(self.path), str(self.path), lineterm="")) + "\n"

    def write(self) -> None:
        """Make it; the file before is kept beside. Raises CannotWrite."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(_backup(self.path), self.before or b"")
        write_whole(self.path, self.after)


def plan(
    system: str, rule: str, field: str, value: str, path: Path, *, why: str | None = None, changed: bool = False
) -> Plan:
    """What the file would be. Raises NotFound, BadInput, Refused."""
    if path.is_dir():
        raise BadInput(f"{path} is a folder: name the file in it")
    before = path.read_bytes() if path.is_file() else None
    others = find_layers(system, [str(path)] if before is not None else [], Findings())
    mine = next((layer for layer in others if layer.house and layer.shown and _is(layer, path)), None)
    below = [layer for layer in others if layer is not mine]
    kind, entry = _rule(below, rule)
    keys = [key for key in _DOT.split(field) if key]
    if not keys:
        raise BadInput(f"say which field of {rule} changes: formula, max, rows.some_row.at")
    if kind == "options" and keys != ["value"] and not isinstance(entry.value, Mapping):
        raise BadInput(f"the option {rule} has one field that can change: value")
    data = before if before is not None else _fresh(path, below[-1].id or below[-1].name)
    way = ["change", kind, entry.key.text, *keys]
    data = _with(path, data, way, value, entry.value, keys, why, changed)
    name = mine.files[0][0] if mine is not None else path.name
    layer = Layer(path.stem, ((name, data),), True, {name: str(path)}, mine.id if mine is not None else path.stem)
    return Plan(path, before, data, compile_layers([*below, layer], Findings()))


def undo(path: Path) -> bool:
    """Put the file before back; False where none is kept."""
    kept = _backup(path)
    if not kept.is_file():
        return False
    data = kept.read_bytes()
    if data:
        write_whole(path, data)
    else:
        path.unlink(missing_ok=True)  # there was no file before
    kept.unlink()
    return True


def _with(
    path: Path,
    data: bytes,
    way: Sequence[str],
    value: str,
    rule: Node,
    keys: Sequence[str],
    why: str | None,
    changed: bool,
) -> bytes:
    """The file with the value, and beside it what it was and why."""
    # Beside an id stand other ids: what belongs to the change goes up to the rule.
    inner = way[:3] if _is_id(keys) else way[:-1]
    old = _value(rule, keys)
    known = _at(path, data, inner)
    data = set_value(path.name, data, way, value)
    if inner == way[:-1]:
        data = _with_was(path.name, data, inner, way[-1], old, known)
    if why is not None:
        data = set_value(path.name, data, [*inner, WHY], why)
    if changed:
        data = set_value(path.name, data, [*way[:3], "examples"], CHANGED)
    return data


def _is_id(keys: Sequence[str]) -> bool:
    """Whether the last of some keys is an id: below `rows` and the like stand ids, and below those fields again."""
    ids = False
    for key in keys[:-1]:
        ids = not ids and key in ID_FIELDS
    return ids


def _with_was(
    name: str, data: bytes, inner: Sequence[str], field: str, old: str | None, known: Mapping | None
) -> bytes:
    """The file with what the field was; several fields that are told share one `was`."""
    told = known.get(WAS) if known is not None else None
    others = [
        entry.key.text for entry in known or () if entry.key.text not in {WAS, WHY, "examples", field} | PROSE_FIELDS
    ]
    if isinstance(told, Mapping):
        return data if old is None else set_value(name, data, [*inner, WAS, field], old)
    if isinstance(told, Scalar) and others:
        both = f"{others[0]}: {spelled(told.text, flow=True)}"
        if old is not None:
            both += f", {field}: {spelled(old, flow=True)}"
        return set_value(name, data, [*inner, WAS], f"{{{both}}}")
    return data if others or old is None else set_value(name, data, [*inner, WAS], old)


def _at(path: Path, data: bytes, way: Sequence[str]) -> Mapping | None:
    """The mapping at the end of a way, in a file."""
    collected = gather.gather([(path.name, data)], Findings())
    node: Node | None = collected.change
    for key in way[1:]:
        found = find(node, key, rows=True) if isinstance(node, Mapping) else None
        node = found.value if found is not None else None
    return node if isinstance(node, Mapping) else None


def _value(rule: Node, keys: Sequence[str]) -> str | None:
    """The single value that stands below now."""
    node: Node | None = rule
    for key in keys:
        found = find(node, key, rows=True) if isinstance(node, Mapping) else None
        node = found.value if found is not None else None
    if node is None and keys == ["value"] and isinstance(rule, Mapping):
        node = rule.get("default")
    return say(node) if isinstance(node, Scalar) else None


def _rule(layers: Sequence[Layer], rule: str) -> tuple[str, Entry]:
    """The kind and entry of a rule as it stands below the file."""
    findings = Findings()
    composed = compose([(layer, gather.gather(layer.files, findings)) for layer in layers], findings)
    kinds = {} if composed is None else {kind: dict(rules) for kind, rules in composed.collected.kinds.items()}
    families = Families(kinds)
    for kind in kinds:
        found = families.find(kind, rule)
        if len(found) == 1 and kind in NOUNS:
            return kind, found[0]
    near = did_you_mean(rule, [name for kind in kinds for name in families.names(kind)])
    raise NotFound(f"there is no rule {rule}" + (f"; {near}" if near else ""))


def _is(layer: Layer, path: Path) -> bool:
    return any(Path(shown).resolve() == path.resolve() for shown in layer.shown.values())


def house_id(path: Path) -> str:
    """An id made of a file's name: small letters, digits, hyphens."""
    name = path.stem if path.suffix in (".yaml", ".yml") else path.name
    made = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return made or "house-rules"


def _fresh(path: Path, system: str) -> bytes:
    """A new file with nothing but its header."""
    name = house_id(path)
    title = spelled(name.replace("-", " ").capitalize(), flow=False)
    return (
        "# House rules: what this table plays differently, and why.\n"
        f"house_rules:\n  id: {name}\n  title: {title}\n  extends: {system}\n\n"
    ).encode()


def _backup(path: Path) -> Path:
    return path.with_name(path.name + BACKUP)


__all__ = ["Plan", "Refused", "house_id", "plan", "undo"]
