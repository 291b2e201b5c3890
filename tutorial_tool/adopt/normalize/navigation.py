"""Find typed links to the previous and next pages, and the count next to them (`Step 2 of 4`)."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from tutorial_tool import links as addresses
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.sets.sequence import find_count_lines, read_count_lines
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_start
from tutorial_tool.links.typed_neighbors import Neighbor, find_typed_neighbors
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page, Site
from tutorial_tool.variants.ordering import counts
from tutorial_tool.variants.ordering.counts import Count, CountLine

_PAGES = (".md", ".mdx", ".markdown", "/index.md", "/index.mdx", "/README.md", "/_index.md")
"""Endings of a page's path that a URL may omit."""
_SAID = frozenset(
    "next previous prev back step steps page pages what s is comes up then where to go navigation".split()
)
"""Words of headings over navigation links."""
_KEY = lazy_re.compile(r"[\w-]+:[^\n]*\n(?:[ \t]+[^\n]*\n)*")  # A front matter key with its value
_ARROW = lazy_re.compile(r"\[\s*(?:[←⬅«‹]\s*[^\[\]]*|[^\[\]]*[→➡»›]\ufe0f?\s*)\]\([^()]*\)")
"""A link whose text starts or ends with an arrow."""


_BACK = lazy_re.compile(r"\W*back(?:[ \u00a0]+to)?\b.*", re.IGNORECASE | re.DOTALL)
"""The text of a link back, perhaps to the previous page."""


class TypedNavigation(NamedTuple):
    """The typed navigation of a page: the edits that remove it, and the count in it."""

    edits: tuple[tuple[int, int, str], ...]
    place: Count | None = None


def find_typed(read: Site, sets: Sequence[CopySet], root: Path, steps: Set[str]) -> Mapping[str, TypedNavigation]:
    """Return the typed navigation by page path. `steps` are the paths of all pages of the tutorials."""
    pages = {page.source.path: page for page in read.pages}
    lines, wrong, before = find_count_lines(sets, pages), _find_out_of_order(sets, pages), _find_previous_paths(sets)
    out = {}
    for path, page in pages.items():
        is_counted = page.may_be_english and path not in wrong
        line = lines.get(path) if is_counted else None
        alone = line if line and line.is_alone and line.position.is_english else None
        backs = _find_back_links(page, read, pages.get(before.get(path, "")))
        out[path] = _find_on_page(root, steps, page, read, alone, is_counted, backs)
    return out


def _find_previous_paths(sets: Sequence[CopySet]) -> dict[str, str]:
    """Return the path of the page before each page, in the order of its tutorial."""
    walks: dict[tuple[str, str], list[str]] = defaultdict(list)
    for copy_set in sorted(sets, key=lambda item: item.place):
        for platform, copy in copy_set.copies.items():
            walks[copy_set.tutorial, platform].append(copy.source.path)
    return {later: first for walk in walks.values() for first, later in pairwise(walk)}


def _find_back_links(page: Page, read: Site, before: Page | None) -> list[Range]:
    """Return the links to the previous page whose text begins with `Back`."""
    if before is None:
        return []
    links = [link for link in page.document.links if _BACK.fullmatch(link.text)]
    known = addresses.get_addresses(read)
    return [Range(link.start, link.end) for link in links if known.resolve_link(page, link).page is before]


def _find_out_of_order(sets: Sequence[CopySet], pages: Mapping[str, Page]) -> frozenset[str]:
    """Return the paths of pages in tutorials whose order contradicts the counts: either may be right."""
    counting = read_count_lines(sorted(sets, key=lambda item: item.place), pages)
    numbers = {key: [line.position.number for line in lines.values()] for key, lines in counting.items()}
    wrong = {tutorial for (tutorial, _), given in numbers.items() if given != sorted({*given})}
    return frozenset(path for (tutorial, _), lines in counting.items() if tutorial in wrong for path in lines)


def find_counted_steps(sets: Iterable[CopySet], typed: Mapping[str, TypedNavigation]) -> frozenset[tuple[str, str]]:
    """Return the steps whose pages state a count."""
    counted = (item for item in sets if any(typed[copy.source.path].place for copy in item.copies.values()))
    return frozenset((copy_set.tutorial, copy_set.step) for copy_set in counted)


def _find_on_page(
    root: Path,
    steps: Set[str],
    page: Page,
    read: Site,
    alone: CountLine | None,
    is_counted: bool,
    backs: Sequence[Range],
) -> TypedNavigation:
    """Find whole blocks, or lines of them, that consist of links to the previous and next pages.

    Links to existing pages that are not steps are kept, since no order produces them. So are counts unless
    `is_counted`.
    """
    text, front = page.source.text, page.document.front_matter
    body, edits, place = front.body if front else 0, list[tuple[int, int, str]](), None
    typed = find_typed_neighbors(page, addresses.get_addresses(read))
    neighbors = [item for item in typed if not _is_link_to_other_page(root, steps, page, item)]
    links = list(dict.fromkeys((*(item.link for item in neighbors), *_find_arrow_links(page, read, body), *backs)))
    if alone:
        edits, place = [(*_find_block(text, Range(alone.start, alone.end), body), "")], alone.position
    for block in {_find_block(text, link, body) for link in links if link.start >= body}:
        for lines in _find_navigation_spans(text, block, links):
            own, begin = counts.parse_count(counts.strip_links(text, *lines, links)), _find_removal_start(page, *lines)
            if begin is not None and (own is None or (is_counted and own.is_english)):
                edits.append((begin, lines[1], ""))
                place = place or own
    edits += [(*entry, "") for link in links if link.start < body and (entry := _find_front_matter_entry(text, link))]
    return TypedNavigation(tuple(sorted(set(edits))), place)


def _find_navigation_spans(text: str, block: tuple[int, int], links: Sequence[Range]) -> Iterator[tuple[int, int]]:
    """Yield a block that is navigation as a whole, else the lines at its start or end that are."""
    start, end = block
    if counts.is_navigation(counts.strip_links(text, start, end, links)):
        yield block
        return
    last = len(text[:end].rstrip("\n"))
    places = [*_iter_line_spans(text, start, last)]
    for own in (places, places[::-1]):
        for place in own:
            holds = any(place[0] <= link.start and link.end <= place[1] for link in links)
            if not holds or not counts.is_navigation(counts.strip_links(text, *place, links)):
                break
            # for the last line of a block, include the preceding line end instead
            yield (place[0] - 1, place[1] - 1) if place[1] > last else place


def _find_front_matter_entry(text: str, link: Range) -> tuple[int, int] | None:
    """Return the lines of a front matter key with only this URL: `next: …`, or lines below such a key."""
    start = find_line_start(text, link.start)
    while start and text[start] in " \t":
        start = find_line_start(text, start - 1)
    match = _KEY.match(text, start)
    return match.span() if match and link.end <= match.end() else None


def _find_removal_start(page: Page, start: int, end: int) -> int | None:
    """Return where removal starts: at the heading, if it is about navigation and has no other content.

    Returns None for the whole content of any other heading, which would be left empty.
    """
    text = page.source.text
    before = [heading for heading in page.document.headings if heading.end <= start]
    if not before or text[before[-1].end : start].strip():
        return start
    last = before[-1]
    after = next((heading for heading in page.document.headings if heading.start >= end), None)
    if text[end : after.start if after else len(text)].strip() or (after and after.level > last.level):
        return start
    if any(word.lower() not in _SAID for word in re.findall(r"\w+", last.text)):
        return None
    return last.start if end < len(text) else len(text[: last.start].rstrip("\n")) + 1


def _iter_line_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        after = text.find("\n", start)
        after = after + 1 if after >= 0 else end + 1
        yield start, after
        start = after


def _is_link_to_other_page(root: Path, steps: Set[str], page: Page, neighbor: Neighbor) -> bool:
    """Return whether a link points to an existing page that is not a step of a tutorial."""
    href = page.source.text[neighbor.place.start : neighbor.place.end]
    path = unquote(re.split(r"[#?]", href.strip("\"'<>"))[0])
    folder = "" if path.startswith("/") else posixpath.dirname(page.source.path)
    stem = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
    files = (stem, *(f"{stem}{suffix}" for suffix in _PAGES))
    there = {file for file in files if not file.startswith("..") and (root / file).is_file()}
    return bool(there) and there.isdisjoint(steps)


def _find_arrow_links(page: Page, read: Site, body: int) -> Iterator[Range]:
    """Yield links to other pages with an arrow in their text that are the page's first or last block."""
    text, known = page.source.text, addresses.get_addresses(read)
    for link in page.document.links:
        start, end = _find_block(text, Range(link.start, link.end), body)
        is_alone = text[start:end].strip() == text[link.start : link.end]
        is_at_end = not text[end:].strip() or not text[body:start].strip()
        if is_alone and is_at_end and _ARROW.fullmatch(text, link.start, link.end):
            target = known.resolve_link(page, link).page
            if target is not None and target is not page:
                yield Range(link.start, link.end)


def _find_block(text: str, span: Range, body: int) -> tuple[int, int]:
    """Return the lines around a range up to the next blank ones, and the blank ones that become redundant."""
    blank = text.rfind("\n\n", body, span.start)
    start = blank + 2 if blank >= 0 else body
    end = text.find("\n\n", span.end)
    if end < 0:
        before = len(text[:start].rstrip("\n"))
        return (before + 1 if before > body else start), len(text)
    return start, end + 2
