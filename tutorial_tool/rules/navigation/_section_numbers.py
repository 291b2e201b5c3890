"""Hard-coded section numbers that skip or repeat one, where all others count one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import MAX_TERM_WORDS
from tutorial_tool.core.similarity import RELATED
from tutorial_tool.markdown.document import Document, Heading, Range
from tutorial_tool.site import Page, page_facts
from tutorial_tool.spelling.word_lists import read_words
from tutorial_tool.variants.ordering import numbers
from tutorial_tool.variants.ordering.numbers import Number, format_number
from tutorial_tool.variants.ordering.sequences import MIN_SEQUENCE

_WORDS = lazy_re.compile(r"[^\W_]\S*")
_DATE = lazy_re.compile(r"\W*(?:\(?\d|$)")  # What follows a version: a date, or nothing


class Slip(NamedTuple):
    """A number out of sequence. `missing` is the skipped number; None if one is repeated."""

    number: Number
    place: Range
    before: Number
    before_place: Range
    missing: Number | None

    @property
    def message(self) -> str:
        if self.missing is None:
            return f"repeated number {format_number(self.number)}"
        number, before, missing = map(format_number, (self.number, self.before, self.missing))
        return f"number {number} follows {before}; {missing} is missing"


class _Section(NamedTuple):
    heading: Heading
    number: Number
    place: Range
    rest: str


@page_facts.register
def find_slips(page: Page) -> tuple[Slip, ...]:
    """Find the numbers out of sequence among a page's sections."""
    sections = list(_find_sections(page.document))
    return tuple(slip for run in _group_runs(sections) if len(run) >= MIN_SEQUENCE and (slip := _find_slip(page, run)))


def _find_sections(document: Document) -> Iterator[_Section]:
    """Find the numbered headings, except those with only a date or nothing after the number: versions."""
    headings = iter(document.headings)
    for item in numbers.find_heading_numbers(document):
        heading = next((h for h in headings if h.start <= item.span.start < h.end), None)
        if heading and not _DATE.match(rest := heading.text[len(item.typed) :]):
            yield _Section(heading, item.number, item.span, rest)


def _group_runs(sections: list[_Section]) -> Iterator[list[_Section]]:
    """Group the sections at one level under one number, starting a new group at each restart."""
    open_: dict[tuple[int, Number], list[_Section]] = {}
    for section in sections:
        key = (section.heading.level, section.number[:-1])
        if section.number[-1] <= 1 and key in open_:
            yield open_.pop(key)
        open_.setdefault(key, []).append(section)
    yield from open_.values()


def _find_slip(page: Page, run: list[_Section]) -> Slip | None:
    """Return the one break of a run: a number that is repeated or left out, unless the page has it elsewhere."""
    breaks = [(before, after) for before, after in pairwise(run) if after.number[-1] != before.number[-1] + 1]
    if run[0].number[-1] > 1 or len(breaks) != 1:
        return None
    before, after = breaks[0]
    step = after.number[-1] - before.number[-1]
    if step == 0 and not _are_alternatives(page, before, after):
        return Slip(after.number, after.place, before.number, before.place, None)
    missing = (*before.number[:-1], before.number[-1] + 1)
    if step == 2 and not _compile_number_pattern(missing).search(page.plain, before.place.end, after.place.start):
        return Slip(after.number, after.place, before.number, before.place, missing)
    return None


def _are_alternatives(page: Page, first: _Section, second: _Section) -> bool:
    """Return whether two sections with one number may be named alternatives."""
    rests = first.rest, second.rest
    return any(map(_is_name, rests)) or _are_alike(*rests) or _are_separated(page, first, second)


def _is_name(rest: str) -> bool:
    """Return whether a heading's text is at most `MAX_TERM_WORDS` words that do not begin with a verb."""
    reported = _WORDS.findall(rest.lower())
    return len(reported) <= MAX_TERM_WORDS and not (reported and reported[0] in read_words("verbs"))


def _are_separated(page: Page, first: _Section, second: _Section) -> bool:
    """Return whether an unnumbered heading of the same or a higher level separates two sections."""
    return any(
        first.heading.end <= heading.start < second.heading.start and heading.level <= first.heading.level
        for heading in page.document.headings
    )


def _are_alike(first: str, second: str) -> bool:
    from rapidfuzz import fuzz  # few pages repeat a number

    return fuzz.ratio(first, second) >= RELATED


def _compile_number_pattern(number: Number) -> re.Pattern[str]:
    """Compile a pattern for a number at the start of a line or in a heading."""
    begin = r"#.*?(?<![\d.])|\W*(?:<[^<>\n]*>)?\W*(?:\w+[ \u00a0]+)?"
    return re.compile(rf"^(?:{begin}){re.escape(format_number(number))}(?!\.?\d)", re.MULTILINE)
