"""Findings as JUnit XML: a suite per file, a case per finding, failed if it makes the run fail.

A file without findings is a passed case: without one, some CI systems treat a clean report as a failed run.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.reporters.full import format_platforms
from tutorial_tool.reporters.safe_text import INVISIBLE

_ILLEGAL = lazy_re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0 cannot represent."""


def render(findings: Sequence[Finding], fail_on: Severity = Severity.HINT, checked: Sequence[str] = ()) -> str:
    """Render the report. `checked` are the linted files; if unknown, a clean run is one passed case."""
    suites = group_by(findings, lambda finding: finding.span.path)
    clean = [path for path in checked if path not in suites]
    if not suites and not clean:
        clean = ["tutorial-tool"]
    body = "".join(_render_suite(path, suite, fail_on) for path, suite in suites.items())
    body += "".join(map(_render_clean_suite, clean))
    counts = _format_counts(findings, fail_on, passed=len(clean))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tutorial-tool" {counts}>\n{body}</testsuites>\n'


def _render_suite(path: str, findings: list[Finding], fail_on: Severity) -> str:
    cases = "".join(_render_case(finding, fail_on) for finding in findings)
    name, counts = _quote_attribute(path), _format_counts(findings, fail_on)
    return f'  <testsuite name={name} {counts} errors="0">\n{cases}  </testsuite>\n'


def _render_clean_suite(path: str) -> str:
    name = _quote_attribute(path)
    case = f'    <testcase name="no findings" classname={name}/>\n'
    return f'  <testsuite name={name} tests="1" failures="0" errors="0">\n{case}  </testsuite>\n'


def _format_counts(findings: Sequence[Finding], fail_on: Severity, passed: int = 0) -> str:
    failures = sum(finding.severity.is_at_least(fail_on) for finding in findings)
    return f'tests="{len(findings) + passed}" failures="{failures}"'


def _render_case(finding: Finding, fail_on: Severity) -> str:
    line, column = finding.span.position
    name = f"{finding.rule}:{line}:{column}"
    text = f"{finding.span}: {finding.message}{format_platforms(finding)}"
    content = _escape_unseen(escape(_replace_illegal(text)))
    if finding.severity.is_at_least(fail_on):
        attributes = f"type={_quote_attribute(str(finding.severity))} message={_quote_attribute(finding.message)}"
        content = f"<failure {attributes}>{content}</failure>"
    else:
        content = f"<system-out>{finding.severity}: {content}</system-out>"
    opening = f"<testcase name={_quote_attribute(name)} classname={_quote_attribute(finding.span.path)}>"
    return f"    {opening}\n      {content}\n    </testcase>\n"


def _replace_illegal(text: str) -> str:
    return _ILLEGAL.sub("�", text)


def _escape_unseen(markup: str) -> str:
    """Escape characters that control a terminal, hide text, or would be parsed as line ends."""
    return INVISIBLE.sub(lambda match: f"&#{ord(match[0])};", markup.replace("\r", "&#13;"))


def _quote_attribute(text: str) -> str:
    return _escape_unseen(quoteattr(_replace_illegal(text)))
