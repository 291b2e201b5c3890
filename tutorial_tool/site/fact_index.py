"""Collect facts from the pages of a site that have any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tutorial_tool.site import Page, Site

Made = TypeVar("Made")


def collect_facts(site: Site, make: Callable[..., Made], *by: object, english: bool = False) -> Mapping[Page, Made]:
    """Return `make(page, *by)` of each page for which it is not empty, in page order.

    Results are cached until one of `by` changes, as in `Page.get_cached`. With `english`, pages in other languages are
    skipped.
    """
    pages = (page for page in site.pages if not english or page.may_be_english)
    return {page: made for page in pages if (made := page.get_cached(make, *by))}
