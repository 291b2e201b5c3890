"""Find the edits of a page by line: rewritten lines, separate from added or removed ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from tutorial_tool.core.similarity import ALIKE, MAJORITY
from tutorial_tool.variation.multi_alignment import align_sequences, find_changed_runs

MIN_REWORDED_SIMILARITY = ALIKE / 100  # Minimum similarity of texts that differ only in a few words or in line breaks


class LineEdit(NamedTuple):
    """Old lines `start` to `end` become new lines `new_start` to `new_end` (0-based, end exclusive)."""

    start: int
    end: int
    new_start: int
    new_end: int

    @property
    def changes_count(self) -> bool:
        """Whether the number of lines changes."""
        return self.end - self.start != self.new_end - self.new_start


def get_first_line(edit: LineEdit, new: Sequence[str]) -> int:
    """Return the line (0-based) to report: the first nonblank new one or, for a deletion, the next one."""
    text = (line for line in range(edit.new_start, edit.new_end) if new[line].strip())
    return next(text, min(edit.new_start, max(len(new) - 1, 0)))


def find_edits(old: Sequence[str], new: Sequence[str]) -> Iterator[LineEdit]:
    """Yield the edits that turn the old lines into the new ones, in order."""
    for run in find_changed_runs(old, new):
        yield from _split_hunk(LineEdit._make(run), old, new)


def _split_hunk(hunk: LineEdit, old: Sequence[str], new: Sequence[str]) -> Iterator[LineEdit]:
    """Split a hunk into single rewritten lines, and what is added or removed between them."""
    before, after = old[hunk.start : hunk.end], new[hunk.new_start : hunk.new_end]
    if not before or not after or _is_rewrapped(before, after):
        yield hunk
        return
    rows = align_sequences(
        {"old": list(enumerate(before)), "new": list(enumerate(after))},
        lambda item: item[1].strip(),
        lambda left, right: fuzz.ratio(left[1].strip(), right[1].strip()) / 100,
        MAJORITY,
        MAJORITY,
    )
    i, k = hunk.start, hunk.new_start
    for row in rows:
        if len(row) == 1:
            continue
        index, new_index = hunk.start + row["old"][0], hunk.new_start + row["new"][0]
        if index < i or new_index < k:
            continue
        if (i, k) != (index, new_index):
            yield LineEdit(i, index, k, new_index)
        if old[index] != new[new_index]:
            yield LineEdit(index, index + 1, new_index, new_index + 1)
        i, k = index + 1, new_index + 1
    if (i, k) != (hunk.end, hunk.new_end):
        yield LineEdit(i, hunk.end, k, hunk.new_end)


def _is_rewrapped(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether the lines are one paragraph with other line breaks."""
    if len(before) == len(after) or not all(line.strip() for line in (*before, *after)):
        return False
    return fuzz.ratio(" ".join(before), " ".join(after)) / 100 >= MIN_REWORDED_SIMILARITY
