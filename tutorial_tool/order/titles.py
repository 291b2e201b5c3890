"""What the title of a page says, noted while the page stands there parsed."""

from __future__ import annotations

from tutorial_tool import gist
from tutorial_tool.order import numbers
from tutorial_tool.order.numbers import StepNumber, Title
from tutorial_tool.site import Page


@gist.of_each
def title(page: Page) -> Title | None:
    """A page's title as it stands on the page."""
    return numbers.title(page.document)


@gist.of_each
def step_number(page: Page) -> StepNumber | None:
    """The step number that is typed in a page's title."""
    return numbers.of_title(page.kept(title))
