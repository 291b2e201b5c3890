"""The server: the protocol's requests and notifications, each answered by a module of its own."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import traceback
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

from tutorial_tool import __version__
from tutorial_tool.finding import Finding
from tutorial_tool.lsp import diagnostics
from tutorial_tool.lsp.places import UTF16, path_of, uri_of
from tutorial_tool.lsp.protocol import Protocol
from tutorial_tool.lsp.runs import Runs
from tutorial_tool.lsp.workspace import Checked, Snapshot, Workspace
from tutorial_tool.site import Site

if TYPE_CHECKING:
    from pygls.server import ServerErrors

P = TypeVar("P")
T = TypeVar("T")

WATCHED = "**/*.{md,markdown,mdx,j2,yaml,yml,toml,json,txt,png,jpg,jpeg,gif,svg,webp,avif}"
"""What a project and its configuration are made of."""


class Server(LanguageServer):
    """A language server and what it knows. Texts come whole: a position that is counted otherwise cannot spoil them."""

    def __init__(self) -> None:
        super().__init__("tutorial-tool", __version__, types.TextDocumentSyncKind.Full, protocol_cls=Protocol)
        self.open = Workspace()
        self.uris: dict[Path, str] = {}
        """What the client calls the files that it has opened, in its own spelling, also once they are closed."""
        self.versions: dict[Path, int] = {}
        """The versions of the open texts."""
        self.told: dict[Path, list[types.Diagnostic]] = {}
        """The diagnostics that the client shows."""
        self._findings: dict[Path, list[Finding]] = {}
        """What they were made of."""
        self._rendered: dict[Path, Site] = {}
        self.watching: asyncio.Task[None] | None = None

    @property
    def runs(self) -> Runs:
        """The runs of the linter, on the loop that serves."""
        if not hasattr(self, "_runs"):
            self._runs = Runs(self.open, self.publish, self.complain)
        return self._runs

    @property
    def encoding(self) -> str:
        """What columns count, as agreed with the client."""
        agreed = self.server_capabilities.position_encoding
        return agreed.value if isinstance(agreed, types.PositionEncodingKind) else agreed or UTF16

    def client(self, *names: str) -> Any:
        """A capability of the client, by the names that lead to it; None where it has none."""
        value: Any = self.client_capabilities
        for name in names:
            value = getattr(value, name, None)
        return value

    def uri(self, path: Path) -> str:
        return self.uris.get(path) or uri_of(path)

    def publish(self, found: Snapshot) -> None:
        """Tells the client what has changed; a file without findings any more loses those that it shows."""
        related = bool(self.client("text_document", "publish_diagnostics", "related_information"))
        roots = {path: checked.target.root for checked in found.checked for path in checked.by_file}
        findings = found.by_file
        by_file = {
            path: self._diagnosed(path, roots.get(path, path.parent), of_file, related=related)
            for path, of_file in findings.items()
        }
        for path in {**self.told, **by_file, **self.versions}:
            new = by_file.get(path, [])
            if new != self.told.get(path, []) or path in self.versions:
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(self.uri(path), new, self.versions.get(path))
                )
        self.told, self._findings = {path: told for path, told in by_file.items() if told}, findings
        for checked in found.checked:
            self.rendered(checked)

    def _diagnosed(self, path: Path, root: Path, findings: list[Finding], *, related: bool) -> list[types.Diagnostic]:
        """The diagnostics of a file: the same objects as long as what was found in it is the same."""
        if path in self.told and self._findings.get(path) == findings:
            return self.told[path]
        return [diagnostics.diagnostic(each, root, self.encoding, related=related) for each in findings]

    def rendered(self, checked: Checked) -> Site:
        """The site of a project when its pages could be rendered last: while one types, they often cannot."""
        if checked.site.pages and not checked.site.errors:
            self._rendered[checked.target.root] = checked.site
        return self._rendered.get(checked.target.root, checked.site)

    def guarded(self, answer: Callable[[P], Awaitable[T]]) -> Callable[[P], Awaitable[T | None]]:
        """An answer that is missing where it fails by a mistake of ours; what it refuses, it refuses."""

        @wraps(answer)
        async def answered(params: P) -> T | None:
            try:
                return await answer(params)
            except JsonRpcException:
                raise
            except Exception as error:  # noqa: BLE001 - an editor goes on without it
                self.complain(error)
                return None

        return answered

    def complain(self, error: Exception) -> None:
        """A mistake of ours: the client's log has it, and work goes on."""
        self._log("".join(traceback.format_exception(error)))

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """What pygls could not do: the client's log has it, not a window, as pygls would. A request has an answer."""
        if source is not FeatureRequestError:
            told = error.data if isinstance(error, JsonRpcException) and isinstance(error.data, dict) else {}
            self._log("".join((*told.get("traceback", ()), str(error))))

    def _log(self, told: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"tutorial-tool: {told}"))


def make() -> Server:
    """A server that is ready to start."""
    from tutorial_tool.lsp import changes, requests

    server = Server()
    _synchronise(server)
    requests.register(server)
    changes.register(server)
    return server


def _synchronise(server: Server) -> None:
    """Folders, texts and files."""

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

    def on_disk(_params: Any) -> None:
        server.open.folders = list(_folders(server))
        server.open.changed()
        server.runs.wanted()

    for event in (
        types.TEXT_DOCUMENT_DID_SAVE,
        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    ):
        server.feature(event)(on_disk)

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.runs.stop()


def _folders(server: Server) -> list[Path]:
    folders = [path_of(folder.uri) for folder in server.workspace.folders.values()]
    found = [path for path in folders if path is not None]
    root = path_of(server.workspace.root_uri or "")
    return found or ([root] if root else [])


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


def serve(start: Callable[[Server], None] = lambda server: server.start_io()) -> None:
    """Serve until the client ends."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what goes wrong is told to the client
    gc.set_threshold(50_000, 20, 100)  # as `lint`: a run makes many objects and little garbage
    sys.setswitchinterval(0.001)  # a run in its thread hands over more often, so that requests are read meanwhile
    start(make())
