"""The text of a page with some of it written otherwise, such as the addresses that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tutorial_tool import data
from tutorial_tool.markdown.document import Document
from tutorial_tool.site import Page

Edit = tuple[int, int, str]  # Where a text begins and ends, and what stands there instead


def build_link_edits(document: Document, new: Callable[[str], str]) -> list[Edit]:
    """Each address of a link, a picture, or a definition that `new` gives another form."""
    targets = [(link.href, link.place) for link in document.links]
    targets += [(image.src, image.place) for image in document.images]
    targets += [(definition.href, definition.place) for definition in document.definitions]
    edits = [(*place, text) for href, place in targets if place is not None and (text := new(href)) != href]
    return list(dict.fromkeys(edits))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made; none of them overlaps another."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def strip_front_matter(text: str, page: Page) -> str:
    """A page's text with its title as a heading, where its body has none."""
    parts = data.find_front_matter(text)
    body = text[parts.body :].lstrip("\n") if parts else text
    if not parts or any(heading.level == 1 for heading in page.document.lean.headings):
        return body
    title = data.parse_metadata(text).get("title")
    return f"# {title}\n\n{body}" if title else body
