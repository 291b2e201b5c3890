"""Pictures that are not there, or that no browser shows."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _doubts, _versions
from tutorial_tool.rules.images._missing_pictures import missing
from tutorial_tool.rules.images._unread_pictures import unread
from tutorial_tool.site import Page, PageFix, Site

_FILM = lazy_re.compile(r"<source[^>]*type=[\"']?(?:video|audio)/")


@rule("images", Severity.ERROR, yields_to=("foreign-image", "base-path-drift"))
def check(site: Site) -> Iterator[Finding]:
    return _versions.once(_found(site))


def _found(site: Site) -> Iterator[Finding]:
    of = links.of(site)
    for page in site.pages:
        yield from _without_address(of, page)
    for page, reference, meant in missing(of):
        near = f"; did you mean `{meant.address}`?" if meant else ""
        is_safe = meant is not None and meant.sure and of.is_proven(page, "picture", reference)
        fix = PageFix(f"show `{meant.address}`", ((*reference.place, meant.address),), is_safe) if meant else None
        is_sure = of.is_known(of.tree(page)) or not reference.href.startswith("/")
        doubt = None if is_sure else Severity.WARNING
        yield page.flag(reference.place, f"image `{reference.href}` not found{near}", fix=fix, severity=doubt)
    yield from _doubts.hints(of, "picture")
    for page, reference, wrong in unread(of):
        yield page.flag(reference.place, f"the file `{reference.href}` {wrong}")


def _without_address(of: Addresses, page: Page) -> Iterator[Finding]:
    for reference, _ in of.links(page):
        is_empty = reference.is_image and reference.kind in ("inline", "html") and not reference.href.strip()
        if is_empty and not _FILM.search(page.document.text, *_line(page, reference)):
            yield page.flag(reference.place, "image has no URL")


def _line(page: Page, reference: Reference) -> tuple[int, int]:
    """The line of a reference."""
    text, start = page.document.text, reference.place.start
    return text.rfind("\n", 0, start) + 1, (text + "\n").index("\n", start)
