"""Every error code: severity and title. The long pages stand under pages/; codes are never reused.

Y1xx reading, S2xx shape, F3xx formula syntax, N4xx names, T5xx types and bounds, R6xx rules, H7xx house rules,
E8xx worked examples, A9xx artifact.
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """`severity` is error or warning; `title` a few words, the heading of the long page."""

    severity: str
    title: str


def _error(title: str) -> Code:
    return Code("error", title)


def _warning(title: str) -> Code:
    return Code("warning", title)


CODES: dict[str, Code] = {
    # --- Y1xx reading ---
    # --- S2xx shape ---
    # --- F3xx formula syntax ---
    # --- N4xx names ---
    # --- T5xx types and bounds ---
    # --- R6xx rules ---
    # --- H7xx house rules ---
    # --- E8xx worked examples ---
    # --- A9xx artifact ---
}
