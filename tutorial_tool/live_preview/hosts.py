"""The paths of an author's server, and whether a request is for the host and port that it was started on."""

from __future__ import annotations

import ipaddress
from http.client import HTTP_PORT
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

OVERVIEW = "_tutorial/"  # The overview's path on the server, relative to the site
MARKDOWN = "markdown"  # The path of the pages' Markdown, relative to the overview
SCRIPT = Path(__file__).parent / "overview.js"


class ServerAddress(NamedTuple):
    """The host name or IP address and port of a server."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def matches_header(self, header: str) -> bool:
        """Return whether a request's `Host` is this one. Names of this machine for itself are one host.

        A server on all interfaces accepts IP addresses and loopback names only: anyone can point another name to them.
        """
        name = _parse_host(header, self.port)
        if name is None:
            return False
        if _is_any_interface(self.host):
            return _is_loopback(name) or _parse_address(name) is not None
        return name == self.host.lower() or (_is_loopback(self.host) and _is_loopback(name))


def _parse_host(header: str, port: int) -> str | None:
    """Return the name in a `Host`; None if the port is another one, or if there is more than both."""
    try:
        url = urlsplit(f"//{header}")
        is_port = (url.port or HTTP_PORT) == port
    except ValueError:
        return None
    is_more = any((url.path, url.query, url.fragment)) or url.username is not None
    return url.hostname or "" if is_port and not is_more else None


def is_local_origin(origin: str) -> bool:
    """Return whether a request's origin is a server on this machine."""
    try:
        return _is_loopback(urlsplit(origin).hostname or "")
    except ValueError:
        return False


def _parse_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _is_loopback(name: str) -> bool:
    address = _parse_address(name)
    return name.lower() == "localhost" or (address is not None and address.is_loopback)


def _is_any_interface(host: str) -> bool:
    address = _parse_address(host)
    return not host or (address is not None and address.is_unspecified)
