"""The commands for authors: check, build, test, schema, explain and the rest; arguments in, exit status out.

Nothing is decided here but where output goes. The commands of the table live in the runtime and are only listed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO

import click

from rulesdata_runtime import cli as table
from rulesdata_runtime.errors import RulesError

from . import Compiled, NotFound, compile_system
from .checked import Checked, checked
from .nearest import did_you_mean
from .progress import progress

FINE, FINDINGS, BROKEN, INTERRUPTED = 0, 1, 2, 130


class Group(click.Group):
    """The list of commands: a mistyped one is told its neighbours, and the table's commands are listed too."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *table.COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        known = super().get_command(ctx, cmd_name)
        if known is None and cmd_name in table.COMMANDS:
            return click.Command(cmd_name, short_help=table.COMMANDS[cmd_name].help, add_help_option=False)
        return known

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                rows.append((name, command.get_short_help_str(limit=200)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if args and not name.startswith("-") and self.get_command(ctx, name) is None:
            near = did_you_mean(name, self.list_commands(ctx))
            ctx.fail(f"there is no command {name!r}" + (f"; {near}" if near else ""))
        return super().resolve_command(ctx, args)


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 fine, 1 findings or a refusal of the rules, 2 a wrong call, 130 interrupted. "
    "What was compiled is kept in your cache folder; RULESDATA_CACHE names another, or is empty for none.",
)
@click.version_option(package_name="rulesdata", prog_name="rulesdata")
def cli() -> None:
    """Write a tabletop game's rules as YAML; check them, play with them, share them.

    \b
    rulesdata check my-game
    rulesdata value my-game health Might=5
    rulesdata build my-game -o my-game.rules.json
    """


def house_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--house", multiple=True, metavar="FILE", help="House rules laid over the system; may be given again."
    )(command)


def colour_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--color",
        "colour",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help="Colour; auto is on a terminal only, and heeds NO_COLOR and FORCE_COLOR.",
    )(command)


@cli.command()
@click.argument("systems", nargs=-1, metavar="[SYSTEM|DIR]...")
@house_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    help="How findings are written.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--no-cache", is_flag=True, help="Check anew what was found fine before, and keep nothing.")
@colour_option
def check(
    systems: tuple[str, ...], house: tuple[str, ...], form: str, as_json: bool, no_cache: bool, colour: str
) -> int:
    """Check rules: names, types, tables, cycles, worked examples.

    SYSTEM is a bundled id or a folder; without one, the folder you are in.

    \b
    rulesdata check my-game
    rulesdata check . --house friday.yaml --format github
    """
    from . import render

    form = "json" if as_json else form
    done = []
    for name in systems or (".",):
        with progress(f"checking {name}"):
            done.append(checked(name, house, cache=not no_cache))
        if form == "text":
            _told(done[-1], sys.stdout, colour)
    if form != "text":
        click.echo(render.render_many(form, done), nl=False)
    return FINDINGS if any(one.findings.errors for one in done) else FINE


def report_with_counts(compiled: Compiled, colour: bool | None = None) -> str:
    """All findings, then the line that says what was read."""
    return Checked.of(compiled).told(colour_wanted(sys.stdout) if colour is None else colour)


@cli.command()
@click.argument("system")
@house_option
@click.option(
    "--target", type=click.Choice(["json", "py", "html", "markdown"]), default="json", help="What to make of the rules."
)
@click.option("-o", "--output", metavar="PATH", help="Where to write; SYSTEM with a fitting ending without it.")
@click.option("--no-text", is_flag=True, help="Leave out what only people read.")
@click.option("--json", "as_json", is_flag=True, help="Tell what was written, or found, as JSON.")
@colour_option
def build(
    system: str, house: tuple[str, ...], target: str, output: str | None, no_text: bool, as_json: bool, colour: str
) -> int:
    """Build one file from rules: an artifact, a program, or the reference.

    \b
    rulesdata build my-game -o my-game.rules.json
    rulesdata build my-game --target py -o my_game.py
    rulesdata build my-game --target html -o my-game.html
    """
    from .build import ENDINGS, build_target, refuse_source

    if output:
        refuse_source(Path(output), target)
    with progress(f"building {system}"):
        compiled = compile_system(system, house, texts=not no_text)
        if compiled.artifact is None or compiled.system is None:
            return _not_built(compiled, as_json, colour)
        path = Path(output) if output else Path(compiled.system.header.id + ENDINGS[target])
        written = build_target(compiled, target, path)
    if as_json:
        _json({"version": 1, "written": [{"path": str(name), "bytes": size} for name, size in written]})
        return FINE
    if len(compiled.findings):
        _told(Checked.of(compiled), sys.stderr, colour)
    for name, size in written[:8]:
        click.echo(f"wrote {table.clean(str(name))} ({size:,} bytes)", err=True)
    if len(written) > 8:
        click.echo(f"and {len(written) - 8} more", err=True)
    return FINE


def _not_built(compiled: Compiled, as_json: bool, colour: str) -> int:
    if as_json:
        from . import render

        click.echo(render.render_many("json", [compiled]), nl=False)
    else:
        _told(Checked.of(compiled), sys.stderr, colour)
        click.echo("nothing was written", err=True)
    return FINDINGS


@cli.command()
@click.argument("code")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def explain(code: str, as_json: bool) -> int:
    """Explain an error code: why it is refused, a bad and a good example.

    \b
    rulesdata explain R601
    """
    from .codes import CODES
    from .explain_code import page

    wanted = code.strip().upper()
    if wanted not in CODES:
        near = did_you_mean(wanted, CODES)
        raise click.UsageError(f"there is no error code {code!r}" + (f"; {near}" if near else ""))
    text = page(wanted)
    if as_json:
        known = CODES[wanted]
        _json({"version": 1, "code": wanted, "title": known.title, "severity": known.severity, "page": text})
    else:
        click.echo(text, nl=False)
    return FINE


def colour_wanted(stream: Any, wanted: str = "auto") -> bool:
    """Colour on a terminal only; NO_COLOR turns it off, FORCE_COLOR on, and --color has the last word."""
    if wanted != "auto":
        return wanted == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"


def _told(checked: Checked, stream: TextIO, wanted: str) -> None:
    """Write findings; `echo` would take out colour that was asked for."""
    colour = colour_wanted(stream, wanted)
    click.echo(checked.told(colour), file=stream, nl=False, color=colour)


def _json(shape: object) -> None:
    click.echo(json.dumps(shape, ensure_ascii=False))


from .commands import house as _house  # noqa: E402, F401 - its commands join the list
from .commands import schema as _schema  # noqa: E402, F401 - the same


def main(argv: Sequence[str]) -> int:
    """Run one of the authors' commands. Returns the exit status; nothing a user does shows a traceback."""
    table.steady_streams()
    try:
        status = cli.main(args=list(argv) or ["--help"], prog_name="rulesdata", standalone_mode=False)
        sys.stdout.flush()
        return int(status or FINE)
    except SystemExit:  # how click leaves when nobody reads any more
        return table.closed_pipe()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as problem:
        return _wrong_call(problem)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        return table.closed_pipe()
    except NotFound as problem:
        click.echo(f"rulesdata: {table.clean(str(problem))}", err=True)
        return BROKEN
    except RulesError as problem:
        click.echo(f"rulesdata: {table.clean(str(problem))}", err=True)
        return BROKEN if problem.code in table.CALLS else FINDINGS
    except OSError as problem:
        click.echo(f"rulesdata: {problem.filename or 'a file'}: {problem.strerror or problem}", err=True)
        return BROKEN


def _wrong_call(problem: click.ClickException) -> int:
    """Tell what is wrong with a call; for a mistyped option or choice, what was meant."""
    if isinstance(problem, click.NoSuchOption) and problem.ctx is not None:
        flags = [flag for param in problem.ctx.command.get_params(problem.ctx) for flag in param.opts]
        near = did_you_mean(problem.option_name, [flag for flag in flags if flag.startswith("--")])
        told = f"there is no option {problem.option_name}" + (f"; {near}" if near else "")
        problem = click.UsageError(told, problem.ctx)
    problem.show()
    return BROKEN
