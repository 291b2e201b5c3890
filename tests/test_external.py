"""External links, asked of a server on this machine."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from tutorial_tool import site
from tutorial_tool.cache import store
from tutorial_tool.cli import main
from tutorial_tool.config import settings as config
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.links import external
from tutorial_tool.links.external import Links, RequestPolicy, checker
from tutorial_tool.links.external.guard import ForbiddenHost, Guard

HASTE = RequestPolicy(pause=0, timeout=10, backoff=0.01, longest_wait=2)
PAGE = '<h1 id="start">Start</h1><a name="old">x</a><b id="user-content-readme">y</b><a href="#made-by-script">z</a>'
PAGE += '<script>{"html": "<h2 id=\\"user-content-told-to-script\\">"}</script>'


class Server(ThreadingHTTPServer):
    """Answers by path: a status, headers, or a function that decides; everything else is a page."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, tuple[int, dict[str, str]] | Callable[[int], tuple[int, dict[str, str]]]] = {}
        self.asked: list[tuple[str, str, float]] = []

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"

    def methods(self, path: str) -> list[str]:
        return [method for method, asked, _ in self.asked if asked == path]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_HEAD(self) -> None:
        self.server.asked.append((self.command, self.path, time.monotonic()))
        answer = self.server.answers.get(self.path, (200, {}))
        status, headers = answer(len(self.server.methods(self.path))) if callable(answer) else answer
        self.send_response(405 if status == 299 and self.command == "HEAD" else status)
        for name, value in {"Content-Type": "text/html", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def do_GET(self) -> None:
        self.do_HEAD()
        self.wfile.write(PAGE.encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "*")
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def checked(
    server: Server, text: str, *, manners: RequestPolicy = HASTE, **told: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """The findings of a page's external links, and the notes on what could not be checked."""
    links, found = asked(server, text, manners, **told)
    return [f"{one.rule}: {one.message.replace(server.host, 'HOST')}" for one in found], [
        note.replace(server.host, "HOST") for note in links.describe_unchecked()
    ]


def asked(
    server: Server, text: str, manners: RequestPolicy = HASTE, **told: tuple[str, ...]
) -> tuple[Links, list[Finding]]:
    folder = Path(store.get_path() or "").parent.parent
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "page.md"
    page.write_text(text.replace("HOST", server.host), encoding="utf-8")
    links = Links(manners)
    settings = {"external_allow": (server.host,), **told}
    return links, list(links.check_site(site.load_plain([page], folder), Config(folder, **settings)))  # type: ignore[arg-type]


def test_what_is_there_is_asked_once_and_no_finding(server: Server) -> None:
    text = "[One](http://HOST/page), [again](http://HOST/page) and <img src='http://HOST/a.png' alt='A'>.\n"
    assert checked(server, text) == ([], [])
    assert sorted(path for _, path, _ in server.asked) == ["/a.png", "/page"]
    assert {method for method, _, _ in server.asked} == {"HEAD"}


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_gone_is_a_finding_at_each_link(server: Server, status: int) -> None:
    server.answers["/gone"] = (status, {})
    _, found = asked(server, "[One](http://HOST/gone)\n\nSee <http://HOST/gone>.\n")
    assert [(f"{one.span}".rpartition("/")[2], one.span.text) for one in found] == [
        ("page.md:1:7", server.url("/gone")),
        ("page.md:3:6", server.url("/gone")),
    ]
    assert server.methods("/gone") == ["HEAD", "GET"], "GET confirms what HEAD says"


def test_a_host_that_dislikes_head_is_asked_with_get(server: Server) -> None:
    server.answers["/page"] = (299, {})
    assert checked(server, "[One](http://HOST/page)\n") == ([], [])
    assert server.methods("/page") == ["HEAD", "GET"]


@pytest.mark.parametrize("status", [401, 403, 418, 429, 500, 503])
def test_what_cannot_be_told_is_a_note_and_no_finding(server: Server, status: int) -> None:
    server.answers["/closed"] = (status, {})
    found, notes = checked(server, "[One](http://HOST/page) [Two](http://HOST/closed)\n")
    assert found == []
    assert notes == [f"1 external link was not checked: HOST answers {status}."]


def test_offline_is_never_a_failure(server: Server) -> None:
    with socket.socket() as closed:  # a port that nobody listens to
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    text = f"[One](http://127.0.0.1:{port}/) and [two](http://no-such-host.invalid.local/).\n"
    found, notes = checked(server, text, external_allow=("127.0.0.1:*", "*.local"))
    assert found == []
    assert notes == ["No host could be reached; 2 external links were not checked."]


def test_a_busy_host_is_asked_again_when_it_says(server: Server) -> None:
    server.answers["/busy"] = lambda count: (503, {"Retry-After": "1"}) if count <= 2 else (200, {})
    assert checked(server, "[One](http://HOST/busy)\n") == ([], [])
    times = [at for _, path, at in server.asked if path == "/busy"]
    assert times[2] - times[1] >= 0.95


def test_a_host_that_wants_a_long_rest_gets_it(server: Server) -> None:
    server.answers["/busy"] = (429, {"Retry-After": "3600"})
    found, notes = checked(server, "[One](http://HOST/busy) [Two](http://HOST/)\n")
    assert found == []
    assert notes == ["2 external links were not checked: HOST answers 429 (2)."]
    assert {path for _, path, _ in server.asked} == {"/busy"}, "nor is it asked for another page"


def test_a_host_that_dribbles_is_left(server: Server) -> None:
    with socket.socket() as slow:
        slow.bind(("127.0.0.1", 0))
        slow.listen()

        def dribble() -> None:
            for _ in range(2):  # HEAD and GET
                with contextlib.suppress(OSError):
                    talk = slow.accept()[0]
                    talk.send(b"HTTP/1.1 200 OK\r\nX: ")
                    while True:
                        time.sleep(0.05)
                        talk.send(b"x")

        threading.Thread(target=dribble, daemon=True).start()
        started = time.monotonic()
        text = f"[One](http://127.0.0.1:{slow.getsockname()[1]}/) [Two](http://HOST/)\n"
        found, notes = checked(
            server, text, manners=RequestPolicy(timeout=0.3, attempts=1), external_allow=("127.0.0.1:*",)
        )
    assert time.monotonic() - started < 10
    assert found == []
    assert len(notes) == 1


def test_what_has_moved_for_good_is_a_hint_with_a_fix(server: Server) -> None:
    server.answers |= {"/old": (301, {"Location": "/newer"}), "/newer": (308, {"Location": "/new"})}
    server.answers["/now"] = (302, {"Location": "/new"})
    _, found = asked(server, "[One](http://HOST/old#start) [Two](http://HOST/now)\n")
    assert [(one.rule, one.message) for one in found] == [
        ("moved-link", f"`{server.url('/old#start')}` has moved permanently to `{server.url('/new#start')}`")
    ]
    fix = found[0].fix
    assert fix is not None
    assert not fix.safe
    assert [edit.text for edit in fix.edits] == [server.url("/new#start")]


def test_a_slash_at_the_end_is_no_news_and_a_home_page_is_no_place(server: Server) -> None:
    server.answers |= {"/a": (301, {"Location": "/a/"}), "/b/c": (301, {"Location": "/"})}
    _, found = asked(server, "[One](http://HOST/a) [Two](http://HOST/b/c)\n")
    assert [(one.message, one.fix) for one in found] == [
        (f"`{server.url('/b/c')}` leads to the home page `{server.url('/')}` now", None)
    ]


def test_redirects_end(server: Server) -> None:
    server.answers |= {
        "/round": (302, {"Location": "/round"}),
        "/lost": (302, {"Location": "/gone"}),
        "/gone": (404, {}),
    }
    found, notes = checked(server, "[One](http://HOST/round) [Two](http://HOST/lost)\n")
    assert found == [
        "unreachable-link: `http://HOST/lost` cannot be opened: it leads to http://HOST/gone, which answers 404 (Not Found)"
    ]
    assert notes == ["1 external link was not checked: HOST redirects too often."]


def test_anchors_are_looked_for_in_the_page(server: Server) -> None:
    good = ("start", "old", "readme", "made-by-script", "told-to-script", "L10", ":~:text=a", "!/route")
    text = "".join(f"[One](http://HOST/page#{anchor})\n" for anchor in (*good, "nowhere"))
    assert checked(server, text) == (["unreachable-link: `http://HOST/page` has no `#nowhere`"], [])


def test_a_page_that_is_not_read_whole_is_not_judged(server: Server) -> None:
    text = "[One](http://HOST/page#nowhere)\n"
    assert checked(server, text, manners=RequestPolicy(pause=0, page=20))[0] == []
    assert len(checked(server, text)[0]) == 1


@pytest.mark.parametrize(
    "part", ["<script ", "<script>", "<script>'", "<script>#a", "<script>'--", "<a '", "</script", "<!--"]
)
def test_no_page_keeps_us_busy(part: str) -> None:
    started = time.process_time()
    list(checker.find_ids(part * 100_000))
    assert time.process_time() - started < 2


def test_hosts_that_stand_for_others_are_not_asked(server: Server) -> None:
    text = "[One](https://example.com/x) [Two](http://HOST/{id}) [Three](https://your-company.com/) [Four](//api.example/)\n"
    assert checked(server, text) == ([], [])
    assert server.asked == []


def test_addresses_can_be_left_out(server: Server) -> None:
    server.answers["/gone/1"] = (404, {})
    assert checked(server, "[One](http://HOST/gone/1)\n", external_ignore=("http://127.*/gone/*",)) == ([], [])
    assert server.asked == []


def test_one_host_is_asked_no_faster_than_its_pause(server: Server) -> None:
    text = "".join(f"[One](http://HOST/{n})\n" for n in range(5))
    checked(server, text, manners=RequestPolicy(pause=0.1))
    times = sorted(at for _, _, at in server.asked)
    assert times[-1] - times[0] >= 0.35


def test_good_answers_are_kept_for_a_day(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answers["/gone"] = (404, {})
    text = "[One](http://HOST/page#start) [Two](http://HOST/gone)\n"
    checked(server, text)
    server.asked.clear()
    assert len(checked(server, text)[0]) == 1
    assert {path for _, path, _ in server.asked} == {"/gone"}, "what was gone may be back"
    assert len(checked(server, "[One](http://HOST/page#nowhere)\n")[0]) == 1, "another anchor is another question"
    monkeypatch.setattr(external, "_HOURS", 0.0)
    server.asked.clear()
    checked(server, text)
    assert "/page" in {path for _, path, _ in server.asked}


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000])
def test_a_broken_cache_is_no_cache(server: Server, text: str) -> None:
    path = store.get_path()
    assert path is not None
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert checked(server, "[One](http://HOST/page)\n") == ([], [])
    assert checked(server, "[One](http://HOST/page)\n") == ([], [])
    assert list(external._load_answers([server.url("/page")])) == [server.url("/page")]


# Private networks


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "0.0.0.0", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "::1",
     "::ffff:127.0.0.1", "::ffff:a00:1", "fe80::1", "fd00::1", "64:ff9b::7f00:1", "2002:7f00:1::", "router", "wiki.corp",
     "printer.local", "224.0.0.1"],
)  # fmt: skip
def test_private_hosts_are_not_asked(host: str) -> None:
    with pytest.raises(ForbiddenHost):
        Guard().resolve_addresses(host, 80)


def test_the_secrets_of_clouds_cannot_be_allowed() -> None:
    with pytest.raises(ForbiddenHost):
        Guard(("*",)).resolve_addresses("169.254.169.254", 80)
    assert Guard(("127.0.0.1:80",)).resolve_addresses("127.0.0.1", 80) == ["127.0.0.1"]
    with pytest.raises(ForbiddenHost):
        Guard(("127.0.0.1:80",)).resolve_addresses("127.0.0.1", 81)


def test_a_public_name_of_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked_up(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(2, 1, 6, "", ("93.184.216.34", 80)), (2, 1, 6, "", ("10.0.0.1", 80))]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    with pytest.raises(ForbiddenHost):
        Guard().resolve_addresses("docs.mparticle.com", 80)


@pytest.mark.parametrize("port", [22, 25, 6379 % 1024, 0])
def test_other_services_are_not_asked(port: int) -> None:
    with pytest.raises(ForbiddenHost, match="not for the web"):
        Guard().check_name("docs.mparticle.com", port)


def test_a_redirect_into_a_private_network_is_not_followed(server: Server) -> None:
    other = Server()
    server.answers["/page"] = (301, {"Location": other.url("/secret")})
    found, notes = checked(server, "[One](http://HOST/page) [Two](http://HOST/)\n")
    assert found == []
    assert [note.replace(other.host, "OTHER") for note in notes] == [
        "1 external link was not checked: HOST leads to OTHER, which is in a private network."
    ]
    other.server_close()


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://127.0.0.1/x", "//", "http://[", "http://a:b/"])
def test_a_redirect_to_something_else_is_not_followed(server: Server, location: str) -> None:
    server.answers["/page"] = (302, {"Location": location})
    found, notes = checked(server, "[One](http://HOST/page) [Two](http://HOST/)\n")
    assert found == []
    assert len(notes) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://a b/",
        "http://[::1",
        "http://HOST:99999999/",
        "http://\u0130\u0307..x/",
        "http:///x",
        "http://HOST/\u00e9?\u00fc=1#\u00df",
    ],
)
def test_no_address_makes_the_check_fail(server: Server, url: str) -> None:
    found, _ = checked(server, f'<a href="{url}">One</a> [Two](http://HOST/)\n')
    assert [one for one in found if "\u00df" not in one and "no such host" not in one] == []


def test_links_of_the_navigation_are_asked(server: Server, tmp_path: Path) -> None:
    server.answers["/gone"] = (404, {})
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Home\n")
    nav = f"site_name: A\nnav:\n  - Home: index.md\n  - Status: {server.url('/gone')}\n"
    (tmp_path / "mkdocs.yml").write_text(nav)
    read = site.load_plain([tmp_path / "docs/index.md"], tmp_path)
    found = list(Links(HASTE).check_site(read, Config(tmp_path, external_allow=(server.host,))))
    assert [f"{one.span}" for one in found] == ["mkdocs.yml:4:13"]


# The command line


def test_the_command_line_asks_only_when_told(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answers |= {"/gone": (404, {}), "/closed": (403, {})}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text(
        f"# Page\n\nSee [one]({server.url('/gone')}) and [two]({server.url('/closed')}).\n"
    )
    assert CliRunner().invoke(main, ["lint", "docs"]).exit_code == 0
    assert server.asked == []
    done = CliRunner().invoke(main, ["lint", "docs", "--external-links", "--external-allow", server.host])
    assert done.exit_code == 1
    assert "error[unreachable-link]" in done.stdout
    assert done.stderr.endswith(f"1 external link was not checked: {server.host} answers 403.\n")


def test_the_configuration_of_the_guide_is_good(tmp_path: Path) -> None:
    guide = (Path(__file__).parent.parent / "docs_src/how-to/links.md").read_text(encoding="utf-8")
    shown = next(part for part in guide.split("```toml\n")[1:] if "external-allow" in part).partition("```")[0]
    (tmp_path / "tutorial-tool.toml").write_text(shown)
    told = config.load(tmp_path / "tutorial-tool.toml", {})
    assert told.external_allow == ("wiki.corp.lan", "127.0.0.1:8000")
    assert told.external_ignore


def test_an_ignore_is_unused_only_where_links_were_asked(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    comment = "<!-- tutorial-tool: ignore[unreachable-link] it is down on Sundays -->"
    (tmp_path / "docs/page.md").write_text(f"# Page\n\n{comment}\n\nSee [one]({server.url('/page')}).\n")
    assert "unused-ignore" not in CliRunner().invoke(main, ["lint", "docs"]).stdout
    ask = ["lint", "docs", "--external-links", "--external-allow", "127.0.0.1:*"]
    assert "unused-ignore" in CliRunner().invoke(main, ask).stdout
    kept_file = store.get_path()
    assert kept_file is not None
    kept_file.unlink()
    server.answers["/page"] = (404, {})
    assert CliRunner().invoke(main, ask).exit_code == 0


def test_the_fix_writes_the_new_address(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answers["/old"] = (301, {"Location": "/new"})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs/page.md"
    page.write_text(f"# Page\n\nSee [one]({server.url('/old')}).\n")
    ask = ["lint", "docs", "--external-links", "--external-allow", "127.0.0.1:*"]
    CliRunner().invoke(main, [*ask, "--fix"])
    assert "/old" in page.read_text()
    assert CliRunner().invoke(main, [*ask, "--unsafe-fixes"]).exit_code == 0
    assert page.read_text() == f"# Page\n\nSee [one]({server.url('/new')}).\n"
