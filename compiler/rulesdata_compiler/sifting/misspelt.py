"""One slip in a declaration, told once: not at every place that names what was meant.

In: the findings about names. Out: the same, with those put together that name one word in several places where one
near it is declared and nothing names that. Then the declaration is what is misspelt, and the finding stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..diagnostics import Finding, Findings, Note
from ..source import Source, Span

MOST_NOTES = 3
_ABOUT = re.compile(r"(?:can be|is never|has no choice|no character has a|[Tt]here is no [^`]*?) ?`(\w+)`")
_MEANT = re.compile(r"did you mean ([\w., ]+)\?")
_NAMING = frozenset(
    (
        "N401",
        "N403",
        "N405",
        "N406",
        "N408",
        "N409",
        "N411",
        "N412",
        "N413",
        "N414",
        "N417",
        "N419",
        "R606",
        "S206",
        "T502",
    )
)
Pair = tuple[str, str]


def tell_once(findings: Findings, sources: Iterable[Source]) -> None:
    """Put together what one misspelt declaration brings about."""
    pairs: dict[Pair, list[Finding]] = {}
    for item in findings:
        if item.code in _NAMING and item.span is not None and item.hint and (near := _MEANT.match(item.hint)):
            about = _ABOUT.search(item.message)
            for meant in re.split(r", | or ", near[1]):
                # `owner.charge` names `charge`
                word = about[1] if about else item.span.text.rpartition(".")[2]
                pairs.setdefault((word, meant.rpartition(".")[2]), []).append(item)
    wanted = {
        (word, meant): items
        for (word, meant), items in pairs.items()
        if sum(len(_spans(item)) for item in [*items, *pairs.get((meant, word), ())]) > 1
    }
    if not wanted:
        return
    declared = _written_once({meant for _, meant in wanted}, sources)
    made: dict[int, Finding] = {}
    gone: set[int] = set()
    for (word, meant), items in wanted.items():
        place = declared.get(meant)
        # What cannot be the misspelt word, where another is wanted, follows from the same slip.
        items = [*items, *pairs.get((meant, word), ())]
        items = [item for item in items if id(item) not in gone and id(item) not in made]
        if place is not None and sum(len(_spans(item)) for item in items) > 1:
            made[id(items[0])] = _told(word, meant, place, items)
            gone.update(id(item) for item in items[1:])
    findings.items[:] = [made.get(id(item), item) for item in findings.items if id(item) not in gone]


def _told(word: str, meant: str, place: Span, items: list[Finding]) -> Finding:
    spans = sorted((span for item in items for span in _spans(item)), key=Span.sort_key)
    notes = [Note(span, f"`{word}` is named here") for span in spans[:MOST_NOTES]]
    if len(spans) > MOST_NOTES:
        notes.append(Note(spans[MOST_NOTES], f"and in {len(spans) - MOST_NOTES} more places, from here on"))
    said = (
        f"`{meant}` is declared and never named, and `{word}` is named in {len(spans)} places and means nothing there"
    )
    return Finding(items[0].code, said, place, tuple(notes), f"did you mean {word}?")


def _spans(item: Finding) -> list[Span]:
    """The place of a finding, and further ones of the same word that it tells already."""
    if item.span is None:
        return []
    return [item.span, *(note.span for note in item.notes if item.code == "S206")]


def _written_once(words: set[str], sources: Iterable[Source]) -> dict[str, Span]:
    """The words that stand in one place of all files, with that place."""
    found: dict[str, list[Span]] = {word: [] for word in words}
    for source in sources:
        for match in re.finditer(r"\w+", source.text):
            if match[0] in found:
                found[match[0]].append(Span(source, match.start(), match.end()))
    return {word: spans[0] for word, spans in found.items() if len(spans) == 1}
