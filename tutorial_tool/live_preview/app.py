"""An author's server: the built pages, each with its current findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote

from tutorial_tool.compare import page as comparison
from tutorial_tool.core import lazy_re
from tutorial_tool.live_preview import hosts
from tutorial_tool.live_preview.hosts import MARKDOWN, OVERVIEW, SCRIPT, ServerAddress

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from tutorial_tool.site import Page

PANEL = f"{OVERVIEW}panel"
WAIT_SECONDS = 20
_PANEL_PLACEHOLDER = lazy_re.compile(r'<aside class="tt-writing" data-page="([^"]*)"></aside>')
_HTML = "text/html; charset=utf-8"
_TEXT = "text/plain; charset=utf-8"
_BROKEN = b'<div class="tt-broken">'
_NO_FRAME = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def render_placeholder(path: str) -> str:
    """Return the placeholder for a page's panel."""
    return f'<aside class="tt-writing" data-page="{escape(path)}"></aside>'


@dataclass(frozen=True)
class App:
    """WSGI middleware. `mount` is the path of the site, with slashes around it.

    Author views are served only to requests for the host of `address`: an untrusted page in the author's browser may
    point its own name to this machine, and read unpublished content. `request_file` is called with each requested file
    of the site before it is read. `render_panel` returns the panel of a page as HTML, or None while the linter runs,
    after so many seconds; `render_overview` returns a page; `find_page` returns the page at a path, or None.
    """

    inner_app: WSGIApplication
    mount: str
    address: ServerAddress
    request_file: Callable[[str], None]
    render_panel: Callable[[str, float], str | None]
    render_overview: Callable[[], str]
    find_page: Callable[[str], Page | None]

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        if method not in ("GET", "HEAD"):
            return _send_refusal(start, "405 Method Not Allowed", "This server answers GET and HEAD only.")
        if "\0" in path:
            return _send_refusal(start, "400 Bad Request", "No page has this URL: it contains a null byte.")
        is_author = self.address.matches_header(environ.get("HTTP_HOST", ""))
        if not is_author and path.startswith(self.mount + OVERVIEW.rstrip("/")):
            return _send_refusal(start, "403 Forbidden", f"Open this at http://{self.address}{self.mount}{OVERVIEW}")
        body = self._answer_request(path, environ, start, is_author)
        return body if method == "GET" else [b""]

    def _answer_request(
        self, path: str, environ: WSGIEnvironment, start: StartResponse, is_author: bool
    ) -> Iterable[bytes]:
        if path == self.mount + PANEL:
            text = self.render_panel(_get_page_path(environ), WAIT_SECONDS)
            from_here = hosts.is_local_origin(origin := environ.get("HTTP_ORIGIN", ""))
            allowed = [("Access-Control-Allow-Origin", origin)] if from_here else []
            return _send_response(start, "202 Accepted" if text is None else "200 OK", text or "", more=allowed)
        if path in (self.mount + OVERVIEW, self.mount + OVERVIEW.rstrip("/")):
            policy = comparison.build_policy(SCRIPT.read_text(encoding="utf-8"))
            return _send_response(start, "200 OK", self.render_overview(), policy=policy)
        if path == self.mount + OVERVIEW + MARKDOWN and (page := self.find_page(_get_page_path(environ))) is not None:
            return _send_response(start, "200 OK", page.encode_file().decode("utf-8", "replace"), _TEXT)
        if path.startswith(self.mount):
            file = unquote(path.encode("latin-1").decode("utf-8", "replace")).removeprefix(self.mount)
            self.request_file(f"{file}index.html" if file.endswith("/") or not file else file)
        return self._insert_panel(environ, start, is_author)

    def _insert_panel(self, environ: WSGIEnvironment, start: StartResponse, is_author: bool) -> Iterable[bytes]:
        answers: list[tuple[str, list[tuple[str, str]]]] = []
        body = self.inner_app(environ, lambda status, headers, *_: answers.append((status, headers)))  # type: ignore[arg-type]
        status, headers = answers[-1]
        if not any(name.lower() == "content-type" and value.startswith("text/html") for name, value in headers):
            start(status, headers)
            return body
        html = b"".join(body)
        if not is_author and _BROKEN in html:
            message = f"This page cannot be built. Open http://{self.address}{self.mount}"
            return _send_refusal(start, "403 Forbidden", message)
        page = _PANEL_PLACEHOLDER.sub(
            lambda match: self._build_panel(unescape(match[1])) if is_author else "",
            html.decode("utf-8", "surrogateescape"),
        )
        content = page.encode("utf-8", "surrogateescape")
        other_headers = [(name, value) for name, value in headers if name.lower() != "content-length"]
        start(status, [*other_headers, ("Content-Length", str(len(content)))])
        return [content]

    def _build_panel(self, path: str) -> str:
        """Return the panel, or a script that fetches it when the linter is done."""
        panel = self.render_panel(path, 0)
        if panel is not None:
            return panel
        address = f"{self.mount}{PANEL}?page={quote(path)}"
        script = (Path(__file__).parent / "waiting.js").read_text(encoding="utf-8")
        return f'<aside class="tt-writing" data-from="{escape(address)}"><script>\n{script}</script></aside>'


def _get_page_path(environ: WSGIEnvironment) -> str:
    return str(parse_qs(environ.get("QUERY_STRING", "")).get("page", [""])[0])


def _send_refusal(start: StartResponse, status: str, message: str) -> list[bytes]:
    return _send_response(start, status, f"{message}\n", _TEXT)


def _send_response(
    start: StartResponse,
    status: str,
    text: str,
    kind: str = _HTML,
    policy: str = "default-src 'none'",
    more: Iterable[tuple[str, str]] = (),
) -> list[bytes]:
    content = text.encode("utf-8", "replace")
    headers = [("Content-Type", kind), ("Content-Length", str(len(content))), ("X-Content-Type-Options", "nosniff")]
    headers += more
    headers += [("Allow", "GET, HEAD")] if status.startswith("405") else []
    start(status, [*headers, ("Content-Security-Policy", f"{policy}; {_NO_FRAME}"), ("Referrer-Policy", "no-referrer")])
    return [content]
