"""`tutorial-tool render`: plain Markdown for another site generator."""

from __future__ import annotations

from pathlib import Path

import click

from tutorial_tool.cli.shell import PROJECT, UNTRUSTED, layout_of, stop
from tutorial_tool.finding import Error


@click.command("render")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@PROJECT
@click.option("--front-matter/--no-front-matter", default=True, help="Without: the title becomes a heading.")
@click.option("--index", type=click.Choice(["index.md", "_index.md"]), default="index.md", help="Name of index pages.")
@click.option("--links", type=click.Choice(["md", "url"]), default="md", help="Links to files, or to addresses.")
@click.option(
    "--heading-ids",
    type=click.Choice(["attr-list", "hugo", "none"]),
    default="attr-list",
    help="How the ids of headings are written.",
)
@click.option("--force", is_flag=True, help="Write into a folder that holds other files.")
@UNTRUSTED
def command(
    folder: Path, project: Path, front_matter: bool, index: str, links: str, heading_ids: str, force: bool
) -> None:
    """Write every page as plain Markdown, and the navigation, into DIR for another site generator.

    \b
    Examples:
      tutorial-tool render build/markdown
      tutorial-tool render build/markdown --links url --heading-ids hugo --index _index.md
    """
    from tutorial_tool import render as room
    from tutorial_tool import site

    try:
        read = site.load(layout_of(project)).require()
    except Error as error:
        stop(error)
    options = room.Options(front_matter, index, links, heading_ids)
    try:
        written = room.write(folder, room.files(read, options), force=force)
    except room.NotEmpty as error:
        raise click.UsageError(str(error)) from error
    except Error as error:
        stop(error)
    click.echo(f"{len(read.pages)} pages, {written} files in {folder}")
