"""What the linter finds in copies, and no more in the project that they became: what differs there passes for meant."""

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

LEVEL = "Step"  # The rules that compare: what the others find, they find in the same bytes again


@dataclass(frozen=True)
class MissingFinding:
    """A finding in a copy, and the same one at the place in the project from which its text comes now.

    Where the copy was changed on the way, both are at the place in the project.
    """

    before: Finding
    now: Finding

    @property
    def is_severe(self) -> bool:
        return self.before.severity.is_at_least(Severity.WARNING)

    @property
    def is_hint(self) -> bool:
        """Whether it is one by its rule, be it graver here by what else is found there."""
        return not get_rules()[self.before.rule].severity.is_at_least(Severity.WARNING)


def find_missing(
    project: Site, findings: Sequence[Finding], sets: Sequence[CopySet], root: Path
) -> list[MissingFinding]:
    """What is lost of what the linter finds in the copies. `found` is what it finds in the project.

    `root` is the folder that the copies' paths are relative to. Rows that data says to be left out are not lost: their
    `omit` asks for a reason.
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
    rows = [lost for lost in pairs if lost.now.rule == "missing-row" and lost.now.span.path in project.data_files]
    losts = [lost for lost in _filter_missing(pairs, findings) if lost not in rows]
    return sorted(losts, key=lambda lost: (lost.now.span.path, lost.now.span.start, lost.now.rule))


def _move_finding(before: Finding, pages: Mapping[str, Page]) -> Finding:
    """A finding of a copy at the places from which its texts come in the project."""
    page = pages[before.span.path]
    related = [(pages[s.path], (s.start, s.end), text) for s, text in before.related if s.path in pages]
    now = page.flag((before.span.start, before.span.end), before.message, severity=before.severity, related=related)
    return replace(now, rule=before.rule)


def _lint_copies(sets: Iterable[CopySet], pages: Mapping[str, Page], root: Path) -> list[Finding]:
    """What the rules that compare find in the copies, as they are now: drift that was settled is no more.

    Their paths are stated with the names of the steps: in `apple-mail-setup`, a hyphen parts a name from another.
    """
    texts = {path: page.plain for path, page in pages.items()}
    read = site.load_plain([root / path for path in texts], root, texts, dialect=Dialect.PYTHON_MARKDOWN)
    patterns = {
        pattern
        for copy_set in sets
        for copy in copy_set.copies.values()
        if "{platform}" in (pattern := _build_pattern(copy_set.step, copy))
    }
    stated = tuple(sorted(patterns, key=lambda pattern: (-len(pattern), pattern)))
    findings = engine.run(read, Config(root, variants=stated))
    return [finding for finding in findings if get_rules()[finding.rule].level == LEVEL and finding.span.path in pages]


def _build_pattern(step: str, copy: Copy) -> str:
    """The path of a copy with the word for its platform in braces: as the project has it, if that tells where it is."""
    path = f"{copy.pattern.replace('{step}', step)}{Path(copy.source.path).suffix}"
    if "{tutorial}" not in path:
        return path
    return re.sub(rf"(?<![^\W_]){re.escape(copy.platform)}(?![^\W_])", "{platform}", copy.source.path, count=1)


def _filter_missing(pairs: Sequence[MissingFinding], findings: Sequence[Finding]) -> Iterator[MissingFinding]:
    """The findings that the project does not give: neither at one of the same places, nor elsewhere in place of one."""
    left = Counter((finding.rule, platform) for finding in findings for platform in finding.platforms)
    elsewhere = []
    for pair in pairs:
        same = next((finding for finding in findings if _is_same(pair.now, finding)), None)
        if same is None:
            elsewhere.append(pair)
        else:
            left[same.rule, pair.now.platforms[0]] -= 1
    for pair in elsewhere:
        key = pair.now.rule, pair.now.platforms[0]
        left[key] -= 1
        if left[key] < 0:
            yield pair


def _is_same(now: Finding, finding: Finding) -> bool:
    """Whether the project gives the same finding, be it at another of its places: of two texts, either may be right."""
    return now.rule == finding.rule and any(
        here.path == there.path and here.start <= there.end and there.start <= here.end
        for here, there in product(_get_spans(now), _get_spans(finding))
    )


def _get_spans(finding: Finding) -> Sequence[Span]:
    return (finding.span, *(span for span, _ in finding.related))
