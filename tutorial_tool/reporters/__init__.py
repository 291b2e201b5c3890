"""Findings as text for people and machines: each format is a module with a pure `render`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity


class RuleInfo(NamedTuple):
    """Facts about a rule for reports; `documentation` is Markdown, `url` the published page, or empty."""

    name: str
    group: str
    severity: Severity
    summary: str
    documentation: str
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
    complete: bool = True,
    checked: Sequence[str] = (),
    owners: Callable[[str], Sequence[str]] | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Return the findings in one of the `FORMATS` of the settings, ending with a newline.

    `color` applies to `full` and `concise`; `why` (show each finding's evidence) to these and `json`. `sarif` describes
    `rules` (by default, those with findings) and marks findings in `old` as known. `markdown` and `html` link to files
    below the URL `files_at`; `html` filters by `owners`. `junit` fails the findings that reach `fail_on`, and passes
    the `checked` files without any. `complete` is false if a part of the run failed: the report then does not claim
    that nothing was found. `markdown` ends with `notes` on the run.
    """
    module = import_module(f"{__name__}.{'as_json' if format_ == 'json' else format_}")
    options: dict[str, Any] = {}
    match format_:
        case "full" | "concise":
            options = {"color": color, "why": why, "complete": complete}
        case "json":
            options = {"why": why}
        case "sarif":
            options = {"rules": _load_rule_infos(findings) if rules is None else rules, "old": old}
        case "markdown":
            options = {"files_at": files_at, "complete": complete, "notes": notes}
        case "html":
            options = {"files_at": files_at, "owners": owners}
        case "junit":
            options = {"fail_on": fail_on, "checked": checked}
    text: str = module.render(findings, **options)
    return text


def _load_rule_infos(findings: Sequence[Finding]) -> Mapping[str, RuleInfo]:
    """Return the facts about this tool's rules that have findings; only their documentation is loaded."""
    from tutorial_tool.core.version import get_documentation_url
    from tutorial_tool.rules import get_rules

    site = get_documentation_url()
    rules = [get_rules()[name] for name in sorted({finding.rule for finding in findings})]
    return {
        rule.name: RuleInfo(
            rule.name, rule.group, rule.severity, rule.summary, rule.documentation_text,
            rule.url or (f"{site}rules/{rule.name}/" if site else ""),
        )
        for rule in rules
    }  # fmt: skip
