"""`tutorial-tool lsp`: starts a language server for editors."""

from __future__ import annotations

import gc
import logging
import shlex
import sys
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli.shell import fail

if TYPE_CHECKING:
    from tutorial_tool.lsp.server import Server


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

    Editors start it themselves. The page Set up an editor of the guide shows how.

    \b
    Examples:
      tutorial-tool lsp
      tutorial-tool lsp --tcp 127.0.0.1:2087
    """
    if tcp and stdio:
        raise click.UsageError("--tcp cannot be combined with --stdio")
    try:
        from tutorial_tool.lsp import garbage

        server = make_server()
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        from tutorial_tool.scaffold import build_requirement

        requirement = build_requirement().replace("tutorial-tool", "tutorial-tool[lsp]", 1)
        fail(f"the language server needs an extra: pip install {shlex.quote(requirement)}")
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # errors are reported to the client
    gc.set_threshold(*garbage.COLLECTION_THRESHOLDS)  # `runs` collects when idle
    sys.setswitchinterval(0.001)  # a run's thread yields more often, so that requests are read meanwhile
    try:
        server.start_tcp(*tcp) if tcp else server.start_io()
    except (MemoryError, OverflowError):
        fail("the editor announced a message larger than memory; the server ends")


def make_server() -> Server:
    """Return a server that is ready to start."""
    from tutorial_tool.lsp import changes, requests, text_sync
    from tutorial_tool.lsp.server import Server

    server = Server()
    for handlers in (text_sync, requests, changes):
        handlers.register(server)
    return server
