"""Previous and next as people type them: links in the text, `rel`, front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.addresses import Addresses
from tutorial_tool.document import Range
from tutorial_tool.rules._navigation_links import Direction, navigation_links
from tutorial_tool.site import Page


class Neighbour(NamedTuple):
    """A typed link to the page before or after. `name` is what its text says of that page's title, if anything.

    `place` is where the address stands, `link` the whole link; `target` is None where no page is known there.
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
_FRONT = re.compile(
    rf"^(?P<key>{'|'.join(_KEYS)})[ \t]*:[ \t]*(?:(?P<quote>[\"']?)(?P<value>[^\s\"'#{{\[][^\n\"']*?)(?P=quote)[ \t]*$"
    r"|\n(?P<nested>(?:[ \t]+\S[^\n]*\n)+))",
    re.MULTILINE | re.IGNORECASE,
)
_INNER = re.compile(
    r"^[ \t]+(?P<key>link|url|href|path|page|text|title|label|name)[ \t]*:[ \t]*"
    r"(?P<quote>[\"']?)(?P<value>[^\n]*?)(?P=quote)[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_ADDRESS = re.compile(r"[^\s:]*[/.][^\s]*|[\w-]+")


def typed(page: Page, addresses: Addresses) -> list[Neighbour]:
    """The typed links to the pages before and after a page, in their order."""
    return sorted([*_front_matter(page, addresses), *_links(page, addresses)], key=lambda one: one.place)


def _links(page: Page, addresses: Addresses) -> Iterator[Neighbour]:
    for link, direction, name in navigation_links(page.document):
        target = addresses.resolve(page, link.href, raw=link.kind == "html")
        is_inside = target.page is page and (target.kind == "self" or target.fragment)
        if target.kind not in ("external", "mail") and not is_inside:
            place = link.place or Range(link.start, link.end)
            yield Neighbour(direction, place, Range(link.start, link.end), name, target.page)


def _front_matter(page: Page, addresses: Addresses) -> Iterator[Neighbour]:
    front, text = page.document.front_matter, page.document.text
    for match in _FRONT.finditer(text, front.start, front.end) if front else ():
        nested = _INNER.finditer(text, *match.span("nested")) if match["nested"] else ()
        inner = {one["key"].lower(): one for one in nested}
        told = next((inner[key] for key in ("link", "url", "href", "path", "page") if key in inner), None)
        named = next((inner[key] for key in ("text", "title", "label", "name") if key in inner), None)
        value = told or (match if match["value"] else None)
        if value is None or not _ADDRESS.fullmatch(value["value"]) or value["value"] in ("null", "false", "true"):
            continue
        place, target = Range(*value.span("value")), _target(page, addresses, value["value"])
        if target is not None or "/" in value["value"]:
            name = named["value"].strip() if named else ""
            yield Neighbour(_KEYS[match["key"].lower()], place, place, name, target)


def _target(page: Page, addresses: Addresses, value: str) -> Page | None:
    """The page that front matter names: by address, or by its path in the docs folder without a suffix."""
    for href in (value, f"/{value.lstrip('/')}"):
        found = addresses.resolve(page, href, raw=True)
        if found.page is not None and found.kind == "page":
            return found.page
    return None
