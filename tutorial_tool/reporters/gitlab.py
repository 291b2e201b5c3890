"""Findings as GitLab's Code Quality report."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.linter.fingerprint import compute_fingerprints
from tutorial_tool.reporters.as_json import format_json
from tutorial_tool.reporters.full import format_platforms, get_last_line

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.HINT: "info"}


def render(findings: Sequence[Finding]) -> str:
    entries = [
        {
            "description": finding.message + format_platforms(finding),
            "check_name": finding.rule,
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": finding.span.path,
                "lines": {"begin": finding.span.position.line, "end": get_last_line(finding.span)},
            },
        }
        for finding, fingerprint in zip(findings, compute_fingerprints(findings), strict=True)
    ]
    return format_json(entries)
