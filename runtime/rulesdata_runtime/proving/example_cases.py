"""What an example says besides one play: several cases in one, and the options it is played with.

In: an example as the artifact holds it. Out: plain examples, one a case, and the rules with its options set. One rule
holds: lists stand side by side; the first case has the first item of each, and all lists are equally long.

    with: {level: [3, 4, 5], kind: plain}        three cases, level 3, 4 and 5, each with kind plain
    expect: {value: [10, 10, 11]}                what comes out of each
    given: {options: {lamps: no}}                played as if the option lamps were off

It is the list under `expect` that makes cases. Dice are dealt to them in equal parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import BadInput
from ..rules import Rules

CARRIED = frozenset(("conditions", "traits", "environments"))
OPTION = "options."


def cases(example: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The cases of an example; itself where it is but one."""
    counts = {len(part) for _, part in _lists(example.get("expect", {}))}
    if not counts:
        return [example]
    if "play" not in example:
        counts |= {len(part) for field in ("given", "with") for _, part in _lists(example.get(field, {}))}
    if len(counts) > 1:
        raise BadInput(f"the lists of this example are of different lengths: {', '.join(map(str, sorted(counts)))}")
    count = counts.pop()
    dice = example.get("dice", ())
    if not count or len(dice) % count:
        raise BadInput(f"{len(dice)} dice cannot be dealt to {count} cases in equal parts")
    share = len(dice) // count
    return [
        {
            **example,
            **{
                field: {name: _item(name, part, place) for name, part in example[field].items()}
                for field in ("given", "with", "expect")
                if field in example
            },
            "dice": dice[place * share : (place + 1) * share],
        }
        for place in range(count)
    ]


def _lists(names: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """The names that have an item for each case: what a character carries is a list anyway."""
    for name, part in names.items():
        if isinstance(part, list) and not _is_carried(name):
            yield name, part


def _item(name: str, part: Any, place: int) -> Any:
    return part[place] if isinstance(part, list) and not _is_carried(name) else part


def _is_carried(name: str) -> bool:
    return name.rpartition(".")[2] in CARRIED


def sets_options(example: Mapping[str, Any]) -> bool:
    """Whether an example is played with options of its own."""
    return any(name.startswith(OPTION) for name in example.get("given", ()))


def with_options(rules: Rules, example: Mapping[str, Any]) -> tuple[Rules, Mapping[str, Any]]:
    """The rules with the options that an example sets, and the example without them."""
    if not sets_options(example):
        return rules, example
    changed = dict(rules.rules)
    given: dict[str, Any] = {}
    for name, value in example["given"].items():
        option = name.removeprefix(OPTION)
        if option == name:
            given[name] = value
        else:
            changed[option] = {**rules.book.rule(option, "option"), "value": value}
    return Rules({**rules.artifact, "rules": changed}), {**example, "given": given}
