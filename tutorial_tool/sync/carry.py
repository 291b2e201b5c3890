"""Translate an edit of one variant to another: its location, its text, or the reason to skip it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz

from tutorial_tool import variation
from tutorial_tool.sync import blocks
from tutorial_tool.sync.edits import LineEdit, find_edits, get_first_line
from tutorial_tool.sync.merge import merge
from tutorial_tool.sync.variant_texts import EditExplainer, is_own_date
from tutorial_tool.variants import Variant
from tutorial_tool.variation.multi_alignment import align_sequences

if TYPE_CHECKING:
    from tutorial_tool.variation.model.exchange import Exchange

_HALF = "the rest of its block is not carried over"
_TAKEN = "another edit goes to the same place"


class CarriedEdit(NamedTuple):
    """Lines `start` to `end` of the sibling (0-based) become `lines`.

    `line` is the line of the edit in the edited page, 0-based as well.
    """

    start: int
    end: int
    lines: tuple[str, ...]
    line: int


class RejectedEdit(NamedTuple):
    """An edit that is skipped: its line in the edited page (0-based), and the reason."""

    line: int
    reason: str


@dataclass(frozen=True, eq=False)
class Carrier:
    """The translation of edits of a page, from `old` to `new`, to the sibling with the lines `other`.

    `other_variants` are the other variants of the step: a text that names one of them is about a difference.
    `languages` are those of both files, if they are code.
    """

    old: Sequence[str]
    new: Sequence[str]
    other: Sequence[str]
    exchange: Exchange
    other_variants: Sequence[Variant] = ()
    languages: tuple[str, str] = ("", "")

    def carry(self) -> Iterator[CarriedEdit | RejectedEdit]:
        """Yield the result of each edit, in order; none for edits that the sibling already has.

        An edit that opens or closes a block is skipped if the edit of its other end is; so are lines added to or
        removed from a code block if another edit of it is; so is a date if nothing else is applied.
        """
        results = {edit: self._carry(edit) for edit in find_edits(self.old, self.new)}
        carried = [edit for edit, result in results.items() if isinstance(result, CarriedEdit)]
        only_dates = all(map(is_own_date, map(self._get_old_text, carried)))
        reasons = dict.fromkeys(carried if only_dates else (), "the date is the page's own")
        left = {edit for edit, result in results.items() if edit in reasons or isinstance(result, RejectedEdit)}
        reasons = dict.fromkeys(self._find_broken(list(results), left), _HALF) | reasons
        taken = 0
        for edit, result in results.items():
            if isinstance(result, CarriedEdit):
                reason = reasons.get(edit) or (_TAKEN if result.start < taken else None)
                taken = taken if reason else result.end
                result = RejectedEdit(result.line, reason) if reason else result
            if result is not None:
                yield result

    def _find_broken(self, edits: Sequence[LineEdit], left: set[LineEdit]) -> Iterator[LineEdit]:
        """Yield the edits that would break a block if they were applied without the skipped ones."""
        for group in blocks.pair_halves(self.old, self.new, edits):
            if left.intersection(group):
                yield from group
        for group in blocks.group_code(self._code[0], edits):
            if left.intersection(group):
                yield from (edit for edit in group if edit.changes_count)

    def _carry(self, edit: LineEdit) -> CarriedEdit | RejectedEdit | None:
        line = get_first_line(edit, self.new)
        before = self._get_old_text(edit)
        if reason := self._explainer.explain(before, "\n".join(self.new[edit.new_start : edit.new_end])):
            return RejectedEdit(line, reason)
        result = self._rewrite(edit) if before.strip() else self._insert(edit)
        if isinstance(result, str):
            return RejectedEdit(line, result)
        if result is None:
            return None
        start, end, lines = result
        if tuple(self.other[start:end]) == lines:
            return None
        reason = self._explain_language(edit, start)
        return RejectedEdit(line, reason) if reason else CarriedEdit(start, end, lines, line)

    def _explain_language(self, edit: LineEdit, place: int) -> str:
        """Return why a line of code does not fit the sibling's code; empty if it does."""
        is_new, (own_code, other_code) = edit.start == edit.end, self._code
        language, other = _get_language(own_code, edit.start, is_new), _get_language(other_code, place, is_new)
        differs = language and other and language != other
        return f"the other copy's code is in `{other}`" if differs else ""

    @cached_property
    def _code(self) -> tuple[Sequence[tuple[int, str]], Sequence[tuple[int, str]]]:
        return blocks.number_code(self.old, self.languages[0]), blocks.number_code(self.other, self.languages[1])

    def _get_old_text(self, edit: LineEdit) -> str:
        return "\n".join(self.old[edit.start : edit.end])

    # --- Target position

    @cached_property
    def _explainer(self) -> EditExplainer:
        old, new, other = map("\n".join, (self.old, self.new, self.other))
        return EditExplainer(old, new, other, self.exchange, self.other_variants)

    @cached_property
    def translated_lines(self) -> list[str]:
        """The old lines, adapted to the sibling."""
        return [self.exchange.translate(line) for line in self.old]

    @cached_property
    def line_pairs(self) -> dict[int, int]:
        """The sibling's line for each old line that has one; blank lines have none."""
        rows = align_sequences(
            {"old": _normalize_lines(self.translated_lines), "other": _normalize_lines(self.other)},
            lambda item: item[1],
            lambda left, right: fuzz.ratio(left[1], right[1]) / 100,
            variation.MIN_SENTENCE_SIMILARITY,
        )
        return {row["old"][0]: row["other"][0] for row in rows if len(row) == 2}

    def _find_line_beside(self, index: int, by: int) -> int | None:
        """Return the sibling's line for the next nonblank one above or below; None if that one has no match.

        Above the first line, the result is -1; below the last one, it is the number of the sibling's lines.
        """
        while 0 <= index < len(self.old) and not self.old[index].strip():
            index += by
        if index < 0:
            return -1
        return len(self.other) if index >= len(self.old) else self.line_pairs.get(index)

    # --- Target text

    def _rewrite(self, edit: LineEdit) -> tuple[int, int, tuple[str, ...]] | str | None:
        places = [self.line_pairs.get(i) for i in range(edit.start, edit.end) if self.old[i].strip()]
        known = [place for place in places if place is not None]
        if len(known) < len(places):
            return "the other copy has no such text"
        start, end = min(known), max(known) + 1
        if known != sorted(known) or sum(bool(line.strip()) for line in self.other[start:end]) != len(known):
            return "the other copy has different text in between"
        base = "\n".join(_trim_blank_lines(self.translated_lines[edit.start : edit.end]))
        edited = [self.exchange.translate(line) for line in self.new[edit.new_start : edit.new_end]]
        right = "\n".join(self.other[start:end])
        if not any(line.strip() for line in edited):
            if base.split() != right.split():
                return "the other copy has different text there"
            return (*self._include_blanks(edit, start, end), ())
        if right.split() == "\n".join(edited).split():
            return None
        merged = merge(base, "\n".join(_trim_blank_lines(edited)), right)
        if merged is None:
            return "the other copy has different text there"
        return start, end, tuple(merged.split("\n"))

    def _include_blanks(self, edit: LineEdit, start: int, end: int) -> tuple[int, int]:
        """Include as many blank lines after the deleted ones as are deleted in the edited page."""
        blanks = 0
        while edit.end - blanks > edit.start and not self.old[edit.end - blanks - 1].strip():
            blanks += 1
        while blanks and end < len(self.other) and not self.other[end].strip():
            end, blanks = end + 1, blanks - 1
        return start, end

    def _insert(self, edit: LineEdit) -> tuple[int, int, tuple[str, ...]] | str | None:
        lines = tuple(self.exchange.translate(line) for line in self.new[edit.new_start : edit.new_end])
        if not any(line.strip() for line in lines):
            return None  # only blank lines
        above, below = self._find_line_beside(edit.start - 1, -1), self._find_line_beside(edit.end, 1)
        if above is None or below is None or above >= below:
            return "the other copy has different text around it"
        if any(line.strip() for line in self.other[above + 1 : below]):
            between = [line.strip() for line in self.other[above + 1 : below] if line.strip()]
            has_it = between == [line.strip() for line in lines if line.strip()]
            return None if has_it else "the other copy has text of its own there"
        blanks = 0
        while blanks < edit.start and not self.old[edit.start - 1 - blanks].strip():
            blanks += 1
        start = min(above + 1 + blanks, below)
        return start, start, lines


def _get_language(lines: Sequence[tuple[int, str]], at: int, is_new: bool) -> str:
    """Return the language of the code block at a line; a new line is not in one that begins or ends there."""
    block = lines[min(at, len(lines) - 1)]
    return "" if is_new and at and lines[at - 1] != block else block[1]


def _normalize_lines(lines: Sequence[str]) -> list[tuple[int, str]]:
    return [(index, " ".join(line.split())) for index, line in enumerate(lines) if line.strip()]


def _trim_blank_lines(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines without leading and trailing blank ones."""
    first, last = 0, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return lines[first:last]
