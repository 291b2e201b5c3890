"""Compare two texts word by word."""

from __future__ import annotations

from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.similarity import MAX_TOKENS
from tutorial_tool.variation.multi_alignment import find_changed_runs

_TOKEN = lazy_re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")


class WordPiece(NamedTuple):
    """A piece of one or both texts: `how` is same, old or new."""

    how: str
    text: str


def split_pieces(old: str, new: str) -> list[WordPiece]:
    """Split two texts into pieces that are equal or differ, in order: old before new."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    if len(a) > MAX_TOKENS or len(b) > MAX_TOKENS:
        return [WordPiece("old", old), WordPiece("new", new)]
    out: list[WordPiece] = []
    copied_until = 0
    for i, j, k, m in find_changed_runs(a, b, over_blanks=True):
        out += [WordPiece("same", "".join(a[copied_until:i])), *_build_pieces("".join(a[i:j]), "".join(b[k:m]))]
        copied_until = j
    return [piece for piece in (*out, WordPiece("same", "".join(a[copied_until:]))) if piece.text]


def _build_pieces(old: str, new: str) -> list[WordPiece]:
    """Build the pieces of a change, with common leading and trailing spaces separate; some may be empty."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start] and old[start].isspace():
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end] and old[-1 - end].isspace():
        end += 1
    return [
        WordPiece("same", new[:start]),
        WordPiece("old", old[start : len(old) - end]),
        WordPiece("new", new[start : len(new) - end]),
        WordPiece("same", new[len(new) - end :] if end else ""),
    ]


def find_first_difference(old: str, new: str) -> int:
    """Return the offset in the new text of the first word that differs."""
    offset = 0
    for piece in split_pieces(old, new):
        if piece.how == "new":
            return offset
        if piece.how == "old":
            return min(offset, max(len(new) - 1, 0))
        offset += len(piece.text)
    return 0
