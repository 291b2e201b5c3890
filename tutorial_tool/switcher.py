"""What surrounds a step on its page: the same step on other platforms, and where it stands among the steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tutorial_tool.context import Address
from tutorial_tool.model.parts import Platform, Tutorial
from tutorial_tool.site import Page, Site


@dataclass(frozen=True, eq=False)
class Choice:
    """A platform that a reader can switch to.

    `page` is the same step there. Where the platform lacks it, `reason` tells why, if the data does, and `instead` is
    the nearest step that it has.
    """

    platform: Platform
    page: Page | None
    reason: str = ""
    instead: Page | None = None


@dataclass(frozen=True, eq=False)
class Progress:
    """The steps of a platform, in their order, and the number of the one that is shown, if it has one."""

    number: int | None
    pages: tuple[Page, ...]

    @property
    def count(self) -> int:
        """How many steps have a number."""
        return sum(page.number is not None for page in self.pages)


def choices(site: Site, page: Page) -> tuple[Choice, ...]:
    """The platforms that have the page's tutorial, in the order of the data, its own among them."""
    if page.place is None:
        return ()
    platforms = site.model.platforms.values()
    return tuple(_choice(site, page, platform) for platform in platforms if _has(site, page.place.tutorial, platform))


def _has(site: Site, tutorial: Tutorial, platform: Platform) -> bool:
    return bool(site.page_order(tutorial.id, platform.id))


def _choice(site: Site, page: Page, platform: Platform) -> Choice:
    assert page.place is not None
    found = site.by_address.get(page.place.address._replace(platform=platform.id))
    if found is not None:
        return Choice(platform, found)
    reason = page.place.tutorial.absence(page.place.step, platform)
    return Choice(platform, None, reason or "", next(_nearest(site, page, platform), None))


def _nearest(site: Site, page: Page, platform: Platform) -> Iterator[Page]:
    """The pages that a platform has, those before the step first, the nearest of them at once."""
    assert page.place is not None
    steps = list(page.place.tutorial.steps)
    here = steps.index(page.place.step.id)
    for step in (*reversed(steps[:here]), *steps[here + 1 :]):
        found = site.by_address.get(Address(page.place.tutorial.id, step, platform.id))
        if found is not None:
            yield found


def progress(site: Site, page: Page) -> Progress:
    """Where a page stands among the steps of its platform."""
    if page.place is None:
        return Progress(None, ())
    address = page.place.address
    return Progress(page.number, tuple(site.page_order(address.tutorial, address.platform)))


def starts(site: Site) -> dict[str, dict[str, Page]]:
    """The first page of every tutorial on each of its platforms: by tutorial, then by platform."""
    out: dict[str, dict[str, Page]] = {}
    for tutorial in site.model.tutorials:
        for platform in site.model.platforms:
            if pages := site.page_order(tutorial, platform):
                out.setdefault(tutorial, {})[platform] = pages[0]
    return out
