"""Find the place that a request is about, once the findings are those of the current text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from lsprotocol import types

from tutorial_tool.core.source import Source
from tutorial_tool.lsp import places

if TYPE_CHECKING:
    from tutorial_tool.lsp.server import Server
    from tutorial_tool.lsp.workspace import CheckedTarget


class RequestedPlace(NamedTuple):
    """A place in a file of a project or tree."""

    checked: CheckedTarget
    source: Source
    offset: int


class PositionParams(Protocol):
    """The parameters of a request about a place: a file, and the position in it."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...
    @property
    def position(self) -> types.Position: ...


async def find_place(server: Server, params: PositionParams) -> RequestedPlace | None:
    """Return the place of a request; None if it is in no project or tree."""
    pair = await find_text(server, params.text_document.uri)
    if pair is None:
        return None
    checked, source = pair
    return RequestedPlace(checked, source, places.compute_offset(source, params.position, server.encoding))


async def find_text(server: Server, uri: object) -> tuple[CheckedTarget, Source] | None:
    """Return the project or tree of a file, and its text, both current."""
    path = places.parse_uri(uri)
    if path is None:
        return None
    snapshot = await server.runs.get_current()
    checked = snapshot.find_checked(path)
    source = checked.get_source(path) if checked else None
    return (checked, source) if checked and source else None
