"""What texts of several platforms share, and what differs: the pieces of a line."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.adopt.resembling import resembles

Vector = tuple[tuple[str, str], ...]
"""What differs: platform and text, in the order of the platforms."""


def is_name(texts: Vector) -> bool:
    """Whether all texts are ways to write their platform's name."""
    return len({text for _, text in texts}) > 1 and all(resembles(text, platform) for platform, text in texts)


def one(pieces: Sequence[str | Vector]) -> Vector:
    """Pieces as one difference."""
    slot = next(piece for piece in pieces if not isinstance(piece, str))
    return tuple(
        (platform, "".join(piece if isinstance(piece, str) else piece[number][1] for piece in pieces))
        for number, (platform, _) in enumerate(slot)
    )
