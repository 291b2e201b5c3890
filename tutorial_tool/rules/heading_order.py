"""A heading that skips a level: `####` below `##`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool import lazy_re
from tutorial_tool.document import Document, Range
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_RAW = lazy_re.compile(r"h([1-6])")
_MOST = 20
"""Places that a finding names: a page that skips a level wherever it can has one habit."""


class _Place(NamedTuple):
    """Where a heading stands; `level` 0: something that may bring headings of its own."""

    start: int
    end: int
    level: int


@rule("markup", Severity.HINT)
def check(page: Page) -> Iterator[Finding]:
    before, skipped = 0, defaultdict[tuple[int, int], list[Range]](list)
    for start, end, level in sorted(_headings(page.document)):
        if before and level > before + 1:
            skipped[before, level].append(Range(start, end))
        before = level
    for (above, level), (first, *others) in skipped.items():
        message = f"a heading of level {level} follows one of level {above}: level {above + 1} is skipped"
        more = f" ({len(others) + 1} times on this page)" if others else ""
        yield page.flag(first, message + more, related=[(page, place, "here, too") for place in others[:_MOST]])


def _headings(document: Document) -> Iterator[_Place]:
    for heading in document.headings:
        yield _Place(heading.start, heading.content_end, heading.level)
    for block, _ in document.walk():
        if block.kind == "macro":
            yield _Place(block.start, block.end, 0)
    for tag in document.tags:
        if found := _RAW.fullmatch(tag.name):
            if not tag.closing:
                yield _Place(tag.start, tag.end, int(found[1]))
        elif tag.name[:1].isupper():
            yield _Place(tag.start, tag.end, 0)
