"""The whole book: chapters, screens, index, and what house rules changed.

In: a compiled system. Out: a `Book`. The one rule: every rule stands in exactly one chapter: those that the header's
chapters name there, all others in chapters by kind behind them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby

from .. import model
from ..binding.bind import Bindings
from ..lower import KIND_OF
from .anchors import file_names, safe
from .names import KIND_TITLES, Names, Speech, spaced, title_of
from .prose import Prose
from .rules import Shelf, kind_title, shelf
from .spends import spends_by_price
from .stats import enough, fits_a_row, stats_table
from .view import (
    Block,
    Book,
    ChangeView,
    Chapter,
    Entry,
    Fact,
    Grid,
    LayerView,
    Letter,
    Portion,
    RuleView,
    Run,
    Screen,
    TagEntry,
    row_anchors,
    run,
)

# Kinds in the order of the chapters that are made for them.
_ORDER = tuple(KIND_TITLES)
_TAKEN_FILES = ("index", "screens", "house-rules", "names")


@dataclass(slots=True)
class _Plan:
    """Which rules stand in which chapter; `left` are those that no chapter has named yet."""

    left: dict[str, model.AnyRule]
    chapters: list[tuple[str, list[str]]] = field(default_factory=list)


def book(system: model.System, bindings: Bindings) -> Book:
    """The book of a system."""
    names = Names(system, bindings)
    prose = Prose(names)
    changes, layers = _changes(system, names)
    made = shelf(system, names, prose, changes)
    plan = _plan(system, names)
    files = file_names([title for title, _ in plan.chapters], _TAKEN_FILES)
    extra = _Extra(made)
    chapters = []
    for number, ((title, rule_ids), file) in enumerate(zip(plan.chapters, files, strict=True), 1):
        rules = tuple(_with_sheets(made, list(_rules(made, rule_ids, extra))))
        chapters.append(Chapter(f"chapter.{number}", file, title, rules))
    header = system.header
    return Book(
        id=header.id,
        title=header.title,
        version=header.version,
        language=header.language,
        about=prose.text(header.about, Speech(names, {})) if header.about else (),
        facts=tuple(_facts(header)),
        layers=layers,
        chapters=tuple(chapters),
        screens=tuple(_screens(header, chapters, made)),
        letters=_index(system, names, chapters),
        tags=tuple(
            TagEntry(spaced(tag), f"tag.{safe(tag)}", names.links(rule_ids, ", "))
            for tag, rule_ids in sorted(names.tagged.items())
        ),
    )


# --- chapters ------------------------------------------------------------------------------------------------------


def _plan(system: model.System, names: Names) -> _Plan:
    plan = _Plan(dict(system.rules))
    for title, wanted in system.header.chapters:
        if not wanted and title in KIND_TITLES:
            rule_ids = _take(plan, _of_kind(system, title))
            plan.chapters.append((kind_title(title), rule_ids))
        elif not wanted and (title in names.anchors):
            plan.chapters.append((names.title(title), _take(plan, _named(names, title))))
        else:
            rule_ids = _take(plan, [each for name in wanted for each in _named(names, name)])
            plan.chapters.append((title or title_of(wanted[0] if wanted else "chapter"), rule_ids))
    for kind in _ORDER:
        rest = _take(plan, _of_kind(system, kind))
        if rest:
            plan.chapters.append((kind_title(kind), rest))
    plan.chapters = [(title, rule_ids) for title, rule_ids in plan.chapters if rule_ids]
    return plan


def _named(names: Names, name: str) -> list[str]:
    """A rule, or all members of a family."""
    return [name] if name in names.system.rules else names.families.get(name, [])


def _of_kind(system: model.System, kind: str) -> list[str]:
    """The rules of a kind in the order they were written in, file by file."""
    rules = [rule for rule in system.rules.values() if KIND_OF[type(rule)] == kind]
    return [rule.id for rule in sorted(rules, key=lambda rule: (rule.span.source.name, rule.span.start, rule.id))]


def _take(plan: _Plan, rule_ids: list[str]) -> list[str]:
    return [each for each in dict.fromkeys(rule_ids) if plan.left.pop(each, None) is not None]


@dataclass(slots=True)
class _Extra:
    """What stands once, before the first rule it belongs to: symbols, slots, spends by price."""

    shelf: Shelf
    told: set[str] = field(default_factory=set)

    def before(self, rule: model.AnyRule) -> Iterator[RuleView]:
        match rule:
            case model.Die() if self._first("symbols"):
                view = self.shelf.symbols()
                if view is not None:
                    yield view
            case model.Action() if self._first("slots"):
                yield from self.shelf.slots()
            case model.Spend() if self._first("spends"):
                yield spends_by_price(self.shelf.names)

    def _first(self, what: str) -> bool:
        new = what not in self.told
        self.told.add(what)
        return new


def _rules(made: Shelf, rule_ids: list[str], extra: _Extra) -> Iterator[RuleView]:
    rules, done = made.names.system.rules, set[str]()
    here = set(rule_ids)
    for rule_id in rule_ids:
        rule = rules[rule_id]
        if rule_id in done:
            continue
        yield from extra.before(rule)
        members = [rule_id]
        if rule.family is not None:
            same = made.names.families[rule.family[0]]
            members = [each for each in rule_ids if each in same and each in here and each not in done]
        done.update(members)
        yield from made.family(members)


def _with_sheets(made: Shelf, views: list[RuleView]) -> Iterator[RuleView]:
    """The same views, with stats that stand together in one table."""
    rules = made.names.system.rules
    for slight, group in groupby(views, lambda view: view.id in rules and fits_a_row(rules[view.id], view)):
        found = list(group)
        stats = [rule for view in found if isinstance(rule := rules.get(view.id), model.Stat)]
        if slight and enough(len(stats)):
            yield stats_table(stats, found, Speech(made.names, {}), made.prose)
        else:
            yield from found


# --- screens and index ---------------------------------------------------------------------------------------------


def _screens(header: model.Header, chapters: list[Chapter], made: Shelf) -> Iterator[Screen]:
    """Each screen's rules in brief: what they say and do, without examples, rulings and cross-references."""
    views = {view.anchor: view for chapter in chapters for view in chapter.rules}
    views |= {anchor: view for view in list(views.values()) for anchor in view.anchors}
    for name, rule_ids in header.screens:
        found = []
        for each in rule_ids:
            anchor = made.names.anchors.get(each, "")
            if anchor in views:
                found.append(views[anchor])
            elif each in made.names.system.rules:
                found.append(made.rule(each))
        brief = [
            replace(
                view,
                blocks=_unanchored(view.blocks),
                ruling=(),
                examples=(),
                source=(),
                tags=(),
                aliases=(),
                used_by=(),
                anchors=(),
            )
            for view in dict.fromkeys(found)
        ]
        yield Screen(f"screen.{safe(name)}", "screens", title_of(name), tuple(brief))


def _unanchored(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Blocks whose rows have no anchors: what stands twice on a page is found at its first place."""
    made: list[Block] = []
    for block in blocks:
        match block:
            case Grid():
                made.append(replace(block, rows=tuple(replace(row, anchor="") for row in block.rows)))
            case Portion():
                made.append(replace(block, blocks=_unanchored(block.blocks)))
            case _:
                made.append(block)
    return tuple(made)


def _index(system: model.System, names: Names, chapters: list[Chapter]) -> tuple[Letter, ...]:
    entries = {
        Entry(alias, view.anchor, f"see {view.title}")
        for chapter in chapters
        for view in chapter.rules
        for alias in view.aliases
    }
    entries |= {Entry(view.title, view.anchor, view.kind) for chapter in chapters for view in chapter.rules}
    known = {anchor for chapter in chapters for anchor in row_anchors(view.blocks for view in chapter.rules)}
    for rule_id, rule in system.rules.items():
        anchor, title = names.anchors[rule_id], names.titles[rule_id]
        entries.add(Entry(title, anchor, names.kind(rule_id)))
        parts: tuple[model.Row | model.Band, ...] = ()
        if isinstance(rule, model.Table):
            parts = rule.rows
        elif isinstance(rule, model.Bands):
            parts = rule.bands
        places = [(part.title, f"{anchor}.{safe(part.id)}") for part in parts if part.title]
        entries |= {Entry(name, place, f"in {title}") for name, place in places if place in known}
    entries |= {Entry(name, f"symbol.{safe(each)}", "symbol") for each, name in names.symbols.items()}
    by_letter: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda each: (_folded(each.name), each.name, each.what, each.to)):
        first = _folded(entry.name)[:1].upper()
        by_letter.setdefault(first if first.isalpha() else "#", []).append(entry)
    return tuple(Letter(letter, tuple(found)) for letter, found in sorted(by_letter.items()))


def _folded(text: str) -> str:
    """Text for sorting: without accents, case and leading signs."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).lstrip(" '\"“‘(")


# --- header and house rules ----------------------------------------------------------------------------------------


def _facts(header: model.Header) -> Iterator[Fact]:
    if header.clock:
        units = [
            f"{spaced(unit)} ({ratio[0]} {spaced(ratio[1])}{'' if ratio[0] == 1 else 's'})" if ratio else spaced(unit)
            for unit, ratio in header.clock
        ]
        yield Fact("Clock", run(", ".join(units)))
    if header.scenes:
        yield Fact("Scenes", run(", ".join(map(spaced, header.scenes))))
    if header.events:
        yield Fact("Events", run(", ".join(map(spaced, header.events))))
    if header.stacking:
        how = {"sum": "all add up", "once": "once for each source"}
        yield Fact(
            "Stacking",
            run("; ".join(f"{spaced(name)}: {how.get(rule, f'the {rule} counts')}" for name, rule in header.stacking)),
        )
    if header.sources:
        yield Fact("Sources", run("; ".join(title for _, title in header.sources)))


def _changes(system: model.System, names: Names) -> tuple[dict[str, list[ChangeView]], tuple[LayerView, ...]]:
    """What house rules changed, by rule and by layer."""
    by_rule: dict[str, list[ChangeView]] = {}
    by_layer: dict[str, list[tuple[Run, ChangeView]]] = {}
    for item in system.provenance:
        if item.address[2:3] == ("examples",):
            continue  # that they had to change is told by what changed them
        rule_id, path = (item.address[1], item.address[2:]) if len(item.address) > 1 else ("", item.address)
        place = f"{item.span.source.name}, line {item.span.line}" if item.span is not None else ""
        view = ChangeView(
            " › ".join(path) or "the whole rule", item.before, item.after, item.why or "", item.layer, place
        )
        by_rule.setdefault(rule_id, []).append(view)
        by_layer.setdefault(item.layer, []).append((run(names.link(rule_id)) if rule_id else (), view))
    return by_rule, tuple(LayerView(layer, tuple(found)) for layer, found in by_layer.items())
