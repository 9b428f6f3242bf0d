"""Brackets, keys, lines and tabs that do not fit: whole messages with both parsers; and what is fine."""

from __future__ import annotations

import pytest
from reading import Told, told

from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.reading.read import read

pytestmark = pytest.mark.usefixtures("parser")

NEVER_CLOSED = "write {} at its end; if it begins a text, put the text in quotes"
ONE_COLUMN = "keys that belong together begin in the same column, and so do the lines of one text"

ONE_MISTAKE: list[tuple[str, Told, object]] = [
    # brackets
    ("a: [1, 2", ("1:4 Y119", "the [ that begins here is never closed", NEVER_CLOSED.format("]")), None),
    ("a: {b: 1\nc: 2", ("1:4 Y119", "the { that begins here is never closed", NEVER_CLOSED.format("}")), None),
    ("a: [}", ("1:5 Y125", "this } cannot close a [", "write ] here, or { where it begins"), None),
    ("a: {b: 1]", ("1:9 Y125", "this ] cannot close a {", "write } here, or [ where it begins"), None),
    ("a: [a, , b]", ("1:8 Y125", "there is nothing before this comma", "delete the comma"), None),
    (
        "a: {b: c\n  d: e}",
        ("1:8 Y125", "there is no comma between two entries", "write a comma behind the first of them"),
        None,
    ),
    (
        "a: {f: min(a, b), c: 1}",
        (
            "1:8 Y120",
            "inside { } and [ ] a comma ends the value, so this is cut in two",
            'quote this formula: "min(a, b)"',
        ),
        {"a": {"f": "min(a, b)", "c": "1"}},
    ),
    (
        "a: [min(a, max(b, c)) + 1, d]",
        (
            "1:5 Y120",
            "inside { } and [ ] a comma ends the value, so this is cut in two",
            'quote this formula: "min(a, max(b, c)) + 1"',
        ),
        {"a": ["min(a, max(b, c)) + 1", "d"]},
    ),
    (
        "a: {when: has(lit, by: torch), add: 1}",
        (
            "1:11 Y120",
            "inside { } and [ ] a comma ends the value, so this is cut in two",
            'quote this formula: "has(lit, by: torch)"',
        ),
        {"a": {"when": "has(lit, by: torch)", "add": "1"}},
    ),
    (
        "a: {f: min(a,\n  b)}",
        (
            "1:8 Y120",
            "inside { } and [ ] a comma ends the value, so this is cut in two",
            'quote this formula: "min(a, b)"',
        ),
        {"a": {"f": "min(a, b)"}},
    ),
    (
        "a: {t: one, two, three, n: 4}",
        (
            "1:8 Y121",
            "inside { } a comma ends the value, so this text is cut in two",
            'put the text in quotes: t: "one, two, three"',
        ),
        {"a": {"t": "one, two, three", "n": "4"}},
    ),
    # keys and lines
    (": b", ("1:1 Y122", "there is no key before this colon", "write a key before the colon"), None),
    (
        "[a, b]: c",
        ("1:1 Y122", "a key must be a name or a text, and this one is a list", "put the key in quotes if it is text"),
        {},
    ),
    (
        "a: 1\n  b: 2\n  c: 3\nd: 4",
        (
            "2:3 Y123",
            "b is indented deeper than the key above it, so it is read as part of that key's text",
            "give it the indentation of the key above; if it belongs to the text, put the text in quotes",
        ),
        {"a": "1 b: 2 c: 3", "d": "4"},
    ),
    ("a:\n  b: 1\n c: 2", ("3:2 Y123", "the indentation of this line fits no line above it", ONE_COLUMN), None),
    ("  a: 1\nb: 2", ("2:1 Y123", "the indentation of this line fits no line above it", ONE_COLUMN), None),
    ("a: |\n    x\n  y\n", ("3:3 Y123", "the indentation of this line fits no line above it", ONE_COLUMN), None),
    (
        "- a\nb: 1",
        (
            "2:1 Y126",
            "a key between list items: in one column there are either keys or list items",
            "indent it to where it belongs",
        ),
        None,
    ),
    (
        "b: 1\n- a",
        (
            "2:1 Y126",
            "a list item between keys: in one column there are either keys or list items",
            "indent it to where it belongs",
        ),
        None,
    ),
    (
        "a: b\nc\nd: e",
        (
            "2:1 Y127",
            "this line is neither a key with a colon nor part of a text: c",
            "write a colon and a space behind the key; text that goes on is indented deeper than its key",
        ),
        None,
    ),
    (
        "a: b]\nc: ]",
        ("2:4 Y116", "text that begins with ] must stand in quotes", 'put the text in quotes: "]"'),
        {"a": "b]", "c": "]"},
    ),
    # keys written twice
    (
        "a: 1\na: 2",
        ("2:1 Y104", "the key a is written twice", "keep one of the two, or give one another name"),
        {"a": "1"},
    ),
    (
        "1: x\n'1': y",
        (
            "2:1 Y104",
            "the keys 1 and '1' are the same, for every key is text",
            "keep one of the two, or give one another name",
        ),
        {"1": "x"},
    ),
    (
        "{a: 1, b: 2, A: 3}",
        (
            "1:14 Y104",
            "the keys a and A differ only in how their letters are written",
            "keep one of the two, or give one another name",
        ),
        {"a": "1", "b": "2"},
    ),
    (
        "fire: 1\n\ufb01re: 2",
        (
            "2:1 Y104",
            "the keys fire and \ufb01re differ only in how their letters are written",
            "keep one of the two, or give one another name",
        ),
        {"fire": "1"},
    ),
    # tabs
    (
        "a:\n\tb: 1\n\tc: 2",
        (
            "2:1 Y105",
            "this line begins with a tab, and so does 1 more",
            "YAML takes only spaces there: write two for each tab",
        ),
        {"a": {"b": "1", "c": "2"}},
    ),
    (
        "a:\n  b: 1\n\tc: 2",
        ("3:1 Y105", "this line begins with a tab", "YAML takes only spaces there: write two for each tab"),
        None,
    ),
    (
        "a:\tb",
        ("1:3 Y105", "a tab stands here, where YAML wants spaces", "write a space; tabs may stand inside a text"),
        {"a": "b"},
    ),
    (
        "a: foo\t# x",
        ("1:7 Y105", "a tab stands here, where YAML wants spaces", "write a space; tabs may stand inside a text"),
        {"a": "foo"},
    ),
    (
        "a: {b:\t1}",
        ("1:7 Y105", "a tab stands here, where YAML wants spaces", "write a space; tabs may stand inside a text"),
        {"a": {"b": "1"}},
    ),
    # the top of the file
    (
        "- a\n- b",
        (
            "1:1 Y129",
            "a rules file begins with keys such as system: or stats:, and this one does not",
            "put the rules under the key of their kind",
        ),
        None,
    ),
    ("", ("1:1 Y130", "this file has no entries", "delete it, or write rules into it"), None),
    ("# note\n", ("1:1 Y130", "this file has no entries", "delete it, or write rules into it"), None),
]


@pytest.mark.parametrize(("text", "finding", "meant"), ONE_MISTAKE, ids=[repr(case[0]) for case in ONE_MISTAKE])
def test_one_mistake_is_one_finding(text: str, finding: Told, meant: object) -> None:
    said, root = told(text)
    assert said == [finding]
    assert root == meant


FINE = [
    "a: foo # a comment",
    "a: foo    ## a comment",
    "#no space, but a line of its own\na: 1",
    'a: "b" #c',
    "a: [1, 2] #c",
    "a: foo#bar",
    "a: see http://example.org/#top",
    "a: 12:30",
    "a: -5",
    "a: -strength + 1",
    "a:\n  8 +\n  strength",
    "a: |\n  - one\n  x:1 #y\n  \tb",
    "a: >-\n  Roll: 2d6",
    "a: 'it''s'",
    "a: foo\tbar",
    'a: "foo\tbar"',
    "a: 1\n\t\nb: 2\t\n",
    "a: {b: (c)}",
    "a: [b ? c]",
    "a: {b: , c: 1}",
    "a: {b: c,}",
    "--- \na: 1\n...\n",
    "%YAML 1.2\n---\na: 1",
    "a: [lamp: 1]",
    "? a\n: b",
    "a: b: c".replace(": c", ":c"),
]


@pytest.mark.parametrize("text", FINE)
def test_no_finding(text: str) -> None:
    said, root = told(text)
    assert said == []
    assert root is not None


def test_all_mistakes_of_a_file_in_one_run() -> None:
    text = "a: Roll: 2d6\nb: >=12\nc: 'it's'\nd: {f: min(x, y)}\ne: foo #bar\na: 1\nf: *x\ng: @z\n"
    said, root = told(text)
    assert [entry[0] for entry in said] == [
        "1:8 Y111",
        "2:4 Y116",
        "3:8 Y118",
        "4:8 Y120",
        "5:8 Y112",
        "6:1 Y104",
        "7:4 Y108",
        "8:4 Y116",
    ]
    assert root == {
        "a": "Roll: 2d6",
        "b": ">=12",
        "c": "'it's'",
        "d": {"f": "min(x, y)"},
        "e": "foo",
        "f": "*x",
        "g": "@z",
    }


def test_both_places_of_a_key_written_twice() -> None:
    findings = Findings()
    read("a.yaml", b"a:\n  x: 1\n  y: 2\n  x: 3\n", findings)
    (found,) = findings
    (note,) = found.notes
    assert (note.message, note.span.line, note.span.column) == ("written here first", 2, 3)


def test_a_private_character_is_no_reason_to_fail() -> None:
    said, root = told("a: \U000f003a\nb: Roll: 2d6\n")
    assert [entry[0] for entry in said] == ["2:8 Y111"]
    assert root is None
