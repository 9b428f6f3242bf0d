"""The calls of `Rules` that play: procedures, rolls, tables, time, actions, order.

In: the rules and what a call gives. Out: outcomes and rolls as plain values. One rule holds: dice given by hand are
used up at the end, or it is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..answers_text import brief, hint, number_from
from ..errors import BadInput, UnknownName
from ..formulas.dice import as_dice
from ..plainly import digits
from ..state import actions, clock
from ..state.character import Character
from ..state.fitting import fit, within_limit
from ..state.rulebook import Rule, Rulebook, roll_tags
from ..state.scope import Scope
from ..state.sheet import Sheet
from .bare import plain_roll
from .calls import ALONE, Call, begin, finish, merged, roles_of, sort, table_sheet
from .happening import after_roll
from .order import Order
from .order import order as ranked
from .outcome import Outcome
from .play import Play, Question, Stop
from .procedures import run_procedure
from .rolled import Rolled
from .rolls import roll as make_roll
from .rolls import whole_roll, words
from .table_rolls import roll_on
from .tables import Table, looked_up, lookup, table_of

if TYPE_CHECKING:
    from ..rules import Rules

Ask = Callable[[Question], Any]


def run(
    rules: Rules,
    procedure: str,
    characters: Sequence[Character],
    *,
    names: Mapping[str, Any],
    dice: Any = None,
    choices: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
    table: Character | None = None,
    given: Mapping[str, Any] | None = None,
) -> Outcome:
    """See Rules.run."""
    rule = rules.book.rule(procedure, "procedure")
    title = rules.book.title(procedure)
    call = sort(rules.book, title, rule, characters, names, answers=choices, given=given)
    play = begin(rules, call.characters(rules, roles_of(rule)), dice=dice, answers=call.answers, ask=ask, table=table)
    done = run_procedure(play, procedure, play.cast, call.params)
    return finish(rules, play, done.results, done.stopped)


def _call(
    rules: Rules,
    rule_id: str,
    rule: Rule,
    character: Character | None,
    names: Mapping[str, Any],
    choices: Mapping[str, Any] | None,
    given: Mapping[str, Any] | None,
) -> Call:
    """A call about one character."""
    mine = {"params": rule.get("params", ())}
    found = [character] if character is not None else []
    return sort(rules.book, rules.book.title(rule_id), mine, found, names, answers=choices, given=given)


def roll(
    rules: Rules,
    what: str,
    character: Character | None,
    *,
    names: Mapping[str, Any],
    dice: Any = None,
    against: Character | None = None,
    tags: Sequence[str] = (),
    choices: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
    table: Character | None = None,
    given: Mapping[str, Any] | None = None,
) -> Rolled:
    """See Rules.roll."""
    match rules.book.kind(what):
        case "roll":
            pass
        case "table":
            if against is not None:
                raise BadInput(f"{rules.book.title(what)} is a table; nobody is aimed at")
            if rules.rules[what].get("form", "rolled") not in ("rolled", "weighted"):
                as_dice(dice).finish()  # numbers given by hand for a table without dice are left over
                return read_table(rules, what, character, names, given)
            return roll_table(
                rules,
                what,
                character,
                names=names,
                dice=dice,
                tags=tags,
                choices=choices,
                ask=ask,
                table=table,
                given=given,
            )
        case _:
            return roll_plain(rules, what, dice, [*names, *(given or {})])
    rule = whole_roll(rules.book, what)
    _known_tags(rules.book, tags)
    call = _call(rules, what, rule, character, names, choices, given)
    cast = call.characters(rules, [ALONE])
    if against is not None:
        cast["against"] = against
    play = begin(rules, cast, dice=dice, answers=call.answers, ask=ask, table=table, settle=character is not None)
    sheet = play.cast[ALONE]
    mark = sheet.stamp
    rolled = make_roll(play, what, sheet, call.params, against=play.cast.get("against"), tags=tags)
    if character is not None:
        play.note(what, "roll", words(rolled, rules.book), rule.get("at"), sheet, after=rolled.total)
        after_roll(play, sheet, what, tags, mark)
    return _rolled(rules, play, rolled, character)


def _known_tags(book: Rulebook, tags: Sequence[str]) -> None:
    """Tags that somebody adds to a roll are tags that some rule knows."""
    known = roll_tags(book) if tags else ()
    for tag in tags:
        if tag not in known:
            raise UnknownName(f"no roll and no modifier has the tag {tag}.{hint(tag, known)}")


def _rolled(rules: Rules, play: Play, rolled: Rolled, character: Character | None) -> Rolled:
    """The roll with the character as it is after it, where one was given."""
    if character is None:
        play.dice.finish()
        return rolled
    outcome = finish(rules, play, {})
    return rolled.told(outcome.log, outcome.character, outcome.characters, rules.saved, outcome.table)


def roll_plain(rules: Rules, text: str, dice: Any, names: Sequence[str]) -> Rolled:
    """Dice as people write them; what looks like an id and is none gets the nearest."""
    if text.replace("_", "").isidentifier() and not any(letter.isdigit() for letter in text):
        known = rules.book.of_kind("roll", "table")
        raise UnknownName(f"there is no roll or table {text}.{hint(text, known)}")
    if names:
        raise BadInput(f"{text} is plain dice and takes nothing: {', '.join(names)}")
    return plain_roll(text, as_dice(dice), rules.dice_rules)


def roll_table(
    rules: Rules,
    table_id: str,
    character: Character | None,
    *,
    names: Mapping[str, Any],
    dice: Any = None,
    plus: Any = 0,
    row: str | None = None,
    tags: Sequence[str] = (),
    choices: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
    table: Character | None = None,
    given: Mapping[str, Any] | None = None,
) -> Rolled:
    """See Rules.roll_on. Values of a sheet given by name make a character for the roll's formula, not for effects."""
    rule = rules.book.rule(table_id, "table")
    _known_tags(rules.book, tags)
    call = _call(rules, table_id, rule, character, names, choices, given)
    play = begin(
        rules,
        call.characters(rules, [ALONE]),
        dice=dice,
        answers=call.answers,
        ask=ask,
        table=table,
        settle=character is not None,
    )
    sheet = play.cast[ALONE]
    plus = fit({"type": "int"}, plus, "plus", sheet.frame())
    try:
        rolled = roll_on(
            play, table_id, sheet, given=call.params, plus=plus, row=row, tags=tags, effects=character is not None
        )
    except Stop as stop:
        raise BadInput(f"{rules.book.title(table_id)}: {stop.text}") from None
    return _rolled(rules, play, rolled, character)


def read_table(
    rules: Rules, table_id: str, character: Character | None, names: Mapping[str, Any], given: Mapping[str, Any] | None
) -> Rolled:
    """A table that is read, asked as if it were rolled on: keys by name, the cell or row as the outcome."""
    table = table_of(rules.book, table_id)
    specs = [*table.by, *table.params]
    call = _call(rules, table_id, {"params": specs}, character, names, None, given)
    hero = call.characters(rules, [ALONE])[ALONE]
    keys = [call.params[spec["name"]] for spec in specs if spec["name"] in call.params]
    missing = [spec["name"] for spec in specs[: len(keys)] if spec["name"] not in call.params]
    if missing:
        raise BadInput(f"{table.title} needs {missing[0]}")
    found = look_up(rules, table_id, keys, None, hero)
    params = dict(call.params)
    if isinstance(found, Mapping):
        return Rolled(table_id, None, (), {}, found, (found,), params=params)
    if isinstance(found, bool | str) or found is None:
        return Rolled(table_id, None, (), {"value": found}, params=params)
    return Rolled(table_id, found, params=params)


def look_up(rules: Rules, table_id: str, keys: Sequence[Any], column: str | None, character: Character | None) -> Any:
    """See Rules.lookup."""
    table = table_of(rules.book, table_id)
    if not (column is None or isinstance(column, str)):
        raise BadInput(f"a column is named by its id, not by {brief(column)}")
    scope = Sheet(rules, character, table=table_sheet(rules, None)).frame()
    fitted = fit_keys(table, keys, scope)
    if column is None and table.form != "by_two" and len(table.columns) > 1 and "value" not in table.columns:
        inner, row = looked_up(scope, table, fitted)
        return None if row is None else table.told(inner, row)
    return lookup(scope, table_id, fitted, column)


def fit_keys(table: Table, keys: Sequence[Any], scope: Scope) -> list[Any]:
    """Keys as the table wants them; a text may spell a number."""
    specs = [*table.by, *table.params]
    for key in keys:
        if not (key is None or isinstance(key, str | int | Fraction)) or not within_limit(key):
            raise BadInput(f"{table.title} is looked up with numbers and words, not with {brief(key)}")
    if table.form in ("rolled", "weighted"):
        return [key if not isinstance(key, str) or (spelt := digits(key)) is None else spelt for key in keys]
    return [
        fit(specs[place], key, f"{specs[place]['name']} of {table.title}", scope, ranged=False)
        if place < len(specs) and specs[place].get("type", "int") in ("int", "fraction", "bool")
        else key
        for place, key in enumerate(keys)
    ]


def bands_scope(
    rules: Rules, bands_id: str, character: Character | None, given: Mapping[str, Any]
) -> tuple[Scope, dict[str, Any]]:
    """The sheet's scope for some bands, and their parameters among what was given."""
    rule = rules.book.rule(bands_id, "bands")
    params = {spec["name"] for spec in rule.get("params", ())}
    own = {name: value for name, value in given.items() if name not in params}
    sheet = Sheet(rules, merged(rules, character, own), table=table_sheet(rules, None))
    return sheet.frame(), {name: value for name, value in given.items() if name in params}


def advance(
    rules: Rules,
    character: Character,
    unit: str,
    n: int,
    *,
    names: Mapping[str, Any],
    dice: Any = None,
    choices: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
    table: Character | None = None,
    given: Mapping[str, Any] | None = None,
    others: Mapping[str, Character] | None = None,
) -> Outcome:
    """See Rules.advance."""
    call = sort(rules.book, unit, {}, [character], names, answers=choices, given=given)
    character = call.characters(rules, [ALONE])[ALONE]
    play = begin(
        rules, {ALONE: character, **(others or {})}, dice=dice, answers=call.answers, ask=ask, table=table, settle=False
    )
    clock.advance(play, play.cast[ALONE], unit, n)
    return finish(rules, play, {})


def legal_actions(rules: Rules, character: Character, own_turn: bool) -> list[actions.ActionState]:
    """See Rules.actions."""
    play = begin(rules, {ALONE: character})
    return actions.legal(play, play.cast[ALONE], own_turn=own_turn)


def do_action(
    rules: Rules,
    character: Character,
    action: str,
    *,
    names: Mapping[str, Any],
    dice: Any = None,
    choices: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
    table: Character | None = None,
    given: Mapping[str, Any] | None = None,
    own_turn: bool = True,
) -> Outcome:
    """See Rules.act."""
    rule = rules.book.rule(action, "action")
    call = sort(rules.book, rules.book.title(action), rule, [character], names, answers=choices, given=given)
    roles = roles_of(rule)
    play = begin(rules, call.characters(rules, roles), dice=dice, answers=call.answers, ask=ask, table=table)
    cast = {} if roles == [ALONE] else play.cast
    actions.act(play, play.cast[roles[0]], action, call.params, roles=cast, own_turn=own_turn)
    return finish(rules, play, {})


def rank(
    rules: Rules,
    roll_id: str,
    who: Mapping[str, Any],
    *,
    names: Mapping[str, Any],
    dice: Any = None,
    choices: Mapping[str, Any] | None = None,
    ask: Ask | None = None,
    table: Character | None = None,
    given: Mapping[str, Any] | None = None,
    teams: Mapping[str, Any] | None = None,
) -> Order:
    """See Rules.order."""
    rule = whole_roll(rules.book, roll_id)
    call = _call(rules, roll_id, rule, None, names, choices, given)
    if call.own:
        raise UnknownName(f"{next(iter(call.own[ALONE]))} belongs to a character; give it there")
    if not isinstance(who, Mapping) or not all(isinstance(name, str) for name in who):
        raise BadInput(f"who takes part are characters, or results, by name, not {brief(who)}")
    characters = {name: one for name, one in who.items() if isinstance(one, Character)}
    play = begin(rules, characters, dice=dice, answers=call.answers, ask=ask, table=table)
    enter: dict[str, Sheet | Mapping[str, Any]] = {}
    for name, one in who.items():
        if name in characters:
            enter[name] = play.cast[name]
        else:
            results = one if isinstance(one, Mapping) else {"value": one}
            enter[name] = {key: _result(value) for key, value in results.items()}
    params: dict[str, dict[str, Any]] = {name: {} for name in characters}
    for param, value in call.params.items():
        for name in characters:
            if not isinstance(value, Mapping):
                params[name][param] = value
            elif name in value:
                params[name][param] = value[name]
    nobody = Sheet(rules, Character(), table=play.table)
    found = ranked(play, roll_id, enter, params, nobody, _teams(teams))
    play.dice.finish()
    return found


def _result(value: Any) -> Any:
    """A result that people give; a text may spell a number."""
    found = number_from(value) if isinstance(value, str) else None
    return value if found is None else found


def _teams(teams: Mapping[str, Any] | None) -> dict[str, str]:
    """Who is of which team: from names to teams, or from teams to names."""
    found: dict[str, str] = {}
    for key, value in (teams or {}).items():
        if isinstance(value, str):
            found[key] = value
        else:
            found.update(dict.fromkeys(value, key))
    return found
