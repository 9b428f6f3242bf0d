"""Steps: what effects and procedures are made of.

In: a list of marked mappings, each with one key that says what it does. Out: the model's steps, in written order.
Roles and results are names here; what they mean is found later.
"""

from __future__ import annotations

from typing import Any

from ..model import (
    Apply,
    Ask,
    Change,
    Choose,
    ChooseOption,
    EachTrait,
    Event,
    Formula,
    Let,
    Ref,
    Remove,
    Repeat,
    RollOn,
    RollStep,
    Run,
    Say,
    SpendStep,
    Step,
    Stop,
    Template,
    When,
)
from ..tree import Mapping, Node, Scalar
from .fields import Fields, formula, spec
from .reading import Reading
from .words import check_name, parse_ref

CHANGES = ("add", "subtract", "set")
# The order settles a step with several: `when` guards the others.
VERBS = (
    "let",
    *CHANGES,
    "apply",
    "remove",
    "roll",
    "roll_on",
    "spend",
    "run",
    "repeat",
    "each_trait",
    "choose",
    "ask",
    "say",
    "stop",
    "event",
    "when",
)


def steps(take: Fields, key: str) -> tuple[Step, ...]:
    """The steps under a key."""
    made: list[Step] = []
    for item in take.items(key):
        decoded = step(item, take.reading)
        if decoded is not None:
            made.append(decoded)
    return tuple(made)


def step(node: Node, reading: Reading) -> Step | None:
    """One step."""
    if not isinstance(node, Mapping) or not node.entries:
        reading.error("S203", "a step is wanted here", node.span)
        return None
    take = Fields(reading, node, node.entries[0].key.span, "a step")
    verb = next((verb for verb in VERBS if verb in take), None)
    if verb is None:
        reading.error("S208", "this step does not say what it does", take.at, hint=f"one of {', '.join(VERBS)}")
        return None
    take.what = f"a `{verb}` step"
    placed_only_in_house_rules(take)
    # The step's place is its verb's key: that is what a log or an error points at.
    base: dict[str, Any] = {
        "span": take.key_span(verb),
        "id": take.name("id"),
        "when": take.formula("when"),
        "to": take.word("to"),
    }
    return _acting(verb, take, base) or _telling(verb, take, base)


def placed_only_in_house_rules(take: Fields) -> None:
    """`before` and `behind` are gone once house rules are merged; what is left stands in a base system."""
    for word in ("before", "behind"):
        if word in take:
            take.reading.error(
                "S215",
                f"`{word}` places an item that house rules add, and this one stands in the system itself",
                take.key_span(word),
                hint="move the item to its place and take the line out",
            )


def _acting(verb: str, take: Fields, base: dict[str, Any]) -> Step | None:
    """Steps that change something or call another rule."""
    match verb:
        case "let":
            return Let(**base, names=take.named("let", own=True))
        case "add" | "subtract" | "set":
            return Change(**base, verb=verb, tracks=_amounts(take, verb))
        case "apply":
            take.exclude("for", "until", "each of them says how long it lasts")
            ref = take.ref("apply")
            return (
                None
                if ref is None
                else Apply(
                    **base,
                    ref=ref,
                    for_=take.formula("for"),
                    level=take.formula("level"),
                    with_=take.named("with"),
                    until=take.moment("until"),
                )
            )
        case "remove":
            return _remove(take, base)
        case "roll":
            ref = take.ref("roll")
            return (
                None
                if ref is None
                else RollStep(
                    **base,
                    ref=ref,
                    with_=take.named("with"),
                    tags=take.words("tags"),
                    by=take.word("by"),
                    against=take.word("against"),
                    as_=take.name("as"),
                )
            )
        case "roll_on":
            ref = take.ref("roll_on")
            return (
                None
                if ref is None
                else RollOn(
                    **base,
                    ref=ref,
                    with_=take.named("with"),
                    plus=take.formula("plus"),
                    as_=take.name("as"),
                    at_most=take.formula("at_most"),
                )
            )
        case "spend":
            return SpendStep(
                **base,
                context=take.word("spend") or "",
                of=take.word("of"),
                with_=take.named("with"),
                by=take.word("by"),
            )
        case "run":
            ref = take.ref("run")
            return (
                None
                if ref is None
                else Run(
                    **base,
                    ref=ref,
                    with_=take.named("with"),
                    as_=take.name("as"),
                    roles=_passed_roles(take),
                    at_most=take.formula("at_most"),
                )
            )
        case "event":
            return Event(**base, event=take.word("event") or "")
    return None


def _telling(verb: str, take: Fields, base: dict[str, Any]) -> Step | None:
    """Steps that hold further steps, ask the table or write to the log."""
    match verb:
        case "repeat":
            times = take.formula("repeat")
            return None if times is None else Repeat(**base, times=times, do=steps(take, "do"))
        case "each_trait":
            return EachTrait(**base, tag=take.word("each_trait") or "", do=steps(take, "do"))
        case "choose":
            return _choose(take, base)
        case "ask":
            asked = (spec(entry.key, entry.value, take.reading) for entry in take.pairs("ask"))
            return Ask(**base, specs=tuple(one for one in asked if one is not None))
        case "say":
            return Say(**base, text=_prose(take, "say"))
        case "stop":
            return Stop(**base, text=_prose(take, "stop"))
        case "when":
            return When(**base, then=steps(take, "then"), otherwise=steps(take, "else"))
    return None


def _prose(take: Fields, key: str) -> Template:
    return take.template(key) or Template((), take.key_span(key))


def _amounts(take: Fields, key: str) -> tuple[tuple[Ref, Formula], ...]:
    made: list[tuple[Ref, Formula]] = []
    for entry in take.pairs(key):
        ref = parse_ref(entry.key, take.reading)
        value = formula(entry.value, take.reading) if isinstance(entry.value, Scalar) else None
        if ref is not None and value is not None:
            made.append((ref, value))
    return tuple(made)


def _remove(take: Fields, base: dict[str, Any]) -> Step | None:
    """`remove: condition`, `remove: {condition: levels}`."""
    if not isinstance(take.node_of("remove"), Mapping):
        ref = take.ref("remove")
        return None if ref is None else Remove(**base, ref=ref, level=take.formula("level"), with_=take.named("with"))
    take.exclude("remove", "level", "the number of levels stands beside the condition")
    amounts = _amounts(take, "remove")
    if not amounts:
        return None
    ref, level = amounts[0]
    return Remove(**base, ref=ref, level=level, with_=take.named("with"))


def _passed_roles(take: Fields) -> tuple[tuple[str, str], ...]:
    """`roles: {role there: role here}`."""
    return tuple((entry.key.text, entry.value.text) for entry in take.pairs("roles") if isinstance(entry.value, Scalar))


def _choose(take: Fields, base: dict[str, Any]) -> Step | None:
    node = take.node_of("choose")
    if node is None:
        return None
    inner = Fields(take.reading, node, take.key_span("choose"), "a choice")
    name = inner.name("id")
    if name is None:
        inner.missing("id", "id: the name under which it is answered")
        return None
    options: list[ChooseOption] = []
    for entry in inner.pairs("options"):
        option = Fields(take.reading, entry.value, entry.key.span, "an option")
        placed_only_in_house_rules(option)
        options.append(
            ChooseOption(
                id=check_name(entry.key, take.reading, "the name of an option"),
                span=entry.key.span,
                title=option.text("title"),
                when=option.formula("when"),
                text=option.template("text"),
                steps=steps(option, "steps"),
            )
        )
    return Choose(**base, name=name, by=inner.word("by"), title=inner.text("title"), options=tuple(options))
