"""A reader of one mapping's fields, each by the sort of value that stands there.

In: a marked mapping that `shape.py` found in order. Out: pieces of the model. What is absent is None or empty; what
is of another sort than the slot wants cannot come from a checked tree, and is told all the same.
"""

from __future__ import annotations

from ..diagnostics import Note
from ..model import Formula, Named, Ref, Spec, Template
from ..nearest import did_you_mean
from ..reading.scalars import truth
from ..source import Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .reading import Reading
from .words import check_name, formula_at, is_name, is_number, parse_moment, parse_ref, parse_template

NUMBERS = frozenset({"int", "fraction"})
NAMING = frozenset({"stat", "track", "condition", "trait"})
TYPES = frozenset({"int", "fraction", "bool", "text", "choice"}) | NAMING


class Fields:
    """One mapping; `at` is where something about the whole of it is told, `what` its name in messages."""

    __slots__ = ("at", "entries", "node", "reading", "what")

    def __init__(self, reading: Reading, node: Node, at: Span, what: str) -> None:
        self.reading = reading
        self.node = node
        self.at = at
        self.what = what
        self.entries: dict[str, Entry] = {entry.key.text: entry for entry in node} if isinstance(node, Mapping) else {}

    # --- plain access ---

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def node_of(self, key: str) -> Node | None:
        entry = self.entries.get(key)
        return None if entry is None else entry.value

    def key_span(self, key: str) -> Span:
        entry = self.entries.get(key)
        return self.at if entry is None else entry.key.span

    def scalar(self, key: str) -> Scalar | None:
        node = self.node_of(key)
        if node is None:
            return None
        if not isinstance(node, Scalar):
            self.unexpected(node, "one value")
            return None
        return node

    def unexpected(self, node: Node, wanted: str) -> None:
        self.reading.error("S203", f"{wanted} is wanted here", node.span)

    def missing(self, key: str, hint: str | None = None) -> None:
        self.reading.error("S202", f"{self.what} needs `{key}`", self.at, hint=hint)

    def exclude(self, first: str, second: str, why: str) -> bool:
        """Tell of two fields that cannot stand together; true where both stand."""
        if first not in self.entries or second not in self.entries:
            return False
        self.reading.error(
            "S214",
            f"`{second}` and `{first}` cannot stand together: {why}",
            self.key_span(second),
            notes=(Note(self.key_span(first), f"`{first}` stands here"),),
            hint=f"keep one of them, `{first}` or `{second}`",
        )
        return True

    # --- values ---

    def formula(self, key: str) -> Formula | None:
        scalar = self.scalar(key)
        return None if scalar is None else formula(scalar, self.reading)

    def text(self, key: str) -> str | None:
        scalar = self.scalar(key)
        return None if scalar is None else scalar.text.strip()

    def template(self, key: str) -> Template | None:
        scalar = self.scalar(key)
        return None if scalar is None else parse_template(scalar, self.reading)

    def word(self, key: str) -> str | None:
        """A name of something declared elsewhere."""
        return self.text(key)

    def name(self, key: str) -> str | None:
        """A name that is made here."""
        scalar = self.scalar(key)
        return None if scalar is None else check_name(scalar, self.reading)

    def truth(self, key: str) -> bool | None:
        scalar = self.scalar(key)
        if scalar is None:
            return None
        value = truth(scalar)
        if value is None:
            self.unexpected(scalar, "yes or no")
        return value

    def moment(self, key: str) -> str | None:
        scalar = self.scalar(key)
        return None if scalar is None else parse_moment(scalar, self.reading)

    def ref(self, key: str) -> Ref | None:
        scalar = self.scalar(key)
        return None if scalar is None else parse_ref(scalar, self.reading)

    # --- several values ---

    def items(self, key: str) -> tuple[Node, ...]:
        """The items of a list; a single value counts as a list of one."""
        node = self.node_of(key)
        if node is None:
            return ()
        return node.items if isinstance(node, Sequence) else (node,)

    def pairs(self, key: str) -> tuple[Entry, ...]:
        """The entries of a mapping, without private keys."""
        node = self.node_of(key)
        if node is None:
            return ()
        if not isinstance(node, Mapping):
            self.unexpected(node, "a group of `key: value` lines")
            return ()
        return tuple(entry for entry in node if not entry.key.text.startswith("x-"))

    def scalars(self, key: str) -> tuple[Scalar, ...]:
        found: list[Scalar] = []
        for item in self.items(key):
            if isinstance(item, Scalar):
                found.append(item)
            else:
                self.unexpected(item, "a word")
        return tuple(found)

    def words(self, key: str) -> tuple[str, ...]:
        return tuple(scalar.text.strip() for scalar in self.scalars(key))

    def refs(self, key: str) -> tuple[Ref, ...]:
        return tuple(ref for scalar in self.scalars(key) if (ref := parse_ref(scalar, self.reading)))

    def named(self, key: str, *, own: bool = False) -> tuple[Named, ...]:
        """`{name: formula}`; `own` names are made here and must be fit for formulas."""
        made: list[Named] = []
        for entry in self.pairs(key):
            if own:
                check_name(entry.key, self.reading)
            if not isinstance(entry.value, Scalar):
                self.unexpected(entry.value, "a formula")
                continue
            value = formula(entry.value, self.reading)
            if value is not None:
                made.append(Named(entry.key.text, value, entry.key.span))
        return tuple(made)

    def specs(self, key: str) -> tuple[Spec, ...]:
        return tuple(
            made for entry in self.pairs(key) if (made := spec(entry.key, entry.value, self.reading)) is not None
        )

    def roles(self, key: str = "roles") -> tuple[tuple[str, str], ...]:
        """`[a, b]`, or `{a: kind of sheet}`."""
        node = self.node_of(key)
        if not isinstance(node, Mapping):
            return tuple((check_name(scalar, self.reading, "a role"), "") for scalar in self.scalars(key))
        made: list[tuple[str, str]] = []
        for entry in self.pairs(key):
            sheet = entry.value.text if isinstance(entry.value, Scalar) else ""
            made.append((check_name(entry.key, self.reading, "a role"), sheet))
        return tuple(made)


def formula(scalar: Scalar, reading: Reading) -> Formula | None:
    """A formula slot's scalar; an empty one is a finding."""
    if not scalar.text.strip():
        reading.error("S203", "a formula is wanted here, and there is nothing", scalar.span)
        return None
    return formula_at(scalar, 0, len(scalar.text))


# --- what a value may be -----------------------------------------------------------------------------------------


def spec(key: Scalar, node: Node, reading: Reading) -> Spec | None:
    """`name: int`, `name: [near, far]`, `name: {type: int, min: 0}`."""
    name = check_name(key, reading)
    match node:
        case Scalar():
            if node.text == "choice":
                reading.error("S202", "a choice needs `of`", node.span, hint=f"write {name}: [near, far]")
                return None
            if node.text not in TYPES:
                reading.error("S204", f"`{node.text}` is not known here: a type such as int is wanted", node.span)
                return None
            return Spec(name, key.span, node.text)
        case Sequence():
            return Spec(name, key.span, "choice", _choices(node.items, reading))
        case Mapping():
            return spec_of(Fields(reading, node, key.span, f"`{name}`"), name, key.span)


def spec_of(take: Fields, name: str, span: Span, *, switch: bool = False) -> Spec | None:
    """A spec from the fields of a mapping; `switch` for options, where a bare default is a yes or no."""
    kind = take.word("type") or _guess_type(take)
    if kind is None:
        default = take.node_of("default")
        if switch and isinstance(default, Scalar):
            near = did_you_mean(default.text.lower(), ["on", "off", "yes", "no", "true", "false"])
            said = f'on or off is wanted here, and this is "{default.text}"'
            take.reading.error("S203", said, default.span, hint=near or "for a choice or a text say its `type` as well")
        elif switch:
            take.missing("default", "default: off, or a number with its `type`")
        else:
            take.missing("type", "type: int, fraction, bool, text or choice")
        return None
    if "of" in take and kind in (NUMBERS | {"bool", "text"}):
        _excluded(take, "of", f"a value of type {kind} has no list of choices", "type: choice")
    if kind == "choice" and "of" not in take:
        take.missing("of", "of: [near, far]")
    for limit in ("min", "max"):
        if limit in take and kind not in NUMBERS:
            _excluded(take, limit, f"a value of type {kind} has no limits", None)
    return Spec(
        name=name,
        span=span,
        type=kind,
        of=_choices(take.items("of"), take.reading) if kind == "choice" else take.words("of"),
        min=take.formula("min"),
        max=take.formula("max"),
        default=_default(take, kind),
        title=take.text("title"),
        text=take.template("text"),
        unit=take.text("unit"),
        by=take.word("by"),
    )


def _guess_type(take: Fields) -> str | None:
    """The type where the other fields leave no doubt."""
    default = take.node_of("default")
    if "of" in take:
        return "choice"
    if default is not None and truth(default) is not None:
        return "bool"
    if "min" in take or "max" in take or (isinstance(default, Scalar) and is_number(default)):
        decimal = isinstance(default, Scalar) and "." in default.text
        return None if decimal else "int"
    return None


def _default(take: Fields, kind: str) -> Formula | None:
    """The default; a yes or no in the words that formulas know."""
    scalar = take.scalar("default")
    if kind == "bool" and scalar is not None and (value := truth(scalar)) is not None:
        return Formula("true" if value else "false", scalar)
    return take.formula("default")


def _excluded(take: Fields, key: str, why: str, hint: str | None) -> None:
    take.reading.error("S214", f"`{key}` does not go here: {why}", take.key_span(key), hint=hint)


def _text(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _choices(items: tuple[Node, ...], reading: Reading) -> tuple[str, ...]:
    found: dict[str, Scalar] = {}
    if len(items) > 1 and all(isinstance(item, Scalar) and is_number(item) for item in items):
        said = f"choices are words, and `{', '.join(_text(item) for item in items[:4])}` are numbers"
        hint = "declare a number, `type: int` with `min` and `max`; or make words of them, as in d6"
        span = Span(items[0].span.source, items[0].span.start, items[-1].span.end)
        reading.error("S205", said, span, hint=hint)
        return ()
    for item in items:
        if not isinstance(item, Scalar):
            continue
        if not is_name(item.text) or item.text in found:
            twice = item.text in found
            what = "stands twice among the choices" if twice else "is no single word, as a choice must be"
            cure = None if twice else "use letters, digits and underscores, no digit in front"
            reading.error("S213" if twice else "S205", f"`{item.text}` {what}", item.span, hint=cure)
            continue
        found[item.text] = item
    return tuple(found)
