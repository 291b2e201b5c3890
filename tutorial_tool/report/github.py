"""Findings as workflow commands, which GitHub Actions shows beside the changed lines."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.report.full import platforms
from tutorial_tool.report.visible import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}


def render(findings: Sequence[Finding]) -> str:
    return "".join(f"{_command(finding)}\n" for finding in findings)


def _command(finding: Finding) -> str:
    (line, column), (end_line, end_column) = finding.span.position, finding.span.end_position
    fields = {"file": finding.span.path, "line": line, "endLine": end_line}
    if line == end_line:  # GitHub takes columns within one line only
        fields |= {"col": column, "endColumn": max(end_column, column)}
    fields["title"] = f"{finding.rule}{platforms(finding)}"
    told = ",".join(f"{name}={_property(str(value))}" for name, value in fields.items())
    return f"::{_COMMANDS[finding.severity]} {told}::{_data(_visible(finding.message))}"


def _visible(text: str) -> str:
    return "\n".join(map(visible, text.split("\n")))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
