"""The navigation next to a step: the steps of its platform, as the switcher links to the others."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from mkdocs.structure.nav import Navigation

from tutorial_tool.site import Page, Site


def filter_by_platform(nav: Navigation, step_page: Page | None, site: Site) -> Navigation:
    """Remove sections with only the same tutorial on other platforms; `step_page` is the step, if any.

    Previous and next pages, and what other pages show, are unchanged.
    """
    if step_page is None or step_page.place is None:
        return nav
    address = step_page.place.address
    foreign = {
        page.path
        for (tutorial, _, platform), page in site.by_address.items()
        if tutorial == address.tutorial and platform != address.platform
    }
    if not foreign:
        return nav
    return Navigation(_filter_items(nav.items, foreign), nav.pages)


def _filter_items(items: Iterable[Any], foreign: set[str]) -> list[Any]:
    filtered = []
    for item in items:
        if not item.is_section or item.is_page or not item.children:
            filtered.append(item)
        elif children := [
            child
            for child in _filter_items(item.children, foreign)
            if child.children or not child.is_page or child.file.src_uri not in foreign
        ]:
            section = item
            if children != item.children:
                section = copy.copy(item)
                section.children = children
            filtered.append(section)
    return filtered
