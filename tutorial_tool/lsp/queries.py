"""What requests ask about: a place in a file, once what was found is of the text as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from lsprotocol import types

from tutorial_tool.core.source import Source
from tutorial_tool.lsp import places
from tutorial_tool.lsp.workspace import CheckedTarget

if TYPE_CHECKING:
    from tutorial_tool.lsp.server import Server


class RequestedPlace(NamedTuple):
    """A place in a file of a project or tree."""

    checked: CheckedTarget
    source: Source
    offset: int


class PositionParams(Protocol):
    """What a request about a place has: a file, and where in it."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...
    @property
    def position(self) -> types.Position: ...


async def find_place(server: Server, params: PositionParams) -> RequestedPlace | None:
    """Where a request points to; None where that is in no project or tree."""
    pair = await find_text(server, params.text_document.uri)
    if pair is None:
        return None
    checked, source = pair
    return RequestedPlace(checked, source, places.compute_offset(source, params.position, server.encoding))


async def find_text(server: Server, uri: object) -> tuple[CheckedTarget, Source] | None:
    """The project or tree of a file, and its text, as they are now."""
    path = places.parse_uri(uri)
    if path is None:
        return None
    snapshot = await server.runs.get_current()
    checked = snapshot.find_checked(path)
    source = checked.get_source(path) if checked else None
    return (checked, source) if checked and source else None
