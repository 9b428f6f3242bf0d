"""Which files make a system: the base, what it extends, and the house rules over it.

In: the name of a system (bundled id, folder or YAML file) and house-rules files. Out: layers, the base first, each
with its files; what cannot be found is told in plain words. Only files are read here, nothing is parsed but headers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path, PurePosixPath

from . import gather
from .diagnostics import Findings
from .nearest import did_you_mean

MOST_LAYERS = 16
_EXTENDS = re.compile(rb"^ {1,8}extends:[ \t]*[\"']?([a-z0-9][a-z0-9-]*)[\"']?[ \t]*(?:#.*)?\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Layer:
    """`files` are (name, bytes); names are relative with `/`. `shown` maps them to the paths that users know."""

    name: str
    files: tuple[tuple[str, bytes], ...]
    house: bool = False
    shown: dict[str, str] = field(default_factory=dict)


class NotFound(Exception):  # noqa: N818 - read aloud in `except NotFound`
    """No such system or file; the text says what there is instead."""


def bundled() -> dict[str, Path]:
    """The systems that ship with the package, by id."""
    root = Path(str(resources.files("rulesdata")))
    return {entry.name: entry for entry in sorted(root.iterdir()) if (entry / "system.yaml").is_file()}


def find_system(name: str) -> Path:
    """The folder or YAML file of a system: a bundled id or a path. Raises NotFound."""
    systems = bundled()
    path = Path(name)
    if path.is_dir() or (path.is_file() and path.suffix in {".yaml", ".yml"}):
        return path
    if name in systems:
        return systems[name]
    near = did_you_mean(name, systems)
    raise NotFound(
        f"there is no system called {name!r}: it is neither a folder here nor one of "
        f"{', '.join(systems) or 'the bundled systems'}" + (f"; {near}" if near else "")
    )


def find_layers(name: str, house: Sequence[str], findings: Findings) -> list[Layer]:
    """All layers for a system and its house-rules files, the base first. Raises NotFound."""
    layers = [_system_layer(find_system(name), "", findings)]
    while (base := _extends(layers[0])) is not None:
        if len(layers) >= MOST_LAYERS or any(layer.name == base for layer in layers):
            chain = " extends ".join([*(layer.name for layer in reversed(layers)), base])
            raise NotFound(f"systems extend each other in a loop, or more than {MOST_LAYERS} deep: {chain}")
        folder = find_system(name).parent / base
        layers.insert(0, _system_layer(folder if folder.is_dir() else find_system(base), f"{base}/", findings))
    for path in house:
        layers.append(_house_layer(Path(path), findings))
    return layers


def _system_layer(path: Path, prefix: str, findings: Findings) -> Layer:
    if path.is_file():
        return Layer(path.stem, ((prefix + path.name, path.read_bytes()),), shown={prefix + path.name: _shown(path)})
    files = gather.read_folder(path, findings)
    own = [(prefix + name, data) for name, data in files if not name.startswith("house/")]
    shown = {prefix + name: _shown(path / PurePosixPath(name)) for name, _ in files}
    return Layer(path.resolve().name, tuple(own), shown=shown)


def _house_layer(path: Path, findings: Findings) -> Layer:
    if path.is_dir():
        files = gather.read_folder(path, findings)
        return Layer(path.resolve().name, tuple(files), True, {name: _shown(path / name) for name, _ in files})
    if not path.is_file():
        raise NotFound(f"there is no house-rules file {_shown(path)}")
    return Layer(path.stem, ((path.name, path.read_bytes()),), True, {path.name: _shown(path)})


def _extends(layer: Layer) -> str | None:
    """What the header says this system extends; only the header's file is looked at."""
    for _, data in layer.files:
        if re.search(rb"^system:", data, re.MULTILINE):
            found = _EXTENDS.search(data)
            return found.group(1).decode("ascii") if found else None
    return None


def _shown(path: Path) -> str:
    """A path as users know it: below the working folder relative to it, with `/`."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
