"""The variants of a step side by side, as rows that a terminal or a page shows."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from rapidfuzz import fuzz

from tutorial_tool.variants import Step

Stretch = tuple[int, int]  # Characters of a cell's text: start, end


class Kind(enum.StrEnum):
    """How the cells of a row are to each other."""

    SAME = "same"
    MASKED = "masked"
    """They say the same: all that differs is each platform's own, as `lint` sees it, or markup."""
    INTENDED = "intended"  # They differ, and the data says why
    DIFFERENT = "different"
    MISSING = "missing"  # Some variants lack it


class Own(NamedTuple):
    """A stretch of a cell that is the platform's own; `kind` is name, code, path or number."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Cell:
    """What one variant has in a row. `owned` is the platform's own, `marks` are stretches that others lack.

    `key` is the text with what is its own masked, `line` where it stands in the page, from 1.
    """

    text: str
    key: str
    line: int
    owned: tuple[Own, ...] = ()
    marks: tuple[Stretch, ...] = ()

    @property
    def own(self) -> tuple[Stretch, ...]:
        """Where the platform's own is."""
        return tuple((own.start, own.end) for own in self.owned)


@dataclass(frozen=True)
class Row:
    """One part of the step as the variants have it; one that lacks it has no cell.

    `part` is heading, sentence, aside, alt, image, code, columns, row or meta; `level` that of a heading; `reason` what
    the data says of an intended difference.
    """

    part: str
    kind: Kind
    cells: Mapping[str, Cell]
    level: int = 0
    reason: str = ""

    @property
    def weighs(self) -> int:
        """How much the row counts when likeness is told: what is the platform's own anyway does not."""
        return 0 if self.part in ("code", "image") else max(len(cell.text) for cell in self.cells.values())


@dataclass(frozen=True, eq=False)
class Comparison:
    """A step, part beside part."""

    step: Step
    rows: tuple[Row, ...]

    @property
    def differs(self) -> bool:
        """Whether something differs that is not the platforms' own."""
        return any(row.kind in (Kind.DIFFERENT, Kind.MISSING) for row in self.rows)

    def count(self, kind: Kind) -> int:
        """How many rows are of a kind."""
        return sum(row.kind is kind for row in self.rows)

    @cached_property
    def likeness(self) -> Mapping[str, float]:
        """How much of its text each variant shares with the others, from 0 to 1: the mean over the others.

        What is the platforms' own counts as shared, and code and images are left out.
        """
        pairs: dict[str, list[float]] = {name: [] for name in self.step.pages}
        for text, other in combinations(self.step.pages, 2):
            alike = self._alike(text, other)
            pairs[text].append(alike)
            pairs[other].append(alike)
        return {name: sum(values) / len(values) for name, values in pairs.items()}

    def _alike(self, text: str, other: str) -> float:
        shared = total = 0.0
        for row in self.rows:
            left, right = row.cells.get(text), row.cells.get(other)
            if left or right:
                total += row.weighs
            if left and right:
                equal = row.kind in (Kind.MASKED, Kind.INTENDED) or left.key == right.key
                shared += row.weighs * (1.0 if equal else fuzz.ratio(left.key, right.key) / 100)
        return shared / total if total else 1.0
