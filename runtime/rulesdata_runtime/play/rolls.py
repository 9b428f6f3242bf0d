"""Rolls: a random experiment with its parameters, modifiers, dice and results.

In: a play, a roll's id, the one who rolls, parameters, and who it is aimed at. Out: a `Rolled`. The order is fixed:
parameters, modifiers by tags, parameters held in their range, the pool, the value, the results one after another.
A `let` is drawn when it is first read, so dice fall in the order in which they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ..answers_text import say
from ..errors import BadInput, NotAllowed, UnknownName
from ..formulas.pools import Pool
from ..formulas.symbols import build
from ..search import did_you_mean, nearest
from ..state.fitting import fit, wanted
from ..state.modifiers import OnRoll, for_roll, multiplied
from ..state.rulebook import Rule, Rulebook
from ..state.sheet import Sheet
from .bare import whole_rule
from .frame import Frame
from .play import Play, in_force
from .rolled import Rolled


class RollFrame(Frame):
    """The names of a roll. `lazy` are its lets that nothing has read yet."""

    __slots__ = ("lazy",)
    lazy: dict[str, Any]

    def __missing__(self, name: str) -> Any:
        if name in self.lazy:
            value = self[name] = self.run(self.lazy.pop(name))
            return value
        return super().__missing__(name)


def whole_roll(book: Rulebook, roll_id: str) -> Rule:
    """A roll with what it takes from the one it is `like`."""
    rule = book.rule(roll_id, "roll")
    found = whole_rule(book.rules, roll_id)
    if found is None:
        raise BadInput(f"{book.title(roll_id)} is like {rule.get('like')}, which is like it in turn or is no roll")
    return found


def roll(
    play: Play,
    roll_id: str,
    sheet: Sheet,
    given: Mapping[str, Any] | None = None,
    *,
    roles: Mapping[str, Sheet] | None = None,
    against: Sheet | None = None,
    tags: Iterable[str] = (),
    ranged: bool = True,
) -> Rolled:
    """Make a roll. `ranged` refuses parameters out of range; steps give theirs by formula, and those are held."""
    return with_frame(play, roll_id, sheet, given, roles=roles, against=against, tags=tags, ranged=ranged)[0]


def with_frame(
    play: Play,
    roll_id: str,
    sheet: Sheet,
    given: Mapping[str, Any] | None = None,
    *,
    roles: Mapping[str, Sheet] | None = None,
    against: Sheet | None = None,
    tags: Iterable[str] = (),
    ranged: bool = True,
) -> tuple[Rolled, RollFrame]:
    """A roll, and the frame in which more can be asked of it (its place in a ranking)."""
    book = sheet.book
    rule = whole_roll(book, roll_id)
    in_force(book, roll_id, rule)
    title = book.title(roll_id)
    frame = RollFrame(play, sheet, roll_id, roles=roles)
    frame.lazy = {}
    params = _params(frame, rule, given or {}, title, ranged)
    tagged = tags_of(rule, roll_id, tags)
    on_roll = for_roll(sheet, tagged, params, against=against)
    if on_roll.forbidden is not None:
        raise NotAllowed(f"{title}: {on_roll.forbidden}")
    for spec in rule.get("params", ()):
        name = spec["name"]
        frame[name] = params[name] = _held(frame, spec, with_modifiers(on_roll, name, params[name]), title)
    frame.lazy.update(rule.get("let", ()))
    play.tick(roll_id)
    mark = len(play.thrown)
    pool = None
    if "pool" in rule:
        notes: list[str] = []
        pool = frame["pool"] = frame.throw_all(_pool(frame, rule, on_roll, notes))
        for text in notes:
            play.note(roll_id, "pool", f"{title}: {text}", rule.get("at"), sheet)
    total = None
    if "value" in rule:
        total = frame["value"] = with_modifiers(on_roll, "value", value_of(frame.run(rule["value"])))
    results: dict[str, Any] = {}
    for name, code in rule.get("results", ()):
        results[name] = frame[name] = value_of(frame.run(code))
    rolled = Rolled(
        roll_id,
        total,
        tuple(play.thrown[mark:]),
        results,
        params=params,
        counted=on_roll.counted,
        not_counted=on_roll.not_counted,
        pool=pool,
    )
    return rolled, frame


def tags_of(rule: Rule, roll_id: str, more: Iterable[str] = ()) -> tuple[str, ...]:
    """The tags of a roll: its own, those of the step, and its id."""
    return tuple(dict.fromkeys((*rule.get("tags", ()), *more, roll_id)))


def _params(frame: Frame, rule: Rule, given: Mapping[str, Any], title: str, ranged: bool) -> dict[str, Any]:
    specs = rule.get("params", ())
    names = [spec["name"] for spec in specs]
    for name in given:
        if name not in names:
            takes = f"it takes {', '.join(names)}" if names else "it takes none"
            raise UnknownName(f"{title} has no parameter {name}; {takes}.{did_you_mean(nearest(name, names))}")
    params: dict[str, Any] = {}
    for spec in specs:
        name = spec["name"]
        if name in given:
            value = fit(spec, given[name], f"{name} of {title}", frame, ranged=ranged)
        elif "default" in spec:
            value = frame.run(spec["default"])
        else:
            raise BadInput(f"{title} needs {name} ({wanted(spec)})")
        params[name] = frame[name] = value
    return params


def _held(frame: Frame, spec: Rule, value: Any, title: str) -> Any:
    """A parameter after its modifiers, held in its declared range."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return value
    if "min" in spec:
        value = max(value, frame.run(spec["min"]))
    if "max" in spec:
        value = min(value, frame.run(spec["max"]))
    if isinstance(value, Fraction) and spec.get("type", "int") == "int":
        raise BadInput(f"{spec['name']} of {title} comes to {say(value)}; the modifier that multiplies it must round")
    return value


def with_modifiers(on_roll: OnRoll, key: str, value: Any) -> Any:
    """A parameter, or the value of a roll, after the modifiers: set, add, multiply, then the limits that stand beside
    one of these."""
    if not on_roll.counted:
        return value
    keys = ("value", "") if key == "value" else (key,)
    mine = [one for one in on_roll.counted if one.key in keys and one.verb in ("set", "add", "multiply")]
    if not mine:
        return value
    for one in mine:
        if one.verb == "set":
            value = one.amount
    for one in mine:
        if one.verb == "add":
            value = value + one.amount
    value = multiplied(value, [one for one in mine if one.verb == "multiply"], key)
    lines = {(one.source, one.line, one.number) for one in mine}
    beside = [one for one in on_roll.counted if (one.source, one.line, one.number) in lines]
    for verb, pick in (("at_least", max), ("at_most", min)):
        for one in beside:
            if one.verb == verb:
                value = pick(value, one.amount)
    return value


def value_of(value: Any) -> Any:
    """A value as a number, truth or choice: of dice their sum."""
    return value.total if isinstance(value, Pool) else value


def _pool(frame: Frame, rule: Rule, on_roll: OnRoll, notes: list[str]) -> dict[str, int]:
    """How many dice of each kind are thrown; what could not be taken away is told in `notes`."""
    dice = frame.sheet.book.of_kind("die")

    def counts(field: str) -> dict[str, int]:
        found = {name: frame.run(code) for name, code in rule.get(field, ())}
        if field != "pool":
            for name, amount in on_roll.of(field).items():
                if name in dice:
                    found[name] = found.get(name, 0) + amount
        return found

    added = {name: amount for name, amount in on_roll.of("add").items() if name in dice}
    fixed = {name: amount for name, amount in on_roll.of("set").items() if name in dice}
    return build(
        dice,
        counts("pool"),
        add=added,
        upgrade=counts("upgrade"),
        downgrade=counts("downgrade"),
        put=fixed,
        notes=notes,
    )


def _usual(spec: Mapping[str, Any]) -> bool:
    return "default" in spec and not isinstance(spec["default"], list)


def words(rolled: Rolled, book: Rulebook) -> str:
    """A roll in one line, for the log. Parameters that are as the rules have them anyway are not told."""
    usual = {spec["name"]: spec["default"] for spec in whole_roll(book, rolled.rule).get("params", ()) if _usual(spec)}
    params = {name: value for name, value in rolled.params.items() if name not in usual or usual[name] != value}
    told = ", ".join(f"{name} {say(value)}" for name, value in params.items())
    title = book.title(rolled.rule)
    text = f"{title} ({told})" if told else title
    shown = [str(face) for face in rolled.dice[:100]]
    if len(rolled.dice) > 100:
        shown.append(f"… and {len(rolled.dice) - 100} more")
    if shown:
        text += f": {' '.join(shown)}"
    parts = [] if rolled.total is None else [say(rolled.total)]
    parts += [f"{name} {say(value)}" for name, value in rolled.results.items()]
    return f"{text}; {', '.join(parts)}" if parts else text
