"""`tutorial-tool config`: prints the effective settings, and their sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tutorial_tool.cli import lint
from tutorial_tool.cli.shell import CONFIG
from tutorial_tool.config import settings as config
from tutorial_tool.reporters.as_json import format_json


@click.command("config")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--rules", is_flag=True, help="Print the severity of each rule here.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--isolated", is_flag=True, help="Ignore all configuration.")
@CONFIG
def command(
    path: Path | None, rules: bool, as_json: bool, isolated: bool, config_file: Path | None, **given: Any
) -> None:
    """Print the settings that apply to PATH (or this folder), and where each comes from.

    Options of `lint` that can be in a configuration are options here, too, and show what they change.

    \b
    Examples:
      tutorial-tool config
      tutorial-tool config docs/guide.md --rules
      tutorial-tool config --select tables --json
    """
    from tutorial_tool.linter import effective_config

    start = (path or Path()).absolute()
    lookup = lint.build_lookup_options(isolated, config_file, given)
    index = effective_config.collect_settings(start if start.is_dir() else start.parent, lookup)
    shown = format_json(effective_config.build_json(index)).rstrip() if as_json else ""
    click.echo(shown or "\n".join(effective_config.format_text(index, rules=rules)))


_FIELDS = {option.field for option in config.OPTIONS.values()}
command.params += [parameter for parameter in lint.command.params if parameter.name in _FIELDS]
