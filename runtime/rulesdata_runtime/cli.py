"""The commands at the table: value, roll, run and the rest. Arguments in, exit status out.

Standard library only: these are what the `py` target carries. Results go to stdout, messages to stderr; nothing a
user does shows a traceback. Modules are imported by the command that needs them: a cold `value` should not wait.
"""

from __future__ import annotations

import sys

from .commands.arguments import Usage, help_text, read, usage
from .commands.command_list import COMMANDS as COMMANDS
from .errors import RulesError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn, TypeAlias

    from .commands.arguments import Command

    Load: TypeAlias = Callable[[str, list[str], bool], Any]

FINE, REFUSED, BROKEN, INTERRUPTED = 0, 1, 2, 130
CALLS = {"unknown", "input", "artifact", "answer", "write"}
"""Codes of errors that lie in the call or its files; all others are answers of the rules."""


def main(argv: Sequence[str], load: Load, *, carried: bool = False) -> int:
    """Run one command. `load` opens a system; with `carried` the rules are in this very file and none is named."""
    steady_streams()
    try:
        status = _main(list(argv), load, carried)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return closed_pipe()
    except RulesError as problem:
        if problem.code == "findings":
            print(f"{clean(str(problem))}these rules have errors, so nothing was played", file=sys.stderr)
            return REFUSED
        print(f"rulesdata: {clean(str(problem))}", file=sys.stderr)
        return BROKEN if problem.code in CALLS else REFUSED
    except OSError as problem:
        print(f"rulesdata: {problem.filename or 'a file'}: {problem.strerror or problem}", file=sys.stderr)
        return BROKEN


def _main(argv: list[str], load: Load, carried: bool) -> int:
    if carried and (not argv or argv[0] in {"-h", "--help"}):
        print(overview())
        return FINE
    name = argv[0]
    if name not in COMMANDS:
        from .search import did_you_mean, nearest

        print(f"rulesdata: there is no command {name!r}.{did_you_mean(nearest(name, COMMANDS))}", file=sys.stderr)
        return BROKEN
    command, program = _called(name, carried)
    try:
        arguments = read(command, argv[1:])
    except Usage as problem:
        print(f"{usage(command, program)}\n{program}: {clean(str(problem))}", file=sys.stderr)
        return BROKEN
    if arguments.help:
        prefix = program.removesuffix(name)
        examples = [prefix + (one.replace(" SYSTEM", "") if carried else one) for one in command.examples]
        print(help_text(command, program, examples))
        return FINE
    from .commands import commands as cli_commands

    rules = load(arguments.system, arguments.house, not arguments.no_cache)
    for notice in rules.notices:
        print(clean(notice), file=sys.stderr)
    return cli_commands.HANDLERS[name](rules, arguments)


def _called(name: str, carried: bool) -> tuple[Command, str]:
    """The command as this program offers it, and how it is called."""
    command = COMMANDS[name]
    if not carried:
        return command, f"rulesdata {name}"
    program = sys.argv[0].replace("\\", "/").rpartition("/")[2] or "rules.py"
    return command.without("system", "house", "no_cache"), f"{program} {name}"


def overview() -> str:
    """The commands with a line each."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    return "commands:\n" + "\n".join(lines) + "\n\nAdd --help to a command for more."


def steady_streams() -> None:
    """Output never fails for a letter that the terminal lacks: it is written as an escape instead."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def closed_pipe() -> int:
    """A reader that stops reading is no error; what is still buffered goes nowhere."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE


def leave(status: int) -> NoReturn:
    """End the process. All is written by now, and taking apart what was loaded would take as long as loading it."""
    import os

    sys.stderr.flush()
    if sys.gettrace() is not None or sys.getprofile() is not None:
        raise SystemExit(status)
    os._exit(status)


def clean(text: str) -> str:
    """Text with control characters shown, so that nothing in a rules file can steer a terminal."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter in "\n\t" or (letter.isprintable() or letter == "\u00a0") else _escaped(letter)
        for letter in text
    )


def _escaped(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def show(text: str) -> None:
    """Print for people."""
    print(clean(text))


def show_json(shape: object) -> None:
    """Print one JSON value on one line."""
    from .lean_json import write

    print(write(shape))
