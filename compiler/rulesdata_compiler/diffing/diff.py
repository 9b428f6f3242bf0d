"""What house rules, or a new version, change: value by value, and by what comes out differently for whom.

In: two compiled systems, without errors. Out: `Diff`, which `diff_render.py` writes as text, Markdown or JSON. The one
rule: values come from the record of the merge (or, between two versions, from the two trees), consequences from asking
both through the real runtime; nothing is concluded from formulas' looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulesdata_runtime.artifact import open_artifact
from rulesdata_runtime.rules import Rules

from ..composing.nodes import CUT, apart, same, say
from ..composing.words import CHANGED, identity
from ..model import AnyRule, Derived, Procedure, Provenance, Roll, System, Table
from ..pipeline import Compiled
from ..reading.gather import Collected
from ..source import Span
from ..tree import Mapping, Node, Scalar, Sequence
from .diff_examples import example_changes
from .diff_play import procedure_changes, roll_changes
from .diff_tables import table_changes
from .diff_values import derived_changes

# What changes no result.
SILENT = frozenset({"title", "text", "ruling", "source", "aliases", "examples", "tags", "renamed_from"})
UNSEEN = "changed, and what was tried does not show it"


@dataclass(frozen=True, slots=True)
class Value:
    """One value that is another now. `before` is None where it is new, `after` where it is gone."""

    address: tuple[str, ...]
    before: str | None
    after: str | None
    layer: str | None = None
    place: tuple[str, int, int] | None = None
    why: str | None = None

    @property
    def name(self) -> str:
        """`mishap.rows.trip.at`."""
        return ".".join(part or self.address[0] for part in self.address[1:])


@dataclass(frozen=True, slots=True)
class Consequence:
    """What comes out of one rule that did not before, a line each."""

    rule: str
    title: str
    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Diff:
    """`before` and `after` say what is compared. `examples` are worked examples that come out otherwise."""

    title: str
    before: str
    after: str
    values: tuple[Value, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    examples: tuple[Consequence, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.values or self.consequences or self.examples)


def diff(before: Compiled, after: Compiled) -> Diff:
    """Compare two systems; both must have an artifact."""
    assert before.system is not None
    assert after.system is not None
    assert before.artifact is not None
    assert after.artifact is not None
    old, new = before.system, after.system
    if _same_files(before, after):
        values = tuple(_told(one, after) for one in _own(new.provenance, old.provenance) if not _mark(one))
    else:
        assert before.tree is not None
        assert after.tree is not None
        values = tuple(_compare_trees(before.tree, after.tree, after))
    values = tuple(_readable(value, before, after) for value in values)
    olds, news = Rules(open_artifact(before.artifact)), Rules(open_artifact(after.artifact))
    changed = _changed(old, values)
    touched = _touched(old, new, changed, after) | {one for one in new.rules if _switched(one, olds, news) is not None}
    consequences: list[Consequence] = []
    for rule_id in sorted(touched):
        was, now = old.rules.get(rule_id), new.rules.get(rule_id)
        switched = _switched(rule_id, olds, news)
        lines = (*([switched] if switched else []), *_consequences(was, now, olds, news, before, after))
        rule = now or was
        if not lines and rule_id in changed and isinstance(was, Roll | Procedure) and type(was) is type(now):
            lines = (UNSEEN,)
        if lines and rule is not None:
            consequences.append(Consequence(rule_id, rule.title or rule_id, news.book.kind(rule_id) or "", lines))
    examples = tuple(
        Consequence(rule_id, title, "example", lines) for rule_id, title, lines in example_changes(olds, news)
    )
    return Diff(new.header.title, _label(old), _label(new), values, tuple(consequences), examples)


def _consequences(
    was: AnyRule | None, now: AnyRule | None, olds: Rules, news: Rules, before: Compiled, after: Compiled
) -> Iterable[str]:
    match was, now:
        case Derived(), Derived():
            assert before.bindings is not None
            assert after.bindings is not None
            return derived_changes(now.id, olds, news, before.bindings, after.bindings)
        case Table(), Table():
            return table_changes(was, now, olds, news)
        case Roll(), Roll():
            return roll_changes(was, now, olds, news)
        case Procedure(), Procedure():
            return procedure_changes(was, now, olds, news)
    return ()


def _switched(rule_id: str, olds: Rules, news: Rules) -> str | None:
    """What an option has done to a rule that both have."""
    if rule_id not in olds.rules or rule_id not in news.rules:
        return None
    was, now = (rules.book.in_force(rules.rules[rule_id]) for rules in (olds, news))
    if was == now:
        return None
    return "in force now, was switched off" if now else "switched off now, was in force"


def _label(system: System) -> str:
    """`demo 1.0.0 with friday-table`."""
    header = system.header
    houses = [layer for layer in system.layers if layer != header.id]
    return f"{header.id} {header.version}" + (f" with {', '.join(houses)}" if houses else "")


# --- value by value ------------------------------------------------------------------------------------------------


def _same_files(before: Compiled, after: Compiled) -> bool:
    """Whether the second is the first with more laid over it."""
    if before.system is None or after.system is None or before.tree is None or after.tree is None:
        return False
    count = len(before.tree.files)
    return before.tree.files == after.tree.files[:count] and _texts(before.tree) <= _texts(after.tree)


def _texts(tree: Collected) -> set[str]:
    """The texts of the files that hold rules still."""
    return {entry.key.span.source.text for rules in tree.kinds.values() for entry in rules.values()}


def _own(records: tuple[Provenance, ...], known: tuple[Provenance, ...]) -> Iterator[Provenance]:
    seen = {(one.address, one.layer, one.after) for one in known}
    return (one for one in records if (one.address, one.layer, one.after) not in seen)


def _mark(one: Provenance) -> bool:
    """Whether a record only says that examples come out otherwise; which ones do is told by themselves."""
    return one.address[-1] == "examples" and one.after == CHANGED


def _told(one: Provenance, after: Compiled) -> Value:
    return Value(one.address, one.before, one.after, one.layer, _place(one.span, after), one.why)


def _readable(value: Value, before: Compiled, after: Compiled) -> Value:
    """The value; of two long texts that were cut, the parts that differ."""
    if not all(text and text.endswith(CUT) for text in (value.before, value.after)):
        return value
    was, now = (_node(compiled.tree, value.address) for compiled in (before, after))
    if not (isinstance(was, Scalar) and isinstance(now, Scalar)):
        return value
    told = apart(" ".join(was.text.split()), " ".join(now.text.split()))
    return replace(value, before=told[0], after=told[1])


def _node(tree: Collected | None, address: tuple[str, ...]) -> Node | None:
    """What stands at an address; None where the way there is not one of names."""
    entry = tree.kinds.get(address[0], {}).get(address[1]) if tree is not None else None
    node: Node | None = entry.value if entry is not None else None
    for key in address[2:]:
        if isinstance(node, Sequence):
            node = _by_name(node).get(key) if _named(node) else None
        else:
            node = node.get(key) if isinstance(node, Mapping) else None
    return node


def _place(span: Span | None, compiled: Compiled) -> tuple[str, int, int] | None:
    if span is None:
        return None
    line, column = span.source.position(span.start)
    return compiled.shown.get(span.source.name, span.source.name), line, column


def _compare_trees(old: Collected, new: Collected, after: Compiled) -> Iterator[Value]:
    """Every value of two versions that differs, in order of kind and id."""
    layers = {(one.address, one.after): one for one in (after.system.provenance if after.system else ())}
    for kind in sorted(old.kinds.keys() | new.kinds.keys()):
        olds, news = old.kinds.get(kind, {}), new.kinds.get(kind, {})
        for rule_id in sorted(olds.keys() | news.keys()):
            was, now = olds.get(rule_id), news.get(rule_id)
            found = _compare((kind, rule_id), was.value if was else None, now.value if now else None, after)
            for value in found:
                known = layers.get((value.address, value.after))
                yield value if known is None else _told(known, after)
    if old.header is not None and new.header is not None:
        yield from _compare(("system", ""), old.header, new.header, after)


def _compare(address: tuple[str, ...], old: Node | None, new: Node | None, after: Compiled) -> Iterator[Value]:
    match old, new:
        case None, None:
            return
        case Mapping(), Mapping():
            keys = dict.fromkeys([*(entry.key.text for entry in old), *(entry.key.text for entry in new)])
            for key in keys:
                if not key.startswith("x-"):
                    yield from _compare((*address, key), old.get(key), new.get(key), after)
        case Sequence(), Sequence() if _named(old) and _named(new):
            olds, news = _by_name(old), _by_name(new)
            for name in dict.fromkeys([*olds, *news]):
                yield from _compare((*address, name), olds.get(name), news.get(name), after)
        case _ if old is None or new is None or not same(old, new, address[-1]):
            yield Value(address, say(old), say(new), None, _place(new.span if new is not None else None, after))


def _named(node: Sequence) -> bool:
    names = [identity(item)[:1] for item in node]
    return all(names) and len(set(names)) == len(names)


def _by_name(node: Sequence) -> dict[str, Node]:
    return {identity(item)[0]: item for item in node}


# --- who can come out otherwise --------------------------------------------------------------------------------------


def _changed(old: System, values: tuple[Value, ...]) -> set[str]:
    """The rules that change in more than words."""
    changed = {value.address[1] for value in values if not set(value.address[2:]) & SILENT}
    return changed | {rule_id for rule_id in old.rules if rule_id.partition("[")[0] in changed}


def _touched(old: System, new: System, changed: set[str], after: Compiled) -> set[str]:
    """The rules that change, and all that read them."""
    assert after.bindings is not None
    readers: dict[str, set[str]] = {}
    for reader, targets in after.bindings.refs().items():
        for target in targets:
            readers.setdefault(target, set()).add(reader)
    grown, left = set(changed), list(changed)
    while left:
        for reader in readers.get(left.pop(), ()):
            if reader not in grown:
                grown.add(reader)
                left.append(reader)
    return {rule_id for rule_id in grown if rule_id in old.rules or rule_id in new.rules}
