"""The variants of a step next to each other, as rows for a terminal or a page."""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from rapidfuzz import fuzz

from tutorial_tool.core.time_budget import limit_time
from tutorial_tool.variants import Step

Stretch = tuple[int, int]  # Characters of a cell's text: start, end


class RowKind(enum.StrEnum):
    """How the cells of a row are related."""

    SAME = "same"
    MASKED = "masked"  # They differ only in platform-specific text, as in `lint`, or in markup
    INTENDED = "intended"  # They differ, and the data says why
    DIFFERENT = "different"
    MISSING = "missing"  # Some variants lack it


class OwnStretch(NamedTuple):
    """A platform-specific stretch of a cell; `kind` is name, code, path or number."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Cell:
    """The text of one variant in a row. `owned` is platform-specific, `marks` are stretches others lack.

    `key` is the text with platform-specific stretches masked, `line` its 1-based line in the page.
    """

    text: str
    key: str
    line: int
    owned: tuple[OwnStretch, ...] = ()
    marks: tuple[Stretch, ...] = ()

    @property
    def own_spans(self) -> tuple[Stretch, ...]:
        """The platform-specific spans."""
        return tuple((own.start, own.end) for own in self.owned)


@dataclass(frozen=True)
class Row:
    """One part of the step as the variants have it; a variant that lacks it has no cell.

    `part` is heading, sentence, aside, alt, image, code, columns, row or meta; `level` that of a heading; `reason` the
    data's reason for an intended difference.
    """

    part: str
    kind: RowKind
    cells: Mapping[str, Cell]
    level: int = 0
    reason: str = ""

    @property
    def weight(self) -> int:
        """The weight of the row for similarity: 0 for code and images, which are platform-specific anyway."""
        return 0 if self.part in ("code", "image") else max(len(cell.text) for cell in self.cells.values())


@dataclass(frozen=True, eq=False)
class Comparison:
    """A step, compared part by part."""

    step: Step
    rows: tuple[Row, ...]

    @property
    def has_differences(self) -> bool:
        """Whether there is a difference that is not platform-specific."""
        return any(row.kind in (RowKind.DIFFERENT, RowKind.MISSING) for row in self.rows)

    def count_rows(self, kind: RowKind) -> int:
        """Return how many rows are of a kind."""
        return sum(row.kind is kind for row in self.rows)

    @cached_property
    def similarity(self) -> Mapping[str, float]:
        """The share of its text that each variant has in common with the others, 0 to 1: the mean over these.

        Platform-specific text counts as shared, and code and images are left out.
        """
        with limit_time(f"comparing `{self.step.pattern}`"):
            shares = _SimilarityIndex(self)
            return {name: shares.compute_mean(name) for name in self.step.pages}


class _SimilarityIndex:
    """The share of text that variants have in common.

    Variants with the same rows are a crowd, and each text of a row is compared once with each other one: the cost of
    many variants depends on the number of distinct texts.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._rows, self._weights = comparison.rows, [row.weight for row in comparison.rows]
        self._rows_by_variant = {
            name: frozenset(index for index, row in enumerate(self._rows) if name in row.cells)
            for name in comparison.step.pages
        }
        self._crowd_sizes = Counter(self._rows_by_variant.values())
        self._texts: dict[tuple[int, frozenset[int]], Counter[str]] = defaultdict(Counter)
        for name, crowd in self._rows_by_variant.items():
            for index in crowd:
                self._texts[index, crowd][self._rows[index].cells[name].key] += 1
        self._shared = cache(self._compute_shared)

    def compute_mean(self, name: str) -> float:
        """Return the mean share of text, from 0 to 1, that a variant has in common with each of the others."""
        own_rows, share = self._rows_by_variant[name], -1.0
        for crowd, count in self._crowd_sizes.items():
            total = sum(self._weights[index] for index in own_rows | crowd)
            shared = sum(self._shared(index, self._rows[index].cells[name].key, crowd) for index in own_rows & crowd)
            share += shared / total if total else count
        return share / (len(self._rows_by_variant) - 1)

    def _compute_shared(self, index: int, key: str, crowd: frozenset[int]) -> float:
        """Return how much of a text in a row each variant of a crowd has in common with it, added up."""
        texts, row, weight = self._texts[index, crowd], self._rows[index], self._weights[index]
        if row.kind in (RowKind.MASKED, RowKind.INTENDED):
            return weight * texts.total()
        shares = (count * (1.0 if text == key else fuzz.ratio(text, key) / 100) for text, count in texts.items())
        return weight * sum(shares)
