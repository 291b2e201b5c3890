"""Map the content of a paragraph, heading or cell, as the Markdown library gets it, back to the page."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


@dataclass(slots=True)
class Offsets:
    """From an inline token's content to the page: (content start, page start, length) of each line."""

    pieces: list[tuple[int, int, int]]
    start: int
    end: int
    shift: int = 0

    def get_page_offset(self, offset: int) -> int | None:
        pieces = self.pieces
        if not pieces:
            return None
        offset += self.shift
        index = bisect_right(pieces, offset, key=_get_content_start) - 1 if len(pieces) > 1 else 0
        content, page, length = pieces[max(index, 0)]
        distance = offset - content
        return page + (distance if 0 <= distance <= length else length if distance > 0 else 0)

    def split_pieces(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the bounds of a stretch of content, cut where it is not contiguous in the page."""
        first = bisect_right(self.pieces, low + self.shift, key=_get_content_start)
        last = bisect_right(self.pieces, high + self.shift - 1, key=_get_content_start)
        yield from pairwise([low, *(content - self.shift for content, _, _ in self.pieces[first:last]), high])

    def shift_start(self, shift: int) -> Offsets:
        """Return the same for a part of the content that starts at `shift`."""
        return Offsets(self.pieces, self.start, self.end, self.shift + shift)


def _get_content_start(piece: tuple[int, int, int]) -> int:
    return piece[0]


def build_cell_offsets(text: str, start: int, end: int, content: str) -> Offsets:
    """Return the offsets of a cell from `start` to `end`, where `\\|` in the page is `|` in the content."""
    raw = text[start:end]
    if raw == content:
        return Offsets([(0, start, len(raw))], start, end)
    pieces: list[tuple[int, int, int]] = []
    content_offset = 0
    for part in re.split(r"\\(?=\|)", raw):
        pieces.append((content_offset, start + (len(pieces) + content_offset), len(part)))
        content_offset += len(part)
    return Offsets(pieces if raw.replace("\\|", "|") == content else [], start, end)
