"""A rule with all that every rule has, as it stands on the pages.

In: the checked system. Out: `RuleView`s; families told once where their members differ in nothing but the name. The
one rule: what house rules changed is marked from provenance, never from what a text says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .. import model
from .anchors import safe
from .examples import Examples
from .kinds import blocks_of, switch
from .names import KIND_TITLES, Names, Speech, own_names, spaced, title_of
from .prose import Prose
from .spec import default_words
from .steps import Sentences
from .view import (
    Block,
    ChangeView,
    Fact,
    Facts,
    Grid,
    GridRow,
    Link,
    Portion,
    RuleView,
    Run,
    Steps,
    Typed,
    joined,
    run,
    words,
)

# Uses that say nothing to a reader: where a rule comes from, and on which screen it stands.
_QUIET = frozenset({"source", "screen", "unit", "stacking", "tag"})


@dataclass(slots=True)
class Shelf:
    """Makes the views of rules, each once."""

    names: Names
    prose: Prose
    used_by: dict[str, list[str]]
    changes: dict[str, list[ChangeView]]

    def rule(self, rule_id: str) -> RuleView:
        names = self.names
        rule = names.system.rules[rule_id]
        own = own_names(rule)
        speech = Speech(names, own)
        examples = Examples(names, own)
        return RuleView(
            anchor=names.anchors[rule_id],
            id=rule_id,
            kind=names.kind(rule_id),
            title=names.titles[rule_id],
            text=self.prose.blocks(rule.text, speech, rule_id),
            blocks=blocks_of(rule, speech, self.prose),
            ruling=self._ruling(rule, speech),
            examples=tuple(examples.view(each) for each in rule.examples if not each.changed),
            source=self._source(rule),
            tags=joined([run(Link(spaced(tag), f"tag.{safe(tag)}")) for tag in rule.tags]),
            aliases=rule.aliases,
            used_by=self._used_by([rule_id]),
            changes=tuple(self.changes.get(rule_id, ())),
            state=self._state(rule),
            only_if=speech.said(rule.option),
        )

    def _ruling(self, rule: model.AnyRule, speech: Speech) -> tuple[Block, ...]:
        """The ruling; a roll that is like another does not tell that one's again."""
        base = self.names.system.rules.get(rule.like or "") if isinstance(rule, model.Roll) else None
        if rule.ruling is None or (
            base is not None and base.ruling is not None and base.ruling.plain == rule.ruling.plain
        ):
            return ()
        return self.prose.blocks(rule.ruling, speech, rule.id)

    def family(self, members: Sequence[str]) -> list[RuleView]:
        """The members in one view, if they differ in nothing but the member's name; else each in its own."""
        views = [self.rule(each) for each in members]
        first = views[0]
        written = self.names.system.rules[members[0]].family
        if written is None:
            return views
        family = written[0]
        shapes = {self._shape(view, self._member(each)) for view, each in zip(views, members, strict=True)}
        if len(shapes) > 1 or len(views) < 2 or any(view.changes for view in views):
            return self._apart(family, members, views)
        title = self.names.titles[members[0]]
        shown = self._member(members[0])
        common = title.replace(shown, "…").replace(spaced(shown), "…")
        taken = family in self.names.system.rules
        return [
            replace(
                first,
                anchor=first.anchor if taken else self.names.anchors[family],
                id=f"{family}[…]",
                title=common if common != title else title_of(family),
                anchors=tuple(view.anchor for view in (views[1:] if taken else views)),
                members=joined([spaced(self._member(each)) for each in members], last=" and "),
                used_by=self._used_by(members),
            )
        ]

    def _apart(self, family: str, members: Sequence[str], views: list[RuleView]) -> list[RuleView]:
        """The members each for itself; the first is also found under the family's name."""
        if family in self.names.system.rules or members[0] != self.names.families[family][0]:
            return views
        return [replace(views[0], anchors=(self.names.anchors[family],)), *views[1:]]

    def _shape(self, view: RuleView, member: str) -> str:
        """A view with the member's name taken out, and what names it by others."""
        shape = repr(replace(view, used_by=(), aliases=(), examples=()))
        for name in sorted({member, spaced(member), self.names.titles.get(member, member)}, key=len, reverse=True):
            shape = shape.replace(name, "\0")
        return shape

    def _member(self, rule_id: str) -> str:
        family = self.names.system.rules[rule_id].family
        return family[1] if family is not None else ""

    def _source(self, rule: model.AnyRule) -> Run:
        cited = []
        for source in rule.source:
            title = self.names.sources.get(source.id, source.id)
            cited.append(run(title + (f", {source.place}" if source.place else "")))
        return joined(cited, "; ")

    def _used_by(self, rule_ids: Sequence[str]) -> Run:
        found = {user for rule_id in rule_ids for user in self.used_by.get(rule_id, ())} - set(rule_ids)
        names, families, made = self.names, set[str](), list[str]()
        for user in sorted(found):
            rule = names.system.rules.get(user)
            family = rule.family[0] if rule is not None and rule.family is not None else None
            if family is None:
                made.append(user)
            elif family not in families:
                families.add(family)
                made.append(family if family not in names.system.rules else user)
        made.sort(key=lambda each: (names.title(each).casefold(), each))
        return joined([run(names.link(each)) for each in made])

    def _state(self, rule: model.AnyRule) -> str:
        """`off` for a rule whose one option is off."""
        formula = rule.option
        if formula is None:
            return ""
        negated = formula.text.strip().startswith("not ")
        option = self.names.system.rules.get(formula.text.strip().removeprefix("not ").strip())
        if not isinstance(option, model.Option) or option.spec.type != "bool":
            return ""
        default = words(default_words(option.spec, Speech(self.names, {})))
        on = switch((option.value or default or "no").strip()) == "on"
        return "" if on != negated else "off"

    # --- what is no rule of its own --------------------------------------------------------------------------------

    def symbols(self) -> RuleView | None:
        """The symbols on the dice."""
        system, names = self.names.system, self.names
        if not system.symbols:
            return None
        rows = []
        for symbol in system.symbols:
            cells = (
                run(symbol.title or title_of(symbol.id)),
                run(Typed(symbol.letter)) if symbol.letter else (),
                run(names.link(symbol.cancels)) if symbol.cancels else (),
                joined([run(names.link(each)) for each in symbol.counts_as]),
            )
            rows.append(GridRow(cells, f"symbol.{safe(symbol.id)}"))
        heads = (run("Symbol"), run("Letter"), run("Cancels"), run("Also counts as"))
        return RuleView("page.symbols", "", "dice", "Symbols", blocks=(Grid("", heads, tuple(rows), led=True),))

    def slots(self) -> list[RuleView]:
        """What a turn allows: one view a slot."""
        return [self._slot(slot) for slot in self.names.system.slots]

    def _slot(self, slot: model.Slot) -> RuleView:
        speech = Speech(self.names, own_names(slot.more))
        sentences = Sentences(speech, self.prose)
        each = f" each {spaced(slot.each)}"
        free = run(speech.said(slot.free), each) if slot.free is not None else run("any number", each)
        facts = [Fact("Free", free)]
        if slot.cap is not None:
            facts.append(Fact("At most", run(speech.said(slot.cap), each)))
        blocks: list[Block] = [Facts(tuple(facts))]
        for more in slot.more:
            label = f"One more: {more.title or spaced(more.id)}"
            inner: list[Block] = []
            price = []
            if more.slot is not None:
                price.append(Fact("Takes", run(self.names.link(more.slot))))
            if more.when is not None:
                price.append(Fact("Only if", speech.said(more.when)))
            if price:
                inner.append(Facts(tuple(price)))
            if more.steps:
                inner.append(Steps(sentences.steps(more.steps)))
            blocks.append(Portion(label, tuple(inner)))
        actions = [
            rule.id
            for rule in self.names.system.rules.values()
            if isinstance(rule, model.Action) and any(name == slot.id for name, _ in rule.slots)
        ]
        return RuleView(
            anchor=f"slot.{safe(slot.id)}",
            id=slot.id,
            kind="slot of a turn",
            title=slot.title or title_of(slot.id),
            text=self.prose.blocks(slot.text, speech),
            blocks=tuple(blocks),
            used_by=joined([run(self.names.link(each)) for each in sorted(actions)]),
        )


def shelf(system: model.System, names: Names, prose: Prose, changes: dict[str, list[ChangeView]]) -> Shelf:
    """The shelf of a system, with who uses what."""
    used_by: dict[str, list[str]] = {}
    for use in names.bindings.uses:
        if use.how not in _QUIET and use.rule_id in system.rules and use.rule_id != use.target_id:
            used_by.setdefault(use.target_id, []).append(use.rule_id)
    return Shelf(names, prose, used_by, changes)


def kind_title(kind: str) -> str:
    return KIND_TITLES[kind][1]
