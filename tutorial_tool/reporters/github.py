"""Findings as workflow commands, which GitHub Actions shows next to the changed lines."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.reporters.full import format_platforms, get_last_line
from tutorial_tool.reporters.safe_text import INVISIBLE, make_visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}
_CONTROL = lazy_re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\ud800-\udfff]")


def render(findings: Sequence[Finding]) -> str:
    return "".join(f"{_format_command(finding)}\n" for finding in findings)


def _format_command(finding: Finding) -> str:
    (line, column), last = finding.span.position, get_last_line(finding.span)
    # otherwise unchanged: GitHub compares it with files
    path = INVISIBLE.sub("�", _CONTROL.sub("�", finding.span.path))
    fields = {"file": path, "line": line, "endLine": last}
    if line == last:  # GitHub accepts columns only within one line
        fields |= {"col": column, "endColumn": column + len(finding.span.text.rstrip("\n"))}
    fields["title"] = f"{finding.rule}{format_platforms(finding)}"
    escaped = {name: _escape_data(str(value)).replace(":", "%3A").replace(",", "%2C") for name, value in fields.items()}
    message = ",".join(f"{name}={value}" for name, value in escaped.items())
    text = "\n".join(map(make_visible, finding.message.split("\n")))
    return f"::{_COMMANDS[finding.severity]} {message}::{_escape_data(text)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
