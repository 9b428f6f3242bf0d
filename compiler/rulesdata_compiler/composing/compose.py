"""Layers merged into one system, with a record of where each value came from.

In: the collected trees of a system, of systems it extends, and of house rules, in any order. Out: one collected tree
for the stages behind this one, which see no layers any more, and the record that `explain`, `diff` and the reference
read. The one rule: this is the only merge there is; places stay, so a finding points into the file that caused it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..diagnostics import Findings, Note
from ..layers import Layer
from ..model import KINDS, Provenance
from ..nearest import did_you_mean
from ..reading.gather import Collected
from ..reading.scalars import null
from ..source import Span
from ..tree import Entry, Mapping, Node, Scalar
from ..tree import Sequence as NodeSequence
from .add import Add
from .change import Change
from .family import Families
from .nodes import say, with_entry, without
from .order import Over, in_order
from .record import Record, Where
from .remove import Remove
from .table import table_where, with_value_column
from .words import NOUNS, WHY

HEADER = "system"


@dataclass(frozen=True, slots=True)
class Composed:
    """The merged tree, and the record of every value that a layer over the base set.

    `layers` are the ids of all layers in the order of the merge, where there is more than the base. `overlays` are the
    names of the files over the base, with the place of their layer. `broken` are rules (kind, id) on which a layer
    failed: nothing more is said of them. `removed` tells who removed what. `below` holds single values that were
    replaced, by the number of the record.
    """

    collected: Collected
    provenance: tuple[Provenance, ...] = ()
    layers: tuple[str, ...] = ()
    overlays: dict[str, int] = field(default_factory=dict)
    broken: frozenset[tuple[str, str]] = frozenset()
    removed: dict[str, Provenance] = field(default_factory=dict)
    below: dict[int, Scalar] = field(default_factory=dict)


def compose(layers: Sequence[tuple[Layer, Collected | None]], findings: Findings) -> Composed | None:
    """Merge layers. None where nothing could be read."""
    read = [(layer, collected) for layer, collected in layers if collected is not None]
    if not read or read[0][1].header is None:
        # What is wrong with the base is told; house rules without it say nothing.
        return Composed(read[0][1]) if read and not read[0][0].house else None
    if len(read) == 1:
        return Composed(read[0][1])
    return _Merge(in_order(read, findings), findings).run()


class _Merge:
    """One merge: the system as it grows, layer by layer."""

    def __init__(self, overs: list[Over], findings: Findings) -> None:
        self.overs = overs
        base = overs[0].collected
        self.kinds = {kind: dict(rules) for kind, rules in base.kinds.items()}
        header = base.header
        assert header is not None
        self.header = header
        self.findings = findings
        self.record = Record(findings)
        self.families = Families(self.kinds)

    def run(self) -> Composed:
        for over in self.overs[1:]:
            self.layer(over)
        base = self.overs[0].collected
        files = tuple(name for over in self.overs for name in over.collected.files)
        collected = replace(
            base,
            header=self.header,
            house=None,
            kinds={kind: dict(sorted(rules.items())) for kind, rules in sorted(self.kinds.items())},
            files=files,
            whole=all(over.collected.whole for over in self.overs),
        )
        gone = {one.address[1]: one for one in self.record.provenance if one.after is None and len(one.address) == 2}
        return Composed(
            collected,
            tuple(self.record.provenance),
            tuple(over.id for over in self.overs),
            {name: place for place, over in enumerate(self.overs[1:], 1) for name in over.collected.files},
            frozenset(self.record.broken),
            {name: one for name, one in gone.items() if name not in self.kinds.get(one.address[0], {})},
            self.record.below,
        )

    def layer(self, over: Over) -> None:
        """One layer: what it removes, then what it changes, then what it adds."""
        collected = over.collected
        if not over.house:
            self.system_header(over)
        elif collected.house is not None and isinstance(sources := collected.house.get("sources"), Mapping):
            entry = Entry(Scalar(sources.span, "sources"), sources)
            self.header = Add(self.record, over).fields(self.header, Mapping(sources.span, (entry,)), Where(HEADER, ""))
        for kind, rules in self.verb(over, collected.remove, "remove"):
            self.remove(over, kind, rules)
        for kind, rules in self.verb(over, collected.change, "change"):
            self.change(over, kind, rules)
        for kind, rules in self.verb(over, collected.add, "add"):
            self.add(over, kind, rules)
        for kind, written in collected.kinds.items():
            if written and not over.house:
                self.add_rules(over, kind, list(written.values()))

    def system_header(self, over: Over) -> None:
        """The header of a system that extends another: its own words win, lists and mappings grow together."""
        own = over.collected.header
        for entry in own or ():
            below = self.header.get(entry.key.text)
            value = entry.value
            if isinstance(below, Mapping) and isinstance(value, Mapping):
                merged = below
                for inner in value:
                    merged = with_entry(merged, inner)
                value = merged
            elif isinstance(below, NodeSequence) and isinstance(value, NodeSequence) and entry.key.text != "reference":
                known = {item.text for item in below if isinstance(item, Scalar)}
                more = tuple(item for item in value if not isinstance(item, Scalar) or item.text not in known)
                value = NodeSequence(value.span, (*below.items, *more))
            self.header = with_entry(self.header, Entry(entry.key, value))

    def verb(self, over: Over, node: Node | None, verb: str) -> list[tuple[str, Entry]]:
        """What a layer says under a verb, by kind."""
        if node is None or null(node):
            return []
        if not isinstance(node, Mapping):
            self.findings.add("H720", f"{verb}: wants kinds of rules below it", node.span, hint=_shape(verb))
            return []
        found: list[tuple[str, Entry]] = []
        for entry in node:
            kind = entry.key.text
            if kind in KINDS or kind == HEADER:
                found.append((kind, entry))
            elif not kind.startswith("x-"):
                self.no_kind(entry, verb)
        return found

    def no_kind(self, entry: Entry, verb: str) -> None:
        kind = entry.key.text
        hint = did_you_mean(kind, KINDS)
        known = self.kind_of(kind)
        if known is not None:
            hint = f"`{kind}` is {_a(NOUNS[known])}: write {known}: above it"
        self.findings.add(
            "H710",
            f"below {verb}: stand kinds of rules, and `{kind}` is none",
            entry.key.span,
            hint=hint or f"there are {', '.join(KINDS)}",
        )
        if isinstance(entry.value, Mapping):
            self.record.broken |= {("", rule.key.text) for rule in entry.value}

    # --- remove --------------------------------------------------------------------------------------------------

    def remove(self, over: Over, kind: str, rules: Entry) -> None:
        verb = Remove(self.record, over)
        if kind == HEADER:
            left = verb.part(self.header, rules, Where(HEADER, ""))
            self.header = left if isinstance(left, Mapping) else self.header
            return
        value = rules.value
        if isinstance(value, Mapping):
            for each in value:
                if each.key.text == WHY:
                    continue
                for entry in self.targets(over, kind, each.key, "remove"):
                    where = self.where(kind, entry)
                    left = verb.part(entry.value, Families.said(each, entry, kind), where)
                    self.put(kind, entry, left)
            return
        for name in value if isinstance(value, NodeSequence) else (value,):
            if not isinstance(name, Scalar):
                self.findings.add("H720", "remove: wants ids", name.span, hint=_shape("remove"))
                continue
            for entry in self.targets(over, kind, name, "remove"):
                if verb.gone(entry.value, name, Where(kind, entry.key.text)):
                    self.put(kind, entry, None)

    # --- change --------------------------------------------------------------------------------------------------

    def change(self, over: Over, kind: str, rules: Entry) -> None:
        verb = Change(self.record, over)
        if not isinstance(rules.value, Mapping):
            self.findings.add("H720", f"change: wants ids below {kind}", _place(rules), hint=_shape("change"))
            return
        if kind == HEADER:
            self.header = verb.fields(self.header, rules.value, Where(HEADER, ""), rules)
            return
        for each in rules.value:
            for entry in self.targets(over, kind, each.key, "change"):
                self.put(kind, entry, verb.rule(entry, Families.said(each, entry, kind), self.where(kind, entry)))

    # --- add -----------------------------------------------------------------------------------------------------

    def add(self, over: Over, kind: str, rules: Entry) -> None:
        if not isinstance(rules.value, Mapping):
            self.findings.add("H720", f"add: wants ids below {kind}", _place(rules), hint=_shape("add"))
            return
        if kind == HEADER:
            self.header = Add(self.record, over).fields(self.header, rules.value, Where(HEADER, ""))
            return
        self.add_rules(over, kind, list(rules.value))

    def add_rules(self, over: Over, kind: str, rules: list[Entry]) -> None:
        verb = Add(self.record, over)
        for each in rules:
            name = each.key.text
            found = self.families.find(kind, name)
            if found:
                for entry in found:
                    self.put(kind, entry, verb.rule(entry, Families.said(each, entry, kind), self.where(kind, entry)))
                continue
            other = self.kind_of(name)
            if other is not None:
                self.record.fail(
                    "H712",
                    f"the id `{name}` is taken: it is {_a(NOUNS[other])}",
                    each.key.span,
                    Where(other, name),
                    notes=(Note(self.kinds[other][name].key.span, "it stands here"),),
                    hint="give the new rule another id; ids are one list over all kinds",
                )
                continue
            where = Where(kind, name).because(each.value)
            if not self.record.write(over, where, each.key.span, "add"):
                continue
            value = without(each.value, WHY) if isinstance(each.value, Mapping) else each.value
            self.record.tell(over, where, each.key.span, None, say(value))
            self.kinds.setdefault(kind, {})[name] = Entry(each.key, value)

    # --- rules by id -----------------------------------------------------------------------------------------------

    def targets(self, over: Over, kind: str, key: Scalar, verb: str) -> list[Entry]:
        """The rules that an id means: one, or all members of a family. None is told."""
        found = self.families.find(kind, key.text)
        if not found:
            self.unknown(over, kind, key, verb)
        return found

    def unknown(self, over: Over, kind: str, key: Scalar, verb: str) -> None:
        name, noun = key.text, NOUNS[kind]
        gone = self.record.removed.get((kind, name))
        if gone is not None:
            self.findings.add(
                "H716",
                f"the {noun} `{name}` is gone: `{gone[0].id}` removes it",
                key.span,
                notes=(Note(gone[1], "it is removed here"),),
                hint="take one of the two out",
            )
            return
        for rules in (self.kinds.get(kind, {}), *self.kinds.values()):
            for entry in rules.values():
                if name in _former(entry):
                    self.findings.add(
                        "H715",
                        f"the {noun} `{name}` is called `{entry.key.text}` now",
                        key.span,
                        notes=(Note(entry.key.span, "it says renamed_from here"),),
                        hint=f"write {entry.key.text}",
                    )
                    return
        other = self.kind_of(name)
        if other is not None:
            self.findings.add(
                "H711",
                f"there is no {noun} `{name}`: it is {_a(NOUNS[other])}",
                key.span,
                notes=(Note(self.kinds[other][name].key.span, "it stands here"),),
                hint=f"move it below {other}:",
            )
            return
        later = next((each for each in self.overs if each is not over and _adds(each, kind, name)), None)
        hint = did_you_mean(name, self.families.names(kind)) or (
            "a new one stands below add:" if verb == "change" else None
        )
        if later is not None:
            hint = f"`{later.id}` adds it: write after: {later.id} in the header of {over.id}"
        elif (near := self.near_elsewhere(kind, name)) and hint == "a new one stands below add:":
            hint = near
        self.findings.add("H711", f"there is no {noun} `{name}` to {verb}", key.span, hint=hint)

    def near_elsewhere(self, kind: str, name: str) -> str | None:
        """The nearest id of another kind, with that kind."""
        for other, rules in self.kinds.items():
            if other != kind and (near := did_you_mean(name, rules)):
                return f"{near} That stands below {other}:"
        return None

    def kind_of(self, name: str) -> str | None:
        return next((kind for kind, rules in self.kinds.items() if name in rules and kind in NOUNS), None)

    def where(self, kind: str, entry: Entry) -> Where:
        if kind == "tables":
            return table_where(entry)
        return Where(kind, entry.key.text)

    def put(self, kind: str, entry: Entry, value: Node | None) -> None:
        """A rule with its new value, or without one."""
        if value is None:
            del self.kinds[kind][entry.key.text]
        elif value is not entry.value:
            if kind == "tables":
                value = with_value_column(entry.value, value)
            self.kinds[kind][entry.key.text] = Entry(entry.key, value)


def _adds(over: Over, kind: str, name: str) -> bool:
    node = over.collected.add
    rules = node.get(kind) if isinstance(node, Mapping) else None
    return isinstance(rules, Mapping) and rules.entry(name) is not None


def _former(entry: Entry) -> list[str]:
    node = entry.value.get("renamed_from") if isinstance(entry.value, Mapping) else None
    items = node.items if isinstance(node, NodeSequence) else () if node is None else (node,)
    return [item.text for item in items if isinstance(item, Scalar)]


def _a(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _place(entry: Entry) -> Span:
    return entry.key.span if null(entry.value) else entry.value.span


def _shape(verb: str) -> str:
    if verb == "remove":
        return "write\nremove:\n  conditions: [some_id]"
    return f"write\n{verb}:\n  derived:\n    some_id: {{formula: ...}}"
