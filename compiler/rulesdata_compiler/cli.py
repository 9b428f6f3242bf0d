"""The commands for authors: check, build, test, schema, explain and the rest; arguments in, exit status out.

Nothing is decided here but where output goes. The commands of the table live in the runtime and are only listed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from rulesdata_runtime import cli as table
from rulesdata_runtime.errors import RulesError

from . import Compiled, NotFound, compile_system
from .nearest import did_you_mean

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
    epilog="Exit status: 0 fine, 1 findings or a refusal of the rules, 2 a wrong call, 130 interrupted.",
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
def check(systems: tuple[str, ...], house: tuple[str, ...], form: str, as_json: bool) -> int:
    """Check rules: names, types, tables, cycles, worked examples.

    SYSTEM is a bundled id or a folder; without one, the folder you are in.

    \b
    rulesdata check my-game
    rulesdata check . --house friday.yaml --format github
    """
    from . import render

    form = "json" if as_json else form
    status = FINE
    done = [compile_system(name, house) for name in systems or (".",)]
    if form == "text":
        for compiled in done:
            click.echo(report_with_counts(compiled), nl=False)
    else:
        click.echo(render.render_many(form, done), nl=False)
    if any(compiled.findings.errors for compiled in done):
        status = FINDINGS
    return status


def report_with_counts(compiled: Compiled) -> str:
    """All findings, then the line that says what was read."""
    from . import report

    told = report(compiled, colour=colour_wanted(sys.stdout))
    errors, warnings = compiled.findings.errors, len(compiled.findings) - compiled.findings.errors
    verdict = "fine" if not len(compiled.findings) else f"{_many(errors, 'error')}, {_many(warnings, 'warning')}"
    title = compiled.system.header.id if compiled.system else "nothing to check"
    return f"{told}{title}: {verdict}; read {compiled.counts.sentence()}\n"


@cli.command()
@click.argument("system")
@house_option
@click.option(
    "--target", type=click.Choice(["json", "py", "html", "markdown"]), default="json", help="What to make of the rules."
)
@click.option("-o", "--output", metavar="PATH", help="Where to write; SYSTEM with a fitting ending without it.")
@click.option("--no-text", is_flag=True, help="Leave out what only people read.")
@click.option("--json", "as_json", is_flag=True, help="Tell what was written as JSON.")
def build(system: str, house: tuple[str, ...], target: str, output: str | None, no_text: bool, as_json: bool) -> int:
    """Build one file from rules: an artifact, a program, or the reference.

    \b
    rulesdata build my-game -o my-game.rules.json
    rulesdata build my-game --target py -o my_game.py
    rulesdata build my-game --target html -o my-game.html
    """
    from .build import ENDINGS, build_target

    compiled = compile_system(system, house, texts=not no_text)
    if compiled.artifact is None or compiled.system is None:
        click.echo(report_with_counts(compiled), nl=False, err=True)
        click.echo("nothing was written", err=True)
        return FINDINGS
    path = Path(output) if output else Path(compiled.system.header.id + ENDINGS[target])
    written = build_target(compiled, target, path)
    if as_json:
        click.echo(json.dumps({"version": 1, "written": [{"path": str(p), "bytes": size} for p, size in written]}))
    else:
        for name, size in written[:8]:
            click.echo(f"wrote {name} ({size:,} bytes)", err=True)
        if len(written) > 8:
            click.echo(f"and {len(written) - 8} more", err=True)
    return FINE


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
        told = {"version": 1, "code": wanted, "title": CODES[wanted].title, "severity": CODES[wanted].severity, "page": text}
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        click.echo(text, nl=False)
    return FINE


def colour_wanted(stream: Any) -> bool:
    """Colour only on a terminal; NO_COLOR turns it off, FORCE_COLOR on."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"


from . import cli_house as _  # noqa: E402, F401 - its commands join the list


def main(argv: Sequence[str]) -> int:
    """Run one of the authors' commands. Returns the exit status; nothing a user does shows a traceback."""
    table.steady_streams()
    try:
        status = cli.main(args=list(argv), prog_name="rulesdata", standalone_mode=False)
        return int(status or FINE)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as problem:
        problem.show()
        return BROKEN
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        return table.closed_pipe()
    except NotFound as problem:
        click.echo(f"rulesdata: {problem}", err=True)
        return BROKEN
    except RulesError as problem:
        click.echo(f"rulesdata: {problem}", err=True)
        return FINDINGS
    except OSError as problem:
        click.echo(f"rulesdata: {problem.filename or 'a file'}: {problem.strerror or problem}", err=True)
        return BROKEN


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
