"""What everything is called on the pages, and where a name leads.

In: the checked system and its bindings. Out: `Names`, which gives titles, links, formulas in words with a link for each
rule they read, and values in words. The one rule: a name becomes a link only where the compiler knows that it means
that rule; a choice that happens to be spelt the same does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from .. import model
from ..binding.bind import Bindings
from ..binding.values import Maybe, Numbers, Value, say
from ..formulas.phrase import phrase
from ..lower import KIND_OF, example_value
from .anchors import anchors, safe
from .view import Link, Own, Piece, Plain, Run, Said, Typed, joined, run

KIND_TITLES: dict[str, tuple[str, str]] = {
    "stats": ("stat", "Stats"),
    "derived": ("derived value", "Derived values"),
    "tracks": ("track", "Tracks"),
    "dice": ("die", "Dice"),
    "rolls": ("roll", "Rolls"),
    "tables": ("table", "Tables"),
    "spends": ("spend", "Spends"),
    "bands": ("bands", "Bands"),
    "conditions": ("condition", "Conditions"),
    "traits": ("trait", "Traits"),
    "environments": ("environment", "Environments"),
    "actions": ("action", "Actions"),
    "procedures": ("procedure", "Procedures"),
    "options": ("option", "Options"),
}

# What stands for a piece while `phrase` puts words around it. These two are no characters of any script.
OPEN, CLOSE = "\ufdd0", "\ufdd1"
_MARKED = re.compile(f"{OPEN}([0-9]+){CLOSE}")
_HUGE = 10**9
_LONGEST_OWN = 44


def spaced(name: str) -> str:
    return name.replace("_", " ")


def title_of(name: str) -> str:
    """A title for an id without one."""
    words = [word.upper() if word == "gm" else word for word in name.split("_") if word]
    plain = " ".join(words) or name
    return plain[:1].upper() + plain[1:]


def unmark(text: str) -> str:
    """Text without the two marks, which only this file may write."""
    return text.replace(OPEN, "\ufffd").replace(CLOSE, "\ufffd")


class Names:
    """Titles, links and formulas in words, for one system."""

    def __init__(self, system: model.System, bindings: Bindings) -> None:
        self.system = system
        self.bindings = bindings
        self.families: dict[str, list[str]] = {}
        for rule_id, rule in sorted(system.rules.items()):
            if rule.family is not None:
                self.families.setdefault(rule.family[0], []).append(rule_id)
        self.anchors = anchors([*system.rules, *(each for each in self.families if each not in system.rules)])
        self.titles = {rule_id: rule.title or title_of(rule_id) for rule_id, rule in system.rules.items()}
        self.symbols = {symbol.id: symbol.title or title_of(symbol.id) for symbol in system.symbols}
        self.slots = {slot.id: slot.title or title_of(slot.id) for slot in system.slots}
        self.tagged: dict[str, list[str]] = {}
        for rule_id, rule in sorted(system.rules.items()):
            for tag in rule.tags:
                self.tagged.setdefault(tag, []).append(rule_id)
        self.sources = dict(system.header.sources)

    def title(self, name: str) -> str:
        found = self.titles.get(name) or self.symbols.get(name) or self.slots.get(name)
        return found or (title_of(name) if name in self.families else spaced(name))

    def link(self, name: str, text: str | None = None) -> Piece:
        """A rule, family, symbol, slot or tag as a link; plain words for what has no place."""
        words = self.title(name) if text is None else text
        if name in self.anchors:
            return Link(words, self.anchors[name])
        if name in self.slots:
            return Link(words, f"slot.{safe(name)}")
        if name in self.symbols:
            return Link(words, f"symbol.{safe(name)}")
        if name in self.tagged:
            return Link(words, f"tag.{safe(name)}")
        return Plain(words)

    def links(self, names: tuple[str, ...] | list[str], last: str = " and ") -> Run:
        return joined([self.link(name) for name in names], last=last)

    def kind(self, rule_id: str) -> str:
        """What a rule is, in a word or two."""
        rule = self.system.rules.get(rule_id)
        return KIND_TITLES[KIND_OF[type(rule)]][0] if rule is not None else ""


class Speech:
    """Speaks for one rule: knows the names that the rule itself makes."""

    def __init__(self, names: Names, own: Mapping[str, str]) -> None:
        self.names = names
        self.own = own

    def formula(self, formula: model.Formula) -> Said:
        """A formula in words, with what was typed."""
        bound = self.names.bindings.of.get(formula)
        if bound is None:
            return Said(run(Typed(formula.text)), formula.text)
        marks = _Marks(self.names, self.own, bound.reads)
        return Said(marks.pieces(phrase(bound.expr, marks)), formula.text)

    def said(self, formula: model.Formula | None) -> Run:
        return () if formula is None else run(self.formula(formula))

    def range(self, formula: model.Formula, unit: str | None = None) -> str:
        """`9 to 14 boxes`; nothing where the formula is a single number or has no range that is worth saying."""
        bound = self.names.bindings.of.get(formula)
        return "" if bound is None else range_words(bound.shown, unit)

    def number(self, formula: model.Formula | None) -> int | Fraction | None:
        """The number that a formula always is, if it is one."""
        bound = self.names.bindings.of.get(formula) if formula is not None else None
        return bound.shown.constant if bound is not None and isinstance(bound.shown, Numbers) else None

    def name(self, name: str) -> Piece:
        """A name of the rule's own."""
        return Own(self.own.get(name) or spaced(name))

    def ref(self, ref: model.Ref) -> Run:
        """A rule named by id, with whose it is."""
        if ref.chosen:
            inner: Run = run("the one in ", self.name(ref.name))
        elif ref.index is not None:
            inner = self._member(ref)
        else:
            inner = run(self.names.link(ref.name))
        if ref.of is None:
            return inner
        if ref.of in self.names.titles:
            return run(self._own_track(ref), " of ", self.names.link(ref.of))
        return run(Own(spaced(ref.of)), "’s ", inner)

    def _member(self, ref: model.Ref) -> Run:
        assert ref.index is not None
        member = f"{ref.name}[{ref.index.text.strip()}]"
        if member in self.names.titles:
            return run(self.names.link(member))
        return run(self.names.link(ref.name), " (", self.said(ref.index), ")")

    def _own_track(self, ref: model.Ref) -> Run:
        bearer = self.names.system.rules.get(ref.of or "")
        tracks = bearer.tracks if isinstance(bearer, model.Lasting) else ()
        found = [track.title for track in tracks if track.id == ref.name and track.title]
        return run(Own(found[0] if found else spaced(ref.name)))


class _Marks(Mapping[str, str]):
    """Titles for `phrase`: each a mark, which is turned back into its piece when the words stand."""

    def __init__(self, names: Names, own: Mapping[str, str], reads: frozenset[str]) -> None:
        self._names = names
        self._own = own
        self._reads = reads
        self._pieces: list[Piece] = []

    def __getitem__(self, name: str) -> str:
        piece = self._piece(name)
        if piece is None:
            raise KeyError(name)
        self._pieces.append(piece)
        return f"{OPEN}{len(self._pieces) - 1}{CLOSE}"

    def _piece(self, name: str) -> Piece | None:
        names = self._names
        rule = names.system.rules.get(name)
        if name in self._reads or isinstance(rule, model.Option | model.Table | model.Bands | model.Die):
            return names.link(name)
        if name in self._own:
            return Own(self._own[name])
        if name in names.families and not self._reads.isdisjoint(names.families[name]):
            return names.link(name)
        if name in names.symbols:
            return names.link(name)
        return None

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 1

    def pieces(self, text: str) -> Run:
        return marked(text, self._pieces)


def marked(text: str, pieces: list[Piece]) -> Run:
    """Text with marks as a run with the pieces they stand for; a mark for nothing is text."""
    made: list[str | Piece] = []
    for place, part in enumerate(_MARKED.split(text)):
        if place % 2 == 0:
            made.append(part)
        else:
            number = int(part) if len(part) < 7 else len(pieces)
            made.append(pieces[number] if number < len(pieces) else f"{OPEN}{part}{CLOSE}")
    return run(*made)


def own_names(rule: object) -> dict[str, str]:
    """The names that a rule makes, with the words for them: parameters by their titles if those are short."""
    found: dict[str, str] = {}
    _collect(rule, found)
    return found


def _collect(value: object, found: dict[str, str]) -> None:
    match value:
        case model.Spec():
            short = value.title if value.title and len(value.title) <= _LONGEST_OWN and "," not in value.title else None
            found.setdefault(value.name, short or spaced(value.name))
        case model.Named():
            found.setdefault(value.name, spaced(value.name))
        case tuple():
            for item in value:
                _collect(item, found)
        case model.Rule() | model.StepBase() | model.Row() | model.ChooseOption():
            for name in value.__dataclass_fields__:
                if name not in _WITHOUT_NAMES:
                    _collect(getattr(value, name), found)
            told = getattr(value, "as_", None)
            if told:
                found.setdefault(told, spaced(told))


_WITHOUT_NAMES = frozenset(
    ["span", "examples", "spec", "with_", "modifiers", "levels", "pool", "upgrade", "downgrade", "cost"]
)


def range_words(value: Value, unit: str | None = None) -> str:
    """The range of a value for people."""
    if isinstance(value, Maybe):
        inner = range_words(value.of, unit)
        return f"{inner}, or none" if inner else ""
    if not isinstance(value, Numbers) or value.constant is not None:
        return ""
    low = value.low if value.low is not None and value.low > -_HUGE else None
    high = value.high if value.high is not None and value.high < _HUGE else None
    if low is None and high is None:
        return ""
    return str(Numbers(low, high, value.whole, value.parts)) + (f" {unit}" if unit else "")


def value_words(value: Any) -> str:
    """A raw value of an example in words."""
    held = example_value(value)
    match held:
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "none"
        case int():
            return say(held)
        case list():
            return ", ".join(value_words(item) for item in held) or "none"
        case dict():
            return ", ".join(f"{spaced(str(key))} {value_words(item)}" for key, item in held.items()) or "nothing"
    return str(held)
