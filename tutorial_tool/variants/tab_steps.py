"""Steps within one page: the parts of a tabset as separate pages, with the offsets of their page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from tutorial_tool.core.source import blank_text, find_line_start
from tutorial_tool.markdown.document import Document
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.variants import Step, Variant, known_names, paths
from tutorial_tool.variants.similarity import hash_units, normalize_text
from tutorial_tool.variants.tabsets import Tab, Tabset, find_tabsets

_MIN_SHARED_TEXT = 0.6
"""Minimum share of common text of tabs without platform names: versions, accounts, package managers."""


def find_tab_steps(site: Site) -> tuple[Step, ...]:
    """Return the tabsets of a site whose parts are variants, one step for each, in the order of pages.

    They are separate from the steps of `variants.find_steps`. Each variant's page is a view: its `text` is that of the
    whole page, its `plain` and its `document` have the same offsets and only the content of the part.
    """
    return site.get_cached(_build_steps)


def _build_steps(site: Site) -> tuple[Step, ...]:
    steps: list[Step] = []
    for page in sorted(site.pages, key=lambda page: page.path):
        if not (page.generated or page.is_link_only):
            result = zip(page.get_cached(find_variant_tabsets), page.get_cached(build_views), strict=True)
            page_tabsets = tuple(_build_step(site, page, tabset, views) for tabset, views in result)
            steps += (replace(step, page_tabsets=page_tabsets, find_peers=find_tab_steps) for step in page_tabsets)
    return tuple(steps)


@page_facts.register
def find_variant_tabsets(page: Page) -> tuple[Tabset, ...]:
    """Return the tabsets of a page whose parts are variants of each other."""
    return tuple(tabset for tabset in find_tabsets(page) if _are_variants(page, tabset))


def build_views(page: Page) -> list[tuple[Page, ...]]:
    """Return the views of the compared tabsets, tab by tab; each is parsed once, on request."""
    return [tuple(build_view(page, tab) for tab in tabset.tabs) for tabset in page.get_cached(find_variant_tabsets)]


def build_view(page: Page, tab: Tab) -> Page:
    """Return a part of a page as a page: all around it is blank, so that offsets are those of the page."""
    region = replace(page)
    before, behind = blank_text(page.plain[: tab.start]), blank_text(page.plain[tab.end :])
    region.__dict__["plain"] = before + page.plain[tab.start : tab.end] + behind
    return region


def _are_variants(page: Page, tabset: Tabset) -> bool:
    """Return whether tabs are for platforms, for languages with prose, or share most of their text."""
    labels = [tab.label.strip().lower() for tab in tabset.tabs]
    if len(set(labels)) < len(labels) or not all(labels):
        return False
    if tabset.has_platform_labels:
        return not tabset.has_language_labels or sum(_has_prose(page, tab) for tab in tabset.tabs) > 1
    if any(map(paths.is_version, labels)):
        return False
    return min(_measure_shares(page, tabset)) >= _MIN_SHARED_TEXT


def _measure_shares(page: Page, tabset: Tabset) -> list[float]:
    """Return the share of common text of each pair of tabs."""
    lines = [hash_units(normalize_text("\n" + page.plain[tab.start : tab.end])) for tab in tabset.tabs]
    return [2 * len(left & right) / max(1, len(left) + len(right)) for left, right in combinations(lines, 2)]


def _has_prose(page: Page, tab: Tab) -> bool:
    """Return whether a tab has prose, parsed without the page around it; those of an API's languages have only code."""
    line = find_line_start(page.plain, tab.start)
    region = Document("\n" + " " * (tab.start - line) + page.plain[tab.start : tab.end], page.dialect)
    return any(prose.kind not in ("heading", "title") and prose.strip() for prose in region.get_prose())


def _build_step(site: Site, page: Page, tabset: Tabset, views: Sequence[Page]) -> Step:
    pages, variants = {}, {}
    for tab, region in zip(tabset.tabs, views, strict=True):
        id_ = ", ".join(tab.names)
        pages[id_] = region
        variants[id_] = _build_variant(id_, tab.names)
    line = page.plain.count("\n", 0, tabset.tabs[0].start) + 1
    return Step(f"tabs at line {line}", f"{page.path}:{line}", pages, variants, site)


def _build_variant(id_: str, names: tuple[str, ...]) -> Variant:
    """Return a tab as a variant: its label, the names in it, and their known forms."""
    known_forms = [known_names.get_name(name.lower().replace(" ", "-")) for name in names]
    words = {*names, *filter(None, known_forms)} or {id_}
    return Variant(id_, id_, tuple(sorted(words, key=lambda word: (-len(word), word))))
