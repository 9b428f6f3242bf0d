"""The order in which values are worked out, and the circles in which they cannot be.

In: for every node the edges to what it reads, each with the place of the reading. Out: an order in which each node
comes after what it reads, and every circle, hop by hop. The one rule: one circle is told once, by the shortest way
round from its first member in the alphabet. No recursion, so chains of any length are fine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..source import Span


@dataclass(frozen=True, slots=True)
class Hop:
    """`reader` reads `target` at `span`; `text` is the hop as a note tells it."""

    reader: str
    target: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Order:
    """`order`: every node after those it reads, as far as there are no circles. `circles`: each as its edges in turn;
    `members`: every node that stands in a circle."""

    order: tuple[str, ...]
    circles: tuple[tuple[Hop, ...], ...]
    members: frozenset[str]


Graph = Mapping[str, Sequence[Hop]]


def find_order(edges: Graph) -> Order:
    """Order and circles of a graph. Nodes and edges are taken in sorted order: same graph, same answer."""
    order: list[str] = []
    circles: list[tuple[Hop, ...]] = []
    members: set[str] = set()
    for group in components(edges):
        order.extend(group)
        looped = len(group) > 1 or any(edge.target == group[0] for edge in edges.get(group[0], ()))
        if looped:
            members.update(group)
            circles.append(_shortest(edges, frozenset(group)))
    return Order(tuple(order), tuple(sorted(circles, key=lambda circle: circle[0].reader)), frozenset(members))


def components(edges: Graph) -> Iterator[list[str]]:
    """Groups of nodes that all reach each other (Tarjan), each after the groups it reads."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    on_stack: set[str] = set()
    for root in sorted(edges):
        if root in number:
            continue
        path: list[tuple[str, Iterator[str]]] = [(root, _targets(edges, root))]
        number[root] = lowest[root] = len(number)
        waiting.append(root)
        on_stack.add(root)
        while path:
            node, targets = path[-1]
            following = next((target for target in targets if target not in number or target in on_stack), None)
            if following is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    yield _popped(waiting, on_stack, node)
            elif following in number:
                lowest[node] = min(lowest[node], number[following])
            else:
                number[following] = lowest[following] = len(number)
                waiting.append(following)
                on_stack.add(following)
                path.append((following, _targets(edges, following)))


def _targets(edges: Graph, node: str) -> Iterator[str]:
    return iter(sorted({edge.target for edge in edges.get(node, ())}))


def _popped(waiting: list[str], on_stack: set[str], node: str) -> list[str]:
    group: list[str] = []
    while True:
        last = waiting.pop()
        on_stack.discard(last)
        group.append(last)
        if last == node:
            return sorted(group)


def _shortest(edges: Graph, group: frozenset[str]) -> tuple[Hop, ...]:
    """The shortest way from the first member of a group back to itself."""
    first = min(group)
    came: dict[str, Hop] = {}
    todo = deque([first])
    while todo:
        node = todo.popleft()
        for edge in sorted(edges.get(node, ()), key=lambda edge: (edge.target, edge.span.sort_key())):
            if edge.target not in group:
                continue
            if edge.target == first:
                return tuple(reversed([edge, *_back(came, node, first)]))
            if edge.target not in came:
                came[edge.target] = edge
                todo.append(edge.target)
    raise AssertionError("a group that does not reach itself is no group")


def _back(came: Mapping[str, Hop], node: str, first: str) -> Iterator[Hop]:
    while node != first:
        edge = came[node]
        yield edge
        node = edge.reader
