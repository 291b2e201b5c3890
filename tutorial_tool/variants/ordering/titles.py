"""What the title of a page says, noted while the page stands there parsed."""

from __future__ import annotations

from tutorial_tool.site import Page, page_facts
from tutorial_tool.variants.ordering import numbers
from tutorial_tool.variants.ordering.numbers import StepNumber, Title


@page_facts.register
def title(page: Page) -> Title | None:
    """A page's title as it stands on the page."""
    return numbers.title(page.document)


@page_facts.register
def step_number(page: Page) -> StepNumber | None:
    """The step number that is typed in a page's title."""
    return numbers.of_title(page.get_cached(title))
