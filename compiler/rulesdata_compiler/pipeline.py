"""The stages in order, one call each; the only file that knows them all.

In: the files of a system and of the house rules over it. Out: `Compiled`, with the findings of every stage that
could run and, where there is no error, the sealed artifact. Nothing is raised for what an author wrote.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from . import emit, examples, lower, model
from .binding.bind import Bindings, bind
from .checking import checks
from .composing.below import codes_below
from .composing.causes import foreseen, in_system, lead_back
from .composing.compose import Composed, compose
from .decoding import decode
from .diagnostics import Findings
from .layers import Layer
from .reading import gather
from .shaping import families, shape
from .sifting.followers import Slips, without_followers
from .sifting.misspelt import tell_once


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was read, so that nobody takes a skipped file for a checked one."""

    files: int = 0
    rules: int = 0
    formulas: int = 0
    overlays: int = 0
    examples: int = 0

    def sentence(self) -> str:
        """`12 files, 80 rules, 410 formulas, 0 overlays and 96 worked examples`."""
        parts = [
            _many(self.files, "file"),
            _many(self.rules, "rule"),
            _many(self.formulas, "formula"),
            _many(self.overlays, "overlay"),
            _many(self.examples, "worked example"),
        ]
        return ", ".join(parts[:-1]) + " and " + parts[-1]


@dataclass(frozen=True, slots=True)
class Compiled:
    """What came of a system. `artifact` is None where a finding is an error; the earlier stages' results may stand.

    `tree` is all of its layers merged, as they are written.
    """

    findings: Findings
    counts: Counts
    system: model.System | None = None
    bindings: Bindings | None = None
    body: dict[str, Any] | None = None
    artifact: bytes | None = None
    shown: dict[str, str] = field(default_factory=dict)
    tree: gather.Collected | None = None


def compile_layers(
    layers: Sequence[Layer], findings: Findings | None = None, *, texts: bool = True, prove: bool = True
) -> Compiled:
    """Compile a base system and its overlays, the base first.

    `texts=False` leaves out of the artifact what only people read; `prove=False` skips the worked examples. Findings
    of finding the layers may be passed on.
    """
    findings = Findings() if findings is None else findings
    shown = {name: path for layer in layers for name, path in layer.shown.items()}
    compiled = _compile(layers, findings, texts, prove)
    examples.tell_once(findings)
    return replace(compiled, shown=shown)


def _compile(layers: Sequence[Layer], findings: Findings, texts: bool, prove: bool) -> Compiled:
    with collector_off():
        collected = [(layer, gather.gather(layer.files, findings)) for layer in layers]
        composed = compose(collected, findings)
        slips = Slips(findings, (tree for _, tree in collected))
        compiled = _compile_composed(layers, collected, composed, findings, texts, prove, slips.words())
        without_followers(findings, slips)
        tell_once(findings, [source for _, tree in collected for source in tree.sources])
    if composed is not None and composed.overlays and len(findings):
        alone = Findings()
        if in_system(findings, composed):
            _compile(layers[:1], alone, texts, prove)
        lead_back(findings, composed, compiled.system, compiled.bindings, alone)
    return replace(compiled, tree=composed.collected if composed is not None else None)


def _compile_composed(
    layers: Sequence[Layer],
    collected: Sequence[tuple[Layer, gather.Collected]],
    composed: Composed | None,
    findings: Findings,
    texts: bool,
    prove: bool,
    unread: set[str],
) -> Compiled:
    read = Counts(files=sum(len(layer.files) for layer in layers), overlays=sum(layer.house for layer in layers))
    if composed is None or not all(tree is not None and tree.whole for _, tree in collected):
        # A file that could not be read leaves holes: what the others say of it would be blamed on them.
        return Compiled(findings, read)
    expanded = families.expand(composed.collected, findings)
    broken = shape.check(expanded, findings) | composed.broken
    system = decode.decode(expanded, broken, findings, composed.provenance, composed.layers)
    if system is None:
        return Compiled(findings, read)
    bindings = bind(system, findings, {("", rule_id) for rule_id in system.broken}, system.lost | unread)
    checks.check(system, bindings, findings)
    counts = Counts(
        files=read.files,
        rules=len(system.rules),
        formulas=sum(1 for _ in formulas(system)),
        overlays=read.overlays,
        examples=sum(len(rule.examples) for rule in system.rules.values()),
    )
    if findings.errors:
        return Compiled(findings, counts, system, bindings)
    body = lower.lower(system, bindings)
    below = codes_below(system, composed) if composed.overlays else {}
    for number, code in below.items():
        body["provenance"][number]["code"] = code
    artifact = emit.emit(body, texts=texts)
    if prove:
        examples.prove(artifact if texts else emit.emit(body), system, findings)
        # What house rules say they change is no mistake, and marked in the artifact.
        if findings.errors and composed.overlays and (marked := foreseen(findings, composed, system, bindings)):
            system, body = marked, {**lower.lower(marked, bindings), "provenance": body["provenance"]}
            artifact = emit.emit(body, texts=texts)
    return Compiled(findings, counts, system, bindings, body, None if findings.errors else artifact)


def formulas(value: object) -> Iterator[model.Formula]:
    """Every formula of a model object, in written order."""
    if isinstance(value, model.Formula):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from formulas(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from formulas(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for item in fields(value):
            yield from formulas(getattr(value, item.name))


@contextmanager
def collector_off() -> Iterator[None]:
    """Python's cyclic collector stands still while a system is compiled: it would only walk what is kept anyway."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
