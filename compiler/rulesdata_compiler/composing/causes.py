"""Findings led back to the house rules that caused them.

In: all findings of a composed system, and the record of what was changed and removed. Out: the same findings, those
that stand in the system's own files moved to the line of the house rules behind them, where there is one. The one
rule: nothing is added and nothing hidden; the place in the system stays as a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..binding.bind import Bindings
from ..diagnostics import Finding, Findings, Note
from ..model import Example, Move, Provenance, System
from ..source import Span
from ..tree import Scalar
from .compose import Composed
from .words import CHANGED, PROSE_FIELDS

MOST_NOTES = 8
PROOF = "E801"
_NAMED = re.compile(r"`([^`]+)`")
# Findings about several places of one rank.
_EQUAL = frozenset({"R602", "R604", "R632", "N402", "N418", "N421", "S213"})
# Warnings that something is not used: they stand where that is.
_UNUSED = frozenset({"R640", "R641", "R642", "R643", "R644", "R645", "R646"})


def foreseen(findings: Findings, composed: Composed, system: System, bindings: Bindings) -> System | None:
    """The system with those examples marked as changed that fail behind a change which says `examples: changed`; their
    findings go. None where there are none."""
    causes = _Causes(composed, system, bindings)
    rules = dict(system.rules)
    left: list[Finding] = []
    for finding in findings.items:
        found = causes.example(finding) if finding.code == PROOF else None
        if found is None or not causes.foretold(finding):
            left.append(finding)
            continue
        rule_id, number = found
        rule = rules[rule_id]
        marked = tuple(
            replace(example, changed=True) if index == number else example
            for index, example in enumerate(rule.examples)
        )
        rules[rule_id] = replace(rule, examples=marked)
    if len(left) == len(findings.items):
        return None
    findings.items[:] = left
    return replace(system, rules=rules)


def lead_back(
    findings: Findings, composed: Composed, system: System | None, bindings: Bindings | None, alone: Findings
) -> None:
    """Put every finding where its cause is. `alone` are the findings of the system without house rules: those stay."""
    own = {_mark(finding) for finding in alone}
    causes = _Causes(composed, system, bindings)
    removed: dict[str, list[Finding]] = {}
    proofs: dict[tuple[object, ...], tuple[Provenance, list[Finding]]] = {}
    made: list[Finding] = []
    for finding in findings.items:
        if _mark(finding) in own:
            made.append(finding)
            continue
        gone = causes.removed(finding)
        if gone is not None:
            removed.setdefault(gone, []).append(finding)
            continue
        behind = causes.behind(finding) if finding.code == PROOF and not causes.ours(finding.span) else []
        if behind and behind[0].span is not None:
            proofs.setdefault(behind[0].span.sort_key(), (behind[0], []))[1].append(finding)
            continue
        made.append(causes.moved(finding))
    made += [_needed(composed.removed[name], name, found) for name, found in removed.items()]
    made += [_proof(cause, found) for cause, found in proofs.values()]
    findings.items[:] = made


@dataclass(frozen=True, slots=True)
class _Extent:
    source: str
    start: int
    end: int
    kind: str
    rule_id: str


class _Causes:
    """Where rules stand, and what was changed in them."""

    def __init__(self, composed: Composed, system: System | None, bindings: Bindings | None) -> None:
        self.composed = composed
        self.extents = [
            _Extent(
                entry.key.span.source.name,
                entry.key.span.start,
                max(entry.value.span.end, entry.key.span.end),
                kind,
                rule_id,
            )
            for kind, rules in composed.collected.kinds.items()
            for rule_id, entry in rules.items()
        ]
        self.changed: dict[str, list[Provenance]] = {}
        for one in composed.provenance:
            if one.span is not None and one.span.source.name in composed.overlays:
                self.changed.setdefault(one.address[1], []).append(one)
        self.refs = bindings.refs() if bindings is not None else {}
        self.system = system

    def ours(self, span: Span | None) -> bool:
        """Whether a place is in house rules."""
        return span is not None and span.source.name in self.composed.overlays

    def rule_at(self, span: Span | None) -> tuple[str, str] | None:
        if span is None:
            return None
        name = span.source.name
        for each in self.extents:
            if each.source == name and each.start <= span.start <= each.end:
                return each.kind, each.rule_id
        return None

    def removed(self, finding: Finding) -> str | None:
        """The removed rule that a finding misses, where the system's own rules miss it."""
        if finding.code[0] != "N" or self.ours(finding.span):
            return None
        return next((name for name in _NAMED.findall(finding.message) if name in self.composed.removed), None)

    def moved(self, finding: Finding) -> Finding:
        if finding.code[0] in "YH" or finding.span is None:
            return finding
        if self.ours(finding.span):
            return self.told_removed(finding)
        if finding.code in _UNUSED:
            return finding
        for index, note in enumerate(finding.notes):
            if self.ours(note.span):
                others = (*finding.notes[:index], *finding.notes[index + 1 :])
                here = Note(finding.span, "the other place is here" if finding.code in _EQUAL else "it is found here")
                return replace(finding, span=note.span, notes=(here, *others))
        rule = self.rule_at(finding.span)
        if rule is None:
            return finding
        causes = self.nearest(rule[1])
        if not causes:
            return finding
        first = causes[0]
        assert first.span is not None
        notes = [Note(finding.span, "it is found here"), *finding.notes]
        notes += [Note(one.span, f"`{one.layer}` changes this too") for one in causes[1:3] if one.span is not None]
        return replace(finding, span=first.span, notes=tuple(notes))

    def told_removed(self, finding: Finding) -> Finding:
        """A name that house rules use, and that others, or they themselves, removed."""
        if finding.code[0] != "N":
            return finding
        for name in _NAMED.findall(finding.message):
            gone = self.composed.removed.get(name)
            if gone is not None and gone.span is not None:
                note = Note(gone.span, f"`{gone.layer}` removes it here")
                return replace(finding, notes=(*finding.notes, note), hint=None)
        return finding

    def nearest(self, *rule_ids: str) -> list[Provenance]:
        """What was changed in some rules, or else in the rules that they read, the nearest first."""
        seen = set(rule_ids)
        level = list(rule_ids)
        while level:
            found = [one for name in level for one in self.changes(name)]
            if found:
                return found
            level = sorted({name for one in level for name in self.refs.get(one, ())} - seen)
            seen |= set(level)
        return []

    def example(self, finding: Finding) -> tuple[str, int] | None:
        """The rule and number of the example that a finding is about."""
        for rule_id, rule in self.system.rules.items() if self.system is not None else ():
            for number, example in enumerate(rule.examples):
                if example.span is finding.span:
                    return rule_id, number
        return None

    def behind(self, finding: Finding) -> list[Provenance]:
        """The changes that can be behind an example's coming out otherwise: of its rule, and of what it names."""
        found = self.example(finding)
        if found is None or self.system is None:
            return []
        rule = self.system.rules[found[0]]
        named = sorted(_names(rule.examples[found[1]]) & set(self.system.rules))
        return self.nearest(rule.id) or self.nearest(*named)

    def foretold(self, finding: Finding) -> bool:
        """Whether anything that an example hangs on, however far off, says that examples come out otherwise."""
        found = self.example(finding)
        if found is None or self.system is None:
            return False
        rule = self.system.rules[found[0]]
        example = rule.examples[found[1]]
        place = self.composed.overlays.get(example.span.source.name, 0)
        seen: set[str] = set()
        left = [rule.id, *(_names(example) & set(self.system.rules))]
        while left:
            name = left.pop()
            if self.says_so(name, place):
                return True
            more = set(self.refs.get(name, ())) - seen
            seen |= more
            left += more
        return False

    def says_so(self, rule_id: str, place: int) -> bool:
        """Whether a layer over the one at a place says of a rule `examples: changed`."""
        return any(
            one.address[2:] == ("examples",) and one.after == CHANGED and self.composed.layers.index(one.layer) > place
            for one in self.changed.get(rule_id, ())
        )

    def changes(self, rule_id: str) -> Iterator[Provenance]:
        """The changes of a rule that can matter to others: not those of its texts."""
        family = rule_id.partition("[")[0]
        told = [*self.changed.get(rule_id, ()), *(self.changed.get(family, ()) if family != rule_id else ())]
        yield from (one for one in told if not set(one.address[2:]) & (PROSE_FIELDS | {"examples"}))


def in_system(findings: Findings, composed: Composed) -> bool:
    """Whether a finding stands in a file of the system itself."""
    return any(finding.span is not None and finding.span.source.name not in composed.overlays for finding in findings)


def _mark(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.message, finding.span.sort_key() if finding.span is not None else None


def _needed(gone: Provenance, name: str, found: list[Finding]) -> Finding:
    """A removed rule that other rules still name: one finding, at the removal."""
    notes = [Note(each.span, "it is needed here") for each in found if each.span is not None]
    more = f", and in {len(notes) - MOST_NOTES} more places" if len(notes) > MOST_NOTES else ""
    return Finding(
        "H719",
        f"`{name}` is removed, and other rules still need it{more}",
        gone.span,
        tuple(notes[:MOST_NOTES]),
        "remove or change what needs it too, or leave it in",
    )


def _proof(cause: Provenance, found: list[Finding]) -> Finding:
    """The examples that one change makes come out otherwise."""
    notes = [Note(each.span, each.message) for each in found if each.span is not None]
    if len(notes) > MOST_NOTES:
        notes = [*notes[:MOST_NOTES], Note(notes[MOST_NOTES].span, f"and {len(notes) - MOST_NOTES} more")]
    many = f"{len(found)} worked examples come" if len(found) > 1 else "a worked example comes"
    return Finding(
        "H724",
        f"with this {many} out otherwise, and the house rule does not say so",
        cause.span,
        tuple(notes),
        "if that is what you want, write examples: changed beside it",
    )


def _names(example: Example) -> set[str]:
    """All words of an example that may be names of rules."""
    found: set[str] = set()
    below: list[object] = [example.given, example.with_, example.expect, example.play]
    while below:
        match below.pop():
            case str(text):
                found.update(text.split("."))
            case Scalar(text=text):
                found.add(text)
            case Move(name=name, with_=given):
                found.add(name)
                below.append(given)
            case dict() as pairs:
                below += [*pairs.keys(), *pairs.values()]
            case tuple() | list() as items:
                below += items
    return found
