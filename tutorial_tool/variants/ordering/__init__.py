"""The order of pages, from any source: data, `nav`, front matter, numbers in names, titles."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tutorial_tool import links, variants
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.site import Page, Site
from tutorial_tool.variants.ordering import nav, numbers, sequences
from tutorial_tool.variants.ordering.numbers import HeadingNumber, Number, StepNumber, Title
from tutorial_tool.variants.ordering.sequences import PageOrder
from tutorial_tool.variants.ordering.titles import get_step_number, get_title


class Order:
    """The order of a site's pages. Get it from `get_order(site)`, so that all rules share one."""

    def __init__(self, site: Site, patterns: Sequence[str] = ()) -> None:
        self.site, self._patterns = site, patterns

    @cached_property
    def tutorials(self) -> tuple[PageOrder, ...]:
        """The pages of each tutorial on each platform of the project, in the order of its data.

        A step that could not be rendered keeps its position.
        """
        orders = self.site.ordered_pages.values()
        numbered = [{page: float(index) for index, page in enumerate(order.values()) if page} for order in orders]
        return tuple(PageOrder(tuple(values), "data", values, "the tutorial") for values in numbered if len(values) > 1)

    @cached_property
    def siblings(self) -> tuple[PageOrder, ...]:
        """The order from front matter, names and titles of the pages that are in no tutorial of a project."""
        unassigned = [page for page in self.site.pages if page.place is None]
        return tuple(sequences.find_sibling_sequences(unassigned, self._index_variants))

    def _index_variants(self) -> dict[Page, str]:
        """Return the variant of each page; discovered only if copies of a step are in one folder."""
        return {page: id_ for step in self.steps for id_, page in step.pages.items()}

    @property
    def steps(self) -> tuple[variants.Step, ...]:
        """The copies of each step among the pages."""
        return variants.find_steps(self.site, self._patterns)

    @cached_property
    def navigations(self) -> tuple[PageOrder, ...]:
        """The whole navigation of each site that has one."""
        addresses = links.get_addresses(self.site)
        return tuple(sequence for tree in addresses.pages.trees if (sequence := nav.build_navigation(addresses, tree)))

    @cached_property
    def sections(self) -> tuple[PageOrder, ...]:
        """The pages of each section of a navigation."""
        pages = ((walk, page) for walk in self.navigations for page in walk.pages)
        groups = group_pairs(((walk, self.entries[page].sections), page) for walk, page in pages)
        return tuple(
            PageOrder(tuple(pages), walk.source, {page: float(index) for index, page in enumerate(pages, 1)}, walk.key)
            for (walk, _), pages in groups.items()
            if len(pages) > 1
        )

    @cached_property
    def entries(self) -> dict[Page, nav.NavEntry]:
        """The nav entry of each page that is in a nav: its title there, and its sections."""
        addresses = links.get_addresses(self.site)
        return {entry.page: entry for tree in addresses.pages.trees for entry in nav.iter_entries(addresses, tree)}

    def get_sequence(self, page: Page) -> PageOrder | None:
        """Return the sequence that a page is in: of its tutorial, or of its folder."""
        return self._by_page.get(page)

    def get_walk(self, page: Page) -> PageOrder | None:
        """Return the sequence for previous and next links: of the tutorial, of the nav, or of the folder."""
        return self._leading.get(page) or self._by_page.get(page)

    @cached_property
    def _by_page(self) -> dict[Page, PageOrder]:
        return {page: sequence for sequence in (*self.siblings, *self.tutorials) for page in sequence.pages}

    @cached_property
    def _leading(self) -> dict[Page, PageOrder]:
        return {page: sequence for sequence in (*self.navigations, *self.tutorials) for page in sequence.pages}

    def get_title(self, page: Page) -> Title | None:
        """Return a page's title as written on the page."""
        return page.get_cached(get_title)

    def get_step_number(self, page: Page) -> StepNumber | None:
        """Return the step number that is typed in a page's title."""
        return page.get_cached(get_step_number)


def get_order(site: Site, patterns: Sequence[str] = ()) -> Order:
    """Return the order of a site's pages, computed once.

    `patterns` are those of variants, from the configuration.
    """
    return site.get_cached(Order, tuple(patterns))


__all__ = ["HeadingNumber", "Number", "Order", "PageOrder", "StepNumber", "Title", "get_order", "numbers"]
