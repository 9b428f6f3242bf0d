"""The blocks of a rule, by its kind.

In: a rule. Out: the blocks that say all of it but what every rule has (text, ruling, source, examples). The one rule:
a match over the kinds, so that a new kind cannot be forgotten.
"""

from __future__ import annotations

from typing import assert_never

from .. import model
from .lasting import LastingView, portion
from .modifiers import modifier_blocks
from .names import Speech, spaced
from .prose import Prose
from .ranges import bands_blocks
from .spec import default_words, kind_words, parameters
from .spends import price_words
from .steps import Sentences
from .tables import TableView
from .view import (
    Block,
    Equation,
    Equations,
    Faces,
    Fact,
    Facts,
    Items,
    Own,
    Para,
    Run,
    Steps,
    joined,
    run,
    words,
)

_OVER = {"lost": "is lost", "error": "is refused"}
_ROUNDED = {"up": "rounded up", "down": "rounded down", "nearest": "rounded to the nearest"}
_TIES = {"choose": "ties: those tied choose", "together": "ties act together", "reroll": "ties roll again"}


def blocks_of(rule: model.AnyRule, speech: Speech, prose: Prose) -> tuple[Block, ...]:
    """All blocks of a rule."""
    layout = KindView(speech, prose)
    match rule:
        case model.Stat():
            return layout.stat(rule)
        case model.Derived():
            return layout.derived(rule)
        case model.Track():
            return layout.track(rule)
        case model.Die():
            return layout.die(rule)
        case model.Roll():
            return layout.roll(rule)
        case model.Table():
            return layout.table(rule)
        case model.Spend():
            return layout.spend(rule)
        case model.Bands():
            return (*parameters(rule.params, speech, prose), *bands_blocks(rule, speech, prose))
        case model.Condition() | model.Trait() | model.Environment():
            return LastingView(rule, speech, prose).blocks()
        case model.Action():
            return layout.action(rule)
        case model.Procedure():
            return layout.procedure(rule)
        case model.Option():
            return layout.option(rule)
        case _:
            assert_never(rule)


class KindView:
    """Lays out the kinds that need no file of their own."""

    def __init__(self, speech: Speech, prose: Prose) -> None:
        self.speech = speech
        self.prose = prose
        self.sentences = Sentences(speech, prose)

    def stat(self, rule: model.Stat) -> tuple[Block, ...]:
        return (Facts(tuple(self.spec_facts(rule.spec))),)

    def spec_facts(self, spec: model.Spec) -> list[Fact]:
        made = [Fact("Values", kind_words(spec, self.speech))]
        default = default_words(spec, self.speech)
        return [*made, Fact("Default", default)] if default else made

    def derived(self, rule: model.Derived) -> tuple[Block, ...]:
        made: list[Block] = [Equations((self.equation((), rule.formula, rule.unit),), lead=True)]
        facts = [
            Fact(label, self.speech.said(formula))
            for label, formula in (("At least", rule.min), ("At most", rule.max))
            if formula is not None
        ]
        if rule.round:
            facts.append(Fact("Rounding", run(_ROUNDED.get(rule.round, rule.round))))
        return (*made, Facts(tuple(facts))) if facts else tuple(made)

    def equation(self, label: Run, formula: model.Formula, unit: str | None = None) -> Equation:
        """A formula in words, as typed, with its range. What was typed is left out where the words say just that."""
        said = self.speech.formula(formula)
        typed = formula.text.strip()
        if words(said.run).casefold() == spaced(typed).replace(".", "’s ").casefold():
            typed = ""
        return Equation(label, said.run, typed, self.speech.range(formula, unit))

    def equations(self, named: tuple[model.Named, ...]) -> tuple[Block, ...]:
        if not named:
            return ()
        made = tuple(self.equation(run(Own(spaced(each.name))), each.formula) for each in named)
        return (Equations(made),)

    def track(self, rule: model.Track) -> tuple[Block, ...]:
        say = self.speech.said
        unit = f" {rule.unit}" if rule.unit else ""
        line = run(say(rule.min) or "0", " to ", say(rule.max) or "any number", unit)
        if rule.max is not None:
            reach = self.speech.range(rule.max)
            line = run(line, f" (which is {reach})" if reach else "")
        made = [Fact("Runs from", line)]
        if rule.start is not None:
            made.append(Fact("Starts at", say(rule.start)))
        made += [
            Fact(f"Each {' and '.join(map(spaced, reset.each))}", run("back to ", say(reset.to)))
            for reset in rule.resets
        ]
        if isinstance(rule.over, model.Ref):
            made.append(Fact("What does not fit", run("goes to ", self.speech.ref(rule.over))))
        else:
            made.append(Fact("What does not fit", run(_OVER.get(rule.over, rule.over))))
        if rule.shrinks == "keep":
            made.append(Fact("A falling maximum", run("leaves what is there")))
        if rule.scope == "table":
            made.append(Fact("Belongs to", run("the whole table")))
        return (Facts(tuple(made)),)

    def die(self, rule: model.Die) -> tuple[Block, ...]:
        faces = tuple(
            joined([run(self.speech.names.link(symbol)) for symbol in face], " + ") or run("blank")
            for face in rule.faces
        )
        made: list[Block] = [Faces(faces)]
        if rule.upgrades_to:
            made.append(Facts((Fact("Upgrades to", run(self.speech.names.link(rule.upgrades_to))),)))
        return tuple(made)

    def roll(self, rule: model.Roll) -> tuple[Block, ...]:
        """A roll; one that is like another tells what is not the same."""
        blocks = self._roll(rule)
        base = self.speech.names.system.rules.get(rule.like or "")
        if not isinstance(base, model.Roll) or base is rule:
            return blocks
        known = self._roll(base)
        facts = Facts((Fact("Like", run(self.speech.names.link(base.id))),))
        return (facts, *[block for block in blocks if block not in known])

    def _roll(self, rule: model.Roll) -> tuple[Block, ...]:
        made: list[Block] = []
        facts: list[Fact] = []
        made += portion("Needs", parameters(rule.params, self.speech, self.prose))
        made += portion("First", self.equations(rule.let))
        if rule.value is not None:
            made += portion("Roll", (Equations((self.equation((), rule.value),), lead=True),))
        made += portion("Pool", self._pool(rule.pool))
        made += portion("Upgraded", self._pool(rule.upgrade))
        made += portion("Downgraded", self._pool(rule.downgrade))
        made += portion("Results", self.equations(rule.results))
        if rule.ranking is not None:
            by = joined([self.speech.said(formula) for formula in rule.ranking.by], ", then ")
            facts.append(
                Fact("Order", run("the highest first: ", by, f"; {_TIES.get(rule.ranking.ties, rule.ranking.ties)}"))
            )
            if rule.ranking.slots == "team":
                facts.append(Fact("Places", run("belong to the team, which chooses who takes one")))
        return (*([Facts(tuple(facts))] if facts else []), *made)

    def _pool(self, dice: tuple[model.Named, ...]) -> tuple[Block, ...]:
        if not dice:
            return ()
        return (Equations(tuple(self.equation(run(self.speech.names.link(each.name)), each.formula) for each in dice)),)

    def table(self, rule: model.Table) -> tuple[Block, ...]:
        layout = TableView(rule, self.speech, self.prose)
        facts = layout.facts()
        made = portion("Needs", parameters(rule.params, self.speech, self.prose))
        return (*([Facts(tuple(facts))] if facts else []), *made, layout.grid())

    def spend(self, rule: model.Spend) -> tuple[Block, ...]:
        facts = [Fact("Price", self.price(rule))]
        facts.append(
            Fact("Bought with", joined([run(self.speech.names.link(each)) for each in rule.context], last=" or "))
        )
        if rule.when is not None:
            facts.append(Fact("Only if", self.speech.said(rule.when)))
        if rule.limit is not None:
            facts.append(Fact("How often", run("at most ", self.speech.said(rule.limit), " times")))
        else:
            facts.append(Fact("How often", run("as often as it is paid for" if rule.repeatable else "once")))
        facts += self._roles(rule.roles)
        made = portion("Needs", parameters(rule.params, self.speech, self.prose))
        return (Facts(tuple(facts)), *made, *self._effect(rule.effect))

    def price(self, rule: model.Spend) -> Run:
        """`3 Gleam or 1 Halo`."""
        return joined([price_words(price, self.speech) for price in rule.cost], ", ", " or ")

    def action(self, rule: model.Action) -> tuple[Block, ...]:
        slots = []
        for slot, cost in rule.slots:
            link = self.speech.names.link(slot)
            one = cost is None or self.speech.number(cost) == 1
            slots.append(run(link) if one else run(self.speech.said(cost), " × ", link))
        facts = [Fact("Takes", joined(slots, last=" and ") if slots else run("nothing of the turn"))]
        if rule.outside_turn:
            facts.append(Fact("When", run("also outside one’s own turn")))
        facts += self._roles(rule.roles)
        made: list[Block] = [Facts(tuple(facts)), *self._requires(rule.requires)]
        made += portion("Needs", parameters(rule.params, self.speech, self.prose))
        made += portion("Changes", modifier_blocks(rule.modifiers, self.speech, self.prose))
        return (*made, *self._effect(rule.effect))

    def procedure(self, rule: model.Procedure) -> tuple[Block, ...]:
        facts = self._roles(rule.roles)
        made: list[Block] = [Facts(tuple(facts))] if facts else []
        made += self._requires(rule.requires)
        made += portion("Needs", parameters(rule.params, self.speech, self.prose))
        made += portion("Steps", (Steps(self.sentences.steps(rule.steps)),) if rule.steps else ())
        made += portion("Results", self.equations(rule.results))
        return tuple(made)

    def option(self, rule: model.Option) -> tuple[Block, ...]:
        facts = []
        if rule.spec.type == "bool":
            default = words(default_words(rule.spec, self.speech)) or "no"
            state = (rule.value or default).strip()
            facts.append(
                Fact(
                    "State",
                    run(switch(state), "" if switch(state) == switch(default) else f" (usually {switch(default)})"),
                )
            )
        else:
            facts += self.spec_facts(rule.spec)
            if rule.value is not None:
                facts.append(Fact("Now", run(spaced(rule.value))))
        return (Facts(tuple(facts)),)

    def _effect(self, steps: tuple[model.Step, ...]) -> list[Block]:
        return portion("Effect", (Steps(self.sentences.steps(steps)),) if steps else ())

    def _requires(self, needed: tuple[model.Requirement, ...]) -> list[Block]:
        items: list[tuple[Block, ...]] = []
        for each in needed:
            said = self.prose.line(each.otherwise, self.speech)
            line = run(self.speech.said(each.that), run(" (else: ", said, ")") if said else "")
            items.append((Para(line),))
        return portion("Only if", (Items(tuple(items)),) if items else ())

    def _roles(self, roles: tuple[tuple[str, str], ...]) -> list[Fact]:
        named = [run(Own(spaced(role)), f" ({spaced(sheet)})" if sheet else "") for role, sheet in roles]
        return [Fact("Roles" if len(named) > 1 else "Role", joined(named))] if named else []


def switch(state: str) -> str:
    """On or off."""
    return "on" if state in {"yes", "on", "true"} else "off"
