"""`tutorial-tool new-step`: adds a draft step, and its template."""

from __future__ import annotations

from pathlib import Path

import click

from tutorial_tool.cli import names
from tutorial_tool.cli.shell import DRY_RUN, PROJECT, find_layout, write_scaffold


@click.command("new-step")
@click.argument("step")
@click.option("--title", help="The title. Default: the id as words.")
@click.option(
    "--after", metavar="STEP", shell_complete=names.STEP, help="The step to insert it after. Default: the last one."
)
@DRY_RUN
@PROJECT
def command(step: str, title: str | None, after: str | None, dry_run: bool, project: Path) -> None:
    """Add STEP (or TUTORIAL/STEP) as a draft: its entry in the data, and its template.

    Exits with 0, or with 2 if nothing was written.

    \b
    Examples:
      tutorial-tool new-step rotate-keys --after create-input
      tutorial-tool new-step quickstart/rotate-keys --title "Rotate your keys"
    """
    from tutorial_tool.scaffold import new_step

    title = title or step.rpartition("/")[2].replace("-", " ").capitalize()
    write_scaffold(find_layout(project), lambda site: new_step.add_step(site, step, title, after), dry=dry_run)
    click.echo("Next: write the step in its template, and delete `draft: true` in the data")
