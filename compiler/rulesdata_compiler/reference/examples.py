"""Worked examples with their results, as lines.

In: the examples of a rule. Out: `ExampleView`s: what is given, and what comes out. The one rule: names are those of
the sheet and the rules, as titles; values are what the author wrote.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import model
from ..lower import example_value
from .names import Names, spaced, value_words
from .view import ExampleView, Run, joined, run

_LISTS = {"conditions", "traits", "environments"}


class Examples:
    """Words the examples of one rule."""

    def __init__(self, names: Names, own: dict[str, str]) -> None:
        self._names = names
        self._own = own

    def view(self, example: model.Example) -> ExampleView:
        parts: list[Run] = []
        given = self._pairs(example.given, sheet=True)
        told = self._pairs(example.with_, sheet=False)
        if given:
            parts.append(given)
        if told:
            parts.append(run("with ", told))
        if example.choices:
            parts.append(run("choosing ", self._choices(example.choices)))
        parts += [self._move(move) for move in example.play]
        if example.dice:
            dice = ", ".join(str(each) for each in example.dice)
            parts.append(run(f"dice {dice}" if len(example.dice) > 1 else f"die {dice}"))
        return ExampleView(example.title or "", joined(parts, "; "), self._result(example))

    def _result(self, example: model.Example) -> Run:
        if example.expect_error is not None:
            return run(f"refused: {example.expect_error}")
        found = self._pairs(example.expect, sheet=False)
        cells = joined([self._cells(key, value) for key, value in example.cells], "; ")
        return joined([part for part in (found, cells) if part], "; ") or run("nothing further")

    def _cells(self, key: str, value: object) -> Run:
        """The cells of a table below one key: `small 1: 3, 5: none`, or the key's own."""
        held = example_value(value)
        if not isinstance(held, dict):
            return run(f"{spaced(key)}: {self._word(value)}")
        return run(
            f"{spaced(key)} ", ", ".join(f"{spaced(str(inner))}: {value_words(each)}" for inner, each in held.items())
        )

    def _pairs(self, pairs: Iterable[tuple[str, object]], *, sheet: bool) -> Run:
        return joined([self._pair(name, value, sheet) for name, value in pairs])

    def _pair(self, name: str, value: object, sheet: bool) -> Run:
        role, _, last = name.rpartition(".")
        held = example_value(value)
        before = f"{spaced(role)}’s " if role else ""
        if last in _LISTS and isinstance(held, list | tuple):
            return run(before + last, " ", self._carried(held))
        if isinstance(held, dict) and not role and not sheet:
            return run(f"{self._name(last)} ", value_words(value))
        if isinstance(held, dict):
            inner = joined([self._pair(str(key), each, True) for key, each in held.items()])
            return run(f"{self._name(last)}: ", inner or "as it comes")
        return run(f"{before}{self._name(last)} ", self._word(value))

    def _carried(self, held: Iterable[Any]) -> Run:
        """What somebody carries: `Lit, Dimmed 2`."""
        made: list[Run] = []
        for each in held:
            if isinstance(each, dict):
                made += [run(self._title(str(key)), self._details(value)) for key, value in each.items()]
            else:
                made.append(run(self._title(str(each))))
        return joined(made) or run("none")

    def _details(self, value: Any) -> str:
        if value is None or value is True or value == {}:
            return ""
        return f" {value_words(value)}" if isinstance(value, int | str) else f" ({value_words(value)})"

    def _word(self, value: object) -> str:
        text = value_words(value)
        return spaced(text) if text.isidentifier() else text

    def _name(self, name: str) -> str:
        return self._own.get(name) or self._title(name)

    def _title(self, name: str) -> str:
        return self._names.title(name)

    def _choices(self, choices: Iterable[tuple[str, object]]) -> Run:
        return joined([run(f"{spaced(name)}: ", self._word(value)) for name, value in choices])

    def _move(self, move: model.Move) -> Run:
        name = self._title(move.name)
        match move.verb:
            case "advance":
                line = run(f"{move.count} {name}s pass" if move.count != 1 else f"a {name} passes")
            case "act":
                line = run(name)
            case "roll_on":
                line = run(f"roll on {name}")
            case verb:
                line = run(f"{spaced(verb)} {name}")
        told = self._pairs(move.with_, sheet=False)
        chosen = self._choices(move.choices)
        line = run(line, " with ", told) if told else line
        return run(line, ", choosing ", chosen) if chosen else line
