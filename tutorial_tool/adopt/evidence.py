"""What speaks for one text of several: findings of the linter in the others, and when git saw them change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tutorial_tool import history, linter, site
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.differences import Difference
from tutorial_tool.adopt.words import Vector
from tutorial_tool.config import Config
from tutorial_tool.finding import Finding
from tutorial_tool.parser import Dialect

_SILENT = (
    "drift", "images", "markup", "project",
    "drifted-cell", "missing-row", "row-order", "column-mismatch", "trailing-space", "typed-navigation", "typed-number",
)  # fmt: skip
"""What does not tell a wrong text by itself. That texts differ is what is to be settled, and no evidence."""


@dataclass(frozen=True)
class Evidence:
    """Findings and dates of the copies of all sets, and differences that are `habits`. Paths are relative to `root`."""

    root: Path
    findings: Mapping[str, list[Finding]] = field(default_factory=dict)
    habits: frozenset[Vector] = frozenset()

    @classmethod
    def of(cls, sets: Iterable[CopySet], root: Path, habits: frozenset[Vector] = frozenset()) -> Evidence:
        """What the linter finds in these copies."""
        paths = [root / copy.source.path for one in sets for copy in one.copies.values()]
        read = site.plain(paths, root, dialect=Dialect.PYTHON_MARKDOWN)
        found: dict[str, list[Finding]] = {}
        for finding in linter.run(read, Config(root, ignore=_SILENT)):
            found.setdefault(finding.span.path, []).append(finding)
        return cls(root, found, habits)

    def rules(self, copies: CopySet, platforms: Sequence[str], places: Sequence[Difference]) -> Counter[str]:
        """How often rules find something in the texts of some platforms, at these places."""
        out: Counter[str] = Counter()
        for platform in platforms:
            source = copies.copies[platform].source
            for finding in self.findings.get(source.path, ()):
                start, end = finding.span.start, finding.span.end
                out[finding.rule] += sum(
                    place.spans[platform][0] < end and start < place.spans[platform][1] for place in places
                )
        return +out

    def newest(self, copies: CopySet, platforms: Sequence[str], places: Sequence[Difference]) -> int:
        """When the newest of these lines was changed, in seconds since 1970; 0 where git does not know."""
        return max((self._time(copies, platform, place) for platform in platforms for place in places), default=0)

    def _time(self, copies: CopySet, platform: str, place: Difference) -> int:
        source = copies.copies[platform].source
        times = history.line_times(self.root / source.path)
        first, last = (source.position(offset).line for offset in place.spans[platform])
        return max(times[first - 1 : last], default=0)

    @staticmethod
    def day(time: float) -> str:
        return datetime.fromtimestamp(time, UTC).date().isoformat()
