"""The text of a page with some of it written otherwise, such as the addresses that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tutorial_tool.markdown.document import Document

Edit = tuple[int, int, str]  # Where a text begins and ends, and what stands there instead


def address_edits(document: Document, new: Callable[[str], str]) -> list[Edit]:
    """Each address of a link, a picture, or a definition that `new` gives another form."""
    targets = [(link.href, link.place) for link in document.links]
    targets += [(image.src, image.place) for image in document.images]
    targets += [(definition.href, definition.place) for definition in document.definitions]
    edits = [(*place, text) for href, place in targets if place is not None and (text := new(href)) != href]
    return list(dict.fromkeys(edits))


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made; none of them overlaps another."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text
