"""The same block of links at the top and the foot of a page; a single link, where the copies have it once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import CONTEXT, Link
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.variants import Step
from tutorial_tool.variants.persistence import register_persistent

_OWN_PLACE = lazy_re.compile(r"^\s*[»›>/|·]\s*(?:\S+\s?){1,4}$")
_ASIDE = "·|•/-–—<>«»‹›←→()[] "  # Separators between or around the links of a block


@rule("navigation", Severity.HINT)
def check(site: Site, config: Config) -> Iterator[Finding]:
    single: dict[str, set[str]] = {}
    for step in variants.find_steps(site, config.variants):
        single.update(variants.get_cached(step, _find_repeated_links))
    for page, blocks in collect_facts(site, _find_link_blocks).items():
        yield from _report_repeated(page, blocks, single.get(page.path, set()))


class _Block(NamedTuple):
    """A paragraph of links only: their URLs and its span."""

    hrefs: tuple[str, ...]
    place: tuple[int, int]


def _report_repeated(page: Page, blocks: Iterable[_Block], single: set[str]) -> Iterator[Finding]:
    """Report the link blocks that repeat on a page; of single links, only those in `single`."""
    seen: dict[tuple[str, ...], tuple[int, int]] = {}
    for hrefs, place in blocks:
        if len(hrefs) < 2 and hrefs[0] not in single:
            continue
        if first := seen.get(hrefs):
            what = "block of links" if len(hrefs) > 1 else "link"
            related = [(page, first, "the first time")]
            yield page.flag(place, f"repeated {what}", related=related)
        else:
            seen[hrefs] = place


@register_persistent
def _find_repeated_links(step: Step) -> dict[str, set[str]]:
    """Find links on a line by themselves that a page has more often than another copy, by path."""
    pages, out = list(step.pages.values()), {}
    counts = {
        page: Counter(hrefs[0] for hrefs, _ in page.get_cached(_find_link_blocks) if len(hrefs) == 1) for page in pages
    }
    for page, left in counts.items():
        others = [right for other, right in counts.items() if other is not page]
        out[page.path] = {href for href, n in left.items() if n > 1 and any(right[href] == 1 for right in others)}
    return out


@page_facts.register
def _find_link_blocks(page: Page) -> tuple[_Block, ...]:
    """Return the paragraphs that consist of links, apart from line breaks and punctuation."""
    linkses = _group_adjacent_links(page)
    return tuple(_Block(tuple(link.href for link in block), (block[0].start, block[-1].end)) for block in linkses)


def _group_adjacent_links(page: Page) -> Iterator[list[Link]]:
    block: list[Link] = []
    for link in page.document.links:
        between = page.document.text[block[-1].end : link.start] if block else ""
        if block and "\n\n" not in between and not _strip_separators(between):
            block.append(link)
            continue
        if block and _fills_paragraph(page, block):
            yield block
        block = [link]
    if block and _fills_paragraph(page, block):
        yield block


def _fills_paragraph(page: Page, block: list[Link]) -> bool:
    text = page.document.text
    front = page.document.front_matter
    start = max(text.rfind("\n\n", 0, block[0].start) + 1, front.body if front else 0)
    before = text[start : block[0].start]
    end = text.find("\n\n", block[-1].end)
    return not _strip_separators(before) and not _strip_separators(text[block[-1].end : end if end >= 0 else len(text)])


def _strip_separators(text: str) -> str:
    """Remove separators between links, and the page's own name at the end of a breadcrumb."""
    if len(text) > CONTEXT:
        return text
    for tag in ("<br/>", "<br>", "<br />"):
        text = text.replace(tag, "")
    text = _OWN_PLACE.sub("", text)
    return "".join(text.split()).strip(_ASIDE)
