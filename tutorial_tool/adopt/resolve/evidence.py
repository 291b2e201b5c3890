"""What speaks for one text of several: findings of the linter in the others, and when git saw them change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tutorial_tool import site, variants
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.resolve.differences import Difference
from tutorial_tool.adopt.resolve.slips import ABOUT_ADDRESSES, FOREIGN, Slips
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.fs import blame
from tutorial_tool.linter import engine
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import all_rules
from tutorial_tool.site import Site

_SILENT = (
    "images", "markup", "project", "drifted-cell", "missing-row", "row-order", "column-mismatch", "trailing-space",
    "typed-navigation", "typed-number", "malformed-table",
)  # fmt: skip
"""What does not tell a wrong text by itself. That texts differ is what is to be settled, and no evidence."""
WORDING = "drifted-wording"  # What warns of a number, a unit or a "not" that one copy turns
_UNDECIDED = ("conflicting-value", WORDING)  # What tells of a mistake, and not in which of the texts it is


def _read(sets: Iterable[CopySet], root: Path) -> Site:
    paths = [root / copy.source.path for copy_set in sets for copy in copy_set.copies.values()]
    return site.plain(paths, root, dialect=Dialect.PYTHON_MARKDOWN)


def _silent() -> tuple[str, ...]:
    """The rules whose findings are no evidence."""
    drift = (name for name, rule in all_rules().items() if rule.group == "drift" and name not in (FOREIGN, WORDING))
    return (*_SILENT, *drift)


@dataclass(frozen=True)
class Evidence:
    """Findings and dates of the copies of all sets. Paths are relative to `root`."""

    root: Path
    findings: Mapping[str, list[Finding]] = field(default_factory=dict)

    @classmethod
    def of(cls, sets: Iterable[CopySet], root: Path) -> Evidence:
        """What the linter finds in these copies; of those that are too short to be seen as copies, it is told."""
        sets = list(sets)
        read = _read(sets, root)
        seen = {page.path for step in variants.of(read) for page in step.pages.values()}
        short = [
            copy_set for copy_set in sets if seen.isdisjoint(copy.source.path for copy in copy_set.copies.values())
        ]
        findings = engine.run(read, Config(root, ignore=_silent()))
        patterns = {f"{c.pattern}{Path(c.source.path).suffix}" for copy_set in short for c in copy_set.copies.values()}
        patterns = {pattern for pattern in patterns if "{platform}" in pattern}
        if patterns:
            findings += engine.run(
                _read(short, root), Config(root, select=(FOREIGN,), variants=tuple(sorted(patterns)))
            )
        matches: dict[str, list[Finding]] = {}
        for finding in findings:
            if finding.rule != WORDING or finding.severity.reaches(Severity.WARNING):
                matches.setdefault(finding.span.path, []).append(finding)
        return cls(root, matches)

    def slips(self, copies: CopySet, platforms: Sequence[str], places: Sequence[Difference]) -> Slips:
        """What rules find in the text of some platforms, where they find most of it."""
        read = []
        for platform in platforms:
            for place in places:
                findings = tuple(f for f in self.at(copies, [platform], [place]) if f.rule not in _UNDECIDED)
                start, text = place.spans[platform][0], place.text(copies, platform)
                read.append(Slips(tuple(platforms), platform, text, start, findings))
        return max(read, key=lambda slips: slips.weight)

    def at(self, copies: CopySet, platforms: Iterable[str], places: Sequence[Difference]) -> Iterator[Finding]:
        """The findings in the texts of some platforms, one for each of these places that they stand in."""
        for platform in platforms:
            for finding in self.findings.get(copies.copies[platform].source.path, ()):
                start, end = finding.span.start, finding.span.end
                for place in places:
                    first, last = place.spans[platform]
                    is_of_row = place.cell is not None and start < first and last < end
                    if is_of_row or (place.is_address and finding.rule not in ABOUT_ADDRESSES):
                        continue
                    if first < end and start < last:
                        yield finding

    def newest(self, copies: CopySet, platforms: Sequence[str], places: Sequence[Difference]) -> int:
        """When the newest of these lines was changed, in seconds since 1970; 0 where git does not know of one."""
        times = [self._time(copies, platform, place) for platform in platforms for place in places]
        return max(times) if times and all(times) else 0

    def _time(self, copies: CopySet, platform: str, place: Difference) -> int:
        source = copies.copies[platform].source
        first, last = (source.position(offset).line for offset in place.spans[platform])
        return blame.changed(self.root / source.path, first, last)

    @staticmethod
    def newest_of(times: Sequence[int]) -> int | None:
        """The index of the newest of some times, where days lie between it and the others."""
        newest = blame.newest(times)
        return newest[0] if len(newest) == 1 else None

    @staticmethod
    def day(time: float) -> str:
        return datetime.fromtimestamp(time, UTC).date().isoformat()
