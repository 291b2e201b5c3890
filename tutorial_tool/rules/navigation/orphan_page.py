"""Pages that are neither in the navigation nor linked."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from posixpath import basename

from tutorial_tool import links as addresses
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Source
from tutorial_tool.links import Addresses
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site, page_facts

_ENTRANCES = ("index", "readme", "_index", "404", "summary")
_BLOGS = frozenset(("blog", "material/blog", "blogging"))
_INCLUDE = lazy_re.compile(
    r"--8<--|\binclude\b|\{\{#template\b|!INCLUDE|^import\s|\{[{%][^{}\n]*\([^{}\n]*[\"'][^\"'\n]+\.(?:md|markdown)[\"']",
    re.MULTILINE,
)
"""What includes other files; a macro called with a path may do so, too."""
_FILE = lazy_re.compile(r"(?<![\w.-])[\w.-]+\.(?:mdx?|markdown)")


@rule("navigation", Severity.WARNING)
def check(site: Site, config: Config) -> Iterator[Finding]:
    of = addresses.get_addresses(site)
    everywhere = config.is_requested("orphan-page")
    if not of.is_fully_loaded:  # a page that was not loaded may link to any other
        return
    unpublished = dict(_find_unpublished(of))
    reached = {target.page for page in site.pages for _, target in of.get_links(page) if target.page is not page}
    orphans = dict[tuple[str, str], list[Page]]()
    candidates = [page for page in site.pages if page not in reached or page in unpublished]
    for page in _find_without_entry(of, candidates, everywhere=everywhere):
        if page in unpublished:
            yield _report_unpublished(page, unpublished[page])
        else:
            orphans.setdefault((of.get_tree(page).id, of.get_nav_path(page)), []).append(page)
    yield from (_flag_orphan(of, in_languages) for in_languages in orphans.values())


def _find_without_entry(of: Addresses, pages: Iterable[Page], *, everywhere: bool) -> Iterator[Page]:
    """Yield the pages that no navigation, plugin or include makes reachable."""
    listed = {entry.path for entry in of.nav_entries}
    judged = [page for page in pages if page.place is None and (everywhere or of.has_nav(page))]
    left = [page for page in judged if not _is_reachable(of, page, listed)]
    included = _find_included_names(of.site) if left else frozenset()
    yield from (page for page in left if basename(page.path) not in included)


def _is_reachable(of: Addresses, page: Page, listed: Container[str]) -> bool:
    """Return whether the navigation or a plugin lists a page, or readers reach it in other ways."""
    is_post = "/posts/" in f"/{page.path}" and not _BLOGS.isdisjoint(of.get_plugins(page))
    is_listed = of.get_nav_path(page) in listed or of.is_unlisted(page) or of.sidebars.lists_page(page)
    return is_post or is_listed or _is_entrance(of, page)


def _flag_orphan(of: Addresses, in_languages: list[Page]) -> Finding:
    """Report a page in one or several languages, which has one navigation entry."""
    page, *others = sorted(in_languages, key=lambda item: (len(item.path), item.path))
    where = "not in the navigation, and " if of.has_nav(page) else ""
    related = [(other, _get_title_span(other), "in another language") for other in others]
    return page.flag(_get_title_span(page), f"orphan page: {where}no page links to it", related=related)


def _find_unpublished(of: Addresses) -> Iterator[tuple[Page, list[tuple[Page, Range]]]]:
    """Find pages that mdBook omits since its navigation lacks them, with the links that break."""
    for tree in of.pages.trees:
        listed = of.get_chapter_titles(tree)
        links = group_pairs(
            (target.page, (page, reference.place))
            for page in listed
            for reference, target in of.get_links(page)
            if target.kind == "page" and target.page is not None and target.page not in listed
        )
        yield from ((page, places) for page, places in links.items() if of.get_tree(page) is tree)


def _report_unpublished(page: Page, links: list[tuple[Page, Range]]) -> Finding:
    many = "the link to it is" if len(links) == 1 else f"the {len(links)} links to it are"
    message = f"page is not in `SUMMARY.md`, so mdBook does not publish it and {many} broken"
    related = [(other, place, "a link to it") for other, place in links]
    return page.flag(_get_title_span(page), message, related=related, severity=Severity.ERROR)


def _is_entrance(of: Addresses, page: Page) -> bool:
    """Return whether readers reach a page in other ways: a home or error page, a part of other pages."""
    path = of.get_nav_path(page)
    stem = basename(path).rpartition(".")[0].lower()
    is_home = stem in _ENTRANCES and (not of.has_nav(page) or "/" not in path)
    return is_home or stem == "404" or stem.startswith(("_", "[")) or not of.is_published(page)


def _find_included_names(site: Site) -> frozenset[str]:
    """Return the names of files that other files include."""
    names = {name for page in site.pages for name in page.get_cached(_get_page_includes)}
    others = set(site.sources.values()) - {page.source for page in site.pages}
    return frozenset(names.union(*(source.get_cached(_find_includes) for source in others))) | {""}


@page_facts.register
def _get_page_includes(page: Page) -> frozenset[str]:
    return page.source.get_cached(_find_includes)


def _find_includes(source: Source) -> frozenset[str]:
    """Return the names of files in a file that includes any."""
    is_asked = (".md" in source.text or ".markdown" in source.text) and _INCLUDE.search(source.text)
    return frozenset(_FILE.findall(source.text) if is_asked else ())


def _get_title_span(page: Page) -> tuple[int, int]:
    first = next(iter(page.document.headings), None)
    return (first.content_start, first.content_end) if first else (0, 0)
