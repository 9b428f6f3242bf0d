"""Results told to people: a roll, an outcome, what can be bought, who acts when, a rule.

In: plain values of the runtime. Out: text of a few lines, without colour or control characters of its own.
"""

from __future__ import annotations

from ..plainly import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ..play.order import Order
    from ..play.outcome import Outcome, Rolled
    from ..play.spends import Offer, Purchase, Spending
    from ..rules import Rules
    from ..state.actions import ActionState

MOST_DICE = 100


def roll_told(rules: Rules, rolled: Rolled) -> str:
    """Title and total, the dice, symbols, results, and the row of a table."""
    title = rules.rules.get(rolled.rule, {}).get("title") or rolled.rule
    lines = [f"{title}: {say(rolled.total)}" if rolled.total is not None else str(title)]
    if rolled.dice:
        shown = " ".join(_face(face) for face in rolled.dice[:MOST_DICE])
        more = len(rolled.dice) - MOST_DICE
        lines.append(f"  dice     {shown}" + (f" … and {more:,} more" if more > 0 else ""))
    if rolled.symbols is not None:
        for name, counts in rolled.symbols.items():
            told = ", ".join(f"{amount} {symbol}" for symbol, amount in counts.items() if amount) or "nothing"
            lines.append(f"  {name:<8} {told}")
    lines += _named(rolled.results)
    rows = rolled.rows if len(rolled.rows) > 1 else ((rolled.row,) if rolled.row is not None else ())
    for row in rows:
        lines += ["  " + line for line in row_told(row).splitlines()]
    lines += [f"  counts   {one}" for one in rolled.counted]
    lines += [f"  {entry.text}" for entry in rolled.log if entry.step != "roll"]
    return "\n".join(lines)


def _face(face: Any) -> str:
    if face.symbols is not None:
        return f"{face.die}[{'+'.join(face.symbols) or '-'}]"
    return str(face.face) if face.kept else f"({face.face})"


def _named(results: Mapping[str, Any]) -> list[str]:
    width = max((len(name) for name in results), default=0)
    return [f"  {name:<{max(width, 8)}} {_whole(value)}" for name, value in results.items()]


def _whole(value: Any) -> str:
    """A value with everything in it."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_whole, value)) or "nothing"
    if not hasattr(value, "items"):
        return say(value)
    if value.keys() == {"id", "cost"}:
        return f"{value['id']} for {_whole(value['cost'])}"
    return ", ".join(f"{_whole(amount)} {name}" for name, amount in value.items()) or "nothing"


def row_told(found: Any) -> str:
    """A row with its columns, or a single cell."""
    if not hasattr(found, "items"):
        return say(found)
    title = found.get("title") or (None if found.get("text") else found.get("id"))
    lines = [str(title)] if title else []
    if found.get("text"):
        lines.append(say(found["text"]))
    lines += _named({name: value for name, value in found.items() if name not in {"id", "title", "text"}})
    return "\n".join(lines)


def outcome_told(rules: Rules, outcome: Outcome) -> str:
    """The log, then the results, then who carries what."""
    lines = []
    for entry in outcome.log:
        if entry.before is not None and entry.text.endswith(f" {say(entry.before)} → {say(entry.before)}"):
            continue  # set to what it was
        who = f"{entry.who}: " if entry.who else ""
        lines.append(f"{who}{entry.text}")
    lines += _named(outcome.results)
    if outcome.stopped is not None and not any(entry.step == "stop" for entry in outcome.log):
        lines.append(f"stopped: {outcome.stopped}")
    from ..state.explain import carried
    from ..state.sheet import Sheet

    for role, character in outcome.characters.items():
        conditions = [line for line in carried(Sheet(rules, character)) if line]
        if conditions:
            name = f"{role} carries" if len(outcome.characters) > 1 else "carries"
            lines.append(f"{name}: {'; '.join(conditions)}")
    return "\n".join(lines) or "nothing changes"


def spending_told(offered: Spending, limit: int) -> str:
    """The options by price, then full ways to spend the result."""
    if not offered.options:
        return "nothing can be bought with this"
    offers = sorted(offered.options, key=lambda one: (_price_key(one), one.title))
    lines = [f"{_prices(offer):<28} {offer.title}  ({offer.id})" for offer in offers]
    total = offered.total
    shown = offered.plans[:limit] if total <= offered.most else ()
    lines.append("")
    lines.append(f"{total:,} full way{'' if total == 1 else 's'} to spend it{':' if shown else ', too many to list'}")
    lines += ["  " + (", ".join(_bought(one) for one in plan) or "nothing") for plan in shown]
    if shown and total > len(shown):
        lines.append(f"  and {total - len(shown):,} more")
    return "\n".join(lines)


def _price_key(offer: Offer) -> tuple[int, str]:
    return (min(sum(price.values()) for price in offer.prices), _prices(offer))


def _prices(offer: Offer) -> str:
    return " or ".join(" + ".join(f"{amount} {symbol}" for symbol, amount in price.items()) for price in offer.prices)


def _bought(purchase: Purchase) -> str:
    return f"{purchase.id} ({', '.join(f'{amount} {symbol}' for symbol, amount in purchase.cost.items())})"


def actions_told(states: Sequence[ActionState]) -> str:
    """Every action, whether it is legal now, and why not."""
    width = max((len(state.id) for state in states), default=0)
    lines = []
    for state in states:
        cost = ", ".join(f"{amount} {slot}" for slot, amount in state.cost)
        mark = "yes" if state.allowed else "no "
        why = f": {state.reason}" if state.reason else ""
        lines.append(f"{mark}  {state.id:<{width}}  {state.title}{f' [{cost}]' if cost else ''}{why}")
    return "\n".join(lines) or "these rules have no actions"


def order_told(ranked: Order) -> str:
    """One line a place."""
    lines = []
    for place in ranked.places:
        who = " and ".join(place.names)
        if place.team is not None:
            who = f"{place.team} (any of {', '.join(place.may)})"
        lines.append(f"{place.rank:>3}. {who}  {', '.join(say(key) for key in place.keys)}")
    return "\n".join(lines)


def rule_told(rules: Rules, rule_id: str) -> str:
    """A rule whole: title, text, formulas as written, rows, source and ruling."""
    from ..search import said
    from ..state.explain import origin_of
    from ..state.shown import show

    rule = rules.rules[rule_id]
    lines = [f"{said(rule.get('title')) or rule_id}  ({rule_id}, {rule['kind']})"]
    if "text" in rule:
        lines.append(said(rule["text"]))
    lines += [f"  {name}: {text}" for name, text in rule.get("said", {}).items()]
    for name in ("formula",):
        bounds = rule.get("bounds", {}).get(name)
        if bounds:
            lines.append(
                f"  from {_end(bounds[0])} to {_end(bounds[1])}{' ' + rule['unit'] if rule.get('unit') else ''}"
            )
    if rule.get("roles"):
        lines.append(f"  characters: {', '.join(role for role, _ in rule['roles'])}")
    for spec in rule.get("params", ()):
        default = f", {show(spec['default'])} where not given" if "default" in spec else ""
        lines.append(f"  parameter {spec['name']}: {_spec(spec)}{default}")
    if "spec" in rule:
        lines.append(f"  {_spec(rule['spec'])}")
    lines += [_row(row) for row in rule.get("rows", ())]
    if source := rules.source_of(rule_id):
        lines.append(f"source: {source}")
    if "ruling" in rule:
        lines.append(f"ruling: {said(rule['ruling'])}")
    if rule.get("tags"):
        lines.append(f"tags: {', '.join(rule['tags'])}")
    lines += origin_of(rules.book, rule_id)
    at = rule.get("at")
    if at:
        lines.append(f"written in {at[0]}:{at[1]}")
    return "\n".join(lines)


def _row(row: Mapping[str, Any]) -> str:
    """A row of a table: its keys or condition, its title and text, its cells."""
    from ..search import said
    from ..state.shown import show

    keys = _at(row)
    if "when" in row:
        keys = show(row["when"])
    elif row.get("else"):
        keys = "else"
    told = [said(row[name]) for name in ("title", "text") if row.get(name)]
    cells = row.get("cells", ())
    told += [show(code) if name == "value" and len(cells) == 1 else f"{name} {show(code)}" for name, code in cells]
    told += [f"{_key(key)}: {show(code)}" for key, code in row.get("second", ())]
    return f"  {keys:<12} {', '.join(told) or row['id']}"


def _end(bound: Any) -> str:
    if bound is None:
        return "no limit"
    return f"{bound[1]}/{bound[2]}" if isinstance(bound, list) else str(bound)


def _spec(spec: Mapping[str, Any]) -> str:
    kind = spec.get("type", "int")
    if kind == "choice":
        return "one of " + ", ".join(spec.get("of", ()))
    ends = [say(spec[name]) if isinstance(spec.get(name), int) else None for name in ("min", "max")]
    span = f" {ends[0]} to {ends[1]}" if ends[0] is not None and ends[1] is not None else ""
    return str({"int": "whole number", "bool": "yes or no"}.get(kind, kind)) + span


def _at(row: Mapping[str, Any]) -> str:
    return ", ".join(_key(key) for key in row.get("at") or ())


def _key(key: Any) -> str:
    """A row's key as its author would write it."""
    match key:
        case [int() as low, None]:
            return f"{low}+"
        case [None, int() as high]:
            return f"..{high}"
        case [int() as low, int() as high]:
            return str(low) if low == high else f"{low}-{high}" if low >= 0 else f"{low}..{high}"
    return str(key)
