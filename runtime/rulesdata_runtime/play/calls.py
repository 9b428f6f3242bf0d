"""What a call gives, sorted: who plays which role, parameters, answers, and values of a sheet.

In: the names and characters of a call, and what the rule that is called declares. Out: a play ready to begin. One
rule holds: every name of a call lands in exactly one place, or is refused with the nearest that would have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..answers_text import brief, hint, listed
from ..errors import BadInput, UnknownName
from ..formulas.dice import as_dice
from ..records import dataclass, field
from ..search import did_you_mean, nearest
from ..state.character import Character, from_given
from ..state.rulebook import Rule, Rulebook
from ..state.sheet import Sheet
from .doors import person
from .happening import follow
from .offers import contexts
from .outcome import Outcome
from .play import Play, Question

if TYPE_CHECKING:
    from ..rules import Rules

ALONE = "character"
"""The role of the only character of a rule without roles."""
CARRIED = ("conditions", "traits", "environments", "sheet", "name")


@dataclass(slots=True)
class Call:
    """A call, sorted. `own` are values for the sheets, by role: bare names go to the first role."""

    roles: dict[str, Character] = field(default_factory=dict)
    params: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    own: dict[str, dict[str, Any]] = field(default_factory=dict)

    def characters(self, rules: Rules, roles: Sequence[str]) -> dict[str, Character]:
        """A character for each role: given, made of values given by name, or both. One who is given nothing at all
        is there only where it is the first."""
        found: dict[str, Character] = {}
        for place, role in enumerate(roles):
            if place == 0 or role in self.roles or role in self.own:
                found[role] = merged(rules, self.roles.get(role), self.own.get(role, {}))
        return found


def sort(
    book: Rulebook,
    title: str,
    rule: Rule,
    characters: Sequence[Character],
    names: Mapping[str, Any],
    *,
    answers: Mapping[str, Any] | None = None,
    given: Mapping[str, Any] | None = None,
    more: Sequence[str] = (),
) -> Call:
    """Sort the names of a call to a rule with `params` and `roles`; `more` are names that count as parameters."""
    roles = roles_of(rule)
    params = [*(spec["name"] for spec in rule.get("params", ())), *more]
    call = Call(params=dict(given or {}), answers=dict(answers or {}))
    if len(characters) > len(roles):
        raise BadInput(f"{title} is for {len(roles)} ({listed(roles)}), not for {len(characters)} characters")
    call.roles.update(zip(roles, characters, strict=False))
    known_answers = answerable(book)
    for name, value in names.items():
        if isinstance(value, Character):
            if name not in roles:
                raise UnknownName(f"{title} has no role {name}; there is {listed(roles)}.{hint(name, roles)}")
            if name in call.roles:
                raise BadInput(f"{title}: {name} is given twice")
            call.roles[name] = value
        elif name in params:
            call.params[name] = value
        elif name in known_answers:
            call.answers[name] = value
        elif name.partition(".")[0] in roles and name.partition(".")[2]:
            role, _, own = name.partition(".")
            call.own.setdefault(role, {})[own] = value
        elif _of_sheet(book, name):
            call.own.setdefault(roles[0], {})[name] = value
        else:
            known = [*params, *(role for role in roles if role != ALONE)]
            takes = f"it takes {listed(known)}" if known else "it takes nothing"
            names_there = [*known, *known_answers, *book.of_kind("stat", "track")]
            raise UnknownName(f"{title} has no {brief(name)}; {takes}.{_hint(name, names_there)}")
    for name in answers or {}:
        if name not in known_answers:
            raise UnknownName(f"nothing asks for {name}.{hint(name, known_answers)}")
    for role, kind in rule.get("roles", ()):
        if kind and role not in call.roles and (role in call.own or role == roles[0]):
            call.own.setdefault(role, {}).setdefault("sheet", kind)
    return call


def roles_of(rule: Rule) -> list[str]:
    """The roles of a rule; one without any is about one character."""
    return [name for name, _ in rule.get("roles", ())] or [ALONE]


def _of_sheet(book: Rulebook, name: str) -> bool:
    lasting = ("condition", "trait", "environment")
    return name in CARRIED or book.kind(name) in ("stat", "track") or book.kind(name.partition(".")[0]) in lasting


def _hint(name: str, known: Sequence[str]) -> str:
    """The nearest name; of one with a dot, the nearest to what stands before it."""
    first, dot, rest = name.partition(".")
    near = nearest(first, known)
    return did_you_mean(f"{one}.{rest}" for one in near) if dot and first and rest else hint(name, known)


def share(book: Rulebook, other: Rulebook) -> None:
    """Take over what can be answered from rules that differ from these in numbers and signs alone."""
    _answerable[book] = answerable(other)


def answerable(book: Rulebook) -> dict[str, None]:
    """Every id under which something is answered: choices, questions, spends, tables that may be given, slots, and
    rankings whose ties are chosen."""
    if book in _answerable:
        return _answerable[book]
    found: dict[str, None] = {}
    todo: list[Any] = [*book.rules.values(), *book.slots.values()]
    while todo:
        match todo.pop():
            case {"step": "choose", "name": str(name), **rest}:
                found[name] = None
                todo.extend(rest.values())
            case {"step": "ask", "specs": [*specs]}:
                found.update(dict.fromkeys(spec["name"] for spec in specs))
            case {"step": "spend", "context": str(context), **rest}:
                found[str(rest.get("id") or context)] = None
            case {"step": "roll_on", "ref": {"name": str(table)}, **rest}:
                if book.rules.get(table, {}).get("may_be_given"):
                    found.update(dict.fromkeys(str(rest[key]) for key in ("as", "id") if key in rest))
            case list(inner):
                todo.extend(inner)
            case dict(inner):
                todo.extend(inner.values())
    found.update(dict.fromkeys(name for name, rule in book.of_kind("table").items() if rule.get("may_be_given")))
    found.update(dict.fromkeys(name for name, rule in book.of_kind("roll").items() if "ranking" in rule))
    found.update(dict.fromkeys(book.slots))
    found.update(dict.fromkeys(contexts(book)))
    _answerable[book] = found
    return found


_answerable: WeakKeyDictionary[Rulebook, dict[str, None]] = WeakKeyDictionary()


def merged(rules: Rules, character: Character | None, own: Mapping[str, Any]) -> Character:
    """A character with some values given beside it: checked together, for limits of the one may hang on the other."""
    base = None if character is None else person(character)
    return from_given(rules, own, base) if own else base or Character()


def begin(
    rules: Rules,
    roles: Mapping[str, Character],
    *,
    dice: Any = None,
    answers: Mapping[str, Any] | None = None,
    ask: Callable[[Question], Any] | None = None,
    table: Character | None = None,
    settle: bool = True,
) -> Play:
    """A play with a sheet for each character; one who plays two roles has one sheet."""
    shared = table_sheet(rules, table)
    sheets: dict[int, Sheet] = {}
    cast: dict[str, Sheet] = {}
    for role, character in roles.items():
        if id(character) not in sheets:
            sheets[id(character)] = Sheet(rules, character, table=shared)
        cast[role] = sheets[id(character)]
    play = Play(rules, cast, as_dice(dice), answers, shared, ask)
    if settle:
        for sheet in sheets.values():
            follow(play, sheet)
    return play


def table_sheet(rules: Rules, table: Character | None) -> Sheet | None:
    """The sheet of what belongs to the whole table, where the rules have such a thing."""
    shared = any(rule.get("scope") == "table" for rule in rules.book.of_kind("track").values())
    if not shared:
        if table is not None:
            raise BadInput("these rules have no tracks that belong to the table")
        return None
    sheet = Sheet(rules, table)
    sheet.kind = "table"  # of no declared kind of sheet: nothing it has is refused
    return sheet


def finish(rules: Rules, play: Play, results: Mapping[str, Any], stopped: str | None = None) -> Outcome:
    """The end of a play: dice all used, characters as they are now."""
    try:
        play.finish()
    except BadInput as problem:
        if stopped:
            problem.message = f"{stopped}, so {problem.message}"
        raise
    frozen = {id(sheet): sheet.freeze() for sheet in play.everybody()}
    characters = {role: frozen[id(sheet)] for role, sheet in play.cast.items()}
    return Outcome(
        next(iter(characters.values())),
        characters,
        tuple(play.log),
        dict(results),
        stopped,
        None if play.table is None else play.table.freeze(),
        rules.saved,
    )
