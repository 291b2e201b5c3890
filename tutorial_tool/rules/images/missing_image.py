"""Images that do not exist, or that no browser can show."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from posixpath import join, splitext
from typing import NamedTuple

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.fs import files
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _doubts, _versions
from tutorial_tool.rules.images._missing_pictures import find_missing_images
from tutorial_tool.site import Page, PageFix, Site

# Images that exist but that no browser shows: empty files, and web pages saved under an image's name.
_DRAWN = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"))
_EMPTY = "is empty"
_MAX_BYTES = 64_000  # Maximum bytes of a file that may be an error page
_HTML_START_BYTES = 200  # Bytes at the start of a file in which HTML is recognized
_PAGE = lazy_re.compile(r"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html[\s>])", re.IGNORECASE)


def find_unreadable_images(addresses: Addresses) -> Iterator[tuple[Page, Reference, str]]:
    """Yield each image file that browsers can't show, with the first page that uses it and the problem.

    If most are empty, the images were removed on purpose and nothing is reported.
    """
    shown: dict[str, tuple[Page, Reference]] = {}
    for page in addresses.site.pages:
        for reference, target in addresses.get_links(page):
            if reference.is_image and target.kind == "file" and splitext(target.path)[1].lower() in _DRAWN:
                shown.setdefault(target.path, (page, reference))
    seen: dict[str, _CheckedFile] = addresses.site.cache.setdefault(find_unreadable_images, {})
    wrong = {path: message for path in shown if (message := _find_problem(join(addresses.pages.docs, path), seen))}
    has_pictures = 2 * sum(text == _EMPTY for text in wrong.values()) < len(shown)
    for path, message in wrong.items():
        if message != _EMPTY or has_pictures:
            yield *shown[path], message


class _CheckedFile(NamedTuple):
    """A checked file: its modification time (in nanoseconds), its size in bytes, and the problem found."""

    modified: int
    size: int
    message: str


def _find_problem(file: str, seen: dict[str, _CheckedFile]) -> str:
    """Return what keeps a browser from showing a file; "" for nothing."""
    try:
        status = os.stat(file)  # noqa: PTH116 - asked for every picture of a site
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MAX_BYTES:
            return ""
        before = seen.get(file)
        if before is None or before[:2] != (status.st_mtime_ns, status.st_size):
            with open(file, "rb") as read:  # noqa: PTH123
                before = seen[file] = _CheckedFile(
                    status.st_mtime_ns, status.st_size, _describe_content(read.read(_HTML_START_BYTES))
                )
    except OSError:
        return ""
    return before.message


def _describe_content(start: bytes) -> str:
    if not start:
        return _EMPTY
    is_page = _PAGE.match(start.decode("latin-1"))
    return "is a web page that was saved as an image" if is_page else ""


_FILM = lazy_re.compile(r"<source[^>]*type=[\"']?(?:video|audio)/")


@rule("images", Severity.ERROR, yields_to=("foreign-image", "base-path-drift"))
def check(site: Site) -> Iterator[Finding]:
    return _versions.merge_versions(_report_site(site))


def _report_site(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page in site.pages:
        yield from _report_empty_urls(addresses, page)
    for page, reference, meant in find_missing_images(addresses):
        near = f"; did you mean `{meant.address}`?" if meant else ""
        is_safe = meant is not None and meant.is_certain and addresses.is_proven(page, "picture", reference)
        fix = PageFix(f"show `{meant.address}`", ((*reference.place, meant.address),), is_safe) if meant else None
        is_sure = addresses.is_known(addresses.get_tree(page)) or not reference.href.startswith("/")
        doubt = None if is_sure else Severity.WARNING
        yield page.flag(reference.place, f"image `{reference.href}` not found{near}", fix=fix, severity=doubt)
    for icon in filter(None, (platform.icon for platform in site.model.platforms.values())):
        path = strip_origins(icon.text)
        if files.explain_unsafe(path) is not None or not (site.layout.root / site.layout.docs / path).is_file():
            yield Finding("", Severity.OFF, f"image `{path}` not found in `{site.layout.docs}`", icon.span)
    yield from _doubts.find_hints(addresses, "picture")
    for page, reference, wrong in find_unreadable_images(addresses):
        yield page.flag(reference.place, f"the file `{reference.href}` {wrong}")


def _report_empty_urls(addresses: Addresses, page: Page) -> Iterator[Finding]:
    for reference, _ in addresses.get_links(page):
        is_empty = reference.is_image and reference.kind in ("inline", "html") and not reference.href.strip()
        if is_empty and not _FILM.search(page.document.text, *_get_line_span(page, reference)):
            yield page.flag(reference.place, "image has no URL")


def _get_line_span(page: Page, reference: Reference) -> tuple[int, int]:
    text, start = page.document.text, reference.place.start
    return text.rfind("\n", 0, start) + 1, (text + "\n").index("\n", start)
