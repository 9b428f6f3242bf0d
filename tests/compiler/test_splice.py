"""YAML edited by splicing: one value changes, and not another character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.house.splice import Edit, Refused, apply, set_value, spelled
from rulesdata_compiler.reading.read import read
from rulesdata_compiler.tree import Mapping, Scalar

BLOCK = """\
# Ours.
change:   # what is different
  derived:
    boxes: {formula: base + 1}  # one more

  options: {glow: 4,
            lanterns: on}   # over two lines
  tables:
    mishap:
      rows:
        01–02: {at: 1-3}
# The end.
"""


def edited(way: str, value: str, text: str = BLOCK) -> str:
    return set_value("friday.yaml", text.encode(), way.split("/"), value).decode()


@pytest.mark.parametrize(
    ("way", "value", "old", "new"),
    [
        ("change/derived/boxes/formula", "base + 2", "base + 1", "base + 2"),
        ("change/derived/boxes/formula", "max(base, 2)", "base + 1", '"max(base, 2)"'),
        ("change/derived/boxes/why", "A: b", "base + 1}", 'base + 1, why: "A: b"}'),
        ("change/options/glow", "5", "glow: 4,", "glow: 5,"),
        ("change/options/lamp", "yes", "lanterns: on}", "lanterns: on, lamp: yes}"),
        ("change/tables/mishap/rows/1-2/at", "1-4", "at: 1-3", "at: 1-4"),
        ("change/tables/mishap/rows/1-2/title", "No # 1", "at: 1-3}", 'at: 1-3, title: "No # 1"}'),
        (
            "change/tables/mishap/rows/3/at",
            "3",
            "        01–02: {at: 1-3}\n",
            "        01–02: {at: 1-3}\n        3:\n          at: 3\n",
        ),
        (
            "change/derived/light/formula",
            "base - 1",
            "# one more\n",
            "# one more\n    light:\n      formula: base - 1\n",
        ),
        (
            "change/stats/strength/max",
            "8",
            "        01–02: {at: 1-3}\n",
            "        01–02: {at: 1-3}\n  stats:\n    strength:\n      max: 8\n",
        ),
        ("add/tags", "[a, b]", "# The end.\n", "# The end.\nadd:\n  tags: [a, b]\n"),
    ],
)
def test_only_that_changes(way: str, value: str, old: str, new: str) -> None:
    assert edited(way, value) == BLOCK.replace(old, new, 1)


def test_line_ends_and_the_mark_of_the_file_stay() -> None:
    data = b"\xef\xbb\xbfchange:\r\n  options:\r\n    glow: 4  # four\r\n"
    made = set_value("friday.yaml", data, ["change", "options", "glow"], "5")
    assert made == data.replace(b"4 ", b"5 ")
    made = set_value("friday.yaml", data, ["change", "options", "lamp"], "on")
    assert made == data + b"    lamp: on\r\n"


def test_a_file_without_an_end_of_line() -> None:
    assert edited("change/options/lamp", "on", "change:\n  options:\n    glow: 4") == (
        "change:\n  options:\n    glow: 4\n    lamp: on\n"
    )


def test_a_key_with_nothing_behind_it() -> None:
    assert edited("change/options/glow", "4", "change:\n# nothing yet\n") == (
        "change:\n  options:\n    glow: 4\n# nothing yet\n"
    )
    assert edited("change", "4", "change:\nadd: 5\n") == "change: 4\nadd: 5\n"


def test_block_text_stays_whole() -> None:
    text = "change:\n  conditions:\n    lit:\n      text: |\n        One.\n\n        Two.\n"
    assert edited("change/conditions/lit/title", "Light", text) == text + "      title: Light\n"


@pytest.mark.parametrize(
    ("way", "text", "words"),
    [
        (
            "change/derived/boxes/formula",
            "change:\n  derived:\n    boxes:\n      formula: >-\n        base\n        + 1\n",
            "change.derived.boxes.formula is written over several lines there: change it by hand",
        ),
        (
            "change/options/glow",
            "change:\n  options: 5\n",
            "change.options is one value there, and has no glow below it",
        ),
        (
            "change/options/glow",
            "change: {options: {glow: 4\n",
            "friday.yaml, line 1 cannot be read: this { is not closed",
        ),
    ],
)
def test_what_is_refused(way: str, text: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        edited(way, "5", text)
    assert str(refused.value).startswith(words[: len(words) - 20])


def test_edits_that_overlap() -> None:
    assert apply("abcdef", [Edit(0, 1, "x"), Edit(3, 4, "yy")]) == "xbcyyef"
    with pytest.raises(Refused):
        apply("abcdef", [Edit(0, 3, "x"), Edit(2, 4, "yy")])


@given(
    st.text(
        st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cn", "Co", "Zs", "Cf")), min_size=1, max_size=20
    )
)
def test_a_value_is_spelled_so_that_it_reads_as_it_was_typed(value: str) -> None:
    for flow, text in ((False, "k: {}\n"), (True, "{{k: {}, z: 1}}\n")):
        root = read("x.yaml", text.format(spelled(value, flow=flow)).encode(), Findings())
        assert isinstance(root, Mapping)
        found = root.get("k")
        if value[0] in "[{" and not isinstance(found, Scalar):
            continue  # a list or mapping, written out
        assert isinstance(found, Scalar)
        assert found.text == value


def test_comments_stay_with_what_is_above_them_and_the_step_is_that_of_the_file() -> None:
    text = "change:\n    derived:\n        boxes:\n            max: 9\n\n            # of boxes\n        # of derived\n"
    made = text.replace("        # of derived\n", "        light:\n            max: 3\n        # of derived\n")
    assert edited("change/derived/light/max", "3", text) == made
