"""Differences that a person would not take apart are one: words with a space, or an arrow, between them."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.adopt.words.pieces import Vector, is_name, join_pieces
from tutorial_tool.core import lazy_re

_BETWEEN = lazy_re.compile(r"[ \t]+(?:[>›→][ \t]*)?")
"""What may separate two differences that are merged: a space, or a menu arrow."""


def join_adjacent(pieces: Sequence[str | Vector]) -> list[str | Vector]:
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
