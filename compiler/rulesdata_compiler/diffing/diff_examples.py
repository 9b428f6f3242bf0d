"""Worked examples of the one that come out otherwise in the other.

In: both systems, open for play. Out: for each such example its rule, its title and what is another now.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesdata_runtime.proving.examples import all_examples, play_example
from rulesdata_runtime.rules import Rules


def example_changes(olds: Rules, news: Rules) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every example that comes out in the old system and not in the new one."""
    for rule_id, _, example in all_examples(olds):
        if example.get("changed") or not play_example(olds, rule_id, example).fine:
            continue
        title = example.get("title") or rule_id
        if rule_id not in news.rules:
            yield rule_id, title, ("its rule is gone",)
            continue
        verdict = play_example(news, rule_id, example)
        if verdict.error is not None:
            yield rule_id, title, (verdict.error,)
        elif not verdict.fine:
            lines = tuple(f"{one.name} is {one.actual}, was {one.expected}" for one in verdict.differences)
            yield rule_id, title, lines
