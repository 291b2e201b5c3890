"""The command line: turns arguments into calls, and prints. Each command is a module with a `command`."""

from __future__ import annotations

import click

from tutorial_tool import __version__
from tutorial_tool.cli.shell import Commands

COMMANDS = ("lint", "explain", "compare", "adopt", "render", "inventory", "schema")
"""The commands, in the order of the help."""


@click.group(
    cls=Commands,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="tutorial-tool")
def main() -> None:
    """Keep one tutorial true on every platform."""
