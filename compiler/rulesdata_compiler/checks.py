"""The checks of rules, in order: tables, loops, silence, spends, bands, what is unused.

In: a system and its bindings. Out: findings. The one rule: a rule whose formulas did not bind is passed over; it was
reported before, and nothing here is caused by it.
"""

from __future__ import annotations

from . import model
from .bind import Bindings
from .check_bands import check_bands
from .check_cycles import check_cycles
from .check_keys import check_keyed
from .check_lookups import check_lookups
from .check_names import Names
from .check_rolled import check_rolled_tables
from .check_silence import check_silence
from .check_spends import check_spends
from .check_tables import check_decision
from .check_unused import check_unused
from .diagnostics import Findings


def check(system: model.System, bindings: Bindings, findings: Findings) -> None:
    """Everything a sound system must not have. What several members of a family share is told once."""
    found = Findings()
    names = Names(system, bindings)
    for rule in system.rules.values():
        if isinstance(rule, model.Table) and rule.id not in bindings.broken:
            match rule.form:
                case "by" | "by_two":
                    check_keyed(rule, names, found)
                case "decision":
                    check_decision(rule, names, found)
    check_rolled_tables(names, found)
    check_lookups(names, found)
    check_cycles(system, found)
    check_silence(names, found)
    check_spends(names, found)
    check_bands(names, found)
    if not findings.errors and not found.errors:
        check_unused(system, bindings, found)
    told: set[tuple[object, ...]] = set()
    for finding in found:
        key = (finding.code, finding.span and finding.span.sort_key())
        if key not in told:
            told.add(key)
            findings.add(finding.code, finding.message, finding.span, notes=finding.notes, hint=finding.hint)
