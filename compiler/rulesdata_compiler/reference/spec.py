"""What a value may be, in words: of stats, parameters, columns, options, questions.

In: a `Spec`. Out: a run. The one rule: type, limits, default and unit are all told, constants as numbers.
"""

from __future__ import annotations

from .. import model
from .names import Speech, spaced
from .prose import Prose
from .view import Block, Items, Own, Para, Plain, Run, Typed, joined, run

_NAMED = {"stat": "a stat", "track": "a track", "condition": "a condition", "trait": "a trait"}


def kind_words(spec: model.Spec, speech: Speech) -> Run:
    """`1 to 20`, `yes or no`, `one of calm, angry`, `a condition tagged pain`."""
    match spec.type:
        case "bool":
            return run("yes or no")
        case "choice":
            return joined([_choice(word, speech) for word in spec.of], last=" or ")
        case "text":
            return run("any text")
        case "int" | "fraction":
            return _numbers(spec, speech)
        case kind if spec.of:
            what = _NAMED.get(kind, kind)
            between = ": " if kind in {"stat", "track"} else " tagged "
            return run(what, between, speech.names.links(spec.of, " or "))
        case kind:
            return run(_NAMED.get(kind, kind))


def _choice(word: str, speech: Speech) -> Plain:
    return Plain(spaced(word))


def _numbers(spec: model.Spec, speech: Speech) -> Run:
    low, high = speech.said(spec.min), speech.said(spec.max)
    unit = f" {spec.unit}" if spec.unit else ""
    if low and high:
        line = run(low, " to ", high)
    elif low or high:
        line = run(low, " or more") if low else run("at most ", high)
    else:
        line = run("any whole number" if spec.type == "int" else "any number")
    return run(line, unit, ", fractions too" if spec.type == "fraction" and (low or high) else "")


def default_words(spec: model.Spec, speech: Speech) -> Run:
    """The default, in words; nothing where there is none."""
    if spec.default is None:
        return ()
    typed = spec.default.text.strip()
    if spec.type == "bool" and typed in _TRUTHS:
        return run(_TRUTHS[typed])
    if spec.type in {"choice", "text"} and typed.isidentifier():
        return run(spaced(typed))
    return speech.said(spec.default)


_TRUTHS = {"yes": "yes", "on": "yes", "true": "yes", "no": "no", "off": "no", "false": "no"}


def asked(spec: model.Spec, speech: Speech) -> Run:
    """A question of a step: its name, what may be answered, and who answers."""
    line = run(Own(spec.title or spaced(spec.name)), " (", kind_words(spec, speech), ")")
    return run(line, ", told by ", Own(spaced(spec.by))) if spec.by else line


def parameters(specs: tuple[model.Spec, ...], speech: Speech, prose: Prose) -> tuple[Block, ...]:
    """Parameters as a list."""
    items: list[tuple[Block, ...]] = []
    for spec in specs:
        line = run(Own(spec.title or spaced(spec.name)), ": ", kind_words(spec, speech))
        default = default_words(spec, speech)
        if default:
            line = run(line, "; by default ", default)
        if spec.title and spec.title != spaced(spec.name):
            line = run(line, " ", Typed(spec.name))
        text = prose.line(spec.text, speech)
        items.append((Para(run(line, ". ", text) if text else line),))
    return (Items(tuple(items)),) if items else ()
