"""Find the pages on which a name appears: by the origins of their text, and by requests during rendering."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tutorial_tool.core.source import Source, Span
from tutorial_tool.site import Page
from tutorial_tool.site.symbols.names import Name, Occurrence, SymbolKind

if TYPE_CHECKING:
    from tutorial_tool.site.symbols import SymbolIndex

_REQUEST_KINDS = {
    SymbolKind.LABEL: "labels",
    SymbolKind.VALUE: "values",
    SymbolKind.FEATURE: "can",
    SymbolKind.TABLE: "tables",
    SymbolKind.FIGURE: "figure",
    SymbolKind.PART: "part",
    SymbolKind.CODE: "code",
}
_FOUND_BY_ID = (SymbolKind.PLATFORM, SymbolKind.GROUP, SymbolKind.TUTORIAL, SymbolKind.STEP, SymbolKind.SECTION)
_TEXT, _TAG = "text", "tag"  # Other kinds of spans, besides places of requested names


class PageIndex:
    """The sources and requests of a site's pages, read once for all names; many pages share a span."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.pages_by_name: dict[Name, set[Page]] = defaultdict(set)
        self.pages_by_request: dict[tuple[str, str], set[Page]] = defaultdict(set)
        self._order = {page: number for number, page in enumerate(pages)}
        self._pages_by_span: dict[tuple[Span, str], set[Page]] = defaultdict(set)
        for page in self._order:
            for name in _iter_names(page):
                self.pages_by_name[name].add(page)
            for request in page.dependencies:
                self.pages_by_request[request.kind, request.key].add(page)
            for key in _iter_spans(page):
                self._pages_by_span[key].add(page)
        self._spans_by_source: dict[Source, tuple[list[tuple[Span, str]], list[int]]] = {}
        for key in sorted(self._pages_by_span, key=lambda key: key[0][1:]):
            spans, ends = self._spans_by_source.setdefault(key[0].source, ([], [0]))
            spans.append(key)
            ends.append(max(key[0].end, ends[-1]))  # the furthest end so far

    def find_pages(self, span: Span, kind: str | None = None) -> set[Page]:
        """Return the pages that requested something of a kind in a span.

        Without a kind, return those with text from the span, or text that passed through a tag around it.
        """
        spans, ends = self._spans_by_source.get(span.source, ([], [0]))
        index, pages = bisect_right(spans, span.end, key=lambda key: key[0].start), set[Page]()
        while index and ends[index] >= span.start:
            index -= 1
            candidate, span_kind = key = spans[index]
            if span_kind == (kind or _TEXT):
                is_shown = candidate.overlaps(span)
            else:
                is_shown = kind is None and span_kind == _TAG and candidate.contains(span)
            pages |= self._pages_by_span[key] if is_shown else set()
        return pages

    def sort_pages(self, pages: Iterable[Page]) -> list[Page]:
        """Sort pages in the site's order."""
        return sorted(pages, key=self._order.__getitem__)


def find_by_name(symbols: SymbolIndex, name: Name) -> list[Page]:
    """Return the pages on which a name appears, or that requested it."""
    pages = {*symbols.page_index.pages_by_name.get(name, ())}
    if name.kind not in _FOUND_BY_ID:
        pages.update(*(_find_by_place(symbols, place) for place in symbols.list_places(name)))
    key = name.id.rpartition("/")[2] if name.kind is SymbolKind.CODE else name.id
    if name.kind in _REQUEST_KINDS and name.kind is not SymbolKind.PART and "/" not in name.id:
        pages |= symbols.page_index.pages_by_request.get((_REQUEST_KINDS[name.kind], key), set())
    return symbols.page_index.sort_pages(pages)


def find_by_place(symbols: SymbolIndex, place: Occurrence) -> list[Page]:
    """Return the pages on which one place appears, or that requested its name there."""
    return symbols.page_index.sort_pages(_find_by_place(symbols, place))


def _find_by_place(symbols: SymbolIndex, place: Occurrence) -> set[Page]:
    if place.value is not None:  # a definition
        return symbols.page_index.find_pages(place.value)
    template = place.span.path.removeprefix(f"{symbols.site.layout.templates}/")
    if template.startswith("figures/"):  # an image is no text of the page: its template identifies it
        return symbols.page_index.pages_by_name.get(Name(SymbolKind.TEMPLATE, template), set())
    requested = _REQUEST_KINDS.get(place.name.kind)
    pages = symbols.page_index.find_pages(place.span)
    return pages | symbols.page_index.find_pages(place.span, requested) if requested else pages


def _iter_names(page: Page) -> Iterator[Name]:
    """Yield the names whose ids identify the page, and the templates that it includes."""
    yield from (Name(SymbolKind.TEMPLATE, template) for template in page.used_files)
    if page.place is not None:
        step = f"{page.tutorial}/{page.step}"
        yield Name(SymbolKind.PLATFORM, page.place.platform.id)
        yield from (Name(SymbolKind.GROUP, group) for group in page.place.platform.groups)
        yield Name(SymbolKind.TUTORIAL, page.place.tutorial.id)
        yield Name(SymbolKind.STEP, step)
        yield from (Name(SymbolKind.SECTION, f"{step}#{section.id}") for section in page.sections)


def _iter_spans(page: Page) -> Iterator[tuple[Span, str]]:
    """Yield the spans of the page's text, of the tags that it passed through, and of its requests."""
    for run in page.text.runs:
        if run.span is not None:
            yield run.span, _TEXT
        yield from ((tag, _TAG) for tag in run.via)
    yield from ((request.span, request.kind) for request in page.dependencies if request.span is not None)
