"""Find the files that a text names, as links: templates, parts, code and data files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool import links
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.links import Target as LinkTarget
from tutorial_tool.linter.targets import SUFFIXES
from tutorial_tool.site import Page, Site
from tutorial_tool.site.symbols import SymbolKind

if TYPE_CHECKING:
    from tutorial_tool.lsp.workspace import CheckedTarget


_FILE_KINDS = (SymbolKind.TEMPLATE, SymbolKind.PART, SymbolKind.STEP, SymbolKind.FIGURE, SymbolKind.CODE)


class Link(NamedTuple):
    """A span, the file that it names, and its hover text."""

    span: Span
    path: Path
    tooltip: str


def find_in_file(checked: CheckedTarget, source: Source) -> list[Link]:
    """Return links to the files that one file names."""
    links_by_span = {(link.span.start, link.span.end): link for link in _find_name_links(checked, source)}
    links_by_span |= {(link.span.start, link.span.end): link for link in _find_page_links(checked, source)}
    if source.path in checked.site.data_files:
        links_by_span |= {(link.span.start, link.span.end): link for link in _find_code_links(checked, source)}
    return [links_by_span[place] for place in sorted(links_by_span)]


def find_target(checked: CheckedTarget, source: Source, offset: int) -> Span | None:
    """Return the target of a page's link at an offset: the section, or else the start of the file."""
    for span, target in _iter_targets(checked, source):
        if span.start <= offset <= span.end:
            site = checked.site if target.page else _load_target_page(checked, target)
            page = target.page or next(iter(site.pages), None)
            start = _find_section_start(site, page, target.fragment) if page and target.fragment else 0
            return page.get_source_span(start, start)[0] if page else None
    return None


def _load_target_page(checked: CheckedTarget, target: LinkTarget) -> Site:
    """Load the page that a link resolves to, if the site has only the page that was linted."""
    path = checked.target.root / checked.site.layout.docs / target.path
    is_page = path.name.lower().endswith(SUFFIXES) and os.path.isfile(path)  # noqa: PTH113 - raises nothing
    return replace(checked.target, paths=(path,) if is_page else (), layout=None, context_paths=()).load(checked.texts)


def _find_section_start(site: Site, page: Page, fragment: str) -> int:
    """Return the offset of the heading with an anchor; 0 if there is none."""
    anchor = links.get_addresses(site).find_heading_anchor
    for heading in page.document.headings:
        if fragment == (heading.id or anchor(page, str(heading.text))):
            return heading.content_start
    return 0


def _find_page_links(checked: CheckedTarget, source: Source) -> Iterator[Link]:
    """Yield links to the pages and images that a handwritten page's links resolve to."""
    docs = checked.target.root / checked.site.layout.docs
    for span, target in _iter_targets(checked, source):
        path = checked.get_path(target.page.source.path) if target.page else docs / target.path
        if target.kind != "self" and os.path.isfile(path):  # noqa: PTH113 - raises nothing
            yield Link(span, path, path.name)


def _iter_targets(checked: CheckedTarget, source: Source) -> Iterator[tuple[Span, LinkTarget]]:
    """Yield the internal links of a handwritten page, each with its target."""
    page = next((page for page in checked.site.pages if page.source is source and not page.generated), None)
    for reference, target in links.get_addresses(checked.site).get_links(page) if page else ():
        if target.kind in ("page", "file", "self"):
            yield source.span(reference.place.start, reference.place.end), target


def _find_name_links(checked: CheckedTarget, source: Source) -> Iterator[Link]:
    index = checked.symbol_index
    for name, places in index.uses.items():
        if name.kind not in _FILE_KINDS:
            continue
        paths = [place.span.path for place in index.definitions.get(name, ()) if not place.exact]
        for place in places if paths else ():
            if place.exact and place.span.path == source.path:
                yield Link(place.span, checked.get_path(paths[0]), ", ".join(paths))


def _find_code_links(checked: CheckedTarget, source: Source) -> Iterator[Link]:
    """Yield links to the files of sample apps: `code: {init: app/src/Main.kt#init}`."""
    for platform in checked.site.model.platforms.values():
        for references in platform.code.values():
            for reference in references:
                path = checked.get_path(strip_origins(reference).partition("#")[0])
                span = next((run.span for run in reference.runs), None)
                if span and span.path == source.path and os.path.isfile(path):  # noqa: PTH113 - raises nothing
                    yield Link(Span(span.source, span.start, span.start + len(reference)), path, path.name)
