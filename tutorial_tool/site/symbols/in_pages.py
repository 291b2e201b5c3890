"""Find the pages on which a name appears: by the origins of their text, and by requests during rendering."""

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
_TEXT, _TAG = "text", "tag"  # Other kinds of spans, besides places of requested names


class PageIndex:
    """The sources and requests of a site's pages, read once for all names; many pages share a span."""

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
            ends.append(max(key[0].end, ends[-1]))  # the furthest end so far

    def find_pages(self, span: Span, kind: str | None = None) -> set[Page]:
        """Return the pages that requested something of a kind in a span.

        Without a kind, return those with text from the span, or text that passed through a tag around it.
        """
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
        """Sort pages in the site's order."""
        return sorted(pages, key=self._order.__getitem__)


def find_by_name(uses: SymbolIndex, name: Name) -> list[Page]:
    """Return the pages on which a name appears, or that requested it."""
    pages = {*uses.page_index.named.get(name, ())}
    if name.kind not in _TOLD_BY_ID:
        pages.update(*(_find_by_place(uses, place) for place in uses.list_places(name)))
    key = name.id.rpartition("/")[2] if name.kind is Kind.CODE else name.id
    if name.kind in _ASKS and name.kind is not Kind.PART and "/" not in name.id:
        pages |= uses.page_index.asked.get((_ASKS[name.kind], key), set())
    return uses.page_index.sort_pages(pages)


def find_by_place(uses: SymbolIndex, place: Place) -> list[Page]:
    """Return the pages on which one place appears, or that requested its name there."""
    return uses.page_index.sort_pages(_find_by_place(uses, place))


def _find_by_place(uses: SymbolIndex, place: Place) -> set[Page]:
    if place.value is not None:  # a definition
        return uses.page_index.find_pages(place.value)
    drawn = place.span.path.removeprefix(f"{uses.site.layout.templates}/")
    if drawn.startswith("figures/"):  # an image is no text of the page: its template identifies it
        return uses.page_index.named.get(Name(Kind.TEMPLATE, drawn), set())
    requested = _ASKS.get(place.name.kind)
    return uses.page_index.find_pages(place.span) | (
        uses.page_index.find_pages(place.span, requested) if requested else set()
    )


def _iter_names(page: Page) -> Iterator[Name]:
    """Yield the names whose ids identify the page, and the templates that it includes."""
    yield from (Name(Kind.TEMPLATE, template) for template in page.used_files)
    if page.place is not None:
        step = f"{page.tutorial}/{page.step}"
        yield Name(Kind.PLATFORM, page.place.platform.id)
        yield from (Name(Kind.GROUP, group) for group in page.place.platform.groups)
        yield Name(Kind.TUTORIAL, page.place.tutorial.id)
        yield Name(Kind.STEP, step)
        yield from (Name(Kind.SECTION, f"{step}#{section.id}") for section in page.sections)


def _iter_spans(page: Page) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the page's text, of the tags that it passed through, and of its requests."""
    for run in page.text.runs:
        if run.span is not None:
            yield run.span, _TEXT
        yield from ((tag, _TAG) for tag in run.via)
    yield from ((ask.span, ask.kind) for ask in page.dependencies if ask.span is not None)
