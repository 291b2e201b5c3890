"""The place of a step among all, as a template types it (`Step 2 of 4`), where the data says another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.site import Page, Site
from tutorial_tool.site.having import having
from tutorial_tool.variants.ordering import counts
from tutorial_tool.variants.ordering.counts import Line

Side = tuple[str, str]  # The tutorial and platform of pages
_FEWEST = 2  # Pages that tell places of their own: what all of them say alike counts tutorials, or lessons
_NEAR = 800  # Characters at the begin and the end of a page that are looked at before all of it is


def of(site: Site) -> Iterator[Finding]:
    """The typed places that are none of the page's own."""
    for side, lines in stated(site).items():
        total = sum(page.number is not None for page in site.page_order(*side))
        for page, line in lines.items():
            typed = page.plain[line.typed.start : line.typed.end]
            is_right = page.number is None or line.place[:2] == (page.number, total)
            if not is_right and page.source_span(*line.typed)[1]:
                yield page.flag(line.typed, f"`{typed}` is typed, and this is step {page.number} of {total}")


def stated(site: Site) -> dict[Side, Mapping[Page, Line]]:
    """The places that the pages of a tutorial on a platform tell, where they count these."""
    out: dict[Side, Mapping[Page, Line]] = {}
    known = having(site, _line)
    for side in site.orders if known else ():
        lines = {page: line for page in site.page_order(*side) if (line := known.get(page))}
        if len({line.place.number for line in lines.values()}) >= _FEWEST:
            out[side] = lines
    return out


def _line(page: Page) -> Line | None:
    """The place that a page tells first, or beside links to the pages before and after."""
    front = page.document.front_matter
    body = front.body if front else 0
    if not any(map(counts.MAY_BE.search, (page.plain[body : body + _NEAR], page.plain[-_NEAR:]))):
        return None
    line = counts.stated_line(page)
    if line is None or any(line.typed.touches(link.start, link.end) for link in page.document.links):
        return None
    begin = next((heading.end for heading in page.document.headings if heading.level == 1), 0)
    above = page.plain[max(begin, body) : line.start]
    has_links = any(line.start <= link.start < line.end for link in page.document.links)
    return line if has_links or (line.is_alone and not above.strip()) else None
