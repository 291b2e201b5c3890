"""The command line: parses arguments, calls the package, and prints. Each command is a module."""

from __future__ import annotations

import click

from tutorial_tool.cli.shell import Commands
from tutorial_tool.core.version import __version__

COMMANDS = (
    *("init", "lint", "explain", "compare", "sync", "diff", "where", "adopt", "todo", "add-platform", "new-step"),
    *("rename", "render", "serve", "translate", "inventory", "config", "schema", "lsp", "completion"),
)
"""The commands, in the order in which the help lists them."""


@click.group(
    cls=Commands, modules=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="tutorial-tool")
def main() -> None:
    """Keep one tutorial true on every platform.

    \b
    Start with one of these:
      tutorial-tool init DIR      start a project, or add a tutorial to a site
      tutorial-tool lint          find broken links, mistakes, and drift in any Markdown
      tutorial-tool adopt docs    find copies that could be one template
    """
