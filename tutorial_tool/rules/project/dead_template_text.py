"""Text of a template that no platform shows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import Source, Span
from tutorial_tool.rules import rule
from tutorial_tool.rules.project.platform_test import find_never_true
from tutorial_tool.site import Page, Project, Site


@rule("project", Severity.WARNING)
def check(project: Project) -> Iterator[Finding]:
    if project.site.errors:
        return  # the output of unrendered templates is unknown
    by_source = group_by(project.site.literals, lambda literal: literal.source)
    unseen = frozenset[Span]()
    for source, literals in by_source.items():
        unseen |= source.get_cached(_find_unseen, _list_pages(project.site, source), literals)
    for literal in project.site.literals:
        source = literal.source
        if literal in unseen and len(source.text[: literal.start].rstrip()) not in find_never_true(project, source):
            text = literal.text
            start = len(text) - len(text.lstrip())
            place = literal.cut(start, len(text.rstrip()))
            yield project.flag(place, "no platform shows this text")


def _list_pages(site: Site, source: Source) -> list[Page]:
    """Return the pages that show a template, drafts included."""
    drafts = [page for page in site.hidden if source in page.provenance]
    return [page for page in (*site.pages_by_source.get(source, ()), *drafts) if page.generated]


def _find_unseen(source: Source, pages: list[Page], literals: list[Span]) -> frozenset[Span]:
    """Return the texts of a template that no page shows."""
    shown = {(span.start, span.end) for page in pages for span in page.provenance[source] if span.end > span.start}
    published = sorted(shown)
    starts, ends = [start for start, _ in published], [0, *accumulate((end for _, end in published), max)]
    return frozenset(literal for literal in literals if ends[bisect_left(starts, literal.end)] <= literal.start)
