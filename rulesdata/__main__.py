"""The command `rulesdata`: hands the commands of the table to the runtime and the rest to the compiler.

In: the words of the command line. Out: an exit status. Imports stay late, so that a cold `value` or `roll` on an
artifact reads neither the compiler nor any third party.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdata_runtime.rules import Rules


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; `argv` are the words after the program's name."""
    words = list(sys.argv[1:] if argv is None else argv)
    from rulesdata_runtime import cli

    if words and words[0] in cli.COMMANDS:
        return cli.main(words, load=_load)
    from rulesdata_compiler.cli import main as compiler_main

    return compiler_main(words)


def _load(system: str, house: list[str], cache: bool = True) -> Rules:
    from .front import load

    return load(system, house, cache=cache)


if __name__ == "__main__":
    from rulesdata_runtime.cli import leave

    leave(main())
