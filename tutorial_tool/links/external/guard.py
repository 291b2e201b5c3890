"""Hosts that may be requested: those of the public internet, and private ones that the user allows."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tutorial_tool.core import lazy_re

_HTTP_PORTS = (80, 443)
_FIRST_FREE_PORT = 1024  # Lower ports belong to other services: a link must not make the checker talk to a mail server
_OWN_NAMES = lazy_re.compile(r"[^.]+|.+\.(?:localhost|local|internal|intranet|lan|corp|home\.arpa)", re.IGNORECASE)
"""Names without a dot, and those of RFC 6761, RFC 6762, RFC 8375 and company networks."""


class ForbiddenHost(Exception):
    """A host that must not be requested; the message gives the reason."""


class NoSuchHost(Exception):
    """A host name that does not exist."""


class UnresolvedHost(Exception):
    """A host name that could not be looked up now."""


@dataclass(frozen=True)
class Guard:
    """Looks up hosts, and rejects those of private networks. `allow` are globs of hosts or `host:port`."""

    allow: tuple[str, ...] = ()

    def resolve_addresses(self, host: str, port: int) -> list[str]:
        """Return the IP addresses to connect to, so that the name is not looked up again.

        Raises: ForbiddenHost, NoSuchHost, UnresolvedHost.
        """
        self.check_name(host, port)
        try:
            getaddrinfo = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (socket.gaierror, UnicodeError) as problem:
            if isinstance(problem, UnicodeError) or problem.errno in _NOBODY:
                raise NoSuchHost(host) from problem
            raise UnresolvedHost("could not be looked up") from problem
        addresses = list(dict.fromkeys(str(item[4][0]) for item in getaddrinfo))
        allowed = self._allows(host, port)
        for address in addresses:  # link-local addresses serve cloud secrets: no setting allows them
            is_allowed = allowed and not any(form.is_link_local for form in _expand_address(address))
            if not is_allowed and not _is_public(address):
                raise ForbiddenHost("is in a private network")
        return addresses

    def check_name(self, host: str, port: int) -> None:
        """Check a host by its name alone, for requests where a proxy looks it up.

        Raises: ForbiddenHost.
        """
        if self._allows(host, port):
            return
        if port not in _HTTP_PORTS and port < _FIRST_FREE_PORT:
            raise ForbiddenHost(f"uses a port that is not for the web ({port})")
        if (_is_address(host) and not _is_public(host)) or (not _is_address(host) and _OWN_NAMES.fullmatch(host)):
            raise ForbiddenHost("is in a private network")

    def _allows(self, host: str, port: int) -> bool:
        return matches_any(self.allow, host) or matches_any(self.allow, f"{host}:{port}")


_NOBODY = {getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA") if hasattr(socket, name)}


def matches_any(globs: Iterable[str], text: str) -> bool:
    """Return whether one of the globs matches a whole text, ignoring case."""
    return any(fnmatchcase(text.lower(), glob.lower()) for glob in globs)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_public(address: str) -> bool:
    """Return whether an IP address is public, including any IPv4 address embedded in it."""
    return all(form.is_global and not form.is_multicast for form in _expand_address(address))


def _expand_address(address: str) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Return an IP address and the IPv4 address embedded in it: mapped, 6to4, Teredo or NAT64 (RFC 6052)."""
    ip_address = ipaddress.ip_address(address.partition("%")[0])
    out: list[ipaddress.IPv4Address | ipaddress.IPv6Address] = [ip_address]
    if isinstance(ip_address, ipaddress.IPv6Address):
        embedded = (
            ip_address.ipv4_mapped or ip_address.sixtofour or (ip_address.teredo[1] if ip_address.teredo else None)
        )
        if ip_address in _NAT64:
            embedded = ipaddress.IPv4Address(int(ip_address) & 0xFFFFFFFF)
        if embedded is not None:
            out = [embedded] if ip_address.ipv4_mapped else [ip_address, embedded]
    return out


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
