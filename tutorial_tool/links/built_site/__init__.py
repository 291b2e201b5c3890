"""Checks of the built site: its broken links and duplicate ids, reported at their sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tutorial_tool import links
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.links import navigation_entries
from tutorial_tool.links.built_site import faults
from tutorial_tool.links.built_site.folder import Folder
from tutorial_tool.links.built_site.places import FaultLocator
from tutorial_tool.site import Page, Site


@dataclass(frozen=True)
class BuiltSite:
    """A site as a generator wrote it into `folder`, to be published at `url` ("" if unknown).

    `pages` maps built files to the pages that are their sources; `copied` are files copied unchanged, whose links are
    not checked. `shared_files` are written into many pages: the configuration, the theme's own templates. Findings name
    paths relative to `root`.
    """

    folder: Path
    root: Path
    url: str = ""
    pages: Mapping[str, Page] | None = None
    copied: frozenset[str] = frozenset()
    shared_files: tuple[Path, ...] = ()


_SAME = frozenset(
    ("broken-link", "broken-anchor", "missing-image", "duplicate-id", "unsafe-url", "foreign-link", "foreign-image")
)
"""The rules that may have reported a fault already, by the part of the page that they check."""


def check(site: Site, written: BuiltSite, known: Iterable[Finding] = ()) -> list[Finding]:
    """Return the findings of a built site at their sources, not yet graded or grouped by platform.

    Leaves out those that overlap a finding of `known` about a link, an anchor, an image or an id.
    """
    folder = Folder(written.folder, written.url)
    unread = written.copied | _find_navigation_files(site, written.pages or {})
    pages = sorted(name for name in folder.files if name.endswith(".html") and name not in unread)
    excluded = _find_excluded_paths(site)
    index = faults.find(folder, pages, lambda path: _is_moved(site, path) or path.strip("/") in excluded)
    places = FaultLocator(site, folder, written.pages or {}, written.root, written.shared_files)
    spans = group_pairs((finding.span.source, finding.span) for finding in known if finding.rule in _SAME)
    return [
        finding
        for finding in places.build_findings(index)
        if not any(map(finding.span.overlaps, spans.get(finding.span.source, ())))
    ]


def _find_navigation_files(site: Site, pages: Mapping[str, Page]) -> frozenset[str]:
    """Return the built files of navigation pages: their links may name folders, and lint checks them."""
    read = links.get_addresses(site)
    matches = ((file, read.get_tree(page), read.pages.get_docs_path(page)) for file, page in pages.items())
    return frozenset(file for file, tree, path in matches if navigation_entries.is_navigation_file(tree, path))


def _find_excluded_paths(site: Site) -> frozenset[str]:
    """Return the paths of tutorial pages that the configuration excludes: that is reported there, once."""
    read = links.get_addresses(site)
    pages = [page for page in site.pages if page.place and read.find_exclusion(page)]
    return frozenset(read.pages.get_url(page).removeprefix(read.get_tree(page).base).strip("/") for page in pages)


def _is_moved(site: Site, path: str) -> bool:
    """Return whether the host of the site redirects a path."""
    read = links.get_addresses(site)
    return any(read.redirects.follow(tree, f"{tree.base}{path}") is not None for tree in read.pages.trees)
