"""Links among copies that do not end in `.md`, whose pages do: they follow."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Set

from tutorial_tool import links
from tutorial_tool.adopt.base import COPIES, PAGES
from tutorial_tool.site import Page, Site


def led(page: Page, read: Site, copies: Set[str]) -> Iterator[tuple[int, int, str]]:
    """The edits that bring a page's links to the pages of `copies`, which are paths of files."""
    for reference, target in links.of(read).links(page):
        path = target.page.source.path if target.page else ""
        suffix = posixpath.splitext(path)[1]
        if path not in copies or suffix not in COPIES or suffix == PAGES[0]:
            continue
        start = reference.place.start
        named = page.source.text[start : reference.place.end].partition("#")[0].partition("?")[0]
        if named.endswith(suffix):
            end = start + len(named)
            yield end - len(suffix), end, PAGES[0]
