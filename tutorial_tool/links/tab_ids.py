"""The ids that `pymdownx.tabbed` and `pymdownx.blocks.tab` give the titles of tabs, if configured."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from tutorial_tool.links.heading_ids import hyphenate_text
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.headings import build_python_markdown_slug, extract_words
from tutorial_tool.markdown.parser import Block

Tabs = Literal["", "title", "heading"]
"""Source of a tab's ID: nothing stable, its title, or the preceding heading's ID and its title."""


class Tab(NamedTuple):
    """The title of a tab, and the number of headings up to the one that it belongs to."""

    title: str
    headings: int


def find_tabs(document: Document) -> tuple[Tab, ...]:
    """Return the tabs of a page."""
    headings = (block.start for block, _ in document.walk() if block.kind == "heading")
    numbers = {start: number for number, start in enumerate(headings, 1)}
    return tuple(_iter_tabs(document.blocks, 0, numbers))


def _iter_tabs(blocks: Iterable[Block], number: int, numbers: Mapping[int, int]) -> Iterator[Tab]:
    """Yield the tabs in blocks below a heading: headings in a tab before are not around the next one."""
    for block in blocks:
        number = numbers.get(block.start, number) if block.kind == "heading" else number
        if block.kind == "container" and block.info == "tab":
            yield Tab(extract_words(block.inlines), number)
        yield from _iter_tabs(block.children, number, numbers)


def build_ids(tabs: Sequence[Tab], headings: Sequence[str], of: Tabs) -> Iterator[str]:
    """Yield all ids that tabs may have. `headings` are the ids of the page's headings.

    `slugify` may be configured to preserve case, or be that of headings.
    """
    for slug in _SLUGS if of else ():
        asked: dict[str, int] = {}
        for tab in tabs:
            before = headings[tab.headings - 1] if of == "heading" and tab.headings else ""
            id_ = f"{before}-{slug(tab.title)}" if before else slug(tab.title)
            for wanted in dict.fromkeys((id_, slug(tab.title))):
                count = asked[wanted] = asked.get(wanted, -1) + 1
                yield wanted
                yield f"{wanted}_{count + 1}"  # the first one is also numbered if a heading has its ID


def _build_slug(text: str) -> str:
    return hyphenate_text(unicodedata.normalize("NFC", text).strip())


_SLUGS: tuple[Callable[[str], str], ...] = (
    lambda text: _build_slug(text).lower(),
    _build_slug,
    build_python_markdown_slug,
)
