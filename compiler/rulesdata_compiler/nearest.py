"""The closest known names to a misspelt one.

In: a word and the names that would have been right. Out: at most three of them, the closest first, or none where
nothing is close: a wrong suggestion is worse than no suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

MOST = 3
_LONGEST = 80
_FEW = 200  # so many names, at most, are looked at once for a slip that is made many times
_BEHIND = 0.12  # a name that is further behind the best is not worth a line


def suggest(word: str, candidates: Iterable[str]) -> list[str]:
    """The nearest candidates. Short words must match better than long ones: one slip in `xy` is half the word."""
    if not word or len(word) > _LONGEST:
        return []
    names = candidates if isinstance(candidates, frozenset) else frozenset(candidates)
    return list(_remembered(word, names) if len(names) <= _FEW else _nearest(word, names))


def _nearest(word: str, names: frozenset[str]) -> tuple[str, ...]:
    cutoff = 0.5 if len(word) <= 3 else 0.6 if len(word) <= 6 else 0.7
    slack = 1 if len(word) <= 3 else 2 if len(word) <= 6 else len(word) // 2
    folded = word.casefold()
    letters, size = frozenset(folded), len(folded)
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded)
    found: list[tuple[float, str]] = []
    for candidate in names:
        other = candidate.casefold()
        length = len(other)
        if candidate == word or abs(length - size) > slack:
            continue
        if other == folded:
            found.append((2.0, candidate))
            continue
        # Each letter that the other word lacks is one that cannot match: the quickest look, for there may be thousands.
        common = letters.intersection(other)
        if 2 * min(size - len(letters) + len(common), length) < cutoff * (size + length):
            continue
        matcher.set_seq1(other)
        if matcher.quick_ratio() < cutoff:
            continue
        ratio = matcher.ratio()
        if ratio >= cutoff:
            found.append((ratio, candidate))
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    return tuple(name for ratio, name in found[:MOST] if ratio >= found[0][0] - _BEHIND)


@lru_cache(maxsize=1024)
def _remembered(word: str, names: frozenset[str]) -> tuple[str, ...]:
    """The same slip is often made many times, and the fields of a kind are few."""
    return _nearest(word, names)


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """`did you mean Might?`, `did you mean Might or Mights?`, or None.

    >>> did_you_mean("Mihgt", ["Might", "Width"])
    'did you mean Might?'
    """
    names = suggest(word, candidates)
    if not names:
        return None
    head = ", ".join(names[:-1])
    return f"did you mean {head} or {names[-1]}?" if head else f"did you mean {names[0]}?"
