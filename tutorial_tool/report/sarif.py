"""Findings as SARIF 2.1.0, within the limits of GitHub's code scanning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tutorial_tool import __version__
from tutorial_tool.finding import Finding, Fix, Severity
from tutorial_tool.report.fingerprint import fingerprints
from tutorial_tool.report.full import platforms
from tutorial_tool.rules import all_rules
from tutorial_tool.source import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 25_000
"""How many results GitHub takes of one run (its documentation, "SARIF support for code scanning")."""
MAX_TEXT = 1_000
"""How long a message is shown at most, in characters."""
MAX_RELATED = 100
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}


def render(findings: Sequence[Finding]) -> str:
    shown = sorted(zip(findings, fingerprints(findings), strict=True), key=lambda pair: pair[0].severity.rank)[
        :MAX_RESULTS
    ]
    names = sorted({finding.rule for finding, _ in shown})
    index = {name: number for number, name in enumerate(names)}
    cut = len(findings) - len(shown)
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "tutorial-tool", "version": __version__, "rules": [_rule(name) for name in names]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, **({"toolExecutionNotifications": [_cut(cut)]} if cut else {})}],
        "results": [_result(finding, fingerprint, index) for finding, fingerprint in shown],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _cut(count: int) -> dict[str, Any]:
    text = f"{count} further findings are left out: {MAX_RESULTS} is the most that is read."
    return {"level": "warning", "message": {"text": text}}


def _rule(name: str) -> dict[str, Any]:
    rule = all_rules()[name]
    return {
        "id": name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.manual, "markdown": rule.manual},
        "defaultConfiguration": {"level": _LEVELS.get(rule.severity, "none")},
        "properties": {"tags": [rule.group]},
    }


def _result(finding: Finding, fingerprint: str, index: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": (finding.message + platforms(finding))[:MAX_TEXT]},
        "locations": [_location(finding.span)],
        "partialFingerprints": {"tutorialTool/v1": fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": related.message[:MAX_TEXT]}, **_location(related.span)}
            for number, related in enumerate(finding.related[:MAX_RELATED], 1)
        ]
    if finding.fix:
        result["fixes"] = [_fix(finding.fix)]
    return result


def _location(span: Span) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.path)}, "region": _region(span)}}


def _region(span: Span) -> dict[str, int]:
    (line, column), (end_line, end_column) = span.position, span.end_position
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogatepass"), safe="/")


def _fix(fix: Fix) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
        changes.setdefault(edit.span.path, []).append(replacement)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": {"uri": _uri(path)}, "replacements": replacements}
            for path, replacements in changes.items()
        ],
    }
