"""A heading that differs from that of the other copies, over the same section."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import variation
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import find_unique_outlier, format_variant_names
from tutorial_tool.rules._shared._deviations import report_deviation, select_deviations
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.variants import Step
from tutorial_tool.variation import SectionRow
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import Kind


@rule("drift", Severity.HINT)
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    yield from _find_level_outliers(step)
    yield from (report_deviation(step, deviation) for deviation in select_deviations(step, findings, _is_heading))


def _is_heading(deviation: Deviation) -> bool:
    return deviation.slot.kind in ("heading", "meta") and deviation.kind is not Kind.FOREIGN


def _find_level_outliers(step: Step) -> Iterator[Finding]:
    """Find headings whose level differs on only one page, compared with at least two copies that agree."""
    outliers: dict[str, list[tuple[SectionRow, int]]] = {}
    for row in variation.get_alignment(step).sections:
        levels = {name: section.level for name, section in row.sections.items() if section.heading}
        name, others = find_unique_outlier(levels)
        if name and len({row.sections[id_].key for id_ in levels}) == 1:
            outliers.setdefault(name, []).append((row, levels[others[0]]))
    for name, ((row, expected), *more) in outliers.items():
        if not more:
            yield from _report_level(step, name, row, expected)


def _report_level(step: Step, name: str, row: SectionRow, expected: int) -> Iterator[Finding]:
    section, siblings = row.sections[name], [other for other in row.sections if other != name]
    heading, where = row.sections[siblings[0]].heading, format_variant_names(step, siblings)
    message = f"heading of level {section.level} here, and of level {expected} on {where}"
    related = [(step.pages[siblings[0]], heading.place, f"level {expected} here")] if heading else []
    if section.heading:
        yield step.pages[name].flag(section.heading.place, message, related=related)
