"""Mistakes in YAML: whole messages, the same with both parsers, and what is read in spite of them."""

from __future__ import annotations

import pytest
from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.read import read
from rulesdata_compiler.tree import Mapping, Node, Scalar

pytestmark = pytest.mark.usefixtures("parser")

Told = tuple[str, str, str | None]  # `line:column CODE`, message, hint

WRITE_OUT = "write the value out in each place, or make it a rule that others read"
NEVER_CLOSED = "write {} at its end; if it begins a text, put the text in quotes"
ONE_COLUMN = "keys that belong together begin in the same column, and so do the lines of one text"
COLON = "there is a colon inside this text, and YAML takes what stands before it for a key"
SECOND = "a second document begins here, and a file holds one"
EMPTY_BRACES = "a value that begins with { is read as keys and values, and there are none"


def told(text: str) -> tuple[list[Told], object]:
    findings = Findings()
    root = read("a.yaml", text.encode("utf-8"), findings)
    said: list[Told] = []
    for item in findings:
        assert item.span is not None
        said.append((f"{item.span.line}:{item.span.column} {item.code}", item.message, item.hint))
    return sorted(said, key=lambda entry: [int(part) for part in entry[0].split()[0].split(":")]), data(root)


def data(node: Node | None) -> object:
    match node:
        case None:
            return None
        case Scalar():
            return node.text
        case Mapping():
            return {entry.key.text: data(entry.value) for entry in node}
    return [data(item) for item in node.items]


ONE_MISTAKE: list[tuple[str, Told, object]] = [
    # a colon in text
    ("desc: Roll: 2d6", ("1:11 Y111", COLON, 'put the text in quotes: desc: "Roll: 2d6"'), {"desc": "Roll: 2d6"}),
    ("a: b: c: d", ("1:5 Y111", COLON, 'put the text in quotes: a: "b: c: d"'), {"a": "b: c: d"}),
    ('a: say "x": y', ("1:11 Y111", COLON, "put the text in quotes: a: 'say \"x\": y'"), {"a": 'say "x": y'}),
    ("- a: b: c # d", ("1:7 Y111", COLON, 'put the text in quotes: - a: "b: c"'), None),
    (
        "a: {text: Roll: 2d6, x: 1}",
        ("1:15 Y111", COLON, 'put the text in quotes: "Roll: 2d6"'),
        {"a": {"text": "Roll: 2d6", "x": "1"}},
    ),
    (
        "a: one\n  or two: three",
        ("2:9 Y111", COLON, "put the whole text in quotes, or begin it with > on the line of its key"),
        {"a": "one or two: three"},
    ),
    # a comment that cuts
    (
        "a: foo #bar",
        (
            "1:8 Y112",
            "everything from #b on is a comment, so this text ends before it",
            'put the text in quotes: "foo #bar"; a comment has a space behind its #',
        ),
        {"a": "foo"},
    ),
    (
        "a: #bar\nb: 1",
        (
            "1:4 Y112",
            "everything from #b on is a comment, so this text ends before it",
            "put the text in quotes; a comment has a space behind its #",
        ),
        {"a": "", "b": "1"},
    ),
    (
        "a: one # two\n  three",
        (
            "1:8 Y112",
            "the text goes on behind this comment, but a comment ends it",
            "put the text in quotes if the # belongs to it, or the comment on a line above the text",
        ),
        {"a": "one # two three"},
    ),
    (
        "a: {b: c # d}",
        (
            "1:10 Y112",
            "everything from # on is a comment, and so is the } behind it",
            "put the text in quotes, or the comment behind the }",
        ),
        {"a": {"b": "c # d"}},
    ),
    # forgotten spaces
    (
        "a: 1\nb:2\nc: 3",
        ("2:2 Y113", "there is no space behind the colon, so b:2 is text and no key with a value", "write b: 2"),
        None,
    ),
    (
        "a: 1\nb:2",
        ("2:2 Y113", "there is no space behind the colon, so b:2 is text and no key with a value", "write b: 2"),
        None,
    ),
    (
        "a:1",
        ("1:2 Y113", "there is no space behind the colon, so a:1 is text and no key with a value", "write a: 1"),
        None,
    ),
    (
        "x:\n  a:1\n  b:2",
        ("2:4 Y113", "there is no space behind the colon, so a:1 is text and no key with a value", "write a: 1"),
        {"x": "a:1 b:2"},
    ),
    (
        "x:\n  a:1\n  b: 2",
        ("2:4 Y113", "there is no space behind the colon, so a:1 is text and no key with a value", "write a: 1"),
        None,
    ),
    (
        "x: {a:1, b: 2}",
        ("1:6 Y113", "there is no space behind the colon, so a:1 is text and no key with a value", "write a: 1"),
        {"x": {"a": "1", "b": "2"}},
    ),
    (
        "x:\n  - a\n  -b\n",
        ("3:3 Y114", "there is no space behind the dash, so this is no list item", "write - b"),
        None,
    ),
    (
        "x:\n  -a\n  -b\n",
        (
            "2:3 Y114",
            "there is no space behind the dash, so this is text and no list item",
            'write - a; a formula that begins with a minus goes in quotes: "-a"',
        ),
        {"x": "-a -b"},
    ),
    (
        "x:\n- a\n  - b",
        (
            "3:3 Y115",
            "this line begins with a dash but is read as part of the text above it",
            "for a list, indent the dash no deeper than the text or key it follows; for text over several lines, "
            "begin it with > or |; a formula with a minus goes on one line or in quotes",
        ),
        {"x": ["a - b"]},
    ),
    (
        "a:\u00a01\nb: 2",
        (
            "1:3 Y103",
            "this space is U+00A0 NO-BREAK SPACE, which YAML takes for a letter",
            "delete it and type an ordinary space",
        ),
        None,
    ),
    (
        "a: 1\n\u00a0b: 2",
        (
            "2:1 Y103",
            "this space is U+00A0 NO-BREAK SPACE, which YAML takes for a letter",
            "delete it and type an ordinary space",
        ),
        {"a": "1", "\u00a0b": "2"},
    ),
    # anchors and tags
    (
        "a: &b c",
        (
            "1:4 Y108",
            "&b is an anchor, and anchors are not used here",
            f'{WRITE_OUT}; if it belongs to the text, put the text in quotes: "&b c"',
        ),
        {"a": "c"},
    ),
    (
        "a: *b",
        (
            "1:4 Y108",
            "*b is an alias, and aliases are not used here",
            f'{WRITE_OUT}; if it is text, put it in quotes: "*b"',
        ),
        {"a": "*b"},
    ),
    ("a: 1\n<<: {b: 2}", ("2:1 Y108", "merge keys (<<) are not used here", WRITE_OUT), {"a": "1"}),
    (
        "a: !b c",
        (
            "1:4 Y109",
            "!b is a tag, and tags are not used here",
            'delete it; if it belongs to the text, put the text in quotes: "!b c"',
        ),
        {"a": "c"},
    ),
    (
        "a: !b!c d",
        (
            "1:4 Y109",
            "!b!c is a tag, and tags are not used here",
            'delete it; if it belongs to the text, put the text in quotes: "!b!c d"',
        ),
        {"a": "!b!c d"},
    ),
    (
        "%TAG ! x\n---\na: b",
        ("1:1 Y109", "tags are not used here", "delete the lines that begin with %"),
        {"a": "b"},
    ),
    # documents
    (
        "a: 1\n---\nb: 2",
        ("2:1 Y110", SECOND, "delete the line with ---, or put what follows in a file of its own"),
        None,
    ),
    (
        "a: 1\n...\nb: 2",
        ("3:1 Y110", SECOND, "delete the line with ..., or put what follows in a file of its own"),
        None,
    ),
    # text that begins with a character of YAML's own
    ("a: [x] y", ("1:4 Y116", "a value that begins with [ ends at its ], and more text follows", 'put the text in quotes: "[x] y"'), {"a": "[x] y"}),
    ("a: {x} y: z", ("1:4 Y116", "a value that begins with { ends at its }, and more text follows", 'put the text in quotes: "{x} y: z"'), {"a": "{x} y: z"}),
    ("a: {x}", ("1:4 Y116", EMPTY_BRACES, 'put the text in quotes: "{x}"'), {"a": "{x}"}),
    ("a: {{x}}", ("1:4 Y116", EMPTY_BRACES, 'put the text in quotes: "{{x}}"'), {"a": "{{x}}"}),
    ("a: *b* c", ("1:4 Y116", "text that begins with * must stand in quotes", 'put the text in quotes: "*b* c"'), {"a": "*b* c"}),
    ("a: *b c: d", ("1:4 Y116", "text that begins with * must stand in quotes", 'put the text in quotes: "*b c: d"'), {"a": "*b c: d"}),
    ("a: & b", ("1:4 Y116", "text that begins with & must stand in quotes", 'put the text in quotes: "& b"'), {"a": "& b"}),
    ("a: % b", ("1:4 Y116", "text that begins with % must stand in quotes", 'put the text in quotes: "% b"'), {"a": "% b"}),
    ("a: @b", ("1:4 Y116", "text that begins with @ must stand in quotes", 'put the text in quotes: "@b"'), {"a": "@b"}),
    ("a: `b`", ("1:4 Y116", "text that begins with ` must stand in quotes", 'put the text in quotes: "`b`"'), {"a": "`b`"}),
    ("a: >=12", ("1:4 Y116", "text that begins with > must stand in quotes", 'put the text in quotes: ">=12"'), {"a": ">=12"}),
    ("a: > 12", ("1:4 Y116", "text that begins with > must stand in quotes", 'put the text in quotes: "> 12"'), {"a": "> 12"}),
    ("a: {b: > 5, c: 1}", ("1:8 Y116", "text that begins with > must stand in quotes", 'put the text in quotes: "> 5"'), {"a": {"b": "> 5", "c": "1"}}),
    ("a: >5\nb: 1", ("1:4 Y116", "a value that begins with > begins a block of text, and none follows", 'put the value in quotes: ">5"'), {"a": "", "b": "1"}),
    ("a: |b", ("1:4 Y116", "text that begins with | must stand in quotes", 'put the text in quotes: "|b"'), {"a": "|b"}),
    ("a: ]b", ("1:4 Y116", "text that begins with ] must stand in quotes", 'put the text in quotes: "]b"'), {"a": "]b"}),
    ("a: , b", ("1:4 Y116", "text that begins with a comma must stand in quotes", 'put the text in quotes: ", b"'), {"a": ", b"}),
    ("a: ? b", ("1:4 Y116", "text that begins with a question mark must stand in quotes", 'put the text in quotes: "? b"'), {"a": "? b"}),
    ("a: - b", ("1:4 Y116", "text that begins with a dash must stand in quotes", 'put the text in quotes: "- b"; for a list, begin it on the next line'), {"a": "- b"}),
    ("%b: c", ("1:1 Y116", "a line that begins with % is an instruction to YAML, and none is used here", "delete the line; if it begins with a key, put the key in quotes"), {"%b": "c"}),
    # quotes
    ('a: "foo', ("1:4 Y117", 'the quotes that begin here are never closed: there is no second "', 'close them at the end of the text: "foo"'), None),
    ("a: 'it", ("1:4 Y117", "the quotes that begin here are never closed: there is no second '", "close them at the end of the text: 'it'"), None),
    ('a: "foo: x\nb: "bar"\n', ("1:4 Y117", 'the text in quotes that begins here goes on to the next ", further down', "close the quotes at the end of the text"), {"a": '"foo: x', "b": "bar"}),
    ("a: 'it's here'", ("1:8 Y118", "the quotes are closed, and more text follows", "an apostrophe inside single quotes is written twice; or use double quotes: \"it's here\""), {"a": "'it's here'"}),
    ('a: "b" or "c"', ("1:8 Y118", "the quotes are closed, and more text follows", "text with quotes in it stands in single quotes: 'b\" or \"c'"), {"a": '"b" or "c"'}),
    ('a: "b": c', ("1:7 Y118", "the quotes are closed, and more text follows", "put all of the text in quotes: '\"b\": c'"), {"a": '"b": c'}),
    ('a: "\\q"', ("1:5 Y124", "\\q is no escape that YAML knows; inside double quotes a \\ begins one", "write \\\\ for a \\, or put the text in single quotes"), {"a": "\\q"}),
    ('a: "\\U99999999"', ("1:5 Y124", "\\U9 is no escape that YAML knows; inside double quotes a \\ begins one", "write \\\\ for a \\, or put the text in single quotes"), {"a": "\\U99999999"}),
    ('a: "\\ud800"', ("1:5 Y102", "this escape writes the character U+D800 (half of a character), which has no place in a rules file", "write the character itself, or leave it out"), {"a": "\ufffd"}),
    ('a: "x\\0"', ("1:6 Y102", "this escape writes the character U+0000 NULL, which has no place in a rules file", "write the character itself, or leave it out"), {"a": "x\ufffd"}),
    # brackets
    ("a: [1, 2", ("1:4 Y119", "the [ that begins here is never closed", NEVER_CLOSED.format("]")), None),
    ("a: {b: 1\nc: 2", ("1:4 Y119", "the { that begins here is never closed", NEVER_CLOSED.format("}")), None),
    ("a: [}", ("1:5 Y125", "this } cannot close a [", "write ] here, or { where it begins"), None),
    ("a: {b: 1]", ("1:9 Y125", "this ] cannot close a {", "write } here, or [ where it begins"), None),
    ("a: [a, , b]", ("1:8 Y125", "there is nothing before this comma", "delete the comma"), None),
    ("a: {b: c\n  d: e}", ("1:8 Y125", "there is no comma between two entries", "write a comma behind the first of them"), None),
    ("a: {f: min(a, b), c: 1}", ("1:8 Y120", "inside { } and [ ] a comma ends the value, so this is cut in two", 'quote this formula: "min(a, b)"'), {"a": {"f": "min(a, b)", "c": "1"}}),
    ("a: [min(a, max(b, c)) + 1, d]", ("1:5 Y120", "inside { } and [ ] a comma ends the value, so this is cut in two", 'quote this formula: "min(a, max(b, c)) + 1"'), {"a": ["min(a, max(b, c)) + 1", "d"]}),
    ("a: {when: has(lit, by: torch), add: 1}", ("1:11 Y120", "inside { } and [ ] a comma ends the value, so this is cut in two", 'quote this formula: "has(lit, by: torch)"'), {"a": {"when": "has(lit, by: torch)", "add": "1"}}),
    ("a: {f: min(a,\n  b)}", ("1:8 Y120", "inside { } and [ ] a comma ends the value, so this is cut in two", 'quote this formula: "min(a, b)"'), {"a": {"f": "min(a, b)"}}),
    ("a: {t: one, two, three, n: 4}", ("1:8 Y121", "inside { } a comma ends the value, so this text is cut in two", 'put the text in quotes: t: "one, two, three"'), {"a": {"t": "one, two, three", "n": "4"}}),
    # keys and lines
    (": b", ("1:1 Y122", "there is no key before this colon", "write a key before the colon"), None),
    ("[a, b]: c", ("1:1 Y122", "a key must be a name or a text, and this one is a list", "put the key in quotes if it is text"), {}),
    ("a: 1\n  b: 2\n  c: 3\nd: 4", ("2:3 Y123", "b is indented deeper than the key above it, so it is read as part of that key's text", "give it the indentation of the key above; if it belongs to the text, put the text in quotes"), {"a": "1 b: 2 c: 3", "d": "4"}),
    ("a:\n  b: 1\n c: 2", ("3:2 Y123", "the indentation of this line fits no line above it", ONE_COLUMN), None),
    ("  a: 1\nb: 2", ("2:1 Y123", "the indentation of this line fits no line above it", ONE_COLUMN), None),
    ("a: |\n    x\n  y\n", ("3:3 Y123", "the indentation of this line fits no line above it", ONE_COLUMN), None),
    ("- a\nb: 1", ("2:1 Y126", "a key between list items: in one column there are either keys or list items", "indent it to where it belongs"), None),
    ("b: 1\n- a", ("2:1 Y126", "a list item between keys: in one column there are either keys or list items", "indent it to where it belongs"), None),
    ("a: b\nc\nd: e", ("2:1 Y127", "this line is neither a key with a colon nor part of a text: c", "write a colon and a space behind the key; text that goes on is indented deeper than its key"), None),
    ("a: b]\nc: ]", ("2:4 Y116", "text that begins with ] must stand in quotes", 'put the text in quotes: "]"'), {"a": "b]", "c": "]"}),
    # keys written twice
    ("a: 1\na: 2", ("2:1 Y104", "the key a is written twice", "keep one of the two, or give one another name"), {"a": "1"}),
    ("1: x\n'1': y", ("2:1 Y104", "the keys 1 and '1' are the same, for every key is text", "keep one of the two, or give one another name"), {"1": "x"}),
    ("{a: 1, b: 2, A: 3}", ("1:14 Y104", "the keys a and A differ only in how their letters are written", "keep one of the two, or give one another name"), {"a": "1", "b": "2"}),
    ("fire: 1\n\ufb01re: 2", ("2:1 Y104", "the keys fire and \ufb01re differ only in how their letters are written", "keep one of the two, or give one another name"), {"fire": "1"}),
    # tabs
    ("a:\n\tb: 1\n\tc: 2", ("2:1 Y105", "this line begins with a tab, and so does 1 more", "YAML takes only spaces there: write two for each tab"), {"a": {"b": "1", "c": "2"}}),
    ("a:\n  b: 1\n\tc: 2", ("3:1 Y105", "this line begins with a tab", "YAML takes only spaces there: write two for each tab"), None),
    ("a:\tb", ("1:3 Y105", "a tab stands here, where YAML wants spaces", "write a space; tabs may stand inside a text"), {"a": "b"}),
    ("a: foo\t# x", ("1:7 Y105", "a tab stands here, where YAML wants spaces", "write a space; tabs may stand inside a text"), {"a": "foo"}),
    ("a: {b:\t1}", ("1:7 Y105", "a tab stands here, where YAML wants spaces", "write a space; tabs may stand inside a text"), {"a": {"b": "1"}}),
    # the top of the file
    ("- a\n- b", ("1:1 Y129", "a rules file begins with keys such as system: or stats:, and this one does not", "put the rules under the key of their kind"), None),
    ("", ("1:1 Y130", "this file has no entries", "delete it, or write rules into it"), None),
    ("# note\n", ("1:1 Y130", "this file has no entries", "delete it, or write rules into it"), None),
]  # fmt: skip


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
