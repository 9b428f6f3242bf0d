"""Modifiers in words.

In: a modifier. Out: a run such as `Light −2, at least 0; of what is worn only the highest counts`. The one rule: the
target stands first, then what happens to it, then when, then how it stacks.
"""

from __future__ import annotations

from .. import model
from .names import Speech, spaced
from .prose import Prose
from .view import Block, Items, Own, Para, Run, joined, run

_STACKING = {
    "highest": "only the highest of {group} counts",
    "lowest": "only the lowest of {group} counts",
    "sum": "all of {group} add up",
    "once": "{group} counts once for each source",
}
_ROUNDED = {"up": "rounded up", "down": "rounded down", "nearest": "rounded to the nearest"}


def modifier_blocks(modifiers: tuple[model.Modifier, ...], speech: Speech, prose: Prose) -> tuple[Block, ...]:
    """Modifiers as a list."""
    return (Items(tuple((Para(modifier_words(each, speech, prose)),) for each in modifiers)),) if modifiers else ()


def modifier_words(item: model.Modifier, speech: Speech, prose: Prose) -> Run:
    """One modifier in a line."""
    line = run(_target(item, speech), _verbs(item, speech))
    if item.at_least is not None:
        line = run(line, ", at least ", speech.said(item.at_least))
    if item.at_most is not None:
        line = run(line, ", at most ", speech.said(item.at_most))
    if item.round:
        line = run(line, f", {_ROUNDED.get(item.round, item.round)}")
    if item.when is not None:
        line = run(line, ", if ", speech.said(item.when))
    if item.stack:
        line = run(line, "; ", stacking_words(item.stack, speech))
    text = prose.line(item.text, speech)
    return run(line, ". ", text) if text else line


def stacking_words(group: str, speech: Speech) -> Run:
    """How a group of modifiers stacks, as the header says."""
    how = dict(speech.names.system.header.stacking).get(group, "")
    before, _, after = _STACKING.get(how, "stacks as {group}").partition("{group}")
    return run(before, Own(spaced(group)), after)


def _target(item: model.Modifier, speech: Speech) -> Run:
    match item.target:
        case "value":
            return speech.ref(item.ref) if item.ref else ()
        case "track_max":
            return run("the maximum of ", speech.ref(item.ref) if item.ref else "")
        case "slot":
            return speech.ref(item.ref) if item.ref else ()
        case _:
            tags = speech.names.links(item.tags, " and ") if item.tags else run("all")
            line = run("own rolls: " if item.target == "roll" else "rolls against the bearer: ", tags)
            return run(line, " (but not ", speech.names.links(item.except_, " or "), ")") if item.except_ else line


def _verbs(item: model.Modifier, speech: Speech) -> Run:
    made = [run(_key(each, item, speech), " is ", speech.said(each.formula)) for each in item.set]
    made += [run(_key(each, item, speech), _added(each.formula, speech)) for each in item.add]
    made += [run(_key(each, item, speech), " × ", speech.said(each.formula)) for each in item.multiply]
    for verb, found in (("upgraded", item.upgrade), ("downgraded", item.downgrade)):
        made += [run(", ", speech.said(each.formula), " ", speech.names.link(each.name), f" {verb}") for each in found]
    line = joined(made, "," if item.target in {"value", "track_max"} else "")
    if item.forbid:
        line = run(line, "," if made else "", " forbidden")
    return line


def _key(named: model.Named, item: model.Modifier, speech: Speech) -> Run:
    """What of the target changes: nothing to say for a plain value."""
    if not named.name:
        return ()
    if item.target in {"roll", "against"}:
        if named.name == "value":
            return run(", result")
        if named.name in speech.names.anchors:
            return run(", ", speech.names.link(named.name))
        return run(", ", Own(spaced(named.name)))
    return run(f", {'free uses' if named.name == 'free' else spaced(named.name)}")


def _added(formula: model.Formula, speech: Speech) -> Run:
    """` +2`, ` −2`, ` + half of Light`."""
    number = speech.number(formula)
    if number is not None:
        return run(f" {'−' if number < 0 else '+'}{abs(number)}")
    said = speech.said(formula)
    typed = formula.text.strip()
    return run(" ", said) if typed.startswith(("-", "−")) else run(" + ", said)
