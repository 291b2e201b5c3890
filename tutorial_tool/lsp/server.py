"""Serve the protocol: keep the client's capabilities and texts, and report findings and errors."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from functools import cache, wraps
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException, JsonRpcInvalidRequest
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from tutorial_tool import rules
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.version import __version__
from tutorial_tool.lsp.places import UTF16, build_range, build_uri
from tutorial_tool.lsp.runs import Runs
from tutorial_tool.lsp.workspace import CheckedTarget, Snapshot, Workspace
from tutorial_tool.reporters.full import format_platforms
from tutorial_tool.site import Site


# The protocol as in pygls, except for invalid requests: each is answered, if only with an error.
class Protocol(LanguageServerProtocol):
    """A protocol that answers unreadable requests.

    pygls does not say which request it could not read, so a client would wait for its answer forever.
    """

    def structure_message(self, data: Any) -> Any:
        """Return each object unchanged.

        This is called for every object, and only `handle_message` knows the outermost one.
        """
        return data

    def handle_message(self, message: Any) -> None:
        """Handle a message.

        Raises: JsonRpcException: it cannot be read; this is raised after the answer is sent.
        """
        try:
            structured = self._read(message)
        except JsonRpcException as error:
            id_ = message.get("id") if isinstance(message, dict) and "method" in message else None
            if isinstance(id_, str | int):
                self._send_response(id_, error=error.to_response_error())
            raise
        super().handle_message(structured)

    def _read(self, message: Any) -> Any:
        if not isinstance(message, dict) or "jsonrpc" not in message:
            raise JsonRpcInvalidRequest("a message is an object that says which JSON-RPC it is")
        return super().structure_message(message)


# Findings as the protocol's diagnostics.
SOURCE = "tutorial-tool"  # What editors show next to the rule's name
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.HINT: types.DiagnosticSeverity.Information,  # editors do not list the protocol's own hints
    Severity.OFF: types.DiagnosticSeverity.Hint,
}
_UNUSED_TEXT_RULES = ("unused-ignore", "unused-data", "unused-template", "dead-template-text")
"""Rules about unused text: editors fade its spans."""


def build_diagnostic(finding: Finding, root: Path, encoding: str, *, related: bool) -> types.Diagnostic:
    """Return the diagnostic of a finding whose paths are relative to `root`.

    `related`: the client shows related spans.
    """
    related_information = [
        types.DiagnosticRelatedInformation(
            types.Location(build_uri(root / other.span.path), build_range(other.span, encoding)), other.message
        )
        for other in finding.related
    ]
    url = get_documentation_url(finding.rule)
    return types.Diagnostic(
        range=build_range(finding.span, encoding),
        message=finding.message + format_platforms(finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=types.CodeDescription(url) if url else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.rule in _UNUSED_TEXT_RULES else None,
        related_information=related_information if related and related_information else None,
    )


@cache
def get_documentation_url(rule: str) -> str | None:
    """Return the URL of a rule's documentation in the installed package, which opens without a network."""
    if (rule_ := rules.get_rules().get(rule)) is None:
        return None
    path = Path(str(files(rules) / rule_.group / f"{rule}.md"))
    return build_uri(path) if path.is_file() else None


if TYPE_CHECKING:
    from pygls.server import ServerErrors

P = TypeVar("P")
T = TypeVar("T")


class Server(LanguageServer):
    """A language server and its state. Texts are synced whole: a miscounted position cannot corrupt them."""

    def __init__(self) -> None:
        super().__init__("tutorial-tool", __version__, types.TextDocumentSyncKind.Full, protocol_cls=Protocol)
        self.open = Workspace()
        self.uris: dict[Path, str] = {}
        """URIs of the files that the client has opened, in its spelling, also after they are closed."""
        self.versions: dict[Path, int] = {}  # Versions of open texts
        self.published: dict[Path, list[types.Diagnostic]] = {}  # Diagnostics that the client shows
        self._findings: dict[Path, list[Finding]] = {}  # The findings behind these diagnostics
        self._rendered: dict[Path, Site] = {}
        self.watching: asyncio.Task[None] | None = None

    @property
    def runs(self) -> Runs:
        """The runs of the linter, on the server's event loop."""
        if not hasattr(self, "_runs"):
            self._runs = Runs(self.open, self.publish, self.log_error)
        return self._runs

    @property
    def encoding(self) -> str:
        """The unit of columns, as negotiated with the client."""
        agreed = self.server_capabilities.position_encoding
        return agreed.value if isinstance(agreed, types.PositionEncodingKind) else agreed or UTF16

    def get_capability(self, *names: str) -> Any:
        """Return a capability of the client by its path of names; None if it is missing."""
        value: Any = self.client_capabilities
        for name in names:
            value = getattr(value, name, None)
        return value

    def get_uri(self, path: Path) -> str:
        return self.uris.get(path) or build_uri(path)

    def publish(self, snapshot: Snapshot) -> None:
        """Publish what changed to the client; a file without findings loses the diagnostics shown before."""
        related = bool(self.get_capability("text_document", "publish_diagnostics", "related_information"))
        roots = {path: checked.target.root for checked in snapshot.checked for path in checked.by_file}
        findings = snapshot.by_file
        by_file = {
            path: self._build_diagnostics(path, roots.get(path, path.parent), file_findings, related=related)
            for path, file_findings in findings.items()
        }
        for path in {**self.published, **by_file, **self.versions}:
            new = by_file.get(path, [])
            if new != self.published.get(path, []) or path in self.versions:
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(self.get_uri(path), new, self.versions.get(path))
                )
        self.published = by_file
        self._findings = findings
        for checked in snapshot.checked:
            self.get_rendered_site(checked)

    def _build_diagnostics(
        self, path: Path, root: Path, findings: list[Finding], *, related: bool
    ) -> list[types.Diagnostic]:
        """Return the diagnostics of a file: the same objects as long as its findings are the same."""
        if path in self.published and self._findings.get(path) == findings:
            return self.published[path]
        return [build_diagnostic(finding, root, self.encoding, related=related) for finding in findings]

    def get_rendered_site(self, checked: CheckedTarget) -> Site:
        """Return the project's site as of its last successful rendering, which often fails during typing."""
        if checked.site.pages and not checked.site.errors:
            self._rendered[checked.target.root] = checked.site
        return self._rendered.get(checked.target.root, checked.site)

    def guard_request(self, answer: Callable[[P], Awaitable[T]]) -> Callable[[P], Awaitable[T | None]]:
        """Wrap a request handler: return None if it fails by an internal error; pass on refusals."""

        @wraps(answer)
        async def answer_safely(params: P) -> T | None:
            try:
                return await answer(params)
            except JsonRpcException:
                if task := asyncio.current_task():  # nobody waits for the response to a request with an invalid ID
                    task.add_done_callback(asyncio.Task.exception)
                raise
            except Exception as error:  # noqa: BLE001 - an editor goes on without it
                self.log_error(error)
                return None

        return answer_safely

    def log_error(self, error: Exception) -> None:
        """Log an internal error to the client, and continue."""
        self._log_message("".join(traceback.format_exception(error)))

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Log an error of pygls to the client, instead of showing a window; requests are answered."""
        if source is not FeatureRequestError:
            data = error.data if isinstance(error, JsonRpcException) and isinstance(error.data, dict) else {}
            self._log_message("".join((*data.get("traceback", ()), str(error))))

    def _log_message(self, message: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"tutorial-tool: {message}"))
