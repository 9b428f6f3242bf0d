"""The parts of docs/ that are written from the code: the table of nodes, the fields of the artifact, the error index.

In: the node table, the model's dataclasses, the error codes and their pages. Out: Markdown between two marks,
`<!-- nodes -->` and `<!-- end of nodes -->`. A test holds that what stands there is what comes out here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

from gallery import PAGES

from rulesdata_compiler import lower, model
from rulesdata_compiler.codes import CODES
from rulesdata_runtime.nodes import NODES

STAGES = {
    "Y": "Reading",
    "S": "Shape",
    "F": "Formulas",
    "N": "Names",
    "T": "Types and bounds",
    "R": "Rules",
    "H": "House rules",
    "E": "Worked examples",
    "A": "The built file",
}

# What an annotation of the model becomes in the artifact, and what the page calls it.
FORMS = {
    "str": "text",
    "bool": "true or false",
    "int": "number",
    "Formula": "code",
    "Template": "prose",
    "Ref": "name",
    "Named": "[name, code]",
    "Source": "source",
    "Spec": "spec",
    "Interval": "[low, high]",
    "Fraction": "number",
    "Span": "place",
}
STEPS = list(lower.STEP_NAMES)
OTHERS = (
    model.Spec,
    model.Ref,
    model.Source,
    model.Requirement,
    model.Modifier,
    model.Reset,
    model.Ranking,
    model.Row,
    model.Again,
    model.Band,
    model.Lasts,
    model.End,
    model.Each,
    model.Forbid,
    model.Level,
    model.ChooseOption,
    model.More,
    model.Slot,
    model.Symbol,
    model.Provenance,
    model.Header,
)


def nodes() -> str:
    """Every node with its operands and meaning."""
    rows = ["| node | operands | meaning |", "|---|---|---|"]
    for name, node in NODES.items():
        rows.append(f"| `{name}` | {', '.join(node.operands)} | {node.meaning.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


def artifact_fields() -> str:
    """Every object of the artifact with its fields: of every rule, then by kind, then steps, then the rest."""
    common = [item.name for item in fields(model.Rule)]
    rows = ["| object | fields |", "|---|---|", f"| every rule | `kind` text, `at` place, {_fields(model.Rule, ())} |"]
    rows += [f"| rule of `{kind}` | {_fields(cls, common)} |" for kind, cls in model.KINDS.items()]
    step = [item.name for item in fields(model.StepBase)]
    rows.append(f"| every step | `step` text, `at` place, {_fields(model.StepBase, ())} |")
    rows += [f"| step `{lower.STEP_NAMES[cls]}` | {_fields(cls, step)} |" for cls in STEPS]
    rows += [f"| {FORMS.get(cls.__name__) or _said(cls.__name__)} | {_fields(cls, ())} |" for cls in OTHERS]
    return "\n".join(rows)


def _fields(cls: type, known: list[str] | tuple[()]) -> str:
    """`name` form, for each field that reaches the artifact."""
    told = []
    for item in fields(cls):
        if item.name in known or item.name in lower.LEFT_OUT - ({"span"} if cls is model.Provenance else set()):
            continue
        told.append(f"`{lower.RENAMED.get(item.name, item.name.rstrip('_'))}` {_form(str(item.type))}")
    return ", ".join(told) or "none of its own"


def _form(annotation: str) -> str:
    """An annotation in the words of the page."""
    plain = annotation.removesuffix(" | None")
    listed = re.fullmatch(r"tuple\[(.+), \.\.\.\]", plain)
    if listed:
        return f"list of {_form(listed[1])}"
    pair = re.fullmatch(r"tuple\[(.+)\]", plain)
    if pair:
        return f"[{', '.join(_form(part) for part in _parts(pair[1]) if part != 'Span')}]"
    if " | " in plain:
        return " or ".join(_form(part) for part in plain.split(" | "))
    return FORMS.get(plain, _said(plain))


def _parts(text: str) -> list[str]:
    """The parts of a tuple's annotation, at commas outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _said(name: str) -> str:
    """`ChooseOption` as `choose option`."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


def errors() -> str:
    """Every code with its severity, title and the first sentence of its page, by stage."""
    parts = []
    for letter, stage in STAGES.items():
        rows = [f"## {stage}", "", "| code | | what it is | why |", "|---|---|---|---|"]
        for code, (severity, title) in CODES.items():
            if code[0] == letter:
                link = f"[{code}](../compiler/rulesdata_compiler/pages/{code}.md)"
                rows.append(f"| {link} | {severity} | {title} | {_why(code)} |")
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def _why(code: str) -> str:
    """The first sentence of a page."""
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    words = " ".join(text.partition("\n")[2].partition("## Bad")[0].split())
    sentence = re.match(r".+?[.?!](?=\s+[A-Z`(]|$)", words)
    return (sentence[0] if sentence else words).replace("|", "\\|")


WRITTEN: dict[str, tuple[str, Callable[[], str]]] = {
    "nodes": ("artifact.md", nodes),
    "fields": ("artifact.md", artifact_fields),
    "errors": ("errors.md", errors),
}


def between(path: Path, mark: str) -> tuple[str, str, str]:
    """The page before a part that is written, the part, and the page behind it."""
    text = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
    before, _, rest = text.partition(begin)
    part, _, after = rest.partition(end)
    return before + begin, part, end + after
