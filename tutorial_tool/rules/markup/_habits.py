"""Problems that many pages of a folder share: reported once, and not on each page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath

from tutorial_tool.rules.base import HABIT
from tutorial_tool.site import Page


def find_habits(matches: Collection[Page], pages: Iterable[Page]) -> Iterator[list[Page]]:
    """Yield, per folder tree, the matching pages where they are `HABIT` at least, and more than half of `pages`."""
    written = [page for page in matches if not page.generated]
    if len(written) < HABIT:
        return
    item = Counter(folder for page in pages for folder in PurePosixPath(page.path).parents)
    counts = Counter(folder for page in written for folder in PurePosixPath(page.path).parents)
    paths: set[PurePosixPath] = set()
    for folder in sorted(counts, key=lambda folder: len(folder.parts)):
        if counts[folder] >= max(HABIT, item[folder] // 2 + 1) and paths.isdisjoint(folder.parents):
            paths.add(folder)
            yield [page for page in written if folder in PurePosixPath(page.path).parents]
