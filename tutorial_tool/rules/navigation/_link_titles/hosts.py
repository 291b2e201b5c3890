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
    r"(?P<code>`?)https?://(?P<host>(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})(?::\d+)?"
    r"(?P<path>(?:/[^\s\]`]*)?)(?P=code)(?=\]|$)",
    re.IGNORECASE,
)
_MAIL = lazy_re.compile(r"`?(?P<mail>[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,})`?(?=\]|</)", re.IGNORECASE | re.ASCII)
_MAILTO = "mailto:"
_OPEN = lazy_re.compile(r"[{}<>$*…]|\.\.|/:|xxx", re.IGNORECASE)  # Placeholder characters in a URL
_ENDING = lazy_re.compile(r"(?:index)?\.(?:html?|php|mdx?)$")


class MisleadingLink(NamedTuple):
    """A link whose text is another page's URL on the target's host, or another email address."""

    place: Range
    named: str
    target: str


@page_facts.register
def find_misleading_links(page: Page) -> tuple[MisleadingLink, ...]:
    """Return the misleading links of a page."""
    return tuple(_iter_misleading_links(page)) if "://" in page.plain or _MAILTO in page.plain else ()


def _iter_misleading_links(page: Page) -> Iterator[MisleadingLink]:
    for link in page.document.links:
        if link.kind not in ("inline", "reference", "html"):
            continue
        is_url, is_mail = link.href.startswith(("http://", "https://")), link.href.startswith(_MAILTO)
        check = _check_url_link if is_url else _check_mail_link
        if (is_url or is_mail) and (misleading := check(page, link)):
            yield misleading


def _check_mail_link(page: Page, link: Link) -> MisleadingLink | None:
    start = page.plain.find(">", link.start) if link.kind == "html" else link.start
    match = _MAIL.match(page.plain, start + 1)
    target = unquote(link.href.removeprefix(_MAILTO)).partition("?")[0]
    if match is None or not _MAIL.match(f"{target}]") or match["mail"].lower() == target.lower():
        return None
    return MisleadingLink(Range(link.start, link.end), match["mail"], target)


def _check_url_link(page: Page, link: Link) -> MisleadingLink | None:
    is_html, target = link.kind == "html", split_url(link.href.replace("\\", ""))
    match = _ADDRESS.match(link.text.strip()) if is_html else _ADDRESS.match(page.plain, link.start + 1)
    if match is None or not target.hostname:
        return None
    host, other = (name.lower().removeprefix("www.") for name in (match["host"], target.hostname))
    path = match["path"].replace("\\", "")  # GitBook escapes underscores and hash signs, in both
    if host != other or _OPEN.search(path + target.path) or not _is_another_page(path, target):
        return None
    return MisleadingLink(Range(link.start, link.end), host + path, host + target.path)


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
