"""What the client tells of itself: its folders, the texts that are open, the files that change."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tutorial_tool.cache.inputs import NEVER_READ
from tutorial_tool.lsp.places import path_of

if TYPE_CHECKING:
    from tutorial_tool.lsp.server import Server

WATCHED = "**/*"
"""A project is made of pages, data, configurations, pictures, and of code in any language that pages show."""


def register(server: Server) -> None:
    """Hear of folders, texts and files."""

    @server.feature(types.INITIALIZED)
    def initialized(_params: types.InitializedParams) -> None:
        server.open.folders = list(_folders(server))
        server.open.changed()
        server.runs.wanted()
        if server.client("workspace", "did_change_watched_files", "dynamic_registration"):
            server.watching = asyncio.ensure_future(_watch(server))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        _put(server, document.uri, document.version, document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        if params.content_changes:
            _put(server, document.uri, document.version, params.content_changes[-1].text)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            server.versions.pop(path, None)
            server.open.drop(path)
            server.runs.wanted()

    _hear_disk(server)

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.runs.stop()


def _hear_disk(server: Server) -> None:
    def on_disk(_params: Any) -> None:
        server.open.folders = list(_folders(server))
        server.open.changed()
        server.runs.wanted()

    for event in (types.TEXT_DOCUMENT_DID_SAVE, types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS):
        server.feature(event)(on_disk)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed(params: types.DidChangeWatchedFilesParams) -> None:
        if any(_may_be_read(change.uri) for change in params.changes):
            on_disk(params)


def _may_be_read(uri: str) -> bool:
    path = path_of(uri)
    return path is not None and not NEVER_READ.intersection(path.parts)


def _folders(server: Server) -> list[Path]:
    folders = [path_of(folder.uri) for folder in server.workspace.folders.values()]
    paths = [path for path in folders if path is not None]
    root = path_of(server.workspace.root_uri or "")
    return paths or ([root] if root else [])


def _put(server: Server, uri: str, version: int, text: str) -> None:
    path = path_of(uri)
    if path is None:
        return  # a text that was never saved belongs to no project
    server.uris[path], server.versions[path] = uri, version
    server.open.put(path, text)
    server.runs.wanted()


async def _watch(server: Server) -> None:
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
    registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except Exception as error:  # noqa: BLE001 - a client that does not watch after all still saves
        server.complain(error)
