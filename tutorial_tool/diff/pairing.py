"""Pair the pages of both sides."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from rapidfuzz import fuzz

from tutorial_tool.core.traced import strip_origins
from tutorial_tool.diff import PagePair
from tutorial_tool.diff.sides import Key, Side, SidePage, is_redirected
from tutorial_tool.fs import files

_RENAMED = 55  # Minimum similarity, in percent, of a page and its renamed version
_OTHER_PLATFORM = 85
"""Minimum similarity, in percent, of a step's page and the same page with its platform renamed."""
_MOVED = 95  # Minimum similarity, in percent, of a page and its moved version, whatever their paths
_MOST_PAIRS = 20_000  # Maximum pairs of a removed and an added page whose texts are compared


def pair_pages(old: Side, new: Side) -> Iterator[tuple[SidePage | None, SidePage | None, PagePair]]:
    """Yield the pages of both sides in pairs: those of the new side in order, then those that are gone."""
    known = dict(_match_pages(old, new))
    gone = {shown.key for shown in known.values()}
    for key, shown in new.pages.items():
        was = known.get(key)
        if was is None and (key in old.unknown or (old.is_broken and shown.page.generated)):
            continue
        yield was, shown, _build_pair(was, shown, new)
    for key, shown in old.pages.items():
        unknown = key in new.unknown or (new.is_broken and shown.page.generated) or _is_still_there(shown, old, new)
        if key not in gone and not unknown:
            yield shown, None, _build_pair(shown, None, new)


def _is_still_there(shown: SidePage, old: Side, new: Side) -> bool:
    """Return whether the file of a page still exists.

    A project that was added does not list it among its pages.
    """
    file = files.format_path(shown.target.root / shown.page.source.path, old.folder)
    return shown.target.layout is None and (new.folder / file).is_file()


def _build_pair(old: SidePage | None, new: SidePage | None, side: Side) -> PagePair:
    was, is_ = (shown.address if shown else "" for shown in (old, new))
    leads = bool(was) and was != is_ and is_redirected(side, was)
    return PagePair(old.page if old else None, new.page if new else None, was, is_, leads)


def _match_pages(old: Side, new: Side) -> Iterator[tuple[Key, SidePage]]:
    """Match the pages of the new side with old ones: by ID, then by path, then by content."""
    gone = {key: shown for key, shown in old.pages.items() if key not in new.pages}
    come = {key: shown for key, shown in new.pages.items() if key not in old.pages}
    yield from ((key, old.pages[key]) for key in new.pages if key in old.pages)
    by_path = {shown.path: key for key, shown in gone.items()}
    for key, shown in list(come.items()):
        if shown.path in by_path:
            yield key, gone.pop(by_path.pop(shown.path))
            del come[key]
    if len(gone) * len(come) <= _MOST_PAIRS:
        yield from _match_renamed(gone, come)


def _match_renamed(
    gone: dict[tuple[str, ...], SidePage], come: dict[tuple[str, ...], SidePage]
) -> Iterator[tuple[Key, SidePage]]:
    scores = [
        (score, key, other)
        for key, shown in come.items()
        for other, was in gone.items()
        if (least := _get_threshold(was, shown)) and (score := _compute_similarity(was, shown)) >= least
    ]
    for _, key, other in sorted(scores, key=lambda result: -result[0]):
        if key in come and other in gone:
            yield key, gone.pop(other)
            del come[key]


def _get_threshold(old: SidePage, new: SidePage) -> int:
    """Return the similarity (in percent) that two pages need to be a pair; 0 if they cannot be one.

    Pages that the data assigns to other steps and platforms cannot.
    """
    if old.id == new.id:
        return _RENAMED
    if old.group and old.group == new.group:
        return _OTHER_PLATFORM
    return 0 if old.page.place or new.page.place else _MOVED


def _compute_similarity(old: SidePage, new: SidePage) -> float:
    texts = (strip_origins(shown.page.text) for shown in (old, new))
    same_name = posixpath.basename(old.path) == posixpath.basename(new.path)
    return fuzz.ratio(*texts, score_cutoff=_RENAMED) + 5 * same_name
