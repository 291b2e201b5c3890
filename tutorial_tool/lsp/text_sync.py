"""Handle the client's notifications: its folders, open texts, and changed files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tutorial_tool.cache.inputs import NEVER_READ
from tutorial_tool.lsp.places import parse_uri

if TYPE_CHECKING:
    from tutorial_tool.lsp.server import Server

WATCHED = "**/*"  # A project consists of pages, data, configurations, images, and code in any language that pages show


def register(server: Server) -> None:
    """Register the notifications about folders, texts and files with a server."""

    @server.feature(types.INITIALIZED)
    def load_folders(_params: types.InitializedParams) -> None:
        server.open.folders = list(_list_folders(server))
        server.open.record_change()
        server.runs.schedule_run()
        if server.get_capability("workspace", "did_change_watched_files", "dynamic_registration"):
            server.watching = asyncio.ensure_future(_watch_files(server))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def open_text(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        _store_text(server, document.uri, document.version, document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def change_text(params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        if params.content_changes:
            _store_text(server, document.uri, document.version, params.content_changes[-1].text)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def close_text(params: types.DidCloseTextDocumentParams) -> None:
        path = parse_uri(params.text_document.uri)
        if path is not None:
            server.versions.pop(path, None)
            server.open.close_text(path)
            server.runs.schedule_run()

    _register_disk_events(server)

    @server.feature(types.SHUTDOWN)
    def stop_runs(_params: None) -> None:
        server.runs.stop()


def _register_disk_events(server: Server) -> None:
    def refresh_files(_params: Any) -> None:
        server.open.folders = list(_list_folders(server))
        server.open.record_change()
        server.runs.schedule_run()

    for event in (types.TEXT_DOCUMENT_DID_SAVE, types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS):
        server.feature(event)(refresh_files)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def refresh_changed_files(params: types.DidChangeWatchedFilesParams) -> None:
        paths = [parse_uri(change.uri) for change in params.changes]
        if any(path is not None and NEVER_READ.isdisjoint(path.parts) for path in paths):
            refresh_files(params)


def _list_folders(server: Server) -> list[Path]:
    folders = [parse_uri(folder.uri) for folder in server.workspace.folders.values()]
    paths = [path for path in folders if path is not None]
    root = parse_uri(server.workspace.root_uri or "")
    return paths or ([root] if root else [])


def _store_text(server: Server, uri: str, version: int, text: str) -> None:
    path = parse_uri(uri)
    if path is None:
        return  # a text that was never saved is in no project
    server.uris[path], server.versions[path] = uri, version
    server.open.set_text(path, text)
    server.runs.schedule_run()


async def _watch_files(server: Server) -> None:
    options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
    registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await server.client_register_capability_async(types.RegistrationParams([registration]))
    except Exception as error:  # noqa: BLE001 - a client that does not watch after all still saves
        server.log_error(error)
