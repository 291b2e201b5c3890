"""`tutorial-tool render`: plain Markdown for another site generator."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli.shell import PROJECT, UNTRUSTED, layout_of, stop
from tutorial_tool.core.diagnostics import InvalidInput

if TYPE_CHECKING:
    from tutorial_tool.site import Site


@click.command("render")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@PROJECT
@click.option("--front-matter/--no-front-matter", default=True, help="Without: the title becomes a heading.")
@click.option("--index", type=click.Choice(["index.md", "_index.md"]), default="index.md", help="Name of index pages.")
@click.option("--links", type=click.Choice(["md", "url"]), default="md", help="Links to files, or to addresses.")
@click.option(
    "--heading-ids",
    type=click.Choice(["attr-list", "hugo", "none"]),
    help="`{: #id }`, `{#id}`, or no ids. Default: as the generator reads them whose configuration stands here.",
)
@click.option(
    "--reader-features",
    is_flag=True,
    help="Add a platform switcher, the list of steps, and previous and next to each step.",
)
@click.option("--force", is_flag=True, help="Write into a folder that holds other files.")
@UNTRUSTED
def command(
    folder: Path,
    project: Path,
    front_matter: bool,
    index: str,
    links: str,
    heading_ids: str | None,
    reader_features: bool,
    force: bool,
) -> None:
    """Write every page as plain Markdown, and the navigation, into DIR for another site generator.

    \b
    Examples:
      tutorial-tool render build/markdown
      tutorial-tool render build/zensical --reader-features
      tutorial-tool render build/markdown --links url --heading-ids hugo --index _index.md
    """
    from tutorial_tool import site
    from tutorial_tool.publishing import export as room

    layout = layout_of(project)
    try:
        read = site.load(layout).require()
    except InvalidInput as error:
        stop(error)
    engine = room.engine(layout)
    ids = heading_ids or engine.heading_ids
    moved = _redirects(layout.root, read)
    options = room.Options(front_matter, index, links, ids, engine, reader_features)
    try:
        written = room.write(folder, room.files(read, options), force=force)
    except room.FolderNotEmpty as error:
        raise click.UsageError(str(error)) from error
    except InvalidInput as error:
        stop(error)
    click.echo(f"{len(read.pages)} pages, {written} files in {folder}")
    if not heading_ids and not options.is_mkdocs:
        form = "as `{#id}`" if engine.heading_ids == "hugo" else "not written"
        click.echo(f"The ids of headings are {form}, for {engine.name}; `--heading-ids` takes another form")
    if (count := moved) and not (reader_features and options.is_mkdocs):
        are = "redirect is" if count == 1 else "redirects are"
        told = (
            "state it there in its generator's own way" if count == 1 else "state them there in its generator's own way"
        )
        click.echo(f"{count} {are} no part of it: {told}", err=True)


def _redirects(root: Path, read: Site) -> int:
    """How many old addresses the plugin would send on: what front matter and our configuration tell."""
    from tutorial_tool import links as addresses
    from tutorial_tool.config.settings import ConfigError
    from tutorial_tool.linter.config_lookup import Settings

    with suppress(ConfigError):  # `lint` tells what is wrong there
        read.configure(Settings(root).config(root))
    return sum(one.page is not None or one.span is None for _, one in addresses.of(read).redirects.all)
