"""The server of an author: the pages as they were built, each with what the linter finds on it by now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, unquote

from tutorial_tool.core import lazy_re

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

OVERVIEW = "_tutorial/"
"""Where the overview stands on the server, relative to the site."""
PANEL = f"{OVERVIEW}panel"
MARKDOWN = "markdown"
"""Where the Markdown of a page stands, relative to the overview."""
WAIT_SECONDS = 20
_PLACE = lazy_re.compile(r'<aside class="tt-writing" data-page="([^"]*)"></aside>')
_HTML = "text/html; charset=utf-8"


def place(path: str) -> str:
    """What marks, in a page that is built, where its panel will stand."""
    return f'<aside class="tt-writing" data-page="{escape(path)}"></aside>'


@dataclass(frozen=True)
class App:
    """Stands before another application. `mount` is the address of the site, with slashes around it.

    `wanted` is told each file of the site that is asked for, before it is read.
    `panel` gives the panel of a page as HTML, or None while the linter looks, after so many seconds; `overview` gives a
    page; `markdown` gives the text of a page, or None for one that is none of the site.
    """

    theirs: WSGIApplication
    mount: str
    wanted: Callable[[str], None]
    panel: Callable[[str, float], str | None]
    overview: Callable[[], str]
    markdown: Callable[[str], str | None]

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == self.mount + PANEL:
            text = self.panel(_asked(environ), WAIT_SECONDS)
            return _answer(start, "202 Accepted" if text is None else "200 OK", text or "")
        if path in (self.mount + OVERVIEW, self.mount + OVERVIEW.rstrip("/")):
            return _answer(start, "200 OK", self.overview())
        if path == self.mount + OVERVIEW + MARKDOWN:
            text = self.markdown(_asked(environ))
            if text is not None:
                return _answer(start, "200 OK", text, "text/plain; charset=utf-8")
        if path.startswith(self.mount):
            file = unquote(path.encode("latin-1").decode("utf-8", "replace")).removeprefix(self.mount)
            self.wanted(f"{file}index.html" if file.endswith("/") or not file else file)
        return self._with_panel(environ, start)

    def _with_panel(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        said: list[tuple[str, list[tuple[str, str]]]] = []
        body = self.theirs(environ, lambda status, headers, *_: said.append((status, headers)))  # type: ignore[arg-type]
        status, headers = said[-1]
        if not any(name.lower() == "content-type" and value.startswith("text/html") for name, value in headers):
            start(status, headers)
            return body
        page = _PLACE.sub(
            lambda found: self._panel(unescape(found[1])), b"".join(body).decode("utf-8", "surrogateescape")
        )
        content = page.encode("utf-8", "surrogateescape")
        kept = [(name, value) for name, value in headers if name.lower() != "content-length"]
        start(status, [*kept, ("Content-Length", str(len(content)))])
        return [content]

    def _panel(self, path: str) -> str:
        """The panel, or what fetches it once the linter has looked."""
        known = self.panel(path, 0)
        if known is not None:
            return known
        address = f"{self.mount}{PANEL}?page={quote(path)}"
        script = (Path(__file__).parent / "waiting.js").read_text(encoding="utf-8")
        return f'<aside class="tt-writing" data-from="{escape(address)}"><script>\n{script}</script></aside>'


def _asked(environ: WSGIEnvironment) -> str:
    """The path of the page that a request is about."""
    return str(parse_qs(environ.get("QUERY_STRING", "")).get("page", [""])[0])


def _answer(start: StartResponse, status: str, text: str, kind: str = _HTML) -> list[bytes]:
    content = text.encode()
    start(status, [("Content-Type", kind), ("Content-Length", str(len(content)))])
    return [content]
