"""Families in the merge: an overlay may name all members by the family's id, or one by `id[member]`.

In: the rules by kind. Out: the rules that an id means; a family is written out as soon as one member is meant alone.
"""

from __future__ import annotations

import re

from ..shaping.families import member_entry, members_of, written_out
from ..tree import Entry

_MEMBER = re.compile(r"(.+)\[([^\[\]]+)\]\Z")


class Families:
    """Finds rules. `kinds` is the growing system itself."""

    def __init__(self, kinds: dict[str, dict[str, Entry]]) -> None:
        self.kinds = kinds

    def find(self, kind: str, name: str) -> list[Entry]:
        """The rules an id means; empty where there is none."""
        rules = self.kinds.get(kind, {})
        if name in rules:
            return [rules[name]]
        told = _MEMBER.match(name)
        if told is not None:
            family = rules.get(told[1])
            if family is not None and told[2] in {member.text for member in members_of(family)}:
                del rules[told[1]]
                for member in members_of(family):
                    made = member_entry(family, member.text)
                    rules[made.key.text] = made
                return [rules[name]]
            return []
        return [entry for rule_id, entry in rules.items() if rule_id.startswith(f"{name}[")]

    def names(self, kind: str) -> list[str]:
        """All ids of a kind, of members by themselves too."""
        found: list[str] = []
        for rule_id, entry in self.kinds.get(kind, {}).items():
            found.append(rule_id)
            found += [f"{rule_id}[{member.text}]" for member in members_of(entry)]
        return found

    @staticmethod
    def said(new: Entry, old: Entry, kind: str) -> Entry:
        """What an overlay says, with `(each)` written out where a member of a family is meant."""
        told = _MEMBER.match(old.key.text)
        if told is None or kind == "options":
            return new
        return Entry(new.key, written_out(new.value, told[2]))
