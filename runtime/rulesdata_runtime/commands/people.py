"""Characters on the command line: read from their files, begun where `--save` says so, and written back.

In: rules and the words after `--character`. Out: characters by role, with the files they belong to. One rule holds:
nothing is written that a call has not changed to the end, and a file that is begun is told.
"""

from __future__ import annotations

import sys

from ..errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import TypeAlias

    from ..play.outcome import Outcome
    from ..rules import Rules
    from ..state.character import Character
    from .arguments import Arguments

    Files: TypeAlias = dict[str, tuple[Path, Character]]

TABLE = "table"
"""The role of the sheet that belongs to the whole table."""


def characters_of(rules: Rules, arguments: Arguments) -> Files:
    """Character files by role; one without a role is under the empty name. What changed since is told."""
    found: Files = {}
    if not arguments.character:
        return found
    from pathlib import Path

    from ..state.character import Character, from_json

    for word in arguments.character:
        role, equals, name = word.partition("=")
        if not equals:
            role, name = "", word
        path = Path(name)
        if path.is_file():
            character, notices = from_json(rules, path.read_bytes())
        elif arguments.save and not path.exists():
            character, notices = Character(), ("a new character",)
        else:
            raise BadInput(f"there is no character file {name}; run, act and advance begin one with --save")
        for notice in notices:
            print(f"{name}: {notice}", file=sys.stderr)
        if role in found:
            raise BadInput(f"two characters for {role or 'the same role'}: {found[role][0]} and {name}")
        found[role] = (path, character)
    return found


def by_role(files: Files) -> dict[str, Character]:
    """Those whose role was named."""
    return {role: character for role, (_, character) in files.items() if role}


def keep(rules: Rules, files: Files, outcome: Outcome) -> None:
    """Write everybody back as the outcome leaves them, the table too."""
    after = dict(outcome.characters)
    if outcome.table is not None:
        after[TABLE] = outcome.table
    save(rules, files, after, next(iter(outcome.characters), ""))


def save(rules: Rules, files: Files, after: Mapping[str, Character], first: str) -> None:
    """Write characters back to the files they came from."""
    import json

    from ..files import write_whole

    for role, (path, _) in files.items():
        character = after.get(role or first)
        if character is not None:
            told = json.dumps(rules.saved(character), ensure_ascii=False, indent=2) + "\n"
            write_whole(path, told.encode("utf-8"))
            print(f"saved {path}", file=sys.stderr)
