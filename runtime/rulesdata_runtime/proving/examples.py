"""Worked examples: what a rule says must come out, played and compared.

In: the rules, a rule's id and one of its examples as the artifact holds it. Out: `Verdict`, with every expectation
that was not met. The one rule: an example is played through the same calls that people use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import RulesError
from ..formulas.dice import GivenDice
from ..records import dataclass, field, replace
from ..rules import Rules
from ..state.active import active
from ..state.character import Character
from ..state.sheet import Sheet
from .agreement import agree, written
from .example_cases import cases, sets_options, with_options

ALONE = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One expectation that was not met, as people would write the two values."""

    name: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an example came out. `error` is what the play ended with, where none was expected."""

    rule: str
    title: str
    place: str | None
    differences: tuple[Difference, ...] = ()
    error: str | None = None
    results: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fine(self) -> bool:
        return not self.differences and self.error is None

    def sentence(self) -> str:
        """What was not met, in one line."""
        if self.error is not None:
            return self.error
        return "; ".join(f"{one.name} is {one.actual}, not {one.expected}" for one in self.differences)


def all_examples(rules: Rules) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    """Every worked example: the rule's id, its place in the rule's list, and the example."""
    for rule_id, rule in rules.rules.items():
        in_force = rules.book.in_force(rule)
        for number, example in enumerate(rule.get("examples", ())):
            if in_force or sets_options(example):
                yield rule_id, number, example


def play_example(rules: Rules, rule_id: str, example: Mapping[str, Any]) -> Verdict:
    """Play one example and compare; of several cases, up to the first that does not come out."""
    verdict = Verdict(rule_id, example.get("title") or rule_id, None)
    try:
        rules, example = with_options(rules, example)
        every = cases(example)
    except RulesError as problem:
        at = example.get("at")
        return Verdict(rule_id, verdict.title, ":".join(map(str, at)) if at else None, error=problem.message)
    for number, case in enumerate(every, 1):
        verdict = _play(rules, rule_id, case, f", case {number}" if len(every) > 1 else "")
        if not verdict.fine:
            break
    return verdict


def _play(rules: Rules, rule_id: str, example: Mapping[str, Any], which: str) -> Verdict:
    at = example.get("at")
    title = (example.get("title") or rule_id) + which
    place = ":".join(map(str, at)) if at else None
    wanted_error = example.get("expect_error")
    stage = _Stage(rules, rule_id, example)
    try:
        stage.play()
        differences = (*stage.compare(example.get("expect", {})), *stage.compare_cells(example.get("cells", {})))
    except RulesError as problem:
        message = problem.message
        if wanted_error is None:
            return Verdict(rule_id, title, place, error=message)
        if wanted_error not in message:
            return Verdict(rule_id, title, place, (Difference("the error", wanted_error, message),))
        return Verdict(rule_id, title, place)
    if wanted_error is not None:
        return Verdict(rule_id, title, place, (Difference("the error", wanted_error, "none"),))
    return Verdict(rule_id, title, place, differences, results=stage.results)


class _Shared(GivenDice):
    """Dice given once for several moves: only the end of the example looks whether all were used."""

    def finish(self) -> None:
        return

    def used_up(self) -> None:
        """Every die must have been used. Raises BadInput."""
        super().finish()


class _Stage:
    """One example under way: who is there, what came out so far."""

    def __init__(self, rules: Rules, rule_id: str, example: Mapping[str, Any]) -> None:
        self.rules = rules
        self.rule_id = rule_id
        self.rule = rules.rules[rule_id]
        self.example = example
        self.kind = rules.book.kind(rule_id)
        self.cast: dict[str, Character] = {}
        self.results: dict[str, Any] = {}
        self.dice = _Shared(example.get("dice", ()))

    # --- playing ------------------------------------------------------------------------------------------------

    def play(self) -> None:
        roles = [name for name, _ in self.rule.get("roles", ())]
        self.cast = self._cast(roles)
        own = {"with": self.example.get("with", {}), "choices": self.example.get("choices", {})}
        moves = self.example.get("play")
        if moves is None and "cells" in self.example and "expect" not in self.example:
            return
        if moves is None:
            self._own_move(dict(own["with"]), dict(own["choices"]))
        else:
            for move in moves:
                self._move({**own, **move} if len(moves) == 1 else move)
        self.dice.used_up()

    def _cast(self, roles: list[str]) -> dict[str, Character]:
        """Characters from `given`: by role (`target: {...}`, `target.might`) or one alone."""
        given: dict[str, dict[str, Any]] = {}
        first = roles[0] if roles else ALONE
        for name, value in self.example.get("given", {}).items():
            role, dot, inner = name.partition(".")
            if name in roles and isinstance(value, Mapping):
                given.setdefault(name, {}).update(value)
            elif dot and role in roles:
                given.setdefault(role, {})[inner] = value
            else:
                given.setdefault(first, {})[name] = value
        for role in roles or [first]:
            given.setdefault(role, {})
        for role, kind in self.rule.get("roles", ()):
            if kind:
                given[role].setdefault("sheet", kind)
        ordered = {role: given[role] for role in (roles or [first])}
        return {role: self.rules.character(**values) for role, values in ordered.items()}

    @property
    def hero(self) -> Character:
        return next(iter(self.cast.values()))

    def _own_move(self, names: dict[str, Any], choices: dict[str, Any]) -> None:
        """What the kind of a rule is for."""
        match self.kind:
            case "procedure":
                self._move({"run": self.rule_id, "with": names, "choices": choices})
            case "roll":
                self._move({"roll": self.rule_id, "with": names, "choices": choices})
            case "action":
                self._move({"act": self.rule_id, "with": names, "choices": choices})
            case "table":
                self._move({"roll_on": self.rule_id, "with": names, "choices": choices})
            case "spend":
                self._spend(names, choices)
            case "bands":
                self._band(names)
            case _ if names:
                self._keep(names)

    def _move(self, move: Mapping[str, Any]) -> None:
        names = move.get("with", {})
        choices = move.get("choices", {})
        match move:
            case {"advance": str(unit)}:
                outcome = self.rules.advance(self.hero, unit, move.get("count", 1), dice=self.dice, choices=choices)
                self._after(outcome)
            case {"act": str(action)}:
                self._after(
                    self.rules.act(self.hero, action, dice=self.dice, choices=choices, **self._others(action), **names)
                )
            case {"run": str(procedure)}:
                roles = self._roles_of(procedure)
                named = {role: self.cast[role] for role in roles if role in self.cast}
                first = () if named else (self.hero,)
                self._after(self.rules.run(procedure, *first, dice=self.dice, choices=choices, given=names, **named))
            case {"roll": str(roll)}:
                rolled = self.rules.roll(roll, self.hero, dice=self.dice, choices=choices, given=names)
                self._rolled(rolled)
            case {"roll_on": str(table)}:
                self._table(table, dict(names), choices)
            case _:
                raise RulesError(f"an example cannot do {', '.join(map(str, move))}")

    def _others(self, action: str) -> dict[str, Character]:
        roles = self._roles_of(action)
        return {role: self.cast[role] for role in roles[1:] if role in self.cast}

    def _roles_of(self, rule_id: str) -> list[str]:
        return [name for name, _ in self.rules.rules.get(rule_id, {}).get("roles", ())]

    def _after(self, outcome: Any) -> None:
        roles = list(self.cast)
        if outcome.character is not None:
            self.cast[roles[0]] = outcome.character
        for role, character in outcome.characters.items():
            if role in self.cast or role in [name for name, _ in self.rule.get("roles", ())]:
                self.cast[role] = character
        self._table_is(outcome.table)
        self._keep(outcome.results)
        if outcome.stopped is not None:
            self.results["stopped"] = outcome.stopped
        self.results["log"] = "\n".join(entry.text for entry in outcome.log)

    def _table_is(self, table: Character | None) -> None:
        """What the table keeps is read, and goes on, with the first of the cast."""
        if table is not None:
            first = next(iter(self.cast))
            hero = self.cast[first]
            self.cast[first] = replace(hero, tracks={**hero.tracks, **table.tracks})

    def _rolled(self, rolled: Any) -> None:
        if rolled.character is not None:
            self.cast[next(iter(self.cast))] = rolled.character
        self._table_is(rolled.table)
        self._keep(rolled.results)
        self.results["total"] = rolled.total
        if rolled.row is not None:
            self._keep({name: value for name, value in rolled.row.items() if name not in {"id", "title", "text"}})
            self.results["row"] = rolled.row.get("id")
        if rolled.symbols is not None:
            self.results["symbols"] = rolled.symbols

    def _table(self, table: str, names: dict[str, Any], choices: Mapping[str, Any]) -> None:
        if self.rules.rules[table].get("form") in {"by", "by_two", "decision"}:
            self._looked_up(table, names)
            return
        self._rolled(self.rules.roll_on(table, self.hero, dice=self.dice, choices=choices, **names))

    def _looked_up(self, table_id: str, names: Mapping[str, Any]) -> None:
        """A table that is read and not rolled on: its cell as `value`, and of a row also its id and columns."""
        from ..play.at_table import fit_keys
        from ..play.tables import looked_up, lookup, table_of

        table = table_of(self.rules.book, table_id)
        scope = Sheet(self.rules, self.hero).frame()
        specs = [*table.by, *table.params]
        keys = fit_keys(table, [names[spec["name"]] for spec in specs if spec["name"] in names], scope)
        if table.form != "by_two":
            inner, row = looked_up(scope, table, keys)
            self.results["row"] = None if row is None else row["id"]
            told = {} if row is None else table.told(inner, row)
            self._keep({name: cell for name, cell in told.items() if name not in {"id", "title"}})
            if len(table.columns) > 1:
                return
        self.results["value"] = lookup(scope, table_id, keys)

    def _spend(self, names: dict[str, Any], choices: dict[str, Any]) -> None:
        """Whether it can be bought from the symbols of `with`, and how many others can; where it can, it is bought.
        Choices by the name of the context are bought instead, all of them or none."""
        context = self.rule["context"][0]
        offered = self.rules.spend(context, self.hero, **names)
        self.results["affordable"] = any(offer.id == self.rule_id for offer in offered.options)
        self.results["options"] = len(offered.options)
        if context in choices or self.results["affordable"]:
            others = dict(list(self.cast.items())[1:])
            wanted = choices.pop(context, [self.rule_id])
            outcome = self.rules.buy(context, wanted, self.hero, dice=self.dice, choices=choices, **others, **names)
            self._after(outcome)

    def _band(self, names: dict[str, Any]) -> None:
        start, end = names.pop("from", None), names.pop("to", None)
        if start is not None and end is not None:
            self.results["moves"] = self.rules.moves(self.rule_id, start, end, self.hero, **names)
        elif "distance" in names:
            self.results["band"] = self.rules.band(self.rule_id, names.pop("distance"), self.hero, **names)
        elif "band" in names:
            from ..play.at_table import bands_scope
            from ..play.bands import distance

            scope, params = bands_scope(self.rules, self.rule_id, self.hero, {})
            self.results["distance"] = distance(scope, self.rule_id, names["band"], params)

    def _keep(self, values: Mapping[str, Any]) -> None:
        self.results.update(values)

    # --- comparing ----------------------------------------------------------------------------------------------

    def compare(self, expected: Mapping[str, Any]) -> Iterator[Difference]:
        for name, wanted in expected.items():
            got = self.actual(name, wanted)
            told = name == "log" and isinstance(wanted, str) and wanted in got
            if not told and not agree(wanted, got):
                yield Difference(name, written(wanted), written(got))

    def compare_cells(self, cells: Mapping[str, Any]) -> Iterator[Difference]:
        """Many cells of a table: by a roll its row, by a key its cell, row or columns, by two keys the cell."""
        if not cells:
            return
        from ..play.tables import table_of

        table = table_of(self.rules.book, self.rule_id)
        for key, wanted in cells.items():
            if table.form == "by_two" and isinstance(wanted, Mapping):
                for second, cell in wanted.items():
                    got = self._cell(table, [key, second], cell)
                    if not agree(cell, got):
                        yield Difference(f"{key}, {second}", written(cell), written(got))
                continue
            got = self._cell(table, [key], wanted)
            if not agree(wanted, got):
                yield Difference(str(key), written(wanted), written(got))

    def _cell(self, table: Any, keys: list[Any], wanted: Any) -> Any:
        from ..play.at_table import fit_keys
        from ..play.tables import looked_up, lookup

        scope = Sheet(self.rules, self.hero).frame()
        fitted = fit_keys(table, keys, scope)
        if table.form == "by_two":
            return lookup(scope, self.rule_id, fitted)
        inner, row = looked_up(scope, table, fitted)
        if row is None or wanted == row["id"]:
            return None if row is None else row["id"]
        if isinstance(wanted, Mapping):
            return table.told(inner, row)
        if table.form in {"rolled", "weighted"} or len(table.columns) > 1:
            return row["id"]
        return table.cell(inner, row, None)

    def actual(self, name: str, wanted: Any) -> Any:
        """What stands under a name: a result, else a value of the character, or of a role with a dot."""
        if name in self.results:
            return self.results[name]
        role, dot, inner = name.partition(".")
        character = self.hero
        if dot and role in self.cast:
            name, character = inner, self.cast[role]
        sheet = Sheet(self.rules, character)
        if name in {"conditions", "traits", "environments"}:
            return self._carried(sheet, name, wanted)
        if dot and role not in self.cast:
            return sheet.frame().of(role, inner)
        return sheet.value(name)

    def _carried(self, sheet: Sheet, kind: str, wanted: Any) -> list[Any]:
        """What is carried, implied ones not listed; levels told where the expectation tells them."""
        book = self.rules.book
        automatic = frozenset(book.automatic())
        held = [one for one in active(sheet, automatic) if book.kind(one.instance.id) == kind.removesuffix("s")]
        implied = {name for one in held for name in self._implied(sheet, one.instance) if one.suspended_by is None}
        told = {next(iter(item)) for item in wanted or () if isinstance(item, Mapping)}
        found: list[Any] = []
        for one in held:
            if one.instance.id in implied:
                continue
            if one.instance.id in told:
                found.append({one.instance.id: self._amount(one)})
            else:
                found.append(one.instance.id)
        return found

    def _implied(self, sheet: Sheet, instance: Any) -> Iterator[str]:
        from ..state.active import in_force
        from ..state.rulebook import ref_name

        rule = self.rules.rules[instance.id]
        for ref in in_force(rule, "implies", instance.level):
            yield ref_name(ref, sheet.frame(instance=instance))

    def _amount(self, one: Any) -> Any:
        """The level of a condition with levels, else what is left of it."""
        return one.instance.level if one.rule.get("stacking") == "levels" else one.instance.remaining
