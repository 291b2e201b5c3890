"""Findings as JSON lines in reviewdog's format: fixes become suggestions in a review.

The format is that of reviewdog's `proto/rdf`: 1-based lines and columns, columns in bytes of UTF-8.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Source, Span
from tutorial_tool.reporters.as_json import escape_unseen
from tutorial_tool.reporters.full import format_platforms

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.HINT: "INFO"}


def render(findings: Sequence[Finding]) -> str:
    return "".join(
        f"{escape_unseen(json.dumps(_serialize_finding(finding), ensure_ascii=False))}\n" for finding in findings
    )


def _serialize_finding(finding: Finding) -> dict[str, Any]:
    return {
        "message": finding.message + format_platforms(finding),
        "location": {"path": finding.span.path, "range": _serialize_range(finding.span)},
        "severity": _SEVERITIES[finding.severity],
        "source": {"name": "tutorial-tool"},
        "code": {"value": finding.rule},
        **({"suggestions": suggestions} if (suggestions := _serialize_suggestions(finding)) else {}),
        **({"related_locations": related} if (related := _serialize_related(finding)) else {}),
    }


def _serialize_suggestions(finding: Finding) -> list[dict[str, Any]]:
    """Return the edits of a fix if all are in the finding's file, where a review shows them."""
    edits = finding.fix.edits if finding.fix else ()
    if any(edit.span.path != finding.span.path for edit in edits):
        return []
    return [{"range": _serialize_range(edit.span), "text": edit.text} for edit in edits]


def _serialize_related(finding: Finding) -> list[dict[str, Any]]:
    return [
        {"message": item.message, "location": {"path": item.span.path, "range": _serialize_range(item.span)}}
        for item in finding.related
    ]


def _serialize_range(span: Span) -> dict[str, dict[str, int]]:
    return {"start": _serialize_position(span.source, span.start), "end": _serialize_position(span.source, span.end)}


def _serialize_position(source: Source, offset: int) -> dict[str, int]:
    line = source.get_position(offset).line
    before = source.text[source.get_line_start(line) : offset]
    return {"line": line, "column": len(before.encode("utf-8", "surrogatepass")) + 1}
