"""`tutorial-tool todo`: lists what is unwritten on a platform."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tutorial_tool.cli import names
from tutorial_tool.cli.shell import PROJECT, UNTRUSTED, fail, find_layout, print_first_error, relocate_path
from tutorial_tool.core.diagnostics import format_suggestion, join_names


@click.command("todo")
@click.argument("platform", required=False, shell_complete=names.PLATFORM)
@click.option(
    "--output-format", type=click.Choice(("text", "markdown", "json")), default="text", help="The format of the list."
)
@PROJECT
@UNTRUSTED
def command(platform: str | None, output_format: str, project: Path) -> None:
    """List what is still to be written or reviewed on PLATFORM, or on all platforms.

    Each line names the place, what is missing, and its owners in the data or in CODEOWNERS. Exits with 0, or with 2 if
    it could not run.

    \b
    Examples:
      tutorial-tool todo
      tutorial-tool todo flutter --output-format markdown
    """
    from tutorial_tool.fs.codeowners import read_owners
    from tutorial_tool.scaffold import todo
    from tutorial_tool.site import loading

    layout = find_layout(project)
    read = loading.load(layout, drafts=True)
    platforms = read.model.platforms
    if platform not in (None, *platforms) and not read.errors:
        hint = format_suggestion(platform, platforms) or f"; use one of: {join_names(platforms)}"
        fail(f"unknown platform `{platform}`{hint}")
    print_first_error(read, "Until this is fixed, the list is not complete.")
    expected = [item for id_, item in platforms.items() if platform in (None, id_)]
    statuses = todo.build_status(read, expected, read_owners(layout.root) or (lambda _path: ()))
    text = todo.RENDERERS[output_format](statuses)
    text = text.replace("\n  ", f"\n  {relocate_path(layout.root, '')}") if output_format == "text" else text
    click.echo(text, nl=False)
    sys.exit(2 if read.errors else 0)
