"""The server: what it knows of the client and of its texts, and how it tells findings and mistakes."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.version import __version__
from tutorial_tool.lsp import diagnostics
from tutorial_tool.lsp.places import UTF16, uri_of
from tutorial_tool.lsp.protocol import Protocol
from tutorial_tool.lsp.runs import Runs
from tutorial_tool.lsp.workspace import Checked, Snapshot, Workspace
from tutorial_tool.site import Site

if TYPE_CHECKING:
    from pygls.server import ServerErrors

P = TypeVar("P")
T = TypeVar("T")


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
