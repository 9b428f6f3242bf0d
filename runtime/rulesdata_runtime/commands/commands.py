"""What each command of the table does: rules and arguments in, output and exit status out."""

from __future__ import annotations

import sys

from ..cli import FINE, REFUSED, show, show_json
from ..errors import BadInput
from ..plainly import brief, digits, say, to_plain
from .people import TABLE, by_role, characters_of, keep, save

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from ..play.outcome import Outcome
    from ..play.play import Question
    from ..rules import Rules
    from .arguments import Arguments
    from .people import Files

    Values: TypeAlias = dict[str, Any]


def assignments(words: list[str]) -> Values:
    """`name=value` words, in order; a name given twice is an error, for one of the two would be lost."""
    found: Values = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise BadInput(f"{word!r} is no name=value, such as pool=6")
        if name in found:
            raise BadInput(f"{name} is given twice, as {found[name]} and as {value}")
        found[name] = value
    return found


def numbers(rules: Rules, given: Values, specs: Iterable[Mapping[str, Any]] = ()) -> Values:
    """Whole numbers for what is counted in whole numbers: those are answered without a sheet. The rest stays text."""
    counted = rules.plans.ranges.keys() | {spec["name"] for spec in specs if spec.get("type", "int") == "int"}
    found = {name: digits(text) if name in counted else None for name, text in given.items()}
    return {name: text if found[name] is None else found[name] for name, text in given.items()}


def dice_of(arguments: Arguments) -> Any:
    """The dice of a call: numbers of the table, a seed, or chance."""
    if arguments.dice is not None:
        return [word.strip() for word in arguments.dice.split(",") if word.strip()]
    return arguments.seed


def ask(question: Question) -> Any:
    """Ask at the terminal; what is answered is checked like any answer."""
    print(str(question), file=sys.stderr)
    print("> ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise KeyboardInterrupt
    answer = line.strip()
    return [word.strip() for word in answer.split(",") if word.strip()] if question.kind == "purchases" else answer


def asker() -> Callable[[Question], Any] | None:
    """Questions go to the terminal where there is one."""
    return ask if sys.stdin.isatty() and sys.stderr.isatty() else None


# --- the commands --------------------------------------------------------------------------------------------------


def value(rules: Rules, arguments: Arguments) -> int:
    given = assignments(arguments.values)
    files = characters_of(rules, arguments)
    hero = next((character for _, character in files.values()), None)
    if arguments.explain:
        told = rules.explain(arguments.name, hero, **given)
        if arguments.json:
            show_json({"value": to_plain(told.value), "explanation": told.to_json()})
        else:
            show(told.text())
        return FINE
    found = rules.value(arguments.name, hero, **(numbers(rules, given) if hero is None else given))
    if arguments.json:
        show_json({"value": to_plain(found)})
    else:
        show(say(found))
    return FINE


def roll(rules: Rules, arguments: Arguments) -> int:
    from ..formulas.dice import as_dice
    from ..play.bare import whole_rule
    from .told import roll_told

    files = characters_of(rules, arguments)
    hero = files[""][1] if "" in files else None
    aimed = by_role(files)
    for role in aimed.keys() - {"against", TABLE}:
        raise BadInput(f"a roll has no role {role}: it is made by --character FILE, at --character against=FILE")
    params = (whole_rule(rules.rules, arguments.name) or {}).get("params", ())
    given = numbers(rules, assignments(arguments.values), params)
    if arguments.times < 1:
        raise BadInput("--times wants 1 or more")
    source = dice_of(arguments)
    dice = as_dice(source) if arguments.times > 1 and not isinstance(source, list) else source
    shapes = []
    for _ in range(arguments.times):
        rolled = rules.roll(arguments.name, hero, dice=dice, ask=asker(), **aimed, **given)
        hero = rolled.character or hero
        if arguments.json:
            shapes.append(rolled.to_json())
        else:
            show(roll_told(rules, rolled))
    if arguments.json:
        show_json(shapes[0] if arguments.times == 1 else {"rolls": shapes})
    if arguments.save and hero is not None:
        save(rules, files, {"": hero}, "")
    return FINE


def lookup(rules: Rules, arguments: Arguments) -> int:
    from .told import row_told

    keys: list[Any] = [word for word in arguments.values if "=" not in word]
    given = assignments([word for word in arguments.values if "=" in word])
    specs = [spec["name"] for spec in rules.rules.get(arguments.name, {}).get("by", ())]
    keys += [given.pop(name) for name in specs if name in given]
    hero = rules.character(**given) if given else None
    found = rules.lookup(arguments.name, *keys, column=arguments.column, character=hero)
    if arguments.json:
        show_json({"value": to_plain(found)} if not isinstance(found, dict) else {"row": to_plain(found)})
    else:
        show(row_told(found))
    return FINE


def spend(rules: Rules, arguments: Arguments) -> int:
    from .told import spending_told

    given = assignments(arguments.values)
    files = characters_of(rules, arguments)
    hero = files[""][1] if "" in files else None
    named = by_role(files)
    if arguments.buy is not None:
        wanted = [word.strip() for word in arguments.buy.split(",") if word.strip()]
        outcome = rules.buy(arguments.name, wanted, hero, dice=dice_of(arguments), ask=asker(), **named, **given)
        return _played(rules, arguments, files, outcome)
    offered = rules.spend(arguments.name, hero, **named, **given)
    if arguments.json:
        show_json(offered.to_json())
    else:
        show(spending_told(offered, arguments.limit))
    return FINE


def _played(rules: Rules, arguments: Arguments, files: Files, outcome: Outcome) -> int:
    """Tell what came of a play, and keep the characters where that is wanted."""
    from .told import outcome_told

    if arguments.json:
        show_json(outcome.to_json())
    else:
        show(outcome_told(rules, outcome))
    if arguments.save:
        keep(rules, files, outcome)
    return FINE


def run(rules: Rules, arguments: Arguments) -> int:
    given = assignments(arguments.values)
    files = characters_of(rules, arguments)
    heroes = [files[""][1]] if "" in files else []
    named = by_role(files)
    outcome = rules.run(arguments.name, *heroes, dice=dice_of(arguments), ask=asker(), **named, **given)
    return _played(rules, arguments, files, outcome)


def act(rules: Rules, arguments: Arguments) -> int:
    from ..play.calls import merged
    from .told import actions_told

    words = list(arguments.values)
    if "=" in arguments.name:
        words.insert(0, arguments.name)
        arguments.name = ""
    given = assignments(words)
    files = characters_of(rules, arguments)
    hero = files[""][1] if "" in files else rules.character()
    named = by_role(files)
    if not arguments.name:
        hero = merged(rules, hero, given)
        states = rules.actions(hero)
        if arguments.save:
            save(rules, files, {"": hero}, "")
        if arguments.json:
            show_json({"actions": [to_plain(state.to_json()) for state in states]})
        else:
            show(actions_told(states))
        return FINE
    outcome = rules.act(hero, arguments.name, dice=dice_of(arguments), ask=asker(), **named, **given)
    return _played(rules, arguments, files, outcome)


def advance(rules: Rules, arguments: Arguments) -> int:
    words = list(arguments.values)
    count = 1
    if words and "=" not in words[0]:
        word = words.pop(0)
        count = digits(word) or 0
        if count < 1:
            raise BadInput(f"{brief(word)} is no number of {arguments.name}s: a whole number from 1")
    given = assignments(words)
    files = characters_of(rules, arguments)
    hero = files[""][1] if "" in files else rules.character()
    others = by_role(files)
    more: Values = {TABLE: others.pop(TABLE)} if TABLE in others else {}
    if others:
        more["others"] = others
    outcome = rules.advance(hero, arguments.name, count, dice=dice_of(arguments), ask=asker(), **more, **given)
    return _played(rules, arguments, files, outcome)


def order(rules: Rules, arguments: Arguments) -> int:
    from ..play.bare import whole_rule
    from ..play.calls import merged
    from ..state.rulebook import pairs
    from .told import order_told

    given = assignments(arguments.values)
    files = characters_of(rules, arguments)
    who = {role or path.stem: character for role, (path, character) in files.items()}
    own: dict[str, Values] = {}
    teams: dict[str, str] = {}
    rest: Values = {}
    for name, text in given.items():
        person, dot, what = name.partition(".")
        if name.startswith("team.") and dot:
            teams.update(dict.fromkeys(text.split(","), what))
        elif dot:
            own.setdefault(person, {})[what] = text
        else:
            rest[name] = text
    shown = {"value", *dict(pairs((whole_rule(rules.rules, arguments.name) or {}).get("results")))}
    made: dict[str, Any] = {
        name: own[name] if name in own and shown & own[name].keys() else merged(rules, who.get(name), own.get(name, {}))
        for name in dict.fromkeys((*who, *own))
    }
    if not made:
        raise BadInput("say who is there: --character ann=ann.json, or ann.Might=6 bob.Might=7")
    more = {"teams": teams} if teams else {}
    ranked = rules.order(arguments.name, made, dice=dice_of(arguments), ask=asker(), **more, **rest)
    if arguments.json:
        show_json(to_plain(ranked.to_json()))
    else:
        show(order_told(ranked))
    return FINE


def band(rules: Rules, arguments: Arguments) -> int:
    words = [word for word in arguments.values if "=" not in word]
    given = assignments([word for word in arguments.values if "=" in word])
    files = characters_of(rules, arguments)
    hero = next((character for _, character in files.values()), None)
    match words:
        case [distance]:
            found: Any = rules.band(arguments.name, distance, hero, **given)
            shape = {"band": found}
        case [start, end]:
            found = rules.moves(arguments.name, start, end, hero, **given)
            shape = {"moves": to_plain(found)}
        case _:
            raise BadInput("give a distance (12), or two bands (short long)")
    if arguments.json:
        show_json(shape)
    else:
        show("out of reach" if found is None else say(found))
    return FINE


def list_rules(rules: Rules, arguments: Arguments) -> int:
    found = rules.list(arguments.kind)
    if arguments.json:
        show_json({"rules": [{"id": rule_id, "kind": kind, "title": title} for rule_id, kind, title in found]})
        return FINE
    width = max((len(rule_id) for rule_id, _, _ in found), default=0)
    last = ""
    for rule_id, kind, title in sorted(found, key=lambda item: (item[1], item[0])):
        if kind != last:
            show(("\n" if last else "") + kind)
            last = kind
        show(f"  {rule_id:<{width}}  {title}")
    return FINE


def show_rule(rules: Rules, arguments: Arguments) -> int:
    from .told import rule_told

    shape = rules.show(arguments.name)
    if arguments.json:
        show_json(to_plain(shape))
    else:
        show(rule_told(rules, arguments.name))
    return FINE


def search(rules: Rules, arguments: Arguments) -> int:
    found = rules.search(" ".join(arguments.words))
    if arguments.json:
        show_json({"found": [one.to_json() for one in found]})
    elif not found:
        show("nothing fits; try fewer or other words")
    else:
        width = max(len(one.id) for one in found)
        for one in found:
            show(f"{one.id:<{width}}  {one.kind:<12}  {one.title}")
    return FINE if found else REFUSED


def test(rules: Rules, arguments: Arguments) -> int:
    from . import test as cli_test

    return cli_test.test(rules, arguments)


HANDLERS: dict[str, Callable[[Rules, Arguments], int]] = {
    "value": value,
    "roll": roll,
    "lookup": lookup,
    "spend": spend,
    "run": run,
    "act": act,
    "advance": advance,
    "order": order,
    "band": band,
    "list": list_rules,
    "show": show_rule,
    "search": search,
    "test": test,
}
