"""Previous and next typed by hand, where they follow from the order of the pages."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import addresses
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._neighbours import Neighbour, typed
from tutorial_tool.site import Page, Site


@rule("navigation", Severity.OFF, project=Severity.WARNING, yields_to=("wrong-neighbour",))
def check(site: Site) -> Iterator[Finding]:
    known = addresses.of(site)
    for page in site.pages:
        if page.generated or not site.is_project:
            yield from _typed(page, typed(page, known))


def _typed(page: Page, found: list[Neighbour]) -> Iterator[Finding]:
    """One finding for each direction: the same link at the top and at the bottom is one habit."""
    told: dict[str, list[Neighbour]] = {}
    for one in found:
        told.setdefault(one.direction, []).append(one)
    for direction, (first, *others) in told.items():
        related = [(page, one.link, "and here") for one in others]
        message = f"the {direction} page is typed by hand; it follows from the order of the steps"
        yield page.flag(first.link, message, related=related)
