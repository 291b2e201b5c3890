"""A link to another platform's page, where the copies link to pages of their own platform."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool import links as addresses
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Span, find_line_end, find_line_start
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.markdown.document import Link
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._foreign_addresses import find_foreign_addresses, report_foreign
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page, PageFix
from tutorial_tool.variants import Step


@rule("navigation", Severity.ERROR, yields_to=("prev-next-mismatch",))
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    for foreign in find_foreign_addresses(step, findings, "link"):
        says = "this {here} page links to {other}"
        yield report_foreign(step, foreign, says, "links to its own pages", "link to their own pages")
    if len(step.pages) > 1 and step.first_page.generated:
        yield from _find_shared_links(step)


class _TypedLink(NamedTuple):
    """A link hard-coded in a template, on one of the pages that show it, and its target page."""

    page: Page
    link: Link
    target: Page
    fragment: str


def _find_shared_links(step: Step) -> Iterator[Finding]:
    """Find links that a template hard-codes for all of its platforms and that point to one of them."""
    pages = (page for page in step.pages.values() if page.generated)
    shown = group_pairs(pair for page in pages for pair in _iter_typed_links(step, page))
    for links in shown.values():
        yield from map(_report_link, _select_mistakes(step, links))


def _select_mistakes(step: Step, links: list[_TypedLink]) -> Iterator[_TypedLink]:
    own = {link.page.platform for link in links if link.page.platform == link.target.platform}
    if len(links) > 1 and (own or links[0].target.platform not in step.pages):
        yield from (link for link in links if link.page.platform not in own and _is_mistake(step, link))


def _iter_typed_links(step: Step, page: Page) -> Iterator[tuple[Span, _TypedLink]]:
    """Yield the links to steps whose URL is literal text of a template, with its span."""
    for link in page.document.links:
        if link.kind == "inline" and link.place is not None:
            span, exact = page.get_source_span(*link.place)
            target = addresses.get_addresses(step.site).resolve_link(page, link)
            if exact and span.text == link.href and target.page and target.page.place:
                yield span, _TypedLink(page, link, target.page, target.fragment)


def _is_mistake(step: Step, typed: _TypedLink) -> bool:
    """Return whether the target step exists on the page's own platform, and no text names the other one."""
    here, there, text = typed.page.place, typed.target.place, typed.page.plain
    if here is None or there is None or here.tutorial is not there.tutorial:
        return False
    if there.address._replace(platform=here.address.platform) not in step.site.places:
        return False
    start, end = typed.link.start, typed.link.end
    line = text[find_line_start(text, start) : start] + typed.link.text + text[end : find_line_end(text, end)]
    other = step.all_variants.get(there.platform.id)
    return not other.pattern.search(line) if other else strip_origins(there.platform.name).lower() not in line.lower()


def _report_link(typed: _TypedLink) -> Finding:
    page, link, there = typed.page, typed.link, typed.target
    reference = (there.step or "") + (f"#{typed.fragment}" if typed.fragment else "")
    words = page.plain[link.start + 1 : link.place.start - 2] if link.place else ""
    value = f", text='{words}'" if re.fullmatch(r"[^\[\]'\\{}\n]+", words) else ""
    call = f"{{{{ link('{reference}'{value}) }}}}"
    fix = PageFix(f"write `{call}`", ((link.start, link.end, call),), safe=False) if value else None
    name = strip_origins(there.place.platform.name) if there.place else ""
    message = f"this links to {name} from other platforms, too; write `{call}`"
    return page.flag(link.place or (link.start, link.end), message, fix=fix)
