"""`tutorial-tool render`: writes plain Markdown for another site generator."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli.shell import PROJECT, UNTRUSTED, find_layout, print_error
from tutorial_tool.core.diagnostics import InvalidInput, format_count
from tutorial_tool.core.errors import TutorialToolError

if TYPE_CHECKING:
    from tutorial_tool.live_preview.external_server import PanelServer
    from tutorial_tool.publishing.export.live import Rendering
    from tutorial_tool.site import Site


@click.command("render")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@PROJECT
@click.option("--front-matter/--no-front-matter", default=True, help="Without it, the title becomes a heading.")
@click.option("--index", type=click.Choice(["index.md", "_index.md"]), default="index.md", help="Name of index pages.")
@click.option("--links", type=click.Choice(["md", "url"]), default="md", help="Link to files, or to URLs.")
@click.option(
    "--heading-ids",
    type=click.Choice(["attr-list", "hugo", "none"]),
    help="`{: #id }`, `{#id}`, or no ids. Default: what the configured generator reads.",
)
@click.option(
    "--reader-features",
    is_flag=True,
    help="Add a platform switcher, the list of steps, and previous and next to each step.",
)
@click.option("--dates", is_flag=True, help="Write each page's date: that of the newest commit among its source lines.")
@click.option("--watch", is_flag=True, help="Render again each time a file is saved, until Ctrl+C.")
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
    force: bool,
) -> None:
    """Write every page as plain Markdown, and the navigation, into DIR for another site generator.

    \b
    Examples:
      tutorial-tool render build/markdown
      tutorial-tool render build/markdown --links url --heading-ids hugo --index _index.md
    """
    from tutorial_tool import links as addresses
    from tutorial_tool.publishing import export as room
    from tutorial_tool.publishing.export.live import Rendering

    layout = find_layout(project)
    engine = room.detect_engine(layout)
    ids = heading_ids or engine.heading_ids
    options = room.Options(front_matter, index, links, ids, engine, reader_features, dates)
    rendering, moved = Rendering(folder, layout, options, partial(configure_site, layout.root), force=force), 0
    try:
        loaded, count = rendering.write_pages()
        click.echo(f"{len(loaded.pages)} pages, {count} files in {folder}")
        # the plugin redirects what front matter and our configuration define
        old = addresses.get_addresses(loaded).tables.all_redirects
        moved = sum(redirect.page is not None or redirect.span is None for _, redirect in old)
    except InvalidInput as error:
        if not watch:
            raise
        print_error(error)
    if engine.passed_over:
        advice = f"to write for {engine.passed_over}, remove it"
        click.echo(f"Written for MkDocs, whose configuration is also here; {advice}.")
    if not heading_ids and not options.is_mkdocs:
        form = "written as `{#id}`" if engine.heading_ids == "hugo" else "left out"
        click.echo(f"Heading ids are {form} for {engine.name}; to change that, set `--heading-ids`.")
    if moved and not (reader_features and options.is_mkdocs):
        click.echo(f"Not included: {format_count(moved, 'redirect')}. Configure this in your generator.", err=True)
    if watch:
        render_on_change(rendering, layout.root)


def configure_site(root: Path, site: Site) -> None:
    """Apply the configured redirects and drafts to the site; `lint` reports errors in them."""
    from tutorial_tool.config.settings import ConfigError
    from tutorial_tool.linter.config_lookup import LookupOptions

    with suppress(ConfigError):
        site.configure(LookupOptions(root).load_config(root))


def render_on_change(
    rendering: Rendering, root: Path, process: subprocess.Popen[bytes] | None = None, preview: PanelServer | None = None
) -> None:
    """Render whenever a source is saved, until Ctrl+C or the end of the server."""
    from tutorial_tool.fs.watch import watch_folders

    def has_ended() -> bool:
        return process is not None and process.poll() is not None

    with suppress(KeyboardInterrupt), watch_folders([root.resolve()], ignored=rendering.folder.resolve()) as changes:
        click.echo("Waiting for changes. Press Ctrl+C to stop.", err=True)
        while changes.wait(has_ended):
            try:
                site, count = rendering.write_pages()
                click.echo(f"{count} files in {rendering.folder}", err=True)
                if preview:
                    preview.update_site(site)
            except TutorialToolError as error:
                print_error(error)
                if isinstance(error, InvalidInput):
                    rendering.write_errors(error)
                    if preview:
                        preview.errors = error.findings
