"""The inventory of a site: every page that is published, with its title and anchors, to compare with the next time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tutorial_tool import addresses
from tutorial_tool.site import Site
from tutorial_tool.source import Source, Span

VERSION = 1
FILE = "inventory.json"
"""What a build calls it."""


class Unreadable(ValueError):
    """A text that is no inventory; the message says why."""


@dataclass(frozen=True)
class Entry:
    """A page that was published: the path of its URL, its title, its anchors. `place` is where it stands."""

    url: str
    title: str
    anchors: tuple[str, ...]
    place: Span


def write(sites: Iterable[Site]) -> str:
    """The inventory of what some sites publish, as JSON: one page a line, so that changes can be read."""
    entries = sorted((entry for site in sites for entry in _entries(site)), key=lambda entry: str(entry["url"]))
    lines = ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
    return f'{{\n  "version": {VERSION},\n  "pages": [\n{lines}\n  ]\n}}\n'


def _entries(site: Site) -> Iterator[dict[str, Any]]:
    of = addresses.of(site)
    for page in site.pages:
        if of.is_published(page):
            yield {"url": of.url(page), "title": of.title(page), "anchors": sorted(of.anchors(page))}


def read(source: Source) -> list[Entry]:
    """The pages of an inventory. Raises Unreadable."""
    try:
        told = json.loads(source.text)
    except (ValueError, RecursionError) as wrong:
        raise Unreadable(f"this is not JSON: {wrong}") from wrong
    if not isinstance(told, dict) or not isinstance(told.get("pages"), list):
        raise Unreadable("this is no inventory: it has no list of pages")
    if told.get("version") != VERSION:
        raise Unreadable(f"this inventory has version {told.get('version')}; {VERSION} can be read")
    return list(_read(source, told["pages"]))


def _read(source: Source, pages: list[Any]) -> Iterator[Entry]:
    at = 0
    for page in pages:
        url = page.get("url") if isinstance(page, dict) else None
        if not isinstance(url, str):
            raise Unreadable("each page of an inventory has a 'url'")
        shown = json.dumps(url, ensure_ascii=False)
        found = source.text.find(shown, at)
        at = found + len(shown) if found >= 0 else at
        place = source.span(found + 1, at - 1) if found >= 0 else source.span(0)
        title, anchors = page.get("title"), page.get("anchors")
        told = filter(_is_text, anchors if isinstance(anchors, list) else ())
        yield Entry(url, title if isinstance(title, str) else "", tuple(told), place)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
