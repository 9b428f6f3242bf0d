"""What each layer did: the record that explains values, and the conflicts between layers without an order.

In: every single write of the merge, with its address. Out: provenance, and a finding where two sets of house rules
without an order set, place or need the same. The one rule: an address is written by one layer, unless the later one
says that it comes after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..diagnostics import Findings, Note
from ..model import Provenance
from ..source import Span
from ..tree import Mapping, Node, Scalar
from .order import Over
from .words import PROSE_FIELDS, WHY

Address = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Where:
    """A place in the rules: its kind and rule, the path below the rule as people say it, and as conflicts count it.

    `field` is the key above the node, `why` the reason that holds here. Of tables, `cells` says that rows hold cells
    by key, `short` is the column of a row that is one cell, and `texts` are the columns of text.
    """

    kind: str
    rule_id: str
    path: Address = ()
    exact: Address = ()
    field: str = ""
    why: str | None = None
    cells: bool = False
    short: str = "text"
    texts: frozenset[str] = frozenset()

    def below(self, key: str, exact: Address = ()) -> Where:
        return replace(self, path=(*self.path, key), exact=(*self.exact, *(exact or (key,))), field=key)

    def because(self, node: Node) -> Where:
        """The same place, with the reason that a mapping gives."""
        why = node.get(WHY) if isinstance(node, Mapping) else None
        return replace(self, why=" ".join(why.text.split())) if isinstance(why, Scalar) else self

    @property
    def in_rows(self) -> bool:
        """Whether this is a row of a table."""
        return self.path[-2:-1] == ("rows",)

    @property
    def prose(self) -> bool:
        """Whether what stands here is for people, so that no word of it is a name."""
        return self.field in PROSE_FIELDS or self.field in self.texts or (self.in_rows and self.short == "text")

    @property
    def address(self) -> Address:
        return (self.kind, self.rule_id, *self.path)

    @property
    def counted(self) -> Address:
        return (self.kind, self.rule_id, *self.exact)

    @property
    def name(self) -> str:
        """`mishap.rows.cut`: the rule and the path below it."""
        path = () if self.kind == "options" and self.path == ("value",) else self.path
        return ".".join((self.rule_id or self.kind, *path))


@dataclass(frozen=True, slots=True)
class _Write:
    over: Over
    span: Span
    verb: str  # change, add, remove, need


@dataclass(slots=True)
class Record:
    """All writes so far. `removed` maps addresses to who removed them; `broken` are rules that a layer failed on."""

    findings: Findings
    provenance: list[Provenance] = field(default_factory=list)
    below: dict[int, Scalar] = field(default_factory=dict)
    removed: dict[Address, tuple[Over, Span]] = field(default_factory=dict)
    broken: set[tuple[str, str]] = field(default_factory=set)
    _at: dict[Address, list[_Write]] = field(default_factory=dict)
    _below: dict[Address, list[_Write]] = field(default_factory=dict)
    _spots: dict[Address, _Write] = field(default_factory=dict)

    def write(self, over: Over, where: Where, span: Span, verb: str) -> bool:
        """Note a write; False where another layer without an order wrote there, or around or below it."""
        mine = _Write(over, span, verb)
        address = where.counted
        for earlier in self._touching(address):
            if earlier.over is over or over.after_(earlier.over):
                continue
            if earlier.verb == "need" and verb != "remove":
                continue
            if verb == "need" and earlier.verb != "remove":
                continue
            self._clash(earlier, mine, where)
            return False
        self._at.setdefault(address, []).append(mine)
        for end in range(1, len(address)):
            self._below.setdefault(address[:end], []).append(mine)
        if verb == "remove":
            self.removed[where.address] = (over, span)
        elif verb == "add":
            self.removed.pop(where.address, None)
        return True

    def _touching(self, address: Address) -> Iterator[_Write]:
        for end in range(1, len(address) + 1):
            yield from self._at.get(address[:end], ())
        yield from self._below.get(address, ())

    def _clash(self, earlier: _Write, mine: _Write, where: Where) -> None:
        self.fail(
            "H717",
            f"`{earlier.over.id}` and `{mine.over.id}` both say what becomes of {where.name}, "
            "and neither comes after the other",
            mine.span,
            where,
            notes=(Note(earlier.span, f"`{earlier.over.id}` says it here"),),
            hint=f"take one of the two out, or let one win: after: {earlier.over.id} in {mine.over.id}",
        )

    def spot(self, over: Over, where: Where, side: str, anchor: str, span: Span) -> bool:
        """Note that a layer places something at a spot of a list; False where another did, without an order."""
        address = (*where.counted, side, anchor)
        mine = _Write(over, span, "add")
        earlier = self._spots.setdefault(address, mine)
        if earlier.over is over or over.after_(earlier.over):
            self._spots[address] = mine
            return True
        place = f"{side} {anchor.rpartition('/')[2]} in" if anchor else "at the end of"
        self.fail(
            "H718",
            f"`{earlier.over.id}` and `{over.id}` both place something {place} {where.name}, "
            "and which comes first is not said",
            span,
            where,
            notes=(Note(earlier.span, f"`{earlier.over.id}` places it here"),),
            hint=f"write after: {earlier.over.id} in the header of {over.id}, or place one of them elsewhere",
        )
        return False

    def fail(
        self,
        code: str,
        message: str,
        span: Span,
        where: Where | None = None,
        *,
        notes: tuple[Note, ...] = (),
        hint: str | None = None,
    ) -> None:
        """A finding about a write; the rule it was for is passed over by later stages."""
        if where is not None:
            self.broken.add((where.kind, where.rule_id))
        self.findings.add(code, message, span, notes=notes, hint=hint)

    def tell(
        self,
        over: Over,
        where: Where,
        span: Span,
        before: str | None,
        after: str | None,
        before_node: Node | None = None,
    ) -> None:
        """Record one value that a layer set."""
        before_span = None if before_node is None else before_node.span
        if isinstance(before_node, Scalar):
            self.below[len(self.provenance)] = before_node
        self.provenance.append(Provenance(where.address, over.id, span, before, after, before_span, where.why))
