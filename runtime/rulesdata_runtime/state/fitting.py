"""Values that people give, made to fit what a rule declares.

In: a spec of the artifact (of a stat, a parameter), a value of the right type or as text, and a scope for its bounds.
Out: the value in its type. One rule holds: what does not fit is an error that says what would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..answers_text import Number, Value, brief, hint, listed, number_from, span, whole
from ..errors import BadInput, UnknownName

if TYPE_CHECKING:
    from .rulebook import Rulebook
    from .scope import Scope

LIMIT = 2**53 - 1
TRUTHS = {"yes": True, "no": False, "on": True, "off": False, "true": True, "false": False}


def fit(spec: Mapping[str, Any], value: object, what: str, scope: Scope, *, ranged: bool = True) -> Value:
    """`value` in the type of `spec`; `what` names it in messages, `ranged` says whether bounds are looked at."""
    kind = spec.get("type", "int")
    match kind:
        case "int" | "fraction":
            found = number(value, what, fractions=kind == "fraction")
            if ranged:
                within(spec, found, what, scope)
            return found
        case "bool":
            truth = TRUTHS.get(value.casefold()) if isinstance(value, str) else value
            if not isinstance(truth, bool):
                raise BadInput(f"{what} is yes or no, not {brief(value)}")
            return truth
        case "text":
            if not isinstance(value, str):
                raise BadInput(f"{what} is a text, not {brief(value)}")
            return value
        case "choice":
            choices = tuple(spec.get("of", ()))
            if not isinstance(value, str) or value not in choices:
                raise BadInput(f"{what} is {listed(choices, 'or')}, not {brief(value)}.{hint(value, choices)}")
            return str(value)
        case _:
            return _named(spec, value, what, scope.sheet.book)


def number(value: object, what: str, *, fractions: bool = False) -> Number:
    """A whole number, or with `fractions` any exact one."""
    found = number_from(value) if isinstance(value, str) else value
    if isinstance(found, bool) or not isinstance(found, (int, Fraction)):
        kind = "a number" if fractions else "a whole number"
        more = "; write 7/2 or the text '3.5', which are exact" if isinstance(value, float) else ""
        raise BadInput(f"{what} is {kind}, not {brief(value)}{more}")
    found = whole(found)
    if not within_limit(found):
        raise BadInput(f"{what} is beyond 9,007,199,254,740,991 (2^53 - 1), which no value may be")
    if isinstance(found, Fraction) and not fractions:
        raise BadInput(f"{what} is a whole number, not {found}")
    return found


def within_limit(value: object) -> bool:
    """Whether a value, if it is a number, is one that values may be."""
    return not isinstance(value, int | Fraction) or max(abs(value.numerator), value.denominator) <= LIMIT


def within(spec: Mapping[str, Any], value: Number, what: str, scope: Scope) -> None:
    low = scope.run(spec["min"]) if "min" in spec else None
    high = scope.run(spec["max"]) if "max" in spec else None
    if (low is not None and value < low) or (high is not None and value > high):
        raise BadInput(f"{what} is {span(low, high)}, not {value}")


def fit_all(
    specs: Iterable[Mapping[str, Any]], given: Mapping[str, object], what: str, scope: Scope
) -> dict[str, Value]:
    """Every parameter of `what` with its value: given, or its default. They are put into `scope` one by one, so that
    a later one may read an earlier one."""
    specs = tuple(specs)
    names = [spec["name"] for spec in specs]
    for name in given:
        if name not in names:
            takes = f"it has {listed(names)}" if names else "it takes none"
            raise UnknownName(f"{what} has no parameter {name}; {takes}.{hint(name, names)}")
    found: dict[str, Value] = {}
    for spec in specs:
        name = spec["name"]
        if name in given:
            found[name] = fit(spec, given[name], f"{name} of {what}", scope)
        elif "default" in spec:
            found[name] = scope.run(spec["default"])
        else:
            raise BadInput(f"{what} needs {name} ({wanted(spec)})")
        scope[name] = found[name]
    return found


def wanted(spec: Mapping[str, Any]) -> str:
    """What a value of `spec` is, in a few words."""
    kind = str(spec.get("type", "int"))
    if kind == "choice":
        return listed(spec.get("of", ()), "or")
    return {"int": "a whole number", "fraction": "a number", "bool": "yes or no"}.get(kind, f"a {kind}")


_KINDS = {"stat": ("stat", "derived"), "track": ("track",), "condition": ("condition",), "trait": ("trait",)}


def _named(spec: Mapping[str, Any], value: object, what: str, book: Rulebook) -> str:
    """The id of a rule: a stat or track of a list, or a condition or trait with one of some tags."""
    kind, among = spec["type"], tuple(spec.get("of", ()))
    known = book.of_kind(*_KINDS[kind])
    if among and kind in ("stat", "track"):
        known = {name: rule for name, rule in known.items() if name in among}
    elif among:
        known = {name: rule for name, rule in known.items() if set(among) & set(rule.get("tags", ()))}
    if not isinstance(value, str) or value not in known:
        tagged = f" with the tag {listed(among, 'or')}" if among and kind in ("condition", "trait") else ""
        raise BadInput(f"{what} is a {kind}{tagged}, not {brief(value)}.{hint(value, known)}")
    return value
