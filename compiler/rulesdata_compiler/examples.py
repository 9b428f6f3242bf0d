"""The worked examples of a system, run through the real runtime; those that do not come out are findings.

In: the sealed artifact and the model that says where each example stands. Out: findings E801 (does not come out).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rulesdata_runtime.artifact import open_artifact
from rulesdata_runtime.proving.examples import Verdict, all_examples, play_example
from rulesdata_runtime.rules import Rules

from . import model
from .diagnostics import Finding, Findings, Note
from .nearest import did_you_mean
from .tree import Scalar

MOST_NOTES = 3
_NO_VALUE = re.compile(r"there is no value (\w+)\.\Z")


def prove(artifact: bytes, system: model.System, findings: Findings) -> None:
    """Play every example of a system and record those that do not come out."""
    rules = Rules(open_artifact(artifact))
    for rule_id, number, example in all_examples(rules):
        written = system.rules[rule_id].examples[number]
        if written.changed:
            continue
        verdict = play_example(rules, rule_id, example)
        if not verdict.fine:
            name = f"the example {written.title!r}" if written.title else "a worked example"
            findings.add(
                "E801",
                f"{name} of {rule_id} does not come out: {verdict.sentence()}",
                written.span,
                notes=tuple(_wanted(written, verdict)),
                hint=_near(verdict.sentence(), system.rules[rule_id]) or "correct the rule or the example",
                cause=f"{rule_id} {verdict.sentence()}",
            )


def _wanted(written: model.Example, verdict: Verdict) -> Iterator[Note]:
    """The places of the values that did not come out; what is no single value has none."""
    values = dict(written.expect)
    for one in verdict.differences[:MOST_NOTES]:
        value = values.get(one.name)
        if isinstance(value, Scalar):
            yield Note(value.span, f"{one.actual} came out")


def _near(sentence: str, rule: model.AnyRule) -> str | None:
    """The result of a rule that may have been meant by one there is not."""
    missing = _NO_VALUE.match(sentence)
    return did_you_mean(missing[1], [result.name for result in getattr(rule, "results", ())]) if missing else None


def tell_once(findings: Findings) -> None:
    """Examples of one rule that fail for one reason: the first is told, with the places of the others."""
    groups: dict[str, list[Finding]] = {}
    for item in findings:
        if item.cause is not None:
            groups.setdefault(item.cause, []).append(item)
    made: dict[int, Finding] = {}
    gone: set[int] = set()
    for first, *others in groups.values():
        spans = [item.span for item in others if item.span is not None]
        notes = [Note(span, "another example that fails like this") for span in spans[:MOST_NOTES]]
        made[id(first)] = replace(first, notes=(*first.notes, *notes))
        gone.update(id(item) for item in others)
    findings.items[:] = [made.get(id(item), item) for item in findings.items if id(item) not in gone]
