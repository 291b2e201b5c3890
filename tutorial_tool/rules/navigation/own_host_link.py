"""Full URLs of pages of the site itself."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import links
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix, Site

_MESSAGE = "full URL of a page on this site; write `{}`, which also works in previews"


@rule("navigation", Severity.HINT)
def check(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page in site.pages:
        matches = list(_find_full_urls(page, addresses))
        if matches:
            (place, address), *others = matches
            more = f" ({len(matches)} on this page)" if others else ""
            edits = tuple((*there, better) for there, better in matches)
            fix = PageFix(f"link to `{address}`" if not others else "link to the pages", edits, safe=False)
            related = [(page, there, f"`{better}`") for there, better in others]
            yield page.flag(place, _MESSAGE.format(address) + more, fix=fix, related=related)


def _find_full_urls(page: Page, of: links.Addresses) -> Iterator[tuple[tuple[int, int], str]]:
    """Find the full URLs that point to a page of the site, and the replacement for each."""
    for reference, target in of.get_links(page):
        if target.kind != "external" or target.page is None or reference.kind in ("autolink", "front-matter"):
            continue
        if reference.text.strip() != reference.href:  # link text that is the URL itself is intended
            address = of.suggestions.format_url(page, target.page, "", raw=reference.is_raw)
            yield reference.place, address + (f"#{target.fragment}" if target.fragment else "")
