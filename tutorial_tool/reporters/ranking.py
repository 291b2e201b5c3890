"""In which order people see findings, and how many there are by rule and by folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity

FOLDER_DEPTH = 2  # Levels of folders that a summary tells apart


def sort_by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Errors first, then warnings, then hints; those of one severity keep their order, which is that of files."""
    return sorted(findings, key=lambda finding: finding.severity.rank)


class RuleCount(NamedTuple):
    """How many findings a rule has of one severity, in how many files, and how many of them can be fixed."""

    rule: str
    severity: Severity
    findings: int
    files: int
    fixable: int


def count_by_rule(findings: Iterable[Finding]) -> list[RuleCount]:
    """A row for each rule and severity: the most severe first, then the most frequent."""
    groups: dict[tuple[str, Severity], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.rule, finding.severity), []).append(finding)
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
    """How many findings of each severity a folder has: the one with the most errors first, then warnings, hints."""
    counts: dict[str, Counter[Severity]] = {}
    for finding in findings:
        counts.setdefault(get_folder(finding.span.path), Counter())[finding.severity] += 1
    return sorted(counts.items(), key=lambda item: (*(-item[1][severity] for severity in Severity), item[0]))


def get_folder(path: str) -> str:
    """The folder of a file, without what is deeper than `FOLDER_DEPTH`; `.` for the top."""
    return "/".join(path.split("/")[:-1][:FOLDER_DEPTH]) or "."
