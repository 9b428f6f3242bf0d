"""The order of layers: what each extends, then what it says it comes after, then its id.

In: the collected layers, in any order. Out: the same in the order in which they are merged, each knowing which others
it comes after. The order on the command line never matters. A layer that cannot be placed is told and left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..diagnostics import Findings, Note
from ..layers import MOST_LAYERS, Layer
from ..nearest import did_you_mean
from ..reading.gather import Collected
from ..shaping import shape
from ..source import Span
from ..tree import Mapping, Node, Scalar
from ..tree import Sequence as NodeSequence


@dataclass(eq=False, slots=True)
class Over:
    """One layer in the merge. `below` are the ids of the layers that it comes after; systems lie below everything."""

    id: str
    layer: Layer
    collected: Collected
    house: bool
    extends: Scalar | None = None
    after: tuple[Scalar, ...] = ()
    below: set[str] = field(default_factory=set)

    def after_(self, other: Over) -> bool:
        """Whether this layer is laid over the other one, by what one of them says."""
        return not other.house or other.id in self.below

    @property
    def span(self) -> Span | None:
        header = self.collected.house if self.house else self.collected.header
        if header is None:
            return None
        found = header.entry("id")
        return found.value.span if found is not None else header.span


def in_order(layers: Sequence[tuple[Layer, Collected]], findings: Findings) -> list[Over]:
    """The layers as they are merged, the base first."""
    systems = [_system(layer, collected) for layer, collected in layers if not layer.house]
    houses: list[Over] = []
    for layer, collected in layers:
        if layer.house and (made := _house(layer, collected, findings)) is not None:
            houses.append(made)
    houses.sort(key=lambda over: (over.id, over.layer.files[0][0] if over.layer.files else ""))
    houses = _once(houses, findings)
    houses = _known(houses, systems, findings)
    return systems + _sorted(houses, systems, findings)


def _system(layer: Layer, collected: Collected) -> Over:
    header = collected.header
    return Over(_word(header, "id") or layer.name, layer, collected, False, _scalar(header, "extends"))


def _house(layer: Layer, collected: Collected, findings: Findings) -> Over | None:
    house = collected.house
    if house is None:
        if collected.header is not None:
            findings.add(
                "H702",
                "this is a system, and house rules are wanted here",
                collected.header.entries[0].key.span if collected.header.entries else collected.header.span,
                hint="house rules have house_rules: at their top, and say under change:, add: and remove: what they do",
            )
        return None  # anything else is told by `gather.py`
    alone = Collected(header=None, house=house, kinds={})
    if shape.check(alone, findings):
        return None
    return Over(_word(house, "id") or layer.name, layer, collected, True, _scalar(house, "extends"), _after(house))


def _once(houses: list[Over], findings: Findings) -> list[Over]:
    kept: dict[str, Over] = {}
    for over in houses:
        first = kept.setdefault(over.id, over)
        if first is not over:
            notes = (Note(first.span, "it is used here first"),) if first.span is not None else ()
            findings.add(
                "H703",
                f"two sets of house rules have the id {over.id}",
                over.span,
                notes=notes,
                hint="give one of the two another id, or name the file only once",
            )
    return list(kept.values())


def _known(houses: list[Over], systems: list[Over], findings: Findings) -> list[Over]:
    """Those that extend something which is there; what hangs on one that does not is left out with it."""
    ids = {over.id for over in (*systems, *houses)}
    lost: set[str] = set()
    for over in houses:
        extends = over.extends
        if extends is None or extends.text in ids:
            continue
        lost.add(over.id)
        hint = did_you_mean(extends.text, ids - {over.id})
        findings.add(
            "H701",
            f"these house rules are for `{extends.text}`, and that is neither this system, `{systems[-1].id}`, "
            "nor other house rules that are given",
            extends.span,
            hint=hint or f"name the file of `{extends.text}` with another --house, or write extends: {systems[-1].id}",
        )
    grown = True
    while grown:
        more = {over.id for over in houses if over.extends is not None and over.extends.text in lost} - lost
        lost |= more
        grown = bool(more)
    for over in houses:
        for name in over.after:
            if name.text not in ids and (near := did_you_mean(name.text, ids - {over.id})):
                findings.add("H704", f"no house rules called `{name.text}` are given", name.span, hint=near)
    return [over for over in houses if over.id not in lost]


def _sorted(houses: list[Over], systems: list[Over], findings: Findings) -> list[Over]:
    """Each after what it extends and comes after; where nothing says so, by id."""
    by_id = {over.id: over for over in houses}
    waits = {over.id: {name: span for name, span in _links(over) if name in by_id} for over in houses}
    ordered: list[Over] = []
    depth: dict[str, int] = {}
    left = dict(by_id)
    while left:
        ready = [name for name in left if not waits[name].keys() & left.keys()]
        if not ready:
            loop = _loop(left, waits)
            for name in loop:
                del left[name]
            _tell_loop(loop, by_id, waits, findings)
            continue
        over = left.pop(min(ready))
        for name in waits[over.id]:
            if name not in left:
                over.below |= {name, *by_id[name].below}
        extends = over.extends.text if over.extends is not None else ""
        depth[over.id] = depth.get(extends, len(systems)) + 1
        if depth[over.id] > MOST_LAYERS and over.extends is not None:
            findings.add(
                "H705",
                f"house rules extend each other more than {MOST_LAYERS} deep: {_chain(over, by_id)}",
                over.extends.span,
                hint="put some of them together in one file",
            )
            continue
        ordered.append(over)
    return ordered


def _links(over: Over) -> list[tuple[str, Span]]:
    found = [(name.text, name.span) for name in over.after]
    return ([(over.extends.text, over.extends.span)] if over.extends is not None else []) + found


def _loop(left: dict[str, Over], waits: dict[str, dict[str, Span]]) -> list[str]:
    path = [min(left)]
    while True:
        following = min(name for name in waits[path[-1]] if name in left)
        if following in path:
            return path[path.index(following) :]
        path.append(following)


def _tell_loop(loop: list[str], by_id: dict[str, Over], waits: dict[str, dict[str, Span]], findings: Findings) -> None:
    at = loop.index(min(loop))
    loop = loop[at:] + loop[:at]
    hops = [waits[name][following] for name, following in zip(loop, [*loop[1:], loop[0]], strict=True)]
    findings.add(
        "H705",
        f"house rules that come after each other in a circle: {' comes after '.join([*loop, loop[0]])}",
        hops[0],
        notes=tuple(Note(span, f"{name} says so here") for name, span in zip(loop[1:], hops[1:], strict=True)),
        hint="take one of these lines out",
    )


def _chain(over: Over, by_id: dict[str, Over]) -> str:
    names = [over.id]
    while (extends := by_id[names[-1]].extends) is not None and extends.text in by_id:
        names.append(extends.text)
    return " extends ".join(names)


def _after(house: Mapping) -> tuple[Scalar, ...]:
    node = house.get("after")
    items: tuple[Node, ...] = node.items if isinstance(node, NodeSequence) else () if node is None else (node,)
    return tuple(item for item in items if isinstance(item, Scalar))


def _scalar(mapping: Mapping | None, key: str) -> Scalar | None:
    found = mapping.get(key) if mapping is not None else None
    return found if isinstance(found, Scalar) else None


def _word(mapping: Mapping | None, key: str) -> str:
    found = _scalar(mapping, key)
    return found.text.strip() if found is not None else ""
