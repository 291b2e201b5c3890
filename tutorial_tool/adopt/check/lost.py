"""Find lint findings of copies that the project lacks, where the differences count as intended."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from tutorial_tool import site
from tutorial_tool.adopt.copies import Copy, CopySet
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.linter import engine
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import get_rules
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.places import PageId

LEVEL = "Step"  # Rules that compare variants; the others find the same in the same bytes


@dataclass(frozen=True)
class MissingFinding:
    """A finding in a copy, and the same finding at the source of its text in the project.

    If the copy was changed by adopting, both are in the project.
    """

    before: Finding
    now: Finding

    @property
    def is_severe(self) -> bool:
        return self.before.severity.is_at_least(Severity.WARNING)

    @property
    def is_hint(self) -> bool:
        """Whether its rule is below warning, even if other findings made it more severe here."""
        return not get_rules()[self.before.rule].severity.is_at_least(Severity.WARNING)


def find_missing(
    project: Site, findings: Sequence[Finding], sets: Sequence[CopySet], root: Path
) -> list[MissingFinding]:
    """Find what the linter reports in the copies, but not in the project.

    `findings` are those of the project, `root` is the folder that the copies' paths are relative to. Rows that the data
    omits do not count: their `omit` asks for a reason.
    """
    copies = {copy.source.path: (copy_set, copy) for copy_set in sets for copy in copy_set.copies.values()}
    pages = {
        path: page
        for path, (copy_set, copy) in copies.items()
        if (page := project.by_address.get(PageId(copy_set.tutorial, copy_set.step, copy.platform)))
    }
    pairs = []
    for before in _lint_copies(sets, pages, root):
        now = _move_finding(before, pages)
        is_same = pages[before.span.path].plain == copies[before.span.path][1].source.text
        pairs.append(MissingFinding(before if is_same else now, now))
    rows = {("missing-row", path) for path in project.data_files}
    losts = [lost for lost in _filter_missing(pairs, findings) if (lost.now.rule, lost.now.span.path) not in rows]
    return sorted(losts, key=lambda lost: (lost.now.span.path, lost.now.span.start, lost.now.rule))


def _move_finding(before: Finding, pages: Mapping[str, Page]) -> Finding:
    """Return a finding of a copy at the sources of its texts in the project."""
    page = pages[before.span.path]
    related = [(pages[span.path], span[1:], text) for span, text, _ in before.related if span.path in pages]
    now = page.flag((before.span.start, before.span.end), before.message, severity=before.severity, related=related)
    return replace(now, rule=before.rule)


def _lint_copies(sets: Iterable[CopySet], pages: Mapping[str, Page], root: Path) -> list[Finding]:
    """Return the findings of comparing rules in the copies with resolved differences.

    Their path patterns are given explicitly, from the names of the steps: in `apple-mail-setup`, a hyphen separates the
    platform from the rest.
    """
    texts = {path: page.plain for path, page in pages.items()}
    copies = site.load_plain([root / path for path in texts], root, texts, dialect=Dialect.PYTHON_MARKDOWN)
    patterns = {
        pattern
        for copy_set in sets
        for copy in copy_set.copies.values()
        if "{platform}" in (pattern := _build_pattern(copy_set.step, copy))
    }
    stated = tuple(sorted(patterns, key=lambda pattern: (-len(pattern), pattern)))
    findings = engine.run(copies, Config(root, variants=stated))
    return [finding for finding in findings if get_rules()[finding.rule].level == LEVEL and finding.span.path in pages]


def _build_pattern(step: str, copy: Copy) -> str:
    """Return the path of a copy with a placeholder for its platform, by the project's pattern if possible."""
    path = f"{copy.pattern.replace('{step}', step)}{Path(copy.source.path).suffix}"
    if "{tutorial}" not in path:
        return path
    return re.sub(rf"(?<![^\W_]){re.escape(copy.platform)}(?![^\W_])", "{platform}", copy.source.path, count=1)


def _filter_missing(pairs: Sequence[MissingFinding], findings: Sequence[Finding]) -> Iterator[MissingFinding]:
    """Yield the findings that the project does not have, neither at one of the same spans nor elsewhere."""
    remaining = Counter((finding.rule, platform) for finding in findings for platform in finding.platforms)
    elsewhere = []
    for pair in pairs:
        match = next((finding for finding in findings if _is_same(pair.now, finding)), None)
        if match is None:
            elsewhere.append(pair)
        else:
            remaining[match.rule, pair.now.platforms[0]] -= 1
    for pair in elsewhere:
        key = pair.now.rule, pair.now.platforms[0]
        remaining[key] -= 1
        if remaining[key] < 0:
            yield pair


def _is_same(now: Finding, finding: Finding) -> bool:
    """Return whether the project has the same finding, at any of its spans: either text may be right."""
    return now.rule == finding.rule and any(
        left.path == right.path and left.start <= right.end and right.start <= left.end
        for left, right in product(_get_spans(now), _get_spans(finding))
    )


def _get_spans(finding: Finding) -> Sequence[Span]:
    return (finding.span, *(related.span for related in finding.related))
