"""Summary of a long report: one example of each rule, and counts by rule and folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from tutorial_tool.core.diagnostics import MAX_LISTED, Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.reporters.full import color_text, format_evidence, format_summary, render, render_finding
from tutorial_tool.reporters.ranking import count_by_folder, count_by_rule, sort_by_severity
from tutorial_tool.reporters.safe_text import make_visible
from tutorial_tool.rules import get_rules

SCREEN_LINES = 40
MAX_LINES = 2 * SCREEN_LINES  # Longer output is summarized


def render_limited(
    findings: Sequence[Finding], *, color: bool = False, why: bool = False, complete: bool = True
) -> str:
    """Render all findings if they fit two screens; otherwise examples, counts, and how to see the rest."""
    if len(findings) < MAX_LINES:  # a finding has at least one line
        text = render(findings, color=color, why=why, complete=complete)
        if text.count("\n") <= MAX_LINES:
            return text
    examples = list(_select_examples(findings))
    shown_lines = chain.from_iterable((*_render_example(*example, color, why), "") for example in examples)
    lines = [*shown_lines, *_render_rule_counts(findings, color), "", *_render_folder_counts(findings), ""]
    rest = "findings shown. Use `--show-all` for all of them, or `--min-severity error` for errors only."
    lines += [format_summary(findings), f"{len(examples)} of {len(findings):,} {rest}"]
    return "".join(f"{line}\n" for line in lines)


def _select_examples(findings: Sequence[Finding]) -> Iterator[tuple[Finding, int, int]]:
    """Yield each rule's first finding, severe ones and those of copies first, with the number of others and files."""
    comparing = {rule.name for rule in get_rules().values() if rule.level == "Step"}
    ordered = sort_by_severity(sorted(findings, key=lambda finding: finding.rule not in comparing))
    lines = 0
    for group in group_by(ordered, lambda finding: finding.rule).values():
        most_severe = [finding for finding in group if finding.severity is group[0].severity]
        example = most_severe[0], len(most_severe) - 1, len({finding.span.path for finding in most_severe})
        lines += sum(1 for _ in _render_example(*example, color=False)) + 1
        if lines > SCREEN_LINES:
            return
        yield example


def _render_example(finding: Finding, others: int, files: int, color: bool, why: bool = False) -> Iterator[str]:
    yield from render_finding(finding, color, related=False)
    yield from format_evidence(finding) if why else ()
    if others:
        yield f"    and {others:,} more " + (f"({files:,} files in all)" if files > 1 else "in this file")


def _render_rule_counts(findings: Sequence[Finding], color: bool) -> Iterator[str]:
    rows = count_by_rule(findings)
    width = max(len(row.rule) for row in rows[:MAX_LISTED])
    yield "By rule:"
    for row in rows[:MAX_LISTED]:
        fixable = f", {row.fixable:,} fixable" if row.fixable else ""
        severity = color_text(f"{row.severity:<7}", row.severity, color)
        files = f"in {row.files:,} file{'s' * (row.files != 1)}"
        yield f"{row.findings:>7,}  {severity}  {row.rule:<{width}}  {files}{fixable}"
    if unlisted := rows[MAX_LISTED:]:
        rules = len({row.rule for row in unlisted})
        yield f"{sum(row.findings for row in unlisted):>7,}  from {rules} more rules (`--statistics` lists all)"


def _render_folder_counts(findings: Sequence[Finding]) -> Iterator[str]:
    rows = count_by_folder(findings)
    yield f"By folder:  {'errors':>6}  {'warnings':>8}  {'hints':>5}"
    for name, counts in rows[:MAX_LISTED]:
        errors, warnings, hints = (counts[severity] for severity in (Severity.ERROR, Severity.WARNING, Severity.HINT))
        yield f"{'':12}{errors:>6,}  {warnings:>8,}  {hints:>5,}  {make_visible(name)}"
    if unlisted := rows[MAX_LISTED:]:
        yield f"{'':12}{sum(counts.total() for _, counts in unlisted):,} in {len(unlisted)} more folders"
