"""Compare two texts word by word."""

from __future__ import annotations

from typing import NamedTuple

from rapidfuzz.distance import Indel

from tutorial_tool.core import lazy_re

_TOKEN = lazy_re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")
_MOST = 4000  # Maximum tokens of a text to compare word by word


class WordPiece(NamedTuple):
    """A piece of one or both texts: `how` is same, old or new."""

    how: str
    text: str


def split_pieces(old: str, new: str) -> list[WordPiece]:
    """Split two texts into pieces that are equal or differ, in order: old before new."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    if len(a) > _MOST or len(b) > _MOST:
        return [WordPiece("old", old), WordPiece("new", new)]
    out: list[WordPiece] = []
    for op in Indel.opcodes(a, b):
        if op.tag == "equal":
            out.append(WordPiece("same", "".join(a[op.src_start : op.src_end])))
        else:
            out.append(WordPiece("old", "".join(a[op.src_start : op.src_end])))
            out.append(WordPiece("new", "".join(b[op.dest_start : op.dest_end])))
    return _join_changes([piece for piece in out if piece.text])


def _join_changes(matches: list[WordPiece]) -> list[WordPiece]:
    """Join changes that are separated only by spaces into one piece."""
    out: list[WordPiece] = []
    old = new = ""
    for index, piece in enumerate(matches):
        between = piece.how == "same" and not piece.text.strip() and 0 < index < len(matches) - 1 and (old or new)
        if piece.how == "same" and not between:
            out += _build_pieces(old, new)
            out.append(piece)
            old = new = ""
        else:
            old += piece.text if piece.how != "new" else ""
            new += piece.text if piece.how != "old" else ""
    return out + _build_pieces(old, new)


def _build_pieces(old: str, new: str) -> list[WordPiece]:
    """Build the pieces of a change, with common leading and trailing spaces separate."""
    if not old and not new:
        return []
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start] and old[start].isspace():
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end] and old[-1 - end].isspace():
        end += 1
    value = [
        WordPiece("same", new[:start]),
        WordPiece("old", old[start : len(old) - end]),
        WordPiece("new", new[start : len(new) - end]),
        WordPiece("same", new[len(new) - end :] if end else ""),
    ]
    return [piece for piece in value if piece.text]


def find_first_difference(old: str, new: str) -> int:
    """Return the offset in the new text of the first word that differs."""
    at = 0
    for piece in split_pieces(old, new):
        if piece.how == "new":
            return at
        if piece.how == "old":
            return min(at, max(len(new) - 1, 0))
        at += len(piece.text)
    return 0
