"""Text of a page that maps its characters to offsets in the page."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from tutorial_tool.core import lazy_re

if TYPE_CHECKING:
    from tutorial_tool.markdown.parser import Block

MASK = "\ufffc"  # Replaces what is not prose: code, an image, a macro, a URL
_SPACED = lazy_re.compile(r"\S+")  # A run without white space
_Piece = tuple[int, int, int, bool]
"""A part of a prose text: its start there, its span in the page, and whether characters map one to one."""
Location = tuple[str, tuple[_Piece, ...] | int]
"""The kind of a text, and its start in the page if all characters map one to one, as in most texts; else its parts."""
Part = tuple[str, int, int]  # A readable text, and its span in the page


class Range(NamedTuple):
    """A span of a page's text, in characters; `end` is exclusive."""

    start: int
    end: int

    def overlaps(self, start: int, end: int) -> bool:
        """Return whether this span shares a character with another."""
        return self.start < end and start < self.end


class LocatedText(str):
    """A text of a page that maps its characters to offsets there, with the kind of text."""

    __slots__ = ("_pieces", "kind")
    _pieces: tuple[_Piece, ...] | int
    kind: str

    @property
    def location(self) -> Location:
        """Where the text is, without a reference to its block."""
        return self.kind, self._pieces

    def __reduce__(self) -> tuple[Any, ...]:
        return build_located_text, (str(self), self.location)

    def locate(self, start: int | re.Match[str], end: int | None = None) -> Range:
        """Return the page span of a match, or of the characters from `start` to `end`."""
        if isinstance(start, re.Match):
            start, end = start.span()
        end = start if end is None else end
        if isinstance(self._pieces, int):
            return Range(self._pieces + start, self._pieces + max(start, end))
        at, page, _, aligned = _get_piece(self._pieces, start)
        low = page + start - at if aligned else page
        if end <= start:
            return Range(low, low)
        at, page, page_end, aligned = _get_piece(self._pieces, end - 1)
        return Range(low, page + end - at if aligned else page_end)

    def build_edit(self, start: int, end: int, better: str) -> tuple[int, int, str] | None:
        """Return the page edit that replaces the characters from `start` to `end` without removing markup.

        Where the span contains markup, only the changed words are written; None if these contain markup, too.
        """
        place = self.locate(start, end)
        if place.end - place.start == end - start:
            return (*place, better)
        old, new = [match.span() for match in _SPACED.finditer(self, start, end)], better.split()
        for at in (0, -1):
            while old and new and self[slice(*old[at])] == new[at]:
                del old[at], new[at]
        if not old or not new or (old[0][0], old[-1][1]) == (start, end):
            return None
        return self.build_edit(old[0][0], old[-1][1], " ".join(new))

    @property
    def start(self) -> int:
        """The start offset in the page's text."""
        return self._pieces if isinstance(self._pieces, int) else self._pieces[0][1]

    @property
    def place(self) -> Range:
        """The span of the whole text."""
        return self.locate(0, len(self))


def build_located_text(text: str, location: Location) -> LocatedText:
    """Return the text at a location."""
    self = LocatedText(text)
    self.kind, self._pieces = location
    return self


class Prose(LocatedText):
    """The readable text of one paragraph, heading, cell, alt text and so on.

    Emphasis and links are transparent; code, images and macros are one `MASK` each; line breaks are newline characters.
    Kinds: heading, paragraph, item, quote, cell, title, alt, html, link.
    """

    __slots__ = ("block",)
    block: Block

    @classmethod
    def from_parts(cls, parts: Sequence[Part], kind: str, block: Block) -> Prose:
        """Build prose from (text, start, end) parts.

        A part as long as its span maps to the page character by character; any other maps to its span as a whole.
        """
        if len(parts) == 1 and len(parts[0][0]) == parts[0][2] - parts[0][1] > 0:
            self = cls(parts[0][0])
            self._pieces, self.kind, self.block = parts[0][1], kind, block
            return self
        pieces: list[_Piece] = []
        at = 0
        for text, start, end in parts:
            if text:
                pieces.append((at, start, end, len(text) == end - start))
                at += len(text)
        self = cls("".join([part[0] for part in parts]))
        self._pieces = tuple(pieces) or ((0, block.start, block.start, False),)
        self.kind, self.block = kind, block
        return self


def _get_piece(pieces: tuple[_Piece, ...], offset: int) -> _Piece:
    return pieces[max(bisect_right(pieces, offset, key=itemgetter(0)) - 1, 0)]


def trim_parts(parts: list[Part]) -> list[Part]:
    """Return the parts without leading and trailing white space."""
    first, last = 0, len(parts)
    while first < last and not parts[first][0].strip():
        first += 1
    while first < last and not parts[last - 1][0].strip():
        last -= 1
    out = parts[first:last]
    if out:
        text, start, end = out[0]
        low = len(text) - len(text.lstrip()) if len(text) == end - start else 0
        out[0] = text[low:], start + low, end
        text, start, end = out[-1]
        high = len(text.rstrip()) if len(text) == end - start else len(text)
        out[-1] = text[:high], start, end - (len(text) - high)
    return out
