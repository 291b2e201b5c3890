"""Pictures that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import addresses
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import PageFix, Site


@rule("images", Severity.ERROR, yields_to=("foreign-image", "base-path-drift"))
def check(site: Site) -> Iterator[Finding]:
    of = addresses.of(site)
    for page in site.pages:
        for reference, target in of.links(page):
            if not reference.is_image:
                continue
            if not reference.href.strip():
                if reference.kind in ("inline", "html"):
                    yield page.flag(reference.place, "the picture has no address")
            elif target.kind == "missing":
                found = of.suggest_file(page, reference.href)
                near = f"; did you mean `{found.address}`?" if found else ""
                edit = ((*reference.place, found.address),) if found else ()
                fix = PageFix(f"show `{found.address}`", edit, found.sure) if found else None
                yield page.flag(reference.place, f"there is no picture `{reference.href}`{near}", fix=fix)
