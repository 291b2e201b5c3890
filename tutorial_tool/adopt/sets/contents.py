"""Find the order of steps on a page that lists them: the index of a platform, of all, or the README."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from posixpath import basename, commonpath, dirname, splitext

from tutorial_tool.links.resolver import Addresses, get_addresses
from tutorial_tool.markdown.document import Document, Link
from tutorial_tool.site import Page, Site

INDEXES = ("index", "_index", "readme", "summary", "_sidebar")  # Names of pages that list a folder's contents


def is_index(stem: str) -> bool:
    """Return whether the page with this path, or step with this name, is an index of its folder."""
    return basename(stem).lower() in INDEXES


def find_places(own: Mapping[str, str], read: Site) -> dict[str, float]:
    """Return the positions of steps on the page that lists most of them.

    The result is empty if no page lists more than half. `own` are the paths of the steps' pages on one platform. The
    page is in their folder, or above it.
    """
    known = get_addresses(read)
    steps = {path: step for step, path in own.items()}
    home = commonpath(map(dirname, steps))
    above = {"", home, *map(str, PurePosixPath(home).parents)}
    pages = (page for page in read.pages if page.path.rpartition("/")[0] in above)
    listed = ((page, _find_listed_steps(page, steps, known), steps.keys() - {page.path}) for page in pages)
    telling = {page: matches for page, matches, others in listed if len(matches) > max(1, len(others) / 2)}
    if not telling:
        return {}
    page = max(telling, key=lambda page: (is_index(splitext(page.path)[0]), len(telling[page])))
    first = [steps[page.path]] if page.path in steps else []
    return {step: float(at) for at, step in enumerate((*first, *telling[page]))}


def _find_listed_steps(page: Page, steps: Mapping[str, str], known: Addresses) -> list[str]:
    """Return the other steps that a page links to in lists, or an index page anywhere, in order."""
    entries = list(_iter_entry_links(page.document))
    links = page.document.links if not entries and is_index(splitext(page.path)[0]) else entries
    targets = (known.resolve_link(page, link).page for link in links)
    matches = dict.fromkeys(steps[target.path] for target in targets if target is not None and target.path in steps)
    return [step for step in matches if step != steps.get(page.path)]


def _iter_entry_links(document: Document) -> Iterator[Link]:
    """Yield the links in lists, tables, and headings."""
    ranges = [(block.start, block.end) for block, _ in document.walk() if block.kind in ("list", "table", "heading")]
    for link in document.links:
        if any(start <= link.start < end for start, end in ranges):
            yield link
