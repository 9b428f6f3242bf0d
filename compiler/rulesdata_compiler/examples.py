"""The worked examples of a system, run through the real runtime; those that do not come out are findings.

In: the sealed artifact and the model that says where each example stands. Out: findings E801 (does not come out).
"""

from __future__ import annotations

from rulesdata_runtime.artifact import open_artifact
from rulesdata_runtime.proving.examples import all_examples, play_example
from rulesdata_runtime.rules import Rules

from . import model
from .diagnostics import Findings


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
                hint="correct the rule or the example",
            )
