"""Tables and bands in formulas: `lookup(table, key…).column`, `band`, `distance`, `moves`.

In: the call, and what the cells of the table can give. Out: code and range. The one rule: a key is checked like any
parameter, and a key left out must be known here under its own name or have a default, as the runtime reads it.
"""

from __future__ import annotations

from ..formulas.syntax import At, Call, Expr, Name
from ..model import Bands, Spec, Table
from .ranges import join
from .scopes import Scope, Want
from .site import Site
from .values import BROKEN, Choices, Code, Maybe, Meaning, Nones, Texts, Value
from .world import named


def lookup(site: Site, call: Call, scope: Scope, column: str | None, at: At) -> Meaning:
    """`lookup(table, key, other)`, `lookup(t, k).column`."""
    table = _table(site, call, scope)
    if table is None:
        return BROKEN
    keys = _keys(site, call, table, scope)
    cell = _cell(site, table, column, call, at) if keys is not None else None
    if cell is None or cell.broken:
        return BROKEN
    return Meaning(["lookup", table.id, keys, column], cell.value, cell.shown)


def _table(site: Site, call: Call, scope: Scope) -> Table | None:
    first = call.args[0]
    if not isinstance(first, Name):
        site.error("T507", "`lookup` wants the name of a table first", first.at)
        return None
    rule = site.world.rule_named(scope, first.name, site.span(first.at), (Table,), "lookup")
    if not isinstance(rule, Table):
        return None
    site.reads.add(rule.id)
    if scope.no_dice and rule.id in site.world.answers.tables_with_dice:
        site.error("T505", f"the cells of `{rule.id}` throw dice, and here {scope.no_dice}", call.at)
        return None
    return rule


def key_specs(table: Table) -> list[Spec]:
    """What a table is read by, in order, and then its parameters."""
    match table.form:
        case "rolled":
            return [Spec("result", table.span)]
        case "weighted":
            return [Spec("row", table.span, "choice", tuple(row.id for row in table.rows))]
    return [*table.by, *table.params]


def _keys(site: Site, call: Call, table: Table, scope: Scope) -> list[Code] | None:
    specs, given = key_specs(table), list(call.args[1:])
    names = [spec.name for spec in specs]
    if len(given) > len(specs):
        takes = f"by {named(names, 'and')}" if names else "by its rows' `when`, without a key"
        message = f"`{table.id}` is looked up {takes}, and {_keys_given(len(given))} here"
        site.error("T507", message, call.at, hint="a comma too many?" if len(given) == len(specs) + 1 else None)
        return None
    for name, expr in call.named:
        if name not in names:
            hint = site.world.suggest(name, names)
            site.error("N409", f"`{table.id}` has no key or parameter `{name}`", expr.at, hint=hint)
            return None
    said = {**dict(zip(names, given, strict=False)), **dict(call.named)}
    codes: list[Code] | None = []
    last = max((place for place, name in enumerate(names) if name in said), default=-1)
    for place, spec in enumerate(specs):
        found = _key(site, call, table, spec, said.get(spec.name), scope, place < last)
        if found is None:
            codes = None
        elif codes is not None and (spec.name in said or place < last):
            codes.append(found.code)
    return codes


def _keys_given(count: int) -> str:
    return "1 key is given" if count == 1 else f"{count} keys are given"


def _key(
    site: Site, call: Call, table: Table, spec: Spec, given: Expr | None, scope: Scope, needed: bool
) -> Meaning | None:
    """One key: as given, or else by its own name here."""
    if given is not None:
        want = site.world.answers.want_of(spec, f"the key `{spec.name}` of `{table.id}`")
        found = site.fit(site.walk(given, scope, want), given, want)
        return None if found.broken else found
    known = spec.name in scope.locals or site.world.is_value(spec.name)
    if spec.default is not None and not needed and not known:
        return BROKEN
    if not known:
        hint = f"write `lookup({table.id}, {', '.join(other.name for other in key_specs(table))})`"
        site.error("T507", f"`{table.id}` is looked up by `{spec.name}` too, and it is not given", call.at, hint=hint)
        return None
    want = site.world.answers.want_of(spec, f"the key `{spec.name}` of `{table.id}`")
    own = Name(spec.name, call.at)
    found = site.fit(site.walk(own, scope), own, want)
    return None if found.broken else found


def _cell(site: Site, table: Table, column: str | None, call: Call, at: At) -> Meaning | None:
    """What a cell can hold; without a column the only one."""
    cells = site.world.answers.cells(table)
    if table.form == "by_two":
        if column is not None:
            site.error("N406", f"`{table.id}` has one cell for each pair of keys, and no columns", at)
            return None
        return cells.get("value", BROKEN)
    known = [spec.name for spec in table.columns]
    if column is None:
        column = "value" if "value" in known else known[0] if len(known) == 1 else None
        if column is None and known:
            message = f"`{table.id}` has several columns, and this does not say which"
            site.error(
                "N406",
                message,
                call.at,
                hint=f"write `{site.text(call.at)}.{known[0]}`; there is {named(known, 'and')}",
            )
            return None
        column = column or ("text" if any(row.text is not None for row in table.rows) else "row")
    outside = "none" in (table.below, table.above)
    plain = plain_cell(table, column)
    if column in known:
        found = cells.get(column, BROKEN)
        return or_none(found) if outside else found
    if plain is None:
        hint = site.world.suggest(column, [*known, "row", "title", "text"])
        has = f"it has {named(known, 'and')}" if known else "it has none"
        start = at[1] - len(column)
        site.error("N406", f"the table `{table.id}` has no column `{column}`", (start, at[1]), hint=hint or has)
        return None
    return or_none(plain) if outside else plain


def plain_cell(table: Table, column: str) -> Meaning | None:
    """What every row has: its id, title and text."""
    if column == "row":
        ids = Choices(frozenset(row.id for row in table.rows))
        return Meaning(None, ids, ids)
    return Meaning(None, Texts(), Texts()) if column in ("title", "text") else None


def or_none(found: Meaning) -> Meaning:
    if found.broken or isinstance(found.value, Maybe | Nones):
        return found
    return Meaning(found.code, Maybe(found.value), Maybe(found.shown))


# --- bands -----------------------------------------------------------------------------------------------------


def _bands(site: Site, call: Call, scope: Scope) -> Bands | None:
    first = call.args[0]
    if not isinstance(first, Name):
        site.error("T507", f"`{call.name}` wants the name of bands first", first.at)
        return None
    rule = site.world.rule_named(scope, first.name, site.span(first.at), (Bands,), "band")
    if not isinstance(rule, Bands):
        return None
    site.reads.add(rule.id)
    for spec in rule.params:
        if spec.default is None and spec.name not in scope.locals and not site.world.is_value(spec.name):
            site.error("N410", f"the bands `{rule.id}` need `{spec.name}`, and there is none here", call.at)
            return None
    return rule


def band(site: Site, call: Call, scope: Scope) -> Meaning:
    """`band(bands, distance)`: the id of a band."""
    rule, distance = _bands(site, call, scope), site.number(call.args[1], scope)
    if rule is None or distance.broken:
        return BROKEN
    ids: Value = Choices(frozenset(one.id for one in rule.bands))
    found = Maybe(ids) if rule.beyond == "none" else ids
    return Meaning(["band", rule.id, distance.code], found, found)


def _one_band(site: Site, rule: Bands, expr: Expr, scope: Scope) -> Meaning:
    want = Want("choice", f"`{rule.id}`", frozenset(one.id for one in rule.bands))
    return site.fit(site.walk(expr, scope, want), expr, want)


def distance_of(site: Site, call: Call, scope: Scope) -> Meaning:
    """`distance(bands, band)`: its far edge."""
    rule = _bands(site, call, scope)
    one = _one_band(site, rule, call.args[1], scope) if rule is not None else BROKEN
    if rule is None or one.broken:
        return BROKEN
    value: Value | None = None
    shown: Value | None = None
    for band in rule.bands:
        if band.distance is None or (isinstance(one.code, str) and band.id != one.code):
            continue
        found = site.world.meanings.get(band.distance, BROKEN)
        value = found.value if value is None else join(value, found.value)
        shown = found.shown if shown is None else join(shown, found.shown)
    if value is None or shown is None:
        return site.error("N406", f"`{site.text(call.args[1].at)}` of `{rule.id}` has no distance", call.args[1].at)
    return Meaning(["distance", rule.id, one.code], value, shown)


def moves(site: Site, call: Call, scope: Scope) -> Meaning:
    """`moves(bands, from, to)`."""
    rule = _bands(site, call, scope)
    if rule is None:
        return BROKEN
    start, end = (_one_band(site, rule, arg, scope) for arg in call.args[1:])
    if start.broken or end.broken:
        return BROKEN
    most = site.world.answers.moves(rule)
    return Meaning(["moves", rule.id, start.code, end.code], most, most)
