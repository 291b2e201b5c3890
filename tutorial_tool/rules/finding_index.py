"""Index of the findings so far, by location: evidence for the rules that run later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Source, Span
from tutorial_tool.site import Page


@dataclass
class Findings:
    """The findings of the levels that have already run."""

    _by_source: dict[Source, list[Finding]] = field(default_factory=dict)

    def add(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self._by_source.setdefault(finding.span.source, []).append(finding)

    def __bool__(self) -> bool:
        return bool(self._by_source)

    def get_in_sources(self, sources: Iterable[Source]) -> tuple[Finding, ...]:
        """Return all findings in some sources."""
        return tuple(finding for source in sources for finding in self._by_source.get(source, ()))

    def find_at_span(self, span: Span) -> list[Finding]:
        """Return the findings that overlap a span of a source."""
        return [f for f in self._by_source.get(span.source, ()) if f.span.overlaps(span)]

    def find_on_page(self, page: Page, place: tuple[int, int]) -> list[Finding]:
        """Return the findings at a (start, end) span of a page's text."""
        return self.find_at_span(page.get_source_span(*place)[0])


def filter_by_page(page: Page, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings on a page; on a rendered one, those in the sources shown, on its platform."""
    if not page.generated:
        yield from (finding for finding in findings if finding.span.path == page.source.path)
        return
    spans_by_path = group_pairs((run.span.path, run.span) for run in page.text.runs if run.span is not None)
    for finding in findings:
        spans = spans_by_path.get(finding.span.path, ())
        if page.platform in (finding.platforms or (page.platform,)) and any(
            _overlaps(finding.span, span) for span in spans
        ):
            yield finding


def _overlaps(left: Span, right: Span) -> bool:
    """Return whether two spans of one file overlap, even if the file was read twice."""
    return left.start < max(right.end, right.start + 1) and right.start < max(left.end, left.start + 1)
