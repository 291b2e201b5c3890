"""Cells that one copy leaves empty and the others fill: for the rules `conflicting-value` and `drifted-cell`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.data.toggle_words import State, folded, state_of
from tutorial_tool.markdown.document import TableCell
from tutorial_tool.rules._shared._copies import named, quoted
from tutorial_tool.variants import Step
from tutorial_tool.variation.copied_values import is_short
from tutorial_tool.variation.tables import Copy, all_keys, shared_columns, values

_AGREE = 2
"""Copies that say one thing in a cell, at least, which another one leaves empty; or else so many rows more."""
_FILLED = 2
"""Other rows of a table, at least, that all have something in the column."""


class Empty(NamedTuple):
    """A cell that a copy leaves empty, and what most others have there."""

    name: str
    key: str
    title: str
    others: tuple[str, ...]
    usual: str

    @property
    def is_value(self) -> bool:
        """Whether what is missing is a value, and no description."""
        is_sentence = self.usual.endswith(".") and " " in self.usual
        return is_short(folded(self.usual)) and not is_sentence


def empty_cells(step: Step, copies: Mapping[str, Copy]) -> Iterator[Empty]:
    """The only cell of a column that is empty, in a row that all other copies fill there.

    Where no two of the others agree, or there are but two copies, the column must have more rows.
    """
    if not any(_is_empty(copy, cell) for copy in copies.values() for row in copy.table.rows for cell in row):
        return
    for title in shared_columns(copies)[1:]:
        for key in all_keys(copies):
            row = values(copies, key, title)
            empty = [name for name, cell in row.items() if _is_empty(copies[name], cell)]
            if len(empty) != 1 or step.pages[empty[0]].generated:
                continue
            typed = {name: copies[name].typed(cell) for name, cell in row.items() if name != empty[0]}
            usual, agree = Counter(typed.values()).most_common(1)[0] if typed else ("", 0)
            least = _FILLED if agree >= _AGREE else _FILLED + 1
            is_sure = agree >= _AGREE or len(copies) == len(typed) + 1 == 2
            if is_sure and _is_the_only_one(copies[empty[0]], title, least) and not _is_no(step, copies, title, usual):
                others = tuple(name for name, text in typed.items() if text == usual)
                yield Empty(empty[0], key, title, others, usual)


def empty_cell(step: Step, copies: Mapping[str, Copy], empty: Empty) -> Finding:
    """What is found of an empty cell."""
    copy, there = copies[empty.name], empty.others[0]
    cell, usual = copy.cell(empty.key, empty.title), copies[there].cell(empty.key, empty.title)
    title = copy.table.header[copy.columns.index(empty.title)].text.strip()
    said = f", and `{empty.usual}`" if empty.is_value else f": {quoted(usual.text if usual else empty.usual)}"
    message = f"`{title}` of `{copy.shown(empty.key)}` is empty here{said} on {named(step, empty.others)}"
    related = [(step.pages[there], (usual.start, usual.end), f"what {step.variants[there].name} has")] if usual else []
    severity = Severity.WARNING if empty.is_value and len(empty.others) >= _AGREE else Severity.HINT
    return copy.page.flag(_room(copy.page.plain, cell), message, related=related, severity=severity)


def _is_empty(copy: Copy, cell: TableCell) -> bool:
    return not cell.text.strip() and not copy.page.plain[cell.start : cell.end].strip()


def _room(text: str, cell: TableCell | None) -> tuple[int, int]:
    """Where the text of an empty cell would stand: between the signs around it, or these, where nothing is."""
    start, end = (cell.start, cell.end) if cell else (0, 0)
    while text[start - 1 : start] in (" ", "\t"):
        start -= 1
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    return (start, end) if start < end else (max(start - 1, 0), end + 1)


def _is_the_only_one(copy: Copy, title: str, least: int) -> bool:
    """Whether all cells of a column but one have something in them, and these are so many at least."""
    cells = [copy.cell(key, title) for key in copy.keys]
    filled = sum(cell is not None and not _is_empty(copy, cell) for cell in cells)
    return filled == len(cells) - 1 >= least


def _is_no(step: Step, copies: Mapping[str, Copy], title: str, usual: str) -> bool:
    """Whether an empty cell may say "no": nothing else in the column does, or all of it says one thing."""
    if not any(map(str.isalnum, usual)):
        return True
    told = {copy.typed(cell) for copy in copies.values() for key in copy.keys if (cell := copy.cell(key, title))}
    words = {folded(text) for text in told if text}
    state = _state(step, usual)
    return len(words) < 2 or (state is not None and not any(_is_other(step, state, text) for text in words))


def _state(step: Step, text: str) -> State | None:
    return state_of(text, step.model.states)


def _is_other(step: Step, state: State, text: str) -> bool:
    other = _state(step, text)
    return other is not None and other.on != state.on
