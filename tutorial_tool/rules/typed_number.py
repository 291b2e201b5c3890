"""A step or section number typed in a template, where the tool computes it."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.document import Range
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.order import Title, numbers
from tutorial_tool.rules import rule
from tutorial_tool.rules._references import references
from tutorial_tool.site import Page, Site


@rule("navigation", Severity.OFF, project=Severity.WARNING, yields_to=("stale-step-reference", "step-number-mismatch"))
def check(site: Site) -> Iterator[Finding]:
    for page in site.pages:
        if page.generated or not site.is_project:
            yield from page.kept(_typed, page.may_be_english)


def _typed(page: Page, is_english: bool) -> tuple[Finding, ...]:
    return (*_title(page), *_headings(page), *(_references(page) if is_english else ()))


def _title(page: Page) -> Iterator[Finding]:
    if page.place is not None and not page.place.step.numbering.steps:
        return
    rest = numbers.title(page.document)
    while (found := numbers.of_title(rest)) and rest:
        if _is_typed(page, found.place):
            yield page.flag(found.place, f"the step's number {found.number} is typed in its title; it is computed")
        start = rest.text.rfind(found.rest)
        rest = Title(found.rest, Range(rest.place.start + start, rest.place.end))


def _headings(page: Page) -> Iterator[Finding]:
    if page.place is not None and not page.place.step.numbering.sections:
        return
    before: int | None = None
    for found in numbers.of_headings(page.document, repeated=True):
        # behind the number that the tool computes, any other is typed
        is_second = before is not None and "\n" not in page.plain[before : found.place.start]
        is_number = len(found.number) > 1 or found.typed[0].isalpha() or is_second
        before = found.place.end
        if is_number and _is_typed(page, found.place):
            yield page.flag(found.place, f"the number in `{found.typed}` is typed; a section's number is computed")


def _references(page: Page) -> Iterator[Finding]:
    for found in references(page):
        if _is_typed(page, found.place):
            yield page.flag(found.place, f"`{found.text}` is typed; `link()` prints the number that it has")


def _is_typed(page: Page, place: Range) -> bool:
    """Whether something stands in a file as it is, and is not the tool's own."""
    return page.source_span(*place)[1]
