"""A description in a table that differs from that of the other copies for no reason of its platform."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._deviations import is_value_deviation, report_deviation, select_deviations
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import Kind


@rule("tables", Severity.HINT)
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    """Report the surest difference of each cell."""
    surest: dict[tuple[int, str], Deviation] = {}
    for deviation in select_deviations(step, findings, _is_description):
        key = id(deviation.slot), deviation.name
        if key not in surest or deviation.score > surest[key].score:
            surest[key] = deviation
    yield from (report_deviation(step, deviation) for deviation in surest.values())


def _is_description(deviation: Deviation) -> bool:
    return deviation.slot.kind == "cell" and not is_value_deviation(deviation) and deviation.kind is not Kind.FOREIGN
