"""What rules have found so far, by place: the evidence that later rules ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tutorial_tool.finding import Finding
from tutorial_tool.site import Page
from tutorial_tool.source import Source, Span


@dataclass
class Findings:
    """The findings of the levels that ran before."""

    _by_source: dict[Source, list[Finding]] = field(default_factory=dict)

    def add(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            self._by_source.setdefault(finding.span.source, []).append(finding)

    def at(self, span: Span) -> list[Finding]:
        """The findings whose place overlaps a span of a source."""
        return [f for f in self._by_source.get(span.source, ()) if f.span.overlaps(span)]

    def on(self, page: Page, place: tuple[int, int]) -> list[Finding]:
        """The findings at a (start, end) of a page's text."""
        return self.at(page.source_span(*place)[0])
