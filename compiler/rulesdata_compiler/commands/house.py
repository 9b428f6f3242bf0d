"""The commands about house rules: diff, house, new. Arguments in, exit status out."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import click

from .. import compile_system
from ..cli import BROKEN, FINDINGS, FINE, cli, house_option, report_with_counts


@cli.command()
@click.argument("system")
@house_option
@click.option("--against", metavar="OLD", help="Another version of the system, to compare with.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="How it is written; markdown is for posting.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def diff(system: str, house: tuple[str, ...], against: str | None, form: str, as_json: bool) -> int:
    """Tell what house rules change: value by value, and what comes out differently.

    With --against, tell what differs between two versions of a system.

    \b
    rulesdata diff my-system --house friday.yaml
    rulesdata diff my-system --house friday.yaml --format markdown
    rulesdata diff my-system --against my-system-last-year
    """
    if not house and against is None:
        raise click.UsageError("say what to compare with: --house FILE, or --against OLD")
    from ..diffing.diff import diff as compare
    from ..diffing.diff_render import render

    before = compile_system(against or system, house if against is not None else ())
    after = compile_system(system, house)
    for compiled in (before, after):
        if compiled.artifact is None:
            click.echo(report_with_counts(compiled), nl=False, err=True)
            click.echo("rules with errors cannot be compared", err=True)
            return FINDINGS
    click.echo(render(compare(before, after), "json" if as_json else form), nl=False)
    return FINE


class _Values(click.Command):
    """A command whose arguments may be negative numbers: `min -1` is a field and its value, and no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))
        except click.NoSuchOption as problem:
            if not re.match(r"-[\d.\s]|-$", problem.option_name):
                raise
        ctx.ignore_unknown_options = True
        return super().parse_args(ctx, args)


@cli.command(cls=_Values)
@click.argument("system")
@click.argument("rule", required=False)
@click.argument("field", required=False)
@click.argument("value", required=False)
@click.option(
    "--house", "path", required=True, metavar="FILE", help="The file of house rules; made where it is not there."
)
@click.option("--why", metavar="TEXT", help="The reason, written beside the change.")
@click.option("--examples-changed", "changed", is_flag=True, help="Say that official examples come out otherwise.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--dry-run", is_flag=True, help="Only show what would be written.")
@click.option("--undo", "back", is_flag=True, help="Put the file before the last change back.")
@click.option("--json", "as_json", is_flag=True, help="Tell what was done as JSON.")
def house(
    system: str,
    rule: str | None,
    field: str | None,
    value: str | None,
    path: str,
    why: str | None,
    changed: bool,
    yes: bool,
    dry_run: bool,
    back: bool,
    as_json: bool,
) -> int:
    """Write one change into a file of house rules; its comments and layout stay.

    FIELD may lead into the rule: rows.some_row.at. The file before is kept as FILE.bak.

    \b
    rulesdata house my-system boxes formula "base + 2" --house friday.yaml --why "Tougher"
    rulesdata house my-system --house friday.yaml --undo
    """
    from ..house.house import plan, undo

    if back:
        done = undo(Path(path))
        click.echo(f"{path} is as it was before" if done else f"no file before {path} is kept", err=True)
        return FINE if done else BROKEN
    if rule is None or field is None or value is None:
        raise click.UsageError("say what changes: SYSTEM RULE FIELD VALUE")
    made = plan(system, rule, field, value, Path(path), why=why, changed=changed)
    if made.after == made.before:
        dry_run = True  # the file before the last change stays the one to go back to
        click.echo(f"nothing to write: {path} says so already", err=True)
    elif not as_json:
        click.echo(made.shown(), nl=False)
    if made.checked.artifact is None:
        click.echo(report_with_counts(made.checked), nl=False, err=True)
        click.echo("nothing was written: the rules would have errors", err=True)
        if any(finding.code == "H724" for finding in made.checked.findings):
            click.echo("--examples-changed says that this is what you want", err=True)
        return FINDINGS
    if not dry_run and not yes and not _agreed():
        click.echo("nothing was written; --yes writes it", err=True)
        return BROKEN
    if not dry_run:
        made.write()
        click.echo(f"wrote {path}", err=True)
    if as_json:
        shape = {"version": 1, "path": path, "written": not dry_run, "diff": made.shown()}
        click.echo(json.dumps(shape, ensure_ascii=False))
    return FINE


def _agreed() -> bool:
    """The answer of whoever sits at the terminal; without one nobody has agreed."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    return click.confirm("write it?", default=True, err=True)


@cli.command()
@click.argument("folder", metavar="DIR")
@click.option("--house", "system", metavar="SYSTEM", help="Make house rules over this system instead.")
@click.option("--json", "as_json", is_flag=True, help="Tell what was written as JSON.")
def new(folder: str, system: str | None, as_json: bool) -> int:
    """Make a system to start from, or house rules over one.

    \b
    rulesdata new my-system
    rulesdata new friday --house my-system
    """
    from ..house.new import new_house, new_system

    written = new_system(Path(folder)) if system is None else new_house(Path(folder), system)
    if as_json:
        click.echo(json.dumps({"version": 1, "written": [path.as_posix() for path in written]}))
        return FINE
    for path in written:
        click.echo(f"wrote {path}", err=True)
    check = f"rulesdata check {folder}" if system is None else f"rulesdata check {system} --house {folder}"
    click.echo(f"next: {check}", err=True)
    return FINE
