"""Findings as SARIF 2.1.0, within the limits of GitHub's code scanning."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from tutorial_tool.core.diagnostics import MAX_TEXT, Finding, Fix, Severity, shorten_text
from tutorial_tool.core.source import Span
from tutorial_tool.core.version import __version__, get_documentation_url
from tutorial_tool.linter.fingerprint import compute_fingerprints
from tutorial_tool.reporters import RuleInfo
from tutorial_tool.reporters.as_json import format_json
from tutorial_tool.reporters.full import format_platforms

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 5_000  # Maximum results that GitHub shows of a run (its "SARIF support for code scanning")
MAX_RELATED = 100  # Maximum locations that it shows of a result (same source)
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note", Severity.OFF: "none"}


def render(
    findings: Sequence[Finding], *, rules: Mapping[str, RuleInfo], old: Collection[Finding] | None = None
) -> str:
    """Render the report, most severe results first. A rule that `rules` lacks is only named.

    `old` are the findings known from a baseline or a revision; None if nothing was compared.
    """
    item = sorted(zip(findings, compute_fingerprints(findings), strict=True), key=lambda pair: pair[0].severity.rank)
    shown = item[:MAX_RESULTS]
    names = sorted({finding.rule for finding, _ in shown})
    index = {name: number for number, name in enumerate(names)}
    driver = {
        "name": "tutorial-tool",
        "version": __version__,
        **({"informationUri": url} if (url := get_documentation_url()) else {}),
        "rules": [_serialize_rule(rules[name]) if name in rules else {"id": name} for name in names],
    }
    notes = [{"level": "warning", "message": {"text": text}} for text in _describe_omissions(findings, len(shown))]
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, **({"toolExecutionNotifications": notes} if notes else {})}],
        "results": [
            _serialize_result(finding, fingerprint, index) | _get_baseline_state(finding, old)
            for finding, fingerprint in shown
        ],
    }
    return format_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _describe_omissions(findings: Sequence[Finding], shown: int) -> Iterator[str]:
    if shown < len(findings):
        yield f"{len(findings) - shown} further findings are left out: {MAX_RESULTS} are shown at most."
    most = max((len(finding.related) for finding in findings), default=0)
    if most > MAX_RELATED:
        yield f"A finding has {most} related places: the first {MAX_RELATED} are shown."


def _serialize_rule(rule: RuleInfo) -> dict[str, Any]:
    before, _, examples = rule.documentation.partition("## Example\n")  # their marks are for the rule's own page
    text = before + examples[max(examples.find("## How to fix\n"), 0) :]
    return {
        "id": rule.name,
        "shortDescription": {"text": shorten_text(rule.summary, MAX_TEXT)},
        "fullDescription": {"text": shorten_text(rule.summary, MAX_TEXT)},
        "help": {"text": text, "markdown": text},
        **({"helpUri": rule.url} if rule.url else {}),
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.group]},
    }


def _serialize_result(finding: Finding, fingerprint: str, index: dict[str, int]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": _serialize_message(finding.message + format_platforms(finding)),
        "locations": [_serialize_location(finding.span)],
        "partialFingerprints": {"tutorialTool/v1": fingerprint},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "message": _serialize_message(related.message), **_serialize_location(related.span)}
            for number, related in enumerate(finding.related[:MAX_RELATED], 1)
        ]
    if finding.fix:
        result["fixes"] = [_serialize_fix(finding.fix)]
    return result


def _get_baseline_state(finding: Finding, old: Collection[Finding] | None) -> dict[str, str]:
    """Return the baseline state (section 3.27.24), absent if nothing was compared."""
    return {} if old is None else {"baselineState": "unchanged" if finding in old else "new"}


def _serialize_message(text: str) -> dict[str, str]:
    """Return plain text with SARIF's own links (2.1.0, 3.11.6) escaped; braces stay, as readers keep them."""
    text = shorten_text(text, MAX_TEXT)
    return {"text": text.replace("[", "\\[") if "](" in text else text}


def _serialize_location(span: Span) -> dict[str, Any]:
    return {
        "physicalLocation": {"artifactLocation": {"uri": _encode_uri(span.path)}, "region": _serialize_region(span)}
    }


def _serialize_region(span: Span) -> dict[str, int]:
    (line, column), (end_line, end_column) = span.position, span.end_position
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _encode_uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogatepass"), safe="/")


def _serialize_fix(fix: Fix) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": _serialize_region(edit.span), "insertedContent": {"text": edit.text}}
        changes.setdefault(edit.span.path, []).append(replacement)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {"artifactLocation": {"uri": _encode_uri(path)}, "replacements": replacements}
            for path, replacements in changes.items()
        ],
        "properties": {"safe": fix.safe},
    }
