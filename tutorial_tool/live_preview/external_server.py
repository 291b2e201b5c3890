"""Panels and overview for a site that another program serves."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from tutorial_tool import live_preview
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import baseline, engine
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.live_preview import Author, BuildProblems, OverviewContent
from tutorial_tool.live_preview.app import App
from tutorial_tool.live_preview.background_linter import BackgroundLinter
from tutorial_tool.live_preview.hosts import OVERVIEW, ServerAddress
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.places import PageId as Step

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


class PanelServer:
    """Serves panels on a separate port, to pages of servers on this machine."""

    def __init__(self, root: Path) -> None:
        self.errors: Sequence[Finding] = ()
        self.site: Site | None = None
        self.author = Author(root, live_preview.EDITOR, lambda _rule: None)
        self.linter = BackgroundLinter(lambda: None, self._lint_site, lambda _findings: None)
        self.server = make_server("localhost", 0, _redirect_to_overview, _Server, _QuietHandler)
        address = ServerAddress("localhost", self.server.server_port)
        self.url = f"http://{address}/{OVERVIEW}"
        views = (self._render_panel, self._render_overview, self._find_page)
        self.server.set_app(App(_redirect_to_overview, "/", address, lambda _: None, *views))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def script(self) -> bytes:
        """The script that fetches the panel of the current step."""
        return (Path(__file__).parent / "beside.js").read_bytes().replace(b"OVERVIEW", self.url.encode())

    def update_site(self, site: Site) -> None:
        """Lint a site that has been rendered, by the configuration and baseline of now. Raises: ConfigError."""
        root = site.layout.root
        self.config = LookupOptions(root).load_config(root)
        self.config.read_files()
        self.baseline = baseline.get_configured(self.config)
        self.site, self.errors = site, ()
        self.linter.start_linting(site)

    def _lint_site(self, site: Site) -> Sequence[Finding]:
        findings = engine.run(site.published_site, self.config, checkpoint=self.linter.raise_if_replaced)
        return list(baseline.compare(findings, self.baseline, site.layout.root).new.values())

    def _get_findings(self, timeout: float) -> Sequence[Finding] | None:
        return self.linter.latest if self.errors else self.linter.wait_for_findings(timeout)

    def _render_panel(self, step: str, timeout: float) -> str | None:
        findings = self._get_findings(timeout)
        if findings is None or self.site is None:
            return None
        page = self.site.by_address.get(Step(*step.split("/"))) if step.count("/") == 2 else None
        problems = BuildProblems(self.errors, is_old=bool(self.errors))
        return live_preview.render_panel(page, findings, self.author, self.url, problems)

    def _render_overview(self) -> str:
        assert self.site is not None
        problems = BuildProblems(self.errors, is_old=bool(self.errors))
        content = OverviewContent(self.site, self._get_findings(60) or (), problems, lambda _path: None)
        return live_preview.render_overview(content, self.config, self.author)

    def _find_page(self, path: str) -> Page | None:
        return self.site.get_page(path) if self.site else None


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing: the other server uses this terminal."""


def _redirect_to_overview(_environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    start("302 Found", [("Location", f"/{OVERVIEW}")])
    return [b""]
