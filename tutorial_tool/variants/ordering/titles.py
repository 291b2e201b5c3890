"""Facts from the title of a page, recorded while the page is parsed."""

from __future__ import annotations

from tutorial_tool.site import Page, page_facts
from tutorial_tool.variants.ordering import numbers
from tutorial_tool.variants.ordering.numbers import StepNumber, Title


@page_facts.register
def get_title(page: Page) -> Title | None:
    """Return a page's title as written on the page."""
    return numbers.find_title(page.document)


@page_facts.register
def get_step_number(page: Page) -> StepNumber | None:
    """Return the step number that is typed in a page's title."""
    return numbers.parse_step_number(page.get_cached(get_title))
