"""The edges of a system that no worked example notices.

In: rules. Out: `Report`: how many edges there are (see edges_sites.py), those that no example notices, and those
that a rule says why it leaves. One rule holds: an edge is noticed when the rules with that one value moved by one
make an example come out otherwise, or not at all.

An example can only notice what it reads. Each is played once with rules that write down which fields were read; an
edge is then tried with the examples that read its field, those of its own rule first, up to the first that notices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..errors import BadInput
from ..play import calls
from ..records import dataclass
from ..rules import Rules
from ..state.rulebook import Rule
from .edges_sites import Site, edges
from .examples import all_examples, play_example

Progress = Callable[[int, int], None]
Read = frozenset[tuple[str, str, str]]

# What Python says where a nudged rule makes no sense any more: the example did not come out.
_BROKEN = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Left:
    """An edge that is left, and why."""

    edge: Site
    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """`unneeded`: (rule, field, reason) of reasons that no edge needs."""

    edges: int
    unnoticed: tuple[Site, ...]
    left: tuple[Left, ...]
    unneeded: tuple[tuple[str, str, str], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "edges": self.edges,
            "unnoticed": [_shape(one) for one in self.unnoticed],
            "left": [{**_shape(one.edge), "why": one.why} for one in self.left],
            "unneeded": [{"rule": rule, "field": field, "why": why} for rule, field, why in self.unneeded],
        }


def _shape(edge: Site) -> dict[str, Any]:
    return {"rule": edge.id, "place": edge.place, "what": edge.told}


def find_edges(rules: Rules, progress: Progress | None = None) -> Report:
    """Move every edge, and see which one no example notices. `progress` is told how many are done, and of how many."""
    played = [(rule_id, one) for rule_id, _, one in all_examples(rules) if not one.get("changed")]
    failed = sum(not play_example(rules, *one).fine for one in played)
    if failed:
        raise BadInput(f"{failed} worked examples do not come out: set them right first, then look for edges")
    reads = [_reads(rules, *one) for one in played]
    found = list(edges(rules.artifact, rules.book.in_force))
    unnoticed: list[Site] = []
    left: list[Left] = []
    needed: set[tuple[str, str]] = set()
    for number, edge in enumerate(found):
        if progress is not None:
            progress(number, len(found))
        if _noticed(rules, edge, _candidates(edge, played, reads)):
            continue
        reason = _reason(rules.artifact[edge.section][edge.id], edge)
        if reason is None:
            unnoticed.append(edge)
        else:
            needed.update((rule_id, reason[0]) for rule_id in (edge.id, *edge.same))
            left.append(Left(edge, reason[1]))
    return Report(
        len(found),
        tuple(unnoticed),
        tuple(left),
        tuple(_unneeded(rules, needed)),
    )


def _candidates(
    edge: Site, played: list[tuple[str, Mapping[str, Any]]], reads: list[Read]
) -> list[tuple[str, Mapping[str, Any]]]:
    """The examples that read what the edge changes; first its own rule's, then those that read least."""
    touched = {(edge.section, rule_id, edge.field) for rule_id in (edge.id, *edge.same)}
    places = [place for place, read in enumerate(reads) if not touched.isdisjoint(read)]
    places.sort(key=lambda place: (played[place][0] not in (edge.id, *edge.same), len(reads[place])))
    return [played[place] for place in places]


def _noticed(rules: Rules, edge: Site, examples: list[tuple[str, Mapping[str, Any]]]) -> bool:
    if not examples:
        return False
    moved = _like(rules, edge.applied(rules.artifact))
    for rule_id, example in examples:
        try:
            if not play_example(moved, rule_id, example).fine:
                return True
        except _BROKEN:
            return True
    return False


def _like(rules: Rules, artifact: Mapping[str, Any]) -> Rules:
    """Rules of an artifact that differs in numbers and signs alone; what hangs on names is not found out again."""
    made = Rules(artifact)
    made.book.share(rules.book)
    calls.share(made.book, rules.book)
    return made


# --- reasons -------------------------------------------------------------------------------------------------------


def _reason(rule: Rule, edge: Site) -> tuple[str, str] | None:
    """The reason that a rule gives for a field, or for the whole of it; the field it is given for comes first."""
    for field, why in rule.get("unpinned", ()):
        if not field or edge.where == field or edge.where.startswith(f"{field}."):
            return field, why
    return None


def _unneeded(rules: Rules, needed: set[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    for section in ("rules", "slots"):
        for rule_id, rule in rules.artifact.get(section, {}).items():
            for field, why in rule.get("unpinned", ()):
                if (rule_id, field) not in needed:
                    yield rule_id, field, why


# --- what an example reads -----------------------------------------------------------------------------------------


class _Watched(dict[str, Any]):
    """A rule that writes down which of its fields are read."""

    __slots__ = ("name", "seen")

    def __init__(self, rule: Mapping[str, Any], name: tuple[str, str], seen: set[tuple[str, str, str]]) -> None:
        super().__init__(rule)
        self.name = name
        self.seen = seen

    def __getitem__(self, key: str) -> Any:
        self.seen.add((*self.name, key))
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.seen.add((*self.name, key))
        return super().get(key, default)

    def _all(self) -> None:
        self.seen.update((*self.name, key) for key in super().__iter__())

    def __iter__(self) -> Iterator[str]:
        self._all()
        return super().__iter__()

    def keys(self) -> Any:
        self._all()
        return super().keys()

    def items(self) -> Any:
        self._all()
        return super().items()

    def values(self) -> Any:
        self._all()
        return super().values()


def _reads(rules: Rules, rule_id: str, example: Mapping[str, Any]) -> Read:
    """Every field of every rule that playing an example reads: (section, id, field)."""
    seen: set[tuple[str, str, str]] = set()
    watched = {
        section: {name: _Watched(rule, (section, name), seen) for name, rule in rules.artifact.get(section, {}).items()}
        for section in ("rules", "slots")
    }
    fresh = _like(rules, {**rules.artifact, **watched})
    seen.clear()
    play_example(fresh, rule_id, example)
    return frozenset(seen)
