"""Names in formulas: what a bare word, `alarm[kind]`, `try.total` or `owner.alarm[kind]` means.

In: the expression and its scope. Out: the code that reads it, its range, and the reads recorded. The one rule: there
is one space of names for stats, derived values, tracks and everything a rule makes itself, so a word has one meaning;
only where a choice, an id or a yes or no is expected, the words of that place come first.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics import Note
from ..formulas.syntax import At, Call, Expr, Index, Member, Name
from ..model import AnyRule, Condition, Environment, Option, Procedure, Roll, Table, Trait
from ..nearest import suggest
from .lookup import lookup
from .ranges import join
from .scopes import YES_NO, Scope, Want
from .site import Site
from .values import BROKEN, Choices, Ids, Meaning, Nones, Record, Truths, Value
from .world import LASTING, SHEET, WORDS, World, a, listed, named


def name(site: Site, expr: Name, scope: Scope, want: Want | None) -> Meaning:
    """A bare word."""
    word, world = expr.name, site.world
    expected = _expected(world, word, want)
    if expected is not None:
        if isinstance(expected.value, Ids):
            world.use(site.rule, word, site.span(expr.at), "choice")
        return expected
    if scope.switches:
        return option_value(site, word, expr.at, scope)
    if word in scope.locals:
        return _local(site, word, scope)
    rule = world.rules.get(word)
    if isinstance(rule, SHEET):
        return sheet_value(site, rule, expr.at, scope, ["get", word])
    if word in world.silent:
        world.broken.add(site.rule)
        return BROKEN
    if word == "none":
        return Meaning(None, Nones(), Nones())
    if want is not None and want.kind == "truth" and word in YES_NO:
        return Meaning(YES_NO[word], Truths(YES_NO[word]), Truths(YES_NO[word]))
    return _unknown(site, expr, scope, want, rule)


def _expected(world: World, word: str, want: Want | None) -> Meaning | None:
    """The word as the choice or the id that is wanted here."""
    if want is None or want.options is None or word not in want.options:
        return None
    value: Value = Ids(want.of, frozenset((word,))) if want.kind == "id" else Choices(frozenset((word,)))
    return Meaning(word, value, value) if want.kind in ("id", "choice") else None


def _local(site: Site, word: str, scope: Scope) -> Meaning:
    local = scope.locals[word]
    site.world.read.add((site.rule, word, local.span.start))
    if local.meaning.broken:
        site.world.broken.add(site.rule)
    return local.meaning


def sheet_value(site: Site, rule: AnyRule, at: At, scope: Scope, code: list[object], role: str = "") -> Meaning:
    """A stat, derived value or track, of the bearer or of a role."""
    world = site.world
    if scope.constant:
        message = f"`{rule.id}` belongs to a character, and {scope.constant}"
        return site.error("T516", message, at, hint="write a number")
    site.reads.add(rule.id)
    world.use(site.rule, rule.id, site.span(at), "read")
    world.check_option(scope, rule, site.span(at))
    kind = scope.sheets.get(role, "") if role else scope.bearer_sheet
    on_sheet = world.sheets.get(kind)
    if on_sheet and rule.id not in on_sheet and (not rule.family or rule.family[0] not in on_sheet):
        who = f"`{role}`" if role else "the first role"
        return site.error("N424", f"{who} is a sheet of the kind `{kind}`, which has no `{rule.id}`", at)
    found = world.answers.value_of(rule.id)
    if found.broken:
        world.broken.add(site.rule)
        return BROKEN
    return Meaning(code, found.value, found.shown)


def option_value(site: Site, word: str, at: At, scope: Scope) -> Meaning:
    """`option(name)`; in an `option:` a bare name."""
    option = site.world.rule_named(scope, word, site.span(at), (Option,), "option")
    if not isinstance(option, Option):
        return BROKEN
    found = site.world.answers.spec_value(option.spec, option.id)
    return BROKEN if found.broken else Meaning(["option", word], found.value, found.shown)


# --- unknown ---------------------------------------------------------------------------------------------------


def _unknown(site: Site, expr: Name, scope: Scope, want: Want | None, rule: AnyRule | None) -> Meaning:
    word, world, at = expr.name, site.world, expr.at
    hint: str | None = None
    if want is not None and want.options is not None and (want.kind == "id" or (want.kind == "choice" and not rule)):
        return _unknown_word(site, word, at, want, want.options, scope)
    if rule is not None:
        message = f"`{word}` is {a(WORDS[type(rule)])}, which has no value of its own"
        notes = (Note(rule.span, f"`{word}` is declared here"),)
        hint = world.suggest(word, scope.locals) or _how_to_read(rule)
        return site.error("N417", message, at, hint=hint, notes=notes)
    if word in world.families:
        world.family_key_missing(scope, word, site.span(at))
        return BROKEN
    if word in scope.roles:
        return site.error("N417", f"`{word}` is a role", at, hint=f"name a value of it: `{word}.…`")
    if word in scope.partly:
        message = f"`{word}` is a parameter of only some of the rolls that this modifier reaches"
        hint = "name a tag that only those rolls have, or give all of them this parameter"
        return site.error("N423", message, at, hint=hint)
    if word == "base":
        message = "`base` is the formula that a house rule replaces, and this is none"
        return site.error("N423", message, at, hint="it stands only in formulas under `change:`")
    hint = world.renamed(word) or world.suggest(word, lambda: known_names(world, scope, want))
    if hint is None and any(one.span and one.span.source is site.span(at).source for one in world.system.provenance):
        hint = world.suggest(word, ["base"])  # what house rules alone can say
    own = world.rules.get(site.rule)
    if hint is None and own is not None:
        hint = _cure(site, own, word, at)
    return site.error("N401", f"there is no `{word}` here", at, hint=hint)


def _cure(site: Site, rule: AnyRule, word: str, at: At) -> str | None:
    """What may have been meant by a name that nothing is near to."""
    if rule.family and suggest(word, ["each"]):
        return "did you mean each? `(each)` stands for the member's name"
    here = site.span(at)
    for made in (*getattr(rule, "let", ()), *getattr(rule, "results", ())):
        if made.name == word and made.span.source is here.source and made.span.start > here.start:
            return f"`{word}` is made further down, and a formula reads what stands above it: move it up"
    if isinstance(rule, Table) and rule.form == "decision":
        return f"what the table asks for is declared by it, as in `params: {{{word}: bool}}`"
    return None


def _unknown_word(site: Site, word: str, at: At, want: Want, options: frozenset[str], scope: Scope) -> Meaning:
    meant = options if want.kind == "id" else options.union(scope.locals)
    hint = site.world.suggest(word, meant) or (f"there is {named(sorted(options))}" if options else None)
    if want.kind == "choice":
        return site.error("N405", f"{want.what} has no choice `{word}`", at, hint=hint)
    rule = site.world.rules.get(word)
    if rule is not None and WORDS[type(rule)] == want.of:
        message = f"`{word}` is none of the {want.of}s that {want.what} can be"
        return site.error("N405", message, at, hint=f"there is {named(sorted(options))}")
    if rule is not None:
        message = f"`{word}` is {a(WORDS[type(rule)])}, and {a(want.of)} is wanted here"
        return site.error("N404", message, at, hint=hint)
    return site.error("N403", f"there is no {want.of} `{word}`", at, hint=hint)


def _how_to_read(rule: AnyRule) -> str | None:
    match rule:
        case Condition() | Trait() | Environment():
            return f"ask whether it is carried: `has({rule.id})`"
        case Option():
            return f"write `option({rule.id})`"
        case Table():
            return f"write `lookup({rule.id}, …)`"
        case Roll() | Procedure():
            verb = "roll" if isinstance(rule, Roll) else "run"
            return f"use a step, `{verb}: {rule.id}` with `as: name`, and read `name.…`"
    return None


def known_names(world: World, scope: Scope, want: Want | None = None) -> Iterable[str]:
    yield from scope.locals
    if not scope.constant:
        yield from world.ids(SHEET)
    if want is not None and want.options:
        yield from want.options
    if want is not None and want.none:
        yield "none"


# --- families --------------------------------------------------------------------------------------------------


def index(site: Site, expr: Index, scope: Scope) -> Meaning:
    """`alarm[north]`, `alarm[kind]`."""
    found = family_member(site, expr.name, expr.key, expr.at, scope, SHEET)
    if found is None:
        return BROKEN
    rules, key = found
    if key is None:
        return sheet_value(site, rules[0], expr.at, scope, ["get", rules[0].id])
    return _members(site, rules, expr.at, scope, ["member", expr.name, key])


def _members(site: Site, rules: list[AnyRule], at: At, scope: Scope, code: list[object], role: str = "") -> Meaning:
    """Any member of a family: the ranges of all of them together."""
    value: Value | None = None
    shown: Value | None = None
    for rule in rules:
        found = sheet_value(site, rule, at, scope, code, role)
        if found.broken:
            return BROKEN
        value = found.value if value is None else join(value, found.value)
        shown = found.shown if shown is None else join(shown, found.shown)
    return BROKEN if value is None or shown is None else Meaning(code, value, shown)


def family_member(
    site: Site, family: str, key: Expr, at: At, scope: Scope, kinds: tuple[type, ...]
) -> tuple[list[AnyRule], object | None] | None:
    """The members that can be meant, and the code of the key where it is not a word; None where it is reported."""
    world = site.world
    members = world.families.get(family)
    start = at[0] if site.formula.text[at[0] : at[0] + len(family)] == family else at[0] + 1
    if members is None:
        if family in world.silent:
            world.broken.add(site.rule)
            return None
        families = [
            base for base, ids in world.families.items() if isinstance(world.rules[next(iter(ids.values()))], kinds)
        ]
        hint = world.suggest(family, families)
        site.error("N419", f"`{family}` is no family of rules", (start, start + len(family)), hint=hint)
        return None
    rules = [world.rules[rule_id] for rule_id in members.values()]
    if not isinstance(rules[0], kinds):
        wanted = listed(a(WORDS[kind]) for kind in kinds)
        message = f"`{family}` is a family of {WORDS[type(rules[0])]}s, and {wanted} is wanted here"
        site.error("N404", message, (start, start + len(family)))
        return None
    if isinstance(key, Name) and key.name in members:
        return [world.rules[members[key.name]]], None
    if any(rule.id in world.broken for rule in rules):
        world.broken.add(site.rule)
        return None
    want = Want("choice", f"`{family}`", frozenset(members))
    found = site.fit(site.walk(key, scope, want), key, want)
    return None if found.broken else (rules, found.code)


# --- members ---------------------------------------------------------------------------------------------------


def member(site: Site, expr: Member, scope: Scope) -> Meaning:
    """`owner.charge`, `owner.alarm[kind]`, `try.total`, `trait.oil`, `lookup(t, k).column`."""
    of = expr.of
    if isinstance(of, Call) and of.name == "lookup":
        return lookup(site, of, scope, expr.name, expr.at)
    if isinstance(of, Call) and site.walk(of, scope).broken:
        return BROKEN
    if not isinstance(of, Name):
        return site.error("N406", f"`{site.text(of.at)}` has no parts", expr.at)
    part = (expr.at[1] - len(expr.name), expr.at[1]) if expr.key is None else expr.at
    if of.name in scope.roles:
        return _of_role(site, expr, of.name, part, scope)
    if of.name in scope.locals:
        return _field(site, expr, of, part, scope)
    rule = site.world.rules.get(of.name)
    if isinstance(rule, LASTING):
        return _of_carried(site, rule, expr, of, part, scope)
    return _no_parts(site, of, scope, rule)


def _of_role(site: Site, expr: Member, role: str, part: At, scope: Scope) -> Meaning:
    world = site.world
    if expr.key is not None:
        found = family_member(site, expr.name, expr.key, (expr.at[0] + len(role) + 1, expr.at[1]), scope, SHEET)
        if found is None:
            return BROKEN
        rules, key = found
        if key is None:
            return sheet_value(site, rules[0], part, scope, ["of", role, rules[0].id], role)
        return _members(site, rules, part, scope, ["of_member", role, expr.name, key], role)
    rule = world.rules.get(expr.name)
    if isinstance(rule, SHEET):
        return sheet_value(site, rule, part, scope, ["of", role, expr.name], role)
    if expr.name in world.silent:
        world.broken.add(site.rule)
        return BROKEN
    if rule is not None:
        message = f"`{expr.name}` is {a(WORDS[type(rule)])}, which has no value of its own"
        hint = f"ask whether it is carried: `has({role}.{expr.name})`" if isinstance(rule, LASTING) else None
        return site.error("N417", message, part, hint=hint)
    if expr.name in world.families:
        world.family_key_missing(scope, expr.name, site.span(part))
        return BROKEN
    hint = world.suggest(expr.name, lambda: world.ids(SHEET))
    return site.error("N401", f"no character has a `{expr.name}`", part, hint=hint)


def _field(site: Site, expr: Member, of: Name, part: At, scope: Scope) -> Meaning:
    """A result of a roll, a run or a row; a track or parameter of the trait at hand."""
    found = _local(site, of.name, scope)
    if found.broken:
        return BROKEN
    if not isinstance(found.value, Record):
        return site.error("N406", f"`{of.name}` is one value and has no parts", expr.at)
    fields = dict(found.value.fields)
    if expr.name not in fields:
        has = f"it has {named(fields, 'and')}" if fields else "it has no parts"
        hint = site.world.suggest(expr.name, fields) or has
        return site.error("N406", f"`{of.name}` is {found.value.what}, and has no `{expr.name}`", part, hint=hint)
    result = fields[expr.name]
    if result.broken:
        site.world.broken.add(site.rule)
    return result


def _of_carried(site: Site, rule: AnyRule, expr: Member, of: Name, part: At, scope: Scope) -> Meaning:
    """`lamp.oil`: a track or parameter of a trait, condition or environment that is carried."""
    assert isinstance(rule, LASTING)
    site.world.use(site.rule, rule.id, site.span(of.at), "read")
    site.world.check_option(scope, rule, site.span(of.at))
    own = own_names(site.world, rule)
    if expr.name not in own:
        has = f"it has {named(own, 'and')}" if own else "it has neither `params` nor `tracks`"
        hint = site.world.suggest(expr.name, own) or has
        message = f"{a(WORDS[type(rule)])} `{rule.id}` has no `{expr.name}`".removeprefix("a ").removeprefix("an ")
        return site.error("N406", f"the {message}", part, hint=hint)
    found = own[expr.name]
    return BROKEN if found.broken else Meaning(["of", of.name, expr.name], found.value, found.shown)


def own_names(world: World, rule: AnyRule) -> dict[str, Meaning]:
    """The parameters and own tracks of what is carried."""
    assert isinstance(rule, LASTING)
    own = {spec.name: world.answers.spec_value(spec, rule.id) for spec in rule.params}
    for track in rule.tracks:
        own[track.id] = world.answers.own_track(rule.id, track)
    return own


def _no_parts(site: Site, of: Name, scope: Scope, rule: AnyRule | None) -> Meaning:
    if of.name in site.world.silent:
        site.world.broken.add(site.rule)
        return BROKEN
    if of.name == "trait":
        message = "`trait` is the trait at hand inside `each_trait`, and this stands outside"
        return site.error("N423", message, of.at, hint="name the trait itself, or put the step under `each_trait`")
    if rule is not None:
        return site.error("N406", f"`{of.name}` is {a(WORDS[type(rule)])} and has no parts", of.at)
    carried = site.world.ids(LASTING)
    known = [
        *scope.roles,
        *carried,
        *(key for key, local in scope.locals.items() if isinstance(local.meaning.value, Record)),
    ]
    hint = site.world.suggest(of.name, known)
    if hint is None and not scope.roles:
        hint = "roles are declared by a procedure, an action or a spend: `roles: [owner, guest]`"
    return site.error("N408", f"there is no role or result `{of.name}` here", of.at, hint=hint)
