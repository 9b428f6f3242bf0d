"""Files gathered to one collection: headers, ids over all kinds, house rules, and folders that hold odd things."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from rulesdata_compiler.diagnostics import Findings
from rulesdata_compiler.nearest import did_you_mean, suggest
from rulesdata_compiler.reading import folder
from rulesdata_compiler.reading.gather import Collected, gather, read_folder
from rulesdata_compiler.tree import Mapping, Sequence

SYSTEM = "system: {id: demo, title: Demo}\n"
HOUSE = "house_rules: {id: home, extends: demo}\n"


def gathered(*texts: str) -> tuple[Collected, list[str]]:
    findings = Findings()
    collected = gather([(f"{name}.yaml", text.encode()) for name, text in zip("abcde", texts, strict=False)], findings)
    said = []
    for item in findings:
        place = f"{item.span.source.name}:{item.span.line}:{item.span.column} " if item.span else ""
        notes = "".join(f" | {note.span.source.name}:{note.span.line} {note.message}" for note in item.notes)
        said.append(f"{place}{item.code} {item.message}{notes}")
    return collected, said


def test_files_add_to_the_same_collections_sorted_by_id() -> None:
    collected, said = gathered("stats: {b: {}, a: {}}\nx-mine: 1\n", SYSTEM + "stats: {c: {}}\ntracks:\n")
    assert said == []
    assert collected.header is not None
    assert collected.house is None
    assert list(collected.kinds) == ["stats", "tracks"]
    assert list(collected.kinds["stats"]) == ["a", "b", "c"]
    assert collected.kinds["tracks"] == {}
    assert collected.files == ("a.yaml", "b.yaml")
    assert collected.whole


def test_order_of_files_changes_nothing() -> None:
    one, _ = gathered(SYSTEM, "stats: {b: {}}", "stats: {a: {}}")
    other, _ = gathered("stats: {a: {}}", SYSTEM, "stats: {b: {}}")
    assert one.kinds == other.kinds
    assert one.header == other.header


def test_symbols_and_slots_are_added_to_by_files() -> None:
    collected, said = gathered(
        SYSTEM, "dice: {symbols: {x: {}}, d: {}}\nactions: {slots: {turn: {}}}", "dice: {symbols: {y: {}, x: {}}}"
    )
    symbols = collected.kinds["dice"]["symbols"].value
    assert isinstance(symbols, Mapping)
    assert [entry.key.text for entry in symbols] == ["x", "y"]
    assert list(collected.kinds["actions"]) == ["slots"]
    assert said == ["c.yaml:1:25 Y142 x is written twice | b.yaml:1 written here first"]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (
            (SYSTEM + "stats: {a: {}}", "derived: {a: {}}"),
            ["b.yaml:1:11 Y142 the id a is used twice | a.yaml:2 used here first"],
        ),
        (
            (SYSTEM + "stats: {a: {}}", "stats: {A: {}}"),
            ["b.yaml:1:9 Y142 the ids a and A differ only in how their letters are written | a.yaml:2 used here first"],
        ),
        ((SYSTEM + "stats: {LUCK: {}}", "tracks: {luck: {}}"), []),
        (
            (SYSTEM, SYSTEM),
            ["b.yaml:1:1 Y141 system: is written twice, and there is one for all files | a.yaml:1 written here first"],
        ),
        (("stats: {a: {}}",), ["a.yaml:1:1 Y140 there is no system: with the id and title of this system"]),
        (
            ("add: {stats: {a: {}}}",),
            ["a.yaml:1:1 Y140 there is no house_rules: with the id and title of these house rules"],
        ),
        ((), ["Y140 there are no rules here to read"]),
        (("sytem: {id: demo}",), ["a.yaml:1:1 Y143 sytem is no key that stands at the top of a file"]),
        (("stats: {a: {}", "x-a: 1"), ["a.yaml:1:8 Y119 the { that begins here is never closed"]),
        ((SYSTEM + "stats: [a]",), ["a.yaml:2:8 Y144 stats: wants ids below it, and each rule below its id"]),
        ((SYSTEM + "stats: a",), ["a.yaml:2:8 Y144 stats: wants ids below it, and each rule below its id"]),
        (("system:\n",), ["a.yaml:1:1 Y144 system: wants keys such as id and title below it"]),
        (
            (SYSTEM + HOUSE,),
            ["a.yaml:2:1 Y145 a system and house rules stand in files of their own | a.yaml:1 the system begins here"],
        ),
        (
            (HOUSE + "stats: {a: {}}",),
            [
                "a.yaml:2:1 Y145 house rules say what they do to stats: change, add or remove"
                " | a.yaml:1 these are house rules"
            ],
        ),
        (
            (SYSTEM + "remove: {stats: [a]}",),
            [
                "a.yaml:2:1 Y145 remove: belongs to house rules, and these files are a system"
                " | a.yaml:1 the system begins here"
            ],
        ),
    ],
)
def test_what_does_not_fit_together(texts: tuple[str, ...], said: list[str]) -> None:
    collected, found = gathered(*texts)
    assert found == said
    assert collected.whole is not any(
        "Y119" in line or ("Y14" in line and "Y140" not in line and "Y141" not in line) for line in said
    )


def test_hint_for_a_key_that_is_not_known() -> None:
    findings = Findings()
    gather([("a.yaml", b"system: {id: x}\ntable: {}\nqqq: 1\n")], findings)
    assert [item.hint for item in findings] == [
        "did you mean tables?",
        "there are system, house_rules, change, add, remove, stats, derived, tracks, dice, rolls, tables, spends, "
        "bands, conditions, traits, environments, actions, procedures and options; keys that begin with x- are free",
    ]


def test_house_rules_of_several_files() -> None:
    collected, said = gathered(
        HOUSE + "change: {stats: {a: {max: 3}}}\nremove: {spends: [x]}",
        "change: {stats: {b: {max: 4}}, rolls: {c: {}}}\nadd: {stats: {d: {}}}\nremove: {spends: [y]}",
    )
    assert said == []
    assert collected.house is not None
    assert isinstance(collected.change, Mapping)
    stats = collected.change.get("stats")
    assert isinstance(stats, Mapping)
    assert [entry.key.text for entry in stats] == ["a", "b"]
    assert isinstance(collected.remove, Mapping)
    spends = collected.remove.get("spends")
    assert isinstance(spends, Sequence)
    assert len(spends.items) == 2
    assert collected.kinds == {}


def test_house_rules_that_change_one_rule_twice() -> None:
    _, said = gathered(HOUSE + "change: {stats: {a: {}}}", "change: {stats: {a: {}}}")
    assert said == ["b.yaml:1:18 Y142 a is written twice | a.yaml:2 written here first"]


# --- folders ----------------------------------------------------------------------------------------------------


def read_all(path: Path) -> tuple[list[str], list[str]]:
    findings = Findings()
    files = read_folder(path, findings)
    return [name for name, _ in files], [f"{item.code} {item.message}" for item in findings]


def test_a_folder_is_read_in_order_of_name(tmp_path: Path) -> None:
    for name in ("b.yaml", "a/z.yaml", "a.yaml", "x.yaml/in.yaml", "notes.md", ".git/x.yaml", ".hidden.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a: 1\n")
    assert read_all(tmp_path) == (["a.yaml", "a/z.yaml", "b.yaml", "x.yaml/in.yaml"], [])


def test_a_single_file(tmp_path: Path) -> None:
    (tmp_path / "friday.yaml").write_text("a: 1\n")
    assert read_all(tmp_path / "friday.yaml") == (["friday.yaml"], [])


def test_no_such_folder(tmp_path: Path) -> None:
    assert read_all(tmp_path / "none") == ([], ["Y147 the folder none cannot be opened: it does not exist"])


def test_links_and_special_files_are_refused_and_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text("secret: 1\n")
    inside = tmp_path / "rules"
    inside.mkdir()
    (inside / "link.yaml").symlink_to(outside / "secret.yaml")
    (inside / "linked").symlink_to(outside)
    (inside / "picture.png").symlink_to(outside / "secret.yaml")
    (inside / "loop").symlink_to(inside)
    (inside / "self.yaml").symlink_to(inside / "self.yaml")
    os.mkfifo(inside / "pipe.yaml")
    with socket.socket(socket.AF_UNIX) as open_socket:
        monkeypatch.chdir(inside)  # the path of a socket must be short
        open_socket.bind("socket.yaml")
    opened: list[str] = []
    sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
    assert read_all(inside) == (
        [],
        [
            "Y146 link.yaml is a link, and links are not followed",
            "Y146 linked is a link, and links are not followed",
            "Y146 loop is a link, and links are not followed",
            "Y146 pipe.yaml is no ordinary file",
            "Y146 self.yaml is a link, and links are not followed",
            "Y146 socket.yaml is no ordinary file",
        ],
    )
    assert not [name for name in opened if name.endswith(".yaml")]


def test_a_file_that_is_not_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("a: 1\n")
    (tmp_path / "B.YAML").write_text("a: 1\n")
    assert read_all(tmp_path) == (
        [],
        [
            "Y149 B.YAML is not read: only names that end in .yaml are",
            "Y149 a.yml is not read: only names that end in .yaml are",
        ],
    )


def test_a_file_one_may_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules.yaml").write_text("a: 1\n")

    def refuse(*args: object) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "open", refuse)
    assert read_all(tmp_path) == ([], ["Y147 the file rules.yaml cannot be opened: you may not read it"])


def test_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "MOST_FILES", 3)
    for name in "abcde":
        (tmp_path / f"{name}.yaml").write_text("a: 1\n")
    assert read_all(tmp_path) == (
        ["a.yaml", "b.yaml", "c.yaml"],
        ["Y148 this folder has more than 3 YAML files, and the rest is not read"],
    )


def test_too_many_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "MOST_TOTAL", 8)
    for name in "abc":
        (tmp_path / f"{name}.yaml").write_text("a: 1\n")
    assert read_all(tmp_path) == (
        ["a.yaml"],
        ["Y148 the YAML files of this folder have more than 8 bytes (64 MiB), and the rest is not read"],
    )


def test_a_large_file_is_refused_without_being_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "big.yaml").open("wb") as file:
        file.truncate(1 << 30)
    findings = Findings()
    ((name, data),) = read_folder(tmp_path, findings)
    assert (name, len(data)) == ("big.yaml", 2 * 1024 * 1024 + 1)
    gather([(name, data)], findings)
    assert [item.code for item in findings] == ["Y106"]


# --- nearest names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("Bdoy", ["Body"]),
        ("body", ["Body"]),
        ("strenght", ["strength"]),
        ("alarms", ["alarm"]),
        ("hp", []),
        ("xyz", []),
        ("", []),
        ("lamp_of", ["lamp_off", "lamp_on"]),
        ("Body", []),
    ],
)
def test_nearest(word: str, names: list[str]) -> None:
    assert suggest(word, ["Body", "strength", "alarm", "xmneyzv", "lamp_on", "lamp_off", "max"]) == names


def test_did_you_mean() -> None:
    assert did_you_mean("Bdoy", ["Body"]) == "did you mean Body?"
    assert did_you_mean("lamp_x", ["lamp_a", "lamp_b", "lamp_c", "lamp_d"]) == "did you mean lamp_a, lamp_b or lamp_c?"
    assert did_you_mean("torch", ["Body"]) is None
