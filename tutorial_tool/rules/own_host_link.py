"""Full URLs that lead to a page of this very site."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import addresses
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import PageFix, Site


@rule("navigation", Severity.HINT)
def check(site: Site) -> Iterator[Finding]:
    of = addresses.of(site)
    for page in site.pages:
        for reference, target in of.links(page):
            if target.kind != "external" or target.page is None or reference.kind in ("autolink", "front-matter"):
                continue
            if reference.text.strip() == reference.href:  # the address itself is what is told
                continue
            address = of.suggestions.written(page, target.page, "", raw=reference.raw)
            address += f"#{target.fragment}" if target.fragment else ""
            fix = PageFix(f"lead to `{address}`", ((*reference.place, address),), safe=False)
            message = f"this is a page of this site: `{address}` also works in a preview, and is checked"
            yield page.flag(reference.place, message, fix=fix)
