"""A small made-up system with something of everything that play needs, written by hand."""

from __future__ import annotations

from typing import Any

from rulesdata_runtime.rules import Rules

from .artifacts import Code, apply, artifact, change, ends, f, mod, ref, say, stat

AT = ["rules.yaml", 7, 5]


def step(kind: str, /, **fields: Any) -> dict[str, Any]:
    """A step; `as_`, `with_`, `else_` without the stroke."""
    return {"step": kind, "at": AT, **{name.rstrip("_"): value for name, value in fields.items()}}


def let(name: str, formula: str) -> dict[str, Any]:
    return step("let", names=[[name, f(formula)]])


def roll(roll_id: str, as_: str | None = None, **fields: Any) -> dict[str, Any]:
    named = {"as": as_} if as_ else {}
    return step("roll", ref=ref(roll_id), **named, **fields)


def roll_on(table: str, **fields: Any) -> dict[str, Any]:
    return step("roll_on", ref=ref(table), **fields)


def run(procedure: str, **fields: Any) -> dict[str, Any]:
    return step("run", ref=ref(procedure), **fields)


def with_(**formulas: str) -> list[list[Code]]:
    return [[name, f(formula)] for name, formula in formulas.items()]


def when(formula: str, *then: dict[str, Any], else_: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    more = {"else": else_} if else_ else {}
    return {"step": "when", "at": AT, "when": f(formula), "then": list(then), **more}


def remove(condition: str, **fields: Any) -> dict[str, Any]:
    return step("remove", ref=ref(condition), **fields)


def field(base: str, name: str) -> Code:
    return ["field", base, name]


def whole(name: str, low: Code = None, high: Code = None, **more: Any) -> dict[str, Any]:
    """A parameter that is a whole number."""
    found: dict[str, Any] = {"name": name, "type": "int", **more}
    if low is not None:
        found["min"] = low
    if high is not None:
        found["max"] = high
    return found


def choice(name: str, *of: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": "choice", "of": list(of), **more}


STATS = {
    "Strength": stat(),
    "Will": stat(),
    "Luck": stat(0, 6, default=2),
    "Kind": {"spec": {"type": "choice", "of": ["big", "small"], "default": "big"}},
}
DERIVED = {
    "boxes": {"formula": f("8 + ceil(Strength / 2)"), "title": "Boxes", "unit": "boxes", "source": [{"id": "book"}]},
    "double": {"formula": f("2 * boxes + Luck"), "title": "Double"},
    "armour": {"formula": 0, "max": 4, "title": "Armour"},
    "hurt_dice": {"formula": f("0 - floor(wounds / 3)"), "title": "Dice lost"},
    "shaky": {"formula": f("2 + wounds"), "title": "Shaky"},
    "tired": {"formula": f("1 if has(weary) else 0"), "title": "Tired"},
}
TRACKS = {
    "wounds": {"max": f("boxes"), "start": 0, "title": "Wounds", "over": {"name": "beyond"}},
    "beyond": {"max": 99, "start": 0, "title": "Beyond"},
    "strain": {"max": f("Will + 1"), "start": 0, "title": "Strain", "resets": [{"each": ["day"], "to": 0}]},
    "lamps": {"max": 9, "start": 3, "title": "Lamps", "over": "error"},
    "story": {"max": 10, "start": 5, "title": "Story", "scope": "table"},
}
CONDITIONS = {
    "weary": {"title": "Weary", "stacking": "levels", "max": 3, "ends": ends("rest"), "tags": ["lasting"]},
    "dazed": {
        "title": "Dazed",
        "stacking": "longest",
        "lasts": {"unit": "turn"},
        "modifiers": [mod("roll", tags=["test"], add={"pool": -2})],
    },
    "aimed": {
        "title": "Aimed",
        "stacking": "levels",
        "max": 2,
        "ends": [{"what": "after_roll", "names": ["test"]}],
        "modifiers": [mod("roll", tags=["test"], add={"pool": f("level(aimed)")})],
    },
    "hidden": {
        "title": "Hidden",
        "ends": ends("treated"),
        "modifiers": [mod("against", tags=["test"], add={"pool": -1})],
    },
    "crushed": {
        "title": "Crushed",
        "while": f("wounds >= 6"),
        "entry": [say("Down"), change("add", "strain", 1)],
        "modifiers": [mod("value", "shaky", add=5)],
    },
    "cut": {"title": "Cut", "never": True, "tags": ["wound"]},
    "burn": {"title": "Burn", "never": True, "tags": ["wound"]},
    "gagged": {"title": "Gagged", "never": True, "modifiers": [{**mod("roll", tags=["loud"]), "forbid": True}]},
    "slowed": {"title": "Slowed", "stacking": "separate", "params": [whole("by", 1, 3)], "never": True},
}
TRAITS = {
    "vest": {
        "title": "Vest",
        "tags": ["worn"],
        "tracks": [{"id": "sp", "max": 15, "start": 11}],
        "modifiers": [mod("value", "armour", add=2, stack="best")],
    },
    "hood": {"title": "Hood", "tags": ["worn"], "tracks": [{"id": "sp", "max": 9, "start": 4}]},
}
DICE = {
    "good": {"faces": [[], ["hit"], ["hit", "edge"], ["edge", "edge"], ["star"], ["hit"]], "upgrades_to": "great"},
    "great": {"faces": [["hit", "hit"], ["star"]]},
    "bad": {"faces": [[], ["miss"], ["miss", "harm"], ["harm"]]},
}
SYMBOLS = {
    "hit": {"cancels": "miss", "letter": "h"},
    "miss": {"letter": "m"},
    "edge": {"cancels": "harm", "letter": "e"},
    "harm": {"letter": "a"},
    "star": {"counts_as": ["hit"], "letter": "s"},
}
ROLLS: dict[str, Any] = {
    "test": {
        "title": "Test",
        "tags": ["test"],
        "params": [whole("pool", 0, 20)],
        "let": [["thrown", f("d(pool, 6)")]],
        "results": [["hits", ["count", ["get", "thrown"], [">="], [5]]], ["good", f("hits >= 2")]],
    },
    "loud_test": {"like": "test", "title": "Loud test", "tags": ["test", "loud"]},
    "check": {
        "title": "Check",
        "params": [whole("skill", 0, 10), whole("dv", 0, 30, default=10)],
        "let": [["die", f("sum(d(1, 10))")], ["more", f("sum(d(1, 10)) if die == 10 else 0")]],
        "value": f("skill + die + more"),
        "results": [["success", f("value > dv")]],
    },
    "strike": {
        "title": "Strike",
        "tags": ["fight"],
        "params": [whole("skill", 0, 5), whole("hard", 0, 5)],
        "pool": [["good", f("skill")], ["bad", f("hard")]],
        "upgrade": [["good", f("min(1, skill)")]],
        "results": [
            ["hits", ["net", ["get", "pool"], "hit"]],
            ["edge", ["net", ["get", "pool"], "edge"]],
            ["lands", f("hits >= 1")],
        ],
    },
    "initiative": {
        "title": "Initiative",
        "value": f("Will + sum(d(1, 6))"),
        "ranking": {"by": [f("value"), f("Strength")], "ties": "choose"},
    },
    "draw_lots": {"title": "Lots", "value": f("d(1, 6)"), "ranking": {"by": [f("value")], "ties": "reroll"}},
    "rush": {
        "title": "Rush",
        "value": f("d(1, 6)"),
        "ranking": {"by": [f("value")], "ties": "choose", "slots": "team"},
    },
    "march": {"title": "March", "value": f("d(1, 6)"), "ranking": {"by": [f("value")], "ties": "together"}},
}


def rows(**found: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"id": row_id, **row} for row_id, row in found.items()]


TABLES: dict[str, Any] = {
    "mishap": {
        "form": "rolled",
        "title": "Mishap",
        "roll": f("sum(d(1, 6)) + wounds"),
        "above": "last",
        "columns": [choice("how_bad", "easy", "hard")],
        "rows": rows(
            nothing={"at": [[1, 2]], "title": "Nothing", "cells": [["how_bad", "easy"]]},
            stumble={
                "at": [[3, 5]],
                "title": "Stumble",
                "cells": [["how_bad", "hard"]],
                "effect": [change("add", "strain", f("result - 2"))],
            },
            worse={"at": [[6, 6]], "title": "Worse", "cells": [["how_bad", "hard"]], "again": {"times": 2}},
        ),
    },
    "injury": {
        "form": "rolled",
        "title": "Injury",
        "roll": f("d(1, 2)"),
        "may_be_given": True,
        "columns": [{"name": "condition", "type": "condition"}],
        "again": {"when": ["has", ["field", "row", "condition"], {}, None], "at_most": 3, "then": "none"},
        "rows": rows(
            cut={"at": [[1, 1]], "cells": [["condition", "cut"]], "effect": [apply("cut")]},
            burn={"at": [[2, 2]], "cells": [["condition", "burn"]], "effect": [apply("burn")]},
        ),
    },
    "gap": {
        "form": "rolled",
        "title": "Gap",
        "roll": f("d(1, 6)"),
        "rows": rows(low={"at": [[1, 3]]}, high={"at": [[5, 6]]}),
    },
    "both": {
        "form": "rolled",
        "title": "Both",
        "roll": f("d(1, 6)"),
        "overlap": True,
        "rows": rows(a={"at": [[1, 6]], "effect": [say("a")]}, b={"at": [[4, None]], "effect": [say("b")]}),
    },
    "spot": {
        "form": "rolled",
        "title": "Spot",
        "roll": ["sum", ["digits", [6, 6]]],
        "rows": rows(low={"at": [[11, 36]]}, high={"at": [[41, 66]]}),
    },
    "weather": {
        "form": "weighted",
        "title": "Weather",
        "rows": rows(dry={"weight": 3}, rain={"weight": f("Luck")}, snow={"weight": 1}),
    },
    "fall_damage": {
        "form": "by",
        "title": "Fall",
        "by": [whole("metres")],
        "columns": [whole("value")],
        "below": "none",
        "rows": rows(
            low={"at": [[1, 2]], "cells": [["value", 2]]},
            mid={"at": [[3, 6]], "cells": [["value", 4]]},
            high={"at": [[7, None]], "cells": [["value", f("6 + ceil((metres - 8) / 2)")]]},
        ),
    },
    "range": {
        "form": "by_two",
        "title": "Range",
        "by": [choice("tool", "sling", "bow"), whole("metres")],
        "columns": [whole("value")],
        "rows": rows(
            sling={"at": ["sling"], "second": [[[0, 6], 13], [[7, 12], f("metres + 3")], [[13, None], None]]},
            bow={"at": ["bow"], "second": [[[0, 30], 15]]},
        ),
    },
    "care": {
        "form": "decision",
        "title": "Care",
        "columns": [whole("hardness"), {"name": "note", "type": "text"}],
        "rows": rows(
            easy={"when": f("wounds <= 2"), "cells": [["hardness", 1], ["note", "light"]]},
            hard={"else": True, "cells": [["hardness", f("wounds")], ["note", "grave"]]},
        ),
    },
    "omens": {
        "form": "rolled",
        "title": "Omens",
        "roll": f("d(1, 2)"),
        "rows": [
            {"id": "1", "at": [[1, 1]], "text": "A crow"},
            {"id": "2", "at": [[2, 2]], "text": ["Luck is ", {"code": ["get", "Luck"], "said": "Luck"}]},
        ],
    },
    "spiral": {
        "form": "rolled",
        "title": "Spiral",
        "roll": f("d(1, 6)"),
        "rows": rows(all={"at": [[1, 6]], "effect": [change("add", "strain", 1), roll_on("spiral", at_most=2)]}),
    },
    "endless": {
        "form": "rolled",
        "title": "Endless",
        "roll": f("d(1, 6)"),
        "rows": rows(all={"at": [[1, 6]], "effect": [roll_on("endless")]}),
    },
}
SPENDS: dict[str, Any] = {
    "wound_more": {
        "title": "Wound more",
        "context": ["fight"],
        "cost": [[["edge", f("rating")]], [["star", 1]]],
        "params": [whole("rating", 1, 5, default=3)],
        "when": f("lands and target.Strength < 6"),
        "roles": [["owner", ""], ["target", ""]],
        "effect": [change("add", "target.wounds", f("rating"))],
    },
    "rest_a_bit": {
        "title": "Rest a bit",
        "context": ["fight"],
        "cost": [[["edge", 1]]],
        "repeatable": True,
        "effect": [change("subtract", "strain", 1)],
    },
    "show_off": {
        "title": "Show off",
        "context": ["fight"],
        "cost": [[["edge", 2]], [["star", 1]]],
        "effect": [say("Ha")],
    },
    "slip": {"title": "Slip", "context": ["trouble"], "cost": [[["harm", 1]]], "limit": 2, "effect": [say("Slip")]},
}
BANDS: dict[str, Any] = {
    "personal": {
        "title": "Ranges",
        "unit": "m",
        "beyond": "none",
        "bands": [
            {"id": "engaged", "distance": f("Strength"), "within": 0},
            {"id": "short", "distance": f("3 * Strength"), "moves": 1, "within": 1},
            {"id": "medium", "distance": f("6 * Strength"), "moves": 1},
            {"id": "long", "distance": f("12 * Strength"), "moves": 2},
        ],
    },
    "scaled": {
        "title": "Scaled",
        "measured": f("scale > 0"),
        "params": [whole("scale", 0, 9, default=1)],
        "bands": [{"id": "near", "distance": f("10 * scale")}, {"id": "far", "distance": f("20 * scale"), "moves": 1}],
    },
    "vague": {"title": "Vague", "bands": [{"id": "here"}, {"id": "there", "moves": 1}]},
}
OPTIONS = {
    "gritty": {"spec": {"name": "gritty", "type": "bool", "default": False}},
    "per": {"spec": {"name": "per", "type": "int", "default": 25}},
}


def system(procedures: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """The whole system, with these procedures; `changes` add to or replace rules of a kind."""
    kinds: dict[str, Any] = {
        "stats": STATS,
        "derived": DERIVED,
        "tracks": TRACKS,
        "conditions": CONDITIONS,
        "traits": TRAITS,
        "dice": DICE,
        "rolls": ROLLS,
        "tables": TABLES,
        "spends": SPENDS,
        "bands": BANDS,
        "options": OPTIONS,
        "procedures": procedures or {},
    }
    for kind, more in changes.items():
        kinds[kind] = {**kinds.get(kind, {}), **more}
    made = artifact({"events": ["treated", "rest"], "sources": [["book", "The book"]]}, **kinds)
    return {**made, "symbols": SYMBOLS}


def rules(procedures: dict[str, Any] | None = None, **changes: Any) -> Any:
    """Rules; of any type, so that tests may look at what comes out without asking whether it is there."""
    return Rules(system(procedures, **changes))


def steps(*found: dict[str, Any], **more: Any) -> Any:
    """Rules with one procedure, `go`, of these steps."""
    return rules({"go": {"title": "Go", "steps": list(found), **more}})
