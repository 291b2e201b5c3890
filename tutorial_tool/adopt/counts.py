"""The step counts (`Step 2 of 4`) that the pages of sets state consistently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.site import Page
from tutorial_tool.variants.ordering.counts import CountLine, find_stated_line


def find_count_lines(sets: Sequence[CopySet], pages: Mapping[str, Page]) -> dict[str, CountLine]:
    """Return the lines with consistent step counts, by the paths of the pages.

    For each tutorial and platform, the totals are equal and the numbers distinct, with at least two of them; else there
    are none.
    """
    counting: dict[tuple[str, str], dict[str, CountLine]] = defaultdict(dict)
    for copy_set in sets:
        for platform, copy in copy_set.copies.items():
            if (page := pages.get(copy.source.path)) and (line := find_stated_line(page)):
                counting[copy_set.tutorial, platform][copy.source.path] = line
    out: dict[str, CountLine] = {}
    for lines in counting.values():
        numbers = {line.position.number for line in lines.values()}
        if len({line.position.total for line in lines.values()}) == 1 and 1 < len(numbers) == len(lines):
            out |= lines
    return out
