"""`tutorial-tool render`: plain Markdown for another site generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli.shell import PROJECT, UNTRUSTED, complain, layout_of
from tutorial_tool.core.diagnostics import InvalidInput

if TYPE_CHECKING:
    from tutorial_tool.fs.watch import Saved
    from tutorial_tool.publishing.export import Options
    from tutorial_tool.site import Layout, Memory, Site


@click.command("render")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@PROJECT
@click.option("--front-matter/--no-front-matter", default=True, help="Without it, the title becomes a heading.")
@click.option("--index", type=click.Choice(["index.md", "_index.md"]), default="index.md", help="Name of index pages.")
@click.option("--links", type=click.Choice(["md", "url"]), default="md", help="Link to files, or to URLs.")
@click.option(
    "--heading-ids",
    type=click.Choice(["attr-list", "hugo", "none"]),
    help="`{: #id }`, `{#id}`, or no ids. Default: what the generator that is configured here reads.",
)
@click.option(
    "--reader-features",
    is_flag=True,
    help="Add a platform switcher, the list of steps, and previous and next to each step.",
)
@click.option("--dates", is_flag=True, help="Write each page's date: that of the newest commit among its source lines.")
@click.option("--watch", is_flag=True, help="Render again each time a file is saved, until Ctrl+C.")
@click.option(
    "--serve", metavar="COMMAND", help="With --watch: a command to run alongside, such as the server of your generator."
)
@click.option("--force", is_flag=True, help="Write to a folder that contains other files.")
@UNTRUSTED
def command(
    folder: Path,
    project: Path,
    front_matter: bool,
    index: str,
    links: str,
    heading_ids: str | None,
    reader_features: bool,
    dates: bool,
    watch: bool,
    serve: str | None,
    force: bool,
) -> None:
    """Write every page as plain Markdown, and the navigation, into DIR for another site generator.

    \b
    Examples:
      tutorial-tool render build/markdown
      tutorial-tool render out --reader-features --watch --serve "zensical serve -f out/mkdocs.yml"
      tutorial-tool render build/markdown --links url --heading-ids hugo --index _index.md
    """
    from tutorial_tool.fs.watch import saved
    from tutorial_tool.publishing import export as room
    from tutorial_tool.site import Memory

    if serve and not watch:
        raise click.UsageError("--serve needs --watch")
    layout = layout_of(project)
    engine = room.engine(layout)
    ids = heading_ids or engine.heading_ids
    options = room.Options(front_matter, index, links, ids, engine, reader_features, dates)
    render = partial(_render, folder, layout, options, Memory(), force=force)
    try:
        moved = render()
    except InvalidInput as error:
        if not watch:
            raise
        complain(error)
        moved = 0
    if not heading_ids and not options.is_mkdocs:
        form = "written as `{#id}`" if engine.heading_ids == "hugo" else "left out"
        click.echo(f"Heading ids are {form} for {engine.name}; to change that, set `--heading-ids`.")
    if moved and not (reader_features and options.is_mkdocs):
        are, them = ("redirect is", "it") if moved == 1 else ("redirects are", "them")
        click.echo(f"{moved} {are} not included; configure {them} in your generator.", err=True)
    if watch:
        with saved([layout.root.resolve()], ignored=folder.resolve()) as changes, _served(serve):
            _watch(changes, render)


def _watch(changes: Saved, render: Callable[[], object]) -> None:
    """Render whenever a source is saved. After an error, the pages stay as they were."""
    click.echo("Waiting for changes. Press Ctrl+C to stop.", err=True)
    while True:
        changes.wait()
        try:
            render()
        except InvalidInput as error:
            complain(error)


def _render(folder: Path, layout: Layout, options: Options, memory: Memory, *, force: bool) -> int:
    """Write the pages; files that hold their bytes already are not touched. Return how many redirects there are.

    Raises `InvalidInput` where the project cannot be rendered, or the folder cannot be written.
    """
    from tutorial_tool import site
    from tutorial_tool.publishing import export as room

    loaded = site.load(layout, memory=memory).require()
    moved = _redirects(layout.root, loaded)
    written = room.write(folder, room.files(loaded, options), force=force)
    click.echo(f"{len(loaded.pages)} pages, {written} files in {folder}")
    return moved


@contextmanager
def _served(command: str | None) -> Iterator[None]:
    """Run a server until Ctrl+C, if there is one to run."""
    import shlex
    import subprocess

    try:
        server = subprocess.Popen(shlex.split(command)) if command else None
    except (OSError, ValueError) as problem:
        raise click.UsageError(f"--serve: `{command}` cannot be run: {problem}") from problem
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        if server is not None:
            server.terminate()
            server.wait()


def _redirects(root: Path, read: Site) -> int:
    """How many old addresses the plugin would send on: what front matter and our configuration tell."""
    from tutorial_tool import links as addresses
    from tutorial_tool.config.settings import ConfigError
    from tutorial_tool.linter.config_lookup import Settings

    with suppress(ConfigError):  # `lint` tells what is wrong there
        read.configure(Settings(root).config(root))
    return sum(redirect.page is not None or redirect.span is None for _, redirect in addresses.of(read).redirects.all)
