"""Complete the destinations of links and images while their URL is being written."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from urllib.parse import quote

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source, find_line_start
from tutorial_tool.fs import files
from tutorial_tool.links import Addresses
from tutorial_tool.lsp.completion import Choice, CompletionOffer
from tutorial_tool.lsp.suppression_comments import find_written_page
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.functions import PICTURES

MAX_PAGES = 1000  # Maximum number of pages offered; in larger sites, only those whose URL or title contains the input
_ADDRESS = lazy_re.compile(
    r"(?P<image>!?)\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(<?(?P<inline>[^()<>\s]*)$"
    r"|^ {0,3}\[[^\[\]]+\]:[ \t]+<?(?P<defined>[^<>\s]*)$"
)


def find_choices(site: Site, source: Source, offset: int) -> CompletionOffer | None:
    """Return the choices at an offset of a page; None outside a URL."""
    match = _ADDRESS.search(source.text[find_line_start(source.text, offset) : offset])
    page = find_written_page(site, source.path)
    if match is None or page is None:
        return None
    typed = match["inline"] if match["defined"] is None else match["defined"]
    path, mark, fragment = typed.partition("#")
    addresses = links.get_addresses(site)
    if mark:
        return CompletionOffer(offset - len(fragment), tuple(_iter_anchors(addresses, page, path)))
    if match["image"]:
        folder, _, name = typed.rpartition("/")
        pictures = _iter_pictures(addresses, page, f"{folder}/" if folder else "")
        return CompletionOffer(offset - len(name), tuple(pictures))
    choices = tuple(_iter_pages(addresses, page, typed))
    if len(choices) > MAX_PAGES:
        matching = [choice for choice in choices if typed.lower() in f"{choice.text} {choice.detail}".lower()]
        return CompletionOffer(offset - len(typed), tuple(matching[:MAX_PAGES]), is_complete=False)
    return CompletionOffer(offset - len(typed), choices)


def _iter_pages(addresses: Addresses, page: Page, typed: str) -> Iterator[Choice]:
    """Yield the other pages of the page's tree, each by a URL that resolves to it from the page."""
    tree = addresses.get_tree(page)
    for other in addresses.pages.site.pages:
        if other is page or addresses.get_tree(other) is not tree:
            continue
        hrefs = (
            href
            for href in _iter_urls(addresses, page, other, typed)
            if addresses.resolve_href(page, href).page is other
        )
        if (href := next(hrefs, None)) is not None:
            yield Choice(href, addresses.pages.get_title(other), "page")


def _iter_urls(addresses: Addresses, page: Page, other: Page, typed: str) -> Iterator[str]:
    """Yield the URLs of a page as authors write them, in the form already typed."""
    if not typed.startswith("/"):
        relative = posixpath.relpath(other.path, posixpath.dirname(page.path) or ".")
        yield f"./{quote(relative)}" if typed.startswith("./") and not relative.startswith(".") else quote(relative)
    if typed.startswith("/") or not typed:
        yield f"/{quote(other.path)}"
        yield addresses.get_url(other)


def _iter_anchors(addresses: Addresses, page: Page, path: str) -> Iterator[Choice]:
    """Yield the anchors of the page at a path: those of its headings in order, then the others."""
    target = addresses.resolve_href(page, path)
    other = page if target.kind == "self" else target.page
    if other is None:
        return
    unlisted = set(addresses.get_anchors(other))
    for heading in other.document.headings:
        anchor = heading.id or addresses.find_heading_anchor(other, str(heading.text))
        if anchor in unlisted:
            unlisted.remove(anchor)
            yield Choice(anchor, str(heading.text), "section")
    yield from (Choice(anchor, "an anchor", "section") for anchor in sorted(unlisted))


def _iter_pictures(addresses: Addresses, page: Page, folder: str) -> Iterator[Choice]:
    """Yield the folders and images in a folder, as seen from a page."""
    base = (
        addresses.pages.docs
        if folder.startswith("/")
        else posixpath.dirname(posixpath.join(addresses.pages.docs, page.path))
    )
    path = posixpath.normpath(posixpath.join(base, folder.lstrip("/")))
    if not files.contains(addresses.pages.root, path) or not os.path.isdir(path):  # noqa: PTH112 - raises nothing
        return
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.startswith("."):
                continue
            if entry.is_dir():
                yield Choice(f"{quote(entry.name)}/", "a folder", "folder")
            elif entry.name.lower().endswith(PICTURES):
                yield Choice(quote(entry.name), "an image", "figure")
