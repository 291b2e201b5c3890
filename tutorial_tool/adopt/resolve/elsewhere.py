"""Whether a copy has the text that it would get already, in another place: what was pasted there is nobody's text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.names.own_names import OwnNames
from tutorial_tool.adopt.resolve.differences import Difference
from tutorial_tool.core import lazy_re

SENTENCE = 5
"""Words of a sentence or cell that is about its place; shorter ones, such as "Click Save.", stand anywhere."""
PASTED = 2
"""How often a copy has a sentence that was pasted once; a phrase stands more often."""
_HEADING = lazy_re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_STARTS = lazy_re.compile(r"[ \t]*(?:#{1,6}[ \t]|(?:[-*+]|\d+[.)])[ \t]|[>|]|`{3}|~{3}|:::|$)")
"""A line that is no other line of a paragraph."""
_MARKER = lazy_re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?")
_END = lazy_re.compile(r"[.!?][\"'”’)\]*_]*(?=\s|\Z)|[。！？]")


def repeated(copies: CopySet, places: Sequence[Difference], winners: Sequence[str], own: OwnNames) -> str | None:
    """Why a text may be wrong for the others: they would have its sentence, heading or cell in two places."""
    best = winners[0]
    for place in places:
        wanted, is_heading = _whole(copies, place, best)
        wanted = own.masked(wanted, best)
        if wanted.endswith((":", "：")) or (not is_heading and len(wanted.split()) < SENTENCE):
            continue
        theirs = _count(copies, best, wanted, own, is_heading=is_heading)
        for platform in (each for each in place.spans if each not in winners):
            times = _count(copies, platform, wanted, own, is_heading=is_heading)
            if times and (times + 1 > theirs or (times + 1 == PASTED and not is_heading)):
                return f"{platform} says that elsewhere: its own text here may be meant"
    return None


def _whole(copies: CopySet, place: Difference, platform: str) -> tuple[str, bool]:
    """The sentence, heading or cell of a copy that a place stands in, on one line, and whether it is a heading."""
    text = copies.copies[platform].text
    start, end = place.spans[platform]
    if place.cell is not None:
        return _flat(text[start:end]), False
    first, last = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    if heading := _HEADING.match(text, first, last):
        return _flat(text[heading.end() : last]), True
    while first and not _STARTS.match(text, first, _line_end(text, first)):
        before = text.rfind("\n", 0, first - 1) + 1
        if not text[before : first - 1].strip() or _HEADING.match(text, before):
            break
        first = before
    while last < len(text) and not _STARTS.match(text, last + 1, _line_end(text, last + 1)):
        last = _line_end(text, last + 1)
    first = max((found.end() for found in _END.finditer(text, first, start)), default=first)
    found = _END.search(text, max(start, end - 1), last)
    return _flat(_MARKER.sub("", text[first : found.end() if found else last], count=1)), False


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _flat(text: str) -> str:
    return " ".join(text.split())


def _count(copies: CopySet, platform: str, wanted: str, own: OwnNames, *, is_heading: bool) -> int:
    """How often a copy has a sentence or cell; or a heading, as such."""
    text = own.masked(copies.copies[platform].text, platform)
    if is_heading:
        lines = (line for line in text.split("\n") if _HEADING.match(line))
        return sum(_flat(_HEADING.sub("", line, count=1)) == wanted for line in lines)
    return len(re.findall(rf"(?<!\w){re.escape(wanted)}(?!\w)", _flat(text))) if wanted else 0
