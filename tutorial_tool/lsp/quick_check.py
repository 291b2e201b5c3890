"""Lint one page of a large tree during a full run: apply page rules, and move the other findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source, Span, count_common_start
from tutorial_tool.linter import engine
from tutorial_tool.linter.scheduler import MIN_PAGES_TO_RELEASE
from tutorial_tool.rules import get_rules

if TYPE_CHECKING:
    from tutorial_tool.lsp.workspace import CheckedTarget


def is_worthwhile(checked: CheckedTarget) -> bool:
    """Return whether a full run takes longer than linting one page."""
    return checked.target.layout is None and len(checked.target.paths) > MIN_PAGES_TO_RELEASE


def lint_page(checked: CheckedTarget, path: Path, text: str) -> CheckedTarget:
    """Return a tree after an edit of one page, to which only the page rules are applied.

    The page's findings of other rules are kept where their text is unchanged.
    """
    target = replace(checked.target, paths=(path,))
    name = checked.get_name(path)
    texts = {**checked.texts, name: text}
    site = target.load(texts)
    findings = [f for f in engine.run(site, target.config) if f.span.path == name and _is_page_finding(f)]
    source = site.sources.get(name)
    other_findings = [f for f in checked.findings if f.span.path != name]
    own_findings = [f for f in checked.findings if f.span.path == name and not _is_page_finding(f)] if source else []
    findings += _move_findings(own_findings, source) if source else ()
    new_findings = target.compare_with_baseline(findings).new.values()
    return replace(checked, site=site, findings=(*other_findings, *new_findings), texts=texts)


def _is_page_finding(finding: Finding) -> bool:
    """Return whether a finding depends on nothing but its page."""
    rule = get_rules().get(finding.rule)
    return rule is not None and rule.level in ("Page", "")


def _move_findings(findings: Iterable[Finding], source: Source) -> Iterator[Finding]:
    """Yield the findings before and after a change of their file, moved, without fixes until the next run."""
    for old, of_text in groupby(findings, key=lambda finding: finding.span.source.text):
        new, shorter = source.text, min(len(old), len(source.text))
        head = count_common_start(old, new)
        tail = min(count_common_start(old[::-1], new[::-1]), shorter - head)
        for finding in of_text:
            is_behind = finding.span.start >= len(old) - tail
            shift = len(new) - len(old) if is_behind else 0
            if is_behind or finding.span.end <= head:
                span = Span(source, finding.span.start + shift, finding.span.end + shift)
                yield replace(finding, span=span, fix=None)
