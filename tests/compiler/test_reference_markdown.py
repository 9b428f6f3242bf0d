"""The folder of Markdown: every link leads to a file and an anchor in it, names are found, texts stay texts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from compiler.reference_pages import compiled, markdown_pages
from rulesdata_compiler.reference.escape import code, escaped

LINK = re.compile(r"(?<!\\)\[[^\]]*\]\(([a-z0-9-]*(?:\.md)?)(?:#([^)]*))?\)")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {name: data.decode() for name, data in markdown_pages(compiled(tmp_path_factory.mktemp("lamp"))).items()}


def test_every_link_leads_to_an_anchor(pages: dict[str, str]) -> None:
    found = 0
    for name, text in pages.items():
        for file, anchor in LINK.findall(text):
            target = pages[file or name]
            assert not anchor or f'<a id="{anchor}"></a>' in target, (name, file, anchor)
            found += 1
    assert found > 60


def test_rules_are_found_by_obsidian_too(pages: dict[str, str]) -> None:
    """A heading that is the anchor's very text, and front matter with the names."""
    light = pages["light.md"]
    assert '<a id="light"></a>\n\n## Light\n\n###### light\n' in light
    front = light.split("---")[1]
    assert [json.loads(line[4:]) for line in front.splitlines() if line.startswith("  - ")] == [
        "Light",
        "glow",
        "Oil",
        "Check",
        "Fate",
    ]


def test_a_rule_reads_well(pages: dict[str, str]) -> None:
    said = "**8 + half of [Might](stats.md#Might), rounded up** `8 + ceil(Might / 2)` (9 to 14 lumens)"
    assert said in pages["light.md"]
    assert "| --- | --- | --- |" in pages["light.md"]
    assert "- *Odd.* Might 3 → **Light 10**" in pages["light.md"]
    assert "1. *room* is *Amount of oil*, at most 3." in pages["rest.md"]


def test_the_folder(pages: dict[str, str]) -> None:
    assert {"index.md", "names.md", "screens.md", "light.md", "rest.md", "stats.md"} <= set(pages)
    assert "- [Light](light.md)\n    - [Light](light.md#light)" in pages["index.md"]
    assert not any("\n\n\n" in text for text in pages.values())


ESCAPED = [
    ("plain words, 50% of a-b", "plain words, 50% of a-b"),
    ("snake_case and _lean_", r"snake_case and \_lean\_"),
    ("*a* `b` [c](d)", r"\*a\* \`b\` \[c\](d)"),
    ("a | b < c & d", r"a \| b &lt; c &amp; d"),
    ("#tag, not a#tag", r"\#tag, not a#tag"),
    ("%%note%% ==mark== $x$ ~~gone~~", r"\%\%note\%\% \=\=mark\=\= \$x\$ \~\~gone\~\~"),
    ("{{7*7}}", r"\{\{7\*7}}"),
    ("two\nlines", "two lines"),
    ("\u202eabc", "‹U+202E›abc"),
]


@pytest.mark.parametrize(("text", "wanted"), ESCAPED)
def test_texts_are_escaped(text: str, wanted: str) -> None:
    assert escaped(text) == wanted


def test_code_takes_as_many_ticks_as_it_needs() -> None:
    assert code("a") == "`a`"
    assert code("a `b` c") == "`` a `b` c ``"
    assert code("a | b") == r"a \| b"


def test_written_by_build(tmp_path: Path) -> None:
    from rulesdata_compiler.build import build_target

    made = compiled(tmp_path / "lamp")
    written = build_target(made, "markdown", tmp_path / "out")
    assert {path.name for path, _ in written} >= {"index.md", "names.md"}
    assert build_target(made, "html", tmp_path / "lamp.html")[0][1] > 10_000
