"""The same block of links at the top and the foot of a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import CONTEXT, Link
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, page_facts

_OWN_PLACE = lazy_re.compile(r"^\s*[»›>/|·]\s*\S+(?:\s\S+){0,3}\s?$")
_BREAK = lazy_re.compile(r"<br ?/?>")
_ASIDE = "·|•/-–—<>«»‹›←→()[] "  # Separators between or around the links of a block


class _Block(NamedTuple):
    """A paragraph of links only: their URLs and its span."""

    hrefs: tuple[str, ...]
    place: tuple[int, int]


@rule("navigation", Severity.HINT)
def check(page: Page) -> Iterator[Finding]:
    seen: dict[tuple[str, ...], tuple[int, int]] = {}
    for hrefs, place in page.get_cached(_find_link_blocks):
        if len(hrefs) < 2:
            continue
        if first := seen.get(hrefs):
            yield page.flag(place, "repeated block of links", related=[(page, first, "the first time")])
        else:
            seen[hrefs] = place


@page_facts.register
def _find_link_blocks(page: Page) -> tuple[_Block, ...]:
    """Return the paragraphs that consist of links, apart from line breaks and punctuation."""
    linkses = _group_adjacent_links(page)
    return tuple(_Block(tuple(link.href for link in block), (block[0].start, block[-1].end)) for block in linkses)


def _group_adjacent_links(page: Page) -> list[list[Link]]:
    blocks: list[list[Link]] = []
    for link in page.document.links:
        between = page.document.text[blocks[-1][-1].end : link.start] if blocks else ""
        if blocks and "\n\n" not in between and not _strip_separators(between):
            blocks[-1].append(link)
        else:
            blocks.append([link])
    return [block for block in blocks if _is_whole_paragraph(page, block)]


def _is_whole_paragraph(page: Page, block: list[Link]) -> bool:
    text = page.document.text
    start = max(text.rfind("\n\n", 0, block[0].start) + 1, page.document.body_start)
    before = text[start : block[0].start]
    end = text.find("\n\n", block[-1].end)
    return not _strip_separators(before) and not _strip_separators(text[block[-1].end : end if end >= 0 else len(text)])


def _strip_separators(text: str) -> str:
    """Remove separators between links, and the page's own name at the end of a breadcrumb."""
    if len(text) > CONTEXT:
        return text
    text = _OWN_PLACE.sub("", _BREAK.sub("", text))
    return "".join(text.split()).strip(_ASIDE)
