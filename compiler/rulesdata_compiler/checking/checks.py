"""The checks of rules, in order: tables, loops, silence, spends, bands, what is unused.

In: a system and its bindings. Out: findings. The one rule: a rule whose formulas did not bind is passed over; it was
reported before, and nothing here is caused by it.
"""

from __future__ import annotations

from .. import model
from ..binding.bind import Bindings
from ..diagnostics import Findings
from .bands import check_bands
from .cycles import check_cycles
from .keys import check_keyed
from .lookups import check_lookups
from .names import Names
from .rolled import check_rolled_tables
from .silence import check_silence
from .spends import check_spends
from .tables import check_decision
from .unused import check_unused


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
