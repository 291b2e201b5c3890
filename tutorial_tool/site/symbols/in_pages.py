"""The pages on which a name shows: by the origins of their text, and by what they asked for while being rendered."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tutorial_tool.core.source import Source, Span
from tutorial_tool.site import Page
from tutorial_tool.site.symbols.names import Kind, Name, Place

if TYPE_CHECKING:
    from tutorial_tool.site.symbols import SymbolIndex

_ASKS = {
    Kind.LABEL: "labels",
    Kind.VALUE: "values",
    Kind.FEATURE: "can",
    Kind.TABLE: "tables",
    Kind.FIGURE: "figure",
    Kind.PART: "part",
    Kind.CODE: "code",
}
_TOLD_BY_ID = (Kind.PLATFORM, Kind.GROUP, Kind.TUTORIAL, Kind.STEP, Kind.SECTION)
_TEXT, _TAG = "text", "tag"  # What a span may be besides the place of something that was asked for


class PageIndex:
    """What the pages of a site came from and asked for, read once for all names. Many pages share a span."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.named: dict[Name, set[Page]] = defaultdict(set)
        self.asked: dict[tuple[str, str], set[Page]] = defaultdict(set)
        self._order = {page: number for number, page in enumerate(pages)}
        self._at: dict[tuple[Span, str], set[Page]] = defaultdict(set)
        for page in self._order:
            for name in _iter_names(page):
                self.named[name].add(page)
            for ask in page.dependencies:
                self.asked[ask.kind, ask.key].add(page)
            for key in _iter_spans(page):
                self._at[key].add(page)
        self._of: dict[Source, tuple[list[tuple[Span, str]], list[int]]] = {}
        for key in sorted(self._at, key=lambda key: key[0][1:]):
            spans, ends = self._of.setdefault(key[0].source, ([], [0]))
            spans.append(key)
            ends.append(max(key[0].end, ends[-1]))  # the furthest end of all up to this one

    def find_pages(self, span: Span, kind: str | None = None) -> set[Page]:
        """The pages that asked for something of a kind at a place; without one, those that have text from the place, or
        text that went through a tag that holds it."""
        spans, ends = self._of.get(span.source, ([], [0]))
        number, pages = bisect_right(spans, span.end, key=lambda key: key[0].start), set[Page]()
        while number and ends[number] >= span.start:
            number -= 1
            other, what = key = spans[number]
            if what == _TAG and kind is None:
                pages |= self._at[key] if other.start <= span.start and span.end <= other.end else set()
            elif what == (kind or _TEXT) and other.overlaps(span):
                pages |= self._at[key]
        return pages

    def sort_pages(self, pages: Iterable[Page]) -> list[Page]:
        """Pages as they stand in the site."""
        return sorted(pages, key=self._order.__getitem__)


def find_by_name(uses: SymbolIndex, name: Name) -> list[Page]:
    """The pages on which a name shows, or that asked for it."""
    pages = {*uses.page_index.named.get(name, ())}
    if name.kind not in _TOLD_BY_ID:
        pages.update(*(_find_by_place(uses, place) for place in uses.list_places(name)))
    key = name.id.rpartition("/")[2] if name.kind is Kind.CODE else name.id
    if name.kind in _ASKS and name.kind is not Kind.PART and "/" not in name.id:
        pages |= uses.page_index.asked.get((_ASKS[name.kind], key), set())
    return uses.page_index.sort_pages(pages)


def find_by_place(uses: SymbolIndex, place: Place) -> list[Page]:
    """The pages on which one place shows, or that asked for it there."""
    return uses.page_index.sort_pages(_find_by_place(uses, place))


def _find_by_place(uses: SymbolIndex, place: Place) -> set[Page]:
    if place.value is not None:  # a definition
        return uses.page_index.find_pages(place.value)
    drawn = place.span.path.removeprefix(f"{uses.site.layout.templates}/")
    if drawn.startswith("figures/"):  # a picture is no text of the page: its template tells
        return uses.page_index.named.get(Name(Kind.TEMPLATE, drawn), set())
    requested = _ASKS.get(place.name.kind)
    return uses.page_index.find_pages(place.span) | (
        uses.page_index.find_pages(place.span, requested) if requested else set()
    )


def _iter_names(page: Page) -> Iterator[Name]:
    """What tells by its id that the page is meant, and the templates that it takes in."""
    yield from (Name(Kind.TEMPLATE, template) for template in page.used_files)
    if page.place is not None:
        step = f"{page.tutorial}/{page.step}"
        yield Name(Kind.PLATFORM, page.place.platform.id)
        yield from (Name(Kind.GROUP, group) for group in page.place.platform.groups)
        yield Name(Kind.TUTORIAL, page.place.tutorial.id)
        yield Name(Kind.STEP, step)
        yield from (Name(Kind.SECTION, f"{step}#{section.id}") for section in page.sections)


def _iter_spans(page: Page) -> Iterator[tuple[Span, str]]:
    """Where the text of the page came from, what it went through, and where it asked for something."""
    for run in page.text.runs:
        if run.span is not None:
            yield run.span, _TEXT
        yield from ((tag, _TAG) for tag in run.via)
    yield from ((ask.span, ask.kind) for ask in page.dependencies if ask.span is not None)
