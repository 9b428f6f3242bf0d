"""The commands about house rules: diff, house, new. Arguments in, exit status out."""

from __future__ import annotations

import click

from . import compile_system
from .cli import FINDINGS, FINE, cli, house_option, report_with_counts


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
    rulesdata diff shadowrun-4e --house friday.yaml
    rulesdata diff shadowrun-4e --house friday.yaml --format markdown
    rulesdata diff ./my-system --against ./my-system-last-year
    """
    if not house and against is None:
        raise click.UsageError("say what to compare with: --house FILE, or --against OLD")
    from .diff import diff as compare
    from .diff_render import render

    before = compile_system(against or system, house if against is not None else ())
    after = compile_system(system, house)
    for compiled in (before, after):
        if compiled.artifact is None:
            click.echo(report_with_counts(compiled), nl=False, err=True)
            click.echo("rules with errors cannot be compared", err=True)
            return FINDINGS
    click.echo(render(compare(before, after), "json" if as_json else form), nl=False)
    return FINE
