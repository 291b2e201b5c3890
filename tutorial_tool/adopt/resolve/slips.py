"""What rules find in one of several texts, and whether that is all in which it differs from another one.

A slip tells which spelling loses, and never which sentence does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tutorial_tool.adopt.resolve.stakes import TARGET
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Edit
from tutorial_tool.variation.wording import differing

ABOUT_ADDRESSES = frozenset(
    (
        "base-path-drift broken-anchor broken-link foreign-image foreign-link moved-link prev-next-mismatch unsafe-url"
    ).split()
)
"""What tells of the address of a link; other rules tell of its words, or of its place."""
FOREIGN = "foreign-name"  # The one rule about drift that tells which text is wrong


@dataclass(frozen=True)
class Slips:
    """A text that `platforms` have, as it begins at `start` in the copy of one of them, and the findings in it."""

    platforms: tuple[str, ...]
    platform: str
    text: str
    start: int
    findings: tuple[Finding, ...] = ()

    @cached_property
    def rules(self) -> tuple[str, ...]:
        return tuple(sorted({finding.rule for finding in self.findings}))

    @property
    def weight(self) -> float:
        """How much speaks against the text: a foreign name more than anything else."""
        return float("inf") if FOREIGN in self.rules else len(self.rules)

    @cached_property
    def mended(self) -> str:
        """The text with the fixes of its findings."""
        text, begun = self.text, len(self.text)
        for edit in sorted(set(self._edits()), key=lambda edit: edit.span.start, reverse=True):
            start, end = edit.span.start - self.start, edit.span.end - self.start
            if start >= 0 and end <= begun:
                text, begun = text[:start] + edit.text + text[end:], start
        return text

    def are_all(self, other: str) -> bool:
        """Whether the text differs from another one in nothing but what the findings mark, or mend: no word is lost."""
        return self.mended == other or all(
            self._is_marked(*place) and start < end for place, (start, end) in differing(self.text, other)
        )

    def _edits(self) -> Iterator[Edit]:
        for finding in self.findings:
            yield from (
                (edit for edit in finding.fix.edits if edit.span.path == finding.span.path) if finding.fix else ()
            )

    def _is_marked(self, start: int, end: int) -> bool:
        in_address = any(match.start() < end and start < match.end() for match in TARGET.finditer(self.text))
        return any(
            finding.span.start - self.start <= start and end <= finding.span.end - self.start
            for finding in self.findings
            if not in_address or finding.rule in ABOUT_ADDRESSES
        )
