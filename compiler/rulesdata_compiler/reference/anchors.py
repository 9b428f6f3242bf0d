"""The anchors of the pages: where a rule, a row, a tag or a chapter is found.

In: ids. Out: anchors of ASCII letters, digits, `_`, `-`, `.` and `~`, and file names for chapters. The one rule: an
anchor comes from the id alone, never from a title, and no two differ only in upper and lower case. A `.` parts what a
page adds: `table.row`, `tag.word`; ids have none.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))]
)
_LONGEST = 60


def safe(text: str) -> str:
    """An id in the letters of an anchor; `stress[Calm]` becomes `stress-Calm`, other signs `~` and their number."""
    plain = text.removesuffix("]").replace("[", "-") if text.endswith("]") and text.count("[") == 1 else text
    made = _UNSAFE.sub(lambda found: f"~{ord(found[0]):x}~", plain)
    return made if len(made) <= _LONGEST else f"{made[:_LONGEST]}~{_mark(text)}"


def anchors(ids: Iterable[str]) -> dict[str, str]:
    """An anchor for each id. Where some would differ in case at most, those that are not all small get a mark."""
    made = {each: safe(each) for each in ids}
    taken = Counter(anchor.casefold() for anchor in made.values())
    for each, anchor in made.items():
        if taken[anchor.casefold()] > 1 and each != anchor.casefold():
            made[each] = f"{anchor}~{_mark(each)}"
    return made


def file_names(titles: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """A file name, without ending, for each title: safe on every system, and none twice in any case."""
    used = set(taken)
    made = []
    for number, title in enumerate(titles, 1):
        plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
        name = re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")[:40].strip("-") or f"chapter-{number}"
        if name in _RESERVED:
            name += "-chapter"
        first, again = name, 2
        while name in used:
            name, again = f"{first}-{again}", again + 1
        used.add(name)
        made.append(name)
    return made


def _mark(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:6]
