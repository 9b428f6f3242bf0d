"""What goes round without end within one moment: tables, procedures, conditions, events.

In: the system. Out: one finding a loop, told hop by hop with the place of every use. The one rule: whatever takes
time (an effect that recurs with the clock, the end of a duration) and whatever is bounded (`at_most`) closes no loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .. import model
from ..binding.world import steps_of
from ..diagnostics import Findings, Note
from ..source import Span

Place = tuple[str, str]  # (rule, id), (each, id of what recurs), (event, name)


@dataclass(frozen=True, slots=True)
class Hop:
    """`words`: what the one does to the other, with a verb: runs, applies, lets {} happen."""

    start: Place
    end: Place
    words: str
    span: Span


def check_cycles(system: model.System, findings: Findings) -> None:
    hops: dict[Place, list[Hop]] = {}
    for hop in _hops(system):
        hops.setdefault(hop.start, []).append(hop)
    for whole in loops(hops):
        loop = [hop for hop in whole if hop.words != "is"]  # a procedure is an event by its own name: no hop to tell
        if all(hop.words == "implies" for hop in loop):
            continue  # binding tells these: what is carried depends on itself
        bounded = any(hop.words in ("runs", "rolls on") for hop in loop)
        findings.add(
            "R620",
            f"this can go round without end within one moment: {_told(loop)}",
            loop[0].span,
            notes=_notes(loop),
            hint="say on a `run` or `roll_on` of the loop how often it may happen: `at_most: 1`"
            if bounded
            else "take one of these steps out, or let time pass between them",
        )


# --- hops --------------------------------------------------------------------------------------------------------


def _hops(system: model.System) -> Iterator[Hop]:
    for rule in system.rules.values():
        here: Place = ("rule", rule.id)
        match rule:
            case model.Procedure():
                yield Hop(here, ("event", rule.id), "is", rule.span)
                yield from _of_steps(system, here, rule.steps)
            case model.Table():
                yield from _of_steps(system, here, [row.effect for row in rule.rows])
            case model.Condition() | model.Trait() | model.Environment():
                yield from _of_lasting(system, here, rule)
            case _:
                pass


def _of_lasting(
    system: model.System, here: Place, rule: model.Condition | model.Trait | model.Environment
) -> Iterator[Hop]:
    yield from _of_steps(system, here, rule.entry)
    implied = [*rule.implies]
    if isinstance(rule, model.Condition):
        implied += [ref for level in rule.levels for ref in level.implies]
    for ref in implied:
        for target in targets(system, ref):
            yield Hop(here, ("rule", target), "implies", ref.span)
    if rule.every is None:
        recurs: Place = ("each", rule.id)
        units = {unit for unit, _ in system.header.clock}
        for each in rule.each:
            if each.unit not in units:
                yield Hop(("event", each.unit), recurs, "brings the effect of", each.span)
        yield from _of_steps(system, recurs, rule.effect)


def _of_steps(system: model.System, here: Place, steps: object) -> Iterator[Hop]:
    for step in steps_of(steps):
        match step:
            case model.Run(at_most=None):
                yield from _to(system, here, step.ref, "runs")
            case model.RollOn(at_most=None):
                yield from _to(system, here, step.ref, "rolls on")
            case model.Apply():
                yield from _to(system, here, step.ref, "applies")
            case model.Event():
                yield Hop(here, ("event", step.event), "lets {} happen", step.span)
            case model.RollStep():
                yield from (Hop(here, ("event", tag), "rolls", step.ref.span) for tag in _tags(system, step))
            case _:
                pass


def _to(system: model.System, here: Place, ref: model.Ref, words: str) -> Iterator[Hop]:
    for target in targets(system, ref):
        yield Hop(here, ("rule", target), words, ref.span)


def targets(system: model.System, ref: model.Ref) -> list[str]:
    """The rules a reference may mean; none where a parameter chooses."""
    if ref.chosen:
        return []
    if ref.index is None:
        return [ref.name] if ref.name in system.rules else []
    exact = f"{ref.name}[{ref.index.text.strip()}]"
    if exact in system.rules:
        return [exact]
    return [rule.id for rule in system.rules.values() if rule.family and rule.family[0] == ref.name]


def _tags(system: model.System, step: model.RollStep) -> Iterable[str]:
    seen: set[str] = set()
    rule = system.rules.get(step.ref.name)
    while isinstance(rule, model.Roll) and rule.id not in seen:
        seen.add(rule.id)
        if rule.tags or rule.like is None:
            return dict.fromkeys((*rule.tags, *step.tags))
        rule = system.rules.get(rule.like)
    return step.tags


# --- loops -------------------------------------------------------------------------------------------------------


def loops(hops: Mapping[Place, list[Hop]]) -> list[list[Hop]]:
    """One shortest loop of each knot of places that all lead to each other, in the order of the file."""
    found: list[list[Hop]] = []
    for knot in _knots(hops):
        inside = {place: [hop for hop in hops.get(place, ()) if hop.end in knot] for place in knot}
        begin = [place for place in knot if place[0] == "rule"] or sorted(knot)
        first = min(begin, key=lambda place: min(hop.span.sort_key() for hop in inside[place]))
        found.append(_shortest(inside, first))
    return sorted(found, key=lambda loop: loop[0].span.sort_key())


def _knots(hops: Mapping[Place, list[Hop]]) -> list[set[Place]]:
    """Tarjan's strongly connected parts, without recursion; only those with a loop."""
    index: dict[Place, int] = {}
    low: dict[Place, int] = {}
    stack: list[Place] = []
    knots: list[set[Place]] = []
    for root in sorted(hops):
        if root in index:
            continue
        work: list[tuple[Place, Iterator[Hop]]] = []
        _enter(root, index, low, stack)
        work.append((root, iter(hops.get(root, ()))))
        while work:
            place, rest = work[-1]
            hop = next(rest, None)
            if hop is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[place])
                if low[place] == index[place]:
                    at = stack.index(place)
                    knot, stack[at:] = set(stack[at:]), []
                    if len(knot) > 1 or any(hop.end == place for hop in hops.get(place, ())):
                        knots.append(knot)
            elif hop.end not in index:
                _enter(hop.end, index, low, stack)
                work.append((hop.end, iter(hops.get(hop.end, ()))))
            elif hop.end in stack:
                low[place] = min(low[place], index[hop.end])
    return knots


def _enter(place: Place, index: dict[Place, int], low: dict[Place, int], stack: list[Place]) -> None:
    index[place] = low[place] = len(index)
    stack.append(place)


def _shortest(hops: Mapping[Place, list[Hop]], first: Place) -> list[Hop]:
    paths: list[list[Hop]] = [[hop] for hop in hops[first]]
    seen = {first}
    for path in paths:
        if path[-1].end == first:
            return path
        if path[-1].end not in seen:
            seen.add(path[-1].end)
            paths.extend([*path, hop] for hop in hops[path[-1].end])
    raise AssertionError("a knot always has a loop")


def _told(loop: list[Hop]) -> str:
    """`a` runs `b`, which rolls on `c`, which runs `a`."""
    told = f"`{loop[0].start[1]}`"
    for place, hop in enumerate(loop):
        told += (", which " if place else " ") + _does(hop)
    return told


def _does(hop: Hop) -> str:
    name = f"`{hop.end[1]}`"
    return hop.words.format(name) if "{}" in hop.words else f"{hop.words} {name}"


def _notes(loop: list[Hop]) -> tuple[Note, ...]:
    return tuple(Note(hop.span, f"`{hop.start[1]}` {_does(hop)} here") for hop in loop[1:])
