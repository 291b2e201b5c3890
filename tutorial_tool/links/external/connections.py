"""Connections to hosts: directly to an IP address that was checked, or through the system's proxy."""

from __future__ import annotations

import socket
import ssl
import urllib.request
from functools import cache
from http.client import HTTP_PORT, HTTPConnection, HTTPSConnection
from urllib.parse import quote, urlsplit, urlunsplit

from tutorial_tool.links.external.guard import Guard, NoSuchHost

_ADDRESSES = 3  # Maximum number of IP addresses tried per host


def build_connection(url: str, guard: Guard, timeout: float) -> tuple[HTTPConnection, str]:
    """Return an unopened connection to the host of a URL, and the request target for it.

    `timeout` is in seconds.

    Raises: the exceptions of `Guard.resolve_addresses`.
    """
    parts = urlsplit(url)
    host, secure = (parts.hostname or "").rstrip("."), parts.scheme == "https"
    try:
        port = parts.port or (443 if secure else 80)
        host = host if ":" in host else host.encode("idna").decode("ascii")
    except ValueError as problem:
        raise NoSuchHost(host) from problem
    target = quote(urlunsplit(("", "", parts.path or "/", parts.query, "")), safe="/%:=&?~#+!$,;'@()*[]")
    proxy = "" if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(parts.scheme)
    if proxy:
        guard.check_name(host, port)
        return _build_proxy_connection(proxy, host, port, target, timeout, secure=secure)
    addresses = guard.resolve_addresses(host, port)
    connect = _SecureConnection if secure else _PlainConnection
    return connect(host, port, addresses, timeout), target


class _PlainConnection(HTTPConnection):
    """A connection to one of these IP addresses: a second lookup of the name could return another machine."""

    def __init__(self, host: str, port: int, addresses: list[str], timeout: float) -> None:
        super().__init__(host, port, timeout=timeout)
        self.addresses, self.seconds = addresses, timeout

    def connect(self) -> None:
        self.sock = _open_socket(self.addresses, self.port, self.seconds)


class _SecureConnection(HTTPSConnection):
    """A `_PlainConnection` with TLS; the certificate must match the host name."""

    def __init__(self, host: str, port: int, addresses: list[str], timeout: float) -> None:
        super().__init__(host, port, timeout=timeout, context=_get_ssl_context())
        self.addresses, self.seconds = addresses, timeout

    def connect(self) -> None:
        bare = _open_socket(self.addresses, self.port, self.seconds)
        try:
            self.sock = _get_ssl_context().wrap_socket(bare, server_hostname=self.host)
        except BaseException:
            bare.close()
            raise


@cache
def _get_ssl_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _open_socket(addresses: list[str], port: int, timeout: float) -> socket.socket:
    problem = OSError("no IP address")
    for address in addresses[:_ADDRESSES]:
        try:
            return socket.create_connection((address, port), timeout)
        except OSError as failed:
            problem = failed
    raise problem


def _build_proxy_connection(
    proxy: str, host: str, port: int, target: str, timeout: float, *, secure: bool
) -> tuple[HTTPConnection, str]:
    parts = urlsplit(proxy if "//" in proxy else f"//{proxy}")
    name, at = parts.hostname or "", parts.port or HTTP_PORT
    if not secure:
        return HTTPConnection(name, at, timeout=timeout), f"http://{host}:{port}{target}"
    tunnel = HTTPSConnection(name, at, timeout=timeout, context=_get_ssl_context())
    tunnel.set_tunnel(host, port)
    return tunnel, target
