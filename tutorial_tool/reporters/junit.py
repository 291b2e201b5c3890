"""Findings as JUnit XML: a suite for each file, a case for each finding, which failed if it makes the run fail.

A file without findings is a case that passed: without one, some CI systems take a clean report for a failed run.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.reporters.full import platforms
from tutorial_tool.reporters.visible import UNSEEN

_ILLEGAL = lazy_re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""The characters that XML 1.0 has no way to write."""


def render(findings: Sequence[Finding], fail_on: Severity = Severity.HINT, checked: Sequence[str] = ()) -> str:
    """`checked` are the files that were linted; where they are not known, a clean run is one case that passed."""
    suites: dict[str, list[Finding]] = {}
    for finding in findings:
        suites.setdefault(finding.span.path, []).append(finding)
    clean = [path for path in checked if path not in suites]
    if not suites and not clean:
        clean = ["tutorial-tool"]
    body = "".join(_suite(path, suite, fail_on) for path, suite in suites.items())
    body += "".join(map(_clean_suite, clean))
    counts = _counts(findings, fail_on, passed=len(clean))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tutorial-tool" {counts}>\n{body}</testsuites>\n'


def _suite(path: str, findings: list[Finding], fail_on: Severity) -> str:
    cases = "".join(_case(finding, fail_on) for finding in findings)
    return f'  <testsuite name={_attribute(path)} {_counts(findings, fail_on)} errors="0">\n{cases}  </testsuite>\n'


def _clean_suite(path: str) -> str:
    name = _attribute(path)
    case = f'    <testcase name="no findings" classname={name}/>\n'
    return f'  <testsuite name={name} tests="1" failures="0" errors="0">\n{case}  </testsuite>\n'


def _counts(findings: Sequence[Finding], fail_on: Severity, passed: int = 0) -> str:
    failures = sum(finding.severity.is_at_least(fail_on) for finding in findings)
    return f'tests="{len(findings) + passed}" failures="{failures}"'


def _case(finding: Finding, fail_on: Severity) -> str:
    line, column = finding.span.position
    name = f"{finding.rule}:{line}:{column}"
    text = f"{finding.span}: {finding.message}{platforms(finding)}"
    content = _seen(escape(_legal(text)))
    if finding.severity.is_at_least(fail_on):
        attributes = f"type={_attribute(str(finding.severity))} message={_attribute(finding.message)}"
        content = f"<failure {attributes}>{content}</failure>"
    else:
        content = f"<system-out>{finding.severity}: {content}</system-out>"
    opening = f"<testcase name={_attribute(name)} classname={_attribute(finding.span.path)}>"
    return f"    {opening}\n      {content}\n    </testcase>\n"


def _legal(text: str) -> str:
    return _ILLEGAL.sub("�", text)


def _seen(markup: str) -> str:
    """References for what acts on a terminal or hides text, and for what a parser would take for a line end."""
    return UNSEEN.sub(lambda match: f"&#{ord(match[0])};", markup.replace("\r", "&#13;"))


def _attribute(text: str) -> str:
    return _seen(quoteattr(_legal(text)))
