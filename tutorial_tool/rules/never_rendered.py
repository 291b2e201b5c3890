"""Text of a template that no platform shows."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Project, Site
from tutorial_tool.source import Source, Span


@rule("project", Severity.WARNING)
def check(project: Project) -> Iterator[Finding]:
    if project.site.errors:
        return  # what was not rendered cannot tell what it would have shown
    shown = _shown(project.site)
    for literal in project.site.literals:
        spans = shown.get(literal.source, ())
        if not any(span.overlaps(literal) for span in spans):
            text = literal.text
            start = len(text) - len(text.lstrip())
            place = literal.cut(start, len(text.rstrip()))
            yield project.flag(place, "no platform shows this text")


def _shown(site: Site) -> dict[Source, set[Span]]:
    """The spans of each template that stand on some page."""
    out: dict[Source, set[Span]] = {}
    for page in site.pages:
        for run in page.text.runs if page.generated else ():
            if run.span is not None and run.span.end > run.span.start:
                out.setdefault(run.span.source, set()).add(run.span)
    return out
