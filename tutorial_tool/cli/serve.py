"""`tutorial-tool serve`: the site in a browser while you write, whatever generator publishes it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli.shell import PROJECT, complain, fail, layout_of
from tutorial_tool.core.diagnostics import InvalidInput

if TYPE_CHECKING:
    from tutorial_tool.publishing.export.live import Rendering
    from tutorial_tool.site import Site

SERVERS = {
    "": "zensical serve -f {folder}/mkdocs.yml",
    "Docusaurus": "npm start",
    "Hugo": "hugo server",
    "mdBook": "mdbook serve",
}
"""The command that serves a site, by generator, where most projects have the same."""


@click.command("serve", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@PROJECT
@click.option(
    "--into", "folder", default="rendered", metavar="DIR", help="The folder to render into. Default: rendered."
)
@click.argument("server", metavar="[COMMAND]...", nargs=-1, type=click.UNPROCESSED)
def command(project: Path, folder: str, server: tuple[str, ...]) -> None:
    """Preview the site with the server of your generator, and render each file that you save.

    On MkDocs with the plugin, this is `mkdocs serve`. Otherwise, pages and drafts are rendered into DIR with
    `--reader-features`, beside `zensical serve`, `hugo server`, `npm start` (Docusaurus), or COMMAND. A page that
    cannot be rendered shows the errors until they are fixed. Ends with Ctrl+C, or with the server.

    \b
    Examples:
      tutorial-tool serve
      tutorial-tool serve hugo server --port 8000
    """
    from tutorial_tool.publishing import export
    from tutorial_tool.publishing.export.live import Rendering
    from tutorial_tool.scaffold import requirement
    from tutorial_tool.site import plugged

    layout = layout_of(project)
    if not server and plugged.around(layout.root) is not None:
        if find_spec("mkdocs") is None:
            fail(f"MkDocs is not installed; for a preview, run: pip install {shlex.quote(requirement())}")
        raise SystemExit(subprocess.call([sys.executable, "-m", "mkdocs", "serve"], cwd=layout.root))
    engine = export.engine(layout)
    words = list(server) or SERVERS.get(engine.name, "").format(folder=folder).split()
    if not words:
        fail(f"name the command of {engine.name}'s server: tutorial-tool serve COMMAND")
    if (program := shutil.which(words[0])) is None:
        fail(f"`{words[0]}` is not installed; `{' '.join(words)}` serves the site")
    has_titles = engine.order not in ("vitepress", "mdbook")  # from front matter
    form = (has_titles, engine.index_name, engine.links, engine.heading_ids, engine)
    options = export.Options(*form, reader_features=True)
    rendering = Rendering(layout.root / folder, layout, options, partial(configure, layout.root), drafts=True)
    rendering.write()
    process = subprocess.Popen([program, *words[1:]], cwd=layout.root)
    try:
        watch(rendering, layout.root, process)
    finally:
        process.terminate()
        process.wait()
    raise SystemExit(max(process.returncode, 0))


def configure(root: Path, site: Site) -> None:
    """Take from the configuration what it says of redirects and drafts; `lint` reports what is wrong there."""
    from tutorial_tool.config.settings import ConfigError
    from tutorial_tool.linter.config_lookup import Settings

    with suppress(ConfigError):
        site.configure(Settings(root).config(root))


def watch(rendering: Rendering, root: Path, process: subprocess.Popen[bytes] | None = None) -> None:
    """Render whenever a source is saved, until Ctrl+C or the end of the server."""
    from tutorial_tool.fs.watch import saved

    def is_over() -> bool:
        return process is not None and process.poll() is not None

    with suppress(KeyboardInterrupt), saved([root.resolve()], ignored=rendering.folder.resolve()) as changes:
        click.echo("Waiting for changes. Press Ctrl+C to stop.", err=True)
        while changes.wait(is_over):
            try:
                _, count = rendering.write()
                click.echo(f"{count} files in {rendering.folder}", err=True)
            except InvalidInput as error:
                complain(error)
                rendering.show(error)
