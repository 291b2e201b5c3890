"""How wide a text is drawn, estimated, and where its lines break: an SVG breaks no lines itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from tutorial_tool.core import lazy_re

_THIN = frozenset("ijlI.,:;'’|!·` ")
_NARROW = frozenset('frt()[]{}/\\-"')
_BROAD = frozenset("mwMW@%—…→")
_PIECE = lazy_re.compile(r"\S+?(?:[-/](?=\w)|(?=\s)|$)|\s+")


def width(text: str, size: float = 14) -> float:
    """The width of a text in a system's sans-serif font of that size, in pixels: a little more than most fonts take."""
    return sum(map(_em, text)) * size


def _em(character: str) -> float:
    if character in _THIN:
        return 0.36
    if character in _NARROW:
        return 0.45
    if character in _BROAD:
        return 0.95
    if unicodedata.east_asian_width(character) in "WF":
        return 1.02
    if unicodedata.combining(character):
        return 0.0
    return 0.7 if character.isupper() else 0.58


@lru_cache(maxsize=10_000)
def wrap(text: str, wide: float, size: float = 14) -> tuple[str, ...]:
    """The text in lines no wider than `wide` pixels: broken at spaces, after - and /, else inside of a long word."""
    lines = [""]
    for piece in _pieces(text, wide, size):
        if lines[-1] and width(lines[-1] + piece.rstrip(), size) > wide:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return tuple(line.rstrip() for line in lines)


def _pieces(text: str, wide: float, size: float) -> Iterator[str]:
    """What may stand on a line: words, parts of words with a hyphen, parts of those that are wider than a line."""
    for piece in _PIECE.findall(text):
        start = 0
        for end in range(1, len(piece) + 1):
            if end - start > 1 and width(piece[start:end], size) > wide:
                yield piece[start : end - 1]
                start = end - 1
        yield piece[start:]
