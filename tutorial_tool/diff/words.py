"""How one text became another, word by word."""

from __future__ import annotations

from typing import NamedTuple

from rapidfuzz.distance import Indel

from tutorial_tool.core import lazy_re

_TOKEN = lazy_re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")
_MOST = 4000  # Tokens of a text that is still compared word by word


class Piece(NamedTuple):
    """A stretch of both texts: `how` is same, old or new."""

    how: str
    text: str


def pieces(old: str, new: str) -> list[Piece]:
    """The stretches in which two texts agree and differ, in order: what went before what came."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    if len(a) > _MOST or len(b) > _MOST:
        return [Piece("old", old), Piece("new", new)]
    out: list[Piece] = []
    for op in Indel.opcodes(a, b):
        if op.tag == "equal":
            out.append(Piece("same", "".join(a[op.src_start : op.src_end])))
        else:
            out.append(Piece("old", "".join(a[op.src_start : op.src_end])))
            out.append(Piece("new", "".join(b[op.dest_start : op.dest_end])))
    return _joined([piece for piece in out if piece.text])


def _joined(matches: list[Piece]) -> list[Piece]:
    """Without the blanks that separate words which both changed: two words are told as one stretch."""
    out: list[Piece] = []
    old = new = ""
    for index, piece in enumerate(matches):
        between = piece.how == "same" and not piece.text.strip() and 0 < index < len(matches) - 1 and (old or new)
        if piece.how == "same" and not between:
            out += _both(old, new)
            out.append(piece)
            old = new = ""
        else:
            old += piece.text if piece.how != "new" else ""
            new += piece.text if piece.how != "old" else ""
    return out + _both(old, new)


def _both(old: str, new: str) -> list[Piece]:
    """What went and what came, the blanks that both begin or end with outside of them."""
    if not old and not new:
        return []
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start] and old[start].isspace():
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end] and old[-1 - end].isspace():
        end += 1
    value = [
        Piece("same", new[:start]),
        Piece("old", old[start : len(old) - end]),
        Piece("new", new[start : len(new) - end]),
        Piece("same", new[len(new) - end :] if end else ""),
    ]
    return [piece for piece in value if piece.text]


def first_difference(old: str, new: str) -> int:
    """The offset in the new text of the first word that differs."""
    at = 0
    for piece in pieces(old, new):
        if piece.how == "new":
            return at
        if piece.how == "old":
            return min(at, max(len(new) - 1, 0))
        at += len(piece.text)
    return 0
