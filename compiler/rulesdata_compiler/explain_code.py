"""The long page of an error code: `pages/CODE.md`, which is text, gallery and test in one.

In: a code. Out: the page as people read it on a terminal: why, a bad example, what the compiler says, a good one.
"""

from __future__ import annotations

from importlib import resources


def source(code: str) -> str:
    """The page as it is written. Raises FileNotFoundError for a code without a page; a test holds there is none."""
    folder = resources.files("rulesdata_compiler")
    return (folder / "pages" / f"{code}.md").read_text(encoding="utf-8")


def page(code: str) -> str:
    """The page with its fences turned into indented blocks, as a terminal shows it best."""
    shown: list[str] = []
    fenced = False
    for line in source(code).splitlines():
        if line.startswith("```"):
            fenced = not fenced
            name = line.partition("file=")[2].strip()
            if fenced and name:
                shown.append(f"    # {name}")
        elif fenced:
            shown.append(f"    {line}" if line else "")
        else:
            shown.append(line.lstrip("#").strip().upper() if line.startswith("## ") else line.removeprefix("# "))
    return "\n".join(shown).rstrip() + "\n"
