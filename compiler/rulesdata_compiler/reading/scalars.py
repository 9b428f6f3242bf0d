"""What a scalar says, by the slot that wants to know.

In: a scalar with its raw text. Out: a truth value, a number, nothing; or None where it is none of that. The rules are
those of YAML 1.2 (core), widened where a slot leaves no doubt: a slot for a truth value takes yes and no. All exact.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias, assert_never

from ..diagnostics import Findings
from ..tree import Mapping, Node, Scalar, Sequence

Plain: TypeAlias = "bool | int | Fraction | str | list[Plain] | dict[str, Plain] | None"

MOST_DIGITS = 400

_WHOLE = re.compile(r"[-+]?[0-9]+")
_BASES = {"0o": (re.compile(r"0o[0-7]+"), 8), "0x": (re.compile(r"0x[0-9a-fA-F]+"), 16)}
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE]([-+]?[0-9]+))?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+(?:\.[0-9]*)?")
_SEPARATED = re.compile(r"[-+]?[0-9]{1,3}(?:[_'’., \u00a0\u2009\u202f]?[0-9]{3})+|[-+]?[0-9]+(?:_[0-9]+)+")
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_NULLS = {"", "~", "null", "Null", "NULL"}
_MINUS = str.maketrans({"−": "-", "–": "-"})


def truth(node: Node) -> bool | None:
    """true/false, yes/no, on/off; None for anything else.

    >>> from rulesdata_compiler.source import Source, Span
    >>> truth(Scalar(Span(Source("a.yaml", "Yes"), 0, 3), "Yes"))
    True
    """
    if not isinstance(node, Scalar) or node.text not in {node.text.lower(), node.text.upper(), node.text.capitalize()}:
        return None
    return _TRUTHS.get(node.text.lower())


def number(node: Node, findings: Findings | None = None) -> int | Fraction | None:
    """A number, exact; a fraction that is whole comes as a whole number. None for anything else.

    With `findings`, a leading zero is warned about: `010` is 10 here, and 8 for some other readers of YAML.
    """
    if not isinstance(node, Scalar) or node.style in {"literal", "folded"}:
        return None
    text = node.text.translate(_MINUS)
    value = _number(text)
    if value is not None and findings is not None and node.style == "plain" and _LEADING_ZERO.fullmatch(text):
        findings.add(
            "Y131",
            f"{node.text} is read as {value}",
            node.span,
            hint=f"leave out the zeros in front: {text[: len(text) - len(text.lstrip('-+'))]}{_without_zeros(text)}",
        )
    return value


def whole(node: Node, findings: Findings | None = None) -> int | None:
    """A whole number, or None."""
    value = number(node, findings)
    return value if isinstance(value, int) else None


def null(node: Node) -> bool:
    """Nothing at all: an empty value, `~` or `null`, not in quotes."""
    return isinstance(node, Scalar) and node.style == "plain" and node.text in _NULLS


def suggest_number(text: str) -> str | None:
    """What to write for a number that is set out for people: `1_000` and `1'000` are text, `1000` is a number."""
    if not _SEPARATED.fullmatch(text):
        return None
    return re.sub(r"[^0-9+-]", "", text)


def core(scalar: Scalar) -> bool | int | Fraction | str | None:
    """A scalar by the core rules of YAML 1.2: only plain ones can be anything but text."""
    text = scalar.text
    if scalar.style != "plain":
        return text
    if text in _NULLS:
        return None
    if text[0] in "+-.0123456789":
        value = _number(text)
        return text if value is None else value
    if text in {"true", "True", "TRUE"}:
        return True
    return False if text in {"false", "False", "FALSE"} else text


def plain(node: Node) -> Plain:
    """Plain data for a schema check: keys are text, scalars as `core` says. Trees are at most 64 deep."""
    match node:
        case Scalar():
            return core(node)
        case Mapping():
            return {entry.key.text: plain(entry.value) for entry in node.entries}
        case Sequence():
            return [plain(item) for item in node.items]
    assert_never(node)


def _number(text: str) -> int | Fraction | None:
    if len(text) > MOST_DIGITS:
        return None
    if _WHOLE.fullmatch(text):
        return int(text)
    if text[:2] in _BASES:
        shape, base = _BASES[text[:2]]
        return int(text[2:], base) if shape.fullmatch(text) else None
    if decimal := _DECIMAL.fullmatch(text):
        if decimal.group(1) and abs(int(decimal.group(1))) > MOST_DIGITS:
            return None
        value = Fraction(text)
        return value.numerator if value.denominator == 1 else value
    return None


def _without_zeros(text: str) -> str:
    digits = text.lstrip("-+").lstrip("0")
    return digits if digits[:1].isdigit() else f"0{digits}"
