"""Find the order of steps without numbers, and of platforms, from navigation, links, or an index."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tutorial_tool import links
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.sets import contents, numbers
from tutorial_tool.core.grouping import group_by
from tutorial_tool.links.typed_neighbors import find_typed_neighbors
from tutorial_tool.site import Page, Site
from tutorial_tool.variants import ordering
from tutorial_tool.variants.ordering.counts import CountLine, find_stated_line


def sort_sets(sets: Sequence[CopySet], read: Site) -> list[CopySet]:
    """Sort the sets of each tutorial by positions from its pages or navigation, unless all are numbered."""
    pages = {page.path: page for page in read.pages}
    reported: dict[str, dict[str, float]] = {}
    tutorials = group_by(sets, lambda copy_set: copy_set.tutorial)
    numbered = {tutorial: numbers.find_consistent(own) for tutorial, own in tutorials.items()}
    firsts = [numbered[item.tutorial].get(item.step, item.place[0]) for item in sets]
    sets = [replace(item, place=(first, item.place[1])) for item, first in zip(sets, firsts, strict=True)]
    for tutorial in tutorials:
        own = [item for item in sets if item.tutorial == tutorial]
        are_numbered = all(item.place[0] < math.inf for item in own)
        if len(own) > 1:
            matches = {} if are_numbered else _find_stated_places(own, pages, read)
            reported[tutorial] = matches or numbers.find_agreed_places(own)
    out = [
        replace(item, place=_get_order_key(item, reported[item.tutorial])) if item.tutorial in reported else item
        for item in sets
    ]
    places = _find_platform_places(out, pages, read)
    return [_sort_copies(item, places) for item in out]


def _sort_copies(copy_set: CopySet, places: Mapping[str, float]) -> CopySet:
    order = sorted(copy_set.copies, key=lambda id_: places.get(id_, math.inf))
    return replace(copy_set, copies={platform: copy_set.copies[platform] for platform in order})


def _find_stated_places(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """Return the positions from navigation, counts (`Step 2 of 4`) on all pages, links, or an index."""
    if matches := _find_places_by_navigation(sets, pages, read):
        return matches
    values = _find_places_by_counts(sets, pages)
    return (values if len(values) == len(sets) else _find_places_by_pages(sets, pages, read)) or values


def _find_places_by_counts(sets: Sequence[CopySet], pages: Mapping[str, Page]) -> dict[str, float]:
    """Return the positions from counts on the pages, if all platforms agree."""
    lines = find_count_lines(sets, pages)
    values = {
        copy_set.step: {
            lines[path].position.number for copy in copy_set.copies.values() if (path := copy.source.path) in lines
        }
        for copy_set in sets
    }
    if any(len(numbers) > 1 for numbers in values.values()):
        return {}
    return {step: float(min(numbers)) for step, numbers in values.items() if numbers}


def _get_order_key(copy_set: CopySet, reported: Mapping[str, float]) -> tuple[float, str]:
    """Return the sort key of a set: position, and name of the step; an unlisted index comes first."""
    usual = -math.inf if contents.is_index(copy_set.step) else math.inf if reported else copy_set.place[0]
    return reported.get(copy_set.step, usual), copy_set.step


def _find_platform_places(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """Return the navigation position of each platform's first page; empty if one is missing."""
    platforms = _list_platforms(sets)
    for walk in ordering.get_order(read).navigations:
        places = {}
        for platform in platforms:
            own = (copies.source.path for copy_set in sets if (copies := copy_set.copies.get(platform)))
            matches = [walk.values[pages[path]] for path in own if path in pages and pages[path] in walk.values]
            if matches:
                places[platform] = min(matches)
        if len(places) == len(platforms):
            return places
    return {}


def _get_pages(sets: Sequence[CopySet], pages: Mapping[str, Page], platform: str) -> dict[str, Page]:
    """Return the pages of a platform, by step."""
    return {
        copy_set.step: pages[copy_set.copies[platform].source.path]
        for copy_set in sets
        if platform in copy_set.copies and copy_set.copies[platform].source.path in pages
    }


def _list_platforms(sets: Sequence[CopySet]) -> list[str]:
    """Return the platforms, those with most steps first."""
    have = [platform for copy_set in sets for platform in copy_set.platforms]
    return sorted(dict.fromkeys(have), key=lambda platform: -have.count(platform))


def _find_places_by_navigation(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """Return the positions of at least two pages in the navigation; pages missing there come last."""
    for platform in _list_platforms(sets)[:1]:
        own = _get_pages(sets, pages, platform)
        navigations = [
            {step: walk.values[page] for step, page in own.items() if page in walk.values}
            for walk in ordering.get_order(read).navigations
        ]
        if (places := max(navigations, key=len, default={})) and len(places) > 1:
            return places
    return {}


def _find_places_by_pages(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """Return the positions from links to the next page, or from an index that lists more pages."""
    linked = _find_places_by_links(sets, pages, read)
    listed: dict[str, float] = {}
    for platform in _list_platforms(sets):
        paths = {step: page.path for step, page in _get_pages(sets, pages, platform).items()}
        if len(linked) < len(paths):
            listed = listed or contents.find_places(paths, read)
    return listed if len(listed) > len(linked) else linked


def _find_places_by_links(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """Return the positions from typed links to the next and previous pages; empty if the steps fork."""
    known = links.get_addresses(read)
    for platform in _list_platforms(sets):
        own = _get_pages(sets, pages, platform)
        steps = {page: step for step, page in own.items()}
        after: dict[str, str] = {}
        for step, page in own.items():
            for link in find_typed_neighbors(page, known):
                target = steps.get(link.target) if link.target else None
                if target and target != step:
                    first, second = (step, target) if link.direction == "next" else (target, step)
                    if after.setdefault(first, second) != second:
                        return {}
        if chain := _find_longest_chain(after):
            return {step: float(at) for at, step in enumerate(chain)}
    return {}


def _find_longest_chain(after: Mapping[str, str]) -> list[str]:
    """Return the longest chain of steps that follow each other; empty if they form a cycle."""
    longest: list[str] = []
    for start in after.keys() - after.values():
        chain = [start]
        while chain[-1] in after and len(chain) <= len(after):
            chain.append(after[chain[-1]])
        longest = max(longest, chain, key=len)
    return longest


def read_count_lines(sets: Iterable[CopySet], pages: Mapping[str, Page]) -> dict[tuple[str, str], dict[str, CountLine]]:
    """Return the step counts of pages by path, for each tutorial on each platform."""
    counting: dict[tuple[str, str], dict[str, CountLine]] = defaultdict(dict)
    for copy_set in sets:
        for platform, copy in copy_set.copies.items():
            if (page := pages.get(copy.source.path)) and (line := find_stated_line(page)):
                counting[copy_set.tutorial, platform][copy.source.path] = line
    return counting


def find_count_lines(sets: Sequence[CopySet], pages: Mapping[str, Page]) -> dict[str, CountLine]:
    """Return consistent step counts by path: on a platform, totals are equal, and two or more numbers distinct."""
    out: dict[str, CountLine] = {}
    for lines in read_count_lines(sets, pages).values():
        numbers = {line.position.number for line in lines.values()}
        if len({line.position.total for line in lines.values()}) == 1 and 1 < len(numbers) == len(lines):
            out |= lines
    return out
