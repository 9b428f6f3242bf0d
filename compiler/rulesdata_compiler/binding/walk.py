"""The walk over a formula: names, kinds, ranges and code in one pass.

In: a formula, the scope of its place and what is wanted there. Out: its meaning, kept for every later stage. The one
rule: each formula is walked once, in the scope it stands in.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from ..formulas.syntax import (
    Call,
    Compare,
    Dice,
    Expr,
    If,
    Index,
    Junction,
    Member,
    Name,
    Negate,
    Not,
    Number,
    Product,
    Sum,
    Text,
    Truth,
)
from ..model import Formula
from . import (
    calls as bind_calls,
)
from . import (
    compare as bind_compare,
)
from . import (
    dice as bind_dice,
)
from . import (
    names as bind_names,
)
from . import (
    numbers as bind_numbers,
)
from .ranges import join
from .scopes import SLOTS, Scope, Want
from .site import Site
from .values import BROKEN, Choices, Meaning, Pool, Texts, Truths, Value, describe
from .world import World


def walk(site: Site, expr: Expr, scope: Scope, want: Want | None) -> Meaning:
    """The meaning of an expression; `want` only where its words may be choices or ids."""
    doubt = site.world.doubt
    site.world.doubt = doubt or scope.unsure
    found = _walk(site, expr, scope, want)
    site.world.doubt = doubt
    if scope.narrowed and not found.broken:
        said = scope.narrowed.get(expr)
        if said is not None:
            found = bind_compare.narrowed(found, said)
    site.seen[id(expr)] = found
    return found


def _walk(site: Site, expr: Expr, scope: Scope, want: Want | None) -> Meaning:
    match expr:
        case Number(value=value):
            return bind_numbers.constant(value)
        case Truth(value=truth):
            return Meaning(truth, Truths(truth), Truths(truth))
        case Text(value=text):
            return Meaning(text, Texts(), Texts())
        case Name():
            return bind_names.name(site, expr, scope, want)
        case Index():
            return bind_names.index(site, expr, scope)
        case Member():
            return bind_names.member(site, expr, scope)
        case Call():
            return bind_calls.call(site, expr, scope)
        case Negate():
            return bind_numbers.negate(site, expr, scope)
        case Sum():
            return bind_numbers.add_up(site, expr, scope)
        case Product():
            return bind_numbers.multiply_out(site, expr, scope)
        case Compare():
            return bind_compare.comparison(site, expr, scope)
        case Junction():
            return bind_compare.logic(site, expr, scope)
        case Not():
            return bind_compare.denial(site, expr, scope)
        case If():
            return _branch(site, expr, scope, want)
        case Dice():
            return bind_dice.dice(site, expr, scope)
    assert_never(expr)


def _branch(site: Site, expr: If, scope: Scope, want: Want | None) -> Meaning:
    """`if test then a else b`: each branch knows what the test says; one never taken adds nothing to the range."""
    test = site.truth(expr.test, scope)
    if want is None or (want.options is None and want.kind in ("scalar", "value")):
        options = _choices(site, expr, scope)
        want = want if options is None else Want("choice", "the other branch", options)
    if test.broken:
        scope = replace(scope, unsure=True)
    then = site.walk(expr.then, bind_compare.narrow(site, scope, expr.test, True), want)
    other = site.walk(expr.otherwise, bind_compare.narrow(site, scope, expr.test, False), want)
    if test.broken or then.broken or other.broken:
        return BROKEN
    if isinstance(then.value, Pool) != isinstance(other.value, Pool):
        then, other = site.as_number(then, expr.then), site.as_number(other, expr.otherwise)
        if then.broken or other.broken:
            return BROKEN
    value = _either(test.value, then.value, other.value)
    shown = _either(test.shown, then.shown, other.shown)
    if value is None or shown is None or join(then.value, other.value) is None:
        message = f"one branch gives {describe(then.value)}, the other {describe(other.value)}"
        return site.error("T510", message, expr.at, hint="let both branches give the same kind of value")
    return Meaning(["if", test.code, then.code, other.code], value, shown)


def _choices(site: Site, expr: Expr, scope: Scope) -> frozenset[str] | None:
    """The choices that a branch can give where it is a name of that kind: the other's words are of them too."""
    match expr:
        case If():
            return _choices(site, expr.then, scope) or _choices(site, expr.otherwise, scope)
        case Name(name=name):
            value: Value | None = None
            if name in scope.locals:
                value = scope.locals[name].meaning.value
            elif site.world.is_value(name):
                value = site.world.answers.value_of(name).value
            return value.options if isinstance(value, Choices) else None
    return None


def _either(test: Value, then: Value, other: Value) -> Value | None:
    if isinstance(test, Truths) and test.known is not None:
        return then if test.known else other
    return join(then, other)


def bind_formula(world: World, formula: Formula, rule: str, scope: Scope, want: Want) -> Meaning:
    """The meaning of a whole formula, fitted to its place; found once and remembered."""
    known = world.meanings.get(formula)
    if known is not None:
        return known
    expr = world.expr(formula, rule)
    if expr is None or want.kind == "broken":
        found = BROKEN
    else:
        site = Site(world, formula, rule, walk)
        found = site.walk(expr, scope, want)
        with world.in_doubt(scope):
            found = site.fit(found, expr, want)
        world.sites[formula] = site
    if found.broken:
        world.broken.add(rule)
    world.meanings[formula] = found
    return found


def wanted(name: str, rule: str) -> Want:
    """What one of the places of `SLOTS` wants, said of a rule."""
    place = SLOTS[name]
    return Want(place.kind, f"{place.phrase} of `{rule}`", within=place.within)


def slot(
    world: World, formula: Formula | None, name: str, rule: str, scope: Scope, want: Want | None = None
) -> Meaning | None:
    """Bind a formula, if there is one, in one of the places of `SLOTS`."""
    if formula is None:
        return None
    place = SLOTS[name]
    if not place.dice and not scope.no_dice:
        scope = replace(scope, no_dice=f"{place.phrase} must be the same each time it is read")
    return bind_formula(world, formula, rule, scope, want or wanted(name, rule))
