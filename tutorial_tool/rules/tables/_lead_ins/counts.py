"""Counts in lead-in sentences: "the following three", "one of these two", "there are four ways to do it:"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import MASK, Prose

_NUMBERS = {word: number for number, word in enumerate("two three four five six seven eight nine ten".split(), 2)}
_WORDS = "|".join(_NUMBERS)
_COUNT = lazy_re.compile(
    rf"\b(?P<down>(?:the )?following|one of (?:these|the following|these following)|these|those) "
    rf"(?P<count>{_WORDS}|[2-9]|10) [a-z][\w-]*",
    re.IGNORECASE,
)
_NUMERALS = frozenset((*_NUMBERS, *map(str, range(2, 11))))
_ENDS = lazy_re.compile(r"(?: [a-z][\w-]*)?[.:]?\s*", re.IGNORECASE)
"""What may follow such a count up to the end of its text."""
_ANNOUNCED = lazy_re.compile(
    r"\b(?:there (?:are|were)|has|have|takes?|accepts?|supports?|offers?|provides?|contain(?:s|ing)?|includ(?:es?|ing)"
    r"|comes? (?:with|in)|consists? of|made (?:up )?of|returns?|choose (?:from|between)|one of"
    r"|(?P<needs>needs?|requires?)|do)"
    rf" (?:the |exactly |only )?(?P<count>{_WORDS}) (?:[\w-]+ ){{0,3}}?"
    r"(?P<noun>[a-z][\w-]*[a-rt-z]s)(?![\w-])[^.:;!?]*:\s*$",
    re.IGNORECASE,
)
_ANOTHER = lazy_re.compile(rf"\b(?:{_WORDS})\b|\b(?:and|plus) (?:an?|one) ", re.IGNORECASE)
"""Another count: `two classes and a function`."""
_SUBORDINATE = lazy_re.compile(r"\b(?:since|because|if|when|while|although)\b[^,.:;!?]*\Z", re.IGNORECASE)
"""A clause up to a count that is no announcement: `Since there are two keys, it works like this:`."""
_FOLLOWING = lazy_re.compile(r"\b(?:following|these|those|below)\b", re.IGNORECASE)
_UNITS = frozenset(
    "seconds minutes hours days weeks months years times bytes bits digits letters characters words lines spaces"
    " columns rows people users terminals windows tabs sessions".split()
)
"""Counted nouns that are measures, or what a task is done with."""


_OTHERS = lazy_re.compile(r"\b(?:here (?:is|are)|some|several|many|few|ways?|examples?)\b", re.IGNORECASE)
"""What is announced, in a text that refers to known things: `some ways to use these two scripts`."""


_NAMED = lazy_re.compile(rf"(?:\w|{MASK})\W{{0,2}},? (?:and|or) \W{{0,2}}(?:\w|{MASK})")
_SENTENCE = lazy_re.compile(r"[.!?]\s")


def _may_be_known(prose: Prose, start: int) -> bool:
    """Return whether `these two` at `start` may refer to things mentioned before."""
    looks_back = not prose.rstrip().endswith(":") and (
        _SENTENCE.search(prose, 0, start) or _NAMED.search(prose, 0, start)
    )
    return bool(looks_back) or _OTHERS.search(prose, 0, start) is not None


class Count(NamedTuple):
    """An announced number of things, and its span in the text.

    `items` if only a list can follow, `things` if its items are not steps.
    """

    number: int
    start: int
    end: int
    items: bool = False
    things: bool = False


def find_counts(prose: Prose) -> Iterator[Count]:
    """Find the numbers of things that a text announces."""
    if _NUMERALS.isdisjoint(prose.lower().split()):
        return
    for match in _COUNT.finditer(prose):
        is_last = _ENDS.fullmatch(prose, match.end())
        is_known = match["down"].lower() in ("these", "those")
        if not is_known or (is_last and not _may_be_known(prose, match.start())):
            yield Count(_NUMBERS.get(match["count"].lower()) or int(match["count"]), *match.span("count"))
            return
    value = _ANNOUNCED.search(prose) if prose.rstrip().endswith(":") else None
    if value and (_FOLLOWING.search(prose, value.end("count")) or _SUBORDINATE.search(prose[: value.start()])):
        return  # `two ways that meet the following conditions:`
    if value and value["noun"].lower() not in _UNITS and not _ANOTHER.search(prose, value.end("count")):
        needs = value["needs"] is not None
        yield Count(_NUMBERS[value["count"].lower()], *value.span("count"), items=True, things=needs)
