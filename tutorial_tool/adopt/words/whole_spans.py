"""Expand differences that split a unit: a URL, a link, code, a menu item, a word.

An author who edits `platforms.yaml` writes whole units. A unit that differs only in its platform's names is not
expanded: `https://example.com/{{ platform.id }}/start` needs no value at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from tutorial_tool.adopt.words.pieces import Vector, is_name, join_pieces
from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import Expression
from tutorial_tool.spelling.ui_strings import MAX_LABEL

Span = tuple[int, int]
_WHOLE_PATTERNS = (
    lazy_re.compile(r"((?:https?|ftp)://[^\s<>()\[\]{}\"'`|]*[^\s<>()\[\]{}\"'`|.,;:!?])"),
    lazy_re.compile(rf"`([^`\n]{{1,{MAX_LABEL}}})`"),
    Expression(r"([@#]?[\w]+(?:[-.:@+'’]+[\w]+)+)"),
    lazy_re.compile(r"(\d{1,3}(?:,\d{3})+)(?!\d)"),
    lazy_re.compile(rf"(?<!\balt)(?<!\btitle)=\"([^\"\n/]{{1,{MAX_LABEL}}})\""),
)
"""URLs, code, hyphenated and similar words, long numbers, and tag attributes that are neither paths nor prose."""
_LINK = lazy_re.compile(r"\[[^\[\]\n]*(\]\()[^()\s]*\)")
_BETWEEN = lazy_re.compile(r"[ \t]+(?:[>›→][ \t]*)?")  # A space or a menu arrow, between merged differences
_UPWARDS = lazy_re.compile(r"/?\.[./]*")
_BOLD = lazy_re.compile(rf"\*\*([^*\n]{{1,{MAX_LABEL}}})\*\*")
_ITEM = lazy_re.compile(r"[^\s>›→](?:[^>›→]*[^\s>›→])?")


def expand_differences(pieces: Sequence[str | Vector]) -> list[str | Vector]:
    """Return the pieces, common texts and differences, with differences expanded to whole units."""
    if len(pieces) == 1 or all(isinstance(piece, str) for piece in pieces):
        return list(pieces)
    return _join_adjacent(list(_PieceScale(pieces).cut()))


def _join_adjacent(pieces: Sequence[str | Vector]) -> list[str | Vector]:
    """Return the pieces, merging differences with only a space or a menu arrow between them."""
    out: list[str | Vector] = []
    for piece in pieces:
        if _can_join(out, piece):
            *out, slot, between = out
            out.append(join_pieces([slot, between, piece]))
        else:
            out.append(piece)
    return out


def _can_join(before: Sequence[str | Vector], piece: str | Vector) -> bool:
    if isinstance(piece, str) or len(before) < 2 or not isinstance(before[-1], str) or isinstance(before[-2], str):
        return False
    return _BETWEEN.fullmatch(before[-1]) is not None and not is_name(before[-2]) and not is_name(piece)


def _split_names(vector: Vector) -> list[str | Vector]:
    """Return a difference as its platforms' IDs and the text around these, if that is the same on all platforms."""
    parts = [re.split(f"({re.escape(platform)})", text, flags=re.IGNORECASE) for platform, text in vector]
    if len({tuple(part[::2]) for part in parts}) > 1 or len(parts[0]) == 1:
        return [vector]
    ids = [platform for platform, _ in vector]
    out = [tuple(zip(ids, own, strict=True)) if at % 2 else own[0] for at, own in enumerate(zip(*parts, strict=True))]
    return list(filter(None, out))


class _PieceScale:
    """Pieces on a scale where common text has its length in characters, and a difference has 1."""

    def __init__(self, pieces: Sequence[str | Vector]) -> None:
        self.pieces = pieces
        self.ends = list(accumulate(len(piece) if isinstance(piece, str) else 1 for piece in pieces))

    def cut(self) -> Iterator[str | Vector]:
        previous_end = 0
        for start, end in self._find_regions():
            yield from self._get_pieces(previous_end, start)
            inside = list(self._get_pieces(start, end))
            are_names = all(isinstance(piece, str) or is_name(piece) for piece in inside)
            yield from inside if are_names else _split_names(join_pieces(inside))
            previous_end = end
        yield from self._get_pieces(previous_end, self.ends[-1])

    def _find_regions(self) -> list[Span]:
        """Return the ranges of differences, each with the units that it is part of."""
        ends = (end for piece, end in zip(self.pieces, self.ends, strict=True) if not isinstance(piece, str))
        slots = [(end - 1, end) for end in ends]
        out: list[Span] = []
        for start, end in sorted([*slots, *self._find_wholes()]):
            if out and start < out[-1][1]:
                out[-1] = out[-1][0], max(end, out[-1][1])
            else:
                out.append((start, end))
        starts = [start for start, _ in slots]
        return [(start, end) for start, end in out if bisect_left(starts, start) < bisect_left(starts, end)]

    def _find_wholes(self) -> Iterator[Span]:
        """Yield the units in all platforms' texts."""
        slot = next(piece for piece in self.pieces if not isinstance(piece, str))
        for number in range(len(slot)):
            texts = [piece if isinstance(piece, str) else piece[number][1] for piece in self.pieces]
            ends = list(accumulate(map(len, texts)))
            spans = ((piece, end - len(text), end) for piece, text, end in zip(self.pieces, texts, ends, strict=True))
            slots = [(start, end) for piece, start, end in spans if not isinstance(piece, str)]
            for start, end in _find_wholes("".join(texts), slots):
                first, last = bisect_right(ends, start), bisect_left(ends, end)
                yield (
                    self._get_offset(first, start - ends[first] + len(texts[first]), 0),
                    self._get_offset(last, end - ends[last] + len(texts[last]), 1),
                )

    def _get_offset(self, piece: int, offset: int, side: int) -> int:
        """Return an offset on the scale: inside of a common text, or at one side of a difference."""
        text = self.pieces[piece]
        size = len(text) if isinstance(text, str) else 1
        return self.ends[piece] - size + (offset if isinstance(text, str) else side)

    def _get_pieces(self, start: int, end: int) -> Iterator[str | Vector]:
        for piece, last in zip(self.pieces, self.ends, strict=True):
            first = last - (len(piece) if isinstance(piece, str) else 1)
            if first < end and start < last:
                yield piece[max(start - first, 0) : end - first] if isinstance(piece, str) else piece


def _find_wholes(text: str, slots: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of units in a text whose differences are `slots`."""
    for pattern in _WHOLE_PATTERNS:
        for match in pattern.finditer(text):
            yield match.span(1)
    for bold in _BOLD.finditer(text):
        start, end = bold.span(1)
        if sum(start <= slot[0] and slot[1] <= end for slot in slots) > 1:
            yield start, end
        for item in _ITEM.finditer(text, start, end):
            yield item.span()
    yield from _find_crossed_links(text, slots)


def _find_crossed_links(text: str, slots: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of links that differences split, and of a link's URL if one in it is only dots and slashes."""
    for link in _LINK.finditer(text):
        target = (link.end(1), link.end() - 1)
        if any(target[0] <= start < end <= target[1] and _UPWARDS.fullmatch(text, start, end) for start, end in slots):
            yield target
        characters = (link.start(), link.start(1), link.end() - 1)
        if any(0 < sum(start <= offset < end for offset in characters) < len(characters) for start, end in slots):
            yield link.span()
