"""The artifact: sealed and opened again, and refused whenever anything about it is not as it was sealed."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdata_runtime.artifact import VERSION, open_artifact, seal
from rulesdata_runtime.errors import ArtifactError

BODY: dict[str, Any] = {
    "system": {"id": "demo", "title": "Demo – één", "version": "1.0.0"},
    "rules": {"lamp": {"kind": "condition", "formula": ["+", [1, ["get", "Kraft"]]]}, "brand": {"kind": "stat"}},
    "order": [],
    "files": ["rules.yaml"],
    "layers": ("demo",),
}


def with_head(body: dict[str, Any], version: tuple[int, int]) -> bytes:
    """An artifact of any version, with the right checksum."""
    start = b'{"format":"rulesdata","version":[%d,%d],"checksum":"' % version
    rest = b'",' + json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()[1:] + b"\n"
    return start + sha256(start + rest).hexdigest().encode() + rest


def refused(source: Any) -> tuple[str, str]:
    with pytest.raises(ArtifactError) as caught:
        open_artifact(source)
    return caught.value.code, caught.value.message


def test_what_was_sealed_is_opened() -> None:
    data = seal(BODY)
    found = open_artifact(data)
    assert found["rules"] == BODY["rules"]
    assert found["layers"] == ["demo"]
    assert found["format"] == "rulesdata"
    assert found["version"] == list(VERSION)


def test_the_bytes_are_canonical() -> None:
    data = seal(BODY)
    assert data == seal(dict(reversed(list(BODY.items()))))
    assert data == seal({**BODY, "format": "rulesdata", "version": [1, 0]})
    assert data.startswith(b'{"format":"rulesdata","version":[1,0],"checksum":"')
    assert data.endswith(b"}\n")
    assert data.count(b"\n") == 1
    assert b", " not in data
    assert "één".encode() in data
    assert data.index(b'"brand"') < data.index(b'"lamp"')


def test_it_opens_from_bytes_text_path_and_mapping(tmp_path: Path) -> None:
    data = seal(BODY)
    path = tmp_path / "rules.json"
    path.write_bytes(data)
    wanted = open_artifact(data)
    for source in (data.decode(), path, str(path), wanted, json.loads(data)):
        assert open_artifact(source) == wanted


@pytest.mark.parametrize("flip", [lambda b: b ^ 1, lambda b: b ^ 0x20, lambda b: b ^ 0x80, lambda b: (b + 1) % 256])
def test_every_single_byte_counts(flip: Callable[[int], int]) -> None:
    data = seal(BODY)
    for place in range(len(data)):
        code, message = refused(data[:place] + bytes([flip(data[place])]) + data[place + 1 :])
        assert code in ("A901", "A902", "A903")
        assert "build it again" in message


def test_every_truncation_is_noticed() -> None:
    data = seal(BODY)
    for length in range(len(data)):
        assert "build it again" in refused(data[:length])[1]
    assert refused(data + b"\n")[0] == "A902"
    assert refused(data.replace(b"\n", b"\r\n"))[0] == "A902"


def test_a_changed_mapping_is_noticed() -> None:
    found = open_artifact(seal(BODY))
    assert refused({**found, "order": ["lamp"]})[0] == "A902"
    assert refused({**found, "version": [3, 0]})[0] == "A903"
    assert refused({**found, "x": 1.5})[0] == "A902"
    assert refused({"rules": {}})[0] == "A901"
    assert refused({})[0] == "A901"
    assert refused(7)[0] == "A902"


def test_other_formats() -> None:
    code, message = refused(with_head(BODY, (2, 0)))
    assert code == "A903"
    assert message == (
        "the artifact has format 2.0, and this program reads up to 1.0: update rulesdata to one that reads 2.x, "
        "or build it again with `rulesdata build`"
    )
    assert refused(with_head(BODY, (0, 9)))[1].startswith("the artifact has the old format 0.9; build it again")
    notices: list[str] = []
    newer = with_head({**BODY, "weather": {}}, (1, 7))
    assert open_artifact(newer, notices)["weather"] == {}
    assert notices == [
        "the artifact has format 1.7, newer than this program's 1.0: what is new in it is left out of account"
    ]
    open_artifact(with_head(BODY, (1, 0)), notices)
    assert len(notices) == 1


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        (b'"system":{},"rules":{"a":{"kind":"stat"},"a":{"kind":"stat"}}', "a key stands twice"),
        (b'"system":{},"rules":{"a":{"kind":"stat","x":NaN}}', "NaN is no exact number"),
        (b'"system":{},"rules":{"a":{"kind":"stat","x":1.5}}', "1.5 is no exact number"),
        (b'"system":{},"rules":{"a":{"kind":"stat","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}}", "nested too"),
        (b'"system":{},"rules":{"a":{"kind":"stat","x":"\xff"}}', "it is no JSON"),
        (b'"system":{},"rules":{"a":{"kind":"stat"}', "it is no JSON"),
        (b'"system":{}', "it has no rules"),
        (b'"rules":{}', "it has no system"),
        (b'"system":{},"rules":[]', "its rules is of another kind"),
        (b'"system":{},"rules":{},"order":{}', "its order is of another kind"),
        (b'"system":{},"rules":{"a":{}}', "a rule in it has no kind"),
        (b'"system":{},"rules":{"a":3}', "a rule in it has no kind"),
    ],
)
def test_a_right_checksum_does_not_make_it_right(rest: bytes, why: str) -> None:
    start, rest = b'{"format":"rulesdata","version":[1,0],"checksum":"', b'",' + rest + b"}\n"
    code, message = refused(start + sha256(start + rest).hexdigest().encode() + rest)
    assert code == "A902"
    assert why in message


@pytest.mark.parametrize("source", [b"", b"{}", b"hello", b"\x00" * 200, b"[" * 100_000])
def test_what_is_no_artifact(source: bytes) -> None:
    assert refused(source)[0] == "A901"


@given(st.binary(max_size=300))
def test_no_bytes_do_anything_else(data: bytes) -> None:
    assert refused(data)[0] in ("A901", "A902", "A903")
    head = seal(BODY)[:40]
    assert refused(head + data)[0] in ("A901", "A902", "A903")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.json")[1].endswith("none.json: No such file or directory")
    assert refused(tmp_path)[0] == "A904"
    assert refused("a\0b")[0] == "A904"
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    assert "larger than 64 MiB" in refused(tmp_path / "large.json")[1]


@pytest.mark.parametrize("value", [1.5, {"x": [float("nan")]}, {3: "x"}, {"y": {1, 2}}, object()])
def test_only_exact_plain_data_is_sealed(value: Any) -> None:
    with pytest.raises(TypeError):
        seal({**BODY, "rules": {"a": value}})
