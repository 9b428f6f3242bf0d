"""Values without a sheet: one plain function of a mapping for each derived value.

In: the rules of an artifact. Out: functions, made at the first call. One rule holds: a value is answered here only
where no condition, trait or option of play could make a difference; everything else is left to the sheet.

The function of a derived value has those it depends on written into it, in evaluation order, with their roundings and
limits; options are constants by now.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    Formula: TypeAlias = Callable[[Mapping[str, Any]], Any]
    Range: TypeAlias = tuple[int, int]

LIMIT = 2**53 - 1
LONGEST = 2_000
"""Nodes of a formula with all it depends on written out; more is worked out value by value."""
_ARITHMETIC = ("+", "-", "*", "/", "neg", "ceil", "floor", "round", "abs", "min", "max", "clamp", "mod", "limit")
_TRUTH = ("==", "!=", "<", "<=", ">", ">=", "chain", "and", "or", "not", "if")
PLAIN = frozenset(("frac", "get", "member", "option", *_ARITHMETIC, *_TRUTH))
"""Nodes that need nothing but a mapping of names to values."""
_ROUNDINGS = {"up": "ceil", "down": "floor", "near": "round"}


class Plan:
    """How a value is worked out from a mapping: `ranges` of what may be given, `defaults` of what may be left out."""

    __slots__ = ("defaults", "function", "ranges")

    def __init__(self, function: Formula, ranges: dict[str, Range], defaults: dict[str, Any]) -> None:
        self.function = function
        self.ranges = ranges
        self.defaults = defaults


class Plans:
    """The derived values of an artifact as functions. `option` answers what an option is set to."""

    def __init__(self, artifact: Mapping[str, Any], option: Callable[[str], Any]) -> None:
        self.rules: Mapping[str, Mapping[str, Any]] = artifact.get("rules", {})
        self.option = option
        self.ranges: dict[str, Range] = {}
        self.whole: set[str] = set()
        self.defaults: dict[str, Any] = {}
        for name, rule in self.rules.items():
            if "spec" in rule and rule["kind"] in ("stat", "stats"):
                self._given(name, rule, rule["spec"])
            elif rule["kind"] in ("track", "tracks"):
                self._given(name, rule, None)
        self._touched: set[str] | None = None
        self._open = self._rolls = False
        self._written: dict[str, Any] = {}

    def _given(self, name: str, rule: Mapping[str, Any], of_stat: Mapping[str, Any] | None) -> None:
        stat, spec = of_stat is not None, rule if of_stat is None else of_stat
        if spec.get("type", "int") == "int":
            self.whole.add(name)
            # A track begins at 0 where nothing else is said; a stat is open where nothing is said.
            low, high = spec.get("min", -LIMIT if stat else 0), spec.get("max", LIMIT)
            if type(low) is int and type(high) is int and rule.get("scope") != "table" and "option" not in rule:
                self.ranges[name] = (low, high)
        if stat and type(spec.get("default")) in (int, bool, str):
            self.defaults[name] = spec["default"]

    # --- functions --------------------------------------------------------------------------------------------

    def plan(self, name: str) -> Plan | None:
        """The plan of a derived value, or None where a sheet must be asked."""
        written, reads = self.written(name), self.reads(name)
        if written is None or self._automatic_touch(reads | {name}):
            return None
        return Plan(self._prepared(written), self.ranges, self._defaults_of(reads))

    def function(self, name: str) -> Formula | None:
        """A plain function of a mapping, without modifiers; None where more than a mapping is asked."""
        written = self.written(name)
        if written is None:
            return None
        bare = self._prepared(written)
        defaults = self._defaults_of(self.reads(name))
        if not defaults:
            return bare

        def with_defaults(values: Mapping[str, Any]) -> Any:
            try:
                everything = {**defaults, **values}
            except TypeError:
                from ..formulas.operands import no_mapping

                raise no_mapping(values) from None
            return bare(everything)

        return with_defaults

    def _defaults_of(self, names: set[str]) -> dict[str, Any]:
        return {one: self.defaults[one] for one in sorted(names) if one in self.defaults}

    def _prepared(self, written: Any) -> Formula:
        from ..formulas.code import prepare

        return prepare(written, whole=frozenset(self.whole))

    def written(self, name: str) -> Any:
        """The code of a derived value with everything in it; None where it cannot be written out."""
        try:
            code = self._derived(name, ())
        except _NeedsSheetError:
            return None
        return None if _size(code) > LONGEST else code

    def reads(self, name: str) -> set[str]:
        """Every value that a derived one depends on, through others too."""
        found: set[str] = set()
        todo = [name]
        while todo:
            rule = self.rules.get(todo.pop(), {})
            for field in ("formula", "min", "max"):
                for one in _names(rule.get(field)) - found:
                    found.add(one)
                    if self.rules.get(one, {}).get("kind") == "derived":
                        todo.append(one)
        return found

    def _derived(self, name: str, path: tuple[str, ...]) -> Any:
        if name in self._written:
            return self._written[name]
        rule = self.rules.get(name, {})
        if rule.get("kind") != "derived" or name in path:
            raise _NeedsSheetError
        inner = (*path, name)
        code = self._inlined(rule["formula"], inner)
        if "round" in rule:
            code = [_ROUNDINGS[rule["round"]], code]
        for bound, pick in (("min", "max"), ("max", "min")):
            if bound in rule:
                code = [pick, code, self._inlined(rule[bound], inner)]
        self._written[name] = code
        return code

    def _inlined(self, code: Any, path: tuple[str, ...]) -> Any:
        match code:
            case ["get", str(name)]:
                return self._derived(name, path) if self.rules.get(name, {}).get("kind") == "derived" else code
            case ["option", str(name)]:
                return self.option(name)
            case ["frac", *_]:
                return code
            case ["member", family, key]:
                return ["member", family, self._inlined(key, path)]
            case ["chain", operators, operands]:
                return ["chain", operators, [self._inlined(part, path) for part in operands]]
            case [str(node), *parts] if node in PLAIN:
                return [node, *(self._inlined(part, path) for part in parts)]
            case [str(), *_]:
                raise _NeedsSheetError
            case list():  # any number of operands in a list of their own
                return [self._inlined(part, path) for part in code]
            case _:
                return code

    # --- what could make a difference -------------------------------------------------------------------------

    def _automatic_touch(self, names: set[str]) -> bool:
        """Whether a condition that comes by itself could change one of these."""
        if self._touched is None:
            self._touched = self._automatic_targets()
        return self._open or not self._touched.isdisjoint(names)

    def automatic_rolls(self) -> bool:
        """Whether a condition that comes by itself could change a roll."""
        if self._touched is None:
            self._touched = self._automatic_targets()
        return self._open or self._rolls

    def _automatic_targets(self) -> set[str]:
        """The values that conditions which come by themselves can change, with what those bring along."""
        todo = [name for name, rule in self.rules.items() if "while" in rule or "starts" in rule]
        seen, targets = set(todo), set()
        while todo:
            rule = self.rules.get(todo.pop(), {})
            for part in (rule, *rule.get("levels", ())):
                for modifier in part.get("modifiers", ()):
                    if modifier["target"] in ("value", "track_max"):
                        targets.add(self._plain_ref(modifier["ref"]))
                    elif modifier["target"] in ("roll", "against"):
                        self._rolls = True
                for ref in part.get("implies", ()):
                    name = self._plain_ref(ref)
                    if name not in seen:
                        seen.add(name)
                        todo.append(name)
        return targets

    def _plain_ref(self, ref: Any) -> str:
        if isinstance(ref, str):
            return ref
        if ref.get("chosen") or "index" in ref:
            self._open = True  # known only in play: it could be any
        return str(ref["name"])


class _NeedsSheetError(Exception):
    """A formula that asks for more than values by name."""


def _names(code: Any) -> set[str]:
    found: set[str] = set()
    todo = [code]
    while todo:
        match todo.pop():
            case ["get", str(name)]:
                found.add(name)
            case list(parts):
                todo.extend(parts)
    return found


def _size(code: Any) -> int:
    count, todo = 0, [code]
    while todo and count <= LONGEST:
        part = todo.pop()
        count += 1
        if isinstance(part, list):
            todo.extend(part)
    return count
