"""One line per finding, most severe first: path, line, column, severity, rule, message, platforms."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.reporters.full import color_text, format_evidence, format_platforms, format_summary
from tutorial_tool.reporters.ranking import sort_by_severity
from tutorial_tool.reporters.safe_text import make_visible


def render(findings: Sequence[Finding], *, color: bool = False, why: bool = False, complete: bool = True) -> str:
    lines = [
        line
        for finding in sort_by_severity(findings)
        for line in (_format_finding(finding, color), *(format_evidence(finding) if why else ()))
    ]
    return "".join(f"{line}\n" for line in [*lines, format_summary(findings, complete)])


def _format_finding(finding: Finding, color: bool) -> str:
    line, column = finding.span.position
    kind = color_text(f"{finding.severity}[{finding.rule}]", finding.severity, color)
    text = f"{make_visible(finding.message)}{format_platforms(finding)}"
    return f"{make_visible(finding.span.path)}:{line}:{column}: {kind} {text}"
