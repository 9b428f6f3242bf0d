"""The HTML page: complete, linked, the same each time, asking for nothing."""

from __future__ import annotations

import base64
import copy
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.reference_pages import SYSTEM, Page, compiled, html_page, write
from rulesdata_compiler import compile_system
from rulesdata_compiler.reference.anchors import anchors, file_names
from rulesdata_compiler.reference.names import KIND_TITLES


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return Page(html_page(compiled(tmp_path_factory.mktemp("lamp"))))


SAID = [
    "8 + half of Might, rounded up",
    "8 + ceil(Might / 2)",
    "9 to 14 lumens",
    "Comes from Might; now 8 + half of Might, rounded up.",
    "Odd. Might 3 → Light 10",
    "The book, p. 7",
    "Rounded up.",
    "0 to Light",
    "back to Light",
    "Only if",
    "oil",
    "How hard it blows: 0 to 4; by default 0 wind",
    "1–3 Still air. Nothing moves.",
    "4–6 A gust. Hold on. Take 1 off Oil.",
    "Might is more than 6 Bright 2",
    "otherwise Dull 1",
    "2 Spark",
    "1 Spark Glow on (again and again)",
    "raises the level, up to 3",
    "night or mended",
    "Light −2, at least 0; only the highest of worn counts",
    "own rolls: glint, Flame die +1",
    "Guard + rating",
    "End of each turn",
    "1 each turn",
    "One more: Burn oil",
    "Oil is more than 0 (else: No oil)",
    "room is Amount of oil, at most 3.",
    "If room is more than 2: add room to Oil, on owner. Otherwise: note: Only room.",
    "One each for north and south",
    "blank",
    "Spark + Spark",
    "Upgrades to Flame die",
    "State on",
]


@pytest.mark.parametrize("said", SAID)
def test_it_says(said: str, page: Page) -> None:
    assert said in re.sub(r"\s+", " ", page.text)


def test_every_rule_of_every_kind_is_there_and_every_link_leads_somewhere(page: Page) -> None:
    ids = page.ids()
    assert len(ids) == len({each.casefold() for each in ids})
    assert page.badly == []
    for kind in KIND_TITLES:
        for rule_id in SYSTEM.get(kind, {}):
            assert rule_id in {"symbols", "slots"} or rule_id in ids, rule_id
    assert {"ward", "ward-north", "ward-south", "symbol.spark", "slot.move"} <= set(ids)
    assert {"fate.gust", "distance_bands.far"} <= set(ids)
    assert [target for target in page.targets() if target.removeprefix("#") not in ids] == []


def test_two_keys_are_a_grid(page: Page) -> None:
    assert "lamp / metres 1–4 5–9 small 3 none large 5 2" in page.text


def test_moves_are_summed_between_any_two_bands(page: Page) -> None:
    assert "From / to Near Off Far Near 0 1 3 Off 1 0 2 Far 3 2 0" in page.text


def test_used_by(page: Page) -> None:
    assert "Used by Check, Dazzled, Ember die, Fog" in page.text


def test_the_policy_names_the_style_and_nothing_else(tmp_path: Path) -> None:
    text = html_page(compiled(tmp_path)).decode()
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"default-src &#39;none&#39;; style-src &#39;sha256-{digest}&#39;; base-uri" in text
    assert "<script" not in text
    assert "http://" not in text
    assert "https://" not in text
    assert "url(" not in text
    assert "style=" not in text


def test_a_title_with_braces_stays(tmp_path: Path) -> None:
    system = copy.deepcopy(SYSTEM)
    system["system"]["title"] = "{{7*7}}"
    assert "<title>{{7*7}}</title>" in html_page(compiled(tmp_path, system)).decode()


def test_house_rules_are_marked(tmp_path: Path) -> None:
    folder = write(tmp_path / "lamp", SYSTEM)
    house = tmp_path / "friday.yaml"
    house.write_text(
        "house_rules: {id: friday, title: Friday, extends: lamp-house}\n"
        "change:\n  derived: {light: {formula: base + 2, why: Brighter lamps, examples: changed}}\n",
        encoding="utf-8",
    )
    made = compile_system(str(folder), [str(house)])
    assert not made.findings.errors, [finding.message for finding in made.findings]
    text = html_page(made)
    page = Page(text)
    assert "Light derived value light house rule" in page.text
    assert "Brighter lamps" in page.text
    assert "8 + ceil(Might / 2)" in page.text
    assert "friday.yaml, line 3" in page.text
    assert str(tmp_path) not in text.decode()


def test_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    folder = write(tmp_path / "lamp", SYSTEM)
    code = (
        "import sys, hashlib; from rulesdata_compiler import compile_system as c;"
        "from rulesdata_compiler.reference.pages import html_page, markdown_pages;"
        "m = c(sys.argv[1]); d = hashlib.sha256(html_page(m));"
        "[d.update(k.encode() + v) for k, v in sorted(markdown_pages(m).items())]; print(d.hexdigest())"
    )
    made = set()
    for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"), ("3", "America/Lima")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
        command = [sys.executable, "-c", code, str(folder)]
        made.add(subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout)
    assert len(made) == 1


def test_anchors_come_from_ids_and_never_collide() -> None:
    ids = ["fire", "Fire", "FIRE", "stress[Calm]", "stress-Calm", "größe", "a" * 300, "a" * 301, "con"]
    made = anchors(ids)
    assert made["fire"] == "fire"
    assert len({anchor.casefold() for anchor in made.values()}) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z0-9_~-]+", anchor) for anchor in made.values())
    assert anchors(["stress[Calm]"]) == {"stress[Calm]": "stress-Calm"}


def test_file_names_are_safe_everywhere() -> None:
    titles = ["Con", "AUX", "Light & dark", "light  dark", "Größe", "…", "index", "x" * 300]
    wanted = ["con-chapter", "aux-chapter", "light-dark", "light-dark-2", "groe", "chapter-6", "index-2", "x" * 40]
    assert file_names(titles, ["index"]) == wanted


@pytest.mark.parametrize("name", ["shadowrun-4e", "moth"])
def test_links_of_whole_systems(name: str) -> None:
    games = Path(__file__).resolve().parent.parent / "games"
    made = compile_system(str(games / "moth_and_lantern") if name == "moth" else name, prove=False)
    if made.bindings is None or made.findings.errors:
        pytest.skip("the system has findings of its own")
    page = Page(html_page(made))
    ids = set(page.ids())
    assert [target for target in page.targets() if target[1:] not in ids] == []
    assert len(page.ids()) == len({each.casefold() for each in ids})
