"""The position of a page among all steps in its text: `Step 2 of 4`, alone or next to links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.markdown.document import CONTEXT, Range
from tutorial_tool.site import Page

_OF = r"(?P<of>/|[ \u00a0](?:[^\W\d_]{1,4}[ \u00a0]{1,3}){1,2})[ \u00a0]{0,3}"
_COUNT = lazy_re.compile(
    rf"(?:\b[^\W\d_]{{1,20}}[ \u00a0]{{1,3}})?(?P<number>\d{{1,2}})[ \u00a0]{{0,3}}{_OF}(?P<total>\d{{1,2}})(?![\w.%])"
)
HAS_COUNT = lazy_re.compile(rf"\d[ \u00a0]{{0,3}}{_OF}\d")  # Quick check for a count
_ALONE = lazy_re.compile(
    r"(?:step|page|part|chapter|section|lesson)[ \u00a0]+(?P<number>\d{1,2})(?![\w.%])", re.IGNORECASE
)
_OWN_NUMBER = lazy_re.compile(rf"[\s*_>|]*{_ALONE.pattern}[\s*_]*(?:[·|•—–-]|\n|$)", re.IGNORECASE)
"""The number of the page itself, before the links of a row."""
_ENGLISH = ("/", "of", "out of")
_DIRECTIONS = frozenset("next previous prev back forward up then before after step page section chapter".split())
"""Words that occur next to links to the previous and next page, and mean nothing else."""
_TAGS = lazy_re.compile(r"</?[A-Za-z][^>]*>|&\w+;|<<|>>")
ATTRIBUTES = lazy_re.compile(r"[ \t]?\{:?[ \t]*[.#\w][^{}\n]*\}")  # What `attr_list` parses after a link


class Count(NamedTuple):
    """A page's position; `total` is 0 if not given. `is_english` if in English or with a punctuation mark."""

    number: int
    total: int
    is_english: bool = True


class CountLine(NamedTuple):
    """A count and the line that it is on; `is_alone` if no link is there."""

    position: Count
    start: int
    end: int
    is_alone: bool


def strip_links(text: str, start: int, end: int, links: Iterable[Range]) -> str:
    """Return the text of a span without links, their attributes, and tags."""
    rest = text[start:end]
    for link in sorted(links, reverse=True):
        if start <= link.start and link.end <= end:
            after_link = rest[link.end - start :]
            match = ATTRIBUTES.match(after_link)
            rest = rest[: link.start - start] + after_link[match.end() if match else 0 :]
    return _TAGS.sub("", rest)


def is_navigation(rest: str) -> bool:
    """Return whether the text around links gives only their direction and the position of the page."""
    words = re.findall(r"\w+", _ALONE.sub("", _COUNT.sub("", rest)))
    return all(word.lower() in _DIRECTIONS for word in words)


def parse_count(rest: str) -> Count | None:
    """Return the position of its page that a row of navigation gives."""
    if match := _COUNT.search(rest):
        number, total = int(match["number"]), int(match["total"])
        is_english = match["of"].strip() in _ENGLISH
        return Count(number, total, is_english) if 0 < number <= total else None
    page_number = _OWN_NUMBER.match(rest)
    return Count(int(page_number["number"]), 0) if page_number else None


def find_stated_line(page: Page) -> CountLine | None:
    """Return the first line of a page with only its position and perhaps links to other pages."""
    if not HAS_COUNT.search(page.plain):
        return None
    text, front = page.plain, page.document.front_matter
    code = [(block.start, block.end) for block in page.document.code_blocks]
    for match in _COUNT.finditer(text, front.body if front else 0):
        start, end = find_line_start(text, match.start()), find_line_end(text, match.end())
        if end - start > CONTEXT or any(code_start <= start < code_end for code_start, code_end in code):
            continue
        links = [Range(link.start, link.end) for link in page.document.links if start <= link.start and link.end <= end]
        rest = strip_links(text, start, end, links)
        if is_navigation(rest) and (position := parse_count(rest)) and position.total:
            return CountLine(position, start, end, not links and _is_block(text, start, end))
    return None


def _is_block(text: str, start: int, end: int) -> bool:
    """Return whether a line has blank lines around it, if there are adjacent lines."""
    before, after = text[:start].rsplit("\n", 2)[-2:-1], text[end + 1 :].split("\n", 1)[0]
    return not "".join(before).strip("- \t") and not after.strip()
