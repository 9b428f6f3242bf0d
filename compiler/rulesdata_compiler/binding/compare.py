"""Comparisons and truth: what they give, and what they say of the names in them where they hold.

In: the operands' meanings. Out: truths, decided where the ranges decide them; and `narrow`, the scope of a branch:
`if x > 0 then 10 / x else 0` divides by a number of 1 or more. The one rule: only what is sure is narrowed, so never
an expression that throws dice.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from ..formulas.parse_limits import parts
from ..formulas.syntax import Call, Compare, Dice, Expr, Index, Junction, Member, Name, Not
from ..nearest import suggest
from .ranges import compare, meet
from .scopes import Narrowed, Scope, Want
from .site import Site
from .values import BROKEN, LIMIT, Choices, Exact, Ids, Maybe, Meaning, Nones, Numbers, Texts, Truths, Value, describe
from .world import switched

OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==", "is": "is not", "is not": "is"}
FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
EQUAL = {"is": "==", "is not": "!=", "==": "==", "!=": "!="}


def truths(known: bool | None, shown: bool | None) -> tuple[Truths, Truths]:
    return Truths(known), Truths(shown)


def comparison(site: Site, expr: Compare, scope: Scope) -> Meaning:
    """`a < b`, `1 <= x <= 5`, `kind is dim`."""
    if len(expr.operators) == 1 and expr.operators[0] in EQUAL:
        return _equality(site, expr, scope)
    if any(operator in ("is", "is not") for operator in expr.operators):
        hint = "write two comparisons with `and` between them"
        return site.error("T508", "`is` cannot stand in a chain of comparisons", expr.at, hint=hint)
    found = [site.number(operand, scope) for operand in expr.operands]
    if any(item.broken for item in found):
        return BROKEN
    value = _all(expr.operators, [item.value for item in found])
    shown = _all(expr.operators, [item.shown for item in found])
    codes = [item.code for item in found]
    if len(expr.operators) == 1:
        return Meaning([expr.operators[0], *codes], *truths(value, shown))
    return Meaning(["chain", list(expr.operators), codes], *truths(value, shown))


def _all(operators: tuple[str, ...], values: list[Value]) -> bool | None:
    known = []
    for operator, (left, right) in zip(operators, pairwise(values), strict=True):
        assert isinstance(left, Numbers)
        assert isinstance(right, Numbers)
        known.append(compare(operator, left, right))
    return False if False in known else None if None in known else True


# --- equal, is -------------------------------------------------------------------------------------------------


def _equality(site: Site, expr: Compare, scope: Scope) -> Meaning:
    (left_expr, right_expr), operator = expr.operands, expr.operators[0]
    word, node = operator in ("is", "is not"), EQUAL[operator]
    if isinstance(left_expr, Name) and isinstance(right_expr, Name) and word and left_expr.name in scope.roles:
        return _same(site, left_expr, right_expr, scope, node)
    left = site.walk(left_expr, scope)
    if isinstance(right_expr, Name) and right_expr.name == "none" and "none" not in scope.locals:
        return _is_none(site, left, left_expr, node)
    want = _wanted(site, left, left_expr)
    bare = word and _bare_word(site, right_expr, scope)
    if bare and left.broken:
        return BROKEN  # of what this word is a choice, nobody knows
    if bare and want is not None and want.kind == "number":
        message = f"`{operator}` compares choices, and `{site.text(left_expr.at)}` is {describe(left.value)}"
        near = isinstance(left.value, Maybe) and isinstance(right_expr, Name) and suggest(right_expr.name, ["none"])
        hint = "did you mean none?" if near else f"compare numbers with `{node}`"
        return site.error("T508", message, right_expr.at if near else expr.at, hint=hint)
    right = site.walk(right_expr, scope, want)
    if left.broken or right.broken:
        return BROKEN
    if isinstance(want, Want) and want.kind == "number":
        if word:
            text = f"{site.text(left_expr.at)} {node} {site.text(right_expr.at)}"
            message = f"`{operator}` compares choices, and `{site.text(left_expr.at)}` is {describe(left.value)}"
            return site.error("T508", message, expr.at, hint=f"write `{text}`")
        left = site.as_number(left, left_expr)
        right = site.as_number(right, right_expr)
        if left.broken or right.broken:
            return BROKEN
        known = _all((node,), [left.value, right.value]), _all((node,), [left.shown, right.shown])
        return Meaning([node, left.code, right.code], *truths(*known))
    if not _alike(left.value, right.value):
        message = (
            f"`{site.text(left_expr.at)}` is {describe(left.value)} and `{site.text(right_expr.at)}` is "
            f"{describe(right.value)}: they are never the same"
        )
        return site.error("T508", message, expr.at)
    known = _known(node, left.value, right.value), _known(node, left.shown, right.shown)
    return Meaning([node, left.code, right.code], *truths(*known))


def _bare_word(site: Site, expr: Expr, scope: Scope) -> bool:
    """Whether an expression is a word that names nothing here: a choice, its author must think."""
    return isinstance(expr, Name) and expr.name not in scope.locals and not site.world.is_value(expr.name)


def _wanted(site: Site, left: Meaning, expr: Expr) -> Want | None:
    """What the right side is, seen from the left."""
    what = f"`{site.text(expr.at)}`"
    match left.value.of if isinstance(left.value, Maybe) else left.value:
        case Choices(options=options):
            return Want("choice", what, options)
        case Ids(kind=kind, options=options):
            return Want("id", what, options, of=kind)
        case Truths():
            return Want("truth", what)
        case Texts():
            return Want("text", what)
        case Numbers():
            return Want("number", what)
    return Want("number", what) if not left.broken else None


def _alike(a: Value, b: Value) -> bool:
    a, b = (value.of if isinstance(value, Maybe) else value for value in (a, b))
    return type(a) is type(b) or {type(a), type(b)} <= {Choices, Texts} or {type(a), type(b)} <= {Choices, Ids}


def _known(node: str, a: Value, b: Value) -> bool | None:
    if isinstance(a, Choices) and isinstance(b, Choices) and a.options is not None and b.options is not None:
        if not a.options & b.options:
            return node == "!="
        if len(a.options) == 1 and a.options == b.options:
            return node == "=="
    return None


def _is_none(site: Site, left: Meaning, expr: Expr, node: str) -> Meaning:
    if left.broken:
        return left
    if isinstance(left.value, Nones):
        return Meaning(node == "==", *truths(node == "==", node == "=="))
    if not isinstance(left.value, Maybe):
        return site.error("T508", f"`{site.text(expr.at)}` is never none", expr.at, hint="leave the test out")
    return Meaning([node, left.code, None], *truths(None, None))


def _same(site: Site, left: Name, right: Name, scope: Scope, node: str) -> Meaning:
    """`owner is guest`: whether two roles are one character."""
    if right.name not in scope.roles:
        hint = site.world.suggest(right.name, scope.roles)
        return site.error("N408", f"there is no role `{right.name}` here", right.at, hint=hint)
    code = ["same", left.name, right.name]
    return Meaning(code if node == "==" else ["not", code], *truths(None, None))


# --- and, or, not ----------------------------------------------------------------------------------------------


def logic(site: Site, expr: Junction, scope: Scope) -> Meaning:
    """Each operand is read only where the ones before let it, and knows what they say."""
    found: list[Meaning] = []
    for operand in expr.operands:
        found.append(site.truth(operand, scope))
        if found[-1].broken:
            scope = replace(scope, unsure=True)
        scope = narrow(site, scope, operand, expr.operator == "and")
    if any(item.broken for item in found):
        return BROKEN
    known = _combined(expr.operator, [item.value for item in found])
    shown = _combined(expr.operator, [item.shown for item in found])
    return Meaning([expr.operator, *(item.code for item in found)], *truths(known, shown))


def _combined(operator: str, values: list[Value]) -> bool | None:
    known = [value.known if isinstance(value, Truths) else None for value in values]
    decisive = operator == "or"
    return decisive if decisive in known else None if None in known else not decisive


def denial(site: Site, expr: Not, scope: Scope) -> Meaning:
    found = site.truth(expr.of, scope)
    if found.broken or not isinstance(found.value, Truths) or not isinstance(found.shown, Truths):
        return found
    opposite = {True: False, False: True, None: None}
    return Meaning(["not", found.code], *truths(opposite[found.value.known], opposite[found.shown.known]))


# --- narrowing -------------------------------------------------------------------------------------------------


def narrow(site: Site, scope: Scope, test: Expr, truth: bool) -> Scope:
    """The scope where `test`, walked before, is `truth`."""
    options = switched(test, truth=truth)
    if options:
        scope = replace(scope, options=scope.options | options)
    said: dict[Expr, Narrowed] = {}
    _gather(site, test, truth, said)
    if not said:
        return scope
    merged = dict(scope.narrowed)
    for expr, more in said.items():
        merged[expr] = _merge(merged.get(expr), more)
    return replace(scope, narrowed=merged)


def _gather(site: Site, test: Expr, truth: bool, said: dict[Expr, Narrowed]) -> None:
    match test:
        case Not(of=inner):
            _gather(site, inner, not truth, said)
        case Junction(operator=operator, operands=operands) if (operator == "and") == truth:
            for operand in operands:
                _gather(site, operand, truth, said)
        case Compare(operands=operands, operators=operators) if truth or len(operators) == 1:
            for operator, (left, right) in zip(operators, pairwise(operands), strict=True):
                effective = operator if truth else OPPOSITE[operator]
                _say(site, left, effective, right, said)
                if effective in FLIPPED:
                    _say(site, right, FLIPPED[effective], left, said)


def _say(site: Site, expr: Expr, operator: str, other: Expr, said: dict[Expr, Narrowed]) -> None:
    """What `expr operator other` says of `expr`."""
    if not isinstance(expr, Name | Member | Index | Call) or throws(expr):
        return
    more: Narrowed | None = None
    known, mine = site.seen.get(id(other)), site.seen.get(id(expr))
    if operator in EQUAL and isinstance(other, Name):
        more = _say_word(operator in ("is", "=="), other, known)
    if mine is None or known is None:
        pass
    elif isinstance(known.value, Numbers) and isinstance(mine.value, Numbers):
        more = _say_number(operator, known.value, mine.value.whole and known.value.whole)
    if more is not None:
        said[expr] = _merge(said.get(expr), more)


def _say_word(same: bool, other: Name, known: Meaning | None) -> Narrowed | None:
    if other.name == "none" and known is None:  # `is none` does not read its right side
        return None if same else Narrowed(some=True)
    if known is None or known.code != other.name:  # a name, whose choice is not known here
        return None
    word = frozenset((other.name,))
    return Narrowed(options=word) if same else Narrowed(excluded=word)


def _say_number(operator: str, other: Numbers, whole: bool) -> Narrowed | None:
    # Fractions have denominators within the limit, so `x > 0` leaves a smallest step above 0.
    step: Exact = 1 if whole else Fraction(1, LIMIT * LIMIT)
    match operator:
        case "<" if other.high is not None:
            return Narrowed(Numbers(None, other.high - step, whole))
        case "<=" if other.high is not None:
            return Narrowed(Numbers(None, other.high, whole))
        case ">" if other.low is not None:
            return Narrowed(Numbers(other.low + step, None, whole))
        case ">=" if other.low is not None:
            return Narrowed(Numbers(other.low, None, whole))
        case "==":
            return Narrowed(other)
        case "!=" if other.constant is not None:
            return Narrowed(apart=other.constant)
    return None


def _merge(old: Narrowed | None, new: Narrowed) -> Narrowed:
    if old is None:
        return new
    bounds = old.bounds and new.bounds and meet(old.bounds, new.bounds)
    options = old.options if new.options is None else new.options if old.options is None else old.options & new.options
    return Narrowed(
        bounds or old.bounds or new.bounds,
        options,
        old.excluded | new.excluded,
        old.some or new.some,
        new.apart if new.apart is not None else old.apart,
    )


def narrowed(found: Meaning, said: Narrowed) -> Meaning:
    """The meaning of an expression, given what the conditions around say of it."""
    return Meaning(found.code, _within(found.value, said), _within(found.shown, said))


def _within(value: Value, said: Narrowed) -> Value:
    match value:
        case Maybe(of=inner) if said.some or said.options or said.bounds:
            return _within(inner, said)
        case Choices(options=options):
            left = options if said.options is None else said.options if options is None else options & said.options
            left = left and left - said.excluded
            return Choices(left or options)
        case Ids(kind=kind, options=ids) if said.options:
            return Ids(kind, (ids & said.options) or ids)
        case Numbers():
            if said.bounds is not None:
                value = meet(value, said.bounds)
            return value if said.apart is None else _apart(value, said.apart)
    return value


def _apart(value: Numbers, number: Exact) -> Numbers:
    """Without `number`, where it is an end of the range."""
    step: Exact = 1 if value.whole else Fraction(1, LIMIT * LIMIT)
    if value.constant == number:  # a branch that is never taken
        return value
    if value.low == number:
        return replace(value, low=floor(number) + 1 if value.whole else number + step)
    if value.high == number:
        return replace(value, high=ceil(number) - 1 if value.whole else number - step)
    return value


def throws(expr: Expr) -> bool:
    """Whether an expression throws dice: each time it is read it is another."""
    return isinstance(expr, Dice) or any(throws(part) for part in parts(expr))
