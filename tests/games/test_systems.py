"""The shipped systems against their checklists and the worked cases of their sources."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import rulesdata
import yaml

from rulesdata_compiler import compile_system
from rulesdata_runtime.proving.examples import play_example

HERE = Path(__file__).resolve().parent
CHECKLISTS = {
    "genesys-shadowrun": ("G", 3, 159),
    "shadowrun-4e": ("S", 2, 80),
    "cyberpunk-red": ("C", 2, 55),
    "blackout": ("F", 2, 62),
}
SYSTEMS = [name for name in CHECKLISTS if (HERE / f"{name}.coverage.yaml").exists()]


@cache
def rules_of(system: str) -> rulesdata.Rules:
    return rulesdata.load(system)


def read(name: str) -> Any:
    return yaml.safe_load((HERE / name).read_text(encoding="utf-8"))


def cases() -> list[Any]:
    found = []
    for system in SYSTEMS:
        path = HERE / f"{system}.cases.yaml"
        if path.exists():
            found += [pytest.param(system, case, id=case["id"]) for case in read(path.name)]
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_shipped_system_has_no_findings(system: str) -> None:
    compiled = compile_system(system)
    assert [finding.message for finding in compiled.findings] == []
    assert compiled.counts.examples >= 50


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_coverage_map_is_whole_and_its_ids_exist(system: str) -> None:
    letter, digits, last = CHECKLISTS[system]
    covered = read(f"{system}.coverage.yaml")
    assert list(covered) == [f"{letter}{number:0{digits}}" for number in range(1, last + 1)]
    known = set(rules_of(system).rules) | set(rules_of(system).artifact["slots"])
    for checklist_id, entry in covered.items():
        rules = entry["rules"] if isinstance(entry, dict) else entry
        assert rules, checklist_id
        assert [rule for rule in rules if rule not in known] == [], checklist_id
        if isinstance(entry, dict):
            assert set(entry) == {"rules", "text_only"}, checklist_id
            assert len(entry["text_only"].split()) >= 4, checklist_id


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_rule_that_computes_is_pinned_by_an_example(system: str) -> None:
    """Whatever a checklist id points at, unless it is text only, at least one of its rules carries an example."""
    covered = read(f"{system}.coverage.yaml")
    rules = rules_of(system).rules
    bare = [
        checklist_id
        for checklist_id, entry in covered.items()
        if not isinstance(entry, dict) and not any(rules.get(rule, {}).get("examples") for rule in entry)
    ]
    assert bare == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_rule_has_a_title_and_says_where_it_is_from(system: str) -> None:
    for rule_id, rule in rules_of(system).rules.items():
        assert rule.get("title"), rule_id
        if rule["kind"] not in {"options"}:
            assert rule.get("source"), rule_id


@pytest.mark.parametrize(("system", "case"), cases())
def test_a_case_of_the_sources_comes_out(system: str, case: dict[str, Any]) -> None:
    example = {key: value for key, value in case.items() if key not in {"id", "rule", "why"}}
    example["play"] = [_move(move) for move in case["play"]] if "play" in case else None
    verdict = play_example(rules_of(system), case["rule"], {k: v for k, v in example.items() if v is not None})
    assert verdict.sentence() == ""


def houses() -> list[Any]:
    """(system, ids) of each file of house rules that comes with a system, and of all of one system together."""
    found = []
    for system in SYSTEMS:
        ids = sorted(path.stem for path in (Path(rulesdata.__file__).parent / system / "house").glob("*.yaml"))
        groups = [(one,) for one in ids] + ([tuple(ids)] if len(ids) > 1 else [])
        found += [pytest.param(system, group, id="+".join((system, *group))) for group in groups]
    return found


@pytest.mark.parametrize(("system", "ids"), houses())
def test_shipped_house_rules_have_no_findings(system: str, ids: tuple[str, ...]) -> None:
    assert [finding.message for finding in compile_system(system, house=list(ids)).findings] == []


@cache
def rules_with(system: str, house: str) -> rulesdata.Rules:
    return rulesdata.load(system, house=[house])


def house_cases() -> list[Any]:
    found = []
    for system in SYSTEMS:
        path = HERE / f"{system}.house.yaml"
        for number, case in enumerate(read(path.name) if path.exists() else (), start=1):
            found.append(pytest.param(system, case, id=f"{system}-{case['house']}-{case['rule']}-{number}"))
    return found


@pytest.mark.parametrize(("system", "case"), house_cases())
def test_a_house_rule_changes_what_it_says(system: str, case: dict[str, Any]) -> None:
    example = {key: value for key, value in case.items() if key not in {"id", "rule", "house", "why"}}
    if "play" in case:
        example["play"] = [_move(move) for move in case["play"]]
    with_it = rules_with(system, case["house"])
    assert play_example(with_it, case["rule"], example).sentence() == ""
    without = rules_of(system)
    assert case["rule"] not in without.rules or not play_example(without, case["rule"], example).fine


def _move(move: dict[str, Any]) -> dict[str, Any]:
    """A move as the artifact holds it: `{advance: {turn: 8}}` is advance turn, count 8."""
    if isinstance(move.get("advance"), dict):
        ((unit, count),) = move["advance"].items()
        return {**move, "advance": unit, "count": count}
    return move


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_readme_names_procedures_that_exist(system: str) -> None:
    text = (Path(rulesdata.__file__).parent / system / "README.md").read_text(encoding="utf-8")
    rules = rules_of(system)
    known = set(rules.rules) | set(dict(rules.artifact["system"].get("clock") or ()))
    known |= set(rules.artifact["system"].get("events", ())) | set(rules.artifact["system"].get("scenes", ()))
    contexts = {context for rule in rules.rules.values() for context in rule.get("context", ())}
    for verb, name in re.findall(rf"(roll|run|lookup|value|act|advance|spend|band|order) {system} ([\w\[\]]+)", text):
        assert name in known | contexts, f"{verb} {name}"
