"""Platform switcher and progress: the same step on other platforms, and the position among steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import ALL_PLATFORMS, Platform, Tutorial
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.places import PageId, PageLocation


@dataclass(frozen=True, eq=False)
class Choice:
    """A platform that a reader can switch to.

    `page` is the same step there. If the platform lacks it, `reason` is the data's explanation, if any, and `instead`
    is the next step that it has, or else the last one before (`is_before`).
    """

    platform: Platform
    page: Page | None
    reason: str = ""
    instead: Page | None = None
    is_before: bool = False
    is_announced: bool = False  # Whether the platform is a draft that is shown as coming soon


MAX_SEPARATE_SENTENCES = 2  # Maximum platforms without a step for which each has its own sentence


MAX_ON_A_LINE = 6  # Maximum platforms in a row; more of them become a menu. Names of 8 letters fill 688 pixels, 2026-11


@dataclass(frozen=True)
class Absence:
    """Platforms that lack a step for the same reason."""

    names: tuple[str, ...]
    reason: str


@dataclass(frozen=True, eq=False)
class Progress:
    """A platform's steps in order, the counted ones, and the number of the current one, if any.

    A step whose number differs between platforms is counted on pages for all platforms, too, though its title has none.
    """

    number: int | None
    pages: tuple[Page, ...]
    counted: tuple[Page, ...]

    @property
    def count(self) -> int:
        """The number of counted steps."""
        return len(self.counted)


def list_choices(site: Site, page: Page) -> tuple[Choice, ...]:
    """Return the platforms of the page's tutorial, including its own, in the order of the data."""
    if page.place is None:
        return ()
    platforms = site.model.platforms.values()
    return tuple(
        _build_choice(site, page.place, platform)
        for platform in platforms
        if _has_tutorial(site, page.place.tutorial, platform)
    )


def _has_tutorial(site: Site, tutorial: Tutorial, platform: Platform) -> bool:
    is_announced = site.announces_drafts and platform.draft and bool(tutorial.get_steps(platform))
    return is_announced or bool(site.get_ordered_pages(tutorial.id, platform.id))


def _build_choice(site: Site, place: PageLocation, platform: Platform) -> Choice:
    result = site.by_address.get(place.address._replace(platform=platform.id))
    if result is not None:
        return Choice(platform, result)
    if platform.draft:
        return Choice(platform, None, is_announced=True)
    reason = place.tutorial.get_absence_reason(place.step, platform)
    if site.announces_drafts and place.step.is_draft(platform):
        reason = site.model.strings["coming-soon"]
    after, before = (next(pages, None) for pages in _find_nearest_pages(site, place, platform))
    return Choice(platform, None, reason or "", after or before, after is None)


def _find_nearest_pages(site: Site, place: PageLocation, platform: Platform) -> tuple[Iterator[Page], Iterator[Page]]:
    """Return a platform's pages for the steps after and before a page's, nearest first."""
    steps = list(place.tutorial.steps)
    index = steps.index(place.step.id)

    def iter_pages(ids: Iterable[str]) -> Iterator[Page]:
        matches = (site.by_address.get(PageId(place.tutorial.id, step, platform.id)) for step in ids)
        return (page for page in matches if page is not None)

    return iter_pages(steps[index + 1 :]), iter_pages(reversed(steps[:index]))


def filter_missing(choices: Iterable[Choice]) -> list[Choice]:
    """Return the platforms that lack a step and have not announced it."""
    return [choice for choice in choices if choice.page is None and not choice.is_announced]


def group_choices(choices: Iterable[Choice]) -> dict[str, list[Choice]]:
    """Return the choices of a menu by heading."""
    return group_by(choices, lambda choice: choice.platform.section or "")


def get_platform_name(place: PageLocation) -> str:
    """Return the platform's name for a page, which distinguishes variants; "" on pages for all platforms."""
    return "" if place.platform.id == ALL_PLATFORMS else strip_origins(place.platform.name)


def find_combined_page(site: Site, page: Page) -> Page | None:
    """Return the page for all platforms of a page's step, if any."""
    return site.by_address.get(page.place.address._replace(platform=ALL_PLATFORMS)) if page.place else None


def group_absences(missing: Iterable[Choice]) -> tuple[Absence, ...]:
    """Return the reasons why platforms lack a step, each once."""
    names = group_pairs(
        (strip_origins(choice.reason).strip().rstrip("."), strip_origins(choice.platform.name)) for choice in missing
    )
    return tuple(Absence(tuple(those), reason) for reason, those in names.items() if reason)


def compute_progress(site: Site, page: Page) -> Progress:
    """Return a page's position among the steps of its platform."""
    if page.place is None:
        return Progress(None, (), ())
    pages = tuple(site.get_ordered_pages(page.place.address.tutorial, page.place.address.platform))
    counted = tuple(step for step in pages if step.place and step.place.step.numbered)
    return Progress(counted.index(page) + 1 if page in counted else None, pages, counted)


def find_first_pages(site: Site) -> dict[str, dict[str, Page]]:
    """Return the first page of each tutorial on each of its platforms: by tutorial, then by platform."""
    platforms = site.model.platforms
    first = {
        id_: {on: pages[0] for on in platforms if (pages := site.get_ordered_pages(id_, on))}
        for id_ in site.model.tutorials
    }
    return {tutorial: pages for tutorial, pages in first.items() if pages}
