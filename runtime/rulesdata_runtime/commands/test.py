"""The command `test`: the worked examples, and with `--edges` the edges that none of them notices.

In: rules and arguments. Out: lines for people or JSON, and an exit status: 1 where an example does not come out or
an edge is left without a reason.
"""

from __future__ import annotations

import sys

from ..cli import FINE, REFUSED, show, show_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..proving.edges import Report
    from ..rules import Rules
    from .arguments import Arguments


def test(rules: Rules, arguments: Arguments) -> int:
    from ..proving.examples import all_examples, play_example

    # An example that house rules changed shows the official rule, and has nothing to prove here.
    every = list(all_examples(rules))
    bound = [(rule_id, example) for rule_id, _, example in every if not example.get("changed")]
    verdicts = [play_example(rules, rule_id, example) for rule_id, example in bound]
    changed = len(every) - len(bound)
    failed = [verdict for verdict in verdicts if not verdict.fine]
    if arguments.edges and not failed:
        return _edges(rules, arguments)
    if arguments.json:
        shapes = [
            {"rule": one.rule, "title": one.title, "place": one.place, "message": one.sentence()} for one in failed
        ]
        show_json({"examples": len(verdicts), "failed": shapes, "changed": changed})
    else:
        for one in failed:
            show(f"{one.place}: {one.rule}, {one.title!r}: {one.sentence()}")
        show(
            f"{len(verdicts) - len(failed)} of {len(verdicts)} worked examples come out"
            + (f"; house rules change {changed} more" if changed else "")
            + ("; the edges are looked for when all do" if arguments.edges else "")
        )
    return REFUSED if failed else FINE


def _edges(rules: Rules, arguments: Arguments) -> int:
    from ..proving.edges import find_edges

    on_terminal = sys.stderr.isatty()
    found = find_edges(rules, _progress if on_terminal else None)
    if on_terminal:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if arguments.json:
        show_json(found.to_json())
    else:
        for line in _told(found):
            show(line)
    return REFUSED if found.unnoticed else FINE


def _progress(done: int, of: int) -> None:
    if done % 20 == 0:
        print(f"\r{done:,} of {of:,} edges", end="", file=sys.stderr, flush=True)


def _told(found: Report) -> list[str]:
    """A line for each edge that is left, and one that counts."""
    lines = [f"{one.place}: {one.id}, {one.told}" for one in found.unnoticed]
    if found.left:
        lines.append("left with a reason:")
        lines += [f"  {one.edge.place}: {one.edge.id}, {one.edge.told} ({one.why})" for one in found.left]
    for rule, field, why in found.unneeded:
        lines.append(f"{rule}: x-edges{f' of {field}' if field else ''} gives a reason that no edge needs ({why})")
    noticed = found.edges - len(found.unnoticed) - len(found.left)
    lines.append(
        f"{found.edges:,} edges: {noticed:,} noticed by worked examples, {len(found.left):,} left with a reason, "
        f"{len(found.unnoticed):,} that no example notices"
    )
    return lines
