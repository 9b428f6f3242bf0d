"""A syntax error in the words of somebody who writes rules, and where it can be stepped over, how.

In: the error of the plain Python parser and what it saw before. Out: a `Trouble`: code, message, place and cure, and
the offsets of characters that stopped the parser although they were meant as text. They are replaced by stand-ins of
the same length, so that every place stays true and the rest of the file can be read in the same run.
"""

from __future__ import annotations

from yaml.error import MarkedYAMLError

from . import line_trouble, text_trouble
from .pure import PureParser
from .slips import FIRST_STAND_IN, Slips
from .vicinity import Trouble, Vicinity

_MOST_ATTEMPTS = 50
_MOST_READ = 2_000_000


def attempts(text: str) -> range:
    """How often a file is read again behind an error: less often the longer it is."""
    return range(max(1, min(_MOST_ATTEMPTS, _MOST_READ // (len(text) + 1))))


def replaced(text: str, offsets: tuple[int, ...]) -> str:
    """The text with stand-ins at some offsets."""
    chars = list(text)
    for at in offsets:
        chars[at] = chr(FIRST_STAND_IN + ord(chars[at]))
    return "".join(chars)


def explain(error: MarkedYAMLError, parser: PureParser, slips: Slips) -> Trouble:
    """What a syntax error means. PyYAML says what it was doing (`context`) and what it found (`problem`)."""
    at = error.problem_mark.index if error.problem_mark else 0
    opened = error.context_mark.index if error.context_mark else at
    context, problem = error.context or "", error.problem or ""
    flow = context.startswith("while parsing a flow") or parser.flow_level > 0
    near = Vicinity(slips, parser, at, opened, flow)
    match context:
        case "while scanning a simple key":
            return line_trouble.no_colon(near)
        case "while scanning for the next token" | "while parsing a block node":
            return text_trouble.begins_with(near, at)
        case "while scanning a block scalar" | "while scanning an alias" | "while scanning an anchor":
            return text_trouble.begins_with(near, opened)
        case "while scanning a directive":
            return text_trouble.directive(near)
        case "while scanning a tag" | "while parsing a tag" | "while parsing a node":
            return text_trouble.tag(near)
        case "while scanning a quoted scalar":
            return text_trouble.open_quote(near)
        case "while scanning a double-quoted scalar":
            return text_trouble.escape(near)
        case "while parsing a flow mapping" | "while parsing a flow sequence":
            return line_trouble.in_brackets(near)
        case "while parsing a flow node":
            return line_trouble.misplaced(near)
        case "while parsing a block mapping" | "while parsing a block collection":
            return line_trouble.block_ends(near, mapping="mapping" in context)
    if "values are not allowed" in problem:
        return line_trouble.swallowed(near) or text_trouble.second_colon(near) or line_trouble.unknown(near)
    if "entries are not allowed" in problem or "keys are not allowed" in problem:
        return text_trouble.begins_with(near, at)
    if "<document start>" in problem:
        return line_trouble.behind_document(near)
    return line_trouble.unknown(near)
