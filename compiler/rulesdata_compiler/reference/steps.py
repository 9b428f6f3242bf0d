"""Steps as sentences that people read.

In: steps of the model. Out: `StepView`s, with what hangs below a step as branches; or all of them in one line, for the
cell of a table. The one rule: every field of a step is said.
"""

from __future__ import annotations

from typing import assert_never

from .. import model
from .names import Speech, spaced
from .prose import Prose
from .spec import asked
from .view import Branch, Own, Part, Plain, Run, StepView, joined, run, sentence

_CHANGES = {"add": ("add ", " to "), "subtract": ("take ", " off "), "set": ("set ", " to ")}


class Sentences:
    """Says the steps of one rule."""

    def __init__(self, speech: Speech, prose: Prose) -> None:
        self.speech = speech
        self.prose = prose
        self.names = speech.names

    def steps(self, steps: tuple[model.Step, ...]) -> tuple[StepView, ...]:
        """The steps; several values that one step works out stand each for itself."""
        made: list[StepView] = []
        for step in steps:
            if isinstance(step, model.Let) and step.when is None:
                made += [StepView(sentence(self._value(each))) for each in step.names]
            else:
                made.append(self.step(step))
        return tuple(made)

    def _value(self, each: model.Named) -> Run:
        return run(self.speech.name(each.name), " is ", self.speech.said(each.formula))

    def flat(self, steps: tuple[model.Step, ...]) -> Run:
        """All steps in one line."""
        return joined([_flat(view) for view in self.steps(steps)], " ")

    def step(self, step: model.Step) -> StepView:
        branches = self._branches(step)
        if isinstance(step, model.When):
            return _folded(StepView(run("If ", self.speech.said(step.when), ":"), branches))
        line = self._words(step)
        if step.when is not None:
            line = run("if ", self.speech.said(step.when), ": ", line)
        return StepView(sentence(line, ":" if branches else "."), branches)

    def _branches(self, step: model.Step) -> tuple[Branch, ...]:
        match step:
            case model.When(then=then, otherwise=otherwise):
                made = [Branch((), self.steps(then))]
                if otherwise:
                    made.append(Branch(run("Otherwise:"), self.steps(otherwise)))
                return tuple(made)
            case model.Repeat(do=do) | model.EachTrait(do=do):
                return (Branch((), self.steps(do)),)
            case model.Choose(options=options):
                return tuple(self._option(option) for option in options)
        return ()

    def _option(self, option: model.ChooseOption) -> Branch:
        label: Run = run(Own(option.title or spaced(option.id)))
        if option.when is not None:
            label = run(label, ", if ", self.speech.said(option.when))
        text = self.prose.line(option.text, self.speech)
        return Branch(run(label, ": " if text else ":", text), self.steps(option.steps))

    def _words(self, step: model.Step) -> Run:
        say = self.speech.said
        match step:
            case model.Let(names=names):
                return joined([self._value(each) for each in names], "; ")
            case model.Change(verb=verb, tracks=tracks):
                before, between = _CHANGES[verb]
                changes = []
                for place, (ref, formula) in enumerate(tracks):
                    first, second = (
                        (self.speech.ref(ref), say(formula)) if verb == "set" else (say(formula), self.speech.ref(ref))
                    )
                    changes.append(run(before if place == 0 else "", first, between, second))
                return run(joined(changes, ", ", " and "), self._on(step))
            case model.Apply():
                return self._apply(step)
            case model.Remove(ref=ref, level=level):
                what = self.speech.ref(ref)
                if level is not None:
                    return run("take ", say(level), " off the level of ", what, self._with(step.with_), self._on(step))
                return run("end ", what, self._with(step.with_), self._on(step))
            case model.RollStep():
                line = run("roll ", self.speech.ref(step.ref), self._by(step.by), self._with(step.with_))
                if step.tags:
                    line = run(line, ", as ", self.names.links(step.tags))
                if step.against:
                    line = run(line, ", against ", Own(spaced(step.against)))
                return run(line, self._called(step.as_), self._on(step))
            case model.RollOn():
                line = run("roll on ", self.speech.ref(step.ref))
                if step.plus is not None:
                    line = run(line, ", plus ", say(step.plus))
                return run(
                    line, self._with(step.with_), self._at_most(step.at_most), self._called(step.as_), self._on(step)
                )
            case model.SpendStep():
                line = run(Own(spaced(step.by)), " spends" if step.by else "") if step.by else run("spend")
                of = run(" of ", self.speech.name(step.of)) if step.of else ()
                line = run(line, " what the roll", of, " gave on entries for ", self.names.link(f"{step.context}"))
                return run(line, self._with(step.with_), self._on(step))
            case model.Run():
                line = run("go through ", self.speech.ref(step.ref), self._with(step.with_))
                if step.roles:
                    cast = [run(Own(spaced(there)), " is ", Own(spaced(here))) for there, here in step.roles]
                    line = run(line, ", where ", joined(cast, last=" and "))
                return run(line, self._at_most(step.at_most), self._called(step.as_), self._on(step))
            case model.When():
                return ()
            case model.Repeat(times=times):
                return run("do this ", say(times), " times")
            case model.EachTrait(tag=tag):
                return run("for each trait that is ", self.names.link(tag), self._on(step))
            case model.Choose():
                line = run(Own(spaced(step.by)), " chooses") if step.by else run("choose")
                return run(line, f", {step.title}" if step.title else f" {spaced(step.name)}")
            case model.Ask(specs=specs):
                return run("the table says ", joined([asked(spec, self.speech) for spec in specs], "; "))
            case model.Say(text=text):
                return run("note: ", self.prose.line(text, self.speech))
            case model.Stop(text=text):
                return run("stop here: ", self.prose.line(text, self.speech))
            case model.Event(event=event):
                return run("this counts as ", Own(spaced(event)), self._on(step))
            case _:
                assert_never(step)

    def _apply(self, step: model.Apply) -> Run:
        line: Run = run("apply ", self.speech.ref(step.ref))
        if step.level is not None:
            line = run(
                line,
                " at level " if not _one(step.level) else ", one level",
                *([] if _one(step.level) else [self.speech.said(step.level)]),
            )
        line = run(line, self._with(step.with_), self._on(step))
        if step.for_ is not None:
            line = run(line, " for ", self.speech.said(step.for_), self._unit(step))
        return run(line, f" until the {step.until}") if step.until else line

    def _unit(self, step: model.Apply) -> str:
        """The unit of the condition's duration, in the plural unless it is one."""
        rule = self.names.system.rules.get(step.ref.name)
        if not isinstance(rule, model.Condition) or rule.lasts is None or rule.lasts.unit is None:
            return ""
        return " " + units(rule.lasts.unit, self.speech.number(step.for_))

    def _with(self, given: tuple[model.Named, ...]) -> Run:
        if not given:
            return ()
        parts = [run(Own(spaced(each.name)), " ", *self._given(each)) for each in given]
        return run(" with ", joined(parts, last=" and "))

    def _given(self, each: model.Named) -> list[Part]:
        if each.formula.text.strip() == each.name:
            return ["as it is"]
        return ["= ", self.speech.said(each.formula)]

    def _on(self, step: model.Step) -> Run:
        return run(", on ", Own(spaced(step.to))) if step.to else ()

    def _by(self, by: str | None) -> Run:
        return run(" by ", Own(spaced(by))) if by else ()

    def _called(self, name: str | None) -> Run:
        return run("; call it ", Own(spaced(name))) if name else ()

    def _at_most(self, most: model.Formula | None) -> Run:
        return run(", at most ", self.speech.said(most), " times") if most is not None else ()


def units(unit: str, count: object = None) -> str:
    """`turn`, or `turns` unless there is one of them."""
    return spaced(unit) if count == 1 else f"{spaced(unit)}s"


def _one(formula: model.Formula) -> bool:
    return formula.text.strip() == "1"


def _folded(view: StepView) -> StepView:
    """A choice between single steps in one line: `If lit: add 1 to Oil. Otherwise: set Oil to 0.`"""
    if any(len(branch.steps) != 1 or branch.steps[0].branches for branch in view.branches):
        return view
    line = view.run
    for branch in view.branches:
        inner = branch.steps[0].run
        if inner and isinstance(inner[0], Plain):
            inner = (Plain(inner[0].text[:1].lower() + inner[0].text[1:]), *inner[1:])
        line = run(line, " " if line else "", branch.label, " " if branch.label else "", inner)
    return StepView(line)


def _flat(view: StepView) -> Run:
    parts: list[Part] = [view.run]
    for branch in view.branches:
        inner = joined([_flat(step) for step in branch.steps], " ")
        parts += [part for part in (" ", branch.label, " " if branch.label else "", inner) if part]
    return run(*[Plain(part) if isinstance(part, str) else part for part in parts])
