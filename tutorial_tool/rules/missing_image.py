"""Pictures that are not there."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import splitext

from tutorial_tool import addresses, language, lazy_re
from tutorial_tool.addresses import Addresses, Reference
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix, Site

_FILM = lazy_re.compile(r"<source[^>]*type=[\"']?(?:video|audio)/")

_WORD = lazy_re.compile(r"[^\W_]+")


@rule("images", Severity.ERROR, yields_to=("foreign-image", "base-path-drift"))
def check(site: Site) -> Iterator[Finding]:
    of = addresses.of(site)
    for page in site.pages:
        for reference, target in of.links(page):
            if not reference.is_image:
                continue
            if not reference.href.strip():
                if reference.kind in ("inline", "html") and not _FILM.search(
                    page.document.text, *_line(page, reference)
                ):
                    yield page.flag(reference.place, "the picture has no address")
            elif target.kind == "missing" and not _is_translated(of, page, reference.href):
                found = of.suggest_file(page, reference.href)
                found = None if found and _is_of_another(site, page, found.address) else found
                near = f"; did you mean `{found.address}`?" if found else ""
                edit = ((*reference.place, found.address),) if found else ()
                fix = PageFix(f"show `{found.address}`", edit, found.sure) if found else None
                yield page.flag(reference.place, f"there is no picture `{reference.href}`{near}", fix=fix)


def _is_of_another(site: Site, page: Page, address: str) -> bool:
    """Whether a picture is named after another platform of the data than that of the page."""
    named = set(_WORD.findall(address.lower()))
    ids = {id_.lower() for id_ in site.model.platforms}
    return page.platform is not None and page.platform.lower() not in named and not ids.isdisjoint(named)


def _line(page: Page, reference: Reference) -> tuple[int, int]:
    """The line of a reference."""
    text, start = page.document.text, reference.place.start
    return text.rfind("\n", 0, start) + 1, (text + "\n").index("\n", start)


def _is_translated(of: Addresses, page: Page, href: str) -> bool:
    """Whether the picture is there in languages, as `menu.fr.png`: what publishes the page takes that of the reader."""
    stem, suffix = splitext(href)
    return any(of.resolve(page, f"{stem}.{code}{suffix}").kind == "file" for code in sorted(language.CODES))
