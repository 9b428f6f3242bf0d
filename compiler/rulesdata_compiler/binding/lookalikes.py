"""Names that look like others: letters of mixed scripts, and pairs that a reader cannot tell apart.

In: the names on a character's sheet. Out: a warning for each name that mixes scripts, an error for each pair whose
letters look the same. The one rule: a name in one script, whatever it is, is fine by itself.
"""

from __future__ import annotations

import unicodedata

from ..diagnostics import Note
from .world import SHEET, WORDS, World

# Letters of other scripts that look like Latin ones: Cyrillic and Greek, which keyboards mix.
_PAIRS = (
    "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԌG "
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX οo αa νv ιi ρp υu"
)
_LIKE = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
_TOGETHER = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK", "BOPOMOFO": "CJK", "MODIFIER": ""}


def skeleton(name: str) -> str:
    """What a name looks like: compatibility forms and look-alike letters replaced.

    >>> skeleton("раy") == skeleton("pay")
    True
    """
    return unicodedata.normalize("NFKC", name).translate(_LIKE)


def script(char: str) -> str:
    """The script of a letter, after the first word of its Unicode name; empty for signs and digits."""
    if not char.isalpha():
        return ""
    word = unicodedata.name(char, "").partition(" ")[0]
    return _TOGETHER.get(word, word)


def find_lookalikes(world: World) -> None:
    """Report mixed scripts and pairs of look-alikes among the names of the sheet."""
    seen: dict[str, str] = {}
    for rule_id in sorted(world.rules):
        rule = world.rules[rule_id]
        if not isinstance(rule, SHEET):
            continue
        letters: dict[str, str] = {}
        for char in rule_id:
            if kind := script(char):
                letters.setdefault(kind, char)
        if len(letters) > 1:
            shown = " and ".join(f"`{char}` (U+{ord(char):04X}, {kind.title()})" for kind, char in letters.items())
            world.findings.add("N420", f"`{rule_id}` mixes letters of several scripts: {shown}", rule.span)
        twin = seen.setdefault(skeleton(rule_id), rule_id)
        if twin != rule_id:
            _tell(world, rule_id, twin)


def _tell(world: World, name: str, twin: str) -> None:
    rule, other = world.rules[name], world.rules[twin]
    apart = [(a, b) for a, b in zip(name, twin, strict=False) if a != b]
    letters = f": U+{ord(apart[0][0]):04X} here, U+{ord(apart[0][1]):04X} there" if apart else ""
    notes = (Note(other.span, f"the {WORDS[type(other)]} `{twin}` is here"),)
    message = f"`{name}` looks like `{twin}` and is another name{letters}"
    world.error(name, "N421", message, rule.span, notes=notes, hint="spell both alike, or rename one")
