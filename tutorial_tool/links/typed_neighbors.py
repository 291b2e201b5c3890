"""Manually written links to previous and next pages: in the text, `rel`, front matter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links import Addresses
from tutorial_tool.links.navigation_links import Direction, find_prev_next_links
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page, page_facts
from tutorial_tool.site.fact_index import collect_facts


class Neighbor(NamedTuple):
    """A manually written link to the previous or next page. `name` is that page's title by its text, if any.

    `place` is the span of the URL, `link` that of the whole link; `target` is None if the page is unknown.
    """

    direction: Direction
    place: Range
    link: Range
    name: str = ""
    target: Page | None = None


_KEYS: dict[str, Direction] = {
    "prev": "previous", "previous": "previous", "pagination_prev": "previous", "prev_page": "previous",
    "previous_page": "previous", "next": "next", "pagination_next": "next", "next_page": "next",
}  # fmt: skip
_FRONT = lazy_re.compile(
    rf"^(?P<key>{'|'.join(_KEYS)})[ \t]*:[ \t]*(?:(?P<quote>[\"']?)(?P<value>[^\s\"'#{{\[][^\n\"']*?)(?P=quote)[ \t]*$"
    r"|\n(?P<nested>(?:[ \t]+\S[^\n]*\n)+))",
    re.MULTILINE | re.IGNORECASE,
)
_INNER = lazy_re.compile(
    r"^[ \t]+(?P<key>link|url|href|path|page|text|title|label|name)[ \t]*:[ \t]*"
    r"(?P<quote>[\"']?)(?P<value>[^\n]*?)(?P=quote)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_ADDRESS = lazy_re.compile(r"[^\s:]*[/.][^\s]*|[\w-]+")


def find_all_typed(addresses: Addresses) -> dict[Page, list[Neighbor]]:
    """Return the manual links to previous and next pages, sorted by place, for each page that has any."""
    return {
        page: near
        for page in collect_facts(addresses.site, _read_page)
        if (near := find_typed_neighbors(page, addresses))
    }


def find_typed_neighbors(page: Page, addresses: Addresses) -> list[Neighbor]:
    """Return the manual links to the previous and next page, sorted by place."""
    values, links = page.get_cached(_read_page) or ([], [])
    neighbors = (*_build_from_values(page, values, addresses), *_build_from_links(page, links, addresses))
    return sorted(neighbors, key=lambda neighbor: neighbor.place)


@page_facts.register
def _read_page(page: Page) -> tuple[list[_Value], list[_Link]] | None:
    """Return the previous and next pages named by front matter and links, or None."""
    links = [
        _Link(direction, link.kind, link.href, link.place, Range(link.start, link.end), name)
        for link, direction, name in find_prev_next_links(page.document)
    ]
    values = list(_find_values(page))
    return (values, links) if values or links else None


class _Link(NamedTuple):
    """A link to the previous or next page, and that page's title by its text."""

    direction: Direction
    kind: str
    href: str
    place: Range | None
    whole: Range
    name: str


def _build_from_links(page: Page, links: Iterable[_Link], addresses: Addresses) -> Iterator[Neighbor]:
    for link in links:
        target = addresses.resolve_link(page, link)
        is_inside = target.page is page and (target.kind == "self" or target.fragment)
        if target.kind not in ("external", "mail") and not is_inside:
            yield Neighbor(link.direction, link.place or link.whole, link.whole, link.name, target.page)


class _Value(NamedTuple):
    """A URL in the front matter, and the title of the page as given there."""

    direction: Direction
    text: str
    place: Range
    name: str


def _find_values(page: Page) -> Iterator[_Value]:
    for match in page.document.find_in_front_matter(_FRONT):
        nested = _INNER.finditer(match.string, *match.span("nested")) if match["nested"] else ()
        inner = {item["key"].lower(): item for item in nested}
        reported = next((inner[key] for key in ("link", "url", "href", "path", "page") if key in inner), None)
        named = next((inner[key] for key in ("text", "title", "label", "name") if key in inner), None)
        value = reported or (match if match["value"] else None)
        if value is None or not _ADDRESS.fullmatch(value["value"]) or value["value"] in ("null", "false", "true"):
            continue
        name = named["value"].strip() if named else ""
        yield _Value(_KEYS[match["key"].lower()], value["value"], Range(*value.span("value")), name)


def _build_from_values(page: Page, values: Iterable[_Value], addresses: Addresses) -> Iterator[Neighbor]:
    for value in values:
        target = _find_target(page, addresses, value.text)
        if target is not None or "/" in value.text:
            yield Neighbor(value.direction, value.place, value.place, value.name, target)


def _find_target(page: Page, addresses: Addresses, value: str) -> Page | None:
    """Return the page that front matter names: by URL, or by its path in the docs folder without a suffix."""
    for href in (value, f"/{value.lstrip('/')}"):
        target = addresses.resolve_href(page, href, raw=True)
        if target.page is not None and target.kind == "page":
            return target.page
    return None
