"""Sequences of pages that a reader goes through one after another, and what defines their order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from posixpath import basename, dirname, splitext
from typing import Literal

from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_by
from tutorial_tool.site import Page
from tutorial_tool.variants.ordering.titles import get_step_number
from tutorial_tool.variants.paths import is_index

OrderSource = Literal["data", "nav", "front matter", "names", "titles"]


@dataclass(frozen=True, eq=False)
class PageOrder:
    """Pages in order. `values` are the numbers that define it, `key` their name (`sidebar_position`)."""

    pages: tuple[Page, ...]
    source: OrderSource
    values: Mapping[Page, float]
    key: str


_KEYS = r"sidebar[_-]?position|sidebar[_-]order|nav[_-]order|menu[_-]order|order|weight|position"
_VALUE = lazy_re.compile(
    rf"^(?P<nested>(?:sidebar|nav)[ \t]*:[ \t]*\n(?:[ \t]+\S[^\n]*\n)*?[ \t]+)?(?P<key>{_KEYS})[ \t]*:[ \t]*"
    r"[\"']?(?P<value>-?\d+(?:\.\d+)?)[\"']?[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)
_HIDDEN = lazy_re.compile(
    r"^[ \t]*(?:(?:draft|unlisted|hidden|nav_exclude|toc_hide|_?headless)[ \t]*:[ \t]*true"
    r"|published[ \t]*:[ \t]*false)\b",
    re.MULTILINE,
)
_NAME = lazy_re.compile(r"(?:(?:step|part|lesson|chapter|module)[-_. ]*)?(\d{1,3})(?:[-_. ]+(?=\D)|$)", re.IGNORECASE)
MIN_SEQUENCE = 3  # Minimum numbers, of pages or headings, that prove an order


def is_hidden(page: Page) -> bool:
    """Return whether a page's front matter hides it from the navigation."""
    return any(page.document.find_in_front_matter(_HIDDEN))


def get_set_positions(page: Page) -> dict[str, float]:
    """Return the numbers in a page's front matter that order it among its siblings, by key."""
    matches = page.document.find_in_front_matter(_VALUE)
    return {match["key"].lower(): float(match["value"]) for match in matches}


def parse_name_number(page: Page) -> float | None:
    """Return the number that a page's file name, or the folder name of an index page, starts with."""
    match = _NAME.match(_get_name(page))
    return int(match[1]) if match else None


def _get_name(page: Page) -> str:
    stem = splitext(page.path)[0]
    return basename(dirname(stem)) if is_index(page.path) else basename(stem)


def get_sibling_folder(page: Page) -> str:
    """Return the folder whose pages are a page's siblings."""
    stem = splitext(page.path)[0]
    return dirname(dirname(stem)) if is_index(page.path) else dirname(stem)


def find_sibling_sequences(pages: Iterable[Page], variants: Callable[[], Mapping[Page, str]]) -> Iterator[PageOrder]:
    """Yield the sequences of pages whose front matter, names or titles have numbers.

    Siblings are the pages of one folder. If several of these have one position, they are copies of a step, and the
    siblings are the pages of the same name in adjacent folders, or of the same one of the `variants`.
    """
    unordered = [page for page in pages if not is_hidden(page)]
    sequences, unordered = _find_sequences(unordered, get_sibling_folder)
    yield from sequences
    sequences, unordered = _find_sequences(unordered, _get_namesake_key)
    yield from sequences
    variant_by_page = variants() if unordered else {}
    known = [page for page in unordered if page in variant_by_page]
    sequences, _ = _find_sequences(known, lambda page: (get_sibling_folder(page), variant_by_page[page]))
    yield from sequences


def _get_namesake_key(page: Page) -> tuple[str, str]:
    """Return a key that a page shares with those of the same name in adjacent folders."""
    stem = splitext(page.path)[0]
    return dirname(dirname(stem)), basename(stem)


def _find_sequences(pages: Iterable[Page], key: Callable[[Page], object]) -> tuple[list[PageOrder], list[Page]]:
    """Return the sequences of pages that share a key, and the pages of which several have one position."""
    sequence_by_group = [(group, find_group_sequence(group)) for group in group_by(pages, key).values()]
    tied = [page for group, sequence in sequence_by_group if sequence is None and _is_tied(group) for page in group]
    return [sequence for _, sequence in sequence_by_group if sequence], tied


def find_group_sequence(group: list[Page]) -> PageOrder | None:
    """Return the order of some siblings, if one way to define it gives each a distinct position."""
    keys = Counter(key for page in group for key in get_set_positions(page)).most_common(1)
    for key, count in keys:
        if count > 1:
            return _build_sequence({page: get_set_positions(page).get(key) for page in group}, "front matter", key)
    if number_by_page := _collect_numbers(group, parse_name_number):
        return _build_sequence(number_by_page, "names", "the number in its name")
    if number_by_page := _collect_numbers(group, _get_title_number):
        return _build_sequence(number_by_page, "titles", "the number in its title")
    return None


def _collect_numbers(group: list[Page], read: Callable[[Page], float | None]) -> dict[Page, float | None]:
    """Return the numbers of the pages, if enough have one."""
    numbers = {page: read(page) for page in group}
    return numbers if sum(number is not None for number in numbers.values()) >= MIN_SEQUENCE else {}


def _get_title_number(page: Page) -> float | None:
    result = page.get_cached(get_step_number)
    return result.number if result else None


def _build_sequence(number_by_page: Mapping[Page, float | None], source: OrderSource, key: str) -> PageOrder | None:
    values = {page: number for page, number in number_by_page.items() if number is not None}
    if len(set(values.values())) < len(values):
        return None
    return PageOrder(tuple(sorted(values, key=values.__getitem__)), source, values, key)


def _is_tied(group: list[Page]) -> bool:
    """Return whether several siblings have one position by front matter, or by numbers in titles."""
    for position_counts in (
        Counter(tuple(get_set_positions(page).items()) for page in group),
        Counter(map(_get_title_number, group)),
    ):
        if any(count > 1 and position for position, count in position_counts.items()):
            return True
    return False
