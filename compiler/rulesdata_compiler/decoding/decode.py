"""The collected tree, decoded: every rule as the model has it.

In: the collected trees with families written out, and the rules whose shape is broken. Out: the System, with the
rules that could be made, and findings about the rest. A rule that cannot be made is left out whole; its id stays
known (`System.broken`), so that nothing that reads it is blamed for it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics import Findings, Note
from ..model import KINDS, AnyRule, Provenance, Slot, Symbol, System
from ..nearest import did_you_mean
from ..reading.gather import Collected
from ..shaping.schemas import RESERVED
from ..sifting.lost import words, words_of, words_of_header
from ..tree import Entry, Mapping, Node, Scalar
from .header import header
from .kinds import rule, slots, symbols
from .reading import Reading
from .words import check_id, check_name, family_of

# Names on a character sheet keep the game's own spelling.
SHEET_KINDS = frozenset({"stats", "derived", "tracks"})
# What a roll `like` another one does not take over: these speak of the other roll alone.
NOT_TAKEN = frozenset({"like", "examples", "aliases", "renamed_from"})


def decode(
    collected: Collected,
    broken: set[tuple[str, str]],
    findings: Findings,
    provenance: Iterable[Provenance] = (),
    layers: Iterable[str] = (),
) -> System | None:
    """The system that the trees declare; None where there is no header to put over it."""
    if collected.header is None:
        return None  # told by `gather.py`
    failed = {rule_id for _, rule_id in broken}
    lost: set[str] = set()
    top = Reading(findings if ("system", "system") not in broken else Findings())
    heads = header(collected.header, top)
    if top.failed or ("system", "system") in broken:
        lost |= words_of_header(collected.header)
    made_symbols, made_slots = _beside(collected, broken, findings, lost)
    rolls = _Rolls(collected.kinds.get("rolls", {}), broken, findings)
    rules: dict[str, AnyRule] = {}
    first: dict[str, Entry] = {}
    for kind in KINDS:
        for rule_id, entry in collected.kinds.get(kind, {}).items():
            if (kind, rule_id) in RESERVED:
                continue
            if _taken(rule_id, entry, first, findings):
                continue
            if (kind, rule_id) in broken:
                lost |= _lost(kind, rule_id, entry)
                continue
            if kind == "rolls":
                whole = rolls.whole(rule_id)
                if whole is None:
                    failed.add(rule_id)
                    lost |= _lost(kind, rule_id, entry)
                    continue
                entry = whole
            reading = Reading(findings, member=(rule_id, entry.key.span) if family_of(rule_id) else None)
            made = decode_rule(kind, entry, reading)
            if made is None or reading.failed:
                failed.add(rule_id)
                lost |= _lost(kind, rule_id, entry)
            else:
                rules[rule_id] = made
    return System(
        header=heads,
        rules=dict(sorted(rules.items())),
        symbols=made_symbols,
        slots=made_slots,
        layers=tuple(layers),
        provenance=tuple(provenance),
        files=collected.files,
        broken=frozenset(failed),
        lost=frozenset(lost),
    )


def _lost(kind: str, rule_id: str, entry: Entry) -> set[str]:
    """The words that a rule that could not be made may have declared, and the id of its family."""
    family = family_of(rule_id)
    return words_of(kind, rule_id, entry) | ({family[0]} if family else set())


def decode_rule(kind: str, entry: Entry, reading: Reading) -> AnyRule | None:
    """One rule of a kind, its id checked."""
    if kind not in SHEET_KINDS:
        check_id(entry.key, reading)
    elif family_of(entry.key.text) is None:
        check_name(entry.key, reading, "a name on the sheet")
    return rule(kind, entry, reading)


def _beside(
    collected: Collected, broken: set[tuple[str, str]], findings: Findings, lost: set[str]
) -> tuple[tuple[Symbol, ...], tuple[Slot, ...]]:
    """What stands beside the rules, under the reserved keys of dice and actions; what is lost goes to `lost`."""
    nodes: dict[str, Node] = {}
    for kind, key in RESERVED:
        entry = collected.kinds.get(kind, {}).get(key)
        if entry is not None and (kind, key) not in broken:
            nodes[key] = entry.value
        elif entry is not None:
            lost |= words_of(kind, key, entry)
    reading, after = Reading(findings), Reading(findings)
    made_symbols = symbols(nodes["symbols"], reading) if "symbols" in nodes else ()
    made_slots = slots(nodes["slots"], after) if "slots" in nodes else ()
    for key, read in (("symbols", reading), ("slots", after)):
        if read.failed:
            lost |= set(words(nodes[key]))
    return made_symbols, made_slots


def _taken(rule_id: str, entry: Entry, first: dict[str, Entry], findings: Findings) -> bool:
    """Whether an earlier rule has this id. `gather.py` sees to it in one layer; a layer may still add a second one."""
    earlier = first.setdefault(rule_id, entry)
    if earlier is entry:
        return False
    findings.add(
        "Y142",
        f"the id {rule_id} is used twice",
        entry.key.span,
        notes=(Note(earlier.key.span, "used here first"),),
        hint="give one of the two another id; ids are one list over all kinds",
    )
    return True


class _Rolls:
    """Rolls with what they take from the roll they are like."""

    def __init__(self, entries: dict[str, Entry], broken: set[tuple[str, str]], findings: Findings) -> None:
        self.entries = entries
        self.broken = {rule_id for kind, rule_id in broken if kind == "rolls"}
        self.findings = findings

    def whole(self, rule_id: str) -> Entry | None:
        """The roll with all it takes over; None where that cannot be told."""
        entry = self.entries[rule_id]
        fields = self.fields(rule_id, [])
        if fields is None:
            return None
        return entry if not isinstance(entry.value, Mapping) else Entry(entry.key, Mapping(entry.value.span, fields))

    def fields(self, rule_id: str, chain: list[str]) -> tuple[Entry, ...] | None:
        value = self.entries[rule_id].value
        if not isinstance(value, Mapping) or rule_id in self.broken:
            return None
        like = value.get("like")
        if not isinstance(like, Scalar):
            return value.entries
        other = like.text.strip()
        if other in [*chain, rule_id]:
            self.tell_loop([*chain, rule_id], other)
            return None
        if other not in self.entries:
            self.findings.add(
                "S224",
                f"there is no roll `{other}` to be like",
                like.span,
                hint=did_you_mean(other, self.entries) or "`like` names another roll",
            )
            return None
        taken = self.fields(other, [*chain, rule_id])
        if taken is None:
            return None
        stated = {entry.key.text for entry in value}
        return value.entries + tuple(
            entry for entry in taken if entry.key.text not in stated and entry.key.text not in NOT_TAKEN
        )

    def tell_loop(self, chain: list[str], back: str) -> None:
        """A loop is told once, at the first of its rolls."""
        loop = chain[chain.index(back) :]
        at = loop.index(min(loop))
        loop = loop[at:] + loop[:at]
        spans = [value.span for hop in loop if (value := self.like(hop)) is not None]
        self.findings.add(
            "S225",
            f"these rolls are like each other: {' is like '.join([*loop, loop[0]])}",
            spans[0],
            notes=tuple(Note(span, f"{hop} says so here") for hop, span in zip(loop[1:], spans[1:], strict=True)),
            hint="one of them must state its own fields",
        )

    def like(self, rule_id: str) -> Node | None:
        value = self.entries[rule_id].value
        return value.get("like") if isinstance(value, Mapping) else None
