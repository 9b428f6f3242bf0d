"""The first look at a file: its size, its encoding, and characters that have no place in a text.

In: a file's name and bytes. Out: its text without a byte order mark at the start, or None where the bytes cannot be
taken for text. What YAML makes of the text is decided elsewhere; here a character is only named and refused.
"""

from __future__ import annotations

import re
from unicodedata import name as unicode_name

from ..diagnostics import Findings
from ..source import Source, Span

MOST_BYTES = 2 * 1024 * 1024
MOST_SHOWN = 5

# Line ends of other systems (U+0085, U+2028, U+2029) are refused because YAML readers disagree about them.
ODD_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# Spaces that look like a space and are none; YAML takes them for letters.
ODD_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u202f\u205f\u3000"

_GOOD_ASCII = bytes([9, 10, 13, *range(32, 127)])
_NAMES = {0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x0C: "FORM FEED", 0x1B: "ESCAPE", 0x7F: "DELETE"}
_NAMES |= {0x85: "NEXT LINE", 0xFEFF: "BYTE ORDER MARK"}
_SAVE = "open it in your editor and save it with the encoding UTF-8"


def decode(name: str, data: bytes, findings: Findings) -> Source | None:
    """The text of a file, or None with a finding that says why it is none."""
    if len(data) > MOST_BYTES:
        findings.add(
            "Y106",
            f"this file has more than {MOST_BYTES:,} bytes (2 MiB)",
            Span(Source(name, _first_line(data)), 0, 1),
            hint="split it into several files: they are read as one",
        )
        return None
    text = _text(name, data, findings)
    if text is None:
        return None
    source = Source(name, text)
    # Without this look at the bytes the search in the text would cost as much as a third of the parser.
    odd = not data.isascii() or data.translate(None, _GOOD_ASCII)
    return None if odd and _odd_characters(source, findings) else source


def character(char: str) -> str:
    """A character as people can look it up: `U+00A0 NO-BREAK SPACE`."""
    code = ord(char)
    known = _NAMES.get(code) or unicode_name(char, "")
    if not known:
        known = "(half of a character)" if 0xD800 <= code <= 0xDFFF else "(control character)" if code < 0xA0 else ""
    return f"U+{code:04X} {known}".rstrip()


def _text(name: str, data: bytes, findings: Findings) -> str | None:
    if wide := _utf16(data):
        shown = data[:4096].decode(wide, "replace").removeprefix("\ufeff")
        findings.add("Y101", "this file is saved as UTF-16, not as UTF-8", Span(Source(name, shown), 0, 1), hint=_SAVE)
        return None
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        # Up to the bad byte the text is sure; behind it one byte a character is the likeliest reading.
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        shown = before + data[error.start :].decode("latin-1")
        findings.add(
            "Y101",
            f"this file is not saved as UTF-8: byte {error.start + 1:,} of the file (hexadecimal "
            f"{data[error.start]:02X}) does not fit",
            Span(Source(name, shown), len(before), len(before) + 1),
            hint=_SAVE,
        )
        return None


def _utf16(data: bytes) -> str | None:
    """The kind of UTF-16, from its mark or from every other byte being zero."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16-le" if data.startswith(b"\xff\xfe") else "utf-16-be"
    head = data[:256]
    if len(head) >= 4 and not len(head) % 2 and b"\0" in head:
        if not any(head[1::2]) and all(head[0::2]):
            return "utf-16-le"
        if not any(head[0::2]) and all(head[1::2]):
            return "utf-16-be"
    return None


def _odd_characters(source: Source, findings: Findings) -> bool:
    """Report each kind of refused character once, at its first place."""
    places: dict[str, list[int]] = {}
    for found in ODD_CHARACTER.finditer(source.text):
        places.setdefault(found.group(), []).append(found.start())
    for char, offsets in list(places.items())[:MOST_SHOWN]:
        more = f", here and in {_places(len(offsets) - 1)}" if len(offsets) > 1 else ""
        findings.add(
            "Y102",
            f"the character {character(char)} has no place in a rules file{more}",
            Span(source, offsets[0], offsets[0] + 1),
            hint="delete it; it cannot be seen, so delete the characters before and behind it too and type them again",
        )
    return bool(places)


def _places(count: int) -> str:
    return "1 more place" if count == 1 else f"{count:,} more places"


def _first_line(data: bytes) -> str:
    return re.split(r"[\r\n]", data[:400].decode("utf-8", "replace"), maxsplit=1)[0]
