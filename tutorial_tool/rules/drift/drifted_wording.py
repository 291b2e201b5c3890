"""A sentence that differs from that of the other copies for no reason of its platform."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tutorial_tool.core.diagnostics import Finding, Severity, format_more
from tutorial_tool.core.grouping import group_by
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._deviations import (
    describe_deviation,
    is_code_deviation,
    report_deviation,
    select_deviations,
)
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import Kind


@rule("drift", Severity.HINT)
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    hints: list[Deviation] = []
    for deviation in select_deviations(step, findings, _is_wording):
        if deviation.severity is Severity.WARNING:
            yield report_deviation(step, deviation)
        else:
            hints.append(deviation)
    for deviations in group_by(hints, lambda deviation: deviation.variant_id).values():
        yield _merge_deviations(step, deviations)


def _is_wording(deviation: Deviation) -> bool:
    is_prose = deviation.slot.kind in ("sentence", "alt")
    return is_prose and deviation.kind is not Kind.FOREIGN and not is_code_deviation(deviation)


def _merge_deviations(step: Step, deviations: Sequence[Deviation]) -> Finding:
    """Merge a page's wording differences into one hint: the surest one, with the others as related."""
    first, *others = sorted(deviations, key=lambda deviation: (-deviation.score, deviation.place))
    page = step.pages[first.variant_id]
    places = [(page, other.place, describe_deviation(step, other)) for other in others]
    expected = (step.pages[first.difference.reference_id], first.other_place, "the other text")
    message = describe_deviation(step, first) + format_more(others)
    evidence = first.format_evidence(step)
    return page.flag(first.place, message, related=[expected], again=places, severity=Severity.HINT, why=evidence)
