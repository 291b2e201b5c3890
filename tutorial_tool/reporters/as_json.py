"""Findings as a JSON list: 1-based lines and columns, in code points."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Fix
from tutorial_tool.core.source import Span
from tutorial_tool.reporters.safe_text import INVISIBLE

_SURROGATE = lazy_re.compile("[\ud800-\udfff]")


def render(findings: Sequence[Finding], *, why: bool = False) -> str:
    return format_json(
        [_serialize_finding(finding) | ({"why": list(finding.why)} if why else {}) for finding in findings]
    )


def format_json(value: object) -> str:
    """Return readable JSON: other scripts are kept, invisible characters escaped, lone surrogates replaced."""
    return escape_unseen(json.dumps(value, indent=2, ensure_ascii=False)) + "\n"


def escape_unseen(text: str) -> str:
    """Escape characters in JSON that control a terminal or hide text; replace lone surrogates."""
    return INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", _SURROGATE.sub("\ufffd", text))


def _serialize_finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        **serialize_span(finding.span),
        "platforms": list(finding.platforms),
        "related": [{**_serialize_start(related.span), "message": related.message} for related in finding.related],
        "fix": _serialize_fix(finding.fix) if finding.fix else None,
        "exact": finding.exact,
    }


def serialize_span(span: Span) -> dict[str, Any]:
    """Return the path, start and end of a span."""
    line, column = span.end_position
    return {**_serialize_start(span), "end_line": line, "end_column": column}


def _serialize_start(span: Span) -> dict[str, Any]:
    line, column = span.position
    return {"path": span.path, "line": line, "column": column}


def _serialize_fix(fix: Fix) -> dict[str, Any]:
    edits = [{**serialize_span(edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}
