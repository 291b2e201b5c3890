"""Hosts that mean harm to who asks them, with `--external-links`: each is left in time, and says nothing that is believed."""

from __future__ import annotations

import contextlib
import itertools
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.links.external import Links, RequestPolicy

Says = Callable[[socket.socket, str], None]
OK = b"HTTP/1.1 200 OK\r\n"
HTML = OK + b"Content-Type: text/html\r\n"
TIMEOUT = 0.3
MANNERS = RequestPolicy(timeout=TIMEOUT, attempts=1, pause=0)
MOST_SENT = 20_000_000
"""Bytes that one exchange may take in: a page of 2 MB, and what the system has received meanwhile."""


def endless(part: bytes, first: bytes = b"", pause: float = 0.0) -> Says:
    """What says one thing, then another without end, with a pause before each time."""

    def say(talk: socket.socket, _: str) -> None:
        talk.sendall(first)
        sent = 0
        while True:
            time.sleep(pause)
            talk.sendall(part)
            sent += len(part)
            assert sent < MOST_SENT

    return say


def once(text: bytes) -> Says:
    return lambda talk, _: talk.sendall(text)


def redirect(location: bytes) -> Says:
    return once(b"HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: " + location + b"\r\n\r\n")


def further(talk: socket.socket, path: str) -> None:
    """Each address leads to another, longer one."""
    redirect(path.encode() + b"x")(talk, path)


def reset(talk: socket.socket, _: str) -> None:
    talk.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def silence(_talk: socket.socket, _path: str) -> None:
    time.sleep(10 * TIMEOUT)


HOSTS: dict[str, Says] = {
    "a body without end": endless(b"a" * 65536, HTML + b"\r\n"), "a body without end, in chunks": endless(b"fff0\r\n" + b"a" * 0xFFF0 + b"\r\n", HTML + b"Transfer-Encoding: chunked\r\n\r\n"),
    "a body by the letter": endless(b"a", HTML + b"\r\n", 0.02), "headers without end": endless(b"X: a\r\n", OK), "a header without end": endless(b"a" * 999, OK + b"X: "),
    "headers by the letter": endless(b"a", OK + b"X: ", 0.02), "a status by the letter": endless(b"1", b"HTTP/1.1 ", 0.02), "a status without end": endless(b"1" * 9999, b"HTTP/1.1 2"),
    "go on, without end": endless(b"HTTP/1.1 100 Continue\r\n\r\n"), "go on, now and then": endless(b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.02),
    "chunks of a negative size": once(HTML + b"Transfer-Encoding: chunked\r\n\r\n-5\r\nabc"), "chunks of no size": once(HTML + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc"),
    "a chunk of a huge size": once(HTML + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\nabc"), "trailers without end": endless(b"X: a\r\n", HTML + b"Transfer-Encoding: chunked\r\n\r\n0\r\n"),
    "a negative length": once(HTML + b"Content-Length: -9\r\n\r\nabc"), "a huge length": once(HTML + b"Content-Length: 99999999999999999999\r\n\r\nabc"), "a length that is none": once(HTML + b"Content-Length: x\r\n\r\nabc"),
    "a bomb": once(HTML + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08" + b"\0" * 9999), "another version": once(b"HTTP/9.9 200 OK\r\n\r\n"), "no version": once(b"<html>"), "a huge status": once(b"HTTP/1.1 9999999 A\r\n\r\n"),
    "a status below all": once(b"HTTP/1.1 -1 A\r\n\r\n"), "bytes": once(bytes(range(256)) * 9), "nothing": once(b""), "a reset": reset, "silence": silence, "an upgrade": once(b"HTTP/1.1 101 Switching\r\n\r\n" + b"\0" * 999),
    "a redirect to itself": redirect(b"/x"), "redirects that get longer": further, "a redirect of a megabyte": redirect(b"/" + b"a" * 60_000), "a redirect to nothing": redirect(b""),
    "a redirect with control characters": redirect(b"/\x01\x7f\x1b[31m"), "a redirect with a zero byte": redirect(b"/\0a"), "a redirect with a name and a password": redirect(b"http://127.0.0.1:80@evil.invalid/"),
    "a redirect to a file": redirect(b"file:///etc/passwd"), "a redirect to no address": redirect(b"http://[::1"), "a redirect to a port that is none": redirect(b"http://a:b/"), "a redirect to other bytes": redirect(b"/\xff\xfe\xe2\x80\xae"),
    "a redirect to a host of bytes": redirect(b"http://\x7f\x01/"), "a redirect to a host with a blank": redirect(b"http://a b/"), "a redirect to a long host": redirect(b"http://" + b"a" * 9999 + b"/"),
    "a redirect to this machine": redirect(b"http://localhost/"), "a redirect to this machine by number": redirect(b"http://2130706433/"), "a redirect by octal": redirect(b"http://0177.0.0.1/"), "a redirect by hex": redirect(b"http://0x7f000001/"),
    "a redirect to a cloud's secrets": redirect(b"http://169.254.169.254/latest/"), "a redirect by six": redirect(b"http://[::ffff:127.0.0.1]/"), "a redirect by short": redirect(b"http://127.1/"), "a redirect by a wide dot": redirect("http://127\u30020.0.1/".encode()),
    "come back in 300 years": once(b"HTTP/1.1 503 Busy\r\nRetry-After: 9999999999\r\nContent-Length: 0\r\n\r\n"), "come back yesterday": once(b"HTTP/1.1 429 Busy\r\nRetry-After: -5\r\nContent-Length: 0\r\n\r\n"),
    "come back on no day": once(b"HTTP/1.1 429 Busy\r\nRetry-After: Mon, 99 Foo 99999 99:99:99 GMT\r\nContent-Length: 0\r\n\r\n"), "a page of half tags": once(HTML + b"\r\n" + b"<a id='" * 250_000), "a page of scripts": once(HTML + b"\r\n" + b"<script>" * 240_000),
}  # fmt: skip


@pytest.fixture
def dialled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The addresses to which connections were made."""
    made, connect = list[tuple[str, int]](), socket.create_connection

    def create(address: tuple[str, int], timeout: float) -> socket.socket:
        made.append(address)
        return connect(address, timeout)

    monkeypatch.setattr(socket, "create_connection", create)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "*")
    return made


@contextlib.contextmanager
def host(says: Says) -> Iterator[str]:
    """Answers at an address of this machine, whatever is asked."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer(talk: socket.socket) -> None:
            with contextlib.suppress(OSError), talk:
                lines = talk.recv(65536).decode("latin-1").split(" ")
                says(talk, lines[1] if len(lines) > 1 else "/")

        def listen() -> None:
            with contextlib.suppress(OSError):
                for _ in itertools.count():
                    threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()

        threading.Thread(target=listen, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("anchor", ["", "#a"], ids=["head", "page"])
@pytest.mark.parametrize("name", HOSTS)
def test_a_hostile_host_is_left_in_time(name: str, anchor: str, tmp_path: Path, dialled: list[tuple[str, int]]) -> None:
    with host(HOSTS[name]) as address:
        page, begun = tmp_path / "page.md", (time.monotonic(), time.process_time())
        page.write_text(f"# A\n\n[One](http://{address}/x{anchor})\n")
        links = Links(MANNERS)
        found = list(links.check_site(site.load_plain([page], tmp_path), Config(tmp_path, external_allow=(address,))))
        notes = list(links.describe_unchecked())
        took = time.monotonic() - begun[0], time.process_time() - begun[1]
    assert took[0] < 10 * TIMEOUT + 5  # on a busy machine
    assert took[1] < 2
    told = [*(finding.message for finding in found), *notes]
    assert all(line.isprintable() and len(line) < 70_000 for line in told), told
    assert all("has no `#a`" in finding.message for finding in found), told
    assert {f"{name}:{port}" for name, port in dialled} == {address}
