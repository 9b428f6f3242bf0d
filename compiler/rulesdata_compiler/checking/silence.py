"""Where a book is silent and a rule must not be: products, stacking, values set twice, tests with no dice.

In: modifiers and results with their codes. Out: findings at what does not say enough. The one rule: a question is
asked only where the answer matters, that is where two rules can meet on one value or a number can be a fraction.

- A product on a whole value says how it rounds, on the modifier or on the value.
- Where the header names stacking groups and two rules add to (or multiply) the same value or maximum, each modifier
  names its group. Modifiers of one rule never ask, nor do those of rolls and slots: dice add up.
- Two rules that set the same value to different numbers share a group that decides.
- What lasts a number of turns (or another unit) says how many: on the condition, or on each step that applies it.
- A result that compares with the size of a pool says what holds where there are no dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .. import model
from ..binding.values import Numbers
from ..binding.world import steps_of
from ..diagnostics import Findings, Note
from ..source import Span
from .cycles import targets
from .modified import modifiers_of
from .names import Names
from .reach import Domain, Setting, reach
from .reach_code import Code, children, nodes

DECIDES = ("highest", "lowest", "once")


@dataclass(frozen=True, slots=True)
class Found:
    """One modifier, the rule that carries it, and what it changes: (value, name), (track_max, name)."""

    rule: str
    modifier: model.Modifier
    target: tuple[str, str]


def check_silence(names: Names, findings: Findings) -> None:
    by_target: dict[tuple[str, str], list[Found]] = {}
    for one in _found(names):
        _check_rounding(one, names, findings)
        by_target.setdefault(one.target, []).append(one)
    for target, here in by_target.items():
        _check_stacking(target, here, names, findings)
        _check_sets(target, here, names, findings)
    _check_lengths(names.system, findings)
    for rule in names.system.rules.values():
        if isinstance(rule, model.Roll):
            _check_no_dice(rule, names, findings)


def _found(names: Names) -> Iterator[Found]:
    """The modifiers of all rules without a mistake: of others nobody knows what they do."""
    system = names.system
    for rule in system.rules.values():
        if rule.id in names.bindings.broken:
            continue
        for modifier, _ in modifiers_of(rule):
            ref = modifier.ref
            if ref is not None and not ref.chosen and modifier.target in ("value", "track_max", "slot"):
                named = [ref.name] if modifier.target == "slot" else targets(system, ref)
                yield from (Found(rule.id, modifier, (modifier.target, name)) for name in named)


# --- rounding ----------------------------------------------------------------------------------------------------


def _check_rounding(one: Found, names: Names, findings: Findings) -> None:
    target = names.system.rules.get(one.target[1])
    if one.target[0] == "slot" or one.modifier.round is not None or getattr(target, "round", None) is not None:
        return
    if not _is_whole(target, names):
        return
    for named in one.modifier.multiply:
        factor = names.numbers(named.formula)
        if factor is not None and not factor.whole:
            findings.add(
                "R630",
                f"`{named.formula.text}` times `{one.target[1]}` can be a fraction, and nothing says how it rounds",
                named.formula.span(),
                hint="add `round: up`, `round: down` or `round: near` to this modifier",
            )


def _is_whole(rule: model.AnyRule | None, names: Names) -> bool:
    match rule:
        case model.Stat():
            return rule.spec.type == "int"
        case model.Track():
            return rule.type == "int"
        case model.Derived():
            bound = names.bound(rule.formula)
            return bound is not None and isinstance(bound.shown, Numbers) and bound.shown.whole
        case _:
            return False


# --- stacking ----------------------------------------------------------------------------------------------------


def _check_stacking(target: tuple[str, str], here: Sequence[Found], names: Names, findings: Findings) -> None:
    if target[0] == "slot" or not names.system.header.stacking:
        return
    for verb in ("add", "multiply"):
        same = [one for one in here if getattr(one.modifier, verb)]
        rules = list(dict.fromkeys(one.rule for one in same))
        silent = [one for one in same if one.modifier.stack is None]
        if len(rules) < 2 or not silent:
            continue
        groups = [group for group, _ in names.system.header.stacking]
        does = "add to" if verb == "add" else "multiply"
        what = f"the maximum of `{target[1]}`" if target[0] == "track_max" else f"`{target[1]}`"
        first = silent[0]
        quiet = list(dict.fromkeys(one.rule for one in silent))
        who = "they do" if len(quiet) == len(rules) else f"{_names(quiet)} {'do' if quiet[1:] else 'does'}"
        findings.add(
            "R631",
            f"{_names(rules)} {does} {what}, and {who} not say how that stacks",
            first.modifier.span,
            notes=tuple(Note(one.modifier.span, f"`{one.rule}` is another") for one in _one_a_rule(same, first)),
            hint=f"name a group on each: {_or(f'`stack: {group}`' for group in groups)}",
        )


def _one_a_rule(found: Iterable[Found], first: Found) -> list[Found]:
    out: dict[str, Found] = {}
    for one in found:
        if one.rule != first.rule:
            out.setdefault(one.rule, one)
    return list(out.values())


def _check_sets(target: tuple[str, str], here: Sequence[Found], names: Names, findings: Findings) -> None:
    policies = dict(names.system.header.stacking)
    for key in dict.fromkeys(named.name for one in here for named in one.modifier.set):
        setting = [(one, named) for one in here for named in one.modifier.set if named.name == key]
        for place, (one, named) in enumerate(setting):
            clash = next((pair for pair in setting[:place] if _differ(pair, (one, named), policies, names)), None)
            if clash is not None:
                what = f"`{key}` of `{target[1]}`" if key else f"`{target[1]}`"
                findings.add(
                    "R632",
                    f"`{clash[0].rule}` sets {what} to {clash[1].formula.text}, `{one.rule}` sets it to "
                    f"{named.formula.text}, and nothing says which counts when both are in force",
                    named.formula.span(),
                    notes=(Note(clash[1].formula.span(), f"`{clash[0].rule}` sets it here"),),
                    hint="put both into one stacking group that decides (highest, lowest, once)",
                )
                break


def _differ(
    first: tuple[Found, model.Named], second: tuple[Found, model.Named], policies: dict[str, str], names: Names
) -> bool:
    """Whether two sets can meet and give different values."""
    (one, named), (other, other_named) = first, second
    if one.rule == other.rule:
        return False
    stack = one.modifier.stack
    if stack is not None and stack == other.modifier.stack and policies.get(stack) in DECIDES:
        return False
    a, b = names.bound(named.formula), names.bound(other_named.formula)
    return a is not None and b is not None and a.code != b.code


def _names(rules: Iterable[str]) -> str:
    quoted = [f"`{rule}`" for rule in rules]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _or(words: Iterable[str]) -> str:
    listed = list(words)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"


# --- how long ----------------------------------------------------------------------------------------------------


def _check_lengths(system: model.System, findings: Findings) -> None:
    """A length of time, and conditions that have one."""
    silent: dict[str, list[Span]] = {}
    for rule in system.rules.values():
        if isinstance(rule, model.Condition) and rule.starts is not None and _needs_length(rule):
            silent.setdefault(rule.id, []).append(rule.starts.span())
        for step in steps_of(rule):
            if not isinstance(step, model.Apply):
                continue
            for target in targets(system, step.ref):
                condition = system.rules[target]
                if not isinstance(condition, model.Condition):
                    continue
                if step.for_ is not None and (condition.lasts is None or condition.lasts.unit is None):
                    length = step.for_.text
                    findings.add(
                        "R634",
                        f"`{target}` does not last a number of turns or the like, so it cannot come for `{length}`",
                        step.for_.span(),
                        notes=(Note(condition.span, f"`{target}` is declared here"),),
                        hint="give the condition `lasts: {unit: turn}`, or another unit of the clock",
                    )
                elif step.for_ is None and step.until is None and _needs_length(condition):
                    silent.setdefault(target, []).append(step.ref.span)
    for target, spans in silent.items():
        condition = system.rules[target]
        unit = condition.lasts.unit if isinstance(condition, model.Condition) and condition.lasts is not None else ""
        findings.add(
            "R634",
            f"`{target}` lasts some time, and nothing says how many of `{unit}`",
            spans[0],
            notes=tuple(Note(span, "nor here") for span in spans[1:]),
            hint=f"add `for: 3` to the step, or say it once on the condition: `lasts: {{unit: {unit}, for: 3}}`",
        )


def _needs_length(rule: model.Condition) -> bool:
    return rule.lasts is not None and rule.lasts.unit is not None and rule.lasts.for_ is None


# --- no dice -----------------------------------------------------------------------------------------------------


def _check_no_dice(rule: model.Roll, names: Names, findings: Findings) -> None:
    """A truth that compares something with the size of a pool holds by accident where the pool is empty."""
    lets: dict[str, Code] = {}
    for named in (*rule.let, *rule.results):
        bound = names.bound(named.formula)
        if bound is not None:
            lets[named.name] = bound.code
    for named in rule.results:
        bound = names.bound(named.formula)
        if bound is None:
            continue
        for pool in _measured(bound.code, lets):
            if _may_be_empty(pool, lets, rule, names) and _holds_empty(bound.code, pool, lets):
                findings.add(
                    "R635",
                    f"`{named.name}` holds where there are no dice at all: the size of `{pool}` can be 0",
                    named.formula.span(),
                    hint=f"say what no dice mean, as in `{named.formula.text} and size({pool}) > 0`",
                )


def _measured(code: Code, lets: dict[str, Code]) -> list[str]:
    """Pools whose size is compared with something that is no constant; none where a constant test stands beside."""
    found: dict[str, None] = {}
    told: set[str] = set()
    for node in nodes(code):
        if node[0] not in ("<", "<=", ">", ">=", "==", "!=", "chain"):
            continue
        sides = children(node)
        sizes = {inner[1][1] for side in sides for inner in nodes(side) if inner[0] == "size" and _is_name(inner[1])}
        if any(not isinstance(side, list) for side in sides) and any(_is_size(side) for side in sides):
            told |= sizes
        else:
            found.update(dict.fromkeys(sorted(sizes)))
    return [name for name in found if name in lets and name not in told]


def _is_name(code: Code) -> bool:
    return isinstance(code, list) and bool(code[0] == "get")


def _is_size(code: Code) -> bool:
    return isinstance(code, list) and bool(code[0] == "size")


def _may_be_empty(pool: str, lets: dict[str, Code], rule: model.Roll, names: Names) -> bool:
    code = lets[pool]
    if code[0] != "roll":
        return False
    found = names.reach(code[1], rule.params, {name: other for name, other in lets.items() if name != pool})
    return found is not None and 0 in found.weights


def _holds_empty(code: Code, pool: str, lets: dict[str, Code]) -> bool:
    """Whether the truth can hold with no dice in the pool; the count of its dice is 0 then, wherever it is read."""
    empty = dict(lets)
    count = lets[pool][1]
    empty[pool] = ["roll", 0, lets[pool][2], lets[pool][3]]
    domains = {count[1]: Domain((0,))} if _is_name(count) else {}
    found = reach(code, domains, setting=Setting(empty))
    return found is not None and True in found.weights
