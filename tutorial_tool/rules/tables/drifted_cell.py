"""A description in a table that differs from that of the other copies for no reason of its platform."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._deviations import is_value_deviation, report_cells, select_deviations
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import Kind


@rule("tables", Severity.HINT)
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    yield from report_cells(step, select_deviations(step, findings, _is_description))


def _is_description(deviation: Deviation) -> bool:
    return deviation.slot.kind == "cell" and not is_value_deviation(deviation) and deviation.kind is not Kind.FOREIGN
