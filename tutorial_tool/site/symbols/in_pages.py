"""The pages on which a name shows: by the origins of their text, and by what they asked for while being rendered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tutorial_tool.core.source import Span
from tutorial_tool.site import Page
from tutorial_tool.site.symbols.names import Kind, Name, Place

if TYPE_CHECKING:
    from tutorial_tool.site.symbols import Uses

_ASKS = {
    Kind.LABEL: "labels",
    Kind.VALUE: "values",
    Kind.FEATURE: "can",
    Kind.TABLE: "tables",
    Kind.FIGURE: "figure",
    Kind.PART: "part",
    Kind.CODE: "code",
}


def of_name(uses: Uses, name: Name) -> list[Page]:
    """The pages on which a name shows, or that asked for it."""
    known = _by_id(uses, name)
    if known is not None:
        return _in_order(uses, known)
    pages = {page for page in uses.site.pages if name.id in page.used} if name.kind is Kind.TEMPLATE else set()
    pages |= {page for place in uses.places(name) for page in of_place(uses, place)}
    key = name.id.rpartition("/")[2] if name.kind is Kind.CODE else name.id
    if name.kind in _ASKS and name.kind is not Kind.PART and "/" not in name.id:
        pages |= {
            page for page in uses.site.pages if any((a.kind, a.key) == (_ASKS[name.kind], key) for a in page.asks)
        }
    return _in_order(uses, pages)


def of_place(uses: Uses, place: Place) -> list[Page]:
    """The pages on which one place shows, or that asked for it there."""
    kind = _ASKS.get(place.name.kind)
    if place.value is not None:  # a definition
        return [page for page in uses.site.pages if _shows(page, place.value)]
    spans = {ask.span for page in uses.site.pages for ask in page.asks if ask.kind == kind and ask.span is not None}
    near = {span for span in spans if span.overlaps(place.span)}
    asked = {page for page in uses.site.pages if any(ask.kind == kind and ask.span in near for ask in page.asks)}
    drawn = place.span.path.removeprefix(f"{uses.site.layout.templates}/")
    if drawn.startswith("figures/"):  # a picture is no text of the page: its template tells
        return _in_order(uses, {page for page in uses.site.pages if drawn in page.used})
    shown = {page for page in uses.site.pages if page not in asked and _shows(page, place.span)}
    return _in_order(uses, asked | shown)


def _by_id(uses: Uses, name: Name) -> set[Page] | None:
    """The pages that an id itself tells; None where it tells none."""
    site = uses.site
    tests: dict[Kind, Callable[[Page], bool]] = {
        Kind.PLATFORM: lambda page: page.platform == name.id,
        Kind.GROUP: lambda page: page.place is not None and name.id in page.place.platform.groups,
        Kind.TUTORIAL: lambda page: page.tutorial == name.id,
        Kind.STEP: lambda page: f"{page.tutorial}/{page.step}" == name.id,
    }
    if name.kind is Kind.SECTION:
        step, _, section = name.id.partition("#")
        tests[name.kind] = lambda page: (
            f"{page.tutorial}/{page.step}" == step and any(s.id == section for s in page.sections)
        )
    test = tests.get(name.kind)
    return None if test is None else {page for page in site.pages if test(page)}


def _in_order(uses: Uses, pages: set[Page]) -> list[Page]:
    return [page for page in uses.site.pages if page in pages]


def _shows(page: Page, span: Span) -> bool:
    """Whether text of the page came from a place, or went through a tag that holds it."""
    for run in page.text.runs:
        if run.span is not None and run.span.overlaps(span):
            return True
        if any(_holds(tag, span) for tag in run.via):
            return True
    return False


def _holds(tag: Span, span: Span) -> bool:
    return tag.source is span.source and tag.start <= span.start and span.end <= tag.end
