"""Collect facts from the pages of a site that have any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tutorial_tool.site import Page, Site

T = TypeVar("T")


def collect_facts(
    site: Site, make: Callable[..., T], *args: object, english: bool = False, linked: bool = False
) -> Mapping[Page, T]:
    """Return `make(page, *args)` of each page for which it is not empty, in page order.

    Results are cached until one of `args` changes, as in `Page.get_cached`. `english` skips pages in other languages;
    `linked` adds those that are only link targets, which are not parsed otherwise.
    """
    read = (page for page in site.pages if linked or not page.is_link_only)
    pages = (page for page in read if not english or page.may_be_english)
    return {page: fact for page in pages if (fact := page.get_cached(make, *args))}
