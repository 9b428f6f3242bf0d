"""The value that an overlay sets for an option: does it fit what the option says it may be?

In: the option below and the value. Out: what the value should be instead, in words; None where it fits. Only what can
be told from the option alone is looked at; a formula is checked with all others later.
"""

from __future__ import annotations

from ..reading.scalars import number, truth
from ..tree import Mapping, Node, Scalar, Sequence


def unfit(option: Mapping, value: Node) -> str | None:
    """`yes or no`, `a whole number from 0 to 9`, `one of slow, fast`."""
    if not isinstance(value, Scalar):
        return "one value"
    kind = _text(option.get("type"))
    if kind == "choice":
        of = option.get("of")
        names = [_text(item) for item in of] if isinstance(of, Sequence) else []
        return None if value.text.strip() in names else f"one of {', '.join(names)}"
    default = option.get("default")
    is_truth = kind == "bool" or (not kind and default is not None and truth(default) is not None)
    if is_truth:
        return None if truth(value) is not None else "yes or no"
    found = number(value)
    if kind not in {"int", "fraction"} and (kind or default is None or number(default) is None):
        return None
    low, high = (number(node) if (node := option.get(end)) is not None else None for end in ("min", "max"))
    whole = kind != "fraction"
    if (
        found is not None
        and (not whole or found.denominator == 1)
        and (low is None or found >= low)
        and (high is None or found <= high)
    ):
        return None
    noun = "a whole number" if whole else "a number"
    ends = [
        f"from {low}" if low is not None else "",
        f"{'up ' if low is None else ''}to {high}" if high is not None else "",
    ]
    return " ".join([noun, *(end for end in ends if end)])


def _text(node: Node | None) -> str:
    return node.text.strip() if isinstance(node, Scalar) else ""
