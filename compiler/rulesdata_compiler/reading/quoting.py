"""Text put in quotes so that YAML reads it as it stands.

In: a text. Out: the text in double quotes, or in single quotes where double ones would need escapes. Used for the
fixes that messages show.
"""

from __future__ import annotations


def quoted(text: str) -> str:
    """The text in quotes.

    >>> quoted("Roll: 2d6")
    '"Roll: 2d6"'
    """
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'
