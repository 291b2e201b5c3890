"""Checks of URLs by HTTP: HEAD, then GET, with retries, and never faster than is polite."""

from __future__ import annotations

import email.utils
import random
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Literal
from urllib.parse import urljoin, urlsplit

from tutorial_tool.core import lazy_re
from tutorial_tool.links.external.exchange import NoResponse, Response, UntrustedCertificate, send_request
from tutorial_tool.links.external.guard import ForbiddenHost, Guard, NoSuchHost, UnresolvedHost
from tutorial_tool.markdown import html_tags

Kind = Literal["there", "gone", "no-host", "closed", "unchecked"]
_PERMANENT = (HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT)
_REDIRECTS = (*_PERMANENT, HTTPStatus.FOUND, HTTPStatus.SEE_OTHER, HTTPStatus.TEMPORARY_REDIRECT)
_GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
_BUSY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)

_SCRIPT = lazy_re.compile(r"<script\b[^<>]*+>((?>(?:[^<]++|<(?!/script))*))", re.IGNORECASE)
_QUOTED = lazy_re.compile(r"[\"'#]([\w%.:~-]++)\\*+[\"']")
_PREFIX = "user-content-"  # GitHub's prefix for heading IDs, which its script removes


@dataclass(frozen=True)
class RequestPolicy:
    """How politely and how long to request. Times are in seconds.

    `page` is how much of a page is read at most, in bytes.
    """

    pause: float = 0.2
    timeout: float = 10.0
    attempts: int = 3
    backoff: float = 0.5
    longest_wait: float = 30.0
    redirects: int = 8
    page: int = 2_000_000


@dataclass(frozen=True)
class Answer:
    """The result of a check, with `why` for the user; a `closed` host responded, but inconclusively.

    `moved` is the target of a permanent redirect, if any. `ids` are the anchors of the page, None if it was not read.
    """

    kind: Kind
    why: str = ""
    moved: str = ""
    ids: frozenset[str] | None = None


@dataclass
class _Host:
    """When a host may be asked next, its consecutive failures, and the answer once it is given up."""

    next_at: float = 0.0
    failures: int = 0
    final_answer: Answer | None = None


@dataclass
class LinkChecker:
    """Sends requests to hosts, no faster than `manners` allow. Safe to share between threads."""

    guard: Guard
    manners: RequestPolicy = RequestPolicy()
    stopped: threading.Event = field(default_factory=threading.Event)
    _hosts: dict[str, _Host] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def check_url(self, url: str, *, read: bool = False) -> Answer:
        """Return the answer for a URL. `read` also collects the anchors of an HTML page."""
        at, moved, permanent = url, "", True
        for _ in range(self.manners.redirects):
            response = self._request_with_retries(at, read=read)
            if isinstance(response, Answer):
                return response if at == url else _describe_redirected(at, response)
            if response.status not in _REDIRECTS or not response.location:
                return _judge_response(response, url, at, moved)
            permanent = permanent and response.status in _PERMANENT
            following = _join_redirect(at, response.location)
            if following is None:
                return Answer("closed", "is not the URL of a web page")
            at = following
            moved = at if permanent else moved
        return Answer("closed", "redirects too often")

    def _request_with_retries(self, url: str, *, read: bool) -> Response | Answer:
        """Return a response to HEAD, or GET if needed; retry if the host is busy or does not respond."""
        host = (urlsplit(url).hostname or "").lower()
        known, answer = self._get_host(host), Answer("unchecked", "was not checked")
        for attempt in range(self.manners.attempts):
            if self.stopped.is_set() or known.final_answer:
                return known.final_answer or answer
            try:
                response = self._request_once(url, read=read)
            except NoSuchHost:
                return Answer("no-host", f"no such host `{host}`")
            except (ForbiddenHost, UnresolvedHost) as problem:
                return Answer("unchecked", str(problem))
            except UntrustedCertificate as problem:
                return Answer("gone", str(problem))
            except NoResponse as problem:
                answer, wait = Answer("unchecked", str(problem)), self._compute_backoff(attempt)
                known.failures += 1
                known.final_answer = answer if known.failures >= self.manners.attempts else None
            else:
                known.failures = 0
                if response.status not in _BUSY:
                    return response
                answer = Answer("closed", f"answers {response.status}")
                wait = _parse_retry_after(response.retry_after) or self._compute_backoff(attempt)
            if wait > self.manners.longest_wait:
                known.final_answer = answer
            known.next_at = max(known.next_at, time.monotonic() + wait)
        return answer

    def _compute_backoff(self, attempt: int) -> float:
        return self.manners.backoff * float(2**attempt) * random.uniform(1, 1.5)  # noqa: S311 - only to spread requests

    def _request_once(self, url: str, *, read: bool) -> Response:
        """Send one HEAD request, or GET if the page is to be read or to confirm a failure of HEAD."""
        if not read:
            try:
                response = self._send_request("HEAD", url)
            except NoResponse:
                response = None  # some hosts close the connection on HEAD
            if response is not None and response.status < HTTPStatus.BAD_REQUEST:
                return response
        return self._send_request("GET", url, most=self.manners.page if read else 0)

    def _send_request(self, method: str, url: str, *, most: int = 0) -> Response:
        self._wait_for_turn((urlsplit(url).hostname or "").lower())
        return send_request(method, url, self.guard, timeout=self.manners.timeout, most=most)

    def _get_host(self, host: str) -> _Host:
        with self._lock:
            return self._hosts.setdefault(host, _Host())

    def _wait_for_turn(self, host: str) -> None:
        """Take the next turn of a host, and wait for it."""
        known = self._get_host(host)
        with self._lock:
            turn = max(time.monotonic(), known.next_at)
            known.next_at = turn + self.manners.pause
        self.stopped.wait(max(turn - time.monotonic(), 0))


def _describe_redirected(at: str, answer: Answer) -> Answer:
    """Return an answer after a redirect; an inconclusive one names the host that gave it."""
    if answer.kind not in ("closed", "unchecked"):
        return answer
    return replace(answer, why=f"leads to {urlsplit(at).netloc}, which {answer.why}")


def _join_redirect(url: str, location: str) -> str | None:
    """Return the URL that a redirect points to, or None if it is not an HTTP URL."""
    try:
        at = urljoin(url, location)
        parts = urlsplit(at)
        return at if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


def _judge_response(response: Response, url: str, at: str, moved: str) -> Answer:
    """Return the answer that a response without a further redirect means for a URL."""
    by = "" if at == url else f" {at}, which"
    status = response.status
    if status in _GONE:
        leads = f"leads to{by} answers" if by else "answers"
        return Answer("gone", f"{leads} {status} ({HTTPStatus(status).phrase})")
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Answer("closed", f"answers {status}")
    ids = None if response.body is None else frozenset(find_ids(response.body.decode("utf-8", "replace")))
    return Answer("there", moved=moved, ids=ids)


def _parse_retry_after(value: str) -> float:
    """Return the seconds to wait by `Retry-After`, a number or a date (RFC 9110, 10.2.3); 0 if not set."""
    if re.fullmatch(r"\d{1,9}", value.strip()):
        return float(value)
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return 0.0


def find_ids(html: str) -> Iterator[str]:
    """Yield the anchors of an HTML page, and possible ones.

    Its own `#` links and the strings in its scripts may become anchors there.
    """
    for attribute in html_tags.iter_attributes(html):
        if attribute.is_id:
            yield attribute.value.removeprefix(_PREFIX)
        elif attribute.value.startswith("#"):
            yield attribute.value[1:]
    for script in _SCRIPT.finditer(html):
        for quoted in _QUOTED.finditer(script[1]):
            yield quoted[1].removeprefix(_PREFIX)
