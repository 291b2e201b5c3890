"""A section that the other copies have, and this one lacks."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import align, history
from tutorial_tool.align import Section, SectionRow
from tutorial_tool.align.wording import names_a_platform
from tutorial_tool.document import Range
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import changed, named, quoted
from tutorial_tool.site import Page
from tutorial_tool.variants import Step


@rule("drift", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    alignment = align.of(step)
    if sum(len(row.sections) == len(step.pages) for row in alignment.sections) < 2:
        return  # pages that share no more than their begin are not copies of each other
    for index, row in enumerate(alignment.sections):
        lacking = [
            name for name in step.pages if name not in row.sections and not _is_swallowed(step.pages[name], found)
        ]
        if lacking and len(row.sections) >= 2 * len(lacking) and not _is_own(step, row):
            yield _finding(step, alignment.sections, index, lacking)


def _is_swallowed(page: Page, found: Findings) -> bool:
    """Whether a fence that nothing closes makes code of the page's sections: that is told."""
    return any(finding.rule == "unclosed-fence" for finding in found.about([page.source]))


def _is_own(step: Step, row: SectionRow) -> bool:
    """Whether a section is about platforms, or its parts are: its place is where they need it."""
    headings = [section.heading for section in row.sections.values() if section.heading]
    return not headings or any(names_a_platform(step, unit.text) for unit in headings)


def _finding(step: Step, rows: tuple[SectionRow, ...], index: int, lacking: list[str]) -> Finding:
    row, page = rows[index], step.pages[lacking[0]]
    having = {name: section for name, section in row.sections.items() if section.heading}
    name, section = next(iter(having.items()))
    heading = section.heading
    assert heading is not None
    times = [changed(step, step.pages[id_], found.heading.place) for id_, found in having.items() if found.heading]
    newer = history.newest([min(times), _newest(step, page, _before(rows, index, lacking[0]))]) == [0]
    age = "; it is newer there than what stands here" if newer else ""
    message = f"{quoted(heading.text)}, a section that {named(step, having)} have, is missing here{age}"
    related = [(step.pages[name], heading.place, f"the section on {step.variants[name].name}")]
    related += [
        (step.pages[id_], _place(rows, index, step.pages[id_], id_), "missing here, too") for id_ in lacking[1:]
    ]
    severity = Severity.WARNING if newer else None
    return page.flag(_place(rows, index, page, lacking[0]), message, related=related, severity=severity)


def _before(rows: tuple[SectionRow, ...], index: int, name: str) -> Section | None:
    """The section of a variant after which the missing one would stand."""
    return next((row.sections[name] for row in reversed(rows[:index]) if name in row.sections), None)


def _place(rows: tuple[SectionRow, ...], index: int, page: Page, name: str) -> Range:
    section = _before(rows, index, name)
    if section is not None and section.heading is not None:
        return section.heading.place
    front = page.document.front_matter
    start = front.body if front else 0
    return Range(start, start)


def _newest(step: Step, page: Page, section: Section | None) -> int:
    units = ([section.heading] if section.heading else []) + section.units if section else []
    times = [changed(step, page, unit.place) for unit in units]
    return max(times) if times and all(times) else 0
