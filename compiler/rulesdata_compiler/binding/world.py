"""All that binding knows of a system: its names by what they are, what was bound, used and found.

In: a System and the collector of findings. Out: lookups that report what they miss. The one rule: a mistake is
reported once, at the place of the use, and what is broken for another reason is passed over in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Protocol

from .. import model
from ..diagnostics import Findings, Note
from ..formulas.parse import Problem, parse
from ..formulas.syntax import Call, Compare, Expr, Junction, Name, Not
from ..nearest import did_you_mean
from ..source import Span, block_end
from .scopes import Scope, Want
from .values import Meaning, Numbers

if TYPE_CHECKING:
    from .site import Site

WORDS: dict[type, str] = {
    model.Stat: "stat",
    model.Derived: "derived value",
    model.Track: "track",
    model.Die: "die",
    model.Roll: "roll",
    model.Table: "table",
    model.Spend: "spend",
    model.Bands: "set of bands",
    model.Condition: "condition",
    model.Trait: "trait",
    model.Environment: "environment",
    model.Action: "action",
    model.Procedure: "procedure",
    model.Option: "option",
}
SHEET = (model.Stat, model.Derived, model.Track)
LASTING = (model.Condition, model.Trait, model.Environment)
DOING = (model.Action, model.Procedure)
HOLDERS = (model.Rule, model.StepBase, model.ChooseOption, model.Row, model.More)
SUGGESTIONS = 200  # findings with a suggestion, at most: each compares a word with every name there is
# Findings that come of not knowing what a broken test says.
DOUBTFUL = frozenset({"N415", "T503", "T504", "T506", "T509", "T511", "T513", "T517", "T518"})
COMPARISONS = 1_000_000  # and so many comparisons in all


@dataclass(frozen=True, slots=True)
class Use:
    """A rule names something: `how` is read, apply, remove, roll, roll_on, run, spend, lookup, modifies, tag, event,
    unit, symbol, die, slot, source, option, stacking, implies, suspends, forbids, choice, like, screen."""

    rule_id: str
    target_id: str
    span: Span
    how: str


class Answers(Protocol):
    """What binding asks of values it has bound before, or binds now."""

    tables_with_dice: set[str]

    def value_of(self, name: str) -> Meaning: ...
    def spec_value(self, spec: model.Spec, rule: str) -> Meaning: ...
    def want_of(self, spec: model.Spec, what: str) -> Want: ...
    def own_track(self, rule: str, track: model.Track) -> Meaning: ...
    def cells(self, table: model.Table) -> dict[str, Meaning]: ...
    def moves(self, bands: model.Bands) -> Numbers: ...
    def level(self, condition: str) -> int | None: ...
    def changed(self, roll: str) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class LocalName:
    """A name made inside a rule, and whether anything reads it."""

    rule_id: str
    name: str
    what: str
    span: Span
    read: bool


def a(word: str) -> str:
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def listed(words: Iterable[str], last: str = "or") -> str:
    """`one, two or three`."""
    every = list(dict.fromkeys(words))
    return f"{', '.join(every[:-1])} {last} {every[-1]}" if len(every) > 1 else every[0] if every else "nothing"


def named(words: Iterable[str], last: str = "or") -> str:
    """The same, each as code."""
    return listed((f"`{word}`" for word in words), last)


@dataclass(slots=True)
class World:
    """The system, indexed. `silent` holds ids that are broken already, `lost` plain words that a broken declaration
    may have declared: nothing about them is reported again."""

    system: model.System
    findings: Findings
    silent: set[str] = field(default_factory=set)
    lost: frozenset[str] = frozenset()
    families: dict[str, dict[str, str]] = field(default_factory=dict)
    tags: dict[str, list[str]] = field(default_factory=dict)
    roll_tags: dict[str, set[str]] = field(default_factory=dict)
    contexts: dict[str, list[model.Spend]] = field(default_factory=dict)
    symbols: dict[str, model.Symbol] = field(default_factory=dict)
    slots: dict[str, model.Slot] = field(default_factory=dict)
    units: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    sheets: dict[str, frozenset[str]] = field(default_factory=dict)
    trees: dict[model.Formula, Expr | None] = field(default_factory=dict)
    meanings: dict[model.Formula, Meaning] = field(default_factory=dict)
    sites: dict[model.Formula, Site] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    made: dict[tuple[str, str, int], tuple[str, Span]] = field(default_factory=dict)
    read: set[tuple[str, str, int]] = field(default_factory=set)
    specs: dict[int, Meaning] = field(default_factory=dict)
    scopes: dict[str, Scope] = field(default_factory=dict)
    doubt: bool = False
    unrounded: set[str] = field(default_factory=set)
    former: dict[str, str] | None = None
    suggested: int = 0
    compared: int = 0
    told: dict[tuple[object, ...], str] = field(default_factory=dict)
    _answers: Answers | None = None

    def __post_init__(self) -> None:
        header = self.system.header
        self.symbols = {symbol.id: symbol for symbol in self.system.symbols}
        self.slots = {slot.id: slot for slot in self.system.slots}
        self.units = frozenset(unit for unit, _ in header.clock)
        self.sheets = {kind: frozenset(names) for kind, names in header.sheets}
        for rule_id, rule in self.rules.items():
            if rule.family:
                self.families.setdefault(rule.family[0], {})[rule.family[1]] = rule_id
            for tag in rule.tags:
                self.tags.setdefault(tag, []).append(rule_id)
            if isinstance(rule, model.Roll | model.Table):
                self.roll_tags[rule_id] = {*rule.tags, rule_id}
            if isinstance(rule, model.Spend):
                for context in rule.context:
                    self.contexts.setdefault(context, []).append(rule)
        for step in steps_of(tuple(self.rules.values())):
            if isinstance(step, model.RollStep) and step.tags:
                self.roll_tags.setdefault(step.ref.name, set()).update(step.tags)
        doing = (rule_id for rule_id, rule in self.rules.items() if isinstance(rule, DOING))
        rolled = (tag for tags in self.roll_tags.values() for tag in tags)
        self.events = frozenset((*header.events, *header.scenes, *doing, *rolled, *self.tags_of_doing()))

    @property
    def rules(self) -> Mapping[str, model.AnyRule]:
        return self.system.rules

    @property
    def answers(self) -> Answers:
        assert self._answers is not None
        return self._answers

    @answers.setter
    def answers(self, answers: Answers) -> None:
        self._answers = answers

    def is_value(self, name: str) -> bool:
        return isinstance(self.rules.get(name), SHEET)

    def tags_of_doing(self) -> Iterator[str]:
        for tag, ids in self.tags.items():
            if any(isinstance(self.rules[rule_id], DOING) for rule_id in ids):
                yield tag

    # --- formulas ----------------------------------------------------------------------------------------------

    def expr(self, formula: model.Formula, rule: str) -> Expr | None:
        """The formula's syntax tree; None where it has none, which is reported once."""
        if formula not in self.trees:
            found = parse(formula.text)
            if isinstance(found, Problem):
                self.error(rule, found.code, found.message, formula.span(found.start, found.end), hint=found.hint)
                self.trees[formula] = None
            else:
                self.trees[formula] = found
        return self.trees[formula]

    # --- reporting ---------------------------------------------------------------------------------------------

    def error(
        self,
        rule: str,
        code: str,
        message: str,
        span: Span | None,
        *,
        notes: tuple[Note, ...] = (),
        hint: str | None = None,
    ) -> None:
        """Report an error of a rule, which is broken from then on.

        What several rules have in common, members of a family or rolls like each other, is told for the first only.
        """
        self.broken.add(rule)
        if self.doubt and code in DOUBTFUL:
            return
        if span is not None and self.told.setdefault((code, span.sort_key()), rule) != rule:
            return
        self.findings.add(code, message, span, notes=notes, hint=hint)

    def suggest(self, word: str, candidates: Callable[[], Iterable[str]] | Iterable[str]) -> str | None:
        self.suggested += 1
        if self.suggested > SUGGESTIONS or self.compared > COMPARISONS:
            return None
        names = frozenset(candidates() if callable(candidates) else candidates)
        self.compared += len(names)
        return did_you_mean(word, names)

    def renamed(self, word: str) -> str | None:
        """What a rule is called now that had this name once."""
        if self.former is None:
            self.former = {name: rule.id for rule in self.rules.values() for name in rule.renamed_from}
        return f"it is called `{self.former[word]}` now" if word in self.former else None

    def use(self, rule: str, target: str, span: Span, how: str) -> None:
        self.uses.append(Use(rule, target, span, how))

    # --- ids ---------------------------------------------------------------------------------------------------

    def ids(self, kinds: tuple[type, ...]) -> list[str]:
        """Ids of some kinds, for suggestions; a family by its own name."""
        found = (rule for rule in self.rules.values() if isinstance(rule, kinds))
        return sorted({rule.family[0] if rule.family else rule.id for rule in found})

    def rule_named(
        self, scope: Scope, name: str, span: Span, kinds: tuple[type, ...], how: str
    ) -> model.AnyRule | None:
        """The rule of one of `kinds` with this id; reports an unknown one, one of another kind, one that is off."""
        wanted = listed(a(WORDS[kind]) for kind in kinds)
        rule = self.rules.get(name)
        if rule is None:
            if name in self.silent:
                self.broken.add(scope.rule)
            elif name in self.families:
                self.family_key_missing(scope, name, span)
            else:
                kind_words = listed(WORDS[kind] for kind in kinds)
                hint = self.renamed(name) or self.suggest(name, lambda: self.ids(kinds))
                self.error(scope.rule, "N403", f"there is no {kind_words} `{name}`", span, hint=hint)
            return None
        if not isinstance(rule, kinds):
            message = f"`{name}` is {a(WORDS[type(rule)])}, and {wanted} is wanted here"
            notes = (Note(rule.span, f"`{name}` is declared here"),)
            self.error(scope.rule, "N404", message, span, notes=notes, hint=self.suggest(name, self.ids(kinds)))
            return None
        self.use(scope.rule, name, span, how)
        self.check_option(scope, rule, span)
        return rule

    def family_key_missing(self, scope: Scope, name: str, span: Span) -> None:
        members = self.families[name].values()
        message = f"`{name}` is a family of {len(members)} rules, and this does not say which"
        some = list(members)[:3]
        hint = f"write {named([*some, '…'] if len(members) > 3 else some)}"
        self.error(scope.rule, "N419", message, span, hint=hint)

    def word(self, rule: str, code: str, what: str, name: str, span: Span, known: Collection[str], how: str) -> bool:
        """Whether a plain word (a tag, a unit, a symbol) is known; reports and records it."""
        if name in known:
            self.use(rule, name, span, how)
            return True
        if name in self.silent or name in self.lost:
            self.broken.add(rule)
            return False
        self.error(rule, code, f"there is no {what} `{name}`", pinpoint(span, name), hint=self.suggest(name, known))
        return False

    @contextmanager
    def in_doubt(self, scope: Scope) -> Iterator[None]:
        """Where a test or a step before is broken, more may be known of values than can be told."""
        before = self.doubt
        self.doubt = before or scope.unsure
        try:
            yield
        finally:
            self.doubt = before

    # --- options -----------------------------------------------------------------------------------------------

    def switches(self, rule: model.AnyRule) -> frozenset[str]:
        """What must be on (`x`) or off (`not x`) for a rule to be in force."""
        if rule.option is None:
            return frozenset()
        expr = self.expr(rule.option, rule.id)
        return frozenset() if expr is None else switched(expr, bare=True)

    def _is_option(self, switch: str) -> bool:
        """Whether a switch (`x`, `not x`) names an option; one that does not was told where it stands."""
        name = switch.removeprefix("not ")
        return not name.isidentifier() or isinstance(self.rules.get(name), model.Option)

    def check_option(self, scope: Scope, rule: model.AnyRule, span: Span) -> None:
        """A rule that can be off may be named only where it is on."""
        missing = sorted(self.switches(rule) - scope.options)
        if not missing or rule.id == scope.rule:
            return
        if scope.unsure or any(not self._is_option(switch) for switch in missing):
            self.broken.add(scope.rule)
            return
        when = " and ".join(f"`{switch}`" for switch in missing)
        notes = (Note(rule.span, f"`{rule.id}` is declared here"),)
        test = " and ".join(
            f"not option({switch[4:]})" if switch.startswith("not ") else f"option({switch})" for switch in missing
        )
        self.error(
            scope.rule,
            "N415",
            f"`{rule.id}` is in force only with {when}, and here that is not known",
            span,
            notes=notes,
            hint=f"ask first, as in `if {test} then … else …` or `when: {test}`, or give this rule the same `option`",
        )


def switched(expr: Expr, *, bare: bool = False, truth: bool = True) -> frozenset[str]:
    """The options that are on (`x`) or off (`not x`) where an expression holds; `bare` where names are options."""
    match expr:
        case Name(name=name) if bare:
            return frozenset((name if truth else f"not {name}",))
        case Call(name="option", args=(Name(name=name),)):
            return frozenset((name if truth else f"not {name}",))
        case Not(of=inner):
            return switched(inner, bare=bare, truth=not truth)
        case Junction(operator=operator, operands=operands) if (operator == "and") == truth:
            return frozenset().union(*(switched(operand, bare=bare, truth=truth) for operand in operands))
        case Compare() if bare and truth:
            return frozenset((repr(expr),))
    return frozenset()


def pinpoint(span: Span, word: str) -> Span:
    """The place of a word in what a span heads: behind it, up to the end of its block, else before it in its line.

    Plain words in lists have no places of their own in the model. The span itself where the word is not found.
    """
    text = span.source.text
    begin, end = text.rfind("\n", 0, span.start) + 1, block_end(span)
    for first, last in ((span.start, end), (begin, span.start)):
        at = text.find(word, first, last)
        while at >= 0:
            stop = at + len(word)
            if not (_wordy(text[at - 1 : at]) or _wordy(text[stop : stop + 1])):
                return Span(span.source, at, stop)
            at = text.find(word, at + 1, last)
    return span


def _wordy(char: str) -> bool:
    return char.isalnum() or char == "_"


def steps_of(value: object) -> Iterator[model.Step]:
    """Every step in a model object, or in a list of them, outer ones first."""
    if isinstance(value, tuple | list):
        for item in value:
            if isinstance(item, (*HOLDERS, tuple, list)):
                yield from steps_of(item)
    elif isinstance(value, HOLDERS):
        if isinstance(value, model.Step):
            yield value
        for item in fields(value):
            held = getattr(value, item.name)
            if isinstance(held, tuple):
                yield from steps_of(held)
