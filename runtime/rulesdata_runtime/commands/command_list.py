"""The commands of the table, described: what `arguments.py` reads by and `--help` prints.

In: nothing. Out: `COMMANDS`, by name, in the order in which people are told of them.
"""

from __future__ import annotations

from .arguments import Command, Option, Place

_SYSTEM = Place("system", "SYSTEM", "a bundled id, a folder, a YAML file or an artifact")
_VALUES = Place(
    "values",
    "name=value",
    "parameters, stats, tracks, choices; conditions=lit,drowsy:2 and traits=... work too",
    many=True,
    needed=False,
)
_RULES = (
    Option("--house", "house rules over the system; may be given again", "FILE", many=True),
    Option("--no-cache", "compile anew, and keep nothing"),
    Option("--json", "write JSON"),
)
_CHARACTER = Option("--character", "a character file, or role=FILE; may be given again", "FILE", many=True)
_SAVE = Option("--save", "write the characters to their files; one that is not there is begun")
_DICE = (
    Option("--dice", "numbers rolled at the table, all used in order", "4,6"),
    Option("--seed", "the same rolls every time", "N", whole=True),
)
_APART = ("--dice", "--seed")


def _command(
    help: str,  # noqa: A002
    examples: tuple[str, ...],
    *places: Place,
    options: tuple[Option, ...] = (),
) -> Command:
    return Command(help, examples, (_SYSTEM, *places), (*options, *_RULES), _APART)


def _name(metavar: str, told: str, *, needed: bool = True) -> Place:
    return Place("name", metavar, told, needed=needed)


COMMANDS: dict[str, Command] = {
    "value": _command(
        "A value of a character, with its reasons if wanted.",
        ("value SYSTEM health Might=5", "value SYSTEM health Might=5 --explain"),
        _name("NAME", "a stat, derived value or track"),
        _VALUES,
        options=(Option("--explain", "how the value comes about"), _CHARACTER),
    ),
    "roll": _command(
        "Make a roll, roll on a table, or roll plain dice.",
        ("roll SYSTEM check pool=12", "roll SYSTEM 4d6kh3", "roll SYSTEM check pool=4 --dice 5,1,6,2"),
        _name("NAME", "a roll, a table, or plain dice"),
        _VALUES,
        options=(*_DICE, Option("--times", "roll so often", "N", whole=True), _CHARACTER, _SAVE),
    ),
    "lookup": _command(
        "Look a row of a table up.",
        ("lookup SYSTEM prices 7", "lookup SYSTEM prices 7 --column cost"),
        _name("TABLE", "a table"),
        Place("values", "KEY", "the keys of the row, or key=value", many=True, needed=False),
        options=(Option("--column", "one column of the row", "NAME"),),
    ),
    "spend": _command(
        "What a result can buy, and every full way to spend it.",
        ("spend SYSTEM fight star=3 moon=1", "spend SYSTEM fight star=2 --buy catch_breath"),
        _name("CONTEXT", "what is spent on, such as a fight"),
        _VALUES,
        options=(
            Option("--buy", "buy these, with commas", "IDS"),
            Option("--limit", "plans shown (default 20)", "N", whole=True),
            *_DICE,
            _CHARACTER,
            _SAVE,
        ),
    ),
    "run": _command(
        "Run a procedure: damage, healing, and whatever the rules have steps for.",
        ("run SYSTEM take_harm Might=3 amount=4", "run SYSTEM take_harm amount=4 --character hero.json --save"),
        _name("PROCEDURE", "a procedure"),
        _VALUES,
        options=(*_DICE, _CHARACTER, _SAVE),
    ),
    "act": _command(
        "Take an action, or list what is legal now.",
        ("act SYSTEM --character hero.json", "act SYSTEM stand_up --character hero.json --save"),
        _name("ACTION", "an action; without one, what is legal now", needed=False),
        _VALUES,
        options=(*_DICE, _CHARACTER, _SAVE),
    ),
    "advance": _command(
        "Time passes, a scene ends, an event happens.",
        ("advance SYSTEM turn 3 --character hero.json --save", "advance SYSTEM scene --character hero.json"),
        _name("UNIT", "a unit of time, a scene or an event"),
        Place("values", "N|name=value", "how many (default 1), then " + _VALUES.help, many=True, needed=False),
        options=(*_DICE, _CHARACTER, _SAVE),
    ),
    "order": _command(
        "Who acts when.",
        ("order SYSTEM first_to_act --character ann=ann.json --character bob=bob.json --seed 3",),
        _name("ROLL", "a roll with a ranking"),
        Place(
            "values",
            "who.name=value",
            "a person's values or result (ann.value=12), a team (team.red=ann,bob), parameters",
            many=True,
            needed=False,
        ),
        options=(*_DICE, _CHARACTER),
    ),
    "band": _command(
        "The range band at a distance, or the moves between two.",
        ("band SYSTEM distances 12", "band SYSTEM distances near far"),
        _name("BANDS", "range bands"),
        Place("values", "DISTANCE|A B|name=value", "a distance, or two bands", many=True, needed=False),
        options=(_CHARACTER,),
    ),
    "list": _command(
        "The rules of a system.",
        ("list SYSTEM", "list SYSTEM tables"),
        Place("kind", "KIND", "one kind of rule", needed=False),
    ),
    "show": _command("One rule, whole.", ("show SYSTEM prices",), _name("RULE", "a rule's id")),
    "search": _command(
        "Find rules by words.",
        ("search SYSTEM out of breath",),
        Place("words", "WORDS", "what to look for", many=True),
    ),
    "test": _command(
        "Play the worked examples.",
        ("test SYSTEM", "test SYSTEM --edges"),
        options=(Option("--edges", "move every number of the rules by one, and list what no example notices"),),
    ),
}
