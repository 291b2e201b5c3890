"""The pages of a site of which there is anything to say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from tutorial_tool.site import Page, Site

Made = TypeVar("Made")


def collect_facts(site: Site, make: Callable[..., Made], *by: object, english: bool = False) -> Mapping[Page, Made]:
    """What `make(page, *by)` gives of each page, in their order, where that is anything at all.

    It is made again where one of `by` is another, as `Page.kept` has it. With `english`, pages in other languages are
    left out.
    """
    pages = (page for page in site.pages if not english or page.may_be_english)
    return {page: made for page in pages if (made := page.get_cached(make, *by))}
