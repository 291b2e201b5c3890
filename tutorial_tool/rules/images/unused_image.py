"""Images that no page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename, dirname, join, normpath
from urllib.parse import unquote

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links import Addresses, related_files
from tutorial_tool.markdown.document import CONTEXT
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import HABIT
from tutorial_tool.rules.images._missing_pictures import find_missing_images
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts

_PICTURE = r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp)"
_SUFFIX = lazy_re.compile(_PICTURE, re.IGNORECASE)
_BEFORE_A_NAME = lazy_re.compile(r"[\s\"'`()<>\[\]/\\=,|]")
_IS_PICTURE = lazy_re.compile(rf".+{_PICTURE}", re.IGNORECASE)
_COMPUTED = lazy_re.compile(rf"(?:\}}\}}|\}}|%\}})[\w-]*{_PICTURE}", re.IGNORECASE)
_UNTOLD = "\0"  # Placeholder for computed names
_VARIANT = lazy_re.compile(r"(?:@\d+x|[-_.](?:dark|light|small|large|thumb|min|2x))+$", re.IGNORECASE)


@rule("images", Severity.HINT)
def check(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    if not addresses.is_fully_loaded:
        return
    templates = site.project.templates  # their output is on pages
    around = (source for source in related_files.iter_sources(addresses.pages) if source.path not in templates)
    in_files = (source.get_cached(_find_source_names) for source in around)
    reported = [*collect_facts(site, _find_page_names, linked=True).values(), *in_files]
    if any(_UNTOLD in names for names in reported):  # a macro computes names that are unknown here
        return
    named = frozenset[str]().union(*reported)
    intended = {item.span.path for finding in site.findings for item in finding.related}  # suggested for a near name
    intended |= set(_find_suggested(addresses))
    shown = _find_shown_images(addresses)
    for folder in sorted(set(map(dirname, shown))):
        pictures = (name for name, is_folder in addresses.pages.disk.list_entries(folder).items() if not is_folder)
        unnamed = sorted(name for name in pictures if _IS_PICTURE.fullmatch(name) and _get_stem(name) not in named)
        left = (join(folder, name) for name in unnamed if join(folder, name) not in shown)
        paths = [path for file in left if (path := files.format_path(file, addresses.pages.root)) not in intended]
        yield from _report_folder(paths)


def _report_folder(paths: list[str]) -> Iterator[Finding]:
    """Report each unused image of a folder; if there are many, one finding for all of them."""
    if len(paths) <= HABIT:
        yield from (_build_finding(path, f"unused image `{basename(path)}`") for path in paths)
        return
    more = len(paths) - 1
    message = f"unused image `{basename(paths[0])}` (and {more} more in this folder)"
    related = tuple(Related(Source(path, "").span(0), "also unused") for path in paths[1:])
    yield _build_finding(paths[0], message, related)


def _build_finding(path: str, message: str, related: tuple[Related, ...] = ()) -> Finding:
    return Finding("", Severity.OFF, message, Source(path, "").span(0), related=related)


def _find_suggested(addresses: Addresses) -> Iterator[str]:
    """Yield the images that `missing-image` suggests for others."""
    for page, reference, meant in find_missing_images(addresses):
        if meant and (target := addresses.resolve_href(page, meant.address, raw=reference.is_raw)).kind == "file":
            yield files.format_path(join(addresses.pages.docs, target.path), addresses.pages.root)


@page_facts.register
def _find_page_names(page: Page) -> frozenset[str]:
    return _find_names(page.plain)


def _find_source_names(source: Source) -> frozenset[str]:
    return _find_names(source.text)


def _find_names(text: str) -> frozenset[str]:
    """Return the images that a text names, without suffix, size or theme.

    For a text that computes names, only a marker for that.
    """
    return frozenset([_UNTOLD] if _COMPUTED.search(text) else (_get_stem(unquote(name)) for name in _iter_names(text)))


def _iter_names(text: str) -> Iterator[str]:
    for match in _SUFFIX.finditer(text):
        before = text[max(match.start() - CONTEXT, 0) : match.start()]
        yield _BEFORE_A_NAME.split(before)[-1] + match[0]


def _find_shown_images(addresses: Addresses) -> frozenset[str]:
    """Return the images that pages show. Folders with none of them may hold files that are not for pages."""
    targets = (
        target for page in addresses.site.pages for reference, target in addresses.get_links(page) if reference.is_image
    )
    return frozenset(normpath(join(addresses.pages.docs, target.path)) for target in targets if target.kind == "file")


def _get_stem(name: str) -> str:
    """Return an image's name without suffix, size or theme: a page may name any one of several such files."""
    return _VARIANT.sub("", basename(name).rpartition(".")[0]).casefold()
