"""Findings as the protocol's diagnostics."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from lsprotocol import types

from tutorial_tool import rules
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.lsp.places import range_of, uri_of
from tutorial_tool.reporters.full import platforms

SOURCE = "tutorial-tool"
"""What editors show beside the rule's name."""
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.HINT: types.DiagnosticSeverity.Information,  # the protocol's own hints are not listed by editors
    Severity.OFF: types.DiagnosticSeverity.Hint,
}
_FADED = ("unused-ignore", "unused-data", "unused-template", "dead-template-text")
"""The rules whose places nobody reads: editors show such text faded."""


def diagnostic(finding: Finding, root: Path, encoding: str, *, related: bool = True) -> types.Diagnostic:
    """A finding whose paths are relative to `root`. `related` tells whether the client shows related places."""
    told = [
        types.DiagnosticRelatedInformation(
            types.Location(uri_of(root / place.span.path), range_of(place.span, encoding)), place.message
        )
        for place in finding.related
    ]
    url = manual_url(finding.rule)
    return types.Diagnostic(
        range=range_of(finding.span, encoding),
        message=finding.message + platforms(finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=types.CodeDescription(url) if url else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.rule in _FADED else None,
        related_information=told if related and told else None,
    )


@cache
def manual_url(rule: str) -> str | None:
    """Where a rule's manual stands: in the installed package, so that it opens without a network."""
    if (found := rules.all_rules().get(rule)) is None:
        return None
    path = Path(str(files(rules) / found.group / f"{rule}.md"))
    return uri_of(path) if path.is_file() else None
