"""A small system with every kind, and helpers that read the pages made of it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from rulesdata_compiler import Compiled, compile_system, report
from rulesdata_compiler.reference import html_page, markdown_pages

VOID = {"meta", "br", "hr", "link", "img", "input"}

SYSTEM: dict[str, Any] = {
    "system": {
        "id": "lamp-house",
        "title": "Lamp house",
        "version": "1.0.0",
        "about": "Lamps, torches and alarms.",
        "sources": {"book": "The book"},
        "clock": {"turn": 1, "day": "100 turn"},
        "scenes": ["night"],
        "events": ["mended"],
        "stacking": {"worn": "highest"},
        "reference": {
            "chapters": [{"title": "Light", "rules": ["light", "oil", "check", "fate"]}, {"title": "Rest", "rules": ["mend"]}],
            "screens": {"gm_screen": ["light", "fate", "Might"]},
        },
    },
    "stats": {
        "Might": {"title": "Might", "text": "Raw might.", "min": 1, "max": 12, "source": "book"},
        "Calm": {"title": "Calm", "min": 0, "max": 6, "default": 0},
        "Lit": {"title": "Lit", "type": "bool", "default": "no"},
    },
    "derived": {
        "light": {
            "title": "Light",
            "text": "Comes from Might; now {8 + ceil(Might / 2)}.",
            "formula": "8 + ceil(Might / 2)",
            "unit": "lumens",
            "source": "book, p. 7",
            "ruling": "Rounded up.",
            "tags": ["bright"],
            "aliases": ["glow"],
            "examples": [{"title": "Odd", "given": {"Might": 3}, "expect": {"light": 10}}],
        },
        "guard": {"title": "Guard", "text": "What wards.", "formula": "Calm"},
        "ward": {"for_each": ["north", "south"], "title": "Ward (each)", "text": "A ward.", "formula": "Calm + 1"},
    },
    "tracks": {
        "oil": {"title": "Oil", "text": "What burns.", "max": "light", "start": "light", "resets": {"each": "day", "to": "light"}}
    },
    "dice": {
        "symbols": {
            "spark": {"title": "Spark", "letter": "s", "cancels": "soot"},
            "soot": {"title": "Soot", "letter": "o"},
        },
        "ember": {"title": "Ember die", "text": "Glows.", "faces": [[], ["spark"], ["spark", "spark"]], "upgrades_to": "flame"},
        "flame": {"title": "Flame die", "text": "Burns.", "faces": [["spark"], ["soot"]]},
    },
    "rolls": {
        "check": {
            "title": "Check",
            "text": "A throw.",
            "params": {"wind": {"type": "int", "min": 0, "max": 4, "default": 0, "title": "How hard it blows"}},
            "pool": {"ember": "Might", "flame": "wind"},
            "results": {"sparks": "net(spark)"},
            "tags": ["glint"],
        }
    },
    "tables": {
        "fate": {
            "title": "Fate",
            "text": "What the night says.",
            "roll": "1d6",
            "rows": {
                "still": {"at": "1-3", "title": "Still air", "text": "Nothing moves."},
                "gust": {"at": "4-6", "title": "A gust", "text": "Hold on.", "effect": [{"subtract": {"oil": 1}}]},
            },
        },
        "reach": {
            "title": "Reach",
            "text": "How far.",
            "by": {"lamp": {"type": "choice", "of": ["small", "large"]}, "metres": {"type": "int", "min": 1, "max": 9}},
            "value": "int",
            "rows": {"small": {"1-4": 3, "5-9": "none"}, "large": {"1-4": 5, "5-9": 2}},
        },
        "weather": {
            "title": "Weather",
            "text": "What to do.",
            "columns": {"worth": {"type": "int", "title": "Worth"}},
            "rows": {"bright": {"when": "Might > 6", "worth": 2, "title": "Bright"}, "dull": {"else": True, "worth": 1, "title": "Dull"}},
        },
    },
    "spends": {
        "flare": {"title": "Flare", "text": "More light.", "context": "glint", "cost": [{"spark": 2}], "effect": [{"add": {"oil": 1}}]},
        "glow_on": {"title": "Glow on", "text": "Less light.", "context": "glint", "cost": [{"spark": 1}], "repeatable": "yes"},
    },
    "bands": {
        "distance_bands": {
            "title": "Distances",
            "text": "Near and far.",
            "beyond": "none",
            "bands": {
                "near": {"title": "Near", "distance": 2},
                "off": {"title": "Off", "distance": 5, "moves": 1},
                "far": {"title": "Far", "distance": 9, "moves": 2},
            },
        }
    },
    "conditions": {
        "dazzled": {
            "title": "Dazzled",
            "text": "Sees little.",
            "stacking": "levels",
            "max": 3,
            "ends": ["night", "mended"],
            "modifiers": [{"value": "light", "add": -2, "at_least": 0, "stack": "worn"}, {"roll": ["glint"], "add": {"flame": 1}}],
            "each": {"turn": "end"},
            "effect": [{"subtract": {"oil": 1}}],
        }
    },
    "traits": {
        "hood": {
            "title": "Hood",
            "text": "Shades.",
            "params": {"rating": {"type": "int", "min": 0, "max": 4}},
            "modifiers": [{"value": "guard", "add": "rating", "stack": "worn"}],
        }
    },
    "environments": {"fog": {"title": "Fog", "text": "Thick.", "modifiers": [{"roll": ["glint"], "add": {"flame": 1}}]}},
    "actions": {
        "slots": {"move": {"title": "Move", "each": "turn", "free": 1, "cap": 2, "more": [{"id": "burn", "title": "Burn oil", "steps": [{"subtract": {"oil": 2}}]}]}},
        "wave": {"title": "Wave", "text": "Swing the lamp.", "slot": "move", "requires": [{"that": "oil > 0", "else": "No oil"}], "effect": [{"apply": "dazzled"}]},
    },
    "procedures": {
        "mend": {
            "title": "Mend",
            "text": "Sees to a lamp.",
            "roles": ["owner", "helper"],
            "params": {"amount": {"type": "int", "min": 0, "max": 9, "title": "Amount of oil"}},
            "steps": [
                {"let": {"room": "min(amount, 3)"}},
                {"when": "room > 2", "then": [{"add": {"oil": "room"}, "to": "owner"}], "else": [{"say": "Only {room}"}]},
                {"remove": "dazzled", "to": "helper", "when": "has(helper.dazzled)"},
            ],
            "results": {"given": "room"},
        }
    },
    "options": {"windy": {"title": "Windy", "text": "Wind counts.", "type": "bool", "default": "on"}},
}


def write(folder: Path, system: dict[str, Any]) -> Path:
    """The system as a folder; JSON is YAML."""
    import json

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "system.yaml").write_text(json.dumps({"system": system["system"]}, ensure_ascii=False, indent=1), encoding="utf-8")
    rest = {kind: rules for kind, rules in system.items() if kind != "system"}
    (folder / "rules.yaml").write_text(json.dumps(rest, ensure_ascii=False, indent=1), encoding="utf-8")
    return folder


def compiled(folder: Path, system: dict[str, Any] | None = None) -> Compiled:
    made = compile_system(str(write(folder, system or SYSTEM)))
    assert made.system is not None
    assert not made.findings.errors, report(made)
    return made


class Page(HTMLParser):
    """All that a browser would see: every start tag with its attributes, the text, and whether tags nest."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.badly: list[str] = []
        self.shown: list[str] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.badly.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.shown.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.shown).split())

    def ids(self) -> list[str]:
        return [str(attrs["id"]) for _, attrs in self.tags if "id" in attrs]

    def targets(self) -> list[str]:
        return [str(attrs["href"]) for tag, attrs in self.tags if tag == "a"]


__all__ = ["SYSTEM", "Page", "compiled", "html_page", "markdown_pages", "write"]
