"""What lasts: modifiers, what is forbidden, what recurs, what ends it; conditions, traits and environments.

In: the fields of a rule. Out: the model's parts in written order. Where books are silent (how two of a condition
stack, when it ends), this file asks: the answer must stand in the YAML.
"""

from __future__ import annotations

from typing import Any

from ..model import Each, End, Forbid, Level, Modifier, Named, Ref, Requirement, Reset, Track
from ..source import Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .fields import Fields, formula
from .reading import Reading
from .steps import placed_only_in_house_rules, steps
from .words import check_name, parse_ref, parse_template

TARGETS = ("value", "track_max", "slot", "roll", "against")
VERBS = ("set", "add", "multiply", "upgrade", "downgrade")


def modifiers(take: Fields) -> tuple[Modifier, ...]:
    made: list[Modifier] = []
    for item in take.items("modifiers"):
        if isinstance(item, Mapping) and item.entries:
            decoded = modifier(item, take.reading)
            if decoded is not None:
                made.append(decoded)
    return tuple(made)


def modifier(node: Mapping, reading: Reading) -> Modifier | None:
    """`{value: x, add: 1}`, `{roll: [tags], add: {die: 1}}` and the like."""
    take = Fields(reading, node, node.entries[0].key.span, "a modifier")
    target = next((word for word in TARGETS if word in take), None)
    if target is None:
        reading.error("S208", "this modifier does not say what it changes", take.at, hint=f"one of {TARGETS}")
        return None
    placed_only_in_house_rules(take)
    forbid = take.truth("forbid") or False
    if not forbid and not any(verb in take for verb in VERBS):
        reading.error(
            "S216",
            "this modifier changes nothing",
            take.key_span(target),
            hint="say how: set, add, multiply, upgrade, downgrade or forbid",
        )
        return None
    on_rolls = target in {"roll", "against"}
    bare = "value" if on_rolls else "free" if target == "slot" else ""
    ref: Ref | None = None
    if not on_rolls:
        ref = take.ref(target)
        if ref is None:
            return None
    return Modifier(
        target=target,
        span=take.key_span(target),
        ref=ref,
        tags=take.words(target) if on_rolls else (),
        except_=take.words("except"),
        set=_amounts(take, "set", bare),
        add=_amounts(take, "add", bare),
        multiply=_amounts(take, "multiply", bare),
        upgrade=_amounts(take, "upgrade", bare),
        downgrade=_amounts(take, "downgrade", bare),
        forbid=forbid,
        at_least=take.formula("at_least"),
        at_most=take.formula("at_most"),
        round=take.word("round"),
        stack=take.word("stack"),
        when=take.formula("when"),
        id=take.name("id"),
        text=take.template("text"),
    )


def _amounts(take: Fields, key: str, bare: str) -> tuple[Named, ...]:
    """`add: 1` or `add: {die: 1}`."""
    node = take.node_of(key)
    if isinstance(node, Scalar):
        value = formula(node, take.reading)
        return () if value is None else (Named(bare, value, node.span),)
    return take.named(key)


def requirements(take: Fields, key: str = "requires") -> tuple[Requirement, ...]:
    """`requires: formula`, or a list of `{that, else}`."""
    made: list[Requirement] = []
    for item in take.items(key):
        if isinstance(item, Mapping):
            inner = Fields(take.reading, item, item.span, "a requirement")
            placed_only_in_house_rules(inner)
            that, said = inner.formula("that"), inner.scalar("else")
            if that is not None:
                made.append(Requirement(that, None if said is None else parse_template(said, take.reading)))
        elif isinstance(item, Scalar):
            bare = formula(item, take.reading)
            if bare is not None:
                made.append(Requirement(bare))
    return tuple(made)


def forbids(take: Fields) -> tuple[Forbid, ...]:
    """`[slot, action, tag, {lower: condition}]`."""
    made: list[Forbid] = []
    for item in take.items("forbids"):
        if isinstance(item, Scalar):
            made.append(Forbid("name", item.text.strip(), item.span))
        elif isinstance(item, Mapping):
            inner = item.get("lower")
            if isinstance(inner, Scalar):
                made.append(Forbid("lower", inner.text.strip(), inner.span))
    return tuple(made)


def each(take: Fields) -> tuple[Each, ...]:
    """`turn`, `{turn: start}`, or a list of these."""
    made: list[Each] = []
    for item in take.items("each"):
        if isinstance(item, Scalar):
            made.append(Each(item.text.strip(), None, item.span))
        elif isinstance(item, Mapping):
            made += [
                Each(entry.key.text, entry.value.text, entry.key.span)
                for entry in item
                if isinstance(entry.value, Scalar)
            ]
    return tuple(made)


def ends(take: Fields) -> tuple[tuple[End, ...], bool]:
    """What ends it, and whether `never` says that nothing does."""
    made: list[End] = []
    never: Scalar | None = None
    for item in take.items("ends"):
        match item:
            case Scalar(text="never"):
                never = item
            case Scalar():
                made.append(End("event", (item.text.strip(),), item.span))
            case Mapping():
                inner = Fields(take.reading, item, item.span, "an end")
                placed_only_in_house_rules(inner)
                what = "after_roll" if "after_roll" in inner else "any_action_but"
                made.append(End(what, inner.words(what), inner.key_span(what)))
            case Sequence():
                take.unexpected(item, "an event")
    if never is not None and made:
        take.reading.error(
            "S214", "`never` says that nothing ends it, and something else in this list does", never.span
        )
    return tuple(made), never is not None


def levels(take: Fields) -> tuple[Level, ...]:
    """`{1: {title, modifiers, ...}, 2: {...}}`, the lowest first."""
    made: dict[int, Level] = {}
    for entry in take.pairs("levels"):
        number = int(entry.key.text) if entry.key.text.isdecimal() else 0
        if number in made or number < 1:
            said = "stands twice among the levels" if number in made else "is no level: they count from 1"
            take.reading.error("S213" if number in made else "S207", f"{entry.key.text} {said}", entry.key.span)
            continue
        inner = Fields(take.reading, entry.value, entry.key.span, "a level")
        made[number] = Level(
            number=number,
            span=entry.key.span,
            title=inner.text("title"),
            text=inner.template("text"),
            modifiers=modifiers(inner),
            forbids=forbids(inner),
            implies=inner.refs("implies"),
        )
    return tuple(made[number] for number in sorted(made))


def lasting(take: Fields) -> dict[str, Any]:
    """What conditions, traits and environments share."""
    recurring, effect = each(take), steps(take, "effect")
    if effect and not recurring:
        take.reading.error(
            "S202",
            "`effect` is what recurs, and nothing here says when",
            take.key_span("effect"),
            hint="say `each: turn`, or use `entry` for what happens once",
        )
    for word in ("each", "every"):
        if word in take and not ("effect" in take and "each" in take):
            other = "effect" if "effect" not in take else "each"
            if other == "each" and "effect" in take:
                continue  # already told at `effect`
            take.reading.error("S202", f"`{word}` goes with `{other}`, and there is none", take.key_span(word))
            break
    return {
        "params": take.specs("params"),
        "tracks": tuple(own_track(entry, take.reading) for entry in take.pairs("tracks")),
        "modifiers": modifiers(take),
        "forbids": forbids(take),
        "implies": take.refs("implies"),
        "suspends": take.refs("suspends"),
        "each": recurring,
        "every": take.formula("every"),
        "entry": steps(take, "entry"),
        "effect": effect,
    }


# --- tracks ------------------------------------------------------------------------------------------------------


def own_track(entry: Entry, reading: Reading) -> Track:
    """A track of a condition's, trait's or environment's own."""
    name = check_name(entry.key, reading)
    take = Fields(reading, entry.value, entry.key.span, "a track")
    return Track(
        id=name,
        span=entry.key.span,
        title=take.text("title"),
        text=take.template("text"),
        tags=take.words("tags"),
        aliases=take.words("aliases"),
        option=take.formula("option"),
        **track_fields(take),
    )


def track_fields(take: Fields) -> dict[str, Any]:
    """The fields that make a track."""
    over: str | Ref = "lost"
    shrinks = take.word("shrinks") or "clamp"
    node = take.node_of("over")
    if isinstance(node, Scalar) and node.text in {"clamp", "keep"}:
        if not take.exclude("over", "shrinks", "both say what happens when the maximum falls below the value"):
            shrinks = node.text
    elif isinstance(node, Scalar):
        over = node.text
    elif isinstance(node, Mapping):
        target = node.get("to")
        ref = parse_ref(target, take.reading) if isinstance(target, Scalar) else None
        over = ref if ref is not None else over
    return {
        "type": take.word("type") or "int",
        "min": take.formula("min"),
        "max": take.formula("max"),
        "start": take.formula("start"),
        "unit": take.text("unit"),
        "resets": tuple(made for item in take.items("resets") if (made := _reset(item, take)) is not None),
        "over": over,
        "shrinks": shrinks,
        "scope": take.word("scope") or "character",
    }


def _reset(node: Node, take: Fields) -> Reset | None:
    at: Span = node.entries[0].key.span if isinstance(node, Mapping) and node.entries else node.span
    inner = Fields(take.reading, node, at, "a reset")
    placed_only_in_house_rules(inner)
    to = inner.formula("to")
    return None if to is None else Reset(inner.words("each"), to, inner.key_span("each"))
