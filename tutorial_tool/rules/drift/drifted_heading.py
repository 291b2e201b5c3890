"""A heading that differs from that of the other copies, over the same section."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from tutorial_tool import variation
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Heading
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import lone, named
from tutorial_tool.rules._shared._deviations import report, take
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import Section, SectionRow, masked
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import Kind


@rule("drift", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    yield from _levels(step)
    yield from _ids(step)
    yield from (report(step, deviation) for deviation in take(step, found, _is_heading))


def _is_heading(deviation: Deviation) -> bool:
    return deviation.slot.kind in ("heading", "meta") and deviation.kind is not Kind.FOREIGN


def _levels(step: Step) -> Iterator[Finding]:
    """The only heading of a page that is of another level than on all of two copies or more."""
    outliers: dict[str, list[tuple[SectionRow, int]]] = {}
    for row in variation.of(step).sections:
        levels = {name: section.level for name, section in row.sections.items() if section.heading}
        name, others = lone(levels)
        if name and len({row.sections[id_].key for id_ in levels}) == 1:
            outliers.setdefault(name, []).append((row, levels[others[0]]))
    for name, rows in outliers.items():
        row, usual = rows[0]
        section, beside = row.sections[name], [other for other in row.sections if other != name]
        if len(rows) > 1 or section.heading is None or step.pages[name].generated:
            continue
        there = row.sections[beside[0]].heading
        message = f"heading of level {section.level} here, and of level {usual} on {named(step, beside)}"
        related = [(step.pages[beside[0]], there.place, f"level {usual} here")] if there else []
        yield step.pages[name].flag(section.heading.place, message, related=related)


def _ids(step: Step) -> Iterator[Finding]:
    """The headings of one text whose id, as it is typed, only one copy has otherwise: links to it are lost."""
    for row in variation.of(step).sections:
        candidates = {name: _heading(step.pages[name], section) for name, section in row.sections.items()}
        headings = {name: heading for name, heading in candidates.items() if heading and heading.id and heading.attrs}
        ids = {name: masked(str(heading.id), step.variants[name]) for name, heading in headings.items()}
        name, others = lone(ids)
        if not name or len({row.sections[id_].key for id_ in headings}) > 1 or step.pages[name].generated:
            continue
        actual, expected = headings[name], headings[others[0]]
        message = f"heading has the id `#{actual.id}` here, and `#{expected.id}` on {named(step, others)}"
        there = [(step.pages[others[0]], expected.attrs, f"`#{expected.id}` here")] if expected.attrs else []
        yield step.pages[name].flag(actual.attrs or (actual.start, actual.end), message, related=there)


def _heading(page: Page, section: Section) -> Heading | None:
    """The heading of a section, as it stands on the page."""
    if section.heading is None:
        return None
    at, headings = section.heading.place.start, page.document.headings
    index = bisect_right(headings, at, key=lambda heading: heading.start) - 1
    return headings[index] if index >= 0 and at < headings[index].end else None
