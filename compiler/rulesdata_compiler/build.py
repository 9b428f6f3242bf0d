"""What `build` writes: the artifact, a program that carries it, or the reference.

In: a compiled system and a path. Out: the files written, with their sizes.
"""

from __future__ import annotations

from pathlib import Path

from rulesdata_runtime.files import CannotWrite, write_whole

from .pipeline import Compiled

SOURCES = {".yaml", ".yml"}
ENDINGS = {"json": ".rules.json", "py": ".py", "html": ".html", "markdown": ""}


def refuse_source(path: Path, target: str) -> None:
    """Whatever is built never takes the place of rules that somebody wrote. Raises CannotWrite."""
    if path.suffix.lower() in SOURCES and target != "markdown":
        raise CannotWrite(
            f"{path} would be a YAML file, and those are what you write yourself: "
            f"give -o a name that ends in {ENDINGS[target]}"
        )
    if target != "markdown" and path.is_dir():
        inside = path / f"rules{ENDINGS[target]}"
        raise CannotWrite(f"{path} is a folder: give -o the name of a file, such as {inside}")


def build_target(compiled: Compiled, target: str, path: Path) -> list[tuple[Path, int]]:
    """Write one target. Raises CannotWrite; nothing is left half written."""
    assert compiled.artifact is not None
    match target:
        case "json":
            files = {path: compiled.artifact}
        case "py":
            from .program import program

            files = {path: program(compiled.artifact, path.name)}
        case _:
            from .reference.pages import html_page, markdown_pages

            if target == "html":
                files = {path: html_page(compiled)}
            else:
                files = {path / name: data for name, data in markdown_pages(compiled).items()}
    for name, data in sorted(files.items()):
        name.parent.mkdir(parents=True, exist_ok=True)
        write_whole(name, data)
    return [(name, len(data)) for name, data in sorted(files.items())]
