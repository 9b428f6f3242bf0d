"""Places: spans and offsets are code points of the file, exact in every quoting style, with both parsers."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.reading import read as reading
from rulesdata_compiler.reading.read import read
from rulesdata_compiler.tree import Mapping, Node, Scalar, Sequence

pytestmark = pytest.mark.usefixtures("parser")


def root(text: str | bytes) -> Mapping:
    findings = Findings()
    found = read("a.yaml", text if isinstance(text, bytes) else text.encode("utf-8"), findings)
    assert not list(findings)
    assert found is not None
    return found


def scalar(node: Node | None) -> Scalar:
    assert isinstance(node, Scalar)
    return node


STYLES = [
    ("plain", "a: 8 + ceil(strength / 2)\n"),
    ("plain", "a:\n  8 +\n  ceil(strength\n   / 2)\n"),
    ("plain", "a: 8 +\n\n  ceil(strength / 2)\n"),
    ("single", "a: '8 + ceil(strength / 2)'\n"),
    ("single", "a: 'it''s 8 + ceil(strength\n  / 2)'\n"),
    ("double", 'a: "8 + ceil(strength / 2)"\n'),
    ("double", 'a: "\\u00e9\\t\\"8\\" + \\\n  ceil(strength \\\n  / 2)"\n'),
    ("double", 'a: "8\n\n  + ceil(strength / 2)"\n'),
    ("literal", "a: |\n  8 +\n    ceil(strength / 2)\n"),
    ("literal", "a: |2-\n    8 + ceil(strength / 2)\n\nb: 1\n"),
    ("folded", "a: >\n  8 +\n  ceil(strength / 2)\n"),
    ("folded", "a: >-\n  8 +\n\n  more\n    kept\n  ceil(strength / 2)\n"),
    ("folded", "a: >+  # why\n  😀 8 + ceil(strength / 2)\n\n"),
]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("style", "text"), STYLES, ids=[repr(text) for _, text in STYLES])
def test_a_part_of_a_value_has_its_place(style: str, text: str, ends: str) -> None:
    value = scalar(root(text.replace("\n", ends)).get("a"))
    assert value.style == style
    for word in ("8", "ceil", "strength", "2)"):
        start = value.text.index(word)
        assert value.part(start, start + len(word)).text == word
    assert len(value.offsets) in (0, len(value.text) + 1)


def test_keys_and_values_of_all_shapes() -> None:
    text = "a: [x, {y: z}]\n'b':\n  - 1\n  - c: 2\n    d:\ne: 3\n"
    tree = root(text)
    assert tree.span.text == text.rstrip()
    assert [entry.key.span.text for entry in tree] == ["a", "'b'", "e"]
    listed = tree.get("a")
    assert isinstance(listed, Sequence)
    assert listed.span.text == "[x, {y: z}]"
    assert listed.items[1].span.text == "{y: z}"
    items = tree.get("b")
    assert isinstance(items, Sequence)
    assert items.span.text == "- 1\n  - c: 2\n    d"
    inner = items.items[1]
    assert isinstance(inner, Mapping)
    nothing = scalar(inner.get("d"))
    assert (nothing.text, nothing.span.line, nothing.span.column) == ("", 5, 6)


def test_a_byte_order_mark_and_characters_beyond_the_basic_plane_count_as_people_count() -> None:
    tree = root(b"\xef\xbb\xbf" + "lamp: 😀 on\nalarm: é\n".encode())
    entry = tree.entries[1]
    assert (entry.key.span.line, entry.key.span.column) == (2, 1)
    assert entry.value.span.column == 8
    first = scalar(tree.get("lamp"))
    assert first.part(2, 4).text == "on"
    assert first.part(2, 4).column == 9


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_change_nothing(ends: str) -> None:
    text = "a: 1\nb: |\n  x\n  y\nc: >\n  x\n  y\nd: 'x\n  y'\n"
    assert root(text.replace("\n", ends)) == root(text)
    assert [entry.key.span.line for entry in root(text.replace("\n", ends))] == [1, 2, 5, 8]


def test_no_line_end_at_the_end() -> None:
    assert scalar(root("a: |\n  x").get("a")).text == "x"
    assert root("a: 1") == root("a: 1\n")


PIECES = [
    *("a", "b: ", "- ", "\n", "\n  ", "\n    ", " ", "'", '"', "|\n", ">-\n", "[", "]", "{", "}", ", ", ":", "#", " #"),
    *("?", "? ", "*", "&", "!", "%", "\t", "\r\n", "---\n", "...\n", "\\", "é", "😀", "(", ")", "x:1", "-y", "<<: "),
]


@given(st.one_of(st.binary(max_size=60), st.lists(st.sampled_from(PIECES), max_size=20).map("".join).map(str.encode)))
@example(b"{{x}")
@example(b'a: "\\U00110000"')
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_give_a_tree_or_findings_and_both_parsers_agree(data: bytes) -> None:
    told = []
    for c_parser in {reading.C_PARSER, None}:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reading, "C_PARSER", c_parser)
            findings = Findings()
            tree = read("a.yaml", data, findings)
        assert tree is not None or len(findings)
        told.append((tree, [(item.code, item.message, item.hint, item.span and item.span.start) for item in findings]))
        check_places(tree)
    assert all(entry == told[0] for entry in told)


def check_places(node: Node | None) -> None:
    match node:
        case Scalar():
            assert 0 <= node.span.start <= node.span.end <= len(node.span.source.text)
            for index in range(len(node.text)):
                part = node.part(index, index + 1)
                assert node.span.start <= part.start <= node.span.end
        case Mapping():
            for entry in node:
                check_places(entry.key)
                check_places(entry.value)
        case Sequence():
            for item in node:
                check_places(item)
