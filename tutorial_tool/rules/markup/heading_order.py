"""A heading that skips a level: `####` below `##`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_PLACES, Finding, Severity
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import HABIT
from tutorial_tool.site import Page, Site, page_facts

_RAW = lazy_re.compile(r"h([1-6])")


class _Place(NamedTuple):
    """The span of a heading; `level` 0: something that may include headings."""

    start: int
    end: int
    level: int


class _Skip(NamedTuple):
    """A heading level that a page skips: the level above, the one that follows, and where."""

    above: int
    level: int
    places: tuple[Range, ...]


@rule("markup", Severity.HINT, yields_to=("drifted-heading",))
def check(site: Site) -> Iterator[Finding]:
    result: dict[tuple[int, int], dict[Page, _Skip]] = {}
    for page in site.pages:
        for skip in page.get_cached(_build_outline).skips:
            result.setdefault((skip.above, skip.level), {})[page] = skip
    for (above, _), skips in result.items():
        for pages in _find_habits(
            skips, [page for page in site.pages if above in page.get_cached(_build_outline).above]
        ):
            yield _report_habit(skips, pages)
            for page in pages:
                del skips[page]
        yield from (_report_skip(page, skip) for page, skip in skips.items())


def _find_habits(matches: Collection[Page], pages: Iterable[Page]) -> Iterator[list[Page]]:
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


class _Outline(NamedTuple):
    """The skips of a page, and the levels that have content below."""

    skips: tuple[_Skip, ...]
    above: frozenset[int]


@page_facts.register
def _build_outline(page: Page) -> _Outline:
    before, above, skipped = 0, set[int](), defaultdict[tuple[int, int], list[Range]](list)
    for start, end, level in sorted(_iter_headings(page.document)):
        if level > before:
            above.add(before)
        if before and level > before + 1:
            skipped[before, level].append(Range(start, end))
        before = level
    skips = (_Skip(over, level, tuple(places)) for (over, level), places in skipped.items())
    return _Outline(tuple(skips), frozenset(above))


def _report_habit(skips: Mapping[Page, _Skip], pages: list[Page]) -> Finding:
    first, *others = pages
    skip = skips[first]
    related = [(page, skips[page].places[0], "also here") for page in others[:MAX_PLACES]]
    return first.flag(skip.places[0], f"{_describe_skip(skip)} ({len(pages)} pages in this folder)", related=related)


def _report_skip(page: Page, skip: _Skip) -> Finding:
    first, *others = skip.places
    more = f" ({len(skip.places)} times on this page)" if others else ""
    return page.flag(first, _describe_skip(skip) + more, again=[(page, place, "also here") for place in others])


def _describe_skip(skip: _Skip) -> str:
    return f"heading skips from level {skip.above} to level {skip.level}"


def _iter_headings(document: Document) -> Iterator[_Place]:
    for heading in document.headings:
        yield _Place(heading.start, heading.content_end, heading.level)
    for block, _ in document.walk():
        if block.kind == "macro":
            yield _Place(block.start, block.end, 0)
    for tag in document.tags:
        if match := _RAW.fullmatch(tag.name):
            if not tag.closing:
                yield _Place(tag.start, tag.end, int(match[1]))
        elif tag.name[:1].isupper():
            yield _Place(tag.start, tag.end, 0)
