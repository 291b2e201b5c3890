"""Run the server: each of the protocol's requests and notifications is handled by its own module."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Callable

from tutorial_tool.lsp import changes, garbage, requests, text_sync
from tutorial_tool.lsp.server import Server


def make_server() -> Server:
    """Return a server that is ready to start."""
    server = Server()
    for module_type in (text_sync, requests, changes):
        module_type.register(server)
    return server


def serve(start: Callable[[Server], None] = lambda server: server.start_io()) -> None:
    """Serve until the client disconnects; exit with status 2 if a message does not fit in memory."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # errors are reported to the client
    gc.set_threshold(*garbage.COLLECTION_THRESHOLDS)  # `runs` collects when idle
    sys.setswitchinterval(0.001)  # a run's thread yields more often, so that requests are read meanwhile
    try:
        start(make_server())
    except (MemoryError, OverflowError):
        sys.stderr.write("tutorial-tool: the editor announced a message larger than memory; the server ends\n")
        sys.exit(2)
