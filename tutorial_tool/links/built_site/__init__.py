"""The built site: what was written is read again, and what leads nowhere in it is told where it comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tutorial_tool import links
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source, Span
from tutorial_tool.links import navigation_entries
from tutorial_tool.links.built_site import faults
from tutorial_tool.links.built_site.folder import Folder
from tutorial_tool.links.built_site.places import Places
from tutorial_tool.site import Page, Site


@dataclass(frozen=True)
class Written:
    """A site as a generator wrote it into `folder`, to be published at `url` ("" where that is not told).

    `pages` gives the source of a page by its built file; `copied` are the files that were copied as they are, and whose
    links are not this site's. `beside` are the files that write into many pages: the configuration, the theme's own
    templates. `root` is the folder that findings name paths from.
    """

    folder: Path
    root: Path
    url: str = ""
    pages: Mapping[str, Page] | None = None
    copied: frozenset[str] = frozenset()
    beside: tuple[Path, ...] = ()


_SAME = frozenset(
    ("broken-link", "broken-anchor", "missing-image", "duplicate-id", "unsafe-url", "foreign-link", "foreign-image")
)
"""The rules that may have told a fault already, by what they read of the page."""


def check(site: Site, written: Written, known: Iterable[Finding] = ()) -> list[Finding]:
    """The faults of a written site at their sources, as rules report them: neither graded nor folded over platforms.

    Left out is what stands at a place where `known` has the same defect.
    """
    folder = Folder(written.folder, written.url)
    unread = written.copied | _navigations(site, written.pages or {})
    pages = sorted(name for name in folder.files if name.endswith(".html") and name not in unread)
    excluded = _excluded(site)
    index = faults.find(folder, pages, lambda path: _is_moved(site, path) or path.strip("/") in excluded)
    places = Places(site, folder, written.pages or {}, written.root, written.beside)
    spans: dict[Source, list[Span]] = defaultdict(list)
    for finding in known:
        if finding.rule in _SAME:
            spans[finding.span.source].append(finding.span)
    return [
        finding
        for finding in places.findings(index)
        if not any(map(finding.span.overlaps, spans.get(finding.span.source, ())))
    ]


def _navigations(site: Site, pages: Mapping[str, Page]) -> frozenset[str]:
    """The pages that are the navigation of others: a link of theirs may name a folder, and lint has read them."""
    read = links.of(site)
    matches = ((file, read.tree(page), read.pages.docs_path(page)) for file, page in pages.items())
    return frozenset(file for file, tree, path in matches if navigation_entries.is_file(tree, path))


def _excluded(site: Site) -> frozenset[str]:
    """The paths of pages of tutorials that the configuration keeps from being published: that is told there, once."""
    read = links.of(site)
    pages = [page for page in site.pages if page.place and read.excluded_by(page)]
    return frozenset(read.pages.url(page).removeprefix(read.tree(page).base).strip("/") for page in pages)


def _is_moved(site: Site, path: str) -> bool:
    """Whether the host of the site sends readers of a path elsewhere."""
    read = links.of(site)
    return any(read.redirects.follow(tree, f"{tree.base}{path}") is not None for tree in read.pages.trees)
