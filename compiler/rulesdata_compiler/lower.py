"""The checked model, turned into the artifact's body: plain data, formulas as code, nothing else.

In: a System whose formulas are all bound. Out: the body that `emit.py` seals. The layout mirrors the model: a
dataclass becomes an object with the fields that differ from their defaults, a formula becomes its code
(rulesdata_runtime/nodes.py), prose becomes texts and codes in turn. The one rule: no field is lost on the way, so
a new field of the model reaches the artifact without a line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from fractions import Fraction
from typing import Any

from rulesdata_runtime.artifact import FORMAT, VERSION

from . import model
from .binding.bind import Bindings
from .binding.values import Numbers
from .reading import scalars
from .source import Span
from .tree import Mapping as TreeMapping
from .tree import Scalar, Sequence

KIND_OF = {cls: kind for kind, cls in model.KINDS.items()}
STEP_NAMES: dict[type, str] = {
    model.Let: "let",
    model.Change: "change",
    model.Apply: "apply",
    model.Remove: "remove",
    model.RollStep: "roll",
    model.RollOn: "roll_on",
    model.SpendStep: "spend",
    model.Run: "run",
    model.When: "when",
    model.Repeat: "repeat",
    model.EachTrait: "each_trait",
    model.Choose: "choose",
    model.Ask: "ask",
    model.Say: "say",
    model.Stop: "stop",
    model.Event: "event",
}
RENAMED = {"otherwise": "else"}
LEFT_OUT = frozenset({"span", "at_span", "examples"})
# A row's place is kept in the rule's own, and steps say theirs: with these the runtime can point at the YAML.
PLACED = (model.Rule, model.StepBase, model.Row, model.Slot)


def lower(system: model.System, bindings: Bindings) -> dict[str, Any]:
    """The artifact's body of a whole system; rules with an unbound formula must have been refused before."""
    lowering = _Lowering(bindings)
    header = lowering.record(system.header)
    body: dict[str, Any] = {
        "format": FORMAT,
        "version": list(VERSION),
        "system": header,
        "layers": list(system.layers),
        "files": list(system.files),
        "symbols": {symbol.id: lowering.record(symbol) for symbol in system.symbols},
        "slots": {slot.id: lowering.record(slot) for slot in system.slots},
        "order": list(bindings.order),
        "provenance": [lowering.record(item) for item in system.provenance],
        "rules": {},
    }
    for rule_id, rule in sorted(system.rules.items()):
        body["rules"][rule_id] = lowering.rule(rule)
    return body


def place(span: Span) -> list[Any]:
    """File, line and column of a span, as the artifact writes them."""
    line, column = span.source.position(span.start)
    return [span.source.name, line, column]


def plain_number(value: int | Fraction) -> Any:
    """A whole number as it stands, a fraction as `["frac", n, d]`."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else ["frac", value.numerator, value.denominator]
    return value


class _Lowering:
    """Turns model objects into plain data; holds nothing but the bindings."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings

    def rule(self, rule: model.AnyRule) -> dict[str, Any]:
        record = self.record(rule)
        record["kind"] = KIND_OF[type(rule)]
        said = dict(_said(rule))
        if said:
            record["said"] = said
        bounds = self.bounds(rule)
        if bounds:
            record["bounds"] = bounds
        if rule.examples:
            record["examples"] = [_example(example) for example in rule.examples]
        return record

    def bounds(self, rule: model.AnyRule) -> dict[str, Any]:
        """The range of each direct formula, without modifiers: what the reference shows."""
        found: dict[str, Any] = {}
        for item in fields(rule):
            value = getattr(rule, item.name)
            if isinstance(value, model.Formula) and value in self.bindings.of:
                shown = self.bindings.of[value].shown
                if isinstance(shown, Numbers):
                    found[item.name] = [None if end is None else plain_number(end) for end in (shown.low, shown.high)]
        return found

    def record(self, value: Any) -> dict[str, Any]:
        """A dataclass as an object of the fields that differ from their defaults."""
        record: dict[str, Any] = {}
        if isinstance(value, model.StepBase):
            record["step"] = STEP_NAMES[type(value)]
        if isinstance(value, PLACED):
            record["at" if not isinstance(value, model.Row) else "place"] = place(value.span)
        for item in fields(value):
            held = getattr(value, item.name)
            if item.name in LEFT_OUT and not (held is not None and isinstance(value, model.Provenance)):
                continue
            if not _is_default(item, held):
                record[_key(item.name)] = self.data(held)
        return record

    def data(self, value: Any) -> Any:
        """Any value of the model as plain data."""
        match value:
            case None | bool() | int() | str():
                return value
            case Fraction():
                return plain_number(value)
            case model.Formula():
                return self.bindings.of[value].code
            case model.Template():
                return self.template(value)
            case model.Named():
                return [value.name, self.bindings.of[value.formula].code]
            case model.Interval():
                return [value.low, value.high]
            case Span():
                return place(value)
            case Scalar() | TreeMapping() | Sequence():
                return scalars.plain(value)
            case tuple() | list():
                return [self.data(item) for item in value if not isinstance(item, Span)]
            case Mapping():
                return {str(key): self.data(item) for key, item in value.items()}
        if is_dataclass(value):
            return self.record(value)
        raise TypeError(f"no plain form for {type(value).__name__}")

    def template(self, value: model.Template) -> list[Any]:
        return [
            part if isinstance(part, str) else {"code": self.bindings.of[part].code, "said": part.text}
            for part in value.parts
        ]


def _key(name: str) -> str:
    return RENAMED.get(name, name.rstrip("_"))


def _is_default(item: Field[Any], held: Any) -> bool:
    """Whether a field still has its default; required fields never do."""
    return item.default is not MISSING and held == item.default and type(held) is type(item.default)


def _said(rule: model.AnyRule) -> list[tuple[str, str]]:
    """The formulas of a rule as their author wrote them, by field; for people, never evaluated."""
    said: list[tuple[str, str]] = []
    for item in fields(rule):
        value = getattr(rule, item.name)
        if isinstance(value, model.Formula):
            said.append((_key(item.name), value.text))
        elif isinstance(value, tuple) and value and all(isinstance(part, model.Named) for part in value):
            said.extend((f"{_key(item.name)}.{part.name}", part.formula.text) for part in value)
    return said


def _example(example: model.Example) -> dict[str, Any]:
    """A worked example as plain data; `at` is its place."""
    record: dict[str, Any] = {"at": place(example.span)}
    if example.title:
        record["title"] = example.title
    for key, pairs in (
        ("given", example.given),
        ("with", example.with_),
        ("choices", example.choices),
        ("expect", example.expect),
        ("cells", example.cells),
    ):
        if pairs:
            record[key] = {name: example_value(value) for name, value in pairs}
    if example.dice:
        record["dice"] = list(example.dice)
    if example.play:
        record["play"] = [_move(move) for move in example.play]
    if example.expect_error is not None:
        record["expect_error"] = example.expect_error
    if example.changed:
        record["changed"] = True
    return record


def _move(move: model.Move) -> dict[str, Any]:
    record: dict[str, Any] = {move.verb: move.name}
    if move.count != 1:
        record["count"] = move.count
    for key, pairs in (("with", move.with_), ("choices", move.choices)):
        if pairs:
            record[key] = {name: example_value(value) for name, value in pairs}
    return record


def example_value(value: Any) -> Any:
    """A raw value of an example as plain data: numbers exact (fractions as text `7/2`), the rest as it stands."""
    match value:
        case Fraction():
            return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
        case Scalar() | TreeMapping() | Sequence():
            return example_value(scalars.plain(value))
        case dict():
            return {str(key): example_value(item) for key, item in value.items()}
        case list() | tuple():
            return [example_value(item) for item in value]
        case float():
            return example_value(Fraction(str(value)))
    return value
