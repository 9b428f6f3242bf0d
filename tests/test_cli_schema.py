"""JSON Schemas for editors: whole, offline, and true of what they describe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rulesdata
from commands import lamps
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from rulesdata.__main__ import main

from rulesdata_compiler import editor

SYSTEMS = ["shadowrun-4e", "genesys-shadowrun", "cyberpunk-red", "blackout"]


def references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for part in schema.values():
            yield from references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from references(part)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["schema", *words]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("kind", editor.kinds())
def test_a_printed_schema_holds_all_it_refers_to(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    schema = printed(capsys, kind)
    Draft202012Validator.check_schema(schema)
    for reference in references(schema):
        assert reference.startswith("#/$defs/"), reference
        assert reference.removeprefix("#/$defs/") in schema["$defs"]


def test_the_schema_of_a_file_finds_a_misspelt_field(capsys: pytest.CaptureFixture[str]) -> None:
    check = Draft202012Validator(printed(capsys))
    assert check.is_valid({"derived": {"oil": {"title": "Oil", "formula": "3 + 4"}}})
    assert not check.is_valid({"derived": {"oil": {"titel": "Oil", "formula": "3 + 4"}}})
    assert not check.is_valid({"derivd": {}})


def test_schemas_are_written_for_an_editor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "deep" / "schemas"
    assert main(["schema", "--write", str(made), "--system", str(lamps(tmp_path))]) == 0
    out, err = capsys.readouterr()
    assert out.strip() == f"# yaml-language-server: $schema={made.as_posix()}/file.json"
    assert "wrote" in err
    written = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in made.iterdir()}
    assert {"file.json", "artifact.json", "character.json", "common.json"} <= set(written)
    for name, schema in written.items():
        for reference in references(schema):
            assert reference.partition("#")[0] in {"", *written}, (name, reference)
    registry: Any = Registry().with_resources(
        [(name, DRAFT202012.create_resource(schema)) for name, schema in written.items()]
    )
    check = Draft202012Validator({"$ref": "file.json"}, registry=registry)
    assert check.is_valid({"stats": {"Wits": {"min": 1}}})
    assert not check.is_valid({"stats": {"Wits": {"mni": 1}}})
    assert written["common.json"]["$defs"]["rule_name"]["examples"] == ["Wits", "noise", "oil"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_schema_of_the_artifact_is_true_of_every_system(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    artifact = dict(rulesdata.load(system).artifact)
    check = Draft202012Validator(printed(capsys, "artifact"))
    assert [(list(one.absolute_path), one.message) for one in check.iter_errors(artifact)] == []
    assert not check.is_valid({**artifact, "version": [2, 0]})
    assert not check.is_valid({**artifact, "code": "print()"})


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_schema_of_characters_is_true_of_saved_ones(system: str, capsys: pytest.CaptureFixture[str]) -> None:
    rules = rulesdata.load(system)
    check = Draft202012Validator(printed(capsys, "character", system))
    saved = json.loads(json.dumps(rules.saved(rules.character())))
    assert [(list(one.absolute_path), one.message) for one in check.iter_errors(saved)] == []
    assert not check.is_valid({**saved, "values": {"No_such_stat": 1}})
    assert not check.is_valid({**saved, "conditions": [{"id": "no_such_condition"}]})


def test_a_number_out_of_range_does_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check = Draft202012Validator(printed(capsys, "character", str(lamps(tmp_path))))
    head = {"format": "rulesdata-character", "version": 1}
    assert check.is_valid({**head, "values": {"Wits": 6}})
    assert not check.is_valid({**head, "values": {"Wits": 7}})
    assert not check.is_valid({**head, "values": {"Wits": "6"}})
