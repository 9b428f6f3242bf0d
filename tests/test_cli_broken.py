"""A shipped system, broken in one place: exactly one error, at the place where the author slipped.

`«` in the new text marks where the finding has to begin.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
import rulesdata
from rulesdata.__main__ import main

SYSTEM = "shadowrun-4e"


@dataclass(frozen=True, slots=True)
class Slip:
    what: str
    file: str
    old: str
    new: str
    code: str


SLIPS = [
    Slip("a misspelt stat", "character.yaml", "8 + ceil(Body / 2)", "8 + ceil(«Bdoy / 2)", "N401"),
    Slip("a bracket left open", "character.yaml", "8 + ceil(Body / 2)", "8 + ceil«(Body / 2", "F312"),
    Slip("a misspelt function", "character.yaml", "8 + ceil(Body / 2)", "8 + «ciel(Body / 2)", "N407"),
    Slip("a number where a yes or no belongs", "damage.yaml", "when: amount > Body and", "when: «amount and", "T502"),
    Slip("a choice that does not exist", "damage.yaml", "kind is stun or", "kind is «stum or", "N405"),
    Slip("a row left out", "falls_and_fatigue.yaml", "3-6: 4, ", "", "R604"),
    Slip("rows that overlap", "falls_and_fatigue.yaml", "3-6: 4", "«2-6: 4", "R602"),
    Slip("dice that the rows do not cover", "damage.yaml", "roll: 1d5", "roll: «1d6", "R601"),
    Slip(
        "a key written twice",
        "character.yaml",
        "    unit: boxes\n    source: damage\n    examples:\n      - {title: An odd Body",
        "    unit: boxes\n    source: damage\n    «unit: boxes\n    examples:\n      - {title: An odd Body",
        "Y104",
    ),
    Slip("a tab", "character.yaml", "    title: Physical boxes", "«\ttitle: Physical boxes", "Y105"),
    Slip("a quote left open", "character.yaml", "title: Physical boxes", 'title: «"Physical boxes', "Y117"),
    Slip(
        "a field that does not exist",
        "character.yaml",
        "    title: Physical boxes",
        "    «titel: Physical boxes",
        "S201",
    ),
    Slip("a formula forgotten", "character.yaml", "    formula: 8 + ceil(Body / 2)\n", "", "S202"),
    Slip("a kind that does not exist", "damage.yaml", "procedures:", "«procedurs:", "Y143"),
    Slip("a word that is none of the choices", "character.yaml", "over: lost", "over: «gone", "S204"),
    Slip(
        "a condition that does not exist",
        "damage.yaml",
        "apply: prone, when: amount",
        "apply: «porne, when: amount",
        "N403",
    ),
    Slip("a misspelt name in a text", "damage.yaml", 'say: "{base_dv} +', 'say: "{«bsae_dv} +', "N401"),
    Slip("a circle", "character.yaml", "formula: 8 + ceil(Body / 2)", "formula: 8 + «physical_boxes", "T515"),
    Slip(
        "an example that does not come out",
        "character.yaml",
        "{title: One more point of Body, given: {Body: 5}, expect: {physical_boxes: 11}",
        "{«title: One more point of Body, given: {Body: 5}, expect: {physical_boxes: 12}",
        "E801",
    ),
    Slip(
        "a stacking group that does not exist", "character.yaml", "add: 8, stack: worn", "add: 8, stack: «wron", "N414"
    ),
    Slip(
        "a parameter that does not exist",
        "damage.yaml",
        "with: {amount: through, kind: kind}",
        "with: {amount: through, «knd: kind}",
        "N409",
    ),
    Slip("a unit of time that does not exist", "system.yaml", "minute: 20 turn", "minute: 20 «trun", "S228"),
]


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.what)
def test_a_slip_is_one_error_at_its_place(slip: Slip, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(Path(rulesdata.__file__).parent / SYSTEM, copy)
    path = copy / slip.file
    text = path.read_text(encoding="utf-8")
    assert text.count(slip.old) >= 1, f"{slip.file} holds no {slip.old!r}"
    broken = text.replace(slip.old, slip.new, 1)
    at = broken.find("«")
    path.write_text(broken.replace("«", ""), encoding="utf-8", newline="\n")
    assert main(["check", str(copy), "--json", "--no-cache"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    places = [(one["code"], Path(one["file"]).name, one["line"], one["column"]) for one in found]
    if at >= 0:
        before = broken[:at]
        place = (before.count("\n") + 1, at - before.rfind("\n"))
        assert places == [(slip.code, slip.file, *place)], [one["message"] for one in found]
    else:
        assert [one[:2] for one in places] == [(slip.code, slip.file)], [one["message"] for one in found]
