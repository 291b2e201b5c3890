"""Anchors that were published last time, and are gone from their page."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import links
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.links import Addresses, suggestions
from tutorial_tool.markdown.headings import build_python_markdown_slug
from tutorial_tool.publishing.inventory import load_published
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site


@rule("navigation", Severity.ERROR, needs="inventory")
def check(site: Site, config: Config) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for entry in load_published(config):
        target = addresses.resolve_url(entry.url)
        if target.page is None or target.redirected:
            continue
        gone = [anchor for anchor in entry.anchors if addresses.has_anchor(target.page, anchor) is False]
        fresh = sorted(addresses.get_anchors(target.page) - set(entry.anchors))
        for anchor in gone:
            suggestion = suggestions.suggest_anchor(anchor, fresh)
            near = suggestion.address if suggestion else ""
            remedy = f"; did you mean `#{near}`?" if near else _describe_remedy(addresses, target.page, anchor)
            message = f"published anchor `#{anchor}` is no longer on `{entry.url}`{remedy}"
            related = (Related(entry.span, "what was published"),)
            yield target.page.flag(_get_heading_span(target.page, near), message, related=related)


def _describe_remedy(addresses: Addresses, page: Page, anchor: str) -> str:
    """Describe the remedy, and where the section is now if one other step of the tutorial has it."""
    steps = [item for item in addresses.site.pages if item.tutorial == page.tutorial and item.platform == page.platform]
    has = [step for step in steps if page.place and step is not page and anchor in addresses.get_anchors(step)]
    there = f": `{addresses.get_url(has[0])}` has it now" if len(has) == 1 else ""
    return f"{there}; redirects cannot replace an anchor: keep a heading with this id, or write a new inventory"


def _get_heading_span(page: Page, anchor: str) -> tuple[int, int]:
    """Return the span of the heading that may have had the anchor, else the first, as a known location."""
    headings = page.document.headings
    named = (h for h in headings if anchor and anchor in (h.id, build_python_markdown_slug(str(h.text))))
    first = next(named, None) or next(iter(headings), None)
    return (first.content_start, first.content_end) if first else (0, 0)
