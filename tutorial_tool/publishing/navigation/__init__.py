"""Navigation generated from the data."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from typing import Any, NamedTuple

from tutorial_tool.config.plugin_options import parse_nav_entry
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.publishing.navigation import folders
from tutorial_tool.site import Page, Site

# Pages that a handwritten navigation lacks, while it lists others of the same tutorial.
_FEWEST = 2  # Minimum listed pages of a platform for all of its pages to be expected


class _NavPosition(NamedTuple):
    """A position in a navigation list."""

    entries: list[Any]
    position: int


def insert_tutorial(site: Site, id_: str, nav: list[Any], format_: Callable[[str], str]) -> None:
    """Insert a tutorial's pages into a navigation, next to steps or platforms that it lists already.

    Pages go after the preceding step where most of a platform's are listed; a platform goes after the preceding one
    where that has its own section. What has no such position is left out.
    """
    platforms = {platform.id: paths for platform, paths in site.group_paths(id_).items()}
    listed = dict(_iter_page_lists(nav))
    for pages in platforms.values():
        count = sum(page in listed for page in pages)
        if _FEWEST <= count < len(pages) <= 2 * count:
            _insert_missing_pages(pages, listed)
    for platform in [text for text, pages in platforms.items() if listed.keys().isdisjoint(pages)]:
        name = format_(strip_origins(site.model.platforms[platform].name))
        _insert_platform_section(nav, platform, platforms, {name: platforms[platform]})


def _iter_page_lists(entries: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield each page of a navigation with its list; the first one comes last."""
    for entry in reversed(entries):
        for value in reversed(entry.values()) if isinstance(entry, dict) else [entry]:
            if isinstance(value, str):
                yield posixpath.normpath(value), entries
            elif isinstance(value, list):
                yield from _iter_page_lists(value)


def _insert_missing_pages(pages: list[str], lists: dict[str, list[Any]]) -> None:
    """Insert a platform's missing pages between the listed ones; `lists` maps these to their lists."""
    first = next(index for index, page in enumerate(pages) if page in lists)
    for index in range(first - 1, -1, -1):
        _insert_beside(pages[index], lists, pages[index + 1], 0)
    for index in range(first + 1, len(pages)):
        if pages[index] not in lists:
            _insert_beside(pages[index], lists, pages[index - 1], 1)


def _insert_beside(page: str, lists: dict[str, list[Any]], neighbor: str, shift: int) -> None:
    entries = lists[page] = lists[neighbor]
    entries.insert(next(index for index, entry in enumerate(entries) if neighbor in iter_paths(entry)) + shift, page)


def _insert_platform_section(
    nav: list[Any], platform: str, platforms: dict[str, list[str]], entry: dict[str, list[str]]
) -> None:
    """Insert a platform's section after that of the previous platform, or else before that of the next."""
    order = list(platforms)
    index = order.index(platform)
    neighbors = [(text, 1) for text in reversed(order[:index])] + [(text, 0) for text in order[index + 1 :]]
    for name, shift in neighbors:
        others = {page for text, pages in platforms.items() if text != name for page in pages}
        if place := _find_platform_section(nav, platforms[name], others):
            place.entries.insert(place.position + shift, entry)
            return


def _find_platform_section(nav: list[Any], pages: list[str], others: Collection[str]) -> _NavPosition | None:
    """Return the innermost section with all pages of a platform, and none of `others`."""
    for index, entry in enumerate(nav):
        value = next(iter(entry.values())) if isinstance(entry, dict) and len(entry) == 1 else entry
        inside = {*iter_paths(value)} if isinstance(value, list) else set[str]()
        if pages and inside.issuperset(pages):
            return _find_platform_section(value, pages, others) or (
                None if inside & {*others} else _NavPosition(nav, index)
            )
    return None


def iter_paths(entries: Any) -> Iterator[str]:
    """Yield the pages that a `nav` lists."""
    if isinstance(entries, str):
        yield posixpath.normpath(entries)
    elif isinstance(entries, (list, dict)):
        for entry in entries.values() if isinstance(entries, dict) else entries:
            yield from iter_paths(entry)


def build_tutorial_entries(
    site: Site, id_: str, format_: Callable[[str], str], besides: Container[str] = ()
) -> list[Any]:
    """Return a tutorial's pages as MkDocs `nav` entries by platform, in order, without those in `besides`.

    `format_` formats a name.
    """
    paths_by_platform = site.group_paths(id_).items()
    remaining = ((platform, [path for path in paths if path not in besides]) for platform, paths in paths_by_platform)
    return [{format_(strip_origins(platform.name)): paths} for platform, paths in remaining if paths]


def build_nav(
    site: Site, values: list[Any] | None, others: Iterable[str], format_: Callable[[str], str] = strip_origins
) -> list[Any]:
    """Return the full `nav`: the configured one with tutorials at their marks, or else after it.

    Pages of a tutorial that the configuration lists stay there only, with the others next to them. Without a configured
    `nav`, it is built from the folders of `others`, the manually written pages. `format_` formats a name of the data.
    """
    if values is None:
        return folders.build_nav(site, others, format_)
    placed: set[str] = set()
    nav = list(_replace_marks(site, values, placed, format_))
    for id_, tutorial_ in site.model.tutorials.items():
        if id_ in placed:
            continue
        insert_tutorial(site, id_, nav, format_)
        if entries := build_tutorial_entries(site, id_, format_, frozenset(iter_paths(nav))):
            nav.append({format_(strip_origins(tutorial_.title)): entries})
    return nav


def expand_tutorial_marks(site: Site, values: list[Any], format_: Callable[[str], str]) -> list[Any]:
    """Return the configured `nav` with tutorials at their marks."""
    return list(_replace_marks(site, values, set(), format_))


def _replace_marks(
    site: Site, entries: Iterable[Any], placed: set[str], format_: Callable[[str], str]
) -> Iterator[Any]:
    for entry in entries:
        title, value = next(iter(entry.items())) if isinstance(entry, dict) and len(entry) == 1 else (None, entry)
        mark = parse_nav_entry(title, value) if isinstance(value, str) else None
        if mark and mark.id in site.model.tutorials:
            placed.add(mark.id)
            label = mark.title or format_(strip_origins(site.model.tutorials[mark.id].title))
            yield {label: build_tutorial_entries(site, mark.id, format_)}
        elif mark and site.model.tutorials:
            continue  # a rule reports it; published, the id would be a URL
        elif isinstance(value, list):
            inner = list(_replace_marks(site, value, placed, format_))
            yield {title: inner} if title is not None else inner
        else:
            yield entry


def get_neighbors(site: Site, page: Page) -> tuple[Page | None, Page | None]:
    """Return the previous and the next page on the same platform."""
    addresses = (page.place.previous, page.place.following) if page.place else (None, None)
    before, after = (site.by_address.get(address) if address else None for address in addresses)
    return before, after
