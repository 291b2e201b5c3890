"""`tutorial-tool inventory`: prints what is published, for later comparison."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli.shell import FILE, UNTRUSTED, write_file
from tutorial_tool.core.diagnostics import format_count

if TYPE_CHECKING:
    from tutorial_tool.linter.targets import Target


@click.command("inventory")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--output", metavar="FILE", type=FILE, help="Write to this file.")
@UNTRUSTED
def command(paths: tuple[Path, ...], output: Path | None) -> None:
    """Print every published page with its title and anchors, and all redirects, as JSON.

    Name the file as `inventory` in the configuration: `lint` then reports URLs that disappear without a
    redirect. A build of the site writes the same file, inventory.json.

    \b
    Examples:
      tutorial-tool inventory
      tutorial-tool inventory -o inventory.json
    """
    from tutorial_tool.linter import targets
    from tutorial_tool.linter.config_lookup import LookupOptions
    from tutorial_tool.publishing import inventory

    index = targets.find(paths, LookupOptions(Path.cwd()))
    text = inventory.render_json([target.load().require_valid() for target in index], _load_published(index))
    if output is None:
        click.echo(text, nl=False)
        return
    write_file(output, text)
    count = text.count('{"url"')
    click.echo(f"{format_count(count, 'page')} in {output}")


def _load_published(targets: list[Target]) -> list[str]:
    """Return the URLs of the last inventory, if any."""
    from tutorial_tool.config.settings import ConfigError
    from tutorial_tool.publishing.inventory import load_published

    urls: list[str] = []
    for config in {target.config.file: target.config for target in targets}.values():
        with contextlib.suppress(ConfigError):
            urls += [entry.url for entry in load_published(config)]
    return urls
