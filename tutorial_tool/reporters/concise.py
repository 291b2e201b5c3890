"""One line a finding: path, line, column, severity, rule, message, platforms."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.reporters.full import colored, platforms, summary
from tutorial_tool.reporters.visible import visible


def render(findings: Sequence[Finding], *, color: bool = False) -> str:
    lines = [_line(finding, color) for finding in findings]
    return "".join(f"{line}\n" for line in [*lines, summary(findings)])


def _line(finding: Finding, color: bool) -> str:
    line, column = finding.span.position
    kind = colored(f"{finding.severity}[{finding.rule}]", finding.severity, color)
    return f"{visible(finding.span.path)}:{line}:{column}: {kind} {visible(finding.message)}{platforms(finding)}"
