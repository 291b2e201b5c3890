"""Differences take in the words beside them that a person would not take apart: words and spaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tutorial_tool.adopt.words.pieces import Vector, is_name, one
from tutorial_tool.core import lazy_re

_BETWEEN = lazy_re.compile(r"[ \t]+(?:[>›→][ \t]*)?")
"""What may stand between two differences that are one: a space, or the arrow of a menu."""
_FIRST = lazy_re.compile(r"\w+")
_LAST = lazy_re.compile(r"\w+\Z")


def with_words(pieces: Iterable[str | Vector]) -> list[str | Vector]:
    """The pieces; a difference that begins or ends with a space takes in the common word beside it."""
    out = list(pieces)
    for at, piece in enumerate(out):
        if isinstance(piece, str) or not _is_wording(piece):
            continue
        before, after = (out[at - 1] if at else ""), (out[at + 1] if at + 1 < len(out) else "")
        if _ends_in_space(piece, -1) and isinstance(after, str) and (word := _FIRST.match(after)):
            out[at], out[at + 1] = one([piece, word[0]]), after[word.end() :]
        elif _ends_in_space(piece, 0) and isinstance(before, str) and (word := _LAST.search(before)):
            out[at], out[at - 1] = one([word[0], piece]), before[: word.start()]
    return [piece for piece in out if piece]


def _is_wording(texts: Vector) -> bool:
    """Whether each platform has a text there, not the same, and not only white space."""
    values = {text for _, text in texts}
    return len(values) > 1 and "" not in values and any(map(str.strip, values))


def _ends_in_space(texts: Vector, side: int) -> bool:
    return any(text[side:][:1].isspace() for _, text in texts if text)


def joined(pieces: Sequence[str | Vector]) -> list[str | Vector]:
    """The pieces; differences that have nothing but a space, or an arrow of a menu, between them are one."""
    out: list[str | Vector] = []
    for piece in pieces:
        if _areone(out, piece):
            *out, slot, between = out
            out.append(one([slot, between, piece]))
        else:
            out.append(piece)
    return out


def _areone(before: Sequence[str | Vector], piece: str | Vector) -> bool:
    if isinstance(piece, str) or len(before) < 2 or not isinstance(before[-1], str) or isinstance(before[-2], str):
        return False
    return _BETWEEN.fullmatch(before[-1]) is not None and not is_name(before[-2]) and not is_name(piece)
