"""The closest known names to a misspelt one.

In: a word and the names that would have been right. Out: at most three of them, the closest first, or none where
nothing is close: a wrong suggestion is worse than no suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

MOST = 3
_LONGEST = 80
_BEHIND = 0.12  # a name that is further behind the best is not worth a line


def suggest(word: str, candidates: Iterable[str]) -> list[str]:
    """The nearest candidates. Short words must match better than long ones: one slip in `xy` is half the word."""
    if not word or len(word) > _LONGEST:
        return []
    cutoff = 0.5 if len(word) <= 3 else 0.6 if len(word) <= 6 else 0.7
    slack = 1 if len(word) <= 3 else 2 if len(word) <= 6 else len(word) // 2
    folded = word.casefold()
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(folded)
    found: list[tuple[float, str]] = []
    for candidate in sorted(set(candidates)):
        other = candidate.casefold()
        if candidate == word or abs(len(other) - len(folded)) > slack:
            continue
        if other == folded:
            found.append((2.0, candidate))
            continue
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() < cutoff or matcher.quick_ratio() < cutoff:
            continue
        ratio = matcher.ratio()
        if ratio >= cutoff:
            found.append((ratio, candidate))
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    return [name for ratio, name in found[:MOST] if ratio >= found[0][0] - _BEHIND]


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """`did you mean Body?`, `did you mean Body or Bodies?`, or None.

    >>> did_you_mean("Bdoy", ["Body", "Strength"])
    'did you mean Body?'
    """
    names = suggest(word, candidates)
    if not names:
        return None
    head = ", ".join(names[:-1])
    return f"did you mean {head} or {names[-1]}?" if head else f"did you mean {names[0]}?"
