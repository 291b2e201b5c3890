"""Measure how much copies share, and how much of it is written once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column, align_lines
from tutorial_tool.adopt.words import expand_pieces


@dataclass(frozen=True)
class Overlap:
    """The size of a set of copies, in characters. `common` is the text shared by all, counted once."""

    total: int
    common: int
    copies: int
    bytes: int = 0

    @property
    def ratio(self) -> float:
        """The share of an average copy that all others have, too, from 0 to 1."""
        return self.common * self.copies / self.total if self.total else 0.0


def compute_overlap(copy_set: CopySet, aligned: Sequence[Column]) -> Overlap:
    own = copy_set.copies.values()
    size = sum(len(copy.source.raw.encode()) for copy in own)
    return Overlap(sum(len(copy.text) for copy in own), sum(_count_common(aligned, len(own))), len(own), size)


def _count_common(aligned: Sequence[Column], copies: int) -> Iterator[int]:
    for column in aligned:
        if len(column) < copies:
            continue
        texts = {platform: unit.text for platform, unit in column.items()}
        if len(set(texts.values())) == 1:
            yield len(next(iter(texts.values())))
        elif {unit.kind for unit in column.values()} & {"table", "fence"}:
            yield from _count_common(align_lines(column), copies)
        else:
            yield sum(len(piece) for piece in expand_pieces(texts) if isinstance(piece, str))
