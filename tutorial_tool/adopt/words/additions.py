"""What only some platforms add to a value is a part of it: `3.6%` and `3.6% + 40 cents`, `?` and `$1`, `$2` in code."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.adopt.words.pieces import Vector, one
from tutorial_tool.core import lazy_re

_SIGNS = ("`", "**")
"""What may close a value that something is added to."""
_AMOUNT = lazy_re.compile(r"(?:^|(?<=[\s(|]))[^\s\w(|`*]?\d[\d.,]*[^\s\w|`*]?[ \t]?\Z")
"""An amount at the end of a text: `3.6%`, `$20 `."""
_DIGIT = lazy_re.compile(r"\d")


def taken_in(pieces: Sequence[str | Vector]) -> list[str | Vector]:
    """The pieces, common texts and differences; what is added to a value or an amount is one difference with it."""
    out: list[str | Vector] = []
    for piece in pieces:
        if isinstance(piece, str) or not _is_addition(piece):
            out.append(piece)
        else:
            out += _with_marked(out, piece) or _with_amount(out, piece) or [piece]
    return [piece for piece in out if piece]


def _is_addition(vector: Vector) -> bool:
    return len({bool(text) for _, text in vector}) > 1


def _with_marked(before: list[str | Vector], piece: Vector) -> list[str | Vector] | None:
    """An addition with the code or bold text that it stands behind, if that differs; it is taken out of the pieces."""
    if len(before) < 3 or before[-1] not in _SIGNS or not isinstance(opening := before[-3], str):
        return None
    sign, value = str(before[-1]), before[-2]
    if isinstance(value, str) or not opening.endswith(sign) or opening.count(sign) % 2 == 0:
        return None
    before[-3:] = []
    return [opening.removesuffix(sign), one([sign, value, sign, piece])]


def _with_amount(before: list[str | Vector], piece: Vector) -> list[str | Vector] | None:
    """An addition of an amount with the one before it, which is taken out of the pieces."""
    text = before[-1] if before else None
    if not isinstance(text, str) or text.count("`") % 2 or not any(_DIGIT.search(own) for _, own in piece):
        return None
    if (match := _AMOUNT.search(text)) is None:
        return None
    before.pop()
    return [text[: match.start()], one([match[0], piece])]
