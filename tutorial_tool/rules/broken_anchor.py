"""Links to a section that the page does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool import addresses, gist, lazy_re
from tutorial_tool.addresses import Addresses, Reference, suggestions
from tutorial_tool.addresses.heading_ids import without_marks
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._fences import is_swallowed
from tutorial_tool.site import Page, PageFix, Site

_MARK = lazy_re.compile(r"<!--\s*([\w-]{1,60}?)[ :_-]{1,3}(?:(START|BEGIN)\b([^<>]{0,300})|END\b)", re.IGNORECASE)
_OF_A_PROGRAM = lazy_re.compile(r"\b(?:do not|don't)\s+(?:remove|modify|edit|change)\b", re.IGNORECASE)


@gist.of_each
def _written(page: Page) -> tuple[tuple[int, int], ...]:
    """What programs write on a page between two marks, and ask nobody to edit."""
    out, begun = [], dict[str, int]()
    for mark in _MARK.finditer(page.document.text) if "<!--" in page.document.text else ():
        if mark[2] and _OF_A_PROGRAM.search(mark[3]):
            begun.setdefault(mark[1].lower(), mark.start())
        elif not mark[2] and (start := begun.pop(mark[1].lower(), None)) is not None:
            out.append((start, mark.end()))
    return tuple(out)


@rule("navigation", Severity.ERROR)
def check(site: Site, found: Findings) -> Iterator[Finding]:
    of = addresses.of(site)
    for page in site.pages:
        for reference, target in of.links(page):
            if not target.fragment or reference.is_image or target.kind not in ("page", "self", "file"):
                continue
            to = of.named(target)
            if to is None:
                continue
            if target.kind == "self" and of.is_snippet(page):  # it may stand on those that bring this one in
                continue
            if of.has_anchor(to, target.fragment) is not False or is_swallowed(to, found):
                continue
            if any(start <= reference.place.start < end for start, end in page.kept(_written)):
                continue
            if target.kind != "self" or not of.labels.is_target(page, target.fragment):
                yield _flagged(of, page, _place(page, reference), to, target.fragment)


def _place(page: Page, reference: Reference) -> tuple[int, int]:
    """Where the anchor stands as typed, which may differ from what it means."""
    text = page.document.text
    if reference.fragment:
        start = text.index("#", reference.place.end)
        return start, start + 1 + len(reference.fragment)
    return max(text.find("#", *reference.place), reference.place.start), reference.place.end


def _flagged(of: Addresses, page: Page, place: tuple[int, int], to: Page, fragment: str) -> Finding:
    where = "this page" if to is page else f"step `{to.step}`" if to.step else f"`{to.path}`"
    found = suggestions.anchor(fragment, sorted(of.anchors(to)))
    if found is None:
        doubt = Severity.HINT if of.tree(to).rewrites else None
        return page.flag(place, f"{where} has no anchor `#{fragment}`", severity=doubt)
    is_sure = found.sure and without_marks(found.address) != without_marks(fragment)  # not all engines keep marks
    fix = PageFix(f"lead to `#{found.address}`", ((*place, f"#{found.address}"),), is_sure)
    if found.address.casefold() == fragment.casefold():
        return page.flag(
            place, f"`#{fragment}` is written `#{found.address}` on {where}: anchors tell cases apart", fix=fix
        )
    return page.flag(place, f"{where} has no anchor `#{fragment}`; did you mean `#{found.address}`?", fix=fix)
