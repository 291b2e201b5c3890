"""How much copies share, and how much of it is written once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column, columns
from tutorial_tool.adopt.lines.units import expanded
from tutorial_tool.adopt.words import unjoined


@dataclass(frozen=True)
class Shares:
    """Characters of a set of copies. `common` is what all have, once."""

    total: int
    common: int
    copies: int
    bytes: int = 0

    @property
    def share(self) -> float:
        """The part of a copy, on average, that all others have, too: 0 to 1."""
        return self.common * self.copies / self.total if self.total else 0.0


def shares(copies: CopySet, aligned: Sequence[Column]) -> Shares:
    own = copies.copies.values()
    size = sum(len(copy.source.raw.encode()) for copy in own)
    return Shares(sum(len(copy.text) for copy in own), sum(_common(aligned, len(own))), len(own), size)


def _common(aligned: Sequence[Column], copies: int) -> Iterator[int]:
    for column in aligned:
        if len(column) < copies:
            continue
        texts = {platform: unit.text for platform, unit in column.items()}
        if len(set(texts.values())) == 1:
            yield len(next(iter(texts.values())))
        elif {unit.kind for unit in column.values()} & {"table", "fence"}:
            yield from _common(columns({platform: expanded(unit) for platform, unit in column.items()}), copies)
        else:
            yield sum(len(piece) for piece in unjoined(texts) if isinstance(piece, str))
