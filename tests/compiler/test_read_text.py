"""Text that YAML takes for something else: whole messages, the same with both parsers, and what was meant."""

from __future__ import annotations

import pytest
from reading import Told, told

pytestmark = pytest.mark.usefixtures("parser")

WRITE_OUT = "write the value out in each place, or make it a rule that others read"
COLON = "there is a colon inside this text, and YAML takes what stands before it for a key"
SECOND = "a second document begins here, and a file holds one"
EMPTY_BRACES = "a value that begins with { is read as keys and values, and there are none"

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
    (
        "a: [x] y",
        (
            "1:4 Y116",
            "a value that begins with [ ends at its ], and more text follows",
            'put the text in quotes: "[x] y"',
        ),
        {"a": "[x] y"},
    ),
    (
        "a: {x} y: z",
        (
            "1:4 Y116",
            "a value that begins with { ends at its }, and more text follows",
            'put the text in quotes: "{x} y: z"',
        ),
        {"a": "{x} y: z"},
    ),
    ("a: {x}", ("1:4 Y116", EMPTY_BRACES, 'put the text in quotes: "{x}"'), {"a": "{x}"}),
    ("a: {{x}}", ("1:4 Y116", EMPTY_BRACES, 'put the text in quotes: "{{x}}"'), {"a": "{{x}}"}),
    (
        "a: *b* c",
        ("1:4 Y116", "text that begins with * must stand in quotes", 'put the text in quotes: "*b* c"'),
        {"a": "*b* c"},
    ),
    (
        "a: *b c: d",
        ("1:4 Y116", "text that begins with * must stand in quotes", 'put the text in quotes: "*b c: d"'),
        {"a": "*b c: d"},
    ),
    (
        "a: & b",
        ("1:4 Y116", "text that begins with & must stand in quotes", 'put the text in quotes: "& b"'),
        {"a": "& b"},
    ),
    (
        "a: % b",
        ("1:4 Y116", "text that begins with % must stand in quotes", 'put the text in quotes: "% b"'),
        {"a": "% b"},
    ),
    (
        "a: @b",
        ("1:4 Y116", "text that begins with @ must stand in quotes", 'put the text in quotes: "@b"'),
        {"a": "@b"},
    ),
    (
        "a: `b`",
        ("1:4 Y116", "text that begins with ` must stand in quotes", 'put the text in quotes: "`b`"'),
        {"a": "`b`"},
    ),
    (
        "a: >=12",
        ("1:4 Y116", "text that begins with > must stand in quotes", 'put the text in quotes: ">=12"'),
        {"a": ">=12"},
    ),
    (
        "a: > 12",
        ("1:4 Y116", "text that begins with > must stand in quotes", 'put the text in quotes: "> 12"'),
        {"a": "> 12"},
    ),
    (
        "a: {b: > 5, c: 1}",
        ("1:8 Y116", "text that begins with > must stand in quotes", 'put the text in quotes: "> 5"'),
        {"a": {"b": "> 5", "c": "1"}},
    ),
    (
        "a: >5\nb: 1",
        (
            "1:4 Y116",
            "a value that begins with > begins a block of text, and none follows",
            'put the value in quotes: ">5"',
        ),
        {"a": "", "b": "1"},
    ),
    (
        "a: |b",
        ("1:4 Y116", "text that begins with | must stand in quotes", 'put the text in quotes: "|b"'),
        {"a": "|b"},
    ),
    (
        "a: , b",
        ("1:4 Y116", "text that begins with a comma must stand in quotes", 'put the text in quotes: ", b"'),
        {"a": ", b"},
    ),
    (
        "a: ? b",
        ("1:4 Y116", "text that begins with a question mark must stand in quotes", 'put the text in quotes: "? b"'),
        {"a": "? b"},
    ),
    (
        "a: - b",
        (
            "1:4 Y116",
            "text that begins with a dash must stand in quotes",
            'put the text in quotes: "- b"; for a list, begin it on the next line',
        ),
        {"a": "- b"},
    ),
    (
        "%b: c",
        (
            "1:1 Y116",
            "a line that begins with % is an instruction to YAML, and none is used here",
            "delete the line; if it begins with a key, put the key in quotes",
        ),
        {"%b": "c"},
    ),
    # quotes
    (
        'a: "foo',
        (
            "1:4 Y117",
            'the quotes that begin here are never closed: there is no second "',
            'close them at the end of the text: "foo"',
        ),
        None,
    ),
    (
        "a: 'it",
        (
            "1:4 Y117",
            "the quotes that begin here are never closed: there is no second '",
            "close them at the end of the text: 'it'",
        ),
        None,
    ),
    (
        'a: "foo: x\nb: "bar"\n',
        (
            "1:4 Y117",
            'the text in quotes that begins here goes on to the next ", further down',
            "close the quotes at the end of the text",
        ),
        {"a": '"foo: x', "b": "bar"},
    ),
    (
        "a: 'it's here'",
        (
            "1:8 Y118",
            "the quotes are closed, and more text follows",
            'an apostrophe inside single quotes is written twice; or use double quotes: "it\'s here"',
        ),
        {"a": "'it's here'"},
    ),
    (
        'a: "b" or "c"',
        (
            "1:8 Y118",
            "the quotes are closed, and more text follows",
            "text with quotes in it stands in single quotes: 'b\" or \"c'",
        ),
        {"a": '"b" or "c"'},
    ),
    (
        'a: "b": c',
        ("1:7 Y118", "the quotes are closed, and more text follows", "put all of the text in quotes: '\"b\": c'"),
        {"a": '"b": c'},
    ),
    (
        'a: "\\q"',
        (
            "1:5 Y124",
            "\\q is no escape that YAML knows; inside double quotes a \\ begins one",
            "write \\\\ for a \\, or put the text in single quotes",
        ),
        {"a": "\\q"},
    ),
    (
        'a: "\\U99999999"',
        (
            "1:5 Y124",
            "\\U9 is no escape that YAML knows; inside double quotes a \\ begins one",
            "write \\\\ for a \\, or put the text in single quotes",
        ),
        {"a": "\\U99999999"},
    ),
    (
        'a: "\\ud800"',
        (
            "1:5 Y102",
            "this escape writes the character U+D800 (half of a character), which has no place in a rules file",
            "write the character itself, or leave it out",
        ),
        {"a": "\ufffd"},
    ),
    (
        'a: "x\\0"',
        (
            "1:6 Y102",
            "this escape writes the character U+0000 NULL, which has no place in a rules file",
            "write the character itself, or leave it out",
        ),
        {"a": "x\ufffd"},
    ),
]


@pytest.mark.parametrize(("text", "finding", "meant"), ONE_MISTAKE, ids=[repr(case[0]) for case in ONE_MISTAKE])
def test_one_mistake_is_one_finding(text: str, finding: Told, meant: object) -> None:
    said, root = told(text)
    assert said == [finding]
    assert root == meant
