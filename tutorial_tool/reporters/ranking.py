"""The order of findings, and counts by rule and folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by

FOLDER_DEPTH = 2  # Levels of folders that a summary counts separately


def sort_by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Sort by severity, errors first; findings of one severity keep their order, by file."""
    return sorted(findings, key=lambda finding: finding.severity.rank)


class RuleCount(NamedTuple):
    """A rule's findings of one severity: their number, files and fixes."""

    rule: str
    severity: Severity
    findings: int
    files: int
    fixable: int


def count_by_rule(findings: Iterable[Finding]) -> list[RuleCount]:
    """Return the counts for each rule and severity, most severe first, then most frequent."""
    groups = group_by(findings, lambda finding: (finding.rule, finding.severity))
    rows = [
        RuleCount(
            rule,
            severity,
            len(group),
            len({finding.span.path for finding in group}),
            sum(finding.fix is not None for finding in group),
        )
        for (rule, severity), group in groups.items()
    ]
    return sorted(rows, key=lambda row: (row.severity.rank, -row.findings, row.rule))


def count_by_folder(findings: Iterable[Finding]) -> list[tuple[str, Counter[Severity]]]:
    """Return the findings of each severity by folder, most errors first, then warnings and hints."""
    counts: dict[str, Counter[Severity]] = {}
    for finding in findings:
        counts.setdefault(get_folder(finding.span.path), Counter())[finding.severity] += 1
    return sorted(counts.items(), key=lambda item: (*(-item[1][severity] for severity in Severity), item[0]))


def get_folder(path: str) -> str:
    """Return the folder of a file, at most `FOLDER_DEPTH` deep; `.` for the top."""
    return "/".join(path.split("/")[:-1][:FOLDER_DEPTH]) or "."
