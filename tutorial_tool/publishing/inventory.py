"""The inventory of a site for later comparison: published pages, titles, anchors and redirects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

from tutorial_tool.config.settings import Config, ConfigError
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.publishing import redirect_pages
from tutorial_tool.site import Site

VERSION = 1
FILE = "inventory.json"  # Its name in a built site


class UnreadableInventory(ValueError):
    """A text is not a valid inventory; the message explains why."""


@dataclass(frozen=True)
class Entry:
    """A published page: its URL path, title and anchors. `span` is its span in the inventory.

    `moved_to` is the redirect target, if the entry is the old URL of a page.
    """

    url: str
    title: str
    anchors: tuple[str, ...]
    span: Span
    moved_to: str = ""


def render_json(sites: Sequence[Site], published: Iterable[str] = (), base: str = "", version: str = "") -> str:
    """Return the inventory of some sites as JSON, one page per line for readable diffs.

    `published` are the URLs of the previous inventory, which redirect patterns may match. A `version` has its folder
    below the `base` of the site.
    """

    def format_entries(entries: Iterable[dict[str, Any]]) -> str:
        ordered = sorted(map(add_version, entries), key=itemgetter("url"))
        return ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in ordered)

    def add_version(entry: dict[str, Any]) -> dict[str, Any]:
        urls = ((key, entry.get(key, "")) for key in ("url", "to") if version)
        return entry | {key: f"{base}{version}/{url.removeprefix(base)}" for key, url in urls if url.startswith(base)}

    pages = format_entries(entry for site in sites for entry in _iter_pages(site))
    led = format_entries(entry for site in sites for entry in _iter_redirects(site, published))
    named = f'  "docs-version": {json.dumps(version)},\n' if version else ""
    redirects = f',\n  "redirects": [\n{led}\n  ]' if led else ""
    return f'{{\n  "version": {VERSION},\n{named}  "pages": [\n{pages}\n  ]{redirects}\n}}\n'


def _iter_redirects(site: Site, published: Iterable[str]) -> Iterator[dict[str, Any]]:
    from tutorial_tool import links

    addresses = links.get_addresses(site)
    base = next((tree.base for tree in addresses.pages.trees if tree.is_exact), "/")
    for file, target in redirect_pages.find_moves(site, published):
        page = target.page
        to = addresses.get_url(page) if page else target.path if target.kind == "external" else base + target.path
        anchor = f"#{target.fragment}" if target.fragment else ""
        yield {"url": base + file.removesuffix("index.html"), "to": to + anchor}


def _iter_pages(site: Site) -> Iterator[dict[str, Any]]:
    from tutorial_tool import links

    addresses = links.get_addresses(site)
    for page in site.pages:
        if addresses.is_published(page):
            yield {
                "url": addresses.get_url(page),
                "title": addresses.pages.get_title(page),
                "anchors": sorted(addresses.get_anchors(page)),
            }


def load_published(config: Config) -> tuple[Entry, ...]:
    """Return the entries of the previous inventory named in the configuration.

    Raises: ConfigError if it can't be read.
    """
    if config.inventory is None:
        return ()
    source = files.read(config.folder / config.inventory, root=config.folder)
    if not isinstance(source, Source):
        raise ConfigError([f"{source.span.path}: inventory: {source.message}"])
    return _parse_published(source.path, source.raw)


@lru_cache(maxsize=2)
def _parse_published(path: str, text: str) -> tuple[Entry, ...]:
    """Parse the inventory once for both rules."""
    try:
        return tuple(parse_entries(Source(path, text)))
    except UnreadableInventory as wrong:
        raise ConfigError([f"{path}: inventory: {wrong}"]) from wrong


def parse_entries(source: Source) -> list[Entry]:
    """Return the pages of an inventory.

    Raises: UnreadableInventory if it is not valid.
    """
    try:
        value = json.loads(source.text)
    except (ValueError, RecursionError) as wrong:
        raise UnreadableInventory(f"not valid JSON: {wrong}") from wrong
    if not isinstance(value, dict) or not isinstance(value.get("pages"), list):
        raise UnreadableInventory("not an inventory: it has no list of pages")
    if value.get("version") != VERSION:
        raise UnreadableInventory(f"this inventory has version {value.get('version')}; {VERSION} can be read")
    redirects = value.get("redirects")
    pages = [*value["pages"], *(redirects if isinstance(redirects, list) else ())]
    version = _coerce_text(value.get("docs-version"))
    return list(_parse_entries(source, pages, f"/{version}/" if version else "/"))


def _parse_entries(source: Source, pages: list[Any], version: str) -> Iterator[Entry]:
    """Yield the entries, with their URLs in an unversioned site."""
    at = 0
    for page in pages:
        url = page.get("url") if isinstance(page, dict) else None
        if not isinstance(url, str):
            raise UnreadableInventory("each page of an inventory has a `url`")
        shown = json.dumps(url, ensure_ascii=False)
        index = source.text.find(shown, at)
        at = index + len(shown) if index >= 0 else at
        place = source.span(index + 1, at - 1) if index >= 0 else source.span(0)
        title, anchors, to = page.get("title"), page.get("anchors"), page.get("to")
        texts = [item for item in anchors if isinstance(item, str)] if isinstance(anchors, list) else []
        yield Entry(
            url.replace(version, "/", 1),
            _coerce_text(title),
            tuple(texts),
            place,
            _coerce_text(to).replace(version, "/", 1),
        )


def _coerce_text(value: object) -> str:
    return value if isinstance(value, str) else ""
