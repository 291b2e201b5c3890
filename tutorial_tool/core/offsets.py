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
    by: int = 0

    def get_page_offset(self, offset: int) -> int | None:
        pieces = self.pieces
        if not pieces:
            return None
        offset += self.by
        index = bisect_right(pieces, offset, key=_get_content_start) - 1 if len(pieces) > 1 else 0
        content, page, length = pieces[max(index, 0)]
        at = offset - content
        return page + (at if 0 <= at <= length else length if at > 0 else 0)

    def split_pieces(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the bounds of a stretch of content, cut where it is not contiguous in the page."""
        first = bisect_right(self.pieces, low + self.by, key=_get_content_start)
        last = bisect_right(self.pieces, high + self.by - 1, key=_get_content_start)
        yield from pairwise([low, *(content - self.by for content, _, _ in self.pieces[first:last]), high])

    def shift_start(self, by: int) -> Offsets:
        """Return the same for a part of the content that starts at `by`."""
        return Offsets(self.pieces, self.start, self.end, self.by + by)


def _get_content_start(piece: tuple[int, int, int]) -> int:
    return piece[0]


def build_cell_offsets(text: str, start: int, end: int, content: str) -> Offsets:
    """Return the offsets of a cell from `start` to `end`: an escaped pipe is one character of its content."""
    raw = text[start:end]
    if raw == content:
        return Offsets([(0, start, len(raw))], start, end)
    pieces: list[tuple[int, int, int]] = []
    at = 0
    for part in re.split(r"\\(?=\|)", raw):
        pieces.append((at, start + (len(pieces) + at), len(part)))
        at += len(part)
    return Offsets(pieces if raw.replace("\\|", "|") == content else [], start, end)
