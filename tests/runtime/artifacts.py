"""Builders for artifacts written by hand.

`f` reads a formula in Python's own spelling, so that a test shows what it means: `f("8 + ceil(Strength / 2)")`. It
stands in for the compiler and knows only what these tests need.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

Code = Any
_STATE = ("level", "remaining", "carried", "elapsed", "overflow")
_SIGNS: dict[type, str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}


def f(text: str) -> Code:
    """The code of a formula."""
    return _code(ast.parse(text, mode="eval").body)


def _code(node: ast.expr) -> Code:
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return ["get", name]
        case ast.Attribute(ast.Name(role), name):
            return ["of", role, name]
        case ast.Subscript(ast.Name(name), index):
            return ["member", name, _code(index)]
        case ast.BinOp(left, sign, right):
            name, parts = _SIGNS[type(sign)], [_code(left), _code(right)]
            return [name, parts] if name in "+*" else [name, *parts]
        case ast.UnaryOp(ast.USub(), operand):
            found = _code(operand)
            return -found if isinstance(found, int) else ["neg", found]
        case ast.UnaryOp(ast.Not(), operand):
            return ["not", _code(operand)]
        case ast.BoolOp(sign, values):
            return ["and" if isinstance(sign, ast.And) else "or", [_code(one) for one in values]]
        case ast.IfExp(test, body, orelse):
            return ["if", _code(test), _code(body), _code(orelse)]
        case ast.Compare(left, [sign], [right]):
            return [_SIGNS[type(sign)], _code(left), _code(right)]
        case ast.Compare(left, signs, rights):
            return ["chain", [_SIGNS[type(sign)] for sign in signs], [_code(one) for one in (left, *rights)]]
        case ast.Call(ast.Name("frac"), [ast.Constant(top), ast.Constant(bottom)]):
            return ["frac", top, bottom]
        case ast.Call(ast.Name("has"), [name], keywords):
            return ["has", _named(name), {str(one.arg): _code(one.value) for one in keywords}, None]
        case ast.Call(ast.Name("option"), [ast.Name(name)]):
            return ["option", name]
        case ast.Call(ast.Name("lookup"), [ast.Name(table), *keys]):
            return ["lookup", table, [_code(key) for key in keys], None]
        case ast.Call(ast.Name("d"), [count, ast.Constant(sides)]):
            return ["roll", _code(count), sides, {}]
        case ast.Call(ast.Name(name), [of]) if name in _STATE:
            return [name, _named(of), None]
        case ast.Call(ast.Name(name), parts):
            codes = [_code(part) for part in parts]
            return [name, codes] if name in ("min", "max") else [name, *codes]
    raise ValueError(ast.dump(node))


def _named(node: ast.expr) -> Code:
    return node.id if isinstance(node, ast.Name) else _code(node)


def ref(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, **more}


def mod(target: str, name: str | None = None, /, **more: Any) -> dict[str, Any]:
    """A modifier; a bare amount after a verb belongs to the plain value."""
    found: dict[str, Any] = {"target": target}
    if name is not None:
        found["ref"] = ref(name)
    for key, value in more.items():
        verb = key in ("set", "add", "multiply", "upgrade", "downgrade")
        pairs = value.items() if isinstance(value, dict) else [("", value)]
        found[key.rstrip("_")] = [[name, amount] for name, amount in pairs] if verb else value
    return found


def change(verb: str, track: str, amount: Code, **more: Any) -> dict[str, Any]:
    of, _, name = track.rpartition(".")
    named = ref(name, of=of) if of else ref(name)
    return {"step": "change", "verb": verb, "tracks": [[named, amount]], "at": ["rules.yaml", 1, 1], **more}


def apply(condition: str, **more: Any) -> dict[str, Any]:
    named = {"for" if key == "for_" else key: value for key, value in more.items()}
    return {"step": "apply", "ref": ref(condition), "at": ["rules.yaml", 1, 1], **named}


def say(text: str) -> dict[str, Any]:
    return {"step": "say", "text": text, "at": ["rules.yaml", 1, 1]}


def stat(low: int = 1, high: int = 6, **more: Any) -> dict[str, Any]:
    return {"spec": {"type": "int", "min": low, "max": high, **more}}


def ends(*events: str) -> list[dict[str, Any]]:
    return [{"what": "event", "names": list(events)}]


def each(unit: str, moment: str | None = None) -> list[dict[str, Any]]:
    return [{"unit": unit, "moment": moment} if moment else {"unit": unit}]


def artifact(header: Mapping[str, Any] | None = None, slots: Any = None, **kinds: Any) -> dict[str, Any]:
    """An artifact of these rules by kind; every rule has a place and, without one of its own, a title."""
    rules: dict[str, Any] = {}
    for kind, members in kinds.items():
        for rule_id, rule in members.items():
            rules[rule_id] = {"kind": kind, "at": ["rules.yaml", len(rules) + 1, 3], **rule}
            if kind in ("conditions", "traits", "environments", "actions"):
                rules[rule_id].setdefault("title", rule_id.replace("_", " ").capitalize())
            if kind == "conditions":
                rules[rule_id].setdefault("stacking", "ignore")
    system = {
        "id": "demo",
        "title": "Demo",
        "version": "1.0.0",
        "clock": [["turn", None], ["minute", [20, "turn"]], ["hour", [60, "minute"]], ["day", [24, "hour"]]],
        "scenes": ["encounter"],
        "events": ["treated"],
        "stacking": [["best", "highest"], ["worst", "lowest"], ["all", "sum"], ["each_once", "once"]],
        **(header or {}),
    }
    return {
        "format": "rulesdata",
        "version": [1, 0],
        "fingerprint": "one",
        "system": system,
        "rules": rules,
        "slots": slots or {},
    }
