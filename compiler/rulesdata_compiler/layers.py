"""Which files make a system: the base, what it extends, and the house rules over it.

In: the name of a system (bundled id, folder or YAML file) and house-rules files. Out: layers, the base first, each
with its files; what cannot be found is told in plain words. Headers alone are looked at here; the order of house
rules is found later (`compose_order.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path, PurePosixPath

from .diagnostics import Findings
from .nearest import did_you_mean
from .reading import gather
from .reading.read import read
from .tree import Mapping, Scalar

MOST_LAYERS = 16
HOUSE_FOLDER = "house"


@dataclass(frozen=True, slots=True)
class Layer:
    """`files` are (name, bytes); names are relative with `/`. `shown` maps them to the paths that users know.

    `id` and `extends` are what the header says, "" where it says nothing.
    """

    name: str
    files: tuple[tuple[str, bytes], ...]
    house: bool = False
    shown: dict[str, str] = field(default_factory=dict)
    id: str = ""
    extends: str = ""


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
    if path.is_file():
        raise NotFound(
            f"{name} is no rules file: name a folder of rules or a .yaml file; of a built file, what it was built from"
        )
    near = did_you_mean(name, [*systems, *_systems_beside(path)])
    raise NotFound(
        f"there is no system called {name!r}: it is neither a folder here nor one of "
        f"{', '.join(systems) or 'the bundled systems'}" + (f"; {near}" if near else "")
    )


def _systems_beside(path: Path) -> list[str]:
    """The systems in the folder where a name was looked for, as they would have been written."""
    try:
        entries = sorted(path.parent.iterdir())
    except OSError:
        return []
    return [str(path.parent / entry.name) for entry in entries if (entry / "system.yaml").is_file()]


def find_layers(name: str, house: Sequence[str], findings: Findings) -> list[Layer]:
    """All layers for a system and its house-rules files, the base first. Raises NotFound.

    House rules may extend others that nobody named: those are looked for beside them, and below the system.
    """
    path = find_system(name)
    systems = _systems(path, findings)
    overlays = [_house_layer(found, findings) for found in dict.fromkeys(_house_path(item, path) for item in house)]
    places = {Path(item).resolve().parent for item in house if Path(item).exists()}
    if path.is_dir():
        places.add(path / HOUSE_FOLDER)
    overlays += _extended(overlays, {layer.id for layer in systems}, sorted(places), findings)
    return systems + _own_names(overlays, {file for layer in systems for file, _ in layer.files})


# --- systems -------------------------------------------------------------------------------------------------------


def _systems(path: Path, findings: Findings) -> list[Layer]:
    """A system and what it extends, the base first."""
    layers = [_system_layer(path, "", findings)]
    while base := layers[0].extends:
        chain = " extends ".join([*(layer.id or layer.name for layer in reversed(layers)), base])
        if any(base in (layer.id, layer.name) for layer in layers):
            raise NotFound(f"systems extend each other in a circle: {chain}")
        if len(layers) >= MOST_LAYERS:
            raise NotFound(f"systems extend each other more than {MOST_LAYERS} deep: {chain}")
        beside = path.resolve().parent / base
        try:
            path = beside if (beside / "system.yaml").is_file() else find_system(base)
        except NotFound as problem:
            raise NotFound(f"{layers[0].id or layers[0].name} extends {base}, and {problem}") from None
        layers.insert(0, _system_layer(path, f"{base}/", findings))
    return layers


def _system_layer(path: Path, prefix: str, findings: Findings) -> Layer:
    if path.is_file():
        files = ((prefix + path.name, path.read_bytes()),)
        return Layer(path.stem, files, False, {prefix + path.name: _shown(path)}, *_header(files, "system"))
    read_files = gather.read_folder(path, findings)
    own = tuple((prefix + name, data) for name, data in read_files if not name.startswith(f"{HOUSE_FOLDER}/"))
    shown = {prefix + name: _shown(path / PurePosixPath(name)) for name, _ in read_files}
    return Layer(path.resolve().name, own, False, shown, *_header(own, "system"))


# --- house rules ---------------------------------------------------------------------------------------------------


def _house_path(name: str, system: Path) -> Path:
    """A path, or the name of house rules that come with the system."""
    path = Path(name)
    if path.exists():
        return path.resolve()
    folder = system / HOUSE_FOLDER
    come_along = {entry.stem: entry for entry in sorted(folder.glob("*.yaml"))} if folder.is_dir() else {}
    if name in come_along:
        return come_along[name].resolve()
    beside = [_shown(entry) for entry in sorted(path.parent.glob("*.yaml"))] if path.parent.is_dir() else []
    near = did_you_mean(name, [*beside, *come_along])
    if near is None and come_along:
        near = f"with this system come {', '.join(come_along)}"
    raise NotFound(f"there is no house-rules file {name}" + (f"; {near}" if near else ""))


def _house_layer(path: Path, findings: Findings) -> Layer:
    files = tuple(gather.read_folder(path, findings))
    shown = {name: _shown(path / name if path.is_dir() else path) for name, _ in files}
    return Layer(path.stem, files, True, shown, *_header(files, "house_rules"))


def _extended(overlays: list[Layer], known: set[str], places: list[Path], findings: Findings) -> list[Layer]:
    """The house rules that others extend, where nobody named their file."""
    found: list[Layer] = []
    have = known | {layer.id for layer in overlays}
    wanted = [layer.extends for layer in overlays]
    while wanted and len(found) < MOST_LAYERS:
        name = wanted.pop()
        if not name or name in have:
            continue
        for path in _files(places):
            layer = _house_layer(path, Findings())
            if layer.id == name:
                found.append(_house_layer(path, findings))
                have.add(name)
                wanted.append(layer.extends)
                break
    return found


def _files(places: list[Path]) -> Iterator[Path]:
    for place in places:
        if place.is_dir():
            yield from sorted(entry for entry in place.glob("*.yaml") if entry.is_file() and not entry.is_symlink())


def _own_names(overlays: list[Layer], taken: set[str]) -> list[Layer]:
    """No two files have one name; those of house rules that do get the id of theirs in front."""
    count: dict[str, int] = {}
    for layer in overlays:
        for name, _ in layer.files:
            count[name] = count.get(name, 0) + 1
    made: list[Layer] = []
    for layer in overlays:
        if not any(name in taken or count[name] > 1 for name, _ in layer.files):
            made.append(layer)
            continue
        front = f"{layer.id or layer.name}/"
        files = tuple((front + name, data) for name, data in layer.files)
        shown = {front + name: path for name, path in layer.shown.items()}
        made.append(Layer(layer.name, files, True, shown, layer.id, layer.extends))
    return made


# --- headers -------------------------------------------------------------------------------------------------------


def _header(files: Iterable[tuple[str, bytes]], key: str) -> tuple[str, str]:
    """`id` and `extends` of the header; what is wrong with the file is told when it is read in earnest."""
    for name, data in files:
        if key.encode() + b":" not in data or (key == "system" and b"extends:" not in data and b"id:" not in data):
            continue
        root = read(name, data, Findings())
        header = root.get(key) if root is not None else None
        if isinstance(header, Mapping):
            return _word(header, "id"), _word(header, "extends")
    return "", ""


def _word(header: Mapping, key: str) -> str:
    found = header.get(key)
    return found.text.strip() if isinstance(found, Scalar) else ""


def _shown(path: Path) -> str:
    """A path as users know it: below the working folder relative to it, with `/`."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
