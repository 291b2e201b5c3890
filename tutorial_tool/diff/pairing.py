"""Pair the pages of both sides."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from rapidfuzz import fuzz

from tutorial_tool.core.similarity import ALIKE, MAX_PAIRS, RELATED
from tutorial_tool.diff import PagePair
from tutorial_tool.diff.sides import Key, Side, SidePage, is_redirected
from tutorial_tool.fs import files

_MOVED = 95  # Minimum similarity, in percent, of a page and its moved version, whatever their paths


def pair_pages(old: Side, new: Side) -> Iterator[tuple[SidePage | None, SidePage | None, PagePair]]:
    """Yield the pages of both sides in pairs: those of the new side in order, then those that are gone."""
    matches = dict(_match_pages(old, new))
    gone = {page.key for page in matches.values()}
    for key, page in new.pages.items():
        old_page = matches.get(key)
        if old_page is None and (key in old.unknown or (old.is_broken and page.page.generated)):
            continue
        yield old_page, page, _build_pair(old_page, page, new)
    for key, page in old.pages.items():
        unknown = key in new.unknown or (new.is_broken and page.page.generated) or _is_still_there(page, old, new)
        if key not in gone and not unknown:
            yield page, None, _build_pair(page, None, new)


def _is_still_there(page: SidePage, old: Side, new: Side) -> bool:
    """Return whether the file of a page still exists.

    A project that was added does not list it among its pages.
    """
    file = files.format_path(page.target.root / page.page.source.path, old.folder)
    return page.target.layout is None and (new.folder / file).is_file()


def _build_pair(old: SidePage | None, new: SidePage | None, side: Side) -> PagePair:
    old_address, new_address = (page.address if page else "" for page in (old, new))
    is_redirected_ = bool(old_address) and old_address != new_address and is_redirected(side, old_address)
    return PagePair(old.page if old else None, new.page if new else None, old_address, new_address, is_redirected_)


def _match_pages(old: Side, new: Side) -> Iterator[tuple[Key, SidePage]]:
    """Match the pages of the new side with old ones: by ID, then by path, then by content."""
    removed = {key: page for key, page in old.pages.items() if key not in new.pages}
    added = {key: page for key, page in new.pages.items() if key not in old.pages}
    yield from ((key, old.pages[key]) for key in new.pages if key in old.pages)
    by_path = {page.path: key for key, page in removed.items()}
    for key, page in list(added.items()):
        if page.path in by_path:
            yield key, removed.pop(by_path.pop(page.path))
            del added[key]
    if len(removed) * len(added) <= MAX_PAIRS:
        yield from _match_renamed(removed, added)


def _match_renamed(
    removed: dict[tuple[str, ...], SidePage], added: dict[tuple[str, ...], SidePage]
) -> Iterator[tuple[Key, SidePage]]:
    scores = [
        (score, key, other)
        for key, new_page in added.items()
        for other, old_page in removed.items()
        if (threshold := _get_threshold(old_page, new_page))
        and (score := _compute_similarity(old_page, new_page)) >= threshold
    ]
    for _, key, other in sorted(scores, key=lambda result: -result[0]):
        if key in added and other in removed:
            yield key, removed.pop(other)
            del added[key]


def _get_threshold(old: SidePage, new: SidePage) -> int:
    """Return the similarity (in percent) that two pages need to be a pair; 0 if they cannot be one.

    Pages that the data assigns to other steps and platforms cannot.
    """
    if old.id == new.id:
        return RELATED
    if old.group and old.group == new.group:
        return ALIKE
    return 0 if old.page.place or new.page.place else _MOVED


def _compute_similarity(old: SidePage, new: SidePage) -> float:
    texts = (page.page.plain for page in (old, new))
    has_same_name = posixpath.basename(old.path) == posixpath.basename(new.path)
    return fuzz.ratio(*texts, score_cutoff=RELATED) + 5 * has_same_name
