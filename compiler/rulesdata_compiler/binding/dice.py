"""Dice: pools, and what is asked of them.

In: dice as written, and the questions `count`, `sum`, `size`, `highest`, `lowest`, `net`, `rolled`. Out: code, and the
range of what can come. The one rule: a number of dice is whole and never negative, and that is proved here.
"""

from __future__ import annotations

from ..formulas.syntax import Call, Compare, Dice, Expr, Name
from ..model import Die
from .compare import FLIPPED
from .numbers import literal
from .ranges import greatest, least, plus, times, total
from .scopes import Scope
from .site import Site
from .values import BROKEN, EXPLOSIONS, Meaning, Numbers, Pool, Value, point, say
from .world import a

SINGLE = point(1)


def dice(site: Site, expr: Dice, scope: Scope) -> Meaning:
    """`2d6`, `(n)d6kh3`, `d66`, `(n)d[gem]`."""
    if scope.no_dice:
        hint = "throw dice in a roll, in a table's `roll` or in a step"
        site.error("T505", f"dice cannot be thrown here: {scope.no_dice}", expr.at, hint=hint)
        return BROKEN
    count = _count(site, expr, scope)
    if isinstance(expr.sides, str):
        return _custom(site, expr, count, scope)
    if count.broken or not isinstance(count.value, Numbers) or not isinstance(count.shown, Numbers):
        return BROKEN
    if isinstance(expr.sides, tuple):
        faces = Numbers(_read([1] * len(expr.sides)), _read(list(expr.sides)))
        pool = Pool(SINGLE, SINGLE, faces)
        return Meaning(["digits", list(expr.sides)], pool, pool)
    code = ["roll", count.code, expr.sides, modifiers(expr)]
    return Meaning(code, _pool(count.value, expr), _pool(count.shown, expr))


def modifiers(expr: Dice) -> dict[str, object]:
    found: dict[str, object] = {}
    if expr.reroll:
        found["r"] = list(expr.reroll)
    if expr.minimum is not None:
        found["min"] = expr.minimum
    if expr.explode:
        found["explode"] = True
    if expr.keep is not None:
        found["keep"] = list(expr.keep)
    return found


def _read(digits: list[int]) -> int:
    """Digit dice read as one number: the first die is the highest digit."""
    number = 0
    for digit in digits:
        number = number * 10 + digit
    return number


def _count(site: Site, expr: Dice, scope: Scope) -> Meaning:
    """The number of dice: whole, never negative."""
    if expr.count is None:
        return Meaning(1, SINGLE, SINGLE)
    found = site.number(expr.count, scope)
    value = found.value
    if not isinstance(value, Numbers):
        return found
    if not value.whole:
        return site.fraction(expr.count, "a number of dice is whole")
    if value.low is None or value.low < 0:
        text = site.text(expr.count.at)
        if literal(found) is not None or (value.high is not None and value.high < 0):
            return site.error("T504", f"the number of dice is negative: `{text}` is {value}", expr.count.at)
        can = f"it can be {say(value.low)}" if value.low is not None else "it has no lower limit"
        message = f"the number of dice can be negative: `{text}`, {can}"
        return site.error("T504", message, expr.count.at, hint=f"write `(max(0, {text}))d{_sides(expr)}`")
    return found


def _sides(expr: Dice) -> str:
    return f"[{expr.sides}]" if isinstance(expr.sides, str) else str(expr.sides)


def _pool(count: Numbers, expr: Dice) -> Pool:
    assert isinstance(expr.sides, int)
    faces = Numbers(max(1, expr.minimum or 1), expr.sides)
    thrown = count
    if expr.explode:
        thrown = Numbers(count.low, None if count.high is None else count.high * (1 + EXPLOSIONS))
    kept = thrown
    if expr.keep is not None:
        verb, number = expr.keep
        kept = (
            least([thrown, point(number)])
            if verb in ("kh", "kl")
            else greatest([point(0), plus(thrown, point(-number))])
        )
    return Pool(count, kept, faces, expr.explode)


def _custom(site: Site, expr: Dice, count: Meaning, scope: Scope) -> Meaning:
    assert isinstance(expr.sides, str)
    world, name = site.world, expr.sides
    start = expr.at[0] + site.formula.text[expr.at[0] : expr.at[1]].rfind(name)
    die = world.rule_named(scope, name, site.span((start, start + len(name))), (Die,), "die")
    if die is None or count.broken:
        return BROKEN
    pools = [_throw(number, name) for number in (count.value, count.shown)]
    return Meaning(["throw", count.code, name], *pools)


def _throw(count: Value, die: str) -> Pool:
    assert isinstance(count, Numbers)
    return Pool(count, count, point(0), dice=frozenset((die,)))


# --- questions -------------------------------------------------------------------------------------------------


def _asked(site: Site, expr: Expr, scope: Scope, call: str) -> tuple[Meaning, Pool, Pool] | None:
    """The pool a question is about."""
    found = site.walk(expr, scope)
    if isinstance(found.value, Pool) and isinstance(found.shown, Pool):
        return found, found.value, found.shown
    if not found.broken:
        site.mismatch(found.value, expr, f"{call} wants dice")
    return None


def add_faces(site: Site, call: Call, scope: Scope) -> Meaning:
    """`sum(pool)`; of custom dice there is none."""
    asked = _asked(site, call.args[0], scope, "`sum`")
    if asked is None:
        return BROKEN
    found, value, shown = asked
    if value.dice:
        return site.as_number(found, call.args[0])
    return Meaning(["sum", found.code], total(value), total(shown))


def size(site: Site, call: Call, scope: Scope) -> Meaning:
    asked = _asked(site, call.args[0], scope, "`size`")
    if asked is None:
        return BROKEN
    found, value, shown = asked
    return Meaning(["size", found.code], value.kept, shown.kept)


def one_face(site: Site, call: Call, scope: Scope) -> Meaning:
    """`highest(pool)`, `lowest(pool)`: of no dice there is none."""
    arg = call.args[0]
    asked = _asked(site, arg, scope, f"`{call.name}`")
    if asked is None:
        return BROKEN
    found, value, shown = asked
    text = site.text(arg.at)
    if value.dice:
        return site.as_number(found, arg)
    narrowed = scope.narrowed.get(Call("size", (arg,)))
    some = narrowed is not None and narrowed.bounds is not None and (narrowed.bounds.low or 0) > 0
    if not some and (value.kept.low is None or value.kept.low < 1):
        message = f"`{call.name}` of no dice has no answer, and `{text}` can be no dice"
        hint = f"ask first: `if size({text}) > 0 then {call.name}({text}) else 0`"
        return site.error("T511", message, call.at, hint=hint)
    return Meaning([call.name, found.code], value.faces, shown.faces)


def count(site: Site, call: Call, scope: Scope) -> Meaning:
    """`count(pool >= 5)`, `count(2 <= pool <= 4)`, `count(pool is gem)`."""
    test = call.args[0]
    if not isinstance(test, Compare):
        text = site.text(test.at)
        hint = f"write `count({text} >= 5)`; for the number of dice write `size({text})`"
        return site.error("T507", "`count` wants a comparison of dice", test.at, hint=hint)
    if test.operators == ("is",):
        return _count_kind(site, test, scope)
    found = [site.walk(operand, scope) for operand in test.operands]
    pools = [place for place, item in enumerate(found) if isinstance(item.value, Pool)]
    if any(item.broken for item in found):
        return BROKEN
    if len(pools) != 1 or len(found) > 3 or (len(found) == 3 and pools != [1]) or "is" in test.operators:
        message = "`count` wants dice on one side of the comparison, and numbers on the other"
        return site.error("T507", message, test.at, hint="as in `count(2d6 >= 5)` or `count(2 <= thrown <= 4)`")
    return _counted(site, test, scope, found, pools[0])


def _counted(site: Site, test: Compare, scope: Scope, found: list[Meaning], place: int) -> Meaning:
    pool = found[place]
    value, shown = pool.value, pool.shown
    assert isinstance(value, Pool)
    assert isinstance(shown, Pool)
    if value.dice:
        return site.as_number(pool, test.operands[place])
    operators, bounds = [], []
    for other, operand in enumerate(test.operands):
        if other == place:
            continue
        bound = site.as_number(found[other], operand)
        if bound.broken:
            return BROKEN
        operator = test.operators[min(place, other)]
        operators.append(operator if place < other else FLIPPED[operator])
        bounds.append(bound.code)
    return Meaning(["count", pool.code, operators, bounds], _up_to(value.kept), _up_to(shown.kept))


def _up_to(number: Numbers) -> Numbers:
    return Numbers(0, number.high)


def _count_kind(site: Site, test: Compare, scope: Scope) -> Meaning:
    """`count(pool is gem)`: how many dice of one kind."""
    asked = _asked(site, test.operands[0], scope, "`count`")
    kind = test.operands[1]
    if not isinstance(kind, Name):
        return site.error("T507", "right of `is` stands the name of a die here", kind.at)
    die = site.world.rule_named(scope, kind.name, site.span(kind.at), (Die,), "die")
    if asked is None or die is None:
        return BROKEN
    found, value, shown = asked
    if not value.dice:
        text = site.text(test.operands[0].at)
        return site.error("T502", f"`{text}` is plain dice, and `{kind.name}` is {a('die')} with symbols", test.at)
    return Meaning(["count_kind", found.code, kind.name], _up_to(value.kept), _up_to(shown.kept))


# --- symbols ---------------------------------------------------------------------------------------------------


def symbols(site: Site, call: Call, scope: Scope) -> Meaning:
    """`net(spark)` and `rolled(spark)` of the roll's own pool, `net(extra, spark)` of a let's."""
    named = call.args[-1]
    if len(call.args) == 2:
        asked = _asked(site, call.args[0], scope, f"`{call.name}`")
    else:
        local = scope.locals.get("pool")
        if local is None or not isinstance(local.meaning.value, Pool) or not isinstance(local.meaning.shown, Pool):
            if local is not None and local.meaning.broken:
                return BROKEN
            message = f"`{call.name}` reads the symbols of a roll's `pool`, and there is none here"
            hint = f"give the roll a `pool`, or name the dice: `{call.name}(dice, {site.text(named.at)})`"
            return site.error("N423", message, call.at, hint=hint)
        asked = local.meaning, local.meaning.value, local.meaning.shown
    if not isinstance(named, Name):
        return site.error("T507", f"`{call.name}` wants the name of a symbol", named.at)
    if not site.world.word(site.rule, "N413", "symbol", named.name, site.span(named.at), site.world.symbols, "symbol"):
        return BROKEN
    if asked is None:
        return BROKEN
    found, value, shown = asked
    if not value.dice:
        return site.mismatch(value, call.args[0], f"`{call.name}` wants dice with symbols")
    ranges = [_symbol_range(site, pool, named.name) for pool in (value, shown)]
    return Meaning([call.name, found.code, named.name], *ranges)


def _symbol_range(site: Site, pool: Pool, symbol: str) -> Numbers:
    """From none to what the richest face shows on every die; what cancels never leaves less than none."""
    known, most = site.world.symbols, 0
    for die_id in pool.dice:
        die = site.world.rules.get(die_id)
        for face in die.faces if isinstance(die, Die) else ():
            most = max(
                most, sum(symbol == shown or symbol in known[shown].counts_as for shown in face if shown in known)
            )
    return _up_to(times(pool.count, Numbers(0, most)))
