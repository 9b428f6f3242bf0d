"""The files of one system, or of one set of house rules, gathered to one collection of rules by kind and id.

In: names and bytes of files. Out: `Collected`. A file's name and place carry no meaning: the header stands in one of
them, every other key adds to its kind. An id is used once, over all kinds.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as SequenceABC
from dataclasses import dataclass, field
from unicodedata import normalize

from ..diagnostics import Findings, Note
from ..model import KINDS
from ..nearest import did_you_mean
from ..source import Source, Span
from ..tree import Entry, Mapping, Node, Scalar, Sequence
from .folder import read_folder
from .read import read
from .scalars import null

__all__ = ["Collected", "gather", "read_folder"]

VERBS = ("change", "add", "remove")
HEADERS = ("system", "house_rules")
# Keys beside the ids of a kind: what all of its rules share. Files may each add to them.
SHARED = {"dice": "symbols", "actions": "slots"}
# Findings behind which the tree says something else than was meant.
MISREAD = {"Y103", "Y113", "Y114", "Y115", "Y142", "Y143", "Y144", "Y145"}


@dataclass(frozen=True, slots=True)
class Collected:
    """One layer. `kinds` maps kind and id to the entry; `change`, `add`, `remove` are raw, None for a system.

    `whole` says that no rule was lost in reading: otherwise what later stages miss may be in what could not be read.
    """

    header: Mapping | None
    house: Mapping | None
    kinds: dict[str, dict[str, Entry]]
    change: Node | None = None
    add: Node | None = None
    remove: Node | None = None
    files: tuple[str, ...] = ()
    whole: bool = True
    sources: tuple[Source, ...] = ()


@dataclass(slots=True)
class _Gathering:
    findings: Findings
    kinds: dict[str, dict[str, Entry]] = field(default_factory=dict)
    headers: dict[str, Entry] = field(default_factory=dict)
    verbs: dict[str, list[Entry]] = field(default_factory=dict)
    ids: dict[str, Entry] = field(default_factory=dict)
    folded: dict[tuple[str, str], Entry] = field(default_factory=dict)

    def file(self, root: Mapping) -> None:
        for entry in root:
            key = entry.key.text
            if key in HEADERS:
                self.header(entry)
            elif key in VERBS:
                self.verbs.setdefault(key, []).append(entry)
            elif key in KINDS:
                self.kind(entry)
            elif not key.startswith("x-"):
                known = [*HEADERS, *VERBS, *KINDS]
                near = did_you_mean(key, known)
                self.findings.add(
                    "Y143",
                    f"{key} is no key that stands at the top of a file",
                    entry.key.span,
                    hint=near or f"there are {', '.join(known[:-1])} and {known[-1]}; keys that begin with x- are free",
                )

    def header(self, entry: Entry) -> None:
        key = entry.key.text
        if first := self.headers.get(key):
            self.findings.add(
                "Y141",
                f"{key}: is written twice, and there is one for all files",
                entry.key.span,
                notes=(Note(first.key.span, "written here first"),),
                hint="keep one of the two",
            )
        elif not isinstance(entry.value, Mapping):
            self.findings.add(
                "Y144",
                f"{key}: wants keys such as id and title below it",
                _place(entry),
                hint=f"write\n{key}:\n  id: my-rules\n  title: My rules",
            )
        else:
            self.headers[key] = entry

    def kind(self, entry: Entry) -> None:
        kind = entry.key.text
        rules = self.kinds.setdefault(kind, {})
        if null(entry.value):
            return
        if not isinstance(entry.value, Mapping):
            self.findings.add(
                "Y144",
                f"{kind}: wants ids below it, and each rule below its id",
                _place(entry),
                hint="write the rules without dashes, each with its id: and indented below it"
                if isinstance(entry.value, Sequence)
                else f"write\n{kind}:\n  some_id: ...",
            )
            return
        for rule in entry.value:
            if rule.key.text == SHARED.get(kind):
                self.share(rules, rule)
            elif self.once(kind, rule):
                rules[rule.key.text] = rule

    def once(self, kind: str, rule: Entry) -> bool:
        """Whether an id is new: in all kinds as it stands, in its own kind however its letters are written."""
        name = rule.key.text
        first = self.ids.get(name) or self.folded.get((kind, _fold(name)))
        if first is None:
            self.ids[name] = self.folded[kind, _fold(name)] = rule
            return True
        said = f"the id {name} is used twice"
        if first.key.text != name:
            said = f"the ids {first.key.text} and {name} differ only in how their letters are written"
        self.findings.add(
            "Y142",
            said,
            rule.key.span,
            notes=(Note(first.key.span, "used here first"),),
            hint="give one of the two another id; ids are one list over all kinds",
        )
        return False

    def share(self, rules: dict[str, Entry], entry: Entry) -> None:
        """`symbols` of dice and `slots` of actions: files add to them."""
        first = rules.get(entry.key.text)
        rules[entry.key.text] = entry if first is None else self.merged(first, entry, 1)

    def merged(self, first: Entry, more: Entry, depth: int) -> Entry:
        """Two entries of one key from two files, as one; `depth` levels of keys may be told again."""
        one, other = first.value, more.value
        if null(other) or null(one):
            return first if null(other) else more
        if isinstance(one, Sequence) and isinstance(other, Sequence):
            return Entry(first.key, Sequence(one.span, (*one.items, *other.items)))
        if not depth or not isinstance(one, Mapping) or not isinstance(other, Mapping):
            self.findings.add(
                "Y142",
                f"{more.key.text} is written twice",
                more.key.span,
                notes=(Note(first.key.span, "written here first"),),
                hint="keep one of the two",
            )
            return first
        entries = {entry.key.text: entry for entry in one}
        for entry in other:
            name = entry.key.text
            entries[name] = self.merged(entries[name], entry, depth - 1) if name in entries else entry
        return Entry(first.key, Mapping(one.span, tuple(entries.values())))

    def verb(self, name: str) -> Node | None:
        """What all files say under `change`, `add` or `remove`: a mapping from kinds to ids."""
        told = self.verbs.get(name, [])
        if not told:
            return None
        whole = told[0]
        for entry in told[1:]:
            whole = self.merged(whole, entry, 2)
        return whole.value


def gather(files: SequenceABC[tuple[str, bytes]], findings: Findings) -> Collected:
    """Read files and gather what they say."""
    gathering = _Gathering(findings)
    roots: list[Mapping] = []
    before, known = findings.errors, len(findings)
    lost = False
    for name, data in files:
        errors = findings.errors
        root = read(name, data, findings)
        lost = lost or (root is None and findings.errors > errors)
        if root is not None:
            roots.append(root)
            gathering.file(root)
    # Where something was wrong already, a header that seems to be missing may be in what could not be read.
    _check_headers(gathering, findings, roots, whole=findings.errors == before)
    house = gathering.headers.get("house_rules")
    header = gathering.headers.get("system")
    return Collected(
        header=_mapping(header),
        house=_mapping(house),
        kinds={kind: dict(sorted(rules.items())) for kind, rules in sorted(gathering.kinds.items())},
        change=gathering.verb("change"),
        add=gathering.verb("add"),
        remove=gathering.verb("remove"),
        files=tuple(name for name, _ in files),
        sources=tuple(root.span.source for root in roots),
        whole=not lost and not any(item.code in MISREAD for item in findings.items[known:]),
    )


def _check_headers(gathering: _Gathering, findings: Findings, roots: list[Mapping], *, whole: bool) -> None:
    """A system has `system:` and kinds; house rules have `house_rules:` and verbs; nothing has both."""
    system, house = gathering.headers.get("system"), gathering.headers.get("house_rules")
    first_kind = next(_kinds(roots), None)
    first_verb = next((entries[0] for entries in gathering.verbs.values()), None)
    if system and house:
        findings.add(
            "Y145",
            "a system and house rules stand in files of their own",
            house.key.span,
            notes=(Note(system.key.span, "the system begins here"),),
            hint="move house_rules: and what belongs to it to a file outside this folder",
        )
    elif house and first_kind:
        findings.add(
            "Y145",
            f"house rules say what they do to {first_kind.key.text}: change, add or remove",
            first_kind.key.span,
            notes=(Note(house.key.span, "these are house rules"),),
            hint="indent it below add: for new rules, or below change: for rules that exist",
        )
    elif first_verb and system and isinstance(system.value, Mapping) and system.value.entry("extends"):
        pass  # a system that starts from another says what it does to it
    elif first_verb and not house:
        if system or first_kind:
            findings.add(
                "Y145",
                f"{first_verb.key.text}: belongs to house rules, and these files are a system",
                first_verb.key.span,
                notes=(Note(system.key.span, "the system begins here"),) if system else (),
                hint="change the rule itself; or make house rules, in a file with house_rules: at its top",
            )
        elif whole:
            findings.add(
                "Y140",
                "there is no house_rules: with the id and title of these house rules",
                first_verb.key.span,
                hint="write it at the top of the file",
            )
    elif not system and not house and whole:
        findings.add(
            "Y140",
            "there is no system: with the id and title of this system" if roots else "there are no rules here to read",
            Span(roots[0].span.source, roots[0].span.start, roots[0].span.start) if roots else None,
            hint="write it in a file of its own, system.yaml" if roots else "a system is a folder with a system.yaml",
        )


def _kinds(roots: list[Mapping]) -> Iterator[Entry]:
    return (entry for root in roots for entry in root if entry.key.text in KINDS)


def _place(entry: Entry) -> Span:
    return entry.key.span if isinstance(entry.value, Scalar) and not entry.value.text else entry.value.span


def _mapping(entry: Entry | None) -> Mapping | None:
    return entry.value if entry is not None and isinstance(entry.value, Mapping) else None


def _fold(name: str) -> str:
    return normalize("NFKC", name).casefold()
