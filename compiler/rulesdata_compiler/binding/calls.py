"""Functions: which there are, how many arguments they take, and those that ask about a character.

In: a call. Out: its code and range, or a finding that says what the function takes. `FUNCTIONS` is the one list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..formulas.syntax import At, Call, Expr, Index, Member, Name
from ..model import Condition, Environment, Track, Trait
from . import dice as bind_dice
from . import lookup as bind_lookup
from . import numbers as bind_numbers
from .names import family_member, option_value
from .scopes import Scope
from .site import Site
from .values import BROKEN, NATURAL, Code, Ids, Meaning, Numbers, Truths
from .world import LASTING, SHEET, WORDS, a, listed, named

Handler = Callable[[Site, Call, Scope], Meaning]


class Function(NamedTuple):
    """How many arguments (`most` None: any number), what it looks like, and what binds it."""

    least: int
    most: int | None
    shape: str
    bind: Handler


def call(site: Site, expr: Call, scope: Scope) -> Meaning:
    """`name(arguments)`."""
    function = FUNCTIONS.get(expr.name)
    if function is None:
        return _no_function(site, expr, scope)
    if len(expr.args) < function.least or (function.most is not None and len(expr.args) > function.most):
        return _wrong_count(site, expr, function)
    if expr.named and expr.name not in ("has", "lookup"):
        return site.error("T507", f"`{expr.name}` takes no named arguments", expr.at, hint=f"write `{function.shape}`")
    return function.bind(site, expr, scope)


def _no_function(site: Site, expr: Call, scope: Scope) -> Meaning:
    name_at = (expr.at[0], expr.at[0] + len(expr.name))
    word, rule = expr.name, site.world.rules.get(expr.name)
    if word in scope.locals or isinstance(rule, SHEET):
        what = WORDS[type(rule)] if rule is not None else "name"
        inner = site.formula.text[name_at[1] : expr.at[1]]
        hint = f"to multiply write `{word} * {inner}`" if len(expr.args) == 1 else None
        return site.error("N407", f"`{word}` is no function, it is {a(what)}", name_at, hint=hint)
    if rule is not None:
        return site.error("N407", f"`{word}` is no function, it is {a(WORDS[type(rule)])}", name_at)
    hint = site.world.suggest(word, FUNCTIONS) or f"there is {named(sorted(FUNCTIONS))}"
    return site.error("N407", f"there is no function `{word}`", name_at, hint=hint)


def _wrong_count(site: Site, expr: Call, function: Function) -> Meaning:
    given, (least, most) = len(expr.args), function[:2]
    wants = f"{least}" if least == most else f"{least} or more" if most is None else f"{least} or {most}"
    message = f"`{expr.name}` takes {wants} argument{'' if wants == '1' else 's'}, and here {_there_are(given)}"
    extra = " (a comma too many? decimals are written with a point)" if most is not None and given > most else ""
    return site.error("T507", message, expr.at, hint=f"write `{function.shape}`{extra}")


def _there_are(count: int) -> str:
    return "is 1" if count == 1 else f"are {count}" if count else "is none"


# --- what is carried -------------------------------------------------------------------------------------------


def _carried_id(
    site: Site, expr: Expr, scope: Scope, kinds: tuple[type, ...], how: str
) -> tuple[Code, str | None, list[str]] | None:
    """What stands for a condition, trait or environment: its id or code for it, the role, and the ids possible."""
    role: str | None = None
    if isinstance(expr, Member) and isinstance(expr.of, Name) and expr.of.name in scope.roles:
        role, start = expr.of.name, expr.at[0] + len(expr.of.name) + 1
        at = (start, expr.at[1])
        expr = Name(expr.name, at) if expr.key is None else Index(expr.name, expr.key, at)
        return _named_id(site, expr, scope, kinds, how, role)
    return _named_id(site, expr, scope, kinds, how, None)


def _named_id(
    site: Site, expr: Expr, scope: Scope, kinds: tuple[type, ...], how: str, role: str | None
) -> tuple[Code, str | None, list[str]] | None:
    match expr:
        case Index(name=family, key=key, at=at):
            found = family_member(site, family, key, at, scope, kinds)
            if found is None:
                return None
            rules, code = found
            for one in rules:
                site.reads.add(one.id)
                site.world.use(site.rule, one.id, site.span(at), how)
                site.world.check_option(scope, one, site.span(at))
            return (rules[0].id if code is None else ["member", family, code]), role, [one.id for one in rules]
        case Name(name=name, at=at) if name not in scope.locals:
            rule = site.world.rule_named(scope, name, site.span(at), kinds, how)
            if rule is not None:
                site.reads.add(rule.id)
            return None if rule is None else (rule.id, role, [rule.id])
        case Name() | Member():
            return _chosen(site, expr, scope, kinds, role)
    wanted = listed(a(WORDS[kind]) for kind in kinds)
    site.error("T507", f"the name of {wanted} is wanted here", expr.at)
    return None


def _chosen(
    site: Site, expr: Expr, scope: Scope, kinds: tuple[type, ...], role: str | None
) -> tuple[Code, str | None, list[str]] | None:
    """A parameter or a row's column that holds an id."""
    found = site.walk(expr, scope)
    if found.broken:
        return None
    words = [WORDS[kind] for kind in kinds]
    if not isinstance(found.value, Ids) or found.value.kind not in words:
        site.mismatch(found.value, expr, f"the name of {listed(a(word) for word in words)} is wanted here")
        return None
    return found.code, role, sorted(found.value.options)


def has(site: Site, expr: Call, scope: Scope) -> Meaning:
    """`has(lit)`, `has(owner.lit)`, `has(lit, colour: x)`."""
    found = _carried_id(site, expr.args[0], scope, (Condition, Trait, Environment), "has")
    if found is None:
        return BROKEN
    code, role, ids = found
    params: dict[str, Code] = {}
    for key, value in expr.named:
        meaning = _has_param(site, key, value, ids, scope)
        if meaning is None:
            return BROKEN
        params[key] = meaning.code
    return Meaning(["has", code, params, role], Truths(), Truths())


def _has_param(site: Site, key: str, value: Expr, ids: list[str], scope: Scope) -> Meaning | None:
    for rule_id in ids:
        rule = site.world.rules[rule_id]
        specs = {spec.name: spec for spec in rule.params} if isinstance(rule, LASTING) else {}
        if key not in specs:
            hint = site.world.suggest(key, specs) or (f"it has {named(specs, 'and')}" if specs else "it has none")
            start = site.formula.text.rfind(key, 0, value.at[0])
            site.error("N409", f"`{rule_id}` has no parameter `{key}`", (start, start + len(key)), hint=hint)
            return None
        want = site.world.answers.want_of(specs[key], f"the parameter `{key}` of `{rule_id}`")
        return None if (found := site.fit(site.walk(value, scope, want), value, want)).broken else found
    return None


def level(site: Site, expr: Call, scope: Scope) -> Meaning:
    """`level(condition)`: 0 where it is not carried."""
    found = _carried_id(site, expr.args[0], scope, (Condition,), "has")
    if found is None:
        return BROKEN
    code, role, ids = found
    highs = [site.world.answers.level(rule_id) for rule_id in ids]
    high = None if any(item is None for item in highs) else max(item for item in highs if item is not None)
    low = 1 if role is None and ids == [scope.carried] else 0
    return Meaning(["level", code, role], Numbers(low, high), Numbers(low, high))


def remaining(site: Site, expr: Call, scope: Scope) -> Meaning:
    """`remaining(condition)`: clock units left."""
    found = _carried_id(site, expr.args[0], scope, (Condition,), "has")
    if found is None:
        return BROKEN
    code, role, ids = found
    for rule_id in ids:
        rule = site.world.rules[rule_id]
        if isinstance(rule, Condition) and (rule.lasts is None or rule.lasts.unit is None):
            message = f"`{rule_id}` does not last for a time, so nothing of it remains"
            hint = "give it `lasts: {unit: …}`, or ask with `has(…)`"
            return site.error("N423", message, expr.at, hint=hint)
    return Meaning(["remaining", code, role], NATURAL, NATURAL)


def _word(site: Site, expr: Expr, scope: Scope, what: str) -> tuple[str, str | None, At] | None:
    """A plain word, perhaps behind a role."""
    match expr:
        case Name(name=name, at=at):
            return name, None, at
        case Member(of=Name(name=role), name=name, at=at, key=None):
            if role in scope.roles:
                return name, role, (at[1] - len(name), at[1])
            hint = site.world.suggest(role, scope.roles)
            site.error("N408", f"there is no role `{role}` here", expr.of.at, hint=hint)
            return None
    site.error("T507", f"the name of {what} is wanted here", expr.at)
    return None


def carried(site: Site, expr: Call, scope: Scope) -> Meaning:
    """`carried(tag)`: how many conditions with that tag are carried."""
    word = _word(site, expr.args[0], scope, "a tag")
    if word is None:
        return BROKEN
    tag, role, at = word
    world = site.world
    tagged = [rule_id for rule_id in world.tags.get(tag, ()) if isinstance(world.rules[rule_id], Condition)]
    if not tagged:
        known = {tag for rule in world.rules.values() if isinstance(rule, Condition) for tag in rule.tags}
        hint = world.suggest(tag, known)
        return site.error("N411", f"no condition has the tag `{tag}`", at, hint=hint)
    world.use(site.rule, tag, site.span(at), "tag")
    site.reads.update(tagged)
    return Meaning(["carried", tag, role], NATURAL, NATURAL)


def elapsed(site: Site, expr: Call, scope: Scope) -> Meaning:
    """`elapsed(event)`: clock units since it last happened."""
    word = _word(site, expr.args[0], scope, "an event")
    if word is None:
        return BROKEN
    event, role, at = word
    world = site.world
    if not world.word(site.rule, "N412", "event", event, site.span(at), world.events, "event"):
        return BROKEN
    return Meaning(["elapsed", event, role], NATURAL, NATURAL)


def option(site: Site, expr: Call, scope: Scope) -> Meaning:
    """`option(name)`."""
    word = expr.args[0]
    if not isinstance(word, Name):
        return site.error("T507", "`option` wants the name of an option", word.at)
    return option_value(site, word.name, word.at, scope)


def overflow(site: Site, expr: Call, scope: Scope) -> Meaning:
    """`overflow(track)`: what did not fit at its last change in these steps."""
    arg, world, role = expr.args[0], site.world, ""
    text = site.text(arg.at)
    if isinstance(arg, Member) and isinstance(arg.of, Name) and arg.of.name in scope.roles:
        role, at = arg.of.name, (arg.at[0] + len(arg.of.name) + 1, arg.at[1])
        arg = Name(arg.name, at) if arg.key is None else Index(arg.name, arg.key, at)
    code: Code
    match arg:
        case Name(name=track, at=at):
            code = track
            known = track in scope.locals or world.rule_named(scope, track, site.span(at), (Track,), "read") is not None
        case Index(name=family, key=key, at=at):
            found = family_member(site, family, key, at, scope, (Track,))
            known = found is not None
            code = None if found is None else found[0][0].id if found[1] is None else ["member", family, found[1]]
        case _:
            return site.error("T507", "`overflow` wants the name of a track", arg.at)
    if not known:
        return BROKEN
    if text not in scope.overflow and scope.unsure:
        world.broken.add(site.rule)
        return BROKEN
    if text not in scope.overflow:
        message = f"`overflow({text})` is what did not fit at a change of `{text}`, and no step before changes it"
        hint = f"put it behind the step that changes `{text}`, in the same list of steps"
        return site.error("N422", message, expr.at, hint=hint)
    value = scope.overflow[text]
    return Meaning(["overflow", code, role or None], value, value)


def _lookup(site: Site, expr: Call, scope: Scope) -> Meaning:
    return bind_lookup.lookup(site, expr, scope, None, expr.at)


FUNCTIONS: dict[str, Function] = {
    "ceil": Function(1, 1, "ceil(number)", bind_numbers.rounding),
    "floor": Function(1, 1, "floor(number)", bind_numbers.rounding),
    "round": Function(1, 1, "round(number)", bind_numbers.rounding),
    "abs": Function(1, 1, "abs(number)", bind_numbers.absolute),
    "min": Function(2, None, "min(a, b)", bind_numbers.extreme),
    "max": Function(2, None, "max(a, b)", bind_numbers.extreme),
    "clamp": Function(3, 3, "clamp(value, least, greatest)", bind_numbers.clamp),
    "mod": Function(2, 2, "mod(a, b)", bind_numbers.modulo),
    "sum": Function(1, 1, "sum(dice)", bind_dice.add_faces),
    "size": Function(1, 1, "size(dice)", bind_dice.size),
    "highest": Function(1, 1, "highest(dice)", bind_dice.one_face),
    "lowest": Function(1, 1, "lowest(dice)", bind_dice.one_face),
    "count": Function(1, 1, "count(dice >= 5)", bind_dice.count),
    "net": Function(1, 2, "net(symbol)", bind_dice.symbols),
    "rolled": Function(1, 2, "rolled(symbol)", bind_dice.symbols),
    "has": Function(1, 1, "has(condition)", has),
    "level": Function(1, 1, "level(condition)", level),
    "remaining": Function(1, 1, "remaining(condition)", remaining),
    "carried": Function(1, 1, "carried(tag)", carried),
    "elapsed": Function(1, 1, "elapsed(event)", elapsed),
    "option": Function(1, 1, "option(name)", option),
    "overflow": Function(1, 1, "overflow(track)", overflow),
    "lookup": Function(1, None, "lookup(table, key)", _lookup),
    "band": Function(2, 2, "band(bands, distance)", bind_lookup.band),
    "distance": Function(2, 2, "distance(bands, band)", bind_lookup.distance_of),
    "moves": Function(3, 3, "moves(bands, from, to)", bind_lookup.moves),
}
