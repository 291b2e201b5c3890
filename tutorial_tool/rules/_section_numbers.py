"""Typed numbers of a page's sections that leave one out, or stand twice, where all others count one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tutorial_tool import gist, lazy_re
from tutorial_tool.document import Document, Heading, Range
from tutorial_tool.order import numbers
from tutorial_tool.order.numbers import Number, shown
from tutorial_tool.site import Page

_FEWEST = 3
"""How many numbers in a row show that somebody counts."""
_FEWEST_NAMED = 2
"""How many do where each says what it counts: `Step 1`, `Step 3`."""
_ALIKE = 60
"""From which likeness on, in percent, two headings are two ways to do one thing: `2. On a phone`, `2. On a tablet`."""
_VERSIONS = lazy_re.compile(
    r"(?<![a-z])(?:change ?log|releases?|release notes|history|what'?s new)(?![a-z])", re.IGNORECASE
)
"""What a page is about whose numbers count no sections."""
_DATE = lazy_re.compile(r"\W*(?:\(?\d|$)")
"""What stands behind a version: a date, or nothing."""


class Slip(NamedTuple):
    """A number that does not follow the one before it. `missing` is left out between them; None where one is twice."""

    number: Number
    place: Range
    before: Number
    before_place: Range
    missing: Number | None

    @property
    def message(self) -> str:
        if self.missing is None:
            return f"number {shown(self.number)} stands twice"
        return f"number {shown(self.number)} follows {shown(self.before)}: there is no {shown(self.missing)}"


class _Section(NamedTuple):
    heading: Heading
    number: Number
    place: Range
    rest: str
    is_named: bool


@gist.of_each
def slips(page: Page) -> tuple[Slip, ...]:
    """What is wrong with the numbers of a page's sections."""
    sections = list(_sections(page.document))
    about = f"{page.path} {page.document.title}".replace("_", " ").replace("-", " ")
    if len(sections) < _FEWEST_NAMED or _VERSIONS.search(about):
        return ()
    return tuple(slip for run in _runs(sections) if (slip := _slip(page, run)))


def _sections(document: Document) -> Iterator[_Section]:
    """The numbered headings that say something."""
    headings = iter(document.headings)
    for one in numbers.of_headings(document):
        heading = next((h for h in headings if h.start <= one.place.start < h.end), None)
        if heading and not _DATE.match(rest := heading.text[len(one.typed) :]):
            is_named = any(map(str.isalpha, one.typed))
            yield _Section(heading, one.number, one.place, rest, is_named)


def _runs(sections: list[_Section]) -> Iterator[list[_Section]]:
    """The sections of one level below one number, from each beginning on."""
    open_: dict[tuple[int, Number], list[_Section]] = {}
    for one in sections:
        key = (one.heading.level, one.number[:-1])
        if one.number[-1] <= 1 and key in open_:
            yield open_.pop(key)
        open_.setdefault(key, []).append(one)
    yield from open_.values()


def _slip(page: Page, run: list[_Section]) -> Slip | None:
    steps = [(before, after, after.number[-1] - before.number[-1]) for before, after in pairwise(run)]
    odd = [step for step in steps if step[2] != 1]
    fewest = _FEWEST_NAMED if all(one.is_named for one in run) else _FEWEST
    if len(run) < fewest or run[0].number[-1] > 1 or len(odd) != 1 or odd[0][2] not in (0, 2):
        return None
    before, after, by = odd[0]
    missing = (*before.number[:-1], before.number[-1] + 1) if by else None
    if missing is None and _are_alike(before.rest, after.rest):
        return None
    if missing and _stands(missing).search(page.plain, before.place.end, after.place.start):
        return None
    return Slip(after.number, after.place, before.number, before.place, missing)


def _are_alike(first: str, second: str) -> bool:
    from rapidfuzz import fuzz  # few pages have one number twice

    return fuzz.ratio(first, second) >= _ALIKE


def _stands(number: Number) -> re.Pattern[str]:
    """A number that begins a line, or stands in a heading."""
    begin = r"#.*?(?<![\d.])|\W*(?:<[^<>\n]*>)?\W*(?:\w+[ \u00a0]+)?"
    return re.compile(rf"^(?:{begin}){re.escape(shown(number))}(?!\.?\d)", re.MULTILINE)


def is_titled(number: Number, page: Page) -> bool:
    """Whether a page's title or one of its headings has a dotted number."""
    title = re.compile(rf"^(?:#+|title:)\W*(?:\w+[ \u00a0]+)?{re.escape(shown(number))}(?!\.?\d)", re.MULTILINE)
    return len(number) > 1 and title.search(page.plain) is not None
