"""One request to a host, and the parts of its response that matter."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from http import HTTPStatus

from tutorial_tool.core.version import __version__
from tutorial_tool.links.external import connections
from tutorial_tool.links.external.guard import Guard

_CERTIFICATES = {10: "has expired", 62: "is for another host", 64: "is for another host"}
"""OpenSSL error codes that browsers reject, too. Other failures may come from this machine's trust store."""
_HEADERS = {
    "User-Agent": f"tutorial-tool/{__version__} (checks links)",
    "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
    "Accept-Encoding": "identity",
    "Connection": "close",
}
_STEPS = 3  # Maximum time of a whole exchange, as a multiple of the timeout of one step


@dataclass(frozen=True)
class Response:
    """A host's response. `body` is the page, if it was requested, is HTML, and arrived completely."""

    status: int
    location: str = ""
    retry_after: str = ""
    body: bytes | None = None


class NoResponse(Exception):
    """A host that did not respond; the message describes how."""


class UntrustedCertificate(Exception):
    """A certificate that browsers reject; the message gives the reason."""


def send_request(method: str, url: str, guard: Guard, *, timeout: float, most: int = 0) -> Response:
    """Send a request. `timeout` is in seconds, for each step; reads a page of up to `most` bytes.

    Raises: NoResponse, UntrustedCertificate, and the exceptions of `Guard.resolve_addresses`.
    """
    connection, target = connections.build_connection(url, guard, timeout)
    end = time.monotonic() + _STEPS * timeout
    ending = threading.Timer(_STEPS * timeout, _close_socket, (connection,))  # for hosts that send one byte at a time
    ending.daemon = True
    ending.start()
    try:
        connection.request(method, target, headers=_HEADERS)
        response = connection.getresponse()
        if time.monotonic() >= end:
            raise TimeoutError
        is_page = "html" in (response.getheader("Content-Type") or "text/html")
        expected = bool(most) and is_page and response.status == HTTPStatus.OK
        return Response(
            response.status,
            response.getheader("Location") or "",
            response.getheader("Retry-After") or "",
            _read_body(response, most, end) if expected else None,
        )
    except ssl.SSLCertVerificationError as problem:
        if value := _CERTIFICATES.get(problem.verify_code):
            raise UntrustedCertificate(f"the host's certificate {value}") from problem
        raise NoResponse("has a certificate that is not trusted here") from problem
    except TimeoutError as problem:
        raise NoResponse(f"did not respond within {timeout:g} s") from problem
    except (OSError, http.client.HTTPException, ValueError) as problem:
        raise NoResponse(_describe_error(problem)) from problem
    finally:
        ending.cancel()
        connection.close()


def _close_socket(connection: http.client.HTTPConnection) -> None:
    with contextlib.suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)


def _describe_error(problem: Exception) -> str:
    if isinstance(problem, ConnectionRefusedError):
        return "refuses the connection"
    if isinstance(problem, ConnectionResetError | http.client.RemoteDisconnected):
        return "closes the connection"
    return "could not be reached" if isinstance(problem, OSError) else "does not respond with HTTP"


def _read_body(response: http.client.HTTPResponse, most: int, end: float) -> bytes | None:
    """Return a page if it has no more than `most` bytes and arrives before `end`, else None."""
    parts: list[bytes] = []
    size = 0
    while size < most and time.monotonic() < end and (part := response.read1(65536)):
        parts.append(part)
        size += len(part)
    return b"".join(parts) if response.isclosed() else None
