"""`tutorial-tool lsp`: starts a language server for editors."""

from __future__ import annotations

import sys

import click

MISSING = 'the language server needs an extra: pip install "tutorial-tool[lsp]"'


def _parse_address(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, int] | None:
    """Parse `HOST:PORT`."""
    if value is None:
        return None
    host, _, port = value.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise click.BadParameter("write HOST:PORT, such as 127.0.0.1:2087")
    return host, int(port)


@click.command("lsp")
@click.option(
    "--tcp",
    metavar="HOST:PORT",
    callback=_parse_address,
    help="Listen for an editor there instead of on standard input.",
)
@click.option("--stdio", is_flag=True, help="Use standard input and output. This is the default.")
def command(tcp: tuple[str, int] | None, stdio: bool) -> None:
    """Start the language server for an editor.

    \b
    Editors start it themselves. The page Set up an editor of the guide shows how.
    Examples:
      tutorial-tool lsp
      tutorial-tool lsp --tcp 127.0.0.1:2087
    """
    if tcp and stdio:
        raise click.UsageError("--tcp cannot be combined with --stdio")
    try:
        from tutorial_tool.lsp import handlers
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        click.echo(f"tutorial-tool: {MISSING}", err=True)
        sys.exit(2)
    if tcp:
        handlers.serve(lambda made: made.start_tcp(*tcp))
    else:
        handlers.serve()
