"""Small spellings inside one scalar: names, references, row keys, prose with formulas, moments.

In: one marked scalar. Out: a piece of the model, or a finding at the characters that cannot be read. Nothing here
knows which rule it stands in.
"""

from __future__ import annotations

import re
import unicodedata

from ..model import Formula, Interval, Ref, Template
from ..tree import Scalar
from .reading import Reading

RESERVED = frozenset({"if", "then", "else", "and", "or", "not", "is", "true", "false", "base", "none"})
_NAME = re.compile(r"[^\W\d]\w*\Z")
_ID = re.compile(r"[a-z][a-z0-9_]*\Z")
_DICE = re.compile(r"d(\d+|%)\Z", re.IGNORECASE)
_MEMBER = re.compile(r"(?P<id>[^\[\]]+)\[(?P<member>[^\[\]]+)\]\Z")
_REF = re.compile(
    r"\s*(?:(?P<of>[^\W\d]\w*)\s*\.\s*)?(?:\(\s*(?P<chosen>[^\W\d]\w*)\s*\)|(?P<name>[^\W\d]\w*))"
    r"\s*(?:\[(?P<index>[^\[\]]+)\])?\s*\Z"
)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?\Z")
_MOMENT = re.compile(r"\s*(start|end)\s+of\s+(?:(next)\s+)?([^\W\d]\w*)\s+([^\W\d]\w*)\s*\Z")
_RANGE = re.compile(r"(-?\d+)(?:-|\.\.)(-?\d+)\Z")
_ABOVE = re.compile(r"(-?\d+)(?:\+|\.\.)\Z")
_BELOW = re.compile(r"\.\.(-?\d+)\Z")
_ONE = re.compile(r"-?\d+\Z")
_OPEN_KEY = re.compile(
    r"(?:(?P<sign><=|>=|<|>|≤|≥|under|over|below|above) ?(?P<digits>\d+)$)"
    r"|(?:(?P<more>\d+) ?(?P<words>-|or (?:less|lower|under|more|higher|over)|and (?:less|more|up|over))$)"
)
_DASHES = str.maketrans({"–": "-", "−": "-", "‒": "-", "—": "-"})


# --- names -------------------------------------------------------------------------------------------------------


def family_of(rule_id: str) -> tuple[str, str] | None:
    """`alarm[kind]` is the member `kind` of the family `alarm`."""
    found = _MEMBER.match(rule_id)
    return (found["id"], found["member"]) if found else None


def is_name(text: str) -> bool:
    """Letters of any script, digits and underscores, no digit in front."""
    return _NAME.match(text) is not None


def check_name(key: Scalar, reading: Reading, what: str = "a name") -> str:
    """A name as it stands; one that formulas could not read is a finding."""
    name = key.text
    if not _NAME.match(name):
        reading.error(
            "S205",
            f'{what} is wanted here, and "{name}" is none',
            key.span,
            hint=_instead(re.sub(r"\W+", "_", name.strip()).strip("_"), _NAME)
            or "use letters, digits and underscores, no digit in front",
        )
    elif unicodedata.normalize("NFC", name) != name:
        reading.error(
            "S205",
            f'"{name}" is written with an accent that is a character of its own',
            key.span,
            hint="type the name again, with the accented letters of your keyboard",
        )
    elif name in RESERVED or _DICE.match(name):
        _reserved(key, reading)
    return name


def check_id(key: Scalar, reading: Reading) -> str:
    """The id of a rule: ASCII, lower_snake_case; a family's member may have any name."""
    family = family_of(key.text)
    plain = family[0] if family else key.text
    if not _ID.match(plain):
        reading.error(
            "S205",
            f'an id has small letters a to z, digits and underscores, and "{plain}" has not',
            key.span,
            hint=_instead(snake_case(plain), _ID),
        )
    elif plain in RESERVED or _DICE.match(plain):
        _reserved(key, reading)
    return key.text


def snake_case(text: str) -> str:
    """The nearest id to a text: `Körper Größe` gives `korper_grosse`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text).casefold()
    bare = "".join(char for char in unicodedata.normalize("NFKD", spaced) if not unicodedata.combining(char))
    return re.sub(r"[^a-z0-9]+", "_", bare).strip("_")


def _instead(text: str, wanted: re.Pattern[str]) -> str | None:
    return f"write {text}" if wanted.match(text) and text not in RESERVED else None


def _reserved(key: Scalar, reading: Reading) -> None:
    why = "means dice in a formula" if _DICE.match(key.text) else "is a word of formulas"
    reading.error("S210", f"`{key.text}` cannot be a name: it {why}", key.span, hint=f"for example {key.text}_value")


# --- references --------------------------------------------------------------------------------------------------


def parse_ref(scalar: Scalar, reading: Reading) -> Ref | None:
    """`alarm`, `alarm[kind]`, `owner.charge`, `(found)`, `trait.charge`."""
    found = _REF.match(scalar.text)
    if found is None:
        reading.error(
            "S226",
            f'the id of a rule is wanted here, and "{scalar.text}" is none',
            scalar.span,
            hint="as in alarm, alarm[kind], owner.alarm, or (name) for a parameter that holds an id",
        )
        return None
    index = found["index"]
    return Ref(
        name=found["chosen"] or found["name"],
        span=scalar.span,
        index=formula_at(scalar, found.start("index"), found.end("index")) if index is not None else None,
        of=found["of"],
        chosen=found["chosen"] is not None,
    )


def formula_at(scalar: Scalar, start: int, end: int) -> Formula:
    """The formula between two places of a scalar, without the blanks around it."""
    text = scalar.text[start:end]
    bare = text.strip()
    return Formula(bare, scalar, start + text.find(bare))


# --- prose -------------------------------------------------------------------------------------------------------


def parse_template(scalar: Scalar, reading: Reading) -> Template:
    """Prose with `{formula}`; `{{` and `}}` are plain braces."""
    text = scalar.text.rstrip()
    if "{" not in text and "}" not in text:
        return Template((text,) if text else (), scalar.span)
    parts: list[str | Formula] = []
    literal: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char in "{}" and text[at : at + 2] == char * 2:
            literal.append(char)
            at += 2
            continue
        if char != "{":
            literal.append(char)
            at += 1
            continue
        end = _closing(text, at + 1)
        if end is None or not text[at + 1 : end].strip():
            said = "this brace is never closed" if end is None else "there is no formula between these braces"
            where = scalar.part(at, at + 1 if end is None else end + 1)
            reading.error("S222", said, where, hint="a plain brace in text is written twice: {{")
            literal.append(text[at:])
            break
        if literal:
            parts.append("".join(literal))
            literal = []
        parts.append(formula_at(scalar, at + 1, end))
        at = end + 1
    if literal:
        parts.append("".join(literal))
    return Template(tuple(parts), scalar.span)


def _closing(text: str, at: int) -> int | None:
    """The brace that ends a formula; those inside quotes do not count."""
    quoted = False
    for place in range(at, len(text)):
        char = text[place]
        if char == '"':
            quoted = not quoted
        elif not quoted and char == "{":
            return None
        elif not quoted and char == "}":
            return place
    return None


# --- row keys and moments ----------------------------------------------------------------------------------------


def is_number(scalar: Scalar) -> bool:
    """Whether a cell is a bare number."""
    return _NUMBER.match(scalar.text.strip().translate(_DASHES)) is not None


def is_none(scalar: Scalar) -> bool:
    """The word none, which in quotes is text like any other."""
    return scalar.style == "plain" and scalar.text == "none"


def looks_numeric(text: str) -> bool:
    """Whether a row key is meant as a number or an interval, well written or not."""
    bare = text.strip().translate(_DASHES)
    return bare[:1].isdigit() or bare.startswith("..") or (bare[:1] == "-" and bare[1:2].isdigit())


def parse_intervals(scalar: Scalar, reading: Reading, hundred: bool = False) -> tuple[Interval, ...] | None:
    """`7`, `1-5`, `01-05`, `00`, `151+`, `..0`, `-7..-1`, and several with commas; hyphen and en dash are the same."""
    made: list[Interval] = []
    for part in scalar.text.split(","):
        interval = _interval(part.strip().translate(_DASHES).replace(" ", ""), hundred)
        if interval is None:
            reading.error(
                "S219",
                f'"{scalar.text}" cannot be read as results of a table',
                scalar.span,
                hint=_key_meant(part) or "write 7, 1-5, 151+ (and more), ..0 (and less) or -7..-1",
            )
            return None
        if interval.low is not None and interval.high is not None and interval.low > interval.high:
            reading.error(
                "S219",
                f'"{scalar.text}" runs backwards: {interval.low} is more than {interval.high}',
                scalar.span,
                hint=f"write {normal_key((Interval(interval.high, interval.low),))}",
            )
            return None
        made.append(interval)
    return tuple(made)


def _key_meant(part: str) -> str | None:
    """What `6-`, `<= 6`, `10 or more` are here."""
    found = _OPEN_KEY.match(part.strip().translate(_DASHES).lower())
    if found is None:
        return None
    sign, digits, words = found["sign"] or "", int(found["digits"] or found["more"]), found["words"] or ""
    step = sign in ("<", ">") or sign in ("under", "over", "below", "above")
    down = sign in ("<", "<=", "≤", "under", "below") or words in ("-", "or less", "or lower", "or under", "and less")
    return f"write ..{digits - step}" if down else f"write {digits + step}+"


def _interval(text: str, hundred: bool) -> Interval | None:
    def number(digits: str) -> int:
        return 100 if hundred and digits == "00" else int(digits)

    if found := _ONE.match(text):
        return Interval(number(text), number(text))
    if found := _RANGE.match(text):
        return Interval(number(found[1]), number(found[2]))
    if found := _ABOVE.match(text):
        return Interval(number(found[1]), None)
    if found := _BELOW.match(text):
        return Interval(None, number(found[1]))
    return None


def normal_key(intervals: tuple[Interval, ...]) -> str:
    """The one spelling of a row key: `01–05` is `1-5`."""
    return ",".join(_normal(interval) for interval in intervals)


def _normal(interval: Interval) -> str:
    low, high = interval.low, interval.high
    if low is None:
        return f"..{high}"
    if high is None:
        return f"{low}+"
    if low == high:
        return str(low)
    return f"{low}..{high}" if low < 0 else f"{low}-{high}"


def parse_moment(scalar: Scalar, reading: Reading) -> str | None:
    """`end of next own turn`, `start of target turn`: in one spelling."""
    found = _MOMENT.match(scalar.text)
    if found is None:
        reading.error(
            "S227",
            f'"{scalar.text}" is no moment',
            scalar.span,
            hint="write start or end, of, whose (own, or a role), and a unit of the clock: end of next own turn",
        )
        return None
    edge, following, whose, unit = found.groups()
    return f"{edge} of {'next ' if following else ''}{whose} {unit}"
