"""One YAML file read into a marked tree.

In: the name and the bytes of a file. Out: its top-level mapping, every key and value with its place; None where it
cannot be read. The C parser's events are used; what it refuses, and every file with tabs, is read by the plain Python
parser, whose errors alone are worded: so codes, lines and columns are the same on every machine. Behind a syntax error
that can be stepped over the file is read on, so that one run tells all.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from yaml.error import MarkedYAMLError, YAMLError

from ..diagnostics import Finding, Findings
from ..source import Source, Span
from ..tree import Mapping, Node
from .assemble import Assembler, Events, Stopped
from .prescan import decode
from .pure import PureParser
from .repair import attempts, explain, replaced
from .scalars import null
from .slips import STAND_INS, Slips
from .vicinity import Trouble

C_PARSER: Callable[[str], Events] | None
try:
    from yaml._yaml import CParser

    C_PARSER = CParser
except ImportError:  # PyYAML without libyaml: slower, and nothing else
    C_PARSER = None


def read(name: str, data: bytes, findings: Findings) -> Mapping | None:
    """The top-level mapping of a file, None where there is none to go on with."""
    source = decode(name, data, findings)
    if source is None:
        return None
    with _collector_off():
        root, found, whole = _parse(source)
    for item in found:
        findings.add(item.code, item.message, item.span, notes=item.notes, hint=item.hint)
    return _top(root, source, findings) if whole else None


def _parse(source: Source) -> tuple[Node | None, list[Finding], bool]:
    """The root, the findings, and whether the file could be read to its end."""
    text = source.text
    stand_ins = STAND_INS if not any(chr(code) in text for code in STAND_INS) else None
    told: list[Finding] = []
    for _ in attempts(text):
        assembler = Assembler(source, text, stand_ins if told else None)
        try:
            root = _events(assembler, text, told)
        except Stopped:
            return None, told + assembler.slips.found, False
        except _Refused as refused:
            trouble = refused.trouble
            told.append(_finding(trouble, assembler.slips))
            if not trouble.stand_ins or stand_ins is None:
                return None, told + assembler.slips.found, False
            text = replaced(text, trouble.stand_ins)
        else:
            return root, told + assembler.slips.found, True
    return None, told, False


class _Refused(Exception):  # noqa: N818 - carries a finding from the parser's error to the loop above
    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.message)
        self.trouble = trouble


def _events(assembler: Assembler, text: str, told: list[Finding]) -> Node | None:
    if C_PARSER is not None and "\t" not in text:
        try:
            return assembler.run(C_PARSER(text))
        except YAMLError:
            assembler.restart()
    parser = PureParser(text)
    try:
        root = assembler.run(parser)
    except MarkedYAMLError as error:
        if parser.tabs:
            assembler.slips.tabs(parser.tabs)
            raise Stopped from None
        raise _Refused(explain(error, parser, assembler.slips)) from None
    assembler.slips.tabs(parser.tabs)
    return root


def _finding(trouble: Trouble, slips: Slips) -> Finding:
    slips.add(trouble.code, trouble.message, trouble.start, trouble.end, trouble.hint, trouble.notes)
    return slips.found.pop()


def _top(root: Node | None, source: Source, findings: Findings) -> Mapping | None:
    if isinstance(root, Mapping):
        return root
    if root is None or null(root):
        findings.add("Y130", "this file has no entries", Span(source, 0, 0), hint="delete it, or write rules into it")
    elif not any(item.span is not None and item.span.source is source for item in findings):
        findings.add(
            "Y129",
            "a rules file begins with keys such as system: or stats:, and this one does not",
            root.span,
            hint="put the rules under the key of their kind",
        )
    return None


@contextmanager
def _collector_off() -> Iterator[None]:
    """Python's cyclic collector would walk the growing tree again and again, and find nothing to collect."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
