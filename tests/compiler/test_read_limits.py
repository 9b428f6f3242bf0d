"""Encodings, characters, sizes and attacks: each a finding, none a crash, none slow."""

from __future__ import annotations

import os

import pytest

from rulesdata_compiler.diagnostics import Finding, Findings
from rulesdata_compiler.reading.read import read

pytestmark = pytest.mark.usefixtures("parser")


def findings_of(data: bytes) -> list[Finding]:
    findings = Findings()
    assert read("a.yaml", data, findings) is None
    return list(findings)


def only(data: bytes) -> tuple[str, str, str | None]:
    (finding,) = findings_of(data)
    assert finding.span is not None
    return (f"{finding.span.line}:{finding.span.column} {finding.code}", finding.message, finding.hint)


SAVE = "open it in your editor and save it with the encoding UTF-8"
DELETE = "delete it; it cannot be seen, so delete the characters before and behind it too and type them again"

BAD_BYTES = [
    (
        "a: 1\nb: é caf".encode() + b"\xe9\n",
        "2:9 Y101",
        "this file is not saved as UTF-8: byte 15 of the file (hexadecimal E9) does not fit",
        SAVE,
    ),
    ("a: 1\n".encode("utf-16"), "1:1 Y101", "this file is saved as UTF-16, not as UTF-8", SAVE),
    ("a: 1\n".encode("utf-16-be"), "1:1 Y101", "this file is saved as UTF-16, not as UTF-8", SAVE),
    ("a: 1\n".encode("utf-16-le"), "1:1 Y101", "this file is saved as UTF-16, not as UTF-8", SAVE),
    (
        b"a: \xed\xa0\x80",
        "1:4 Y101",
        "this file is not saved as UTF-8: byte 4 of the file (hexadecimal ED) does not fit",
        SAVE,
    ),
    (
        "a: 1\nb\ufeff: 2".encode(),
        "2:2 Y102",
        "the character U+FEFF BYTE ORDER MARK has no place in a rules file",
        DELETE,
    ),
    (b"a: x\0y", "1:5 Y102", "the character U+0000 NULL has no place in a rules file", DELETE),
    (
        b"a: x\x07y\x07z\x07",
        "1:5 Y102",
        "the character U+0007 BELL has no place in a rules file, here and in 2 more places",
        DELETE,
    ),
    ("a: x\u2028b: 1".encode(), "1:5 Y102", "the character U+2028 LINE SEPARATOR has no place in a rules file", DELETE),
    ("a: x\u0085b: 1".encode(), "1:5 Y102", "the character U+0085 NEXT LINE has no place in a rules file", DELETE),
    ("a: x\uffffb".encode(), "1:5 Y102", "the character U+FFFF has no place in a rules file", DELETE),
]


@pytest.mark.parametrize(("data", "place", "message", "hint"), BAD_BYTES, ids=[repr(case[0]) for case in BAD_BYTES])
def test_bad_bytes(data: bytes, place: str, message: str, hint: str) -> None:
    assert only(data) == (place, message, hint)


def test_a_file_that_is_no_text_is_not_told_byte_by_byte() -> None:
    assert len(findings_of(bytes(range(32)) * 200)) == 5


def test_too_large() -> None:
    assert only(b"a: 1\n" + b"#" * (2 * 1024 * 1024)) == (
        "1:1 Y106",
        "this file has more than 2,097,152 bytes (2 MiB)",
        "split it into several files: they are read as one",
    )


DEEP = "this is nested deeper than 64 levels"
CLOSE = "close the brackets that are open, or take levels out"


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"[" * 100_000, "1:65 Y107"),
        (b"a: " + b"[" * 65 + b"]" * 65, "1:67 Y107"),
        (b"{" * 3_000, "1:65 Y107"),
        (b"- " * 3_000, "1:129 Y107"),
        ("".join(f"{' ' * depth}a:\n" for depth in range(1_000)).encode(), "65:65 Y107"),
        (b"{a: " * 3_000, "1:257 Y107"),
    ],
    ids=["lists", "a list", "mappings", "items", "keys", "keys in brackets"],
)
def test_depth_has_an_end(data: bytes, place: str) -> None:
    assert only(data) == (place, DEEP, CLOSE)


def test_depth_of_64_is_fine() -> None:
    findings = Findings()
    assert read("a.yaml", b"a: " + b"[" * 63 + b"]" * 63, findings) is not None
    assert not list(findings)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)).replace("*a0", "*a"),
        "a: &a [*a]",
        "a: &a {b: *a}",
        "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 26)),
    ],
    ids=["a billion laughs", "a list in itself", "a mapping in itself", "merges"],
)
def test_anchors_cost_nothing(text: str) -> None:
    findings = Findings()
    read("a.yaml", text.encode(), findings)
    assert {item.code for item in findings} == {"Y108"}


def test_tags_run_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(command: str) -> int:
        raise AssertionError(command)

    monkeypatch.setattr(os, "system", never)
    findings = Findings()
    text = b"a: !!python/object/apply:os.system ['true']\nb: !!binary aGk=\nc: !own x\nd: !!set {x}\n"
    read("a.yaml", text, findings)
    assert [item.code for item in findings if item.code != "Y116"] == ["Y109"] * 4


def test_many_mistakes_in_a_long_file_are_told_in_good_time() -> None:
    findings = Findings()
    read("a.yaml", b"".join(b"a%d: Roll: 2d6\n" % n for n in range(20_000)), findings)
    assert 1 <= len(findings) <= 60
