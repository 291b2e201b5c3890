"""A link whose text does not describe its target: `here`, `<< Previous`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import unescape
from typing import NamedTuple

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_more
from tutorial_tool.markdown.document import Link
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import HABIT
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.spelling import word_lists

_NAVIGATION = lazy_re.compile(r"(?:previous|prev|next)\b")
_NAMED = lazy_re.compile(r"\b(?:aria-label|aria-labelledby|title)\s*=", re.IGNORECASE)


_PICTURE = lazy_re.compile(r"\balt\s*=\s*(?:\"[^\"]*\w|'[^']*\w|\{|\w)", re.IGNORECASE)
"""An image in HTML with alt text."""
_NAMES = lazy_re.compile(r"https?://(?:www\.)?([\w-]+)\.[^/?#]*(?:/(?:[^?#]*/)?([^/?#]*))?/?(?:[?#].*)?$")
"""The first label of a host, and the last segment of the path."""


@cache
def get_vague_texts() -> frozenset[str]:
    """Return the vague texts, in lowercase."""
    return frozenset(word_lists.read_lines("unnamed"))


@rule("navigation", Severity.HINT, yields_to=("typed-navigation",), english=True)
def check(site: Site) -> Iterator[Finding]:
    known = links.get_addresses(site)
    by_text: dict[str, dict[Page, list[_Link]]] = {}
    for page in site.pages:
        for link in page.get_cached(_find_vague_links) if page.may_be_english else ():
            if not _is_name(known, page, link):
                by_text.setdefault(link.normalized, {}).setdefault(page, []).append(link)
    for pages in by_text.values():
        yield from map(_report_links, [pages] if len(pages) > HABIT else ({page: pages[page]} for page in pages))


def _is_name(known: links.Addresses, page: Page, link: _Link) -> bool:
    """Return whether the text is the name of the link's target."""
    is_product = _NAVIGATION.match(link.normalized) and known.resolve_href(page, link.href).kind in (
        "external",
        "mail",
    )  # `Next`
    is_site = link.shown[:1].isupper() and re.match(rf"https?://[\w.]*\b{re.escape(link.normalized)}\b", link.href)
    is_part = _NAMES.match(link.href) and link.normalized in (
        _NAMES.sub(r"\1", link.href),
        _NAMES.sub(r"\2", link.href),
    )
    return bool(is_product or is_site or is_part)


def _report_links(pages: Mapping[Page, list[_Link]]) -> Finding:
    """Build one finding for the links of one page, or of the many pages that share a text."""
    in_order = sorted(pages, key=lambda page: page.path.split("/"))
    (page, first), *others = ((page, link) for page in in_order for link in pages[page])
    count = f" (on {len(pages)} pages)" if len(pages) > 1 else format_more(others)
    what = f"link text `{first.shown}` does not say what it links to" if first.shown else "link has no text"
    return page.flag(first.place, what + count, again=[(other, link.place, "and here") for other, link in others])


class _Link(NamedTuple):
    """A link with a vague text: as shown, and `normalized`, as compared."""

    normalized: str
    shown: str
    href: str
    place: tuple[int, int]


@page_facts.register_english
def _find_vague_links(page: Page) -> tuple[_Link, ...]:
    return tuple(
        _Link(_normalize_text(link), " ".join(unescape(link.text).split()), link.href, (link.start, link.end))
        for link in page.document.links
        if (_normalize_text(link) in get_vague_texts() or _is_empty(page, link)) and not _has_other_name(page, link)
    )


def _normalize_text(link: Link) -> str:
    """Return a link's text in lowercase, without arrows and punctuation around it."""
    return " ".join(re.sub(r"[^\w\s'’-]+", " ", unescape(link.text).lower().replace("\ufffc", "x")).split())


def _is_empty(page: Page, link: Link) -> bool:
    """Return whether a link is invisible.

    MyST shows the title of its target; a link without a target carries an id.
    """
    if link.text or link.kind != "inline" or not link.href or page.dialect is Dialect.MYST:
        return False
    return _PICTURE.search(page.document.text, link.start, link.end) is None


def _has_other_name(page: Page, link: Link) -> bool:
    is_named = link.kind == "html" and _NAMED.search(page.document.text, link.start, link.end) is not None
    return is_named or bool(link.title)
