"""No blank line between the front matter and the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import PLACES
from tutorial_tool.rules.markup._habits import find_habits
from tutorial_tool.site import Page, PageFix, Site, page_facts

_MESSAGE = "missing blank line after the front matter"


@rule("markup", Severity.OFF, project=Severity.HINT, needs="front-matter")
def check(site: Site) -> Iterator[Finding]:
    fronts = {page: front for page in site.pages if (front := page.get_cached(_find_front_matter_end))}
    result = {page: front for page, front in fronts.items() if front.after}
    for pages in find_habits(result, fronts):
        first, *others = pages
        related = [(page, result[page].place, "also here") for page in others[:PLACES]]
        yield first.flag(result[first].place, f"{_MESSAGE} ({len(pages)} pages in this folder)", related=related)
        for page in pages:
            del result[page]
    for page, front in result.items():
        fix = PageFix("add a blank line after the front matter", ((front.after, front.after, "\n"),))
        yield page.flag(front.place, _MESSAGE, fix=fix)


class _FrontMatterEnd(NamedTuple):
    """The last line of a front matter, and the offset of the missing blank line; 0 if there is one."""

    place: tuple[int, int]
    after: int


@page_facts.register
def _find_front_matter_end(page: Page) -> _FrontMatterEnd | None:
    front = page.document.front_matter
    text = page.plain
    if front is None or not text[front.body :].strip():
        return None
    end = len(text[: front.body].rstrip())
    start = text.rfind("\n", 0, end) + 1
    after = text.find("\n", end) + 1
    return _FrontMatterEnd((start, end), after if after and text[after:].split("\n", 1)[0].strip() else 0)
