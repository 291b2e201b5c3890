"""Images that do not exist, or that are empty."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from posixpath import join, splitext

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.fs import files
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.links.suggestions import Suggestion
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _doubts, _versions
from tutorial_tool.rules.images._missing_pictures import find_missing_images
from tutorial_tool.site import Page, PageFix, Site

_DRAWN = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"))


def find_empty_images(addresses: Addresses) -> Iterator[tuple[Page, Reference]]:
    """Yield each empty image file, with the first page that uses it.

    If most are empty, the images were removed on purpose and nothing is reported.
    """
    shown: dict[str, tuple[Page, Reference]] = {}
    for page in addresses.site.pages:
        for reference, target in addresses.get_links(page):
            if reference.is_image and target.kind == "file" and splitext(target.path)[1].lower() in _DRAWN:
                shown.setdefault(target.path, (page, reference))
    empty = [path for path in shown if _is_empty(join(addresses.pages.docs, path))]
    return (shown[path] for path in empty if 2 * len(empty) < len(shown))


def _is_empty(file: str) -> bool:
    with suppress(OSError):
        status = os.stat(file)  # noqa: PTH116 - asked for every image of a site
        return stat.S_ISREG(status.st_mode) and not status.st_size
    return False


_FILM = lazy_re.compile(r"<source[^>]*type=[\"']?(?:video|audio)/")


@rule("images", Severity.ERROR, yields_to=("foreign-image", "base-path-drift"))
def check(site: Site) -> Iterator[Finding]:
    return _versions.merge_versions(_report_site(site))


def _report_site(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page in site.pages:
        yield from _report_empty_urls(addresses, page)
    yield from (_report_image(addresses, *image) for image in find_missing_images(addresses))
    for icon in filter(None, (platform.icon for platform in site.model.platforms.values())):
        path = icon.plain
        if files.explain_unsafe(path) is not None or not (site.layout.root / site.layout.docs / path).is_file():
            yield Finding("", Severity.OFF, f"image `{path}` not found in `{site.layout.docs}`", icon.span)
    yield from _doubts.find_hints(addresses, "picture")
    for page, reference in find_empty_images(addresses):
        yield page.flag(reference.place, f"the file `{reference.href}` is empty")


def _report_image(addresses: Addresses, page: Page, reference: Reference, meant: Suggestion | None) -> Finding:
    is_sure = addresses.is_known(addresses.get_tree(page)) or not reference.href.startswith("/")
    message, doubt = f"image `{reference.href}` not found", None if is_sure else Severity.WARNING
    if meant is None:
        message += addresses.pages.format_searched_folder(page, reference)
        return page.flag(reference.place, message, severity=doubt)
    is_safe = meant.is_certain and addresses.is_proven(page, "picture", reference)
    fix = PageFix(f"show `{meant.address}`", ((*reference.place, meant.address),), is_safe)
    return page.flag(reference.place, f"{message}; did you mean `{meant.address}`?", fix=fix, severity=doubt)


def _report_empty_urls(addresses: Addresses, page: Page) -> Iterator[Finding]:
    text = page.document.text
    for reference, _ in addresses.get_links(page):
        is_empty = reference.is_image and reference.kind in ("inline", "html") and not reference.href.strip()
        start = reference.place.start
        if is_empty and not _FILM.search(text, find_line_start(text, start), find_line_end(text, start)):
            yield page.flag(reference.place, "image has no URL")
