"""The command `schema`: JSON Schemas for editors. Arguments in, exit status out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from rulesdata_runtime.files import write_whole

from ..cli import FINE, cli, house_option
from ..nearest import did_you_mean


@cli.command()
@click.argument("kind", required=False, metavar="[KIND|character]")
@click.argument("system", required=False, metavar="[SYSTEM]")
@click.option("--system", "of_system", metavar="SYSTEM", help="Propose the ids of this system.")
@house_option
@click.option("--write", "folder", metavar="DIR", help="Write all schemas into a folder instead, for an editor.")
@click.option("--json", "as_json", is_flag=True, help="With --write, tell what was written as JSON.")
def schema(
    kind: str | None,
    system: str | None,
    of_system: str | None,
    house: tuple[str, ...],
    folder: str | None,
    as_json: bool,
) -> int:
    """Print a JSON Schema, or write all of them for an editor.

    KIND is one kind of rule, file for a whole YAML file (as without it), artifact for a built file, or character for
    the character files of a system. Nothing is fetched from anywhere.

    \b
    rulesdata schema conditions
    rulesdata schema character my-game
    rulesdata schema --write .rulesdata --system my-game
    """
    from .. import editor

    name = system or of_system
    known = (*editor.kinds(), "character")
    if kind is not None and kind not in known:
        near = did_you_mean(kind, known)
        raise click.UsageError(f"there is no schema of {kind!r}; " + (near or f"there are {', '.join(known)}"))
    if kind == "character" and name is None:
        raise click.UsageError("say of which system: rulesdata schema character SYSTEM")
    artifact = _artifact(name, house) if name is not None else None
    rules = artifact["rules"] if artifact is not None else None
    if folder is not None:
        made = editor.folder(rules)
        if artifact is not None:
            made["character.json"] = editor.character(artifact)
        return _write(Path(folder), made, as_json)
    if kind == "character":
        assert artifact is not None
        click.echo(_text(editor.character(artifact)), nl=False)
    else:
        click.echo(_text(editor.bundle(kind or "file", rules)), nl=False)
    return FINE


def _artifact(name: str, house: tuple[str, ...]) -> Any:
    from rulesdata import load

    return load(name, house).artifact


def _write(folder: Path, made: dict[str, Any], as_json: bool) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for file, shape in sorted(made.items()):
        data = _text(shape).encode("utf-8")
        write_whole(folder / file, data)
        written.append({"path": str(folder / file), "bytes": len(data)})
    if as_json:
        click.echo(json.dumps({"version": 1, "written": written}, ensure_ascii=False))
        return FINE
    click.echo(f"wrote {len(written)} schemas into {folder}", err=True)
    click.echo("put this at the top of a YAML file, with the path from that file to the folder:", err=True)
    click.echo(f"# yaml-language-server: $schema={(folder / 'file.json').as_posix()}")
    return FINE


def _text(shape: Any) -> str:
    return json.dumps(shape, ensure_ascii=False, indent=2) + "\n"
