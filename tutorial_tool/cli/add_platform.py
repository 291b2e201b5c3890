"""`tutorial-tool add-platform`: adds a draft platform modeled on another one."""

from __future__ import annotations

from pathlib import Path

import click

from tutorial_tool.cli import names
from tutorial_tool.cli.shell import DRY_RUN, PROJECT, find_layout, write_scaffold


@click.command("add-platform")
@click.argument("platform")
@click.option("--like", required=True, metavar="PLATFORM", shell_complete=names.PLATFORM, help="The platform to copy.")
@click.option("--name", help="The name that readers see. Default: the id, capitalized.")
@DRY_RUN
@PROJECT
def command(platform: str, like: str, name: str | None, dry_run: bool, project: Path) -> None:
    """Add PLATFORM as a draft: its data, its groups, and copies of the parts and code of another platform.

    Each copy is marked `TODO(PLATFORM)`. Labels and values are comments until you write them.
    `todo PLATFORM` lists what is left.

    Exits with 0, or with 2 if nothing was written.

    \b
    Examples:
      tutorial-tool add-platform flutter --like react-native
      tutorial-tool add-platform tvos --like ios --name tvOS --dry-run
    """
    from tutorial_tool.scaffold import new_platform

    name = name or platform.replace("-", " ").replace("_", " ").title()
    layout = find_layout(project)
    write_scaffold(layout, lambda site: new_platform.add_platform(site, platform, name, like), dry=dry_run)
    click.echo(f"Next: tutorial-tool todo {platform}")
