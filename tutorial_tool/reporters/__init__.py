"""Findings as text for people and machines: each format is a module with one pure `render`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit", "markdown")


class RuleInfo(NamedTuple):
    """What a report tells about a rule; `manual` is Markdown, `url` where it is published, or empty."""

    name: str
    group: str
    severity: Severity
    summary: str
    manual: str
    url: str = ""


def render(
    format_: str,
    findings: Sequence[Finding],
    *,
    color: bool = False,
    rules: Mapping[str, RuleInfo] | None = None,
    old: Collection[Finding] | None = None,
    files_at: str = "",
    fail_on: Severity = Severity.HINT,
    why: bool = False,
) -> str:
    """The findings in one of `FORMATS`, ending with a line end.

    Only `full` and `concise` use colour, only `sarif` tells about `rules`: those of this tool, if none are given; and
    which findings are new, where they were compared with those of before: all but `old`. Only `markdown` links to
    files, below `files_at`. Only `junit` tells which findings make a run fail: those as grave as `fail_on`. Only
    `full`, `concise` and `json` have room for the evidence of each finding: where `why` is true.
    """
    module = import_module(f"{__name__}.{'as_json' if format_ == 'json' else format_}")
    options: dict[str, Any] = {"color": color} if format_ in ("full", "concise") else {}
    if format_ in ("full", "concise", "json"):
        options["why"] = why
    if format_ == "sarif":
        options = {"rules": _own_rules(findings) if rules is None else rules, "old": old}
    if format_ == "markdown":
        options = {"files_at": files_at}
    if format_ == "junit":
        options = {"fail_on": fail_on}
    text: str = module.render(findings, **options)
    return text


def _own_rules(findings: Sequence[Finding]) -> Mapping[str, RuleInfo]:
    """The rules of this tool that have found something: only their manuals are read."""
    from tutorial_tool.rules import all_rules

    found = [all_rules()[name] for name in sorted({finding.rule for finding in findings})]
    return {
        rule.name: RuleInfo(rule.name, rule.group, rule.severity, rule.summary, rule.manual, rule.url) for rule in found
    }
