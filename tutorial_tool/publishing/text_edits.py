"""Edits of a page's text, such as other URLs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tutorial_tool import data
from tutorial_tool.markdown.document import Document
from tutorial_tool.site import Page

Edit = tuple[int, int, str]  # Start, end, and replacement of a text


def build_link_edits(document: Document, new: Callable[[str], str]) -> list[Edit]:
    """Return edits for URLs of links, images and definitions that `new` changes."""
    targets = [(link.href, link.place) for link in document.links]
    targets += [(image.src, image.place) for image in document.images]
    targets += [(definition.href, definition.place) for definition in document.definitions]
    edits = [(*place, text) for href, place in targets if place is not None and (text := new(href)) != href]
    return list(dict.fromkeys(edits))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits applied, which must not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def strip_front_matter(text: str, page: Page) -> str:
    """Return a page's text without front matter, with its title as a heading if the body has none."""
    parts = data.find_front_matter(text)
    body = text[parts.body :].lstrip("\n") if parts else text
    if not parts or any(heading.level == 1 for heading in page.document.lean.headings):
        return body
    title = data.parse_metadata(text).get("title")
    return f"# {title}\n\n{body}" if title else body
