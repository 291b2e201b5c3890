"""One line a finding, the most severe first: path, line, column, severity, rule, message, platforms."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.reporters.full import colored, evidence, platforms, summary
from tutorial_tool.reporters.ranking import by_severity
from tutorial_tool.reporters.visible import visible


def render(findings: Sequence[Finding], *, color: bool = False, why: bool = False, complete: bool = True) -> str:
    lines = [
        line
        for finding in by_severity(findings)
        for line in (_line(finding, color), *(evidence(finding) if why else ()))
    ]
    return "".join(f"{line}\n" for line in [*lines, summary(findings, complete)])


def _line(finding: Finding, color: bool) -> str:
    line, column = finding.span.position
    kind = colored(f"{finding.severity}[{finding.rule}]", finding.severity, color)
    return f"{visible(finding.span.path)}:{line}:{column}: {kind} {visible(finding.message)}{platforms(finding)}"
