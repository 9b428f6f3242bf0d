"""What stands there and is never used, and rules that do not say what they are (warnings).

In: the uses that binding recorded. Out: warnings at the place of each declaration. The one rule: it runs only where
nothing is wrong, since an error elsewhere may be the very reason why something seems unused.

Events and sources of the header are a glossary: one that nothing names is told only where others are named.
"""

from __future__ import annotations

from .. import model
from ..binding.bind import Bindings
from ..binding.world import pinpoint
from ..diagnostics import Findings
from ..source import Span

TITLED: tuple[type, ...] = (
    model.Condition,
    model.Trait,
    model.Environment,
    model.Action,
    model.Procedure,
    model.Spend,
    model.Table,
)


def check_unused(system: model.System, bindings: Bindings, findings: Findings) -> None:
    used: dict[str, set[str]] = {}
    for use in bindings.uses:
        used.setdefault(use.how, set()).add(use.target_id)
    _check_names(system, bindings, findings)
    shown = {rule_id for _, ids in (*system.header.chapters, *system.header.screens) for rule_id in ids}
    read = used.get("lookup", set()) | used.get("roll_on", set()) | used.get("screen", set()) | shown
    for rule in system.rules.values():
        match rule:
            case model.Option() if rule.id not in used.get("option", ()):
                message = f"no rule asks for the option `{rule.id}`"
                hint = f"put `option: {rule.id}` on the rules it turns on, or ask `option({rule.id})` in a formula"
                findings.add("R640", message, rule.span, hint=hint)
            case model.Table(form="by" | "by_two" | "decision") if _unread(rule, read):
                # A table with a roll or weights is rolled on by people; one that is looked up waits for a rule.
                message = f"no rule uses the table `{rule.id}`, and it is on no screen or in no chapter"
                hint = "read it with `lookup(…)`, or name it under `reference`"
                findings.add("R643", message, rule.span, hint=hint)
            case _:
                pass
        if isinstance(rule, TITLED) and rule.title is None and rule.text is None:
            message = f"`{rule.id}` has neither a title nor a text: people would see its id and nothing else"
            findings.add("R646", message, rule.span, hint="title: a name as people say it")
    _check_header(system, used.get("event", set()), findings)


def _unread(rule: model.Table, read: set[str]) -> bool:
    """Whether nothing reads a table, its family counted in, and no example shows it."""
    return not rule.examples and rule.id not in read and (rule.family is None or rule.family[0] not in read)


def _check_names(system: model.System, bindings: Bindings, findings: Findings) -> None:
    """Lets and parameters; those of conditions and traits also tell one instance from another."""
    for name in bindings.names:
        rule = system.rules.get(name.rule_id)
        if name.read or rule is None:
            continue
        if name.what == "let":
            hint = "use it in a later formula, or take it out"
            findings.add("R641", f"nothing reads `{name.name}`", name.span, hint=hint)
        elif name.what == "parameter" and not isinstance(rule, model.Lasting):
            message = f"`{name.name}` is asked of everyone who uses `{rule.id}`, and nothing reads it"
            findings.add("R642", message, name.span, hint="use it in a formula, or take it out")


def _check_header(system: model.System, events: set[str], findings: Findings) -> None:
    header = system.header
    if not events.isdisjoint(header.events):
        for event in header.events:
            if event not in events:
                message = f"nothing ends, recurs or is reset by the event `{event}`, and no step lets it happen"
                findings.add("R644", message, _place(header.span, "events", event), hint="take it out, or use it")
    cited = {source.id for rule in system.rules.values() for source in _sources(rule)}
    known = [source for source, _ in header.sources]
    if not cited.isdisjoint(known):
        for source in known:
            if source not in cited:
                message = f"no rule names the source `{source}`"
                findings.add(
                    "R645", message, _place(header.span, "sources", source), hint=f'say `source: "{source}, p. 12"`'
                )


def _sources(rule: model.AnyRule) -> list[model.Source]:
    rows = rule.rows if isinstance(rule, model.Table) else ()
    return [*rule.source, *(source for row in rows for source in row.source)]


def _place(span: Span, key: str, word: str) -> Span:
    """The word in a list of the header."""
    text = span.source.text
    at = text.find(f"{key}:", span.start)
    return pinpoint(Span(span.source, at, len(text)), word) if at >= 0 else span
