"""Who gets an answer while an author serves: this machine's own browser, for the address that it was started on."""

from __future__ import annotations

from typing import Any

import pytest

from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import trace_span
from tutorial_tool.live_preview.app import App, render_placeholder
from tutorial_tool.live_preview.hosts import ServerAddress
from tutorial_tool.site import Page

LOCAL = ServerAddress("127.0.0.1", 8000)
PAGE = f"<html><body>{render_placeholder('a.md')}</body></html>"
BROKEN = '<html><body><div class="tt-broken"><a href="vscode://file/home/me/a.md">a.md</a></div></body></html>'


def ask(
    path: str, host: str = "127.0.0.1:8000", method: str = "GET", body: str = PAGE
) -> tuple[str, dict[str, str], str]:
    """Return the status, headers and text of an answer; the site has one page."""

    def theirs(_: object, start: Any) -> list[bytes]:
        start("200 OK", [("Content-Type", "text/html")])
        return [body.encode()]

    started: list[tuple[str, dict[str, str]]] = []
    source = Source("a.md", "MARKDOWN")
    page = Page("a.md", source, trace_span(source.get_full_span()))
    app = App(theirs, "/", LOCAL, lambda _: None, lambda *_: "PANEL", lambda: "DASHBOARD", lambda _: page)
    environ = {"PATH_INFO": path, "REQUEST_METHOD": method, "HTTP_HOST": host, "QUERY_STRING": "page=a.md"}
    answer = app(environ, lambda status, headers, *_: started.append((status, dict(headers))))  # type: ignore[arg-type]
    text = b"".join(answer).decode()
    return (*started[-1], text)


PRIVATE = {
    "/_tutorial/": "DASHBOARD",
    "/_tutorial": "DASHBOARD",
    "/_tutorial/panel": "PANEL",
    "/_tutorial/markdown": "MARKDOWN",
}


@pytest.mark.parametrize("path", PRIVATE)
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1:9000",
        "127.0.0.1",
        "",
        "localhost:8000@evil.example",
        "[::1",
        "x:y",
    ],
)
def test_what_is_for_the_author_is_answered_to_no_other_host(path: str, host: str) -> None:
    status, _, text = ask(path, host)
    assert (status, text) == ("403 Forbidden", "Open this at http://127.0.0.1:8000/_tutorial/\n")


@pytest.mark.parametrize("path", PRIVATE)
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LOCALHOST:8000"])
def test_each_name_of_this_machine_is_answered(path: str, host: str) -> None:
    assert (ask(path, host)[0], ask(path, host)[2]) == ("200 OK", PRIVATE[path])


def test_a_page_for_another_host_has_no_panel_and_shows_no_path_of_this_machine() -> None:
    assert ask("/")[2] == "<html><body>PANEL</body></html>"
    assert ask("/", "evil.example")[2] == "<html><body></body></html>"
    assert "vscode://" in ask("/", body=BROKEN)[2]
    assert ask("/", "evil.example", body=BROKEN)[::2] == (
        "403 Forbidden", "This page cannot be built. Open http://127.0.0.1:8000/\n"
    )  # fmt: skip


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "x"])
@pytest.mark.parametrize("path", ["/", *PRIVATE])
def test_only_reading_is_answered(method: str, path: str) -> None:
    status, headers, text = ask(path, method=method)
    assert (status, headers["Allow"], text) == (
        "405 Method Not Allowed", "GET, HEAD", "This server answers GET and HEAD only.\n"
    )  # fmt: skip


def test_head_has_no_body() -> None:
    assert [ask(path, method="HEAD")[::2] for path in ("/", *PRIVATE)] == 5 * [("200 OK", "")]


@pytest.mark.parametrize("path", PRIVATE)
def test_no_answer_is_guessed_or_runs_what_data_may_bring(path: str) -> None:
    headers = ask(path)[1]
    policy = headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]


def test_an_address_with_a_zero_byte_is_one_line() -> None:
    assert ask("/\0")[::2] == ("400 Bad Request", "No page has this URL: it contains a null byte.\n")


HOSTS = [
    (ServerAddress("0.0.0.0", 8000), "192.168.1.7:8000", True), (ServerAddress("0.0.0.0", 8000), "localhost:8000", True), (ServerAddress("0.0.0.0", 8000), "evil.example:8000", False),
    (ServerAddress("::", 80), "[fe80::1]", True), (ServerAddress("box.local", 80), "box.local", True), (ServerAddress("box.local", 8000), "BOX.local:8000", True),
    (ServerAddress("box.local", 8000), "127.0.0.1:8000", False), (ServerAddress("192.168.1.7", 8000), "127.0.0.1:8000", False), (LOCAL, "127.0.0.1.evil.example:8000", False),
]  # fmt: skip


@pytest.mark.parametrize(("address", "host", "is_named"), HOSTS)
def test_a_server_is_named_by_where_it_was_started(address: ServerAddress, host: str, is_named: bool) -> None:
    assert address.matches_header(host) is is_named
