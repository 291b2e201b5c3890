"""Links whose text is itself a URL, and not the one that they point to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import SplitResult, unquote

from tutorial_tool.core import lazy_re
from tutorial_tool.links.urls import split_url
from tutorial_tool.markdown.document import Link, Range
from tutorial_tool.site import Page, page_facts

_ADDRESS = lazy_re.compile(
    r"(?P<code>`?)(?P<scheme>https?://)?(?P<host>(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?P<end>[a-z]{2,}))(?::\d+)?"
    r"(?P<path>/[^\s\]`]*)?(?P=code)(?=\]|$)",
    re.IGNORECASE,
)
_ENDS = frozenset(
    """com net org io dev app ai co gov edu cloud sh me info biz us uk de fr nl eu ch at es it pl se no fi dk be jp cn
    kr in au br ca ru cz""".split()
)
"""Top-level domains of hosts that are named without a scheme: `node.js/x` is a path."""
_SAMPLE = lazy_re.compile(r"example|localhost|(?:^|[.-])(?:your|my)|\.(?:test|local|invalid|internal)$", re.IGNORECASE)
"""Placeholders for the reader's own hosts."""
_SHORT = frozenset("aka.ms bit.ly git.io goo.gl t.co tinyurl.com youtu.be amzn.to lnkd.in forms.gle app.link".split())
"""Hosts that only redirect."""
_SECOND = frozenset("ac co com edu gov net org or ne".split())


_MAIL = lazy_re.compile(r"`?(?P<mail>[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,})`?(?=\]|</)", re.IGNORECASE | re.ASCII)
_MAILTO = "mailto:"
_OPEN = lazy_re.compile(r"[{}<>$*…]|\.\.|/:|xxx", re.IGNORECASE)  # Placeholder characters in a URL
_ENDING = lazy_re.compile(r"(?:index)?\.(?:html?|php|mdx?)$")


class MisleadingLink(NamedTuple):
    """A link whose text is another URL than its target's: hosts, if these differ.

    `is_sure` if the text is more than a host: a bare host may be what a link is about.
    """

    place: Range
    named: str
    target: str
    is_sure: bool


@page_facts.register
def find_misleading_links(page: Page) -> tuple[MisleadingLink, ...]:
    """Return the misleading links of a page."""
    return tuple(_iter_misleading_links(page)) if "://" in page.plain or _MAILTO in page.plain else ()


def _iter_misleading_links(page: Page) -> Iterator[MisleadingLink]:
    for link in page.document.links:
        if link.kind not in ("inline", "reference", "html"):
            continue
        if link.href.startswith(("http://", "https://")):
            misleading = _check_url_link(page, link)
        else:
            misleading = _check_mail_link(page, link) if link.href.startswith(_MAILTO) else None
        if misleading:
            yield misleading


def _check_mail_link(page: Page, link: Link) -> MisleadingLink | None:
    start = page.plain.find(">", link.start) if link.kind == "html" else link.start
    match = _MAIL.match(page.plain, start + 1)
    target = unquote(link.href.removeprefix(_MAILTO)).partition("?")[0]
    if match is None or not _MAIL.match(f"{target}]") or match["mail"].lower() == target.lower():
        return None
    return MisleadingLink(Range(link.start, link.end), match["mail"], target, is_sure=True)


def _check_url_link(page: Page, link: Link) -> MisleadingLink | None:
    is_html, target = link.kind == "html", split_url(link.href)
    match = _ADDRESS.match(link.text.strip()) if is_html else _ADDRESS.match(page.plain, link.start + 1)
    if match is None or not target.hostname:
        return None
    host, other = (name.lower().removeprefix("www.") for name in (match["host"], target.hostname))
    place, path = Range(link.start, link.end), match["path"] or ""
    if host == other:
        is_off = match["scheme"] and not _OPEN.search(path + target.path) and _is_another_page(path, target)
        return MisleadingLink(place, host + path, host + target.path, is_sure=True) if is_off else None
    if _may_be_name(match) or _is_plausible_host(host, path, other, target):
        return None
    return MisleadingLink(place, host, other, is_sure=bool(match["scheme"] or len(path) > 1))


def _may_be_name(match: re.Match[str]) -> bool:
    """Return whether an apparent host may be the name of a file or a product: `Node.js`."""
    if match["scheme"]:
        return False
    is_product = not match["path"] and (match["code"] or match["host"].count(".") < 2)
    return match["end"].lower() not in _ENDS or bool(is_product)


def _is_another_page(path: str, target: SplitResult) -> bool:
    """Return whether two paths of a host are different pages: none contains the other, the ends differ."""
    left, right = _split_path(path), _split_path(target.path)
    if not left or not right or left[-1] == right[-1] or path.strip("/").lower() in unquote(target.query).lower():
        return False
    return not (_is_within(left, right) or _is_within(right, left))


def _split_path(path: str) -> list[str]:
    """Split a path into its components, without the endings that servers add."""
    named = unquote(re.split("[?#]", path)[0]).lower().strip("/")
    return [part for part in re.sub(_ENDING.pattern, "", named).split("/") if part]


def _is_within(short: list[str], long: list[str]) -> bool:
    """Return whether all components of a path occur in another one, in order."""
    rest = iter(long)
    return all(part in rest for part in short)


def _is_plausible_host(host: str, path: str, other: str, target: SplitResult) -> bool:
    """Return whether a host may replace another.

    That is one of the same owner or name, a sample, one that redirects, or one that has moved with all of its pages.
    """
    if _get_domain(host) == _get_domain(other) or _SHORT & {_get_domain(host), _get_domain(other)}:
        return True
    if _SAMPLE.search(host) or _SAMPLE.search(other):
        return True
    name = _get_domain(host).partition(".")[0]
    address = f"{other}{target.path}?{target.query}".lower()
    if host in address or name in other or _get_domain(other).partition(".")[0] in host:
        return True
    last = path.rstrip("/").rpartition("/")[2]
    return name in address if not last else target.path.rstrip("/").endswith(f"/{last}")


def _get_domain(host: str) -> str:
    """Return the registrable domain of a host: `shop.co.uk` for `docs.shop.co.uk`."""
    parts = host.split(".")
    return ".".join(parts[-3:] if len(parts[-1]) == 2 and parts[-2:-1] and parts[-2] in _SECOND else parts[-2:])
