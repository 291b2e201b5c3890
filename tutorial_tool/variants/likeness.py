"""How alike pages are: the share of their sentences, lines and cells that they have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary
from zlib import adler32, crc32

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.variants import paths

_FRONT_MATTER = lazy_re.compile(r"\A(---|\+\+\+)[ \t]*\n.*?\n\1[ \t]*\n", re.DOTALL)
_GAP = (
    r"\s(?:"  # the first character of a match, as in all of these: far from all places are looked at
    r"(?<=\n)(?:"
    r"[ \t>]*\n"  # a blank line
    r"|(?=[ \t>]*(?:[-*+]|\d+[.)])[ \t])"  # a list item begins
    r"|(?=[ \t]*[#|<`~!:]))"  # a line of its own: heading, table row, tag, fence, picture
    r"|(?<=[.!?:;]\s)\s*(?=[A-Z*`\[_\"(<])"  # a sentence ends
    r"|(?<=[>`|]\n))"
)
_UNIT = lazy_re.compile(_GAP)
_WIDE = "。！？"
"""What ends sentences that no blank follows."""
_WIDE_UNIT = lazy_re.compile(rf"{_GAP}|(?<=[{_WIDE}])(?![」』）】”’)\]{_WIDE}\s])")
_EDGE = " \t\n>|#*-+_.:0123456789)("
_SHARED_BY = 40
"""A text that more pages have says nothing about any two of them."""
_WORDS, _END, _TRIED = 6, 3, 8
"""Words of a text that another one may have but for one; those of its begin and end, of which one is the same then;
texts that are tried for it."""
MASKED = "\ufffc"
"""Stands for a page's own name."""
_FEWEST = 2
"""Texts of a page that is long enough to be compared at all."""
_LENGTH = 12
"""Characters of a text that tells something: shorter ones stand anywhere."""


def lowered(text: str) -> str:
    """The body of a page as lines, one for each sentence, heading and row, in lower case."""
    body = _FRONT_MATTER.sub("", text)
    pattern = _WIDE_UNIT if any(sign in body for sign in _WIDE) else _UNIT
    units = (" ".join(unit.split()).strip(_EDGE) for unit in pattern.split(body))
    return "\n".join(unit.lower() for unit in units if unit)


def units_of(lower: str) -> frozenset[int]:
    """The hashes of lines that tell something, the same in each run: where two lines share one, they are compared."""
    lines = (line.encode("utf-8", "surrogatepass") for line in lower.split("\n") if _tells(line))
    return frozenset(crc32(line) << 32 | adler32(line) for line in lines)


def _tells(line: str) -> bool:
    """Whether a line is long enough; of scripts without blanks, a letter says as much as two."""
    return len(line) >= _LENGTH or (2 * len(line) >= _LENGTH and len(line) + scripts.letters(line) >= _LENGTH)


class Pair(NamedTuple):
    """The likeness of two pages, from 0 to 1, and how many of their texts are alike but for the names of the two.

    `drifted` is the likeness where texts that differ in one word are alike, too.
    """

    weight: float
    named: int
    drifted: float


class Look:
    """A page as discovery sees it: cheaply, without a parser."""

    def __init__(self, path: str, text: str, units: frozenset[int] | None = None) -> None:
        self.path, self.text = path, text
        self.units = units_of(self.lower) if units is None else units

    @cached_property
    def lower(self) -> str:
        """The body as lines."""
        return lowered(self.text)

    @cached_property
    def pairs(self) -> WeakKeyDictionary[Look, Pair]:
        """How like others it is, as far as that has been asked: as long as both stay, that is so."""
        return WeakKeyDictionary()

    def rest(self) -> None:
        """Forgets its lines, which are long, until they are asked for again."""
        vars(self).pop("lower", None)

    def masked(self, slugs: Iterable[str]) -> Counter[str]:
        """Its units with its own names masked."""
        text = self.lower
        for slug in sorted(slugs, key=len, reverse=True):
            text = _mask(text, slug.lower())
        return Counter(text.split("\n"))


def masked(text: str, slugs: Iterable[str]) -> str:
    """The words of a text in lower case, without marks, some names masked."""
    lower = text.lower()
    for slug in sorted(slugs, key=len, reverse=True):
        lower = _mask(lower, slug.lower())
    return " ".join(re.findall(rf"[\w{MASKED}]+", lower))


def _mask(text: str, slug: str) -> str:
    words = paths.tokens(slug)
    spaced = r"[-_ .]?".join(map(re.escape, words))
    if not words or words[0] not in text:
        return text
    return re.sub(rf"(?<![a-z0-9]){spaced}(?![a-z])", MASKED, text)


def similarity(left: Counter[str], right: Counter[str]) -> float:
    """The share of units that two pages have in common, from 0 to 1 (Dice's coefficient over multisets)."""
    size = left.total() + right.total()
    if not size:
        return 0.0
    small, large = (left, right) if len(left) < len(right) else (right, left)
    return 2 * sum(min(count, large[unit]) for unit, count in small.items() if unit in large) / size


def drifted_similarity(left: Counter[str], right: Counter[str]) -> float:
    """The same, where texts that differ in one word are alike, too: what an edit leaves that reached one copy only.

    Not where several differ in the same word: that is what the pages are about.
    """
    mine, theirs = (_long(some - others) for some, others in ((left, right), (right, left)))
    ends: dict[tuple[str, ...], list[int]] = {}
    for number, words in enumerate(theirs):
        for end in (tuple(words[:_END]), tuple(words[-_END:])):
            ends.setdefault(end, []).append(number)
    taken: set[int] = set()
    slips: Counter[tuple[str, str]] = Counter()
    for words in mine:
        tried = (*ends.get(tuple(words[:_END]), ())[:_TRIED], *ends.get(tuple(words[-_END:]), ())[:_TRIED])
        found = ((number, _slip(words, theirs[number])) for number in tried if number not in taken)
        if (pair := next((pair for pair in found if pair[1]), None)) and pair[1]:
            taken.add(pair[0])
            slips[pair[1]] += 1
    near = sum(count == 1 for count in slips.values())
    return similarity(left, right) + 2 * near / max(1, left.total() + right.total())


def _long(texts: Iterable[str]) -> list[list[str]]:
    """The words of those texts that have many."""
    return [words for words in map(str.split, texts) if len(words) >= _WORDS]


def _slip(left: Sequence[str], right: Sequence[str]) -> tuple[str, str] | None:
    """The word that one text has for that of the other, if they differ in one; "" for one that it lacks."""
    short = min(len(left), len(right))
    start = next((at for at in range(short) if left[at] != right[at]), short)
    end = next((at for at in range(short - start) if left[-1 - at] != right[-1 - at]), short - start)
    mine, theirs = left[start : len(left) - end], right[start : len(right) - end]
    return ("".join(mine), "".join(theirs)) if len(mine) <= 1 and len(theirs) <= 1 else None


def neighbours(looks: Sequence[Look]) -> Iterator[tuple[int, int, int]]:
    """The pairs of pages that share rare texts, with the number of these: (left, right, shared).

    Work grows with the number of texts: one that more than 40 pages have is passed over.
    """
    holders: dict[int, list[int]] = {}
    for number, look in enumerate(looks):
        for unit in look.units if len(look.units) >= _FEWEST else ():
            holders.setdefault(unit, []).append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for pages in holders.values():
        if 1 < len(pages) <= _SHARED_BY:
            shared.update((a, b) for at, a in enumerate(pages) for b in pages[at + 1 :])
    return ((a, b, count) for (a, b), count in shared.items())
