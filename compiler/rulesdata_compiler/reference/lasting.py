"""Conditions, traits and environments: what they do, how they come, stack, last and end.

In: a rule of one of these kinds. Out: blocks. The one rule: whatever is silent in the data is silent here; nothing is
made up.
"""

from __future__ import annotations

from .. import model
from .modifiers import modifier_blocks
from .names import Speech, spaced
from .prose import Prose
from .spec import parameters
from .steps import Sentences, units
from .view import (
    Block,
    Fact,
    Facts,
    Items,
    Own,
    Para,
    Part,
    Portion,
    Run,
    Steps,
    Strong,
    joined,
    run,
)

_STACKING = {
    "longest": "the longer time counts",
    "add": "the times add up",
    "ignore": "changes nothing while it is there",
    "separate": "stands beside the first, each for itself",
}


class LastingView:
    """Lays out one rule that lasts."""

    def __init__(self, rule: model.Lasting, speech: Speech, prose: Prose) -> None:
        self.rule = rule
        self.speech = speech
        self.prose = prose
        self.sentences = Sentences(speech, prose)

    def blocks(self) -> tuple[Block, ...]:
        rule, made = self.rule, list[Block]()
        facts = self._facts()
        if facts:
            made.append(Facts(tuple(facts)))
        made += portion("Needs", parameters(rule.params, self.speech, self.prose))
        made += portion("Keeps count of", self._tracks())
        made += portion("Changes", modifier_blocks(rule.modifiers, self.speech, self.prose))
        if isinstance(rule, model.Condition):
            made += portion(self._levels_label(rule), self._levels(rule))
        made += self._steps("On arrival", rule.entry)
        made += self._steps(self._each_label(), rule.effect)
        if isinstance(rule, model.Condition):
            made += self._steps("When its time is over", rule.at_end)
        return tuple(made)

    def _steps(self, label: str, steps: tuple[model.Step, ...]) -> list[Block]:
        return portion(label, (Steps(self.sentences.steps(steps)),) if steps else ())

    def _facts(self) -> list[Fact]:
        rule = self.rule
        made = self._condition_facts(rule) if isinstance(rule, model.Condition) else []
        if rule.forbids:
            made.append(Fact("Forbids", joined([self._forbid(each) for each in rule.forbids])))
        if rule.implies:
            made.append(Fact("Brings along", joined([run(self.speech.ref(ref)) for ref in rule.implies])))
        if rule.suspends:
            made.append(Fact("Suspends", joined([run(self.speech.ref(ref)) for ref in rule.suspends])))
        return made

    def _condition_facts(self, rule: model.Condition) -> list[Fact]:
        say, made = self.speech.said, []
        if rule.while_ is not None:
            made.append(Fact("Holds while", say(rule.while_)))
        if rule.starts is not None:
            made.append(Fact("Starts when", say(rule.starts)))
        lasts = self._lasts(rule.lasts)
        if lasts:
            made.append(Fact("Lasts", lasts))
        ends = [self._end(end) for end in rule.ends]
        if rule.until is not None:
            ends.append(run("as soon as ", say(rule.until)))
        if rule.never:
            ends.append(run("never by itself"))
        if ends:
            made.append(Fact("Ends with", joined(ends, last=" or ")))
        made.append(Fact("Once more", self._again(rule)))
        return made

    def _again(self, rule: model.Condition) -> Run:
        if rule.stacking != "levels":
            return run(_STACKING.get(rule.stacking, rule.stacking))
        most = run(", up to ", self.speech.said(rule.max)) if rule.max is not None else ()
        return run("raises the level", most, "; the longer time counts" if rule.lasts is not None else "")

    def _lasts(self, lasts: model.Lasts | None) -> Run:
        if lasts is None:
            return ()
        if lasts.until:
            return run(f"until the {lasts.until}")
        if lasts.unit and lasts.for_ is not None:
            return run(
                self.speech.said(lasts.for_), " ", units(lasts.unit, self.speech.number(lasts.for_)), ", unless told"
            )
        return run(f"as many {units(lasts.unit)} as are told") if lasts.unit else ()

    def _end(self, end: model.End) -> Run:
        names = [run(self.speech.names.link(name)) for name in end.names]
        match end.what:
            case "after_roll":
                return run("the next roll of ", joined(names, last=" or "))
            case "any_action_but":
                return run("any action but ", joined(names, last=" or "))
        return joined(names, last=" or ")

    def _forbid(self, item: model.Forbid) -> Run:
        link = self.speech.names.link(item.name)
        return run("lowering ", link) if item.what == "lower" else run(link)

    def _each_label(self) -> str:
        moments = [
            f"{each.moment} of each {spaced(each.unit)}" if each.moment else f"each {spaced(each.unit)}"
            for each in self.rule.each
        ]
        label = " and ".join(moments) or "effect"
        if self.rule.every is not None:
            number = self.speech.number(self.rule.every)
            typed = str(number) if number is not None else spaced(self.rule.every.text.strip())
            label += f", once every {typed}"
        return label[:1].upper() + label[1:]

    def _tracks(self) -> tuple[Block, ...]:
        items: list[tuple[Block, ...]] = []
        for track in self.rule.tracks:
            say = self.speech.said
            line = run(
                Own(track.title or spaced(track.id)),
                ": ",
                say(track.min) or "0",
                " to ",
                say(track.max) or "any number",
            )
            if track.start is not None:
                line = run(line, ", at first ", say(track.start))
            items.append((Para(line),))
        return (Items(tuple(items)),) if items else ()

    def _levels_label(self, rule: model.Condition) -> str:
        if rule.cumulative is None:
            return "Levels"
        return "Levels, each with all below it" if rule.cumulative else "Levels, each for itself"

    def _levels(self, rule: model.Condition) -> tuple[Block, ...]:
        items: list[tuple[Block, ...]] = []
        for level in rule.levels:
            head = run(Strong(run(f"{level.number}" + (f". {level.title}" if level.title else ""))))
            parts: list[Part] = []
            if level.forbids:
                parts.append(run("forbids ", joined([self._forbid(each) for each in level.forbids])))
            if level.implies:
                parts.append(run("brings along ", joined([run(self.speech.ref(ref)) for ref in level.implies])))
            text = self.prose.line(level.text, self.speech, self.rule.id)
            more = joined(parts, "; ")
            line = joined([part for part in (head, text, more) if part], " ")
            items.append((Para(line), *modifier_blocks(level.modifiers, self.speech, self.prose)))
        return (Items(tuple(items)),) if items else ()


def portion(label: str, blocks: tuple[Block, ...]) -> list[Block]:
    """Blocks under a small heading; nothing if there are none."""
    return [Portion(label, blocks)] if blocks else []
