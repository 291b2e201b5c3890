"""A reference to a step or section that does not exist, or is in the other direction than the text says."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from tutorial_tool import links as addresses
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules.navigation._step_references.numbering import Numberings
from tutorial_tool.rules.navigation._step_references.outline import Outline
from tutorial_tool.site import Page, Site
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.variants import ordering
from tutorial_tool.variants.numbered_references import Reference, find_references
from tutorial_tool.variants.ordering import Order
from tutorial_tool.variants.ordering.numbers import format_number


@rule("navigation", Severity.ERROR)
def check(site: Site, config: Config) -> Iterator[Finding]:
    known = ordering.get_order(site, config.variants)
    numberings = Numberings(known)
    for page, dotted in collect_facts(site, find_references, english=True).items():
        yield from _report_page(numberings, page, dotted)


def _report_page(numberings: Numberings, page: Page, references: Iterable[Reference]) -> Iterator[Finding]:
    for reference in references:
        target = _find_target_page(numberings.order, page, reference)
        if target is None:
            continue
        if why := numberings.get_numbering(target).explain_missing(reference.number):
            yield page.flag(reference.span, f"`{reference.text}` not found: {why}")
        elif target is page and (problem := _explain_wrong_direction(reference, numberings.get_outline(page))):
            yield page.flag(reference.span, problem)


def _find_target_page(known: Order, page: Page, reference: Reference) -> Page | None:
    """Return the page that a reference is about: its link target if it is a link; None if unknown."""
    links = page.document.links
    near = bisect_left(links, reference.span.end, key=lambda link: link.start)
    link = links[near - 1] if near else None
    if link is None or link.end <= reference.span.start:
        return page
    target = addresses.get_addresses(known.site).resolve_link(page, link)
    return target.page if target.kind in ("page", "self") else None


def _explain_wrong_direction(reference: Reference, outline: Outline) -> str:
    """Explain a reference in the wrong direction; "" if none, or if the reader's position is unknown."""
    here = outline.find_position(reference.span.start)
    depth = min(len(here), len(reference.number))
    there, place = reference.number[:depth], here[:depth]
    if reference.direction == "back" and there > place:
        return f"`{reference.text}` comes after {format_number(here)}, but the text says it is already done"
    if reference.direction == "ahead" and there < place:
        return f"`{reference.text}` comes before {format_number(here)}, but the text says it comes later"
    return ""
