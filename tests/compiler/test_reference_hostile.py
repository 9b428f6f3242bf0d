"""Texts from strangers: forty payloads in every text of a system, and the page has not one tag more."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from compiler.reference_pages import SYSTEM, Page, compiled, html_page, markdown_pages
from rulesdata_compiler import Compiled

PAYLOADS = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<IMG SRC=javascript:alert(1)>",
    '<img src="http://host/p.png">',
    "<svg onload=alert(1)>",
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    "<math><mtext></form><form><mglyph><style></math>",
    "<iframe src=//host></iframe>",
    "<object data=data:text/html,hi></object>",
    "<embed src=//host/x>",
    "<base href=//host/>",
    "<link rel=stylesheet href=//host/x.css>",
    "<meta http-equiv=refresh content=0;url=//host>",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<b>bold</b> & <i>more</i>",
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
    '"><script>alert(1)</script>',
    "'><svg/onload=alert(1)>",
    "--><script>alert(1)</script><!--",
    "]]><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](file:///etc/passwd)",
    "[x](//host/path)",
    "[x](vbscript:x)",
    "![](http://host/p.png)",
    "![x](//host/p.png)",
    "{{7*7}}",
    "{% include 'x' %}{{ config }}",
    "\u202etxt.exe",
]
# Long titles and those with a comma are not used as names in formulas, so a page has two plain shapes.
HARMLESS = ("quite plain words", "quite plain words, so many that they are no name in a formula")
WORDS = {"title", "unit", "else", "say"}
PROSE = {"text", "about", "ruling", "say", "else"}


def poisoned(value: Any, payload: str, key: str = "") -> Any:
    """A copy of a system with a payload for each text in it."""
    if isinstance(value, dict):
        return {name: poisoned(inner, payload, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [payload] if key == "aliases" else [poisoned(inner, payload, key) for inner in value]
    if isinstance(value, str) and key in PROSE:
        return payload if key == "about" else payload.replace("{", "{{").replace("}", "}}")
    return payload if isinstance(value, str) and key in WORDS else value


def hostile(payload: str) -> dict[str, Any]:
    system = copy.deepcopy(SYSTEM)
    sources = dict.fromkeys(system["system"]["sources"], payload)
    made: dict[str, Any] = poisoned(system, payload)
    made["system"]["sources"] = sources
    made["derived"]["light"]["source"] = f"book, {payload}"
    return made


def shape(page: Page) -> list[tuple[str, tuple[str, ...]]]:
    """All tags before the index, which has a heading for each first letter."""
    end = next(place for place, (_, attrs) in enumerate(page.tags) if attrs.get("id") == "page.index")
    assert {tag for tag, _ in page.tags[end:]} <= {"section", "h2", "h3", "div", "ul", "li", "a", "span"}
    return [(tag, tuple(sorted(set(attrs) - {"class"}))) for tag, attrs in page.tags[:end]]


@pytest.fixture(scope="module")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    return [Page(html_page(compiled(tmp_path_factory.mktemp("plain"), hostile(words)))) for words in HARMLESS]


def test_there_are_forty() -> None:
    assert len(set(PAYLOADS)) == 40


@pytest.fixture(scope="module", params=PAYLOADS)
def poison(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Compiled]:
    return request.param, compiled(tmp_path_factory.mktemp("hostile"), hostile(request.param))


def test_nothing_of_a_text_becomes_a_tag(poison: tuple[str, Compiled], harmless: list[Page]) -> None:
    payload, made = poison
    page = Page(html_page(made))
    assert page.badly == []
    assert page.open == []
    long = len(payload) > 44 or "," in payload
    assert shape(page) == shape(harmless[long])
    for tag, attrs in page.tags:
        assert not [name for name in attrs if name.startswith("on") or name in {"src", "style", "action"}], tag
        assert str(attrs.get("href", "#")).startswith("#")
    shown = payload.replace("\u202e", "‹U+202E›")
    assert page.text.count(shown) >= harmless[long].text.count(HARMLESS[long])
    assert "49" not in page.text or "49" in payload


def test_nothing_of_a_text_becomes_markdown(poison: tuple[str, Compiled]) -> None:
    """Read by a Markdown parser that lets HTML through, a page holds no tag but our anchors, and the text as typed."""
    payload, made = poison
    ours = re.compile(r'<a id="[A-Za-z0-9._~-]*">|</a>|(<a id="[A-Za-z0-9._~-]*"></a>)+\n*')
    shown = payload.replace("\u202e", "‹U+202E›")
    for name, data in markdown_pages(made).items():
        text = re.sub(r"\A---\n.*?\n---\n", "", data.decode(), flags=re.DOTALL)
        tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
        inline = [child for token in tokens for child in token.children or []]
        for token in (*tokens, *inline):
            if token.type in {"html_block", "html_inline"}:
                assert ours.fullmatch(token.content), (name, token.content)
            assert token.type != "image"
            if token.type == "link_open":
                assert re.match(r"#|[a-z0-9-]+\.md(#|$)", str(token.attrs["href"])), token.attrs
        plain = "".join(child.content for child in inline if child.type in {"text", "text_special", "code_inline"})
        assert name == "names.md" or shown in plain


def test_web_links_stay_links_and_pictures_do_not(tmp_path: Path) -> None:
    system = copy.deepcopy(SYSTEM)
    system["derived"]["light"]["text"] = (
        "[rules](https://example.org/a?b=1&c=2), [Oil](oil), [here](#guard), ![p](https://example.org/p.png)"
    )
    page = Page(html_page(compiled(tmp_path, system)))
    outside = [attrs for tag, attrs in page.tags if tag == "a" and not str(attrs["href"]).startswith("#")]
    assert outside == [{"href": "https://example.org/a?b=1&c=2", "rel": "noopener noreferrer"}] * 2  # rule and screen
    assert "![p](https://example.org/p.png)" in page.text
    assert {"#oil", "#guard"} <= set(page.targets())
