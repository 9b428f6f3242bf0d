"""The header's references: what sheets hold, what the reference pages show, what symbols cancel.

In: header and symbols. Out: findings for ids that nothing has.
"""

from __future__ import annotations

import re

from ..source import Span
from .world import SHEET, World

KIND_WORDS = frozenset(
    (
        "stats",
        "derived",
        "tracks",
        "dice",
        "rolls",
        "tables",
        "spends",
        "bands",
        "conditions",
        "traits",
        "environments",
        "actions",
        "procedures",
        "options",
        "slots",
        "symbols",
    )
)


def header(world: World) -> None:
    """Check the ids that the header and the symbols name."""
    head = world.system.header
    # The header has no places for single words: they are looked for behind its beginning.
    sheets, reference = _behind(head.span, "sheets"), _behind(head.span, "reference")
    families = set(world.families)
    for kind, names in head.sheets:
        for name in names:
            rule = world.rules.get(name)
            if isinstance(rule, SHEET) or name in families or name in world.silent:
                continue
            known = [*world.ids(SHEET)]
            hint = world.suggest(name, known)
            message = f"there is no stat, derived value or track `{name}`"
            world.sheets[kind] = frozenset()
            world.findings.add("N403", message, _place(head.span, sheets, name), hint=hint)
    everything = {*world.rules, *families, *world.tags, *world.slots, *KIND_WORDS, *world.silent}
    for _, ids in (*head.chapters, *head.screens):
        for name in ids:
            if name not in everything:
                hint = world.suggest(name, everything)
                world.findings.add("N403", f"there is no rule `{name}`", _place(head.span, reference, name), hint=hint)
            else:
                world.use("", name, _place(head.span, reference, name), "screen")
    for symbol in world.symbols.values():
        others = [*symbol.counts_as, *([symbol.cancels] if symbol.cancels else [])]
        for other in others:
            world.word("", "N413", "symbol", other, symbol.span, world.symbols, "symbol")


def _behind(start: Span, key: str) -> Span:
    """The text of the file behind a key of the header."""
    text = start.source.text
    found = re.compile(rf"\b{key}[\"']?[ \t]*:").search(text, text.rfind("\n", 0, start.start) + 1)
    return Span(start.source, found.end() if found else start.start, len(text))


def _place(start: Span, whole: Span, word: str) -> Span:
    """A word of its own in a stretch of text; where the header begins if it is not there."""
    found = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").search(whole.source.text, whole.start, whole.end)
    return Span(whole.source, found.start(), found.end()) if found else start
