"""The rules, open and ready: everything a program at the table asks of them.

In: an artifact. Out: values and their reasons, characters, rolls, procedures run, time passed. One rule holds: nothing
a caller passes in is ever changed; characters are values, and new ones come out.

Names of a call may be parameters, roles (a character), answers to choices and questions, or stats and tracks of the
character meant; what is none of these is refused. `dice` are chance (None), a seed, a `random.Random`, or the numbers
that people rolled. What is needed for play alone is imported when it is first used: asking for a value should not wait
for it.
"""

from __future__ import annotations

from .errors import BadInput, RulesError, UnknownName
from .play.doors import checked, id_of
from .play.plans import Plan, Plans

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

    from .formulas.symbols import DiceRules
    from .play.bare import BareRoll
    from .play.bare_tables import BareTable
    from .play.order import Order
    from .play.outcome import Outcome
    from .play.play import Question
    from .play.rolled import Rolled
    from .play.spends import Spending
    from .search import Found, Index
    from .state.actions import ActionState
    from .state.character import Character
    from .state.explain import Explanation
    from .state.rulebook import Rulebook

    Ask: TypeAlias = Callable[[Question], Any]
    Answers: TypeAlias = Mapping[str, Any]


class Rules:
    """A system of rules. `Rules(artifact)` takes plain data that is known to be whole; `Rules.open` checks."""

    def __init__(self, artifact: Mapping[str, Any]) -> None:
        self.artifact = artifact
        self.rules: Mapping[str, Mapping[str, Any]] = artifact.get("rules", {})
        self.notices: tuple[str, ...] = ()
        self._plans: dict[str, Plan | None] = {}
        self._functions: dict[str, Callable[[Mapping[str, Any]], Any]] = {}
        self._planned: Plans | None = None
        self._book: Rulebook | None = None
        self._dice_rules: DiceRules | None = None
        self._rolls: dict[str, BareRoll | BareTable | None] = {}
        self._index: Index | None = None
        self._sources: dict[str, str | None] = {}

    @classmethod
    def open(cls, source: bytes | str | Mapping[str, Any] | os.PathLike[str]) -> Rules:
        """The rules of an artifact: its path, bytes or text; checked whole before anything is used."""
        from .artifact import open_artifact

        notices: list[str] = []
        rules = cls(open_artifact(source, notices))
        rules.notices = tuple(notices)
        return rules

    @property
    def book(self) -> Rulebook:
        """The rules, indexed."""
        if self._book is None:
            from .state.rulebook import Rulebook

            self._book = Rulebook(self.artifact)
        return self._book

    @property
    def plans(self) -> Plans:
        """The derived values as plain functions."""
        if self._planned is None:
            self._planned = Plans(self.artifact, lambda name: self.book.option(name))
        return self._planned

    @property
    def dice_rules(self) -> DiceRules:
        """The custom dice."""
        if self._dice_rules is None:
            from .formulas.symbols import DiceRules

            symbols = self.artifact.get("symbols", {})
            by_id = symbols if isinstance(symbols, dict) else {one["id"]: one for one in symbols}
            dice = {name: rule for name, rule in self.rules.items() if rule["kind"] in ("die", "dice")}
            self._dice_rules = DiceRules(dice, by_id)
        return self._dice_rules

    def source_of(self, rule_id: str) -> str | None:
        """The source of a rule in words."""
        if rule_id not in self._sources:
            from .state.explain import source_of

            self._sources[rule_id] = source_of(self.book, self.rules.get(rule_id, {}))
        return self._sources[rule_id]

    # --- values -----------------------------------------------------------------------------------------------

    def value(self, name: str, character: Character | None = None, /, **given: Any) -> Any:
        """A stat, derived value or track of a character, or from the values given: `value("boxes", strength=5)`."""
        if character is None:
            try:
                plan = self._plans[name]
            except (KeyError, TypeError):
                plan = self._plans[name] = self.plans.plan(id_of(name))
            if plan is not None:
                ranges = plan.ranges
                try:
                    for key, value in given.items():
                        low, high = ranges[key]
                        if value.__class__ is not int or value < low or value > high:
                            break
                    else:
                        return plan.function({**plan.defaults, **given} if plan.defaults else given)
                except (KeyError, RulesError):
                    pass  # not for a plain function: the sheet knows more, or says what is wrong
        return self._sheet(character, given).value(id_of(name))

    def function(self, name: str) -> Callable[[Mapping[str, Any]], Any]:
        """A derived value as a plain function of a mapping of names to values, without conditions or traits.

        What it is given is taken as it is: types and ranges are not looked at.
        """
        found = self._functions.get(id_of(name))
        if found is None:
            found = self._functions[name] = self.plans.function(name) or self._by_sheet(name)
        return found

    def _by_sheet(self, name: str) -> Callable[[Mapping[str, Any]], Any]:
        from .state.character import Character
        from .state.sheet import Sheet

        if self.book.kind(name) not in ("stat", "derived", "track"):
            Sheet(self).value_rule(name)  # says what there is

        def value(values: Mapping[str, Any]) -> Any:
            tracks = self.book.of_kind("track")
            if not hasattr(values, "items"):
                from .formulas.operands import no_mapping

                raise no_mapping(values)
            stats = {key: part for key, part in values.items() if key not in tracks}
            moving = {key: part for key, part in values.items() if key in tracks}
            return Sheet(self, Character(values=stats, tracks=moving)).value(name)

        return value

    def explain(self, name: str, character: Character | None = None, /, **given: Any) -> Explanation:
        """The tree behind a value: formula, numbers, modifiers that counted and those that did not, sources."""
        from .state.explain import explain

        return explain(self, self._sheet(character, given), id_of(name))

    def _sheet(self, character: Character | None, given: Mapping[str, Any]) -> Any:
        from .play.calls import merged, table_sheet
        from .state.sheet import Sheet

        return Sheet(self, merged(self, character, given), table=table_sheet(self, None))

    def character(self, **given: Any) -> Character:
        """A character from values: stats, tracks, `conditions`, `traits`, `environments`. Checked; it never changes."""
        from .state.character import from_given

        return from_given(self, given)

    def saved(self, character: Character) -> dict[str, Any]:
        """A character as its file holds it."""
        from .state.character import to_json

        return to_json(self, character)

    def loaded(self, data: Any) -> tuple[Character, tuple[str, ...]]:
        """A character from its file (plain data, text or bytes), and what changed since it was saved, in words."""
        from .state.character import from_json

        return from_json(self, data)

    # --- play -------------------------------------------------------------------------------------------------

    def run(self, procedure: str, /, *characters: Character, **named: Any) -> Outcome:
        """Run a procedure. Characters in the order of its roles, or by role: `run(p, attacker=a, target=b)`.

        Besides names: `dice`, `choices` (answers by id), `ask` (called for what is not answered), `table` (the sheet
        of what belongs to the whole table), `given` (parameters, where a name would clash).
        """
        from .play import at_table

        return at_table.run(self, id_of(procedure), characters, **_apart(named))

    def roll(self, what: str, character: Character | None = None, /, **named: Any) -> Rolled:
        """Make a roll by its id, roll on a table, or roll plain dice: `roll("test", pool=12)`, `roll("2d6+3")`.

        Besides names: `dice`, `against` (the one it is aimed at), `tags`, `choices`, `ask`, `table`, `given`.
        """
        if character is None:
            rolled = self._bare(id_of(what), named)
            if rolled is not None:
                return rolled
        from .play import at_table

        return at_table.roll(self, id_of(what), character, **_apart(named, "against", "tags"))

    def _bare(self, what: str, named: Mapping[str, Any]) -> Rolled | None:
        """A roll for which a character cannot matter; None where one can, or something does not fit."""
        from .formulas.dice import as_dice
        from .play.bare import bare_roll, plain_roll

        if what not in self.rules:
            plain = named.keys() <= _NEVER_ASKED and any(letter.isdigit() for letter in what)
            return plain_roll(what, as_dice(named.get("dice")), self.dice_rules) if plain else None
        if what not in self._rolls:
            if self.rules[what]["kind"] in ("table", "tables"):
                from .play.bare_tables import bare_table

                self._rolls[what] = bare_table(self, what)
            else:
                self._rolls[what] = bare_roll(self, what)
        roll = self._rolls[what]
        if roll is None:
            return None
        given = {name: value for name, value in named.items() if name not in _NEVER_ASKED}
        params = roll.fitted(given)
        if params is None:
            return None
        dice = as_dice(named.get("dice"))
        rolled = roll.roll(params, dice)
        dice.finish()
        return rolled

    def picker(self, table: str) -> Callable[[], Mapping[str, Any] | None]:
        """A function that gives a row of a table by chance, for callers in a hurry; no effects are done."""
        from .play.bare_tables import picker

        self.book.rule(id_of(table), "table")
        return picker(self, table)

    def roll_on(self, table: str, character: Character | None = None, /, **named: Any) -> Rolled:
        """Roll on a table. With a character the effect of the row is done, and the new character comes with it.

        Besides names: `plus` (added to the roll), `row` (named instead of rolled), and as for `roll`.
        """
        from .play import at_table

        return at_table.roll_table(self, id_of(table), character, **_apart(named, "plus", "row", "tags"))

    def lookup(self, table: str, *keys: Any, column: str | None = None, character: Character | None = None) -> Any:
        """A cell of a table; where it has several columns and none is named, the row with all of them."""
        from .play.at_table import look_up

        return look_up(self, id_of(table), keys, column, character)

    def spend(self, context: str, character: Character | None = None, /, **named: Any) -> Spending:
        """What a result can buy, and every full way to spend it: `spend("fight", star=3)`."""
        from .play.at_spending import spend

        return spend(self, id_of(context), character, **_apart(named, "most"))

    def buy(
        self, context: str, wanted: Sequence[Any] | str, character: Character | None = None, /, **named: Any
    ) -> Outcome:
        """Spend a result: what is bought is paid, and happens."""
        from .play.at_spending import buy

        return buy(self, id_of(context), wanted, character, **_apart(named))

    def band(self, bands: str, distance: Any, character: Character | None = None, /, **given: Any) -> str | None:
        """The band that a distance lies in."""
        from .play.at_table import bands_scope
        from .play.bands import band

        scope, params = bands_scope(self, id_of(bands), character, given)
        return band(scope, bands, distance, params)

    def moves(self, bands: str, start: str, end: str, character: Character | None = None, /, **given: Any) -> Any:
        """The moves from one band to another."""
        from .play.at_table import bands_scope
        from .play.bands import moves

        scope, params = bands_scope(self, id_of(bands), character, given)
        return moves(scope, bands, start, end, params)

    def advance(self, character: Character, unit: str, n: int = 1, /, **named: Any) -> Outcome:
        """Time passes, a scene ends, an event happens. Besides answers by id: `dice`, `choices`, `ask`, `table`,
        `others` (characters by name whose turns are meant by `until`)."""
        from .play import at_table

        return at_table.advance(self, character, id_of(unit), n, **_apart(named, "others"))

    def actions(self, character: Character, /, *, own_turn: bool = True) -> Sequence[ActionState]:
        """Every action, with whether it is allowed now, why not, and what it takes."""
        from .play.at_table import legal_actions

        return legal_actions(self, character, own_turn)

    def act(self, character: Character, action: str, /, **named: Any) -> Outcome:
        """Do an action. Besides names: `own_turn`, and as for `run`."""
        from .play import at_table

        return at_table.do_action(self, character, id_of(action), **_apart(named, "own_turn"))

    def order(self, roll: str, who: Mapping[str, Any], /, **named: Any) -> Order:
        """Who acts when. `who`: characters, which roll, or results that people give, by name. Besides parameters of
        the roll (one for all, or a mapping by name): `teams` (name to team, or team to names), `dice`, `choices`."""
        from .play.at_table import rank

        return rank(self, id_of(roll), who, **_apart(named, "teams"))

    # --- finding ----------------------------------------------------------------------------------------------

    def search(self, words: str, kind: str | None = None, limit: int = 20) -> Sequence[Found]:
        """The rules that fit some words, the best first."""
        if self._index is None:
            from .search import Index

            self._index = Index(self.rules)
        from .state.rulebook import SINGULAR

        if not isinstance(words, str):
            raise BadInput(f"words to search for are a text, not a {type(words).__name__}")
        return self._index.find(words, None if kind is None else SINGULAR.get(kind, kind), limit)

    def show(self, rule_id: str) -> dict[str, Any]:
        """A rule as plain data, with its texts and source in words."""
        from .search import did_you_mean, nearest, said

        if id_of(rule_id) not in self.rules:
            raise UnknownName(f"there is no rule {rule_id}.{did_you_mean(nearest(rule_id, self.rules))}")
        rule = self.rules[rule_id]
        shape: dict[str, Any] = {"id": rule_id, "kind": rule["kind"], "title": said(rule.get("title")) or rule_id}
        for name in ("text", "ruling"):
            if name in rule:
                shape[name] = said(rule[name])
        if source := self.source_of(rule_id):
            shape["source"] = source
        shape["rule"] = {name: part for name, part in rule.items() if name not in shape}
        return shape

    def list(self, kind: str | None = None) -> Sequence[tuple[str, str, str]]:
        """Every rule, or those of a kind: (id, kind, title)."""
        from .search import did_you_mean, nearest, said
        from .state.rulebook import SINGULAR

        kinds = {rule["kind"] for rule in self.rules.values()}
        wanted = None if kind is None else SINGULAR.get(kind, kind)
        known = {*SINGULAR, *SINGULAR.values(), *kinds}
        if kind is not None and kind not in known:
            raise UnknownName(f"there is no kind {kind}.{did_you_mean(nearest(kind, known))}")
        return [
            (rule_id, rule["kind"], said(rule.get("title")) or rule_id)
            for rule_id, rule in self.rules.items()
            if wanted is None or SINGULAR.get(rule["kind"], rule["kind"]) == wanted
        ]


_NEVER_ASKED = {"dice", "ask"}  # what a roll without a character can leave aside: it has nothing to ask
_OWN = ("dice", "choices", "ask", "table", "given")


def _apart(named: Mapping[str, Any], *more: str) -> dict[str, Any]:
    """What a call says about the play, apart from the names that are the rules' own."""
    own = checked({name: named[name] for name in (*_OWN, *more) if name in named})
    own["names"] = {name: value for name, value in named.items() if name not in own}
    return own
