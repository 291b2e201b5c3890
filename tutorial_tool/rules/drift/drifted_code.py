"""Code that is a little off from what the other copies have there."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._deviations import is_code_deviation, report_deviation, select_deviations
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import Kind


@rule("drift", Severity.WARNING, yields_to=("broken-link", "broken-anchor", "foreign-name", "prev-next-mismatch"))
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    yield from (report_deviation(step, deviation) for deviation in select_deviations(step, findings, _is_drifted_code))


def _is_drifted_code(deviation: Deviation) -> bool:
    edit = deviation.difference
    is_slash = [key.rstrip("/") for key in edit.actual] == [key.rstrip("/") for key in edit.expected]  # ends a URL
    is_code = is_code_deviation(deviation) and deviation.slot.kind != "cell" and deviation.kind is not Kind.FOREIGN
    return is_code and not is_slash
