"""The words after a command, read: positions, options and what is given with them.

In: a command's description and words. Out: `Arguments`, or `Usage` with a sentence that says what would have been
right. The one rule: a word is taken for exactly one thing or refused; nothing is guessed, and nothing abbreviated.

It reads what these commands need and no more, because the library for it takes as long to load as Python itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn


class Usage(Exception):  # noqa: N818 - read aloud in `except Usage`
    """A call that cannot be meant; the text says why."""


class Option:
    """`--flag`, or with `metavar` `--flag VALUE`. `many`: it may be given again. `whole`: a whole number."""

    __slots__ = ("flag", "help", "many", "metavar", "whole")

    def __init__(self, flag: str, help: str, metavar: str = "", *, many: bool = False, whole: bool = False) -> None:  # noqa: A002
        self.flag = flag
        self.help = help
        self.metavar = metavar
        self.many = many
        self.whole = whole

    @property
    def field(self) -> str:
        return self.flag.removeprefix("--").replace("-", "_")

    def shown(self) -> str:
        return f"{self.flag} {self.metavar}".rstrip()


class Place:
    """A word by its place. `many`: all that follow too, as a list; `needed`: one at least."""

    __slots__ = ("field", "help", "many", "metavar", "needed")

    def __init__(self, field: str, metavar: str, help: str, *, many: bool = False, needed: bool = True) -> None:  # noqa: A002
        self.field = field
        self.metavar = metavar
        self.help = help
        self.many = many
        self.needed = needed

    def shown(self) -> str:
        name = f"{self.metavar}..." if self.many else self.metavar
        return name if self.needed else f"[{name}]"


class Command:
    """`help` is one line, `examples` are typed as they stand after the program's name. `apart` are options of which
    one call takes one."""

    __slots__ = ("apart", "examples", "help", "options", "places")

    def __init__(
        self,
        help: str,  # noqa: A002
        examples: tuple[str, ...],
        places: tuple[Place, ...] = (),
        options: tuple[Option, ...] = (),
        apart: tuple[str, ...] = (),
    ) -> None:
        self.help = help
        self.examples = examples
        self.places = places
        self.options = options
        self.apart = apart

    def without(self, *fields: str) -> Command:
        """The same command where some places and options make no sense."""
        places = tuple(place for place in self.places if place.field not in fields)
        options = tuple(option for option in self.options if option.field not in fields)
        return Command(self.help, self.examples, places, options, self.apart)


class Arguments:
    """What was written; whatever was not has the default below."""

    system: str = ""
    house: list[str]
    name: str = ""
    kind: str | None = None
    words: list[str]
    values: list[str]
    character: list[str]
    column: str | None = None
    buy: str | None = None
    dice: str | None = None
    limit: int = 20
    seed: int | None = None
    times: int = 1
    explain: bool = False
    edges: bool = False
    save: bool = False
    json: bool = False
    no_cache: bool = False
    help: bool = False

    def __init__(self) -> None:
        self.house, self.words, self.values, self.character = [], [], [], []


HELP = Option("--help", "show this and leave")


def read(command: Command, words: Sequence[str]) -> Arguments:
    """What `words` say to `command`. Raises Usage."""
    found = Arguments()
    options = {option.flag: option for option in (*command.options, HELP)}
    given: list[str] = []
    taken: set[str] = set()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            given += rest
            break
        if not word.startswith("-") or word == "-" or word[1:2].isdigit():
            given.append(word)
            continue
        flag, equals, value = word.partition("=")
        option = options.get("--help" if flag == "-h" else flag)
        if option is None:
            _unknown(flag, options)
        if not option.metavar:
            if equals:
                raise Usage(f"{flag} takes no value")
            setattr(found, option.field, True)
        else:
            if not equals:
                if not rest or rest[0].startswith("--"):
                    raise Usage(f"{flag} wants a value: {option.shown()}")
                value = rest.pop(0)
            _put(found, option, value, again=flag in taken)
        taken.add(flag)
    if not found.help:
        _exclude(command, taken)
        _positions(found, command, given)
    return found


def _put(found: Arguments, option: Option, value: str, *, again: bool) -> None:
    if option.many:
        getattr(found, option.field).append(value)
        return
    if again:
        raise Usage(f"{option.flag} is given twice")
    if option.whole:
        from ..plainly import brief, digits

        number = digits(value)
        if number is None:
            raise Usage(f"{option.flag} wants a whole number, not {brief(value)}")
        setattr(found, option.field, number)
    else:
        setattr(found, option.field, value)


def _exclude(command: Command, taken: set[str]) -> None:
    both = [flag for flag in command.apart if flag in taken]
    if len(both) > 1:
        raise Usage(f"{' and '.join(both)} exclude each other")


def _positions(found: Arguments, command: Command, given: list[str]) -> None:
    rest = list(given)
    for place in command.places:
        if place.needed and not rest:
            raise Usage(f"{place.metavar} is missing: {place.help}")
        if place.many:
            setattr(found, place.field, rest)
            rest = []
        elif rest:
            setattr(found, place.field, rest.pop(0))
    if rest:
        raise Usage(f"{rest[0]!r} is one word too many")


def _unknown(flag: str, options: Mapping[str, Option]) -> NoReturn:
    from ..search import did_you_mean, nearest

    raise Usage(f"there is no option {flag}.{did_you_mean(nearest(flag, options))}")


# --- help --------------------------------------------------------------------------------------------------------


def usage(command: Command, program: str) -> str:
    """The line that shows how a command is called."""
    parts = [place.shown() for place in command.places]
    parts += [f"[{option.shown()}]" + ("..." if option.many else "") for option in command.options]
    return " ".join(["usage:", program, *parts])


def help_text(command: Command, program: str, examples: Sequence[str]) -> str:
    """Everything about a command."""
    rows = [(place.metavar, place.help) for place in command.places]
    rows += [(option.shown(), option.help) for option in command.options]
    rows.append(("-h, --help", HELP.help))
    width = max(len(name) for name, _ in rows)
    lines = [f"  {name:<{width}}  {told}" for name, told in rows]
    shown = [f"  {example}" for example in examples]
    return "\n".join([usage(command, program), "", command.help, "", *lines, "", "examples:", *shown, "", STATUS])


STATUS = "Exit status: 0 fine, 1 a refusal of the rules or findings, 2 a wrong call, 130 interrupted."
