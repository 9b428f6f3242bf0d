"""Findings as text, JSON, GitHub lines and SARIF: whole renderings."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from unicodedata import east_asian_width

import pytest

from rulesdata_compiler.diagnostics import Findings, Note
from rulesdata_compiler.excerpt import WIDEST, excerpt
from rulesdata_compiler.render import render_many, render_text
from rulesdata_compiler.source import Source, Span


@dataclass
class Run:
    findings: Findings
    shown: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


def one(source: Source, start: int, end: int, message: str = "this is wrong", hint: str | None = None) -> Findings:
    findings = Findings()
    findings.add("Y104", message, Span(source, start, end), hint=hint)
    return findings


def sample() -> Findings:
    source = Source("rules.yaml", "stats:\n  Body: 1\n  Body: 2\n")
    findings = Findings()
    findings.add(
        "Y104",
        "the key Body is written twice",
        Span(source, 19, 23),
        notes=(Note(Span(source, 9, 13), "written here first"),),
        hint="keep one of the two",
    )
    return findings


def test_text() -> None:
    assert render_text(sample()) == (
        "rules.yaml:3:3: error[Y104]: the key Body is written twice\n"
        "   3 |   Body: 2\n"
        "     |   ^^^^\n"
        "note: rules.yaml:2:3: written here first\n"
        "   2 |   Body: 1\n"
        "     |   ^^^^\n"
        "hint: keep one of the two\n"
    )


def test_colour_only_when_asked() -> None:
    coloured = render_text(sample(), colour=True)
    assert coloured.startswith("\x1b[1mrules.yaml:3:3: \x1b[0m\x1b[1;31merror[Y104]\x1b[0m: \x1b[1mthe key")
    assert "\x1b" not in render_text(sample())


def test_paths_as_users_know_them() -> None:
    assert render_text(sample(), shown={"rules.yaml": "my/rules.yaml"}).startswith("my/rules.yaml:3:3: ")


def test_a_finding_without_a_place_and_one_without_text() -> None:
    findings = Findings()
    findings.add("Y140", "there are no rules here to read", None, hint="a system is a folder with a system.yaml")
    findings.add("Y146", "a.yaml is a link", Span(Source("a.yaml", ""), 0, 0))
    assert render_text(findings) == (
        "error[Y140]: there are no rules here to read\n"
        "hint: a system is a folder with a system.yaml\n"
        "\n"
        "a.yaml:1:1: error[Y146]: a.yaml is a link\n"
    )


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "marker"),
    [
        ("a: b", 3, 4, "a: b", "   ^"),
        ("a: b", 4, 4, "a: b", "    ^"),
        ("a: b\nc: d", 3, 9, "a: b", "   ^"),
        ("a: bcd\nc: d", 3, 11, "a: bcd", "   ^^^"),
        ("\ta: b", 1, 2, "    a: b", "    ^"),
        ("a\tb: c", 2, 3, "a   b: c", "    ^"),
        ("日本: x", 0, 2, "日本: x", "^^^^"),
        ("日本: x", 4, 5, "日本: x", "      ^"),
        ("e\u0301: x", 4, 5, "e\u0301: x", "   ^"),
        ("😀: x", 3, 4, "😀: x", "    ^"),
        ("a\x1b[31m: x", 8, 9, "a\\x1b[31m: x", "           ^"),
        ("\u202eab: x", 1, 3, "\\u202eab: x", "      ^^"),
        ("a: b\r\nc: d", 3, 4, "a: b", "   ^"),
    ],
)
def test_the_marker_stands_below_the_characters(line: str, start: int, end: int, shown: str, marker: str) -> None:
    text = render_text(one(Source("a.yaml", line), start, end))
    assert text.split("\n")[1:3] == [f"   1 | {shown}", f"     | {marker}"]


@pytest.mark.parametrize("start", [0, 50, 100, 150, 250, 395])
@pytest.mark.parametrize("letter", ["x", "日"])
def test_a_long_line_is_cut_around_the_place(start: int, letter: str) -> None:
    text = letter * start + "HERE" + letter * (396 - start)
    part = excerpt(Span(Source("a.yaml", text), start, start + 4))
    columns = "".join(char * (2 if east_asian_width(char) in "WF" else 1) for char in part.text)
    assert columns[part.before : part.before + part.width] == "HERE"
    assert len(columns) <= WIDEST
    assert part.text.startswith("…") is (
        start > 100 or (start == 100 and letter == "日") or (start > 50 and letter == "日")
    )


def test_a_long_span_on_a_long_line() -> None:
    part = excerpt(Span(Source("a.yaml", "x" * 500), 10, 490))
    assert (part.text, part.before, part.width) == ("x" * 108 + "…", 10, 99)


def test_nothing_in_a_rules_file_commands_a_terminal() -> None:
    source = Source("a\x1b]0;x\x07.yaml", "a\x1b[2J: \u202e x\n")
    text = render_text(one(source, 0, 5, "the key a\x1b[2J\nis odd", "write\n  a: 1"))
    assert text == (
        "a\\x1b]0;x\\x07.yaml:1:1: error[Y104]: the key a\\x1b[2J\\x0ais odd\n"
        "   1 | a\\x1b[2J: \\u202e x\n"
        "     | ^^^^^^^^\n"
        "hint: write\n"
        "        a: 1\n"
    )


def test_findings_stand_in_order_of_file_and_place() -> None:
    one_file, other = Source("b.yaml", "a: 1\nb: 2\n"), Source("a.yaml", "c: 3\n")
    findings = Findings()
    for source, start in ((one_file, 5), (other, 0), (one_file, 0)):
        findings.add("Y104", "this is wrong", Span(source, start, start + 1))
    heads = [line.split(" ")[0] for line in render_text(findings).split("\n") if "error" in line]
    assert heads == ["a.yaml:1:1:", "b.yaml:1:1:", "b.yaml:2:1:"]
    heads = [line.split(" ")[0] for line in render_text(findings, files=["b.yaml"]).split("\n") if "error" in line]
    assert heads == ["b.yaml:1:1:", "b.yaml:2:1:", "a.yaml:1:1:"]


def test_a_hundred_findings_and_a_count() -> None:
    source = Source("a.yaml", "x" * 200)
    findings = Findings()
    for at in range(150):
        findings.add("Y130" if at < 40 else "Y104", "this is wrong", Span(source, at, at + 1))
    text = render_text(findings)
    assert text.count("error[") == 100
    assert text.endswith("\nand 50 more findings not shown\n")
    assert "warning" not in text
    told = json.loads(render_many("json", [Run(findings)]))
    assert told["counts"] == {"errors": 110, "warnings": 40, "not_shown": 50}
    assert len(told["findings"]) == 100


def test_nothing_to_tell() -> None:
    assert render_text(Findings()) == ""
    assert render_many("text", [Run(Findings())]) == ""
    assert render_many("github", [Run(Findings())]) == ""


def test_json() -> None:
    told = json.loads(render_many("json", [Run(sample(), {"rules.yaml": "my/rules.yaml"}, {"files": 2})]))
    assert told == {
        "version": 1,
        "findings": [
            {
                "code": "Y104",
                "severity": "error",
                "file": "my/rules.yaml",
                "line": 3,
                "column": 3,
                "message": "the key Body is written twice",
                "hint": "keep one of the two",
                "notes": [{"file": "my/rules.yaml", "line": 2, "column": 3, "message": "written here first"}],
            }
        ],
        "counts": {"errors": 1, "warnings": 0, "not_shown": 0, "files": 2},
    }


def test_github() -> None:
    source = Source("a,b: c.yaml", "x: 100%\n")
    assert render_many("github", [Run(one(source, 0, 1, "100% wrong\r", "no"))]) == (
        "::error file=a%2Cb%3A c.yaml,line=1,col=1,title=Y104 A key is written twice::100%25 wrong\\x0d%0Ahint: no\n"
    )
    assert render_many("github", [Run(sample())]) == (
        "::error file=rules.yaml,line=3,col=3,title=Y104 A key is written twice::the key Body is written twice"
        "%0Anote: rules.yaml:2:3: written here first%0Ahint: keep one of the two\n"
    )


def test_sarif() -> None:
    told = json.loads(render_many("sarif", [Run(sample(), {"rules.yaml": "my rules/é.yaml"})]))
    assert told["version"] == "2.1.0"
    (run,) = told["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["tool"]["driver"]["rules"] == [
        {
            "id": "Y104",
            "shortDescription": {"text": "A key is written twice"},
            "defaultConfiguration": {"level": "error"},
        }
    ]
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("Y104", "error")
    assert result["message"] == {"text": "the key Body is written twice\nhint: keep one of the two"}
    place = {
        "artifactLocation": {"uri": "my%20rules/%C3%A9.yaml"},
        "region": {"startLine": 3, "startColumn": 3, "endLine": 3, "endColumn": 7},
    }
    assert result["locations"] == [{"physicalLocation": place}]
    assert result["relatedLocations"][0]["message"] == {"text": "written here first"}


def test_an_unknown_form_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="no such form: xml"):
        render_many("xml", [])
