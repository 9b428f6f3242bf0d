"""Shape: does every rule have the fields its kind has, and of the right sort?

In: the collected trees, families written out. Out: findings, and the (kind, id) of every rule that later stages must
leave alone. Our own code picks the branch wherever a schema has several: by kind, by a step's verb, by what a
modifier changes, by the form of a table's rows; so no message ever says that something fits none of several shapes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from ..decoding.words import is_name
from ..diagnostics import Findings, Note
from ..nearest import did_you_mean, suggest
from ..reading.gather import Collected
from ..reading.scalars import plain
from ..sifting.lost import words_below
from ..source import Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .families import FIELD, MARK
from .fits import compiled, fits
from .schemas import RESERVED, Schema, definition, document, names, reference_of, resolve
from .words import name_of, tell, unknown_key, wrong_type

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

HEADER = ("system", "system")
HOUSE = ("house_rules", "house_rules")
MOST_NOTES = 3


def check(collected: Collected, findings: Findings) -> set[tuple[str, str]]:
    """Check every rule and the headers; returns those that do not fit."""
    broken: set[tuple[str, str]] = set()
    for (kind, name), header in ((HEADER, collected.header), (HOUSE, collected.house)):
        reference = f"{kind}.json"
        if header is not None and not fits(reference)(plain(header)):
            broken.add((kind, name))
            _Misfit(findings).judge(header, definition(reference), header.span)
    for kind, entries in collected.kinds.items():
        for rule_id, entry in entries.items():
            if not fits_rule(kind, rule_id, entry, findings):
                broken.add((kind, rule_id))
    return broken


def fits_rule(kind: str, rule_id: str, entry: Entry, findings: Findings) -> bool:
    """Check one rule; findings say what does not fit."""
    if _meant_for_all(kind, entry, findings):
        return False
    reference = reference_of(kind, rule_id)
    node, whole = entry.value, True
    if kind == "tables" and isinstance(node, Mapping):
        closed = _known_columns(node, findings)
        whole, node = closed is node, closed
    if fits(reference)(plain(node)):
        unwritten = node.entry(FIELD) if isinstance(node, Mapping) else None
        if unwritten is not None and MARK not in rule_id:  # such an id has been told by `families.py`
            _no_members(unwritten, findings)
        return whole and unwritten is None
    _Misfit(findings).judge(node, definition(reference), entry.key.span)
    return False


def _no_members(family: Entry, findings: Findings) -> None:
    """A family with members that no name can have, though the schema lets them pass."""
    items = family.value.items if isinstance(family.value, Sequence) else (family.value,)
    strange = [item for item in items if not (isinstance(item, Scalar) and is_name(item.text))]
    for item in strange or [family.value]:
        said = "a member of a family has a name of letters, digits and underscores, with no digit in front"
        findings.add("S205", said, item.span, hint="each member once, as in for_each: [left, right]")


def _meant_for_all(kind: str, entry: Entry, findings: Findings) -> bool:
    """`symblos:` among dice: what stands beside the rules of a kind, misspelt, is no rule with fields of its own."""
    shared = [key for of, key in RESERVED if of == kind and key != entry.key.text]
    if not shared or not suggest(entry.key.text, shared) or not isinstance(entry.value, Mapping):
        return False
    fields = definition(f"{kind}.json")["properties"]
    if not entry.value.entries or any(item.key.text in fields for item in entry.value):
        return False
    said = f"`{entry.key.text}` is no id that stands among {kind} and holds others"
    findings.add("S226", said, entry.key.span, hint=did_you_mean(entry.key.text, shared))
    return True


# --- tables: rows are open to the table's own columns ------------------------------------------------------------


def row_fields() -> Schema:
    """The fields that any row may have."""
    fields: Schema = definition("parts.json#/$defs/row_fields")["properties"]
    return fields


def by_two(table: Mapping) -> bool:
    """Whether rows hold a cell for each second key."""
    by = table.get("by")
    return (isinstance(by, Sequence) and len(by.items) == 2) or (isinstance(by, Mapping) and len(by.entries) == 2)


def columns_of(table: Mapping) -> list[str]:
    """The columns that rows may give values for."""
    columns = table.get("columns")
    names = [entry.key.text for entry in columns] if isinstance(columns, Mapping) else []
    return [*names, "value"] if table.get("value") is not None else names


def _known_columns(table: Mapping, findings: Findings) -> Mapping:
    """The table without cells of columns that it does not declare; each of those is a finding."""
    rows = table.get("rows")
    if not isinstance(rows, Mapping) or by_two(table):
        return table
    fields, columns = row_fields(), columns_of(table)
    excused = words_below(table, definition("tables.json")["properties"])
    strange: dict[str, list[tuple[Scalar, set[str]]]] = {}
    kept: list[Entry] = []
    changed = False
    for row in rows:
        if not isinstance(row.value, Mapping):
            kept.append(row)
            continue
        unknown = [
            entry
            for entry in row.value
            if entry.key.text not in fields and entry.key.text not in columns and not entry.key.text.startswith("x-")
        ]
        for entry in unknown:
            if entry.key.text not in excused:
                strange.setdefault(entry.key.text, []).append((entry.key, {each.key.text for each in row.value}))
        if unknown:
            changed = True
            left = tuple(entry for entry in row.value if entry not in unknown)
            row = Entry(row.key, Mapping(row.value.span, left))
        kept.append(row)
    for told in strange.values():
        _unknown_column(told, columns, findings)
    if not changed:
        return table
    closed = Mapping(rows.span, tuple(kept))
    return Mapping(
        table.span, tuple(Entry(entry.key, closed) if entry.value is rows else entry for entry in table.entries)
    )


def _unknown_column(told: list[tuple[Scalar, set[str]]], columns: list[str], findings: Findings) -> None:
    """A column that one or more rows have and the table does not declare: one finding, however many rows there are."""
    key, taken = told[0]
    free = [name for name in [*columns, *row_fields()] if name not in taken]
    notes = tuple(Note(again.span, f"`{again.text}` stands here too") for again, _ in told[1:MOST_NOTES])
    if len(told) > MOST_NOTES:
        notes = (*notes, Note(told[MOST_NOTES][0].span, f"and in {len(told) - MOST_NOTES} more rows, from here on"))
    findings.add(
        "S206",
        f"`{key.text}` is neither a field of a row nor a column of this table",
        key.span,
        notes=notes,
        hint=did_you_mean(key.text, free) or f"a column is declared with the table: columns: {{{key.text}: text}}",
    )


# --- what does not fit, and where --------------------------------------------------------------------------------


class _Misfit:
    """Walks one rule that does not fit along its schema, and asks jsonschema about each part between two branches."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def judge(self, node: Node, schema: Schema, at: Span) -> None:
        """All findings about a node and what is below it; `at` is where a missing field is told."""
        schema = resolve(schema)
        if "anyOf" in schema:
            branch = self.pick(node, schema)
            if branch is not None:
                self.judge(node, branch, at)
            return
        data: Any = plain(node)
        if _quick(schema)(data):
            return
        errors = sorted(validator(schema).iter_errors(data), key=_written)
        told: set[tuple[Any, ...]] = set()
        suggested: dict[tuple[Any, ...], set[str]] = {}
        over = {tuple(error.absolute_path) for error in errors if error.validator in ("maxItems", "maxProperties")}
        for error in errors:
            path = tuple(error.absolute_path)
            if any(path[: len(full)] == full and path != full for full in over):
                continue  # of what is too many nobody knows which one is wrong
            mark = (path, error.validator, str(error.instance) if "propertyNames" in error.relative_schema_path else "")
            if mark in told:
                continue
            told.add(mark)
            place, key = locate(node, path)
            tell(error, place, key or _edge(place, at, path), self.findings, suggested.setdefault(path, set()))
        self.descend(node, schema)

    def descend(self, node: Node, schema: Schema) -> None:
        """Look below a node for places where the schema branches."""
        for child, below, at in children(node, schema):
            resolved = resolve(below)
            if "anyOf" in resolved:
                if not _quick(resolved)(plain(child)):
                    self.judge(child, resolved, at)
            else:
                self.descend(child, resolved)

    def pick(self, node: Node, schema: Schema) -> Schema | None:
        """The branch a node is meant to be: by its sort, then by the key that tells."""
        options = [resolve(option) for option in schema["anyOf"]]
        wanted = [option for option in options if _takes(option, node)]
        if not wanted:
            wrong_type(node, schema, self.findings)
            return None
        if len(wanted) == 1 or not isinstance(node, Mapping):
            return wanted[0]
        return self.pick_by_key(node, schema, wanted)

    def pick_by_key(self, node: Mapping, schema: Schema, options: list[Schema]) -> Schema | None:
        verbs = {option["required"][0]: option for option in options}
        present = [entry for entry in node if entry.key.text in verbs]
        if len(present) > 1:
            present = [entry for entry in present if entry.key.text != "when"]
        known = {field for option in options for field in option["properties"]}
        strange = [entry.key for entry in node if entry.key.text not in known and not entry.key.text.startswith("x-")]
        if [entry.key.text for entry in present] == ["when"] and node.entry("then") is None:
            # A `when` beside another verb guards it: what is missing is that verb, which may be misspelt.
            nearest = {name for key in strange for name in suggest(key.text, [*verbs, "then", "else"])[:1]}
            present = [] if nearest & (set(verbs) - {"when"}) else present
        if len(present) == 1:
            return verbs[present[0].key.text]
        if present:
            first, second = present[0].key, present[1].key
            self.findings.add(
                "S209",
                f"{name_of(schema)} says one thing, and this one has both `{first.text}` and `{second.text}`",
                second.span,
                notes=(Note(first.span, f"`{first.text}` stands here"),),
                hint="make two of it",
            )
            return None
        for key in strange:
            meant = suggest(key.text, verbs)
            if meant:
                unknown_key(key, name_of(schema), dict.fromkeys(verbs, True), set(), self.findings)
                return None
        listed = ", ".join(verbs)
        place = strange[0].span if strange else node.entries[0].key.span if node.entries else node.span
        said = f"no key says what {_this(schema)} is about"
        if strange:
            said = f"`{strange[0].text}` is not a field of {name_of(schema)}, and {said}"
        self.findings.add("S208", said, place, hint=f"one of {listed}")
        return None


def _this(schema: Schema) -> str:
    return "this " + name_of(schema).partition(" ")[2]


@cache
def _pruned() -> Any:
    """All schema files for jsonschema, with branches taken out: those are our own code's to pick."""
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    return Registry().with_resources(
        [(name, DRAFT202012.create_resource(_without_branches(document(name)))) for name in names()]
    )


def _without_branches(schema: Any) -> Any:
    if isinstance(schema, dict):
        if "anyOf" in schema:
            return {}
        return {key: _without_branches(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_without_branches(item) for item in schema]
    return schema


_validators: dict[int, Validator] = {}
_quicks: dict[int, Any] = {}


def validator(schema: Schema) -> Validator:
    """jsonschema's validator for one definition; definitions live as long as the program, so identity is the key."""
    if id(schema) not in _validators:
        from jsonschema import Draft202012Validator

        _validators[id(schema)] = Draft202012Validator(_without_branches(schema), registry=_pruned())
    return _validators[id(schema)]


def _quick(schema: Schema) -> Any:
    if id(schema) not in _quicks:
        _quicks[id(schema)] = compiled(schema)
    return _quicks[id(schema)]


def _written(error: Any) -> tuple[Any, ...]:
    """Unknown keys before missing ones: the first may be the second, misspelt."""
    return (
        [str(part) for part in error.absolute_path],
        error.validator != "additionalProperties",
        list(map(str, error.absolute_schema_path)),
    )


def _edge(node: Node, at: Span, path: tuple[Any, ...]) -> Span:
    """Where a missing field of an item without a key is told: at the item's first key."""
    if not path:
        return at
    return node.entries[0].key.span if isinstance(node, Mapping) and node.entries else node.span


def locate(node: Node, path: tuple[Any, ...]) -> tuple[Node, Span | None]:
    """The node a path of plain data leads to, and its key's place where it has one."""
    key: Span | None = None
    for part in path:
        if isinstance(node, Mapping):
            entry = node.entry(str(part))
            if entry is None:
                return node, key
            node, key = entry.value, entry.key.span
        elif isinstance(node, Sequence):
            node, key = node.items[int(part)], None
    return node, key


def children(node: Node, schema: Schema) -> Iterator[tuple[Node, Schema, Span]]:
    """What is directly below a node that the schema says something about."""
    if isinstance(node, Mapping):
        fields, extra = schema.get("properties", {}), schema.get("additionalProperties")
        for entry in node:
            below = fields.get(entry.key.text)
            if below is None and isinstance(extra, dict) and not entry.key.text.startswith("x-"):
                below = extra
            if below is not None:
                yield entry.value, below, entry.key.span
    elif isinstance(node, Sequence) and "items" in schema:
        for item in node:
            first = item.entries[0].key.span if isinstance(item, Mapping) and item.entries else item.span
            yield item, schema["items"], first


def _takes(schema: Schema, node: Node) -> bool:
    """Whether a branch is for this sort of node at all."""
    if "anyOf" in schema:
        return any(_takes(resolve(option), node) for option in schema["anyOf"])
    kinds = schema.get("type")
    listed = [kinds] if isinstance(kinds, str) else kinds or []
    if isinstance(node, Mapping):
        return "object" in listed
    if isinstance(node, Sequence):
        return "array" in listed
    return "enum" in schema or bool({"string", "number", "integer", "boolean"} & set(listed))
