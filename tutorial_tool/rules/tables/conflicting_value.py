"""Copies of a settings table that recommend different things for one setting."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._deviations import is_value_deviation, report_cells, select_deviations
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.variants import Step


@rule("tables", Severity.WARNING)
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    yield from report_cells(step, select_deviations(step, findings, is_value_deviation))
