"""Last-change dates of pages: the newest commit among the lines that each page is built from.

These are lines of templates, data and code. A deleted line leaves no trace, and neither does a capability that a
platform has or lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import blame
from tutorial_tool.site import Page, Site


def build_dates(site: Site) -> dict[str, str]:
    """Return the last-change date of each page by path, such as `2026-11-28`.

    Pages with uncommitted lines are left out.
    """
    times_by_source: dict[Source, tuple[int, ...]] = {}
    dates = {}
    for page in site.pages:
        times: set[int] = set()
        for span in {*_iter_spans(page)}:
            source = span.source
            if source not in times_by_source:
                times_by_source[source] = blame.get_line_times(site.layout.root / source.path) if source.path else ()
            first, last = source.get_position(span.start).line, source.get_position(max(span.start, span.end - 1)).line
            times.update(times_by_source[source][first - 1 : last] or (0,))
        if times and all(times):
            dates[page.path] = datetime.fromtimestamp(max(times), UTC).date().isoformat()
    return dates


def _iter_spans(page: Page) -> Iterator[Span]:
    """Yield the spans that a page is built from: text, tags, dependencies and its number."""
    for run in page.text.runs:
        yield from (span for span in (run.span, *run.via) if span is not None)
    yield from (ask.span for ask in page.dependencies if ask.span is not None)
    if page.place is None:
        return
    platform = page.place.platform
    yield from (
        platform.values[ask.key].span
        for ask in page.dependencies
        if ask.kind == "values" and ask.key in platform.values
    )
    for step in page.place.tutorial.get_steps(platform) if page.number else ():
        yield step.key
        if step is page.place.step:
            break
