"""The commands at the table: value, roll, run and the rest. Arguments in, exit status out.

Standard library only: these are what the `py` target carries. Results go to stdout, messages to stderr; nothing a
user does shows a traceback. Modules are imported by the command that needs them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .errors import RulesError

FINE, REFUSED, BROKEN, INTERRUPTED = 0, 1, 2, 130
Load = Callable[[str, list[str]], Any]


class Command(NamedTuple):
    """`help` is one line, `examples` are typed as they stand after the program's name."""

    help: str
    examples: tuple[str, ...]


COMMANDS: dict[str, Command] = {
    "value": Command(
        "A value of a character, with its reasons if wanted.",
        ("value SYSTEM health Might=5", "value SYSTEM health Might=5 --explain"),
    ),
    "roll": Command(
        "Make a roll, roll on a table, or roll plain dice.",
        ("roll SYSTEM check pool=12", "roll SYSTEM 4d6kh3", "roll SYSTEM check pool=4 --dice 5,1,6,2"),
    ),
    "lookup": Command("Look a row of a table up.", ("lookup SYSTEM prices 7",)),
    "spend": Command(
        "What a result can buy, and every full way to spend it.",
        ("spend SYSTEM fight star=3 moon=1", "spend SYSTEM fight star=2 --buy catch_breath"),
    ),
    "run": Command(
        "Run a procedure: damage, healing, and whatever the rules have steps for.",
        ("run SYSTEM take_harm Might=3 amount=4", "run SYSTEM take_harm amount=4 --character hero.json --save"),
    ),
    "act": Command("Take an action, or list what is legal now.", ("act SYSTEM --character hero.json", "act SYSTEM stand_up --character hero.json --save")),
    "advance": Command(
        "Time passes, a scene ends, an event happens.",
        ("advance SYSTEM turn 3 --character hero.json --save", "advance SYSTEM scene --character hero.json"),
    ),
    "order": Command(
        "Who acts when.", ("order SYSTEM first_to_act --character ann=ann.json --character bob=bob.json --seed 3",)
    ),
    "band": Command("The range band at a distance, or the moves between two.", ("band SYSTEM distances 12",)),
    "list": Command("The rules of a system.", ("list SYSTEM", "list SYSTEM tables")),
    "show": Command("One rule, whole.", ("show SYSTEM prices",)),
    "search": Command("Find rules by words.", ("search SYSTEM out of breath",)),
    "test": Command("Play the worked examples.", ("test SYSTEM",)),
}
ALONE = ("list", "show", "search", "lookup", "test")  # commands that no character is part of


def main(argv: Sequence[str], load: Load, *, carried: bool = False) -> int:
    """Run one command. `load` opens a system; with `carried` the rules are in this very file and none is named."""
    steady_streams()
    try:
        return _main(list(argv), load, carried)
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else BROKEN
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return closed_pipe()
    except RulesError as problem:
        if problem.code == "findings":
            print(f"{problem}these rules have errors, so nothing was played", file=sys.stderr)
            return REFUSED
        print(f"rulesdata: {clean(str(problem))}", file=sys.stderr)
        return BROKEN if problem.code in {"unknown", "input", "artifact", "answer", "write"} else REFUSED
    except OSError as problem:
        print(f"rulesdata: {problem.filename or 'a file'}: {problem.strerror or problem}", file=sys.stderr)
        return BROKEN


def _main(argv: list[str], load: Load, carried: bool) -> int:
    if carried and (not argv or argv[0] in {"-h", "--help"}):
        print(_overview())
        return FINE
    name = argv[0]
    if name not in COMMANDS:
        from .search import did_you_mean, nearest

        print(f"rulesdata: there is no command {name!r}.{did_you_mean(nearest(name, COMMANDS))}", file=sys.stderr)
        return BROKEN
    from . import cli_commands

    arguments = _parser(name, carried).parse_args(argv[1:])
    rules = load(getattr(arguments, "system", ""), getattr(arguments, "house", []))
    for notice in rules.notices:
        print(clean(notice), file=sys.stderr)
    return cli_commands.HANDLERS[name](rules, arguments)


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    return "commands:\n" + "\n".join(lines) + "\n\nAdd --help to a command for more."


def _parser(name: str, carried: bool) -> argparse.ArgumentParser:
    command = COMMANDS[name]
    shown = [example.replace(" SYSTEM", "") if carried else example for example in command.examples]
    prefix = "" if carried else "rulesdata "
    parser = argparse.ArgumentParser(
        prog=f"{prefix}{name}",
        description=command.help,
        epilog="examples:\n" + "\n".join(f"  {prefix}{example}" for example in shown),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if not carried:
        parser.add_argument("system", metavar="SYSTEM", help="a bundled id, a folder, a YAML file or an artifact")
        parser.add_argument("--house", action="append", default=[], metavar="FILE", help="house rules over it")
    _own_arguments(parser, name)
    parser.add_argument("--json", action="store_true", help="write JSON")
    return parser


def _own_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    words = {
        "value": ("name", "a stat, derived value or track"),
        "roll": ("name", "a roll, a table, or plain dice"),
        "lookup": ("name", "a table"),
        "spend": ("name", "a context"),
        "run": ("name", "a procedure"),
        "advance": ("name", "a unit of time, a scene or an event"),
        "order": ("name", "a roll with a ranking"),
        "band": ("name", "range bands"),
        "show": ("name", "a rule's id"),
    }
    if name in words:
        parser.add_argument(words[name][0], metavar=words[name][0].upper(), help=words[name][1])
    if name == "act":
        parser.add_argument("name", nargs="?", metavar="ACTION", help="an action; without one, what is legal now")
    if name == "list":
        parser.add_argument("kind", nargs="?", metavar="KIND", help="one kind of rule")
    elif name == "search":
        parser.add_argument("words", nargs="+", metavar="WORDS", help="what to look for")
    elif name not in ("show", "test"):
        parser.add_argument("values", nargs="*", metavar="name=value", help=_VALUES)
    if name == "value":
        parser.add_argument("--explain", action="store_true", help="how the value comes about")
    if name == "lookup":
        parser.add_argument("--column", metavar="NAME", help="one column of the row")
    if name == "spend":
        parser.add_argument("--buy", metavar="IDS", help="buy these, with commas")
        parser.add_argument("--limit", type=int, default=20, metavar="N", help="plans shown (default 20)")
    if name in ("roll", "spend", "run", "act", "advance", "order"):
        dice = parser.add_mutually_exclusive_group()
        dice.add_argument("--dice", metavar="4,6", help="numbers rolled at the table, all used in order")
        dice.add_argument("--seed", type=int, metavar="N", help="the same rolls every time")
    if name == "roll":
        parser.add_argument("--times", type=int, default=1, metavar="N", help="roll so often")
    if name not in ALONE:
        parser.add_argument(
            "--character", action="append", default=[], metavar="FILE", help="a character file, or role=FILE"
        )
    if name in ("run", "act", "advance", "roll", "spend"):
        parser.add_argument("--save", action="store_true", help="write the characters back to their files")


_VALUES = "parameters, stats, tracks, choices; conditions=prone,stunned:2 and traits=... work too"


def steady_streams() -> None:
    """Output never fails for a letter that the terminal lacks: it is written as an escape instead."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def closed_pipe() -> int:
    """A reader that stops reading is no error; what is still buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FINE


def clean(text: str) -> str:
    """Text with control characters shown, so that nothing in a rules file can steer a terminal."""
    return "".join(
        letter if letter in "\n\t" or (letter.isprintable() or letter == "\u00a0") else f"\\x{ord(letter):02x}"
        for letter in text
    )


def show(text: str) -> None:
    """Print for people."""
    print(clean(text))


def show_json(shape: object) -> None:
    """Print one JSON value on one line."""
    print(json.dumps(shape, ensure_ascii=False))
