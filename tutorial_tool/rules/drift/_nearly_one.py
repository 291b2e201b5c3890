"""Two copies that say nearly all in the same words: what one of them lacks may be lost, and not the other's own."""

from __future__ import annotations

from collections.abc import Sequence

from tutorial_tool.variation import SectionRow
from tutorial_tool.variation.wording import plain_words

_SENTENCES, _NEARLY = 8, 0.85
"""Sentences that two copies have alike, at least, and their share, where one that stands in one of them is missed."""


def are_nearly_one(sections: Sequence[SectionRow]) -> bool:
    """Whether two copies say the same in nearly all of their sentences, their own names aside."""
    rows = [row for section in sections for row in section.rows if next(iter(row.values())).kind == "sentence"]
    same = sum(len(row) == 2 and len({plain_words(unit.masked) for unit in row.values()}) == 1 for row in rows)
    return same >= max(_SENTENCES, _NEARLY * len(rows))
