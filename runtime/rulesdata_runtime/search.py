"""Finding a rule by words, and the nearest names to a misspelt one.

In: the rules of an artifact and what somebody typed. Out: ids with their titles, the best first; or a few known
names. Every word typed must be found in a rule (its id, title, aliases, tags, text or rows), whole, as a beginning,
inside a word, or with a slip of the fingers; only where no rule has all of them do rules with most of them answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from .records import dataclass

_WORD = re.compile(r"\w+")
_WEIGHTS = {"title": 8, "id": 7, "aliases": 7, "tags": 4, "rows": 3, "text": 1}


@dataclass(frozen=True, slots=True)
class Found:
    """One rule that was found; `where` says in which of its fields the first word stands."""

    id: str
    kind: str
    title: str
    score: int
    where: str

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "kind": self.kind, "title": self.title, "where": self.where}


def plain(text: str) -> str:
    """Small letters without accents, so that `cafe` finds `Café`."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in spread if not unicodedata.combining(letter))


def words_of(text: str) -> list[str]:
    return _WORD.findall(plain(text).replace("_", " "))


def distance(left: str, right: str, most: int) -> int:
    """How many letters must be typed, dropped, changed or swapped to make one from the other; `most + 1` if more."""
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    last = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        now = [row]
        for column, other in enumerate(right, 1):
            cost = min(last[column] + 1, now[-1] + 1, last[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == right[column - 2] and left[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            now.append(cost)
        if min(now) > most:
            return most + 1
        before, last = last, now
    return min(last[-1], most + 1)


def nearest(name: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The known names that are most like `name`, the likeliest first."""
    wanted = plain(name)
    ranked: list[tuple[int, str]] = []
    for other in known:
        have = plain(other)
        most = max(1, min(3, max(len(wanted), len(have)) // 3))
        far = distance(wanted, have, most)
        if far <= most:
            ranked.append((far, other))
        elif len(wanted) >= 3 and (have.startswith(wanted) or wanted in have.split("_")):
            ranked.append((most + 1, other))
    return tuple(other for _, other in sorted(ranked)[:count])


def did_you_mean(names: Iterable[str]) -> str:
    """` Did you mean a or b?`, or nothing."""
    found = list(names)
    return f" Did you mean {' or '.join(found)}?" if found else ""


def said(template: object) -> str:
    """The words of a text; a formula inside it as it was written."""
    if template is None:
        return ""
    if isinstance(template, str):
        return template
    if isinstance(template, list):
        return "".join(part if isinstance(part, str) else "{" + str(part.get("said", "")) + "}" for part in template)
    return str(template)


class Index:
    """The words of every rule, made once."""

    def __init__(self, rules: Mapping[str, Mapping[str, Any]]) -> None:
        from .state.rulebook import SINGULAR

        self.entries: list[tuple[str, str, str, dict[str, list[str]]]] = []
        for rule_id, rule in rules.items():
            fields = {
                "title": words_of(said(rule.get("title"))),
                "id": words_of(rule_id),
                "aliases": words_of(" ".join(rule.get("aliases", ()))),
                "tags": words_of(" ".join(rule.get("tags", ()))),
                "rows": words_of(
                    " ".join(said(row.get("title")) + " " + said(row.get("text")) for row in rule.get("rows", ()))
                ),
                "text": words_of(said(rule.get("text")) + " " + said(rule.get("ruling"))),
            }
            title = said(rule.get("title")) or rule_id
            kind = str(rule.get("kind", ""))
            self.entries.append((rule_id, SINGULAR.get(kind, kind), title, fields))

    def find(self, words: str, kind: str | None = None, limit: int = 20) -> list[Found]:
        """The rules that fit `words`, the best first."""
        wanted = words_of(words)
        if not wanted:
            return []
        found: list[tuple[int, Found]] = []
        for rule_id, of_kind, title, fields in self.entries:
            if kind is not None and of_kind != kind:
                continue
            hits, total, where = 0, 0, ""
            for word in wanted:
                score, field = _best(word, fields)
                if score:
                    hits += 1
                    total += score
                    where = where or field
            if hits:
                bonus = 400 if wanted == fields["id"] or wanted == fields["title"] else 0
                found.append((hits, Found(rule_id, of_kind, title, total + bonus, where)))
        most = max((hits for hits, _ in found), default=0)
        ranked = [entry for hits, entry in found if hits == most]
        ranked.sort(key=lambda entry: (-entry.score, entry.id))
        return ranked[:limit]


def _best(word: str, fields: Mapping[str, list[str]]) -> tuple[int, str]:
    """The best fit of one word in a rule's fields: score and field."""
    best, where = 0, ""
    for field, have in fields.items():
        fit = max((_fit(word, other) for other in have), default=0) * _WEIGHTS[field]
        if fit > best:
            best, where = fit, field
    return best, where


def _fit(word: str, other: str) -> int:
    """How well a typed word fits one that stands there: 20 the same, 0 not at all."""
    if word == other:
        return 20
    if other.startswith(word):
        return 14
    if len(word) >= 3 and word in other:
        return 8
    slips = 2 if len(word) >= 8 else 1 if len(word) >= 4 else 0
    if not slips:
        return 0
    far = distance(word, other, slips)
    if far <= slips:
        return 6 - 2 * far
    # A beginning with a slip in it: what was typed against as many letters.
    far = distance(word, other[: len(word)], slips)
    return 4 - far if far <= slips and word[0] == other[0] else 0
