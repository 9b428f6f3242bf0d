"""What a call says about the play, checked at the door: names of rules, characters, answers, tags.

In: what a program passes in. Out: the same, or a sentence that says what belongs there. One rule holds: what the rules
themselves declare (parameters, stats, choices) is checked where it is read, and everything else here, so that no wrong
call gets as far as an exception of Python's or a wrong answer.
"""

from __future__ import annotations

from ..errors import BadInput, UnknownName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ..state.character import Character


def id_of(name: object) -> str:
    """The id of a rule or the like: a text."""
    if isinstance(name, str):
        return name
    raise UnknownName(f"a rule is named by its id, a text, not by {_told(name)}")


def person(one: object, what: str = "the character") -> Character:
    """A character, as `rules.character(...)` and `rules.loaded(...)` make them."""
    from ..state.character import Character

    if isinstance(one, Character):
        return one
    raise BadInput(f"{what} is a character, made with rules.character(...), not {_told(one)}")


def checked(own: dict[str, Any]) -> dict[str, Any]:
    """What stands in a call beside the rules' own names, each as it has to be."""
    for name, value in own.items():
        check = _CHECKS.get(name)
        if check is not None and (value is not None or name in _NEEDED):
            own[name] = check(name, value)
    return own


def _mapping(name: str, value: object) -> Mapping[str, Any]:
    from collections.abc import Mapping

    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return value
    raise BadInput(f"{name} are values by name, such as {{'name': 1}}, not {_told(value)}")


def _people(name: str, value: object) -> Mapping[str, Any]:
    return {who: person(one, who) for who, one in _mapping(name, value).items()}


def _teams(name: str, value: object) -> Mapping[str, Any]:
    found = _mapping(name, value)
    for team, members in found.items():
        if not isinstance(members, str):
            _texts(f"the {name} member list of {team}", members)
    return found


def _texts(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple | set | frozenset):
        found = tuple(sorted(value) if isinstance(value, set | frozenset) else value)
        if all(isinstance(one, str) for one in found):
            return found
    raise BadInput(f"{name} is a list of texts, such as ['name'], not {_told(value)}")


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise BadInput(f"{name} is a text, not {_told(value)}")


def _truth(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise BadInput(f"{name} is True or False, not {_told(value)}")


def _count(name: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise BadInput(f"{name} is a whole number from 0, not {_told(value)}")


def _called(name: str, value: object) -> Callable[..., Any]:
    if callable(value):
        return value
    raise BadInput(f"{name} is a function that answers a question, not {_told(value)}")


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "choices": _mapping,
    "given": _mapping,
    "ask": _called,
    "table": lambda name, value: person(value, name),
    "against": lambda name, value: person(value, name),
    "others": _people,
    "teams": _teams,
    "tags": _texts,
    "row": _text,
    "most": _count,
    "own_turn": _truth,
}
_NEEDED = {"tags", "most", "own_turn"}


def _told(value: object) -> str:
    """A value of whatever type in a few words."""
    if value is None or isinstance(value, bool | int | str):
        from ..plainly import brief

        return brief(value)
    return f"a {type(value).__name__}"
