"""Problems that many pages of a folder share: reported once, and not on each page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath

from tutorial_tool.site import Page

MIN_PAGES = 5  # Minimum pages of a folder, which must also be more than half of them, for a habit


def find_habits(matches: Collection[Page], pages: Iterable[Page]) -> Iterator[list[Page]]:
    """Yield, per folder tree, the matching pages where they are more than half of the tree's `pages`."""
    written = [page for page in matches if not page.generated]
    if len(written) < MIN_PAGES:
        return
    item = Counter(folder for page in pages for folder in PurePosixPath(page.path).parents)
    counts = Counter(folder for page in written for folder in PurePosixPath(page.path).parents)
    paths: set[PurePosixPath] = set()
    for folder in sorted(counts, key=lambda folder: len(folder.parts)):
        if counts[folder] >= max(MIN_PAGES, item[folder] // 2 + 1) and paths.isdisjoint(folder.parents):
            paths.add(folder)
            yield [page for page in written if folder in PurePosixPath(page.path).parents]
