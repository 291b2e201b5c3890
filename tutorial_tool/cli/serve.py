"""`tutorial-tool serve`: previews the site in a browser, whatever generator publishes it."""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from tutorial_tool.cli.render import configure_site, render_on_change
from tutorial_tool.cli.shell import PROJECT, fail, find_layout

SERVERS = {
    "": "zensical serve -f {folder}/mkdocs.yml",
    "Docusaurus": "npm start",
    "Hugo": "hugo server",
    "mdBook": "mdbook serve",
}
"""The command that serves a site, by generator, where most projects use the same one."""


@click.command("serve", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@PROJECT
@click.option(
    "--into", "folder", default="rendered", metavar="DIR", help="The folder to render into. Default: rendered."
)
@click.argument("server", metavar="[COMMAND]...", nargs=-1, type=click.UNPROCESSED)
def command(project: Path, folder: str, server: tuple[str, ...]) -> None:
    """Preview the site with the server of your generator, and render each file that you save.

    On MkDocs with the plugin, this is `mkdocs serve`. Otherwise, pages and drafts are rendered into DIR with
    `--reader-features`, and `zensical serve`, `hugo server`, `npm start` (Docusaurus), or COMMAND runs. Each step
    shows its findings. A page that cannot be rendered shows the errors until they are fixed. Ends with Ctrl+C, or
    with the server.

    \b
    Examples:
      tutorial-tool serve
      tutorial-tool serve hugo server --port 8000
    """
    from tutorial_tool.scaffold import build_requirement
    from tutorial_tool.site import plugin_layout

    layout = find_layout(project)
    if not server and plugin_layout.find_enclosing(layout.root) is not None:
        if find_spec("mkdocs") is None:
            fail(f"MkDocs is not installed; for a preview, run: pip install {shlex.quote(build_requirement())}")
        raise SystemExit(subprocess.call([sys.executable, "-m", "mkdocs", "serve"], cwd=layout.root))
    from tutorial_tool.live_preview.external_server import PanelServer
    from tutorial_tool.publishing import export
    from tutorial_tool.publishing.export.live import Rendering

    engine = export.detect_engine(layout)
    words = list(server) or SERVERS.get(engine.name, "").format(folder=folder).split()
    if not words:
        fail(f"name the command of {engine.name}'s server: tutorial-tool serve COMMAND")
    if (program := shutil.which(words[0])) is None:
        remedy = "name the command of a server" if server else f"`{' '.join(words)}` serves the site"
        fail(f"`{words[0]}` is not installed; {remedy}")
    has_titles = engine.order not in ("vitepress", "mdbook")  # from front matter
    form = (has_titles, engine.index_name, engine.links, engine.heading_ids, engine)
    options = export.Options(*form, reader_features=True)
    rendering = Rendering(layout.root / folder, layout, options, partial(configure_site, layout.root), drafts=True)
    preview = PanelServer(layout.root)
    rendering.script = preview.script
    preview.update_site(rendering.write_pages()[0])
    click.echo(f"Findings of all pages: {preview.url}", err=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # otherwise the server would outlive the stopped tool
    process = subprocess.Popen([program, *words[1:]], cwd=layout.root)
    try:
        render_on_change(rendering, layout.root, process, preview)
    finally:
        process.terminate()
        process.wait()
    raise SystemExit(max(process.returncode, 0))
