"""The order of steps where their pages have no number, and of platforms: as navigation, links or an index tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tutorial_tool import links
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.counts import agreed
from tutorial_tool.adopt.sets import contents, numbers
from tutorial_tool.links.typed_neighbours import typed
from tutorial_tool.site import Page, Site
from tutorial_tool.variants import ordering


def ordered(sets: Sequence[CopySet], read: Site) -> list[CopySet]:
    """The sets, those of each tutorial with places that its pages or navigation tell, where not all have a number."""
    pages = {page.path: page for page in read.pages}
    told: dict[str, dict[str, float]] = {}
    tutorials: dict[str, list[CopySet]] = {}
    for one in sets:
        tutorials.setdefault(one.tutorial, []).append(one)
    numbered = {tutorial: numbers.of_one_kind(own) for tutorial, own in tutorials.items()}
    sets = [replace(one, place=(numbered[one.tutorial].get(one.step, one.place[0]), one.place[1])) for one in sets]
    for tutorial in tutorials:
        own = [one for one in sets if one.tutorial == tutorial]
        are_numbered = all(one.place[0] < math.inf for one in own)
        if len(own) > 1:
            found = {} if are_numbered else _told(own, pages, read)
            told[tutorial] = found or numbers.agreed(own) or _by_last_links(own, pages, read)
    out = [replace(one, place=_place(one, told[one.tutorial])) if one.tutorial in told else one for one in sets]
    places = _places_of_platforms(out, pages, read)
    return [
        replace(one, copies={p: one.copies[p] for p in sorted(one.copies, key=lambda id_: places.get(id_, math.inf))})
        for one in out
    ]


def _told(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """The places that the navigation tells, or all pages say (`Step 2 of 4`), or links and an index."""
    if found := _by_navigation(sets, pages, read):
        return found
    said = _by_counts(sets, pages)
    return (said if len(said) == len(sets) else _by_pages(sets, pages, read)) or said


def _by_counts(sets: Sequence[CopySet], pages: Mapping[str, Page]) -> dict[str, float]:
    """The places that pages say, where all platforms agree."""
    lines = agreed(sets, pages)
    said = {
        one.step: {lines[path].place.number for copy in one.copies.values() if (path := copy.source.path) in lines}
        for one in sets
    }
    if any(len(numbers) > 1 for numbers in said.values()):
        return {}
    return {step: float(min(numbers)) for step, numbers in said.items() if numbers}


def _place(one: CopySet, told: Mapping[str, float]) -> tuple[float, str]:
    """The place that is told; of an index that no other page lists, the first."""
    usual = -math.inf if contents.is_index(one.step) else math.inf if told else one.place[0]
    return told.get(one.step, usual), one.step


def _places_of_platforms(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """Where the navigation has the first page of each platform; nothing where it lacks one of them."""
    platforms = _platforms(sets)
    for walk in ordering.of(read).walks:
        places = {}
        for platform in platforms:
            own = (copies.source.path for one in sets if (copies := one.copies.get(platform)))
            found = [walk.values[pages[path]] for path in own if path in pages and pages[path] in walk.values]
            if found:
                places[platform] = min(found)
        if len(places) == len(platforms):
            return places
    return {}


def _pages_of(sets: Sequence[CopySet], pages: Mapping[str, Page], platform: str) -> dict[str, Page]:
    """The pages of a platform, by step."""
    return {
        one.step: pages[one.copies[platform].source.path]
        for one in sets
        if platform in one.copies and one.copies[platform].source.path in pages
    }


def _platforms(sets: Sequence[CopySet]) -> list[str]:
    """The platforms, those first that have most of the steps."""
    have = [platform for one in sets for platform in one.platforms]
    return sorted(dict.fromkeys(have), key=lambda platform: -have.count(platform))


def _by_navigation(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """The places that the navigation tells, of two pages at least; those that it lacks come behind them."""
    for platform in _platforms(sets)[:1]:
        own = _pages_of(sets, pages, platform)
        walks = [
            {step: walk.values[page] for step, page in own.items() if page in walk.values}
            for walk in ordering.of(read).walks
        ]
        if (places := max(walks, key=len, default={})) and len(places) > 1:
            return places
    return {}


def _by_pages(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """The places that the pages of a platform tell: by links to the next one, or an index that lists more of them."""
    linked = _by_links(sets, pages, read)
    listed: dict[str, float] = {}
    for platform in _platforms(sets):
        paths = {step: page.path for step, page in _pages_of(sets, pages, platform).items()}
        if len(linked) < len(paths):
            listed = listed or contents.places(paths, read)
    return listed if len(listed) > len(linked) else linked


def _by_links(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """The places that typed links to the next page, and back, tell; none where the steps fork."""
    known = links.of(read)
    for platform in _platforms(sets):
        own = _pages_of(sets, pages, platform)
        steps = {page: step for step, page in own.items()}
        after: dict[str, str] = {}
        for step, page in own.items():
            for link in typed(page, known):
                target = steps.get(link.target) if link.target else None
                if target and target != step:
                    first, second = (step, target) if link.direction == "next" else (target, step)
                    if after.setdefault(first, second) != second:
                        return {}
        if chain := _chain(after):
            return {step: float(at) for at, step in enumerate(chain)}
    return {}


def _by_last_links(sets: Sequence[CopySet], pages: Mapping[str, Page], read: Site) -> dict[str, float]:
    """The places that the ends of pages tell, if each but the last ends with a link to another step: `Next, …`."""
    known = links.of(read)
    for platform in _platforms(sets)[:1]:
        own = _pages_of(sets, pages, platform)
        steps = {page: step for step, page in own.items()}
        after: dict[str, str] = {}
        for step, page in own.items():
            end = page.plain.rstrip().rfind("\n\n")
            leads = (known.of_link(page, link).page for link in page.document.links if link.start > end)
            found = [steps[lead] for lead in leads if lead is not None and lead in steps and lead is not page]
            if found:
                after[step] = found[0]
        chain = _chain(after)
        if len(chain) == len(own) == len(after) + 1:
            return {step: float(at) for at, step in enumerate(chain)}
    return {}


def _chain(after: Mapping[str, str]) -> list[str]:
    """The longest chain of steps, each with the one that follows; none where they go round."""
    longest: list[str] = []
    for start in after.keys() - after.values():
        chain = [start]
        while chain[-1] in after and len(chain) <= len(after):
            chain.append(after[chain[-1]])
        longest = max(longest, chain, key=len)
    return longest
